// Positions.

import { RawPosition } from "./raw.js";
import { PositionError } from "./errors.js";
import { check } from "./module.js";

let rawOf;
let isPosition;

export class Position {
  #raw;

  constructor(text = "", { size = "7x6" } = {}) {
    check();
    if (text instanceof RawPosition) {
      this.#raw = text;
    } else {
      this.#raw = RawPosition.parse(checkedSize(size), checkedText(text, "a position"));
    }
  }

  static fromMoves(moves, { size = "7x6" } = {}) {
    const empty = new Position("", { size });
    if (typeof moves === "string") return empty.play(moves);
    let position = empty;
    for (const column of moves) position = position.play(column);
    return position;
  }

  static fromDiagram(text, { size = "7x6" } = {}) {
    check();
    return new Position(RawPosition.read(checkedSize(size), "diagram", checkedText(text, "a diagram")));
  }

  static fromArray(rows) {
    const lines = Array.from(rows, (row) => Array.from(row, letter).join(""));
    return Position.fromDiagram(lines.join("/"), { size: `${lines[0]?.length ?? 0}x${lines.length}` });
  }

  static fromKey(key, { size = "7x6" } = {}) {
    check();
    return new Position(RawPosition.read(checkedSize(size), "key", `key:${String(key)}`));
  }

  get size() {
    return this.#raw.size();
  }

  get width() {
    return this.#raw.width();
  }

  get height() {
    return this.#raw.height();
  }

  get ply() {
    return this.#raw.ply();
  }

  get toMove() {
    return this.#raw.to_move() ?? null;
  }

  get over() {
    return this.#raw.over();
  }

  get winner() {
    return this.#raw.winner() ?? null;
  }

  get winningLine() {
    const cells = this.#raw.winning_line();
    return cells === undefined ? null : places(cells);
  }

  get key() {
    return BigInt(this.#raw.key());
  }

  get canonicalKey() {
    return BigInt(this.#raw.canonical_key());
  }

  get moves() {
    return this.#raw.moves() ?? null;
  }

  get diagram() {
    return this.#raw.text("diagram");
  }

  toText(notation) {
    return this.#raw.text(checkedText(notation, "a notation"));
  }

  toArray() {
    const [cells, width] = [this.#raw.cells(), this.width];
    return Array.from({ length: this.height }, (_, row) => [...cells.subarray(row * width, (row + 1) * width)]);
  }

  legalMoves() {
    return [...this.#raw.legal_moves()];
  }

  canPlay(column) {
    return this.#raw.legal_moves().includes(column);
  }

  play(moves) {
    if (typeof moves === "number") return new Position(this.#raw.play_column(moves));
    if (typeof moves === "string") return new Position(this.#raw.play_moves(moves));
    throw new TypeError(
      `expected a column from 0, or moves as a text of columns from 1, found ${kindOf(moves)}`,
    );
  }

  threats(player) {
    return places(this.#raw.threats(checkedText(player, "a player")));
  }

  mirrored() {
    return new Position(this.#raw.mirrored());
  }

  canonical() {
    return new Position(this.#raw.canonical());
  }

  equals(other) {
    return isPosition(other) && this.#raw.equals(other.#raw);
  }

  /** The board, as fourbook draws it. */
  toString() {
    const rows = this.toArray().map((row) => row.map((cell) => ".XO"[cell]).join(" "));
    const names = Array.from({ length: this.width }, (_, column) => (column + 1).toString(36));
    return [...rows, names.join(" ")].join("\n");
  }

  static {
    rawOf = (position) => position.#raw;
    isPosition = (value) => typeof value === "object" && value !== null && #raw in value;
  }
}

/** What is behind the position that callers name, one of boards of a size: itself or a text. */
export function asked(position, size) {
  if (typeof position === "string") return RawPosition.parse(size, position);
  if (isPosition(position)) return rawOf(position);
  throw new TypeError(`expected a Position, or a position as a text, found ${kindOf(position)}`);
}

/** How a position is told of: as it was asked for, or else by moves or a diagram. */
export function labelOf(position, raw) {
  return typeof position === "string" ? position : (raw.moves() ?? raw.text("diagram"));
}

/** What a worker is told of a position. */
export function toMessage(position) {
  if (isPosition(position)) return { key: position.toText("key"), size: position.size };
  if (typeof position === "string") return position;
  throw new TypeError(`expected a Position, or a position as a text, found ${kindOf(position)}`);
}

/** The position that a worker was told of. */
export function ofMessage(message) {
  return typeof message === "string" ? message : new Position(message.key, { size: message.size });
}

/** A value in an error. */
export function kindOf(value) {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? (value.constructor?.name ?? "an object") : `the ${typeof value} ${String(value)}`;
}

/** A size of a board, as a text. */
export function checkedSize(size) {
  return checkedText(size, "a board size");
}

export function checkedText(text, what) {
  if (typeof text === "string") return text;
  throw new TypeError(`expected ${what} as a text, found ${kindOf(text)}`);
}

function letter(cell) {
  if (cell === 0) return ".";
  if (cell === 1) return "X";
  if (cell === 2 || cell === -1) return "O";
  throw new PositionError(`expected 0 for an empty cell, 1 for X, 2 or -1 for O, found ${String(cell)}`);
}

/** Cells, from their columns and rows one after the other. */
function places(numbers) {
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({ column: numbers[2 * i], row: numbers[2 * i + 1] }));
}
