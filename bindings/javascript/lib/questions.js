// Answers to questions. Each is a generator that pauses between the parts of a search, so that
// callers can run it in one go, or with other work in between. It yields the known scores when
// there are more than before.

import { RawOracle, choose_best, choose_move, report } from "./raw.js";
import { FourbookError, PositionError } from "./errors.js";
import { Analysis, GameReview, UNPLAYABLE, scoreOf } from "./analysis.js";
import { rawBook } from "./book.js";
import { Level, seedOf } from "./level.js";
import { allOf, asked, boardNumber, checkedText, kindOf, labelOf, positionOf, sizeText } from "./position.js";

/** The default for the most bytes of the solver's table. Memory is used as the table fills. */
const DEFAULT_MEMORY = 64 << 20;
const MOST_MEMORY = 2 ** 31;
/** Milliseconds of a part of a search, at least; longer searches have longer parts. */
const LEAST_TIME = 50;
/** A part takes at least an eighth of the time before it. */
const SHARE = 8;
/** The assumed nodes a millisecond before the first measurement: fewer than on any board. */
const FIRST_SPEED = 50;
/** Nodes that measure the speed. */
const COUNTED = 500;
const OUTCOMES = new Map([[1, "win"], [0, "draw"], [-1, "loss"]]);

export class Questions {
  #open;
  #board;
  /** Nodes a millisecond, as last measured. */
  #speed = FIRST_SPEED;

  constructor(book, size, memory) {
    const most = memory ?? DEFAULT_MEMORY;
    if (typeof most !== "number" || !(most >= 0 && most <= MOST_MEMORY)) {
      throw new RangeError(`expected memory from 0 to ${MOST_MEMORY} bytes, found ${String(memory)}`);
    }
    if (book === null) {
      this.#open = RawOracle.without_book(boardNumber(size), most);
    } else {
      const raw = rawBook(book);
      if (size !== undefined && size !== null) raw.check_board(boardNumber(size));
      this.#open = RawOracle.with_book(raw, most);
    }
    this.#board = this.#open.board();
    this.size = sizeText(this.#board);
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
    return this.#raw.known_score(asked(position, this.#board));
  }

  known(position) {
    return analysis(this.#known(position), position, this.#board);
  }

  /** The analysis if it is known without a search, else undefined. */
  knownAnalysis(position) {
    const known = this.#known(position);
    return known[0] === 0 ? analysis(known, position, this.#board) : undefined;
  }

  *score(position, budget) {
    const known = this.knownScore(position);
    if (known !== UNPLAYABLE) return known;
    return yield* this.#number(this.#raw.search_score(asked(position, this.#board)), budget);
  }

  *outcome(position, budget) {
    let number = this.#raw.known_outcome(asked(position, this.#board));
    if (number === UNPLAYABLE) {
      number = yield* this.#number(this.#raw.search_outcome(asked(position, this.#board)), budget);
    }
    return OUTCOMES.get(number);
  }

  *analyse(position, budget) {
    const known = this.#known(position);
    if (known[0] === 0) return analysis(known, position, this.#board);
    const started = performance.now();
    let unknown = known[0];
    yield analysis(known, position, this.#board);
    const search = this.#raw.search_analysis(asked(position, this.#board));
    const now = (numbers = search.numbers) =>
      analysis(numbers, position, this.#board, search.nodes, performance.now() - started);
    const part = () => {
      const numbers = search.numbers;
      const isMore = numbers[0] < unknown;
      unknown = numbers[0];
      return isMore ? now(numbers) : undefined;
    };
    return yield* this.#run(search, budget, now, part);
  }

  *bestMove(position, budget, { ties, seed }) {
    const [rule, chance] = [checkedText(ties ?? "centre", "a rule for ties"), seedOf(seed)];
    const { moves } = yield* this.#scoresOfMoves(position, budget);
    return column(choose_best(asked(position, this.#board), moves, rule, chance));
  }

  *chooseMove(position, budget, { level, seed }) {
    const [{ number }, chance] = [new Level(level ?? "perfect"), seedOf(seed)];
    const quick = this.#raw.choose_quickly(number, asked(position, this.#board), chance);
    if (quick !== undefined) return quick;
    const { moves } = yield* this.#scoresOfMoves(position, budget);
    return column(choose_move(number, asked(position, this.#board), moves, chance));
  }

  *scores(positions, budget) {
    const scores = [];
    for (const position of this.#all(positions)) scores.push(yield* this.score(position, budget));
    return Int8Array.from(scores);
  }

  *analyseMany(positions, budget) {
    const scores = [];
    const moves = [];
    for (const position of this.#all(positions)) {
      const found = yield* this.#scoresOfMoves(position, budget);
      scores.push(found.score);
      moves.push(found.moves);
    }
    return { scores: Int8Array.from(scores), moves };
  }

  *principalVariation(position, budget) {
    const search = this.#raw.search_line(asked(position, this.#board));
    return yield* this.#run(search, budget, () => [...search.numbers]);
  }

  *explain(position, budget) {
    const search = this.#raw.search_line(asked(position, this.#board));
    const explain = () => JSON.parse(asked(position, this.#board).explain(search.numbers));
    return yield* this.#run(search, budget, explain);
  }

  *review(game, budget) {
    if (typeof game !== "string") {
      throw new TypeError(`expected the moves of a game as a text of columns from 1, found ${kindOf(game)}`);
    }
    const search = this.#raw.search_review(game);
    return yield* this.#run(search, budget, () => new GameReview(JSON.parse(search.review)));
  }

  #all(positions) {
    return allOf(positions, (position) => positionOf(position, this.#board));
  }

  /** The scores of a position that need no search, as numbers. */
  #known(position) {
    return this.#raw.known(asked(position, this.#board));
  }

  *#number(search, budget) {
    return yield* this.#run(search, budget, () => search.numbers[0]);
  }

  /** The score of a position and those of all its moves. */
  *#scoresOfMoves(position, budget) {
    let numbers = this.#known(position);
    if (numbers[0] !== 0) {
      const search = this.#raw.search_analysis(asked(position, this.#board));
      numbers = yield* this.#run(search, budget, () => search.numbers);
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

  /** Searches until the score is known or the budget is spent. */
  *#run(search, budget, result, part) {
    let isWhole = true;
    let spent = 0;
    try {
      for (;;) {
        const now = performance.now();
        if (budget.nodes <= 0) throw search.stopped(true);
        if (now >= budget.deadline) throw search.stopped(false);
        // Half of the time left, as the speed is not the same in all parts.
        const time = Math.min(Math.max(LEAST_TIME, spent / SHARE), Math.max(1, (budget.deadline - now) / 2));
        const before = search.nodes;
        isWhole = false;
        const done = this.#step(search, Math.min(budget.nodes, Math.ceil(time * this.#speed)));
        isWhole = true;
        const nodes = search.nodes - before;
        budget.nodes -= nodes;
        const took = performance.now() - now;
        spent += took;
        if (nodes >= COUNTED && took > 0) this.#speed = nodes / took;
        if (done) return result();
        yield part?.();
      }
    } finally {
      // An error within WebAssembly leaves the search locked: freeing it would throw another one.
      if (isWhole) search.free();
    }
  }
}

/** The limits on all searches for one answer together. */
export function budgetOf(options) {
  const [maxNodes, timeout] = [options?.maxNodes ?? Infinity, options?.timeout ?? Infinity];
  if (typeof maxNodes !== "number" || !(maxNodes >= 0)) {
    throw new RangeError(`expected maxNodes of 0 or more, found ${String(maxNodes)}`);
  }
  if (typeof timeout !== "number" || !(timeout >= 0)) {
    throw new RangeError(`expected a timeout of 0 milliseconds or more, found ${String(timeout)}`);
  }
  const deadline = timeout === Infinity ? Infinity : performance.now() + timeout;
  return { nodes: Math.floor(maxNodes), deadline };
}

/** The scores known so far; the report is made on first use. */
function analysis(numbers, position, board, nodes = 0, milliseconds = 0) {
  const scores = [];
  for (let i = 2; i <= numbers.length >> 1; i++) scores.push(scoreOf(numbers[i]));
  return new Analysis(scoreOf(numbers[1]), scores, () => {
    const raw = asked(position, board);
    return JSON.parse(report(raw, labelOf(position, raw), numbers, nodes, milliseconds));
  });
}

/** The scores of all columns, from the known scores as numbers. */
function scoresOf(numbers) {
  return numbers.subarray(2, 1 + (numbers.length >> 1));
}

function column(chosen) {
  if (chosen !== undefined) return chosen;
  throw new PositionError("expected a position in which the game goes on, found one that is over");
}
