// How questions are answered: each is a generator that pauses between parts of a search, so
// that it can be waited for in one go, or with other work in between. It yields what is known
// by then if that is more than before.

import { RawOracle, choose_best, report, stopped_by } from "./raw.js";
import { FourbookError, PositionError } from "./errors.js";
import { Analysis, GameReview, OTHER_SIZE, UNPLAYABLE, scoreOf } from "./analysis.js";
import { bookOf } from "./book.js";
import { rule, seedOf } from "./level.js";
import { asked, checkedSize, checkedText, kindOf, labelOf } from "./position.js";

/** The most bytes of the solver's table, if nobody has said. It is used as it fills. */
const DEFAULT_MEMORY = 64 << 20;
const MOST_MEMORY = 2 ** 31;
const OUTCOMES = new Map([[1, "win"], [0, "draw"], [-1, "loss"]]);

export class Questions {
  #open;

  constructor(book, size, memory = DEFAULT_MEMORY) {
    if (typeof memory !== "number" || !(memory >= 0 && memory <= MOST_MEMORY)) {
      throw new RangeError(`expected memory from 0 to ${MOST_MEMORY} bytes, found ${String(memory)}`);
    }
    if (book === null || book === undefined) {
      this.#open = RawOracle.without_book(checkedSize(size ?? "7x6"), memory);
    } else {
      const raw = bookOf(book);
      if (size !== undefined) raw.check_size(checkedSize(size));
      this.#open = RawOracle.with_book(raw, memory);
    }
    this.size = this.#raw.size();
  }

  get nodes() {
    return this.#raw.nodes();
  }

  get #raw() {
    if (this.#open === undefined) throw new FourbookError("the oracle is closed; make another one");
    return this.#open;
  }

  free() {
    this.#open?.free();
    this.#open = undefined;
  }

  /** The score that is known without a search, or UNPLAYABLE. */
  knownScore(position) {
    // A position is looked up without more ado than that takes.
    if (typeof position === "string") return this.#ask(position, (raw) => this.#raw.known_score(raw));
    const raw = asked(position, this.size);
    const known = this.#raw.known_score(raw);
    if (known === OTHER_SIZE) this.#raw.check(raw);
    return known;
  }

  known(position) {
    return analysis(this.#known(position), position, this.size);
  }

  /** The analysis if all of it is known without a search, else undefined. */
  knownAnalysis(position) {
    const known = this.#known(position);
    return known[0] === 0 ? analysis(known, position, this.size) : undefined;
  }

  *score(position, budget) {
    const known = this.knownScore(position);
    if (known !== UNPLAYABLE) return known;
    return yield* this.#number(this.#ask(position, (raw) => this.#raw.search_score(raw)), budget);
  }

  *outcome(position, budget) {
    let number = this.#ask(position, (raw) => this.#raw.known_outcome(raw));
    if (number === OTHER_SIZE) number = UNPLAYABLE; // the search says so
    if (number === UNPLAYABLE) {
      number = yield* this.#number(this.#ask(position, (raw) => this.#raw.search_outcome(raw)), budget);
    }
    return OUTCOMES.get(number);
  }

  *analyse(position, budget) {
    const known = this.#known(position);
    if (known[0] === 0) return analysis(known, position, this.size);
    const started = performance.now();
    let unknown = known[0];
    yield analysis(known, position, this.size);
    const search = this.#ask(position, (raw) => this.#raw.search_analysis(raw));
    const now = (numbers = search.numbers()) =>
      analysis(numbers, position, this.size, search.nodes(), performance.now() - started);
    const part = () => {
      const numbers = search.numbers();
      const isMore = numbers[0] < unknown;
      unknown = numbers[0];
      return isMore ? now(numbers) : undefined;
    };
    return yield* this.#run(search, budget, now, part);
  }

  *bestMove(position, budget, { ties = "centre", seed } = {}) {
    const raw = asked(position, this.size);
    const { moves } = yield* this.#scoresOfMoves(raw, budget);
    return column(choose_best(raw, moves, checkedText(ties, "a rule for ties"), seedOf(seed)));
  }

  *play(position, budget, { level, seed } = {}) {
    const raw = asked(position, this.size);
    const player = rule(level);
    const scores = player.is_quick() ? player.scores(raw) : (yield* this.#scoresOfMoves(raw, budget)).moves;
    return column(player.choose(raw, scores, seedOf(seed)));
  }

  *scores(positions, budget) {
    const scores = [];
    for (const position of each(positions)) scores.push(yield* this.score(position, budget));
    return Int8Array.from(scores);
  }

  *analyseMany(positions, budget) {
    const scores = [];
    const moves = [];
    for (const position of each(positions)) {
      const raw = asked(position, this.size);
      const found = yield* this.#scoresOfMoves(raw, budget);
      if (typeof position === "string") raw.free();
      scores.push(found.score);
      moves.push(found.moves);
    }
    return { scores: Int8Array.from(scores), moves };
  }

  *principalVariation(position, budget) {
    const search = this.#ask(position, (raw) => this.#raw.search_line(raw));
    return yield* this.#run(search, budget, () => [...search.line()]);
  }

  *review(game, budget) {
    if (typeof game !== "string") {
      throw new TypeError(`expected the moves of a game as a text of columns from 1, found ${kindOf(game)}`);
    }
    const search = this.#raw.search_review(game);
    return yield* this.#run(search, budget, () => new GameReview(JSON.parse(search.review())));
  }

  /** What is known of a position without a search, as numbers. */
  #known(position) {
    // As in knownScore, without a closure.
    if (typeof position === "string") return this.#ask(position, (raw) => this.#raw.known(raw));
    return this.#raw.known(asked(position, this.size));
  }

  #ask(position, question) {
    const raw = asked(position, this.size);
    try {
      return question(raw);
    } finally {
      // Nobody else has it.
      if (typeof position === "string") raw.free();
    }
  }

  *#number(search, budget) {
    return yield* this.#run(search, budget, () => search.number());
  }

  /** The score of a position and those of all its moves. */
  *#scoresOfMoves(raw, budget) {
    let numbers = this.#raw.known(raw);
    if (numbers[0] !== 0) {
      const search = this.#raw.search_analysis(raw);
      numbers = yield* this.#run(search, budget, () => search.numbers());
    }
    return { score: numbers[1], moves: scoresOf(numbers) };
  }

  #step(search, nodes) {
    try {
      return search.step(this.#raw, nodes);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const text = `the search of a ${this.size} board goes deeper than the stack of this thread, which cannot be used any more`;
      throw new FourbookError(text, { cause: error });
    }
  }

  /** Searches to the end, or that of the budget. */
  *#run(search, budget, result, part) {
    let isWhole = true;
    try {
      for (;;) {
        if (budget.nodes <= 0) throw stopped_by(true);
        const before = search.nodes();
        isWhole = false;
        const done = this.#step(search, budget.nodes);
        isWhole = true;
        budget.nodes -= search.nodes() - before;
        if (done) return result();
        yield part?.();
      }
    } finally {
      // What was interrupted within WebAssembly cannot be freed, and would hide the reason.
      if (isWhole) search.free();
    }
  }
}

/** What limits all searches for an answer. */
export function budgetOf({ maxNodes = Infinity, timeout = Infinity } = {}) {
  if (typeof maxNodes !== "number" || !(maxNodes >= 0)) {
    throw new RangeError(`expected maxNodes of 0 or more, found ${String(maxNodes)}`);
  }
  if (typeof timeout !== "number" || !(timeout >= 0)) {
    throw new RangeError(`expected a timeout of 0 milliseconds or more, found ${String(timeout)}`);
  }
  // Who sets no limit does not pay for looking at the clock.
  const deadline = timeout === Infinity ? Infinity : performance.now() + timeout;
  return { nodes: Math.floor(maxNodes), deadline };
}

/** Throws if the time of a budget is over. */
export function checkTime(budget) {
  if (budget.deadline !== Infinity && performance.now() >= budget.deadline) throw stopped_by(false);
}

/** What is known by now; the report is made when it is wanted. */
function analysis(numbers, position, size, nodes = 0, milliseconds = 0) {
  const scores = [];
  for (let i = 2; i <= numbers.length >> 1; i++) scores.push(scoreOf(numbers[i]));
  return new Analysis(scoreOf(numbers[1]), scores, () => {
    const raw = asked(position, size);
    return JSON.parse(report(raw, labelOf(position, raw), numbers, nodes, milliseconds));
  });
}

/** The scores of all columns, of what is known as numbers. */
function scoresOf(numbers) {
  return numbers.subarray(2, 1 + (numbers.length >> 1));
}

function column(chosen) {
  if (chosen !== undefined) return chosen;
  throw new PositionError("expected a position in which the game goes on, found one that is over");
}

function each(positions) {
  if (typeof positions === "string" || typeof positions?.[Symbol.iterator] !== "function") {
    throw new TypeError(`expected several positions, such as an array of texts, found ${kindOf(positions)}`);
  }
  return positions;
}
