// How questions are answered: each is a generator that pauses between parts of a search, so
// that it can be waited for in one go, or with other work in between. It yields what is known
// by then if that is more than before.

import { RawOracle, choose_best, stopped_by } from "./raw.js";
import { FourbookError, PositionError } from "./errors.js";
import { Analysis, GameReview, UNPLAYABLE } from "./analysis.js";
import { bookOf } from "./book.js";
import { rule, seedOf } from "./level.js";
import { asked, kindOf, labelOf } from "./position.js";

/** The most bytes of the solver's table, if nobody has said. It is used as it fills. */
const DEFAULT_MEMORY = 64 << 20;
const MOST_MEMORY = 2 ** 31;
const OUTCOMES = new Map([[1, "win"], [0, "draw"], [-1, "loss"]]);

export class Questions {
  #raw;

  constructor(book, size, memory = DEFAULT_MEMORY) {
    if (typeof memory !== "number" || !(memory >= 0 && memory <= MOST_MEMORY)) {
      throw new RangeError(`expected memory from 0 to ${MOST_MEMORY} bytes, found ${String(memory)}`);
    }
    if (book === null || book === undefined) {
      this.#raw = RawOracle.without_book(size ?? "7x6", memory);
    } else {
      const raw = bookOf(book);
      if (size !== undefined) raw.check_size(size);
      this.#raw = RawOracle.with_book(raw, memory);
    }
    this.size = this.#raw.size();
  }

  get nodes() {
    return this.#raw.nodes();
  }

  free() {
    this.#raw.free();
  }

  /** The score that is known without a search, or UNPLAYABLE. */
  knownScore(position) {
    return this.#ask(position, (raw) => this.#raw.known_score(raw));
  }

  known(position) {
    const raw = asked(position, this.size);
    return analysis(this.#raw.known(raw), position, raw, 0, 0);
  }

  *score(position, budget) {
    const known = this.knownScore(position);
    if (known !== UNPLAYABLE) return known;
    return yield* this.#number(this.#ask(position, (raw) => this.#raw.search_score(raw)), budget);
  }

  *outcome(position, budget) {
    let number = this.#ask(position, (raw) => this.#raw.known_outcome(raw));
    if (number === UNPLAYABLE) {
      number = yield* this.#number(this.#ask(position, (raw) => this.#raw.search_outcome(raw)), budget);
    }
    return OUTCOMES.get(number);
  }

  *analyse(position, budget) {
    const raw = asked(position, this.size);
    const known = this.#raw.known(raw);
    if (known.is_complete()) return analysis(known, position, raw, 0, 0);
    const started = performance.now();
    let unknown = known.unknown();
    const search = this.#raw.search_analysis(known);
    yield analysis(known, position, raw, 0, 0);
    const now = () => analysis(search.knowledge(), position, raw, search.nodes(), performance.now() - started);
    const part = () => {
      const knowledge = search.knowledge();
      const before = unknown;
      unknown = knowledge.unknown();
      knowledge.free();
      return unknown < before ? now() : undefined;
    };
    return yield* this.#run(search, budget, now, part);
  }

  *bestMove(position, budget, { ties = "centre", seed } = {}) {
    const raw = asked(position, this.size);
    const numbers = yield* this.#scoresOfMoves(raw, budget);
    return column(choose_best(raw, numbers.subarray(1), ties, seedOf(seed)));
  }

  *play(position, budget, { level, seed } = {}) {
    const raw = asked(position, this.size);
    const player = rule(level);
    const scores = player.is_quick() ? player.scores(raw) : (yield* this.#scoresOfMoves(raw, budget)).subarray(1);
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
      const numbers = yield* this.#scoresOfMoves(raw, budget);
      if (typeof position === "string") raw.free();
      scores.push(numbers[0]);
      moves.push(numbers.subarray(1));
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
    const known = this.#raw.known(raw);
    try {
      if (known.is_complete()) return known.scores();
      const search = this.#raw.search_analysis(known);
      return yield* this.#run(search, budget, () => {
        const knowledge = search.knowledge();
        const scores = knowledge.scores();
        knowledge.free();
        return scores;
      });
    } finally {
      known.free();
    }
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
  return { nodes: Math.floor(maxNodes), deadline: performance.now() + timeout };
}

/** Throws if the time of a budget is over. */
export function checkTime(budget) {
  if (performance.now() >= budget.deadline) throw stopped_by(false);
}

/** What is known by now; the position's label and the report are made when they are wanted. */
function analysis(knowledge, position, raw, nodes, milliseconds) {
  return new Analysis(knowledge.scores(), () => {
    const report = knowledge.report(labelOf(position, raw), nodes, milliseconds);
    knowledge.free();
    return JSON.parse(report);
  });
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
