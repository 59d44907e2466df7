// Answers in the calling thread.

import { UNPLAYABLE } from "./analysis.js";
import { Book } from "./book.js";
import { check, init, isPlace, packageBook } from "./module.js";
import { optionsOf } from "./arguments.js";
import { Questions, addQuestions, budgetOf, checkOptions } from "./questions.js";

/** Runs a generator to its result; calls the caller's callback with its parts. */
function finish(questions, method, position, given) {
  const options = checkOptions(method, given);
  if (options.signal !== undefined && options.signal !== null) {
    throw new TypeError("expected no signal, which cannot stop a call in this thread; use timeout, or fourbook/worker");
  }
  const onPart = options.onPart ?? undefined;
  const steps = questions[method](position, budgetOf(method, options, onPart !== undefined), options);
  try {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (value !== undefined) onPart?.(value);
    }
  } finally {
    // The callback may have thrown.
    steps.return();
  }
}

/** Answers by search; `book`, which only `Oracle` passes, is looked up first. */
export class Solver {
  #questions;

  constructor(options, book = null, strategies = []) {
    check();
    const { size, memory } = optionsOf(options, "size", "memory");
    this.#questions = new Questions(book, size, memory, strategies);
  }

  get size() {
    return this.#questions.size;
  }

  get nodes() {
    return this.#questions.nodes;
  }

  score(position, options) {
    // Most scores are known; without options there is nothing else to check.
    const known = options === undefined ? this.#questions.knownScore(position) : UNPLAYABLE;
    return known === UNPLAYABLE ? finish(this.#questions, "score", position, options) : known;
  }

  analyse(position, options) {
    const known = options === undefined ? this.#questions.knownAnalysis(position, true) : undefined;
    return known ?? finish(this.#questions, "analyse", position, options);
  }

  static {
    addQuestions(this, (solver, method, question, options) => finish(solver.#questions, method, question, options));
  }

  close() {
    this.#questions.free();
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.close();
  }
}

export class Oracle extends Solver {
  #book;
  /** Whether the book was made here, and not by the caller. */
  #ownsBook;

  constructor(options) {
    check();
    const { book: named, strategies, ...others } = optionsOf(options, "book", "size", "memory", "strategies");
    const given = named ?? null;
    const book = given === null || given instanceof Book ? given : new Book(given);
    super(others, book, strategiesOf(given, strategies));
    this.#book = book;
    this.#ownsBook = book !== given;
  }

  static async load(options) {
    const named = optionsOf(options, ...LOADING);
    const { size, memory, book: given, strategies, signal } = named;
    signal?.throwIfAborted();
    const [book] = await Promise.all([findBook(named), init()]);
    const oracle = new Oracle({ size, memory, book, strategies: strategiesOf(given, strategies) });
    oracle.#ownsBook ||= book !== given;
    return oracle;
  }

  get book() {
    return this.#book;
  }

  close() {
    super.close();
    if (this.#ownsBook) this.#book?.close();
  }
}

/** The options of `Oracle.load`. */
export const LOADING = ["book", "size", "memory", "strategies", "signal", "onProgress", "cache"];

/** The strategies that the caller names; by default null for those of the package, or none without a book. */
export function strategiesOf(book, strategies) {
  return strategies === undefined && book === null ? [] : (strategies ?? null);
}

/** The book that the caller names, or its bytes; by default that of the package for the board. */
export async function findBook({ book, size, signal, onProgress, cache }) {
  const found = book === undefined ? await packageBook(size) : book;
  return isPlace(found) ? Book.load(found, { signal, onProgress, cache }) : found;
}
