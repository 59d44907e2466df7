import type {
  Analysis, AnalyseOptions, Book, BookBytes, ChosenMove, Explanation, GameReview, Limits, LoadOptions, Outcome,
  OracleOptions, ChooseMoveOptions, PositionLike,
} from "./index.js";

export {
  Analysis, Book, BookError, DeadlineError, Explanation, FourbookError, GameReview, init, Level,
  NodeBudgetError, OutOfMemoryError, Position, PositionError, SizeError, Solver, LimitError,
  parseGame, UNKNOWN, UNPLAYABLE, version,
} from "./index.js";
export type {
  AnalyseOptions, BookBytes, Cell, ChosenMove, GameRecord, LevelLike, LevelName, LevelNumber, Limits, LoadOptions, Mark, Move, Notation,
  Outcome, Player, ChooseMoveOptions, PositionLike, Source, Sources,
} from "./index.js";

/** Stops an answer: the promise is rejected at once with the signal's reason. */
export interface Cancel {
  signal?: AbortSignal;
}

/**
 * Answers for positions by a worker: the methods of `Oracle` of `fourbook`, as promises. Several
 * can be open at a time; they take turns of at most about a tenth of a second, and a new one comes
 * first. A cancelled search stops within moments, and the solver's table is kept.
 */
export class Oracle {
  private constructor();
  /** Starts a worker, with the built-in book unless another is named. */
  static load(
    options?: Omit<OracleOptions, "book"> & LoadOptions & { book?: Book | BookBytes | string | URL | null },
  ): Promise<Oracle>;
  readonly size: string;
  /** About its book. */
  readonly book: Pick<Book, "size" | "depth" | "kind" | "encoding" | "identity"> | null;
  score(position: PositionLike, options?: Limits & Cancel): Promise<number>;
  outcome(position: PositionLike, options?: Limits & Cancel): Promise<Outcome>;
  /** The scores of a position and its moves from the book and the rules, without a search. */
  known(position: PositionLike): Promise<Analysis>;
  analyse(position: PositionLike, options?: AnalyseOptions & Cancel): Promise<Analysis>;
  /** Yields the known scores as they grow: first those of the book, at the end all. */
  parts(position: PositionLike, options?: Limits & Cancel): AsyncGenerator<Analysis, void, undefined>;
  bestMove(position: PositionLike, options?: Limits & Cancel): Promise<number>;
  chooseMove(position: PositionLike, options?: ChooseMoveOptions & Cancel): Promise<ChosenMove>;
  scores(positions: Iterable<PositionLike>, options?: Limits & Cancel): Promise<Int8Array>;
  analyseMany(
    positions: Iterable<PositionLike>, options?: Limits & Cancel,
  ): Promise<{ scores: Int8Array; moves: Int8Array[] }>;
  principalVariation(position: PositionLike, options?: Limits & Cancel): Promise<number[]>;
  explain(position: PositionLike, options?: Limits & Cancel): Promise<Explanation>;
  review(game: string, options?: Limits & Cancel): Promise<GameReview>;
  /** Ends the worker, and rejects open promises. */
  close(): void;
  [Symbol.dispose](): void;
}
