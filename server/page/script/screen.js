/** Draws the state: the board, the panel of the view, the address and the title. */
import { heightOf } from "./balance.js";
import { createBoardView } from "./board-view.js";
import { $ } from "./dom.js";
import { createAddress } from "./history.js";
import { allows, boardAt, sideToMove, stones, threatsOf } from "./rules.js";
import { applySettings, movesStill } from "./store.js";
import { say } from "./texts.js";
import { boardKey, coachAsks, endOf, isYourTurn, lineOf, shownHint, shownReason, shownReport, showsVerdicts } from "./views.js";
import { movesToEnd, sideNames, SIGNS } from "./words.js";

/** Whether a stone may be put on the board now. */
function isOpen(state) {
  if (endOf(state) !== null) return false;
  if (state.view === "puzzles") return state.puzzle.status === "yours";
  return state.view === "analyse" || isYourTurn(state.play) || state.play.line.cursor < state.play.line.moves.length;
}

function lastCell(line, board) {
  if (line.cursor === 0) return null;
  const column = line.moves[line.cursor - 1];
  return { column, row: board.columns[column].length - 1 };
}

/** The move of the game that the coach asks to better, where it would fall. */
function weakStone(state, board) {
  if (!coachAsks(state)) return null;
  const { column } = state.coach.review.moves[state.coach.cursor];
  return { column, row: board.columns[column].length, side: sideToMove(board), sign: SIGNS[state.coach.grades[state.coach.cursor]] };
}

/** The bar beside the board: the first side's share, and the moves to the end. */
function balanceOf(report, board) {
  if (!report?.outcome) return { share: 0, text: "" };
  return { share: heightOf(report, stones(board), board.size.width * board.size.height), text: report.outcome === "draw" ? "=" : movesToEnd(report.plies) };
}

/** The contents of the board. */
function pictureOf(state) {
  const line = lineOf(state);
  const board = boardAt(line);
  const open = isOpen(state);
  const over = endOf(state) !== null;
  const { column, line: ahead } = state.looked;
  const canDrop = open && column !== null && allows(line, column);
  const report = over ? null : shownReport(state);
  return {
    board, open,
    report,
    balance: state.view === "puzzles" || !showsVerdicts(state) ? null : balanceOf(report, board),
    weak: weakStone(state, board),
    reason: shownReason(state),
    last: lastCell(line, board),
    threats: state.settings.threats && !over ? threatsOf(board) : [],
    ghost: canDrop ? { column, row: board.columns[column].length, side: sideToMove(board) } : null,
    line: stonesOf(board, ahead),
    hint: state.view === "play" ? shownHint(state.play)?.columns ?? [] : [],
    names: sideNames(state.settings),
    still: movesStill(state.settings),
  };
}

/** The stones of a line, numbered, on top of a board. */
function stonesOf(board, line) {
  const heights = board.columns.map(({ length }) => length);
  const first = stones(board);
  return line.map((column, index) => ({ column, row: heights[column]++, side: (first + index) % 2, number: index + 1 }));
}

function drawView({ view }) {
  const title = say(`view.${view}`);
  document.title = `${title} · fourbook`;
  $("title").textContent = title;
  document.body.dataset.view = view;
  for (const link of document.querySelectorAll("nav a")) {
    link.textContent = say(`view.${link.dataset.view}`);
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** `panels` makes the panel of each view when it is first shown. */
export function createScreen(store, { choose, look, panels }) {
  const drawBoard = createBoardView($("stage"), { choose, look });
  const drawAddress = createAddress();
  const made = {};
  let view = null;

  async function makePanel(name) {
    made[name] = null;
    made[name] = await panels[name]();
    drawPanel(store.state);
    tellState(store.state);
  }

  /** For automated tests of the page: whether everything requested is known and shown. */
  function tellState(state) {
    const { key, report, error } = state.evaluation;
    const isAnswered = key === boardKey(state) && (report?.complete || error);
    const isAsked = showsVerdicts(state) && endOf(state) === null;
    document.body.dataset.state = made[state.view] && (!isAsked || isAnswered) ? "ready" : "asking";
  }

  function drawPanel(state) {
    if (made[state.view] === undefined) makePanel(state.view);
    const panel = made[state.view];
    if (!panel) return;
    if ($("panel").firstChild !== panel.element) $("panel").replaceChildren(panel.element);
    panel.draw(state);
  }

  return function draw(state) {
    applySettings(state.settings);
    if (view !== state.view) drawView(state);
    view = state.view;
    drawBoard(pictureOf(state));
    drawPanel(state);
    drawAddress(state);
    tellState(state);
  };
}
