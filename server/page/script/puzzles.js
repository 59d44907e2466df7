/** Solving puzzles: what a move is answered with, and how far somebody has come. */
import { allows, atEnd, boardAt, emptyBoard, movesText, nameOf, parseMoves, parseSize, questionAt, resultOf, sizeText, withMove } from "./rules.js";
import { creditOf, NO_PROGRESS, puzzleNamed, today } from "./puzzle-score.js";
import { changeSettings, load, save } from "./store.js";
import { noPuzzle, puzzleOf } from "./views.js";
import { movesToEnd, plural } from "./words.js";

const PAUSE = 450;

/** Monday begins easily. */
export const dailyDifficulty = (day) =>
  ["hard", "easy", "easy", "medium", "medium", "medium", "hard"][new Date(`${day}T00:00Z`).getUTCDay()];

export const loadProgress = () => ({ ...NO_PROGRESS, ...load("puzzles", {}) });

/** The puzzle of a day, if it was found before: to find one takes a second or more. */
function keptDaily(name, size) {
  const kept = load("daily", null);
  if (kept?.name !== name || kept.size !== sizeText(size)) return null;
  const moves = parseMoves(emptyBoard(size), kept.moves);
  return puzzleOf({ size, base: null, moves, cursor: moves.length }, kept.goal);
}

/** What is said of a reply: right is a move of the solver only, not of the solution. */
function repliedText(line, reply, left, isShown) {
  const [played, answer] = [line.moves[line.cursor - 1], reply].map(nameOf);
  if (isShown) return `The solution plays column ${played}; the reply is column ${answer}.`;
  return `Right. Column ${answer} is the reply; now win in ${plural(left, "move")}.`;
}

export function createPuzzles(store, engine, evaluator) {
  let finding = null;
  const change = (parts) => store.update(({ puzzle }) => ({ puzzle: { ...puzzle, ...parts } }));
  const now = () => store.state.puzzle;

  function progress(parts) {
    store.update(({ progress: before }) => ({ progress: { ...before, ...parts } }));
    save("puzzles", store.state.progress);
  }

  async function open(kind, name, difficulty) {
    finding?.abort();
    const abort = new AbortController();
    finding = abort;
    const { sizes } = store.state;
    const size = parseSize(sizes.includes("7x6") ? "7x6" : sizes[0]);
    store.update({ puzzle: { ...noPuzzle(size), status: "finding", kind, name, difficulty } });
    const find = async () => {
      const { findPuzzle } = await import("./puzzle-source.js");
      return findPuzzle(name, difficulty, size, engine, evaluator, abort.signal);
    };
    try {
      const found = (kind === "daily" && keptDaily(name, size)) || await find();
      if (abort.signal.aborted) return;
      if (kind === "daily") save("daily", { name, size: sizeText(size), moves: movesText(found.line.moves), goal: found.goal });
      change({ ...found, status: "yours", message: `Find the only move that wins, in ${plural(found.goal, "move")}.` });
    } catch (error) {
      if (!abort.signal.aborted) change({ status: "failed", message: error.message });
    }
  }

  /** Counts a puzzle once it is solved, or its solution shown. */
  function count(solved) {
    const before = store.state.progress.rating;
    const credit = creditOf(store.state.progress, now(), solved);
    progress(credit);
    if (credit.rating) change({ gained: credit.rating - before });
  }

  /** Goes on after a move of the solver: the end, or the best reply. */
  async function reply() {
    const { line, revealed, wrong } = now();
    if (resultOf(boardAt(line)) !== null) {
      if (!revealed) count(true);
      change({ status: "solved", message: revealed ? "That was the solution." : wrong ? "Solved." : "Solved without a mistake!" });
      return;
    }
    change({ status: "theirs" });
    const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
    const report = await evaluator.reportOf(questionAt(line)).catch(() => null);
    await pause;
    // Whoever looks back at a move meanwhile is where the reply falls.
    if (now().line.moves !== line.moves) return;
    if (!report) return change({ status: "failed", message: "The reply could not be found; try again." });
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
    if (!made) return change({ message: "The move could not be looked up; try again." });
    if (made.outcome !== "win") {
      const what = made.outcome === "draw" ? "only draws" : `loses in ${movesToEnd(made.plies)}`;
      return change({ wrong: true, refused: true, message: `Column ${nameOf(column)} ${what}. Try again.` });
    }
    if (!report.best.includes(column)) {
      return change({ refused: true, message: `Column ${nameOf(column)} wins too, but needs ${plural(movesToEnd(made.plies), "move")}. There is a faster one.` });
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

  const daily = (day = today()) => open("daily", day, dailyDifficulty(day));
  const endless = (difficulty) => {
    changeSettings(store, { difficulty });
    const number = store.state.progress.number + 1;
    progress({ number });
    const start = load("puzzle-start", null) ?? crypto.getRandomValues(new Uint32Array(1))[0];
    save("puzzle-start", start);
    return open("endless", `${start}-${number}`, difficulty);
  };
  return {
    daily, endless, move, show, open,
    /** Opens the puzzle that a link names; whether it names one. */
    openNamed(id) {
      const found = puzzleNamed(id);
      if (found) open(found.kind, found.name, found.difficulty ?? dailyDifficulty(found.name));
      return found !== null;
    },
    again: () => open(now().kind, now().name, now().difficulty),
    next: () => endless(store.state.settings.difficulty),
    explain: () => change({ explained: !now().explained }),
  };
}
