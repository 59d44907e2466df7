/** The engine on a server: `fourbook serve`. */
import { persist, Unreachable } from "./outage.js";
import { columnOf, columnsOf, EngineError, lineOfRecord, problemText, reasonOf, reportOf, reviewOf, understood } from "./report.js";
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
  throw failure(await response.json().catch(() => null), response.status);
}

/** The error of an answer that describes a problem, or of any other one. */
function failure(problem, status) {
  const kind = String(problem?.type).split(":").at(-1);
  return new EngineError(problemText(kind, problem?.detail || say("error.status", { status })), status >= 500, problem?.bounds);
}

/** Reads the body of a response; the connection can break within it. */
async function bodyOf(response, signal) {
  try {
    return await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (error instanceof SyntaxError) throw new EngineError(say("error.answer"), true);
    throw new Unreachable(say("error.unreachable"));
  }
}

const ask = (path, options) =>
  persist(async () => bodyOf(await askOnce(path, options), options?.signal), options?.signal);

const post = (path, body, signal) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal });

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
        if (field("data")) yield { name: field("event"), data: understood(JSON.parse, field("data")) };
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** @type {import("./report.js").Engine} */
export const engine = {
  async ready() {},

  parse: async (text, size) => understood(lineOfRecord, await post("v1/parse", { text, size })),

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
      let isWhole = false;
      try {
        for await (const { name, data } of events(response)) {
          if (name === "problem") throw failure(data, data.status);
          const report = understood(reportOf, data);
          isWhole = report.complete;
          yield report;
        }
        if (!isWhole) throw new EngineError(say("error.answer"), true);
      } catch (error) {
        if (signal?.aborted || error instanceof EngineError) throw error;
        broken = new Unreachable(error.message);
      }
    } while (broken);
  },

  async reports(questions, signal) {
    if (questions.length === 0) return [];
    const positions = questions.map(textOf);
    const answer = await post("v1/positions", { positions, size: questions[0].size, wait: true }, signal);
    return understood(({ answers }) => answers.map((one) => (one.error ? null : reportOf(one))), answer);
  },

  async review(question, signal) {
    return understood(reviewOf, await ask(`v1/review?${query(question)}`, { signal }));
  },

  async line(question, signal) {
    return understood(({ line }) => columnsOf(line), await ask(`v1/line?${query(question)}`, { signal }));
  },

  async explain(question, signal) {
    return understood(({ explanation }) => reasonOf(explanation), await ask(`v1/line?${query(question)}`, { signal }));
  },

  async move(question, level, seed, signal) {
    const answer = await ask(`v1/move?${query(question, { level, seed })}`, { signal });
    return understood(({ column, proved }) => ({ column: columnOf(column), proved }), answer);
  },
};
