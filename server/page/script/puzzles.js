/** Solving puzzles: the replies to moves, and the progress. */
import { hasParts, hasValues, isCount, isText, listOf, oneOf } from "./check.js";
import { downloaded } from "./download.js";
import { bring } from "./outage.js";
import { keepPuzzle, keptPuzzle, lastSlot, slotOf } from "./puzzle-keep.js";
import { creditOf, GRADES, NO_PROGRESS, puzzleNamed, today } from "./puzzle-score.js";
import { allows, atEnd, boardAt, lineFrom, nameOf, parseSize, questionAt, resultOf, withMove } from "./rules.js";
import { usualSize } from "./shelf.js";
import { changeSettings, load, onOtherTab, save } from "./store.js";
import { say } from "./texts.js";
import { noPuzzle } from "./views.js";
import { columnVerdict, movesToEnd } from "./words.js";

const PAUSE = 450;

/** The difficulty by weekday; Monday is easy. */
export const dailyDifficulty = (day) =>
  ["hard", "easy", "easy", "medium", "medium", "medium", "hard"][new Date(`${day}T00:00Z`).getUTCDay()];

const isPair = (value) => listOf(isCount)(value) && value.length === 2;
const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text);
const isProgress = hasParts({
  daily: hasParts({ last: (day) => day === null || isDay(day), row: isCount, solved: isCount }), days: hasValues(oneOf(...Object.keys(GRADES))),
  easy: isPair, medium: isPair, hard: isPair, number: isCount, counted: (id) => id === null || isText(id), rating: Number.isSafeInteger,
  openings: hasParts({ asked: isCount, right: isCount, again: (again) => hasValues(hasParts({ step: isCount, due: isCount }))(again) && Object.keys(again).every((moves) => lineFrom("7x6", null, moves)) }),
});
const loadProgress = () => load("puzzles", NO_PROGRESS, isProgress);

/** A kept puzzle from its first move. */
const againOf = ({ line, start, side, goal }) => ({ line: { ...line, moves: line.moves.slice(0, start), cursor: start }, start, side, goal });

const solvedText = ({ revealed, wrong }) => say(revealed ? "solve.solution" : wrong ? "solve.solved" : "solve.clean");

/** The message after a move that gives the win or the draw away. */
export const refusedText = (column, made) =>
  (made.outcome === "draw" ? say("solve.only-draws", { column: nameOf(column) }) : say("solve.again", { verdict: columnVerdict(column, made) }));

/** The message after a right move and its reply, of the solver or of the solution. */
function repliedText(line, reply, left, isShown) {
  return say(isShown ? "solve.shown" : "solve.right", { played: nameOf(line.moves[line.cursor - 1]), reply: nameOf(reply), count: left });
}

export function createPuzzles(store, engine, evaluator) {
  store.update({ progress: loadProgress() });
  let finding = null;
  let shown = store.state.puzzle;
  const change = (parts) => store.update(({ puzzle }) => ({ puzzle: { ...puzzle, ...parts } }));
  const now = () => store.state.puzzle;

  function progress(parts) {
    store.update(({ progress: before }) => ({ progress: { ...before, ...parts } }));
    save("puzzles", store.state.progress);
  }

  /** Shows the parts of a puzzle that `find` returns, and before that what is known about it. */
  async function present(about, find) {
    finding?.abort();
    const abort = new AbortController();
    finding = abort;
    const size = parseSize(usualSize(store.state.sizes));
    store.update({ puzzle: { ...noPuzzle(size), status: "finding", ...about } });
    try {
      const found = await find(size, abort.signal);
      if (!abort.signal.aborted) change({ ...found, status: "yours" });
    } catch (error) {
      if (!abort.signal.aborted) change({ status: "failed", message: error.message });
    }
  }

  const loaded = (signal) => downloaded(engine.ready, questionAt(now().line), (download) => change({ download }), signal);

  /** Shows a puzzle from its first move. */
  const open = (kind, name, difficulty) => present({ kind, name, difficulty }, async (size, signal) => {
    const find = async () => {
      await loaded(signal);
      const { findPuzzle } = await bring(() => import("./puzzle-source.js"));
      return findPuzzle(name, difficulty, size, engine, evaluator, signal);
    };
    const kept = keptPuzzle(slotOf(kind, name));
    const found = kept?.name === name ? againOf(kept) : await find();
    return found;
  });

  let trainer = null;
  /** Shows the next lesson of the opening trainer. */
  const train = () => present({ kind: "opening" }, async (_, signal) => {
    await loaded(signal);
    trainer ??= (await bring(() => import("./trainer.js"))).createTrainer(store, { evaluator, change, progress });
    return trainer.find(signal);
  });
  /** An action of puzzles, which is another one in the opening trainer. */
  const either = (inTraining, action) => (...asked) => (now().kind === "opening" ? inTraining : action)(...asked);

  /** Resumes a kept puzzle where it was left. */
  async function resume({ isSolved, ...kept }) {
    finding?.abort();
    const played = kept.line.moves.length - kept.start;
    const message = isSolved ? solvedText(kept) : played > 1 ? say("solve.resume", { count: kept.goal - (played >> 1) }) : "";
    store.update({ puzzle: { ...noPuzzle(kept.line.size), ...kept, status: isSolved ? "solved" : "yours", message } });
    if (isSolved) return;
    if (played % 2 === 1) await reply();
    else if (kept.revealed) await show();
  }

  /** Counts a puzzle once it is solved, or its solution shown. */
  function count(solved) {
    const before = store.state.progress.rating;
    const credit = creditOf(store.state.progress, now(), solved);
    progress(credit);
    if (credit.rating) change({ gained: credit.rating - before });
  }

  /** Continues after a move of the solver: with the end, or the best reply. */
  async function reply() {
    const { line, revealed } = now();
    if (resultOf(boardAt(line)) !== null) {
      if (!revealed) count(true);
      change({ status: "solved", message: solvedText(now()) });
      return;
    }
    change({ status: "theirs" });
    const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
    const report = await evaluator.reportOf(questionAt(line)).catch(() => null);
    await pause;
    // Looking back at an earlier move does not stop the reply; another line does.
    if (now().line.moves !== line.moves) return;
    if (!report) return change({ status: "failed", message: say("solve.no-reply") });
    const next = withMove(line, report.best[0]);
    const left = movesToEnd(report.plies - 1);
    change({ line: next, status: "yours", message: repliedText(line, report.best[0], left, revealed) });
    if (revealed) await show();
  }

  async function move(column) {
    const { line, status } = now();
    if (status !== "yours" || !atEnd(line) || !allows(line, column)) return;
    const report = await evaluator.reportOf(questionAt(line)).catch(() => null);
    if (now().line.moves !== line.moves) return;
    const made = report?.moves[column];
    if (!made) return change({ message: say("coach.no-report") });
    if (made.outcome !== "win") {
      return change({ wrong: true, refused: true, message: refusedText(column, made) });
    }
    if (!report.best.includes(column)) {
      return change({ refused: true, message: say("solve.slower", { column: nameOf(column), count: movesToEnd(made.plies) }) });
    }
    change({ line: withMove(line, column), refused: false });
    await reply();
  }

  async function show() {
    const { line, status, revealed } = now();
    if (status !== "yours" || !atEnd(line)) return;
    if (!revealed) {
      count(false);
      change({ revealed: true });
    }
    const report = await evaluator.reportOf(questionAt(line)).catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (!report || now().line.moves !== line.moves) return;
    change({ line: withMove(line, report.best[0]), refused: false });
    await reply();
  }

  const daily = (day = today()) => {
    const kept = keptPuzzle(slotOf("daily", day));
    return kept?.name === day ? resume(kept) : open("daily", day, dailyDifficulty(day));
  };
  const next = (difficulty = store.state.settings.difficulty) => {
    const number = store.state.progress.number + 1;
    progress({ number });
    const start = load("puzzle-start", null, isCount) ?? crypto.getRandomValues(new Uint32Array(1))[0];
    save("puzzle-start", start);
    return open("endless", `${start}-${number}`, difficulty);
  };
  /** The endless puzzle that was left for the daily one, or a new one. */
  const endless = (difficulty) => {
    changeSettings(store, { difficulty });
    const kept = keptPuzzle("endless");
    const isLeft = now().kind === "daily" && kept?.difficulty === difficulty && !kept.isSolved;
    return isLeft ? resume(kept) : next(difficulty);
  };

  store.subscribe(({ puzzle }) => {
    if (puzzle === shown) return;
    shown = puzzle;
    keepPuzzle(puzzle);
  });
  onOtherTab((key) => key === "puzzles" && store.update({ progress: loadProgress() }));
  return {
    daily, endless, open, train,
    move: either((column) => trainer?.move(column), move),
    show: either(() => trainer?.show(), show),
    /** Opens the puzzle that a link names; returns whether it names one. */
    openNamed(id) {
      const found = puzzleNamed(id);
      if (found) open(found.kind, found.name, found.difficulty ?? dailyDifficulty(found.name));
      return found !== null;
    },
    /** Resumes the puzzle that this tab showed, or begins the daily one. */
    begin() {
      const slot = lastSlot();
      if (slot === "opening") return train();
      const kept = slot === "daily" ? null : keptPuzzle(slot);
      if (kept) return resume(kept);
      const { number, days } = store.state.progress;
      // A first visit begins with an easy one.
      return number === 0 && Object.keys(days).length === 0 ? next("easy") : daily();
    },
    again: either(train, () => open(now().kind, now().name, now().difficulty)),
    next: either(train, () => next()),
  };
}
