/** The three views: the board of each, stepping through it, and its address. */
import { boardAt, boardOf, diagramOf, emptyLine, goTo, keyOf, movesText, parseMoves, parseSize, questionAt, resultOf, sideToMove, SIZES_TEXT, sizeText } from "./rules.js";

export const VIEWS = ["play", "analyse", "puzzles"];

/** Shows a view without a preview. */
export const showView = (store, view) => store.update({ view, looked: { column: null, line: [] } });

/** @returns {import("./rules.js").Line} */
export const lineOf = (state) => (state.view === "puzzles" ? state.puzzle.line : state[state.view].line);

/** The winner of the game on the board, also by resignation; null while it goes on. */
export function endOf(state) {
  const board = resultOf(boardAt(lineOf(state)));
  if (board !== null || state.view !== "play") return board;
  const { resigned } = state.play;
  return resigned === null ? null : 1 - resigned;
}

export const boardKey = (state) => keyOf(questionAt(lineOf(state)));

/** Whether the coach asks for a better move in the position on the board. */
export const coachAsks = ({ view, coach, analyse: { line, game } }) =>
  view === "analyse" && ["try", "looking"].includes(coach?.status) && game === null && line.cursor === coach.cursor;

/** Whether the verdicts of the position on the board are visible. */
export function showsVerdicts(state) {
  if (coachAsks(state)) return false;
  if (state.view === "puzzles") return state.puzzle.status === "solved" && state.puzzle.explained;
  const mode = state.settings[state.view === "play" ? "playVerdicts" : "analysisVerdicts"];
  if (state.view === "analyse") return mode !== "off";
  return mode === "on" || (mode === "demand" && state.demanded === boardKey(state));
}

/** Whether the side to move is a person's, who may play now. */
export function isYourTurn(play) {
  const board = boardAt(play.line, play.line.moves.length);
  if (resultOf(board) !== null || play.resigned !== null) return false;
  return play.opponent === "two" || sideToMove(board) === play.you;
}

/** The hint for the position on the board; null if there is none. */
export const shownHint = ({ hint, line }) => (hint?.line === line ? hint : null);

/** The best line from the position on the board, as far as it is known. */
export const bestOf = ({ best, ...state }) => (best.key === boardKey(state) ? best.line : []);

/** Nobody has asked why; else a Reason, and the keys of the positions along its line. */
export const NO_REASON = { keys: [], text: "", line: [], fours: [], last: null, shut: [] };

/** The reason for the verdict of the position on the board. */
export const shownReason = (state) => (state.view === "analyse" && state.why.keys.includes(boardKey(state)) ? state.why : NO_REASON);

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
  goal: 0, holds: null, message: "", gained: null, wrong: false, refused: false, revealed: false, explained: false,
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

/** Shows the verdicts or hides them: of this position only, if they are shown on demand. */
export function toggleVerdicts(store, changeSettings) {
  const { state } = store;
  if (coachAsks(state) || endOf(state) !== null) return;
  const { playVerdicts, analysisVerdicts } = state.settings;
  if (state.view === "analyse") changeSettings(store, { analysisVerdicts: analysisVerdicts === "off" ? "on" : "off" });
  else if (playVerdicts === "on") changeSettings(store, { playVerdicts: "demand" });
  else store.update({ demanded: showsVerdicts(state) ? null : boardKey(state) });
}

const STANDARD = { width: 7, height: 6 };

const isDiagram = ({ width, height }, text) => {
  const rows = text.split("/");
  return rows.length === height && rows.every((row) => row.length === width && /^[XO.]*$/.test(row));
};

/** The line that a query names; throws an Error in words. */
export function lineOfQuery(query) {
  const size = query.has("size") ? parseSize(query.get("size")) : STANDARD;
  if (!size) throw new Error(`size is '${query.get("size")}'; expected ${SIZES_TEXT}`);
  const base = query.get("diagram");
  if (base !== null && !(isDiagram(size, base) && diagramOf(boardOf(size, base)) === base)) {
    throw new Error(`expected a diagram of ${size.height} rows of ${size.width} letters X, O and '.', and no '.' below a stone`);
  }
  const moves = parseMoves(boardOf(size, base), query.get("moves") ?? "");
  const ply = Number(query.get("ply") ?? moves.length);
  return goTo({ size, base, moves, cursor: 0 }, Number.isInteger(ply) ? ply : moves.length);
}

/** The view, the line, and the fault of the address, if it has one. */
export function readAddress() {
  const query = new URLSearchParams(location.search);
  const named = location.hash.slice(1);
  const hasLine = ["moves", "diagram", "size"].some((name) => query.has(name));
  const [puzzle, friend] = ["puzzle", "friend"].map((name) => query.get(name));
  const view = VIEWS.includes(named) ? named : puzzle ? "puzzles" : hasLine && !friend ? "analyse" : "play";
  try {
    return { view, line: lineOfQuery(query), puzzle, friend, wrong: null };
  } catch (error) {
    const moves = error.understood ?? [];
    const size = parseSize(query.get("size")) ?? STANDARD;
    const shown = moves.length > 0 && !query.has("diagram") ? ` The board shows the moves before it: ${movesText(moves)}.` : "";
    const line = shown ? { size, base: null, moves, cursor: moves.length } : emptyLine(size);
    return { view: "analyse", line, wrong: `The address is not right: ${error.message}.${shown}` };
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
