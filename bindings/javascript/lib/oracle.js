// Answers in the calling thread.

import { UNPLAYABLE } from "./analysis.js";
import { Book } from "./book.js";
import { bytesOfBook, check, init } from "./module.js";
import { Questions, budgetOf, checkTime } from "./questions.js";

/** The result of a generator, which is told of what it yields. */
function finish(questions, method, position, options) {
  const budget = budgetOf(options);
  const steps = questions[method](position, budget, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (value !== undefined) options?.onPart?.(value);
    try {
      checkTime(budget);
    } catch (error) {
      steps.throw(error);
    }
  }
}

/** Answers by search; `book`, which only `Oracle` passes, is looked up first. */
export class Solver {
  #questions;

  constructor({ size, memory } = {}, book = null) {
    check();
    this.#questions = new Questions(book, size, memory);
  }

  get size() {
    return this.#questions.size;
  }

  get nodes() {
    return this.#questions.nodes;
  }

  score(position, options) {
    const known = this.#questions.knownScore(position);
    return known === UNPLAYABLE ? finish(this.#questions, "score", position, options) : known;
  }

  outcome(position, options) {
    return finish(this.#questions, "outcome", position, options);
  }

  known(position) {
    return this.#questions.known(position);
  }

  analyse(position, options) {
    // Most are known; without options there is nothing to check then.
    const known = options === undefined ? this.#questions.knownAnalysis(position) : undefined;
    return known ?? finish(this.#questions, "analyse", position, options);
  }

  bestMove(position, options) {
    return finish(this.#questions, "bestMove", position, options);
  }

  play(position, options) {
    return finish(this.#questions, "play", position, options);
  }

  scores(positions, options) {
    return finish(this.#questions, "scores", positions, options);
  }

  analyseMany(positions, options) {
    return finish(this.#questions, "analyseMany", positions, options);
  }

  principalVariation(position, options) {
    return finish(this.#questions, "principalVariation", position, options);
  }

  review(game, options) {
    return finish(this.#questions, "review", game, options);
  }

  close() {
    this.#questions.free();
  }
}

if (Symbol.dispose) Solver.prototype[Symbol.dispose] = Solver.prototype.close;

export class Oracle extends Solver {
  #book;

  constructor({ book = null, ...options } = {}) {
    check();
    const found = book === null || book instanceof Book ? book : new Book(book);
    super(options, found);
    this.#book = found;
  }

  static async load({ book, size, memory, signal, onProgress } = {}) {
    const options = { signal, onProgress };
    const [found] = await Promise.all([findBook(book, size, options), init()]);
    return new Oracle({ book: found, size, memory });
  }

  get book() {
    return this.#book;
  }
}

/** The book that callers name, or its bytes: without a name that of 7x6. */
async function findBook(book, size, options) {
  if (book === undefined) return size === undefined || size === "7x6" ? bytesOfBook(undefined, options) : null;
  if (typeof book === "string" || book instanceof URL) return bytesOfBook(book, options);
  return book;
}
