// Analyses of positions and reviews of games, with columns from 0. `toJSON` returns the reports of the
// server and of `fourbook lookup --json`, with columns from 1.

/** Stands for a column that cannot be played in arrays of scores; less than any score. */
export const UNPLAYABLE = -128;

/** A score of WebAssembly; null if there is none. */
export const scoreOf = (number) => (number === UNPLAYABLE ? null : number);

/** The fields that an analysis reads from its report. */
const READ = {
  position: ({ position }) => position,
  size: ({ size }) => size,
  key: ({ key }) => BigInt(key),
  ply: ({ ply }) => ply,
  toMove: ({ to_move }) => to_move,
  over: ({ over }) => over,
  winningLine: ({ winning_line }) => winning_line?.map(({ column, row }) => ({ column: column - 1, row: row - 1 })) ?? null,
  outcome: ({ outcome }) => outcome,
  pliesToEnd: ({ plies_to_end }) => plies_to_end,
  bestMoves: ({ best_moves }) => best_moves.map((column) => column - 1),
  moves: ({ moves }) => moves.map(({ column, plies_to_end, ...move }) => ({
    column: column - 1, ...move, pliesToEnd: plies_to_end,
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

/** An analysis in a message of a worker. */
export function toMessage(analysis) {
  return { score: analysis.score, scores: analysis.scores, report: analysis.toJSON() };
}

export function ofMessage({ score, scores, report }) {
  return new Analysis(score, scores, () => report);
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
    this.moves = report.moves.map((move) => ({ ...move, column: move.column - 1 }));
    this.line = Array.from(report.line, (name) => parseInt(name, 36) - 1);
  }

  toJSON() {
    return structuredClone(this.#report);
  }
}
