/** The three views, and what the board shows in each of them. */
import { boardAt, emptyLine, goTo, keyOf, questionAt, resultOf, sideToMove } from "./rules.js";

export const VIEWS = ["play", "analyse", "puzzles"];

/** @returns {import("./line.js").Line} */
export const lineOf = (state) => (state.view === "puzzles" ? state.puzzle.line : state[state.view].line);

/** Who has won the game on the board, resigned or not; null while it goes on. */
export function endOf(state) {
  const board = resultOf(boardAt(lineOf(state)));
  if (board !== null || state.view !== "play") return board;
  const { resigned } = state.play;
  return resigned === null ? null : 1 - resigned;
}

export const boardKey = (state) => keyOf(questionAt(lineOf(state)));

/** Whether the verdicts of the position on the board are to be seen. */
export function showsVerdicts(state) {
  if (state.view === "puzzles") return state.puzzle.status === "solved" && state.puzzle.explained;
  const mode = state.settings[state.view === "play" ? "playVerdicts" : "analysisVerdicts"];
  return mode === "on" || (mode === "demand" && state.demanded === boardKey(state));
}

/** Whether the side to move is a person's, who may play now. */
export function isYourTurn(play) {
  const board = boardAt(play.line, play.line.moves.length);
  if (resultOf(board) !== null || play.resigned !== null) return false;
  return play.opponent === "two" || sideToMove(board) === play.you;
}

/** The report of the position on the board, if it is to be seen and known. */
export function shownReport(state) {
  return showsVerdicts(state) && state.evaluation.key === boardKey(state) ? state.evaluation.report : null;
}

/** `game` is the line that was set up or played, while `line` has gone away from it. */
export const analysisOf = (line) => ({ line, game: null, review: null, reviewing: false, error: null, before: null });

/** Before a puzzle is found. */
export const noPuzzle = (size) => ({
  status: "none", kind: "daily", name: null, difficulty: "easy", line: emptyLine(size), start: 0, side: 0,
  goal: 0, message: "", wrong: false, revealed: false, explained: false,
});

/** Steps through whatever line is on the board. */
export function createSteps(store) {
  const step = (to) => {
    const { view } = store.state;
    const part = view === "puzzles" ? "puzzle" : view;
    const line = lineOf(store.state);
    const cursor = to(line);
    // The set-up of a puzzle is no part of it.
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
export const NOTHING = { key: null, report: null, replies: [], waiting: false, error: null };

/** Shows the verdicts or hides them: of this position only, if they are shown on demand. */
export function toggleVerdicts(store, changeSettings) {
  const { state } = store;
  const name = state.view === "play" ? "playVerdicts" : "analysisVerdicts";
  const mode = state.settings[name];
  if (mode === "demand") store.update({ demanded: showsVerdicts(state) ? null : boardKey(state) });
  else changeSettings(store, { [name]: mode === "on" ? "off" : "on" });
}
