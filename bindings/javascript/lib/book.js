// Books.

import { RawBook } from "./raw.js";
import { BookError } from "./errors.js";
import { OTHER_SIZE, UNPLAYABLE } from "./analysis.js";
import { bytesOfBook, check, init } from "./module.js";
import { Position, asked, kindOf } from "./position.js";

let rawOf;

export class Book {
  #raw;

  constructor(bytes) {
    check();
    this.#raw = RawBook.from_bytes(toBytes(bytes));
  }

  static fromBytes(bytes) {
    return new Book(bytes);
  }

  static async load(place, options) {
    const [bytes] = await Promise.all([bytesOfBook(place, options), init()]);
    return new Book(bytes);
  }

  get size() {
    return this.#raw.size();
  }

  get depth() {
    return this.#raw.depth();
  }

  get kind() {
    return this.#raw.kind();
  }

  get encoding() {
    return this.#raw.encoding();
  }

  get identity() {
    return this.#raw.identity();
  }

  lookUp(position) {
    const raw = typeof position === "string" ? asked(position, this.size) : asked(position);
    const value = this.#raw.look_up(raw);
    if (value === OTHER_SIZE) this.#raw.check(raw);
    return value === UNPLAYABLE ? null : value;
  }

  info() {
    return JSON.parse(this.#raw.info());
  }

  verify() {
    return JSON.parse(this.#raw.verify());
  }

  *positions(ply) {
    if (!Number.isInteger(ply) || ply < 0 || ply > this.depth) {
      throw new RangeError(`expected a ply from 0 to ${this.depth}, the book's depth, found ${ply}`);
    }
    const positions = this.#raw.positions(ply);
    try {
      for (let next = positions.next(); next !== undefined; next = positions.next()) {
        const position = new Position(next);
        const value = this.lookUp(position);
        if (value === null) {
          throw new BookError(`the book has no value for ${position.diagram}: it is damaged`);
        }
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

  static {
    rawOf = (book) => book.#raw;
  }
}

/** What is behind a book or its bytes. */
export function bookOf(book) {
  return rawOf(book instanceof Book ? book : new Book(book));
}

function toBytes(bytes) {
  if (bytes instanceof Uint8Array) return bytes;
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  throw new TypeError(`expected a Book or its bytes as a Uint8Array or ArrayBuffer, found ${kindOf(bytes)}`);
}
