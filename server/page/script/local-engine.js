/** The engine that is beside the page: the JavaScript package, in a worker. */
import { init, Oracle, parseGame } from "../package/worker-web.js";
import { bytes } from "./hosting.js";
import { persist, Unreachable } from "./outage.js";
import { EngineError, lineOfRecord, problemText, reasonOf, reportOf, reviewOf } from "./report.js";
import { textOf } from "./rules.js";
import { say } from "./texts.js";

/** The books of the package, by their boards. */
const BOOKS = Object.fromEntries(Object.keys(bytes).map((name) => [name.match(/(\d+x\d+)-d\d+\.book$/)?.[1], name]).filter(([size]) => size));
/** The boards to choose from: the usual one first, then those with a book, and one that is solved. */
const SIZES = [...new Set(["7x6", ...Object.keys(BOOKS).sort((a, b) => a.localeCompare(b, "en", { numeric: true })), "8x7"])];
const WASM = "package/raw_bg.wasm";
/** Milliseconds after which a search is given up; a server has a limit of its own. */
const TIMEOUT = 60_000;
/** Milliseconds for the position on the board, whose search can be stopped at any time. */
const LONGEST = 600_000;

const oracles = new Map();

/** The bytes that have arrived, by the file's name, and who is told of more. */
const [arrived, listeners] = [{}, new Set()];

/** The share of some files that has arrived, from 0 to 1. */
function shareOf(names) {
  const [some, all] = [arrived, bytes].map((of) => names.reduce((sum, name) => sum + (of[name] ?? 0), 0));
  return all > 0 ? Math.min(1, some / all) : 0;
}

async function loadFile(name) {
  arrived[name] = 0;
  // Not from the browser's own cache, which may have a file of another version.
  const response = await fetch(name, { cache: "no-store" }).catch((error) => {
    throw new Unreachable(error.message);
  });
  if (!response.ok) throw new Error(say("error.file", { name, status: response.status }));
  const pieces = [];
  try {
    for (const reader = response.body.getReader(); ;) {
      const { value, done } = await reader.read();
      if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
      pieces.push(value);
      arrived[name] += value.length;
      for (const tell of listeners) tell();
    }
  } catch (error) {
    throw new Unreachable(error.message);
  }
}

/** The files that answers for boards of a size need. */
const filesFor = (size) => (BOOKS[size] ? [WASM, BOOKS[size]] : [WASM]);

let program = null;
/** Loads the program, once for all workers. */
function loadProgram() {
  const load = async () => init({ wasm: await WebAssembly.compile(await persist(() => loadFile(WASM))) });
  program ??= load().catch((error) => {
    program = null;
    throw error;
  });
  return program;
}

async function load(size) {
  const file = BOOKS[size];
  const [book] = await Promise.all([file ? persist(() => loadFile(file)) : undefined, loadProgram()]);
  return Oracle.load({ book, size });
}

/** The oracle for boards of a size, made when it is first asked. */
function oracleOf({ size }) {
  if (!oracles.has(size)) {
    const loading = load(size);
    // A failed download may work later.
    loading.catch(() => oracles.delete(size));
    oracles.set(size, loading);
  }
  return oracles.get(size);
}

/** The kinds of the package's errors, as a server names them. */
const KINDS = { PositionError: "bad-position", BookError: "damaged-book", OutOfMemoryError: "no-memory", NodeBudgetError: "node-budget", DeadlineError: "not-solved" };

async function answered(work, signal) {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new EngineError(problemText(KINDS[error.name], error.message), true, error.bounds);
  }
}

/** @type {import("./report.js").Engine} */
export const engine = {
  async ready(question, tell) {
    const tellShare = () => tell(shareOf(filesFor(question.size)));
    listeners.add(tellShare);
    // The question itself reports the error.
    await oracleOf(question).catch(() => {});
    listeners.delete(tellShare);
  },

  parse: (text, size) => answered(async () => {
    await loadProgram();
    return lineOfRecord(parseGame(text, { size }));
  }),

  async describe() {
    // The first question finds the oracle loaded, or nearly; that question reports errors.
    oracleOf({ size: SIZES[0] }).catch(() => {});
    return { sizes: SIZES, anySize: true, about: say("info.local") };
  },

  async *report(question, signal) {
    const oracle = await answered(() => oracleOf(question), signal);
    const parts = oracle.parts(textOf(question), { signal, timeout: LONGEST })[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { value, done } = await answered(() => parts.next(), signal);
        if (done) return;
        yield reportOf(value.toJSON());
      }
    } finally {
      parts.return?.();
    }
  },

  async reports(questions, signal) {
    if (questions.length === 0) return [];
    const oracle = await answered(() => oracleOf(questions[0]), signal);
    const analyse = (question) => oracle.analyse(textOf(question), { signal, timeout: TIMEOUT });
    const found = await Promise.allSettled(questions.map(analyse));
    signal?.throwIfAborted();
    return found.map(({ value }) => (value ? reportOf(value.toJSON()) : null));
  },

  async review(question, signal) {
    const oracle = await answered(() => oracleOf(question), signal);
    return reviewOf((await answered(() => oracle.review(question.moves, { signal, timeout: TIMEOUT }), signal)).toJSON());
  },

  async line(question, signal) {
    const oracle = await answered(() => oracleOf(question), signal);
    return answered(() => oracle.line(textOf(question), { signal, timeout: TIMEOUT }), signal);
  },

  async explain(question, signal) {
    const oracle = await answered(() => oracleOf(question), signal);
    return reasonOf((await answered(() => oracle.explain(textOf(question), { signal, timeout: TIMEOUT }), signal)).toJSON());
  },

  async move(question, level, seed, signal) {
    const oracle = await answered(() => oracleOf(question), signal);
    return answered(() => oracle.chooseMove(textOf(question), { level, seed, signal }), signal);
  },
};
