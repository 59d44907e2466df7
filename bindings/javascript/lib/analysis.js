// Analyses of positions and reviews of games, with columns from 0. `toJSON` returns the reports of the
// server and of `fourbook lookup --json`, with the names of columns.

/** Stands for a column that cannot be played in arrays of scores; less than any score. */
export const UNPLAYABLE = -128;
/** In the results of a search that a limit ended: a score that is not known. */
export const UNKNOWN = -127;

/** A score of WebAssembly; null if there is none. */
export const scoreOf = (number) => (number === UNPLAYABLE ? null : number);

/** The number, from 0, of a column that a report names. */
const columnOf = (name) => parseInt(name, 36) - 1;
/** The cell that a report names. */
const cellOf = ({ column, row }) => ({ column: columnOf(column), row: row - 1 });
/** The columns of a text of moves. */
const columnsOf = (text) => Array.from(text, columnOf);

/** The fields that an analysis reads from its report. */
const READ = {
  position: ({ position }) => position,
  size: ({ size }) => size,
  key: ({ key }) => BigInt(key),
  ply: ({ ply }) => ply,
  toMove: ({ to_move }) => to_move,
  over: ({ over }) => over,
  winningLine: ({ winning_line }) => winning_line?.map(cellOf) ?? null,
  outcome: ({ outcome }) => outcome,
  pliesToEnd: ({ plies_to_end }) => plies_to_end,
  bestMoves: ({ best_moves }) => best_moves.map(columnOf),
  moves: ({ moves }) => moves.map(({ column, plies_to_end, ...move }) => ({
    column: columnOf(column), ...move, pliesToEnd: plies_to_end,
  })),
  source: ({ source }) => source,
  complete: ({ complete }) => complete,
  nodes: ({ nodes }) => nodes ?? null,
  timeMs: ({ time_ms }) => time_ms ?? null,
};

export class Analysis {
  #report;
  #load;

  /** Takes the score, the scores of all columns (null if unknown), and a loader of the report. */
  constructor(score, scores, load) {
    this.score = score;
    this.scores = scores;
    this.#load = load;
  }

  get #all() {
    return (this.#report ??= this.#load());
  }

  toJSON() {
    return structuredClone(this.#all);
  }

  [Symbol.for("nodejs.util.inspect.custom")](depth, options, inspect) {
    const { position, size, score, outcome, pliesToEnd, bestMoves, scores, source, complete } = this;
    return `Analysis ${inspect({ position, size, score, outcome, pliesToEnd, bestMoves, scores, source, complete }, options)}`;
  }

  static {
    for (const [name, read] of Object.entries(READ)) {
      Object.defineProperty(this.prototype, name, { get() { return read(this.#all); } });
    }
  }
}

export class GameReview {
  #report;

  constructor(report) {
    this.#report = report;
    const { game, size, winner, over } = report;
    Object.assign(this, { game, size, winner, over });
    this.positions = report.positions.map(({ plies_to_end, ...position }) => ({
      ...position, pliesToEnd: plies_to_end,
    }));
    this.moves = report.moves.map((move) => ({ ...move, column: columnOf(move.column) }));
    this.line = columnsOf(report.line);
  }

  toJSON() {
    return structuredClone(this.#report);
  }
}

export class Explanation {
  #report;

  constructor(report) {
    this.#report = report;
    const { threat_since, ...others } = report;
    Object.assign(this, others, {
      line: columnsOf(report.line),
      fours: report.fours.map(({ direction, from, to }) => ({ direction, from: cellOf(from), to: cellOf(to) })),
      last: report.last && cellOf(report.last),
      threatSince: threat_since,
      threats: report.threats.map(cellOf),
      defences: report.defences.map(columnOf),
    });
  }

  toJSON() {
    return structuredClone(this.#report);
  }
}

/** A result in a message of a worker. */
export function toMessage(value) {
  if (value instanceof Analysis) return { analysis: [value.score, value.scores, value.toJSON()] };
  if (value instanceof GameReview) return { review: value.toJSON() };
  if (value instanceof Explanation) return { explanation: value.toJSON() };
  return { value };
}

/** The result in a message of a worker. */
export function ofMessage({ analysis, review, explanation, value }) {
  if (analysis !== undefined) return new Analysis(analysis[0], analysis[1], () => analysis[2]);
  if (review !== undefined) return new GameReview(review);
  return explanation === undefined ? value : new Explanation(explanation);
}
