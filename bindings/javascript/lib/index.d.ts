/// <reference lib="esnext.disposable" />

/**
 * Perfect play in Connect Four: scores of positions from a book, or by solving.
 *
 * A score is for the side to move: 0 is a draw, a positive score a win, a negative one a loss,
 * and the larger, the sooner the end. Columns and rows are numbers from 0 in every object; texts
 * and `toJSON()` have their names, from 1. Unknown options are a `TypeError`.
 */

/** A player, by the letter of the stones: `X` begins. */
export type Player = "X" | "O";
export type Outcome = "win" | "draw" | "loss";
/** Where a score comes from: an entry of the book, the rules or entries one ply on, or a search. */
export type Source = "book" | "strategy" | "derived" | "solver";
export type Notation = "moves" | "diagram" | "bitboards" | "rows" | "key";
/**
 * A position, or a text in any notation: moves (columns from 1), a diagram, `key:NUMBER` ... A copy of a
 * position, by `postMessage`, `structuredClone`, `{ ...position }` or JSON, names it, too.
 */
export type PositionLike = Pick<Position, "size" | "key"> | { size: string; key: string } | string;
export type BookBytes = Uint8Array | ArrayBuffer;

// What fourbook needs of types that only browsers and Node.js have.
/** An address: a text or a `URL`. */
export type Address = string | { readonly href: string };
/** An `AbortSignal`. */
export interface Signal {
  readonly aborted: boolean;
  throwIfAborted(): void;
}
/** A `Worker` of a browser. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): void;
}

/** A cell: column and row from 0, the row from the bottom. */
export interface Cell {
  readonly column: number;
  readonly row: number;
}

/** The places of files that do not lie beside the JavaScript. Addresses are relative to the page. */
export interface Sources {
  /** The `WebAssembly.Module`, its bytes or its address. */
  wasm?: string | object | null;
  /** In browsers the script of workers, `fourbook/thread`, or a function that starts a worker. */
  worker?: Address | (() => WorkerLike) | null;
  /** The default book: its address or bytes. */
  book?: Address | BookBytes | null;
}

/**
 * Makes fourbook ready, once; `Oracle.load` and `Book.load` do so, too. In Node.js it is ready
 * when it has been imported.
 */
export function init(sources?: Sources): Promise<void>;

/** The version of fourbook. */
export function version(): string;

/** Stands for a column that cannot be played in arrays of scores; less than any score. */
export const UNPLAYABLE: -128;
/** Stands for a score that is not known, in `LimitError.results`. */
export const UNKNOWN: -127;

/** A position on a board of some size. It never changes. */
export class Position {
  /** The empty board of 7x6. */
  constructor();
  /** The position of a text in any notation; the empty text is the empty board. */
  constructor(text: string, options?: { size?: string });
  /** The position after moves: a text of columns from 1, or columns as numbers from 0. */
  static fromMoves(moves: string | Iterable<number>, options?: { size?: string }): Position;
  /** The position of rows of `X`, `O` and `.`, the top one first, with `/` or new lines between. */
  static fromDiagram(text: string, options?: { size?: string }): Position;
  /** The position of rows of numbers, the top one first: 0 is empty, 1 is X, 2 or -1 is O. */
  static fromArray(rows: Iterable<Iterable<number>>): Position;
  /** The position with a key, which is exact as a number only below 2^53. */
  static fromKey(key: bigint | number | string, options?: { size?: string }): Position;
  /** The board, such as `7x6`: columns and rows. */
  readonly size: string;
  readonly width: number;
  readonly height: number;
  /** Number of stones. */
  readonly ply: number;
  /** The player who moves next; null if the game is over. */
  readonly toMove: Player | null;
  readonly over: boolean;
  readonly winner: Player | null;
  /** The cells of all lines of four, if the game is won. */
  readonly winningLine: Cell[] | null;
  /** A number that no other position of boards of this size has. */
  readonly key: bigint;
  /** The smaller of the keys of the position and its mirror image. */
  readonly canonicalKey: bigint;
  /** The moves of some game that leads here; null if no game does. */
  readonly moves: string | null;
  readonly diagram: string;
  toText(notation: Notation): string;
  /** Rows of numbers, as `fromArray` takes them. */
  toArray(): number[][];
  /** The columns, from 0, that can be played; none if the game is over. */
  legalMoves(): number[];
  canPlay(column: number): boolean;
  /** The position after a move, a column from 0; or after the moves of a text, from 1. */
  play(moves: number | string): Position;
  /** The empty cells that complete four stones of a player. */
  threats(player: Player): Cell[];
  /** The mirror image, which has the same score. */
  mirrored(): Position;
  /** This position or its mirror image, whichever has the smaller key. */
  canonical(): Position;
  equals(other: unknown): boolean;
  toString(): string;
  /** Its moves, or a diagram, with size and key: `new Position(json.position, { size: json.size })` reads it. */
  toJSON(): { position: string; size: string; key: string };
}

/** What a text says of a game. The members are also the parameters of a link to it. */
export interface GameRecord {
  readonly size: string;
  /** The position before the moves; null for the empty board. */
  readonly diagram: string | null;
  /** All moves, columns from 1. */
  readonly moves: string;
  /** How many of the moves lead to the position: all, unless a link says fewer. */
  readonly ply: number;
}

/** Reads a text in any notation, on a board of `size` unless the text names another one. */
export function parseGame(text: string, options?: { size?: string }): GameRecord;

/** A level by its name, or by its number: the weakest is 1. */
export type LevelName =
  "beginner" | "novice" | "casual" | "intermediate" | "advanced" | "expert" | "master" | "perfect";
export type LevelNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
export type LevelLike = Level | LevelName | LevelNumber;

/** How well a player plays: one of eight levels, by number or by name. */
export class Level {
  constructor(level: LevelLike);
  /** All levels, the weakest first. */
  static all(): Level[];
  /** From 1 for a beginner to 8 for a perfect player. */
  readonly number: LevelNumber;
  readonly name: LevelName;
  /** The number of stones it sees ahead, with its own next one; null for all. */
  readonly horizon: number | null;
  /** In how many of 100 positions it plays any move. */
  readonly chance: number;
  toString(): string;
}

/** A column of an `Analysis`. */
export interface Move {
  /** From 0. */
  readonly column: number;
  readonly playable: boolean;
  /** Whether everything about it is known; false while its score is unknown. */
  readonly known: boolean;
  /** Its score, for the side that moves. */
  readonly score: number | null;
  readonly outcome: Outcome | null;
  /** Stones until the game ends, this one counted. */
  readonly pliesToEnd: number | null;
  readonly source: Source | null;
}

/**
 * The known scores of a position and all its moves; an unknown one is null. Copies, by `postMessage`,
 * `structuredClone` or `{ ...analysis }`, have all fields.
 */
export class Analysis {
  private constructor();
  /** The position as it was asked for, or moves that lead there. */
  readonly position: string;
  readonly size: string;
  readonly key: bigint;
  readonly ply: number;
  readonly toMove: Player | null;
  readonly over: boolean;
  readonly winningLine: Cell[] | null;
  /** Score of the position, for the side to move. */
  readonly score: number | null;
  readonly outcome: Outcome | null;
  /** Stones of both sides until the game ends. */
  readonly pliesToEnd: number | null;
  /** The bounds of the score while it is unknown. */
  readonly bounds: { readonly min: number; readonly max: number } | null;
  /** The columns that are known to reach the score, those nearest to the centre first. */
  readonly bestMoves: number[];
  /** All columns: the best first, then unknown ones, then columns that cannot be played. */
  readonly moves: Move[];
  /** The score of each column, for the side to move. */
  readonly scores: (number | null)[];
  readonly source: Source | null;
  /** Whether the scores of the position and of all its moves are known. */
  readonly complete: boolean;
  /** Nodes visited; null if nothing was searched. */
  readonly nodes: number | null;
  readonly timeMs: number | null;
  /** The report as the server and `fourbook lookup --json` print it: with the names of columns. */
  toJSON(): unknown;
}

/** The score of a move that was played, beside the best one. */
export type Mark = "best" | "win-thrown-away" | "draw-thrown-away" | "slower-win" | "faster-loss";

/** A review of a game, move by move. */
export class GameReview {
  private constructor();
  readonly game: string;
  readonly size: string;
  /** All positions, in their order. */
  readonly positions: readonly {
    readonly ply: number;
    readonly score: number;
    readonly outcome: Outcome;
    readonly pliesToEnd: number;
  }[];
  readonly moves: readonly {
    /** From 1. */
    readonly number: number;
    readonly player: Player;
    /** From 0. */
    readonly column: number;
    /** The score after it, and the best one there was, for the player who moved. */
    readonly score: number;
    readonly best: number;
    readonly mark: Mark;
  }[];
  readonly winner: Player | null;
  readonly over: boolean;
  /** The columns, from 0, of perfect play from the last position on. */
  readonly line: readonly number[];
  /** The report as the server prints it: with the names of columns. */
  toJSON(): unknown;
}

export interface LoadOptions {
  signal?: Signal;
  /** Called with the bytes loaded so far, and their total if it is known. */
  onProgress?: (bytes: number, total: number | null) => void;
  /** Whether browsers keep the book for times without a network; true by default. */
  cache?: boolean;
}

/** A book: the values of all positions to some ply, ready to look up. */
export class Book {
  constructor(bytes: BookBytes);
  static fromBytes(bytes: BookBytes): Book;
  /** Loads a book from a place; by default the built-in book, 7x6 to ply 12. */
  static load(place?: Address | null, options?: LoadOptions): Promise<Book>;
  readonly size: string;
  /** The most stones of a position that it answers for. */
  readonly depth: number;
  /** The kind of its values; `outcomes` are win, draw or loss. */
  readonly kind: "scores" | "outcomes";
  readonly encoding: "flat" | "compact";
  /** A number to tell books apart, in hexadecimal. */
  readonly identity: string;
  /** The score of a position or, in a book of outcomes, 1, 0 or -1; null if it is not there. */
  lookUp(position: PositionLike): number | null;
  /** The header, as `fourbook info --json` prints it. */
  info(): {
    formatVersion: number;
    bytes: number;
    identity: string;
    width: number;
    height: number;
    depth: number;
    values: string;
    provenance: Record<string, unknown>;
    sections: (Record<string, unknown> & { ply: number })[];
  };
  /** Reads every byte, and returns the damaged plies. */
  verify(): { passed: boolean; failures: { ply: number; text: string }[] };
  /**
   * The positions of a ply with their values. A game can reach these positions, and the rules do
   * not score them; a position and its mirror image count once.
   */
  positions(ply: number): Generator<[Position, number], void, undefined>;
  toBytes(): Uint8Array;
  toString(): string;
  /** Frees its memory; oracles that use it go on. */
  close(): void;
  [Symbol.dispose](): void;
}

/** Limits of a search; none by default. */
export interface Limits {
  /** The most nodes to visit; then there is a `NodeBudgetError`. */
  maxNodes?: number;
  /** Milliseconds; then there is a `DeadlineError`, a few milliseconds later. */
  timeout?: number;
}

export interface AnalyseOptions extends Limits {
  /**
   * Called with the known scores whenever there are more: first with the scores of the book, at
   * the end with all. An error that it throws ends the call.
   */
  onPart?: (analysis: Analysis) => void;
}

/** Why a line of moves ends as it does. */
export class Explanation {
  private constructor();
  /** The winner; null after a draw. */
  readonly winner: Player | null;
  /** Stones on the board at the end. */
  readonly stones: number;
  /** The columns of the line, from 0. */
  readonly line: readonly number[];
  /** The winner's lines of four or more at the end. */
  readonly fours: readonly {
    readonly direction: "column" | "row" | "diagonal";
    readonly from: Cell;
    readonly to: Cell;
  }[];
  /** The last cell filled, which completes four; null after a draw or without moves. */
  readonly last: Cell | null;
  /** Whether the last cell is on an odd or an even row, the lowest being odd. */
  readonly row: "odd" | "even" | null;
  /** Stones on the board when the last cell had become a threat of the winner. */
  readonly threatSince: number | null;
  /** Why the loser could not prevent it. */
  readonly reason: "at-once" | "double-threat" | "stacked-threats" | "zugzwang" | "oversight" | null;
  /** The winner's threats that the reason is about. */
  readonly threats: readonly Cell[];
  /** The columns, from 0, with which the loser would not have lost at once, after an oversight. */
  readonly defences: readonly number[];
  /** All of this in a few sentences, with columns and rows from 1. */
  readonly text: string;
  /** The report as the server prints it: with the names of columns and rows. */
  toJSON(): unknown;
}

/** A move that a player of a level chooses. */
export interface ChosenMove {
  /** The column, from 0. */
  column: number;
  /** Whether the level plays it for certain; false if a limit ended the search before. */
  proved: boolean;
  /** Where it is not proved, the bounds of the position's score that are. */
  bounds: { min: number; max: number } | null;
}

export interface ChooseMoveOptions extends Limits {
  /** The level that plays; perfect by default. */
  level?: LevelLike;
  /** From 0 to 2^64 - 1. The same seed in the same position gives the same move. */
  seed?: number | bigint;
}

export interface OracleOptions {
  /** A book or its bytes; null or undefined for no book. */
  book?: Book | BookBytes | null;
  /** The board; by default that of the book, or 7x6. */
  size?: string;
  /** The most bytes for the solver's table, which are used as it fills: 64 MiB. */
  memory?: number;
  /**
   * The bytes of strategies, at most one for each player, or null for those that come with fourbook,
   * which is the default if there is a book. The level `perfect` of `chooseMove` follows one of outcomes
   * from the first move on. One of exact scores serves it and `bestMove` where the book has no answer,
   * and has scores, if it was made with them.
   */
  strategies?: Iterable<BookBytes> | null;
}

/**
 * Finds scores by search alone, and blocks the calling thread meanwhile. It keeps its results for
 * later searches.
 */
export class Solver {
  constructor(options?: { size?: string; memory?: number });
  readonly size: string;
  /** Nodes that its searches have visited so far. */
  readonly nodes: number;
  /** The score of a position, for the side to move. */
  score(position: PositionLike, options?: Limits): number;
  /** The outcome for the side to move; a search for it is cheaper than one for the score. */
  outcome(position: PositionLike, options?: Limits): Outcome;
  /** The scores of a position and its moves that need no search. */
  known(position: PositionLike): Analysis;
  /** The scores of a position and of all its moves. */
  analyse(position: PositionLike, options?: AnalyseOptions): Analysis;
  /** A best move, a column from 0. */
  bestMove(position: PositionLike, options?: Limits): number;
  /** The move that a player of a level chooses. Without limits, it takes at most 3 seconds. */
  chooseMove(position: PositionLike, options?: ChooseMoveOptions): ChosenMove;
  /** The scores of many positions, in their order. A limit holds for all; `LimitError.results` has those found before. */
  scores(positions: Iterable<PositionLike>, options?: Limits): Int8Array;
  /** The scores of many positions, and those of all columns of each; see `UNPLAYABLE`. */
  analyseMany(positions: Iterable<PositionLike>, options?: Limits): { scores: Int8Array; moves: Int8Array[] };
  /** The moves of perfect play to the end of the game, columns from 0. */
  line(position: PositionLike, options?: Limits): number[];
  /** Why perfect play ends as it does. */
  explain(position: PositionLike, options?: Limits): Explanation;
  /**
   * Reviews each move of a game: moves as a text, columns from 1, or a link that may have a diagram before
   * them. A `Position` does not keep its moves, so it is a game without moves.
   */
  review(game: PositionLike, options?: Limits): GameReview;
  /** Frees its memory, and the book unless the caller made it. Later calls throw. */
  close(): void;
  [Symbol.dispose](): void;
}

/**
 * A solver that looks positions up in a book first, and searches for the others. `fourbook/worker`
 * has an oracle for pages.
 */
export class Oracle extends Solver {
  constructor(options?: OracleOptions);
  /**
   * Loads a book and makes an oracle with it. By default it is the built-in book for
   * the board, if there is one; pass another place, a book or bytes, or null for no book. Unless it is
   * null, the built-in strategies are used by default.
   */
  static load(
    options?: Omit<OracleOptions, "book"> & LoadOptions & { book?: Book | BookBytes | Address | null },
  ): Promise<Oracle>;
  readonly book: Book | null;
}

/** Any error of fourbook. */
export class FourbookError extends Error {}
/** A text, an array or a key that is no position, or a move that cannot be played. */
export class PositionError extends FourbookError {}
/** An invalid board size, or a position or book for another size. */
export class SizeError extends FourbookError {}
/** Bytes that are no book, a failed download, or a book without an answer. */
export class BookError extends FourbookError {}
/** There is no memory for the solver's table. */
export class OutOfMemoryError extends FourbookError {}
/** A search reached a limit before it had an answer. */
export class LimitError extends FourbookError {
  /** The lowest and the highest possible score; null if nothing was proved, and for many positions. */
  readonly bounds: { min: number; max: number } | null;
  /** Nodes that the search visited, or those of all positions. */
  readonly nodes: number;
  /** After `scores` and `analyseMany`: their result, with `UNKNOWN` for what was not found. */
  readonly results: Int8Array | { scores: Int8Array; moves: Int8Array[] } | null;
  /** How many of several positions were solved. */
  readonly solved: number | null;
}
/** A search used up `maxNodes`. */
export class NodeBudgetError extends LimitError {}
/** A search used up `timeout`. */
export class DeadlineError extends LimitError {}
