// Books.

import { RawBook } from "./raw.js";
import { FourbookError } from "./errors.js";
import { scoreOf } from "./analysis.js";
import { check, init, loadBook } from "./module.js";
import { kindOf, optionsOf } from "./arguments.js";
import { asked, nextOf, sizeText } from "./position.js";

let rawOf;

export class Book {
  #open;

  constructor(bytes) {
    check();
    this.#open = RawBook.from_bytes(toBytes(bytes));
    Object.assign(this, { size: sizeText(this.#open.board()) }, JSON.parse(this.#open.facts()));
  }

  static fromBytes(bytes) {
    return new Book(bytes);
  }

  static async load(place, options) {
    optionsOf(options, "signal", "onProgress", "cache").signal?.throwIfAborted();
    const ready = init();
    // The function that opens the book awaits this promise later, so an early failure is no
    // unhandled rejection.
    ready.catch(() => undefined);
    return loadBook(place, options, (bytes) => ready.then(() => new Book(bytes)));
  }

  get #raw() {
    if (this.#open === undefined) throw new FourbookError("the book is closed; load it again");
    return this.#open;
  }

  lookUp(position) {
    const raw = this.#raw;
    return scoreOf(raw.look_up(asked(position, raw.board())));
  }

  info() {
    const { format_version: formatVersion, ...header } = JSON.parse(this.#raw.info());
    return { formatVersion, ...header };
  }

  verify() {
    return JSON.parse(this.#raw.verify());
  }

  *positions(ply) {
    if (!Number.isInteger(ply) || ply < 0 || ply > this.depth) {
      throw new RangeError(`expected a ply from 0 to ${this.depth}, the book's depth, found ${ply}`);
    }
    const board = this.#raw.board();
    const positions = this.#raw.positions(ply);
    try {
      for (;;) {
        const [position, value] = nextOf(positions, board);
        if (scoreOf(value) === null) return;
        yield [position, value];
      }
    } finally {
      positions.free();
    }
  }

  toBytes() {
    return this.#raw.bytes();
  }

  toString() {
    return `<Book ${this.size}, depth ${this.depth}, ${this.kind}, ${this.encoding}>`;
  }

  close() {
    this.#open?.free();
    this.#open = undefined;
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.close();
  }

  static {
    rawOf = (book) => book.#raw;
  }
}

/** The private fields of a book. */
export const rawBook = (book) => rawOf(book);

export function toBytes(bytes, what = "a Book or its bytes") {
  if (bytes instanceof Uint8Array) return bytes;
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  throw new TypeError(`expected ${what} as a Uint8Array or ArrayBuffer, found ${kindOf(bytes)}`);
}
