// Positions: numbers that JavaScript keeps. To ask about one, it is copied into one place in
// WebAssembly, so positions need no freeing.

import { RawPosition, parse_board, parse_game } from "./raw.js";
import { PositionError, SizeError, atIndex } from "./errors.js";
import { checkedText, iterable, kindOf, optionsOf } from "./arguments.js";
import { check } from "./module.js";

let place;
/** The position in the place; undefined if that is uncertain. */
let placed;
/** Puts a position in the place, and returns the place. */
let put;
let boardOf;
let isPosition;

export class Position {
  /** Columns and rows, a byte each. */
  #board;
  #low;
  #high;

  /** `place` instead of a text stands for the position there, of the board `options`. */
  constructor(text, options) {
    const inPlace = text !== undefined && text === place;
    // An absent text is the empty board; undefined or null is a mistake.
    const given = arguments.length === 0 ? "" : text;
    this.#board = inPlace ? options : parse(checkedText(given, "a position"), boardIn(options));
    this.#low = place.key_low();
    this.#high = place.key_high();
    // Copies of an object have these two, and name the position, too.
    this.size = sizeText(this.#board);
    this.key = this.#high === 0n ? this.#low : (this.#high << 64n) | this.#low;
    Object.freeze(this);
    placed = this;
  }

  static fromMoves(moves, options) {
    const empty = new Position("", options);
    if (typeof moves === "string") return empty.play(moves);
    let position = empty;
    for (const column of iterable(moves, "moves as a text, or columns from 0")) position = position.#after(column);
    return position;
  }

  static fromDiagram(text, options) {
    return read(checkedText(text, "a diagram"), "diagram", options);
  }

  static fromArray(rows) {
    const expected = "rows of numbers, the top one first";
    const lines = Array.from(iterable(rows, expected), (row) => Array.from(iterable(row, expected), letter).join(""));
    return Position.fromDiagram(lines.join("/"), { size: `${lines[0]?.length ?? 0}x${lines.length}` });
  }

  static fromKey(key, options) {
    // Larger numbers are not exact.
    if (typeof key !== "bigint" && typeof key !== "string" && !Number.isSafeInteger(key)) {
      throw new TypeError(`expected a key as a BigInt, a text or a whole number below 2^53, found ${kindOf(key)}`);
    }
    return read(`key:${key}`, "key", options);
  }

  get width() {
    return this.#board >> 8;
  }

  get height() {
    return this.#board & 0xff;
  }

  get ply() {
    return put(this).ply();
  }

  get toMove() {
    return this.over ? null : "XO"[this.ply % 2];
  }

  get over() {
    return put(this).over();
  }

  get winner() {
    return put(this).winning_cells() === 0n ? null : "OX"[this.ply % 2];
  }

  get winningLine() {
    const cells = put(this).winning_cells();
    return cells === 0n ? null : this.#cells(cells);
  }

  get canonicalKey() {
    return this.canonical().key;
  }

  get moves() {
    return put(this).moves() ?? null;
  }

  get diagram() {
    return this.toText("diagram");
  }

  toText(notation) {
    return put(this).text(checkedText(notation, "a notation"));
  }

  toArray() {
    return this.diagram.split("/").map((row) => Array.from(row, (cell) => ".XO".indexOf(cell)));
  }

  legalMoves() {
    const raw = put(this);
    const columns = [];
    for (let column = 0; column < this.width; column++) {
      if (raw.can_play(column)) columns.push(column);
    }
    return columns;
  }

  canPlay(column) {
    return this.#has(column) && put(this).can_play(column);
  }

  play(moves) {
    if (typeof moves === "string") return this.#changed((raw) => raw.play_moves(moves));
    return this.#after(moves, "a column from 0, or moves as a text of columns from 1");
  }

  threats(player) {
    if (checkedText(player, "a player") !== "X" && player !== "O") {
      throw new RangeError(`expected the player 'X' or 'O', found '${player}'`);
    }
    return this.#cells(put(this).threats(player === "O"));
  }

  mirrored() {
    return this.#changed((raw) => raw.mirror());
  }

  canonical() {
    return this.#changed((raw) => raw.make_canonical());
  }

  equals(other) {
    return isPosition(other) && this.#board === other.#board && this.#low === other.#low && this.#high === other.#high;
  }

  /** The board, as fourbook draws it. */
  toString() {
    const rows = this.diagram.split("/").map((row) => [...row].join(" "));
    const names = Array.from({ length: this.width }, (_, column) => (column + 1).toString(36));
    return [...rows, names.join(" ")].join("\n");
  }

  toJSON() {
    return { position: put(this).short_text(), size: this.size, key: String(this.key) };
  }

  [Symbol.for("nodejs.util.inspect.custom")]() {
    return `Position ${this.size}\n${this}`;
  }

  #after(column, expected) {
    if (!this.#has(column, expected)) throw new PositionError(`expected a column from 0 to ${this.width - 1}, found ${column}`);
    return this.#changed((raw) => raw.play_column(column));
  }

  #has(column, expected = "a column as a number from 0") {
    if (typeof column !== "number") throw new TypeError(`expected ${expected}, found ${kindOf(column)}`);
    return Number.isInteger(column) && column >= 0 && column < this.width;
  }

  #cells(bits) {
    const cells = [];
    for (let cell = 0; bits >> BigInt(cell) !== 0n; cell++) {
      if ((bits >> BigInt(cell)) & 1n) cells.push({ column: Math.floor(cell / (this.height + 1)), row: cell % (this.height + 1) });
    }
    return cells;
  }

  #changed(change) {
    change(put(this));
    placed = undefined;
    return new Position(place, this.#board);
  }

  static {
    boardOf = (position) => position.#board;
    isPosition = (value) => typeof value === "object" && value !== null && #low in value;
    put = (position) => {
      if (placed !== position) {
        place.set(position.#board, position.#low, position.#high);
        placed = position;
      }
      return place;
    };
  }
}

/** Puts the position of a text in the place, and returns its board. */
function parse(text, board, notation = "") {
  place ??= new RawPosition();
  placed = undefined;
  place.parse(board, text, notation);
  return board;
}

function read(text, notation, options) {
  const board = parse(text, boardIn(options), notation);
  return new Position(place, board);
}

export function parseGame(text, options) {
  return JSON.parse(parse_game(boardIn(options), checkedText(text, "a game")));
}

const boardIn = (options) => boardNumber(optionsOf(options, "size").size);

/** The number of a board: its columns and rows, a byte each. */
export function boardNumber(size) {
  check();
  return parse_board(checkedText(size ?? "7x6", "a board size"));
}

/** The size of the board with a number, such as `7x6`. */
export function sizeText(board) {
  return `${board >> 8}x${board & 0xff}`;
}

/** The place with a position of a board in it, until the next call. */
export function asked(position, board) {
  if (typeof position !== "string") return put(positionOf(position, board));
  parse(position, board);
  return place;
}

/** The position that a caller names, on a board. */
export function positionOf(position, board) {
  const known = typeof position === "string" ? new Position(asked(position, board), board) : ofFields(position);
  if (boardOf(known) === board) return known;
  throw new SizeError(`expected a position of ${sizeText(board)} boards, found one of ${known.size}`);
}

/** The name of a position in a report: the text of the question, or else moves or a diagram. */
export function labelOf(position, raw) {
  return typeof position === "string" ? position : raw.short_text();
}

/** A position in a message to a worker, which copies its fields. */
export function toMessage(position) {
  return typeof position === "string" ? position : ofFields(position);
}

/** The next of a book's positions, and the number that the book has for it. */
export function nextOf(positions, board) {
  place ??= new RawPosition();
  placed = undefined;
  const value = positions.next(place);
  return [new Position(place, board), value];
}

/** A position, or the position of a copy: `postMessage` and `{ ...position }` copy fields only. */
function ofFields(position) {
  if (isPosition(position)) return position;
  const { size, key } = position ?? {};
  if (typeof size === "string" && key !== undefined) return Position.fromKey(key, { size });
  throw new TypeError(`expected a Position, or a position as a text, found ${kindOf(position)}`);
}

/** Many positions, each converted; an error names the index. */
export function allOf(positions, convert) {
  return Array.from(iterable(positions, "several positions, such as an array of texts"), (position, index) => {
    try {
      return convert(position);
    } catch (error) {
      throw atIndex(index, error);
    }
  });
}

function letter(cell) {
  if (cell === 0) return ".";
  if (cell === 1) return "X";
  if (cell === 2 || cell === -1) return "O";
  throw new PositionError(`expected 0 for an empty cell, 1 for X, 2 or -1 for O, found ${String(cell)}`);
}
