/** The three views: the board of each, stepping through it, and its address. */
import { boardAt, emptyLine, goTo, keyOf, lineFrom, movesText, parseSize, questionAt, resultOf, sideToMove, sizeText } from "./rules.js";
import { say } from "./texts.js";

export const VIEWS = ["play", "analyse", "puzzles"];

/** Shows a view without a preview. */
export const showView = (store, view) => store.update({ view, looked: { column: null, line: [] } });

/** @returns {import("./rules.js").Line} */
export const lineOf = (state) => (state.view === "puzzles" ? state.puzzle.line : state[state.view].line);

/** The winner of the game on the board; null while it goes on. */
export const endOf = (state) => resultOf(boardAt(lineOf(state)));

export const boardKey = (state) => keyOf(questionAt(lineOf(state)));

/** Whether the coach asks for a better move in the position on the board. */
export const coachAsks = ({ view, coach, analyse: { line, game } }) =>
  view === "analyse" && ["try", "looking"].includes(coach?.status) && game === null && line.cursor === coach.cursor;

/** Whether the verdicts of the position on the board are visible. */
export function showsVerdicts(state) {
  const { view, settings, play } = state;
  if (view === "play") return settings.help === "scores" && play.opponent === "computer";
  return view === "analyse" && settings.scores && !coachAsks(state);
}

/** Whether the side to move is a person's, who may play now. */
export function isYourTurn({ line, opponent, you }) {
  const board = boardAt(line, line.moves.length);
  return resultOf(board) === null && (opponent === "two" || sideToMove(board) === you);
}

/** The hint for the position on the board; null if there is none. */
export const shownHint = ({ hint, line }) => (hint?.line === line ? hint : null);

/** The best line from the position on the board, as far as it is known. */
export const bestOf = ({ best, ...state }) => (best.key === boardKey(state) ? best.line : []);

/** Nobody has asked why; else the position, the steps of the reason, and the one that is shown. */
export const NO_REASON = { key: null, steps: [], at: 0 };

const NO_STEP = { text: "", fours: [], cells: [] };

/** The step of the reason that is shown for the position on the board. */
export const shownReason = (state) => (state.view === "analyse" && state.why.key === boardKey(state) ? state.why.steps[state.why.at] : NO_STEP);

/** The report of the position on the board, if it is visible and known. */
export function shownReport(state) {
  return showsVerdicts(state) && state.evaluation.key === boardKey(state) ? state.evaluation.report : null;
}

/**
 * `game` is the line that was set up or played, if `line` is another one; `others` are the moves of
 * all lines beside `line`.
 */
export const analysisOf = (line) => ({ line, others: [], game: null, review: null, reviewing: false, error: null, before: null });

/** Before a puzzle is found. */
export const noPuzzle = (size) => ({
  status: "none", download: null, kind: "daily", name: null, difficulty: "easy", line: emptyLine(size), start: 0, side: 0,
  goal: 0, holds: null, message: "", gained: null, wrong: false, refused: false, revealed: false,
});

/** The state of a puzzle, from the line that sets it up and the number of moves to the win. */
export const puzzleOf = (line, goal) => ({ line, start: line.moves.length, side: line.moves.length % 2, goal });

/** Steps through the line on the board. */
export function createSteps(store) {
  const step = (to) => {
    const { view } = store.state;
    const part = view === "puzzles" ? "puzzle" : view;
    const line = lineOf(store.state);
    const cursor = to(line);
    // Stepping back ends where the puzzle begins.
    const least = view === "puzzles" ? store.state.puzzle.start : 0;
    const next = goTo(line, Math.max(least, cursor));
    if (next.cursor !== line.cursor) store.update((state) => ({ [part]: { ...state[part], line: next } }));
  };
  return {
    to: (cursor) => step(() => cursor),
    back: () => step(({ cursor }) => cursor - 1),
    on: () => step(({ cursor }) => cursor + 1),
    first: () => step(() => 0),
    last: () => step(({ moves }) => moves.length),
  };
}

/** Nothing is asked yet about the position on the board. */
export const NOTHING = { key: null, report: null, waiting: false, download: null, slow: 0, error: null, guess: null };

/** Shows the verdicts or hides them. */
export function toggleVerdicts({ state: { view, settings } }, change) {
  if (view === "analyse") change({ scores: !settings.scores });
  else change({ help: settings.help === "scores" ? "alone" : "scores" });
}

/** The line that a query names; throws an Error in words. */
export function lineOfQuery(query) {
  const line = lineFrom(query.get("size") ?? "7x6", query.get("diagram"), query.get("moves") ?? "");
  const ply = Number(query.get("ply") ?? line.cursor);
  return goTo(line, Number.isInteger(ply) ? ply : line.cursor);
}

/** The view, the line, and the fault of the address, if it has one. */
export function readAddress() {
  const query = new URLSearchParams(location.search);
  const named = location.hash.slice(1);
  const hasLine = ["moves", "diagram", "size"].some((name) => query.has(name));
  const puzzle = query.get("puzzle");
  const friend = /^[\w.-]{1,60}$/.exec(query.get("friend") ?? "")?.[0] ?? null;
  const view = VIEWS.includes(named) ? named : puzzle ? "puzzles" : hasLine && !friend ? "analyse" : "play";
  try {
    return { view, line: lineOfQuery(query), puzzle, friend, wrong: null };
  } catch (error) {
    const moves = error.understood ?? [];
    const size = parseSize(query.get("size")) ?? parseSize("7x6");
    const shown = moves.length > 0 && !query.has("diagram") ? ` ${say("address.shown", { moves: movesText(moves) })}` : "";
    const line = shown ? { size, base: null, moves, cursor: moves.length } : emptyLine(size);
    return { view: "analyse", line, wrong: say("address.wrong", { error: error.message }) + shown, text: location.search };
  }
}

/** The line of moves in an address. */
export function addressOf(line) {
  const query = new URLSearchParams();
  if (sizeText(line.size) !== "7x6") query.set("size", sizeText(line.size));
  if (line.base !== null) query.set("diagram", line.base);
  if (line.moves.length > 0) query.set("moves", movesText(line.moves));
  if (line.cursor < line.moves.length) query.set("ply", line.cursor);
  return query.toString().replaceAll("%2F", "/");
}

/** A game with a friend in an address. */
export function friendAddressOf({ id, line }) {
  const position = addressOf({ ...line, cursor: line.moves.length });
  return `friend=${id}${position && `&${position}`}`;
}
