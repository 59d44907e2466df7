// Analyses of positions, reviews of games and explanations, with columns from 0. `toJSON` returns the
// reports of the server and of `fourbook lookup --json`, with the names of columns.

/** Stands for a column that cannot be played in arrays of scores; less than any score. */
export const UNPLAYABLE = -128;
/** In the results of a search that a limit ended: a score that is not known. */
export const UNKNOWN = -127;

/** A score of WebAssembly; null if there is none. */
export const scoreOf = (number) => (number === UNPLAYABLE ? null : number);

/** The number, from 0, of a column that a report names. */
const columnOf = (name) => parseInt(name, 36) - 1;
const columnsOf = (names) => Array.from(names, columnOf);

/** Fields that an object has by another name than its report, or with numbers for the names of columns. */
const FIELDS = {
  __proto__: null,
  best_moves: ["bestMoves", columnsOf],
  column: ["column", columnOf],
  defences: ["defences", columnsOf],
  key: ["key", BigInt],
  line: ["line", columnsOf],
  plies_to_end: ["pliesToEnd", objectOf],
  // The row of an explanation is "odd" or "even".
  row: ["row", (row) => (row > 0 ? row - 1 : row)],
  threat_since: ["threatSince", objectOf],
  time_ms: ["timeMs", objectOf],
  to_move: ["toMove", objectOf],
  winning_line: ["winningLine", objectOf],
};

/** A part of a report as an object. */
function objectOf(part) {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map(objectOf);
  const object = {};
  for (const name in part) {
    const [own, convert] = FIELDS[name] ?? [name, objectOf];
    object[own] = convert(part[name]);
  }
  return object;
}

let reportOf;

/** What is known of a position or a game, as the library reports it in JSON. */
class Report {
  #json;
  #known;
  #report;

  constructor(json, known) {
    this.#json = json;
    this.#known = known;
  }

  toJSON() {
    return JSON.parse(this.#json);
  }

  /** The arguments of the constructor. */
  static partsOf(report) {
    return [report.#json, report.#known];
  }

  static {
    reportOf = (report) => (report.#report ??= JSON.parse(report.#json));
  }
}

/** The fields of an analysis that are read from its report when they are asked for, or copied. */
const READ = [
  "position", "size", "key", "ply", "to_move", "over", "winning_line", "outcome", "plies_to_end", "bounds", "best_moves", "moves",
  "source", "complete", "nodes", "time_ms",
].map((name) => {
  const [own, convert] = FIELDS[name] ?? [name, objectOf];
  return [own, { enumerable: true, get() { return convert(reportOf(this)[name] ?? null); } }];
});

export class Analysis extends Report {
  /** Takes the report, and what is known as an array of WebAssembly. */
  constructor(json, known) {
    super(json, known);
    this.score = scoreOf(known[1]);
    this.scores = Array.from(known.subarray(2), scoreOf);
    for (const [name, read] of READ) Object.defineProperty(this, name, read);
  }

  [Symbol.for("nodejs.util.inspect.custom")](depth, options, inspect) {
    const { position, size, score, outcome, pliesToEnd, bestMoves, scores, source, complete } = this;
    return `Analysis ${inspect({ position, size, score, outcome, pliesToEnd, bestMoves, scores, source, complete }, options)}`;
  }
}

export class GameReview extends Report {
  constructor(json) {
    super(json);
    Object.assign(this, objectOf(reportOf(this)));
  }
}

export class Explanation extends Report {
  constructor(json) {
    super(json);
    Object.assign(this, objectOf(reportOf(this)));
  }
}

const KINDS = { Analysis, GameReview, Explanation };

/** A result in a message of a worker. */
export function toMessage(value) {
  // Minifiers change the names of classes.
  const kind = Object.keys(KINDS).find((name) => value instanceof KINDS[name]);
  return kind === undefined ? { value } : { kind, parts: Report.partsOf(value) };
}

/** The result in a message of a worker. */
export function ofMessage({ kind, parts, value }) {
  return kind === undefined ? value : new KINDS[kind](...parts);
}
