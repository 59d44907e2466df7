// Answers to questions. Each is a generator that pauses between the steps of a query, so that
// callers can run it in one go, or with other work in between. It yields the known scores when
// there are more than before.

import { RawOracle, usual_milliseconds } from "./raw.js";
import { FourbookError, LimitError, PositionError, makeError } from "./errors.js";
import { Analysis, Explanation, GameReview, UNKNOWN, UNPLAYABLE, scoreOf } from "./analysis.js";
import { rawBook, toBytes } from "./book.js";
import { Level, seedOf } from "./level.js";
import { iterable, numberOf, optionsOf } from "./arguments.js";
import { allOf, asked, boardNumber, labelOf, positionOf, sizeText } from "./position.js";

/** The default for the most bytes of the solver's table. Memory is used as the table fills. */
const DEFAULT_MEMORY = 64 << 20;
const MOST_MEMORY = 2 ** 31;
/**
 * Milliseconds of the first part of a search, so that a new question is answered soon, and of later
 * parts, as each part starts from the root again.
 */
const [FIRST_TIME, LONGEST_TIME] = [10, 100];
/** The assumed nodes a millisecond before the first measurement: fewer than on any board. */
const FIRST_SPEED = 50;
/** Nodes that measure the speed. */
const COUNTED = 500;
const LIMITS = ["maxNodes", "timeout", "signal"];
/** All questions, each with its options beside these: methods of `Questions`, and of every oracle. */
const QUESTIONS = {
  score: [], outcome: [], known: [], analyse: ["onPart"], bestMove: [], chooseMove: ["level", "seed"], scores: [],
  analyseMany: [], line: [], explain: [], review: [],
};
const OUTCOMES = new Map([[1, "win"], [0, "draw"], [-1, "loss"]]);

export class Questions {
  #open;
  #board;
  /** Nodes a millisecond, as last measured. */
  #speed = FIRST_SPEED;

  /** `strategies` are their bytes, or null for those of the package. */
  constructor(book, size, memory, strategies) {
    const most = numberOf(memory, "memory in bytes", MOST_MEMORY, DEFAULT_MEMORY);
    if (book === null) {
      this.#open = RawOracle.without_book(boardNumber(size), most);
    } else {
      const raw = rawBook(book);
      if (size !== undefined && size !== null) raw.check_board(boardNumber(size));
      this.#open = RawOracle.with_book(raw, most);
    }
    if (strategies === null) this.#open.add_strategies();
    for (const bytes of iterable(strategies ?? [], "strategies as an array of their bytes")) {
      this.#open.add_strategies(toBytes(bytes, "the bytes of a strategy"));
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

  *score(position, budget) {
    const known = this.knownScore(position);
    return known === UNPLAYABLE ? yield* this.#ask("score", position, budget, (query) => query.score()) : known;
  }

  *outcome(position, budget) {
    return yield* this.#ask("outcome", position, budget, (query) => OUTCOMES.get(query.outcome()));
  }

  /** The analysis without a search; undefined if it lacks something and `isWhole`. */
  knownAnalysis(position, isWhole) {
    const { query, text } = this.#begin(position);
    const known = isWhole && !query.is_done() ? undefined : new Analysis(query.report(text, 0), query.scores());
    query.free();
    return known;
  }

  *known(position) {
    return this.knownAnalysis(position, false);
  }

  *analyse(position, budget, { onPart }) {
    const started = performance.now();
    const { query, text } = this.#begin(position);
    let unknown = Infinity;
    let last;
    const part = (query) => {
      const scores = query.scores();
      if (scores[0] === unknown) return undefined;
      unknown = scores[0];
      return (last = new Analysis(query.report(text, performance.now() - started), scores));
    };
    // The last part has all scores.
    return yield* this.#run(query, budget, (query) => part(query) ?? last, onPart ? part : undefined);
  }

  *bestMove(position, budget) {
    return column((yield* this.#ask("best-move", position, budget, (query) => query.line()))[0]);
  }

  *chooseMove(position, budget, { level, seed }) {
    const query = this.#raw.query_move(asked(position, this.#board), new Level(level ?? "perfect").number, seedOf(seed));
    const choice = () => {
      const [chosen, proved, min, max] = query.choice();
      const bounds = proved ? null : { min, max };
      return { column: column(chosen === UNPLAYABLE ? undefined : chosen), proved: bounds === null, bounds };
    };
    let found;
    try {
      return yield* this.#run(query, budget, choice, () => void (found = choice()));
    } catch (error) {
      if (!(error instanceof LimitError)) throw error;
      return found;
    }
  }

  *scores(positions, budget) {
    const found = (scores) => Int8Array.from(scores, (score) => score ?? UNKNOWN);
    return yield* this.#each(positions, budget, this.score, found);
  }

  *analyseMany(positions, budget) {
    const unknown = new Int8Array(Number.parseInt(this.size, 10)).fill(UNKNOWN);
    const found = (all) => ({
      scores: Int8Array.from(all, (scores) => scores?.[1] ?? UNKNOWN),
      moves: Array.from(all, (scores) => (scores ? scores.subarray(2) : unknown.slice())),
    });
    return yield* this.#each(positions, budget, this.#complete, found);
  }

  *line(position, budget) {
    return yield* this.#ask("line", position, budget, (query) => [...query.line()]);
  }

  *explain(position, budget) {
    const line = yield* this.line(position, budget);
    return new Explanation(asked(position, this.#board).explain(line));
  }

  *review(game, budget) {
    // A position does not know its moves.
    const text = typeof game === "string" ? game : asked(game, this.#board).text("diagram");
    return yield* this.#run(this.#raw.query_review(text), budget, (query) => new GameReview(query.review()));
  }

  /**
   * Asks about many positions, with pauses even where none needs a search. `resultOf` makes the result
   * from the answers; after a limit, the others are undefined.
   */
  *#each(positions, budget, ask, resultOf) {
    const all = allOf(positions, (each) => positionOf(each, this.#board));
    const answers = Array.from(all, () => undefined);
    let paused = performance.now();
    for (const [index, position] of all.entries()) {
      try {
        answers[index] = yield* ask.call(this, position, budget);
      } catch (error) {
        if (!(error instanceof LimitError)) throw error;
        const text = `positions[${index}]: ${error.message}; solved ${index} of ${all.length} positions`;
        throw makeError(error.name, text, { bounds: null, nodes: budget.spent, results: resultOf(answers), solved: index });
      }
      if (performance.now() - paused < LONGEST_TIME) continue;
      yield;
      paused = performance.now();
    }
    return resultOf(answers);
  }

  /** Begins to analyse a position, and names it for the report. */
  #begin(position) {
    const raw = asked(position, this.#board);
    return { query: this.#raw.query(raw, "moves"), text: labelOf(position, raw) };
  }

  /** How many scores of a position and its moves are unknown, the score of the position, and of its moves. */
  *#complete(position, budget) {
    const known = this.#raw.known(asked(position, this.#board));
    return known[0] === 0 ? known : yield* this.#ask("moves", position, budget, (query) => query.scores());
  }

  *#ask(question, position, budget, result, part) {
    return yield* this.#run(this.#raw.query(asked(position, this.#board), question), budget, result, part);
  }

  #step(query, nodes) {
    // Throws if the oracle has been closed meanwhile.
    this.#raw;
    try {
      return query.step(nodes);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const text = `the search of a ${this.size} board goes deeper than the stack of this thread, which cannot be used any more`;
      throw new FourbookError(text, { cause: error });
    }
  }

  /**
   * Takes steps until the answer is complete or the budget is spent, and frees the query. Yields what
   * `part` makes of the query before and after each step.
   */
  *#run(query, budget, result, part) {
    let isWhole = true;
    let spent = 0;
    try {
      const first = part?.(query);
      if (first !== undefined) yield first;
      while (!query.is_done()) {
        const now = performance.now();
        if (budget.nodes <= 0) throw query.stopped(true);
        if (now >= budget.deadline) throw query.stopped(false);
        // Half of the time left, as the speed is not the same in all parts.
        const wanted = budget.pauses ? Math.min(LONGEST_TIME, Math.max(FIRST_TIME, spent)) : Infinity;
        const time = Math.min(wanted, Math.max(1, (budget.deadline - now) / 2));
        const before = query.nodes();
        isWhole = false;
        // Enough to measure the speed again, as the last part may have been held up.
        const most = Math.max(COUNTED, Math.ceil(time * this.#speed));
        const done = this.#step(query, Math.min(budget.nodes, most));
        isWhole = true;
        const nodes = query.nodes() - before;
        budget.nodes -= nodes;
        budget.spent += nodes;
        const took = performance.now() - now;
        spent += took;
        if (nodes >= COUNTED && took > 0) this.#speed = nodes / took;
        const more = part?.(query);
        if (!done || more !== undefined) yield more;
      }
      return result(query);
    } finally {
      // An error within WebAssembly leaves the query locked: freeing it would throw another one.
      if (isWhole) query.free();
    }
  }
}

/** The checked options of a question; undefined stands for none. */
export function checkOptions(method, options) {
  return optionsOf(options, ...(QUESTIONS[method] ?? []), ...LIMITS);
}

/**
 * The limits on all searches for one answer together. `pauses`: whether others wait for the thread
 * between the parts of a search.
 */
export function budgetOf(method, { maxNodes, timeout }, pauses) {
  const nodes = Math.floor(numberOf(maxNodes, "maxNodes", Infinity, Infinity));
  const usual = method === "chooseMove" && nodes === Infinity ? usual_milliseconds() : Infinity;
  const deadline = performance.now() + numberOf(timeout, "timeout in milliseconds", Infinity, usual);
  return { nodes, deadline, spent: 0, pauses: pauses || deadline < Infinity };
}

/** Gives a class the methods that it lacks: `ask(oracle, method, question, options)` answers. */
export function addQuestions({ prototype }, ask) {
  for (const method of Object.keys(QUESTIONS).filter((name) => !(name in prototype))) {
    const value = function (question, options) {
      return ask(this, method, question, options);
    };
    Object.defineProperty(prototype, method, { value, configurable: true, writable: true });
  }
}

function column(chosen) {
  if (chosen !== undefined) return chosen;
  throw new PositionError("expected a position in which the game goes on, found one that is over");
}
