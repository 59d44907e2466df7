/** The engine that is a server: `fourbook serve`. */
import { columnsOf, EngineError, reportOf, reviewOf } from "./report.js";

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (options?.signal?.aborted) throw error;
    throw new EngineError("The server cannot be reached.", true);
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => null);
  throw new EngineError(problem?.detail ?? `The server answered ${response.status}.`, response.status >= 500, problem?.bounds);
}

const query = (question, more = {}) => new URLSearchParams({ ...question, ...more }).toString();

/** The events of a stream: their names and data. */
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const pieces = (text + value).split("\n\n");
      text = pieces.pop();
      for (const piece of pieces) {
        const field = (name) => piece.match(new RegExp(`^${name}: ?(.*)$`, "m"))?.[1];
        if (field("data")) yield { name: field("event"), data: JSON.parse(field("data")) };
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** @type {import("./report.js").Engine} */
export const engine = {
  async describe() {
    const book = await (await ask("v1/book")).json();
    const { width, height } = book;
    const about = book.loaded
      ? `Book of ${width}x${height} to ply ${book.depth}, identity ${book.identity}`
      : `No book: every position of ${width}x${height} is solved`;
    return { sizes: book.sizes ?? [`${width}x${height}`], about };
  },

  async *report(question, signal) {
    const response = await ask(`v1/position/stream?${query(question)}`, { signal });
    for await (const { name, data } of events(response)) {
      if (name === "problem") throw new EngineError(data.detail, data.status >= 500, data.bounds);
      yield reportOf(data);
    }
  },

  async reports(questions, signal) {
    if (questions.length === 0) return [];
    const positions = questions.map((question) => question.diagram ?? question.moves);
    const response = await ask("v1/positions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ positions, size: questions[0].size, wait: true }),
      signal,
    });
    const { answers } = await response.json();
    return answers.map((answer) => (answer.error ? null : reportOf(answer)));
  },

  async review(question, signal) {
    return reviewOf(await (await ask(`v1/game?${query(question)}`, { signal })).json());
  },

  async line(question, signal) {
    const { line } = await (await ask(`v1/line?${query(question)}`, { signal })).json();
    return columnsOf(line);
  },

  async explain(question, signal) {
    return (await (await ask(`v1/line?${query(question)}`, { signal })).json()).explanation.text;
  },

  async move(question, level, seed, signal) {
    const { column } = await (await ask(`v1/move?${query(question, { level, seed })}`, { signal })).json();
    return column - 1;
  },
};
