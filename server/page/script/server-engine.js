/** The engine on a server: `fourbook serve`. */
import { persist, Unreachable } from "./outage.js";
import { columnOf, columnsOf, EngineError, lineOfRecord, reasonOf, reportOf, reviewOf } from "./report.js";
import { textOf } from "./rules.js";
import { say } from "./texts.js";

/** The status codes of a proxy whose server is unreachable. */
const GATEWAY = [502, 504];

async function askOnce(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (options?.signal?.aborted) throw error;
    throw new Unreachable(say("error.unreachable"));
  }
  if (response.ok) return response;
  if (GATEWAY.includes(response.status)) throw new Unreachable(say("error.unreachable"));
  const problem = await response.json().catch(() => null);
  throw new EngineError(problem?.detail ?? say("error.status", { status: response.status }), response.status >= 500, problem?.bounds);
}

/** Reads the body of a response; the connection can break within it. */
const bodyOf = (response, signal) => response.json().catch((error) => {
  throw signal?.aborted ? error : new Unreachable(error.message);
});

export const ask = (path, options) =>
  persist(async () => bodyOf(await askOnce(path, options), options?.signal), options?.signal);

const post = (path, body, signal) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal });

export const query = (question, more = {}) => new URLSearchParams({ ...question, ...more }).toString();

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
  async ready() {},

  parse: async (text, size) => lineOfRecord(await post("v1/parse", { text, size })),

  async describe() {
    const book = await ask("v1/book");
    const { width, height } = book;
    const about = book.loaded ? say("info.book", { size: `${width} × ${height}`, count: book.depth }) : say("info.no-book");
    return { sizes: book.sizes ?? [`${width}x${height}`], anySize: (book.solver_sizes ?? []).length > 0, about };
  },

  async *report(question, signal) {
    // A connection that ends within the answer is an outage, too.
    let broken = null;
    const attempt = () => {
      const error = broken;
      broken = null;
      return error ? Promise.reject(error) : askOnce(`v1/position/stream?${query(question)}`, { signal });
    };
    do {
      const response = await persist(attempt, signal);
      try {
        for await (const { name, data } of events(response)) {
          if (name === "problem") throw new EngineError(data.detail, data.status >= 500, data.bounds);
          yield reportOf(data);
        }
      } catch (error) {
        if (signal?.aborted || error instanceof EngineError) throw error;
        broken = new Unreachable(error.message);
      }
    } while (broken);
  },

  async reports(questions, signal) {
    if (questions.length === 0) return [];
    const positions = questions.map(textOf);
    const { answers } = await post("v1/positions", { positions, size: questions[0].size, wait: true }, signal);
    return answers.map((answer) => (answer.error ? null : reportOf(answer)));
  },

  async review(question, signal) {
    return reviewOf(await ask(`v1/review?${query(question)}`, { signal }));
  },

  async line(question, signal) {
    const { line } = await ask(`v1/line?${query(question)}`, { signal });
    return columnsOf(line);
  },

  async explain(question, signal) {
    return reasonOf((await ask(`v1/line?${query(question)}`, { signal })).explanation);
  },

  async move(question, level, seed, signal) {
    const { column, proved } = await ask(`v1/move?${query(question, { level, seed })}`, { signal });
    return { column: columnOf(column), proved };
  },
};
