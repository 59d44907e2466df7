import type { Address, Analysis, Book, BookBytes, Limits, LoadOptions, OracleOptions, PositionLike, Signal, Solver } from "./index.js";

export {
  Analysis, Book, BookError, DeadlineError, Explanation, FourbookError, GameReview, init, Level,
  NodeBudgetError, OutOfMemoryError, Position, PositionError, SizeError, Solver, LimitError,
  parseGame, UNKNOWN, UNPLAYABLE, version,
} from "./index.js";
export type {
  Address, AnalyseOptions, BookBytes, Cell, ChosenMove, GameRecord, LevelLike, LevelName, LevelNumber, Limits, LoadOptions, Mark, Move, Notation,
  Outcome, Player, ChooseMoveOptions, PositionLike, Signal, Source, Sources, WorkerLike,
} from "./index.js";

/** Stops an answer: the promise is rejected at once with the signal's reason. */
export interface Cancel {
  signal?: Signal;
}

/** A method of `Solver` of `fourbook`, with a promise of its answer. */
type Promised<Method> = Method extends (question: infer Question, options?: infer Options) => infer Answer
  ? (question: Question, options?: Options & Cancel) => Promise<Answer>
  : never;
type Answers = {
  [Name in Exclude<keyof Solver, "size" | "nodes" | "close" | symbol>]: Promised<Solver[Name]>;
};

/**
 * Answers for positions by a worker: the methods of `Oracle` of `fourbook`, as promises. Several
 * can be open at a time; they take turns of at most about a tenth of a second, and a new one comes
 * first. A cancelled search stops within moments, and the solver's table is kept.
 */
export interface Oracle extends Answers {}
export class Oracle {
  private constructor();
  /** Starts a worker, with the built-in book unless another is named. */
  static load(
    options?: Omit<OracleOptions, "book"> & LoadOptions & { book?: Book | BookBytes | Address | null },
  ): Promise<Oracle>;
  readonly size: string;
  /** About its book. */
  readonly book: Pick<Book, "size" | "depth" | "kind" | "encoding" | "identity"> | null;
  /** Yields the known scores as they grow: first those of the book, at the end all. */
  parts(position: PositionLike, options?: Limits & Cancel): AsyncGenerator<Analysis, void, undefined>;
  /** Ends the worker, and rejects open promises. */
  close(): void;
  [Symbol.dispose](): void;
}
