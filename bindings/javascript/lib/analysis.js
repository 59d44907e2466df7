// What is known of positions and games, with columns from 0; `toJSON` gives what the server and
// `fourbook lookup --json` tell, with columns from 1.

/** Stands for a column that cannot be played in arrays of scores; less than any score. */
export const UNPLAYABLE = -128;

/** What WebAssembly answers for a position of boards of another size. */
export const OTHER_SIZE = -(2 ** 31);

/** A score of WebAssembly; null if there is none. */
export const scoreOf = (number) => (number === UNPLAYABLE ? null : number);
const fromZero = ({ column, row }) => ({ column: column - 1, row: row - 1 });

export class Analysis {
  #report;
  #load;

  /** Of the score and those of all columns, null where there is none, and what loads the report. */
  constructor(score, scores, load) {
    this.score = score;
    this.scores = scores;
    this.#load = load;
  }

  get #all() {
    if (this.#report === undefined) {
      this.#report = this.#load();
      this.#load = undefined;
    }
    return this.#report;
  }

  get position() {
    return this.#all.position;
  }

  get size() {
    return this.#all.size;
  }

  get key() {
    return BigInt(this.#all.key);
  }

  get ply() {
    return this.#all.ply;
  }

  get toMove() {
    return this.#all.to_move;
  }

  get over() {
    return this.#all.over;
  }

  get winningLine() {
    return this.#all.winning_line?.map(fromZero) ?? null;
  }

  get outcome() {
    return this.#all.outcome;
  }

  get pliesToEnd() {
    return this.#all.plies_to_end;
  }

  get bestMoves() {
    return this.#all.best_moves.map((column) => column - 1);
  }

  get moves() {
    return this.#all.moves.map(({ column, plies_to_end, ...move }) => ({
      column: column - 1, ...move, pliesToEnd: plies_to_end,
    }));
  }

  get source() {
    return this.#all.source;
  }

  get complete() {
    return this.#all.complete;
  }

  get nodes() {
    return this.#all.nodes ?? null;
  }

  get timeMs() {
    return this.#all.time_ms ?? null;
  }

  toJSON() {
    return structuredClone(this.#all);
  }
}

/** What an analysis is made of again on the other side of a worker. */
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
