/** Beside the board while analysing: the answer, moves with marks, the graph, every move, setting up, sharing. */
import { createAnswer } from "./answer.js";
import { createCoachPanel } from "./coach-panel.js";
import { button, enable, h, panel, part, setText } from "./dom.js";
import { createExplorer } from "./explorer.js";
import { createGraph } from "./graph.js";
import { createMoveList, createStepper } from "./move-list.js";
import { openingOf } from "./openings.js";
import { boardAt, movesText, nameOf, sizeText, stones, threatsOf, withSize } from "./rules.js";
import { changeSettings, sideNames } from "./store.js";
import { commonLength as commonOf, createVariations } from "./variations.js";
import { coachAsks, endOf, shownReport, showsVerdicts, toggleVerdicts } from "./views.js";
import { MARKS, movesToEnd, sourceText } from "./words.js";

/** How many moves of each side have each mark. */
function summary(review, first, names) {
  return [0, 1].map((side) => {
    const own = review.moves.filter((_, index) => (first + index) % 2 === side);
    const count = (...marks) => own.filter(({ mark }) => marks.includes(mark)).length;
    const text = [`${count("best")} of ${own.length} best`, ...[
      [count("win-thrown-away", "draw-thrown-away"), "missed a win or a draw"], [count("slower-win"), "won slower"], [count("faster-loss"), "lost sooner"],
    ].filter(([number]) => number > 0).map((found) => found.join(" "))].join(", ");
    return h("p", {}, h("i", { class: `dot ${["first", "second"][side]}` }), `${names[side]}: ${text}`);
  });
}

export function createAnalysePanel(store, { analysis, coach, engine, steps, evaluator, look, tools }) {
  const answer = createAnswer(store, { engine, evaluator, goOn: analysis.goOn });
  const explorer = createExplorer({ choose: analysis.move, look });
  const exact = h("p", { class: "soft", id: "exact" });
  const name = h("b", { id: "opening" });
  const opening = h("div", { class: "line" }, name, button("Train openings", tools.train, { id: "train-openings" }));
  const coaching = createCoachPanel(coach);
  const scores = button("Show scores", () => toggleVerdicts(store, changeSettings), { "aria-pressed": "true", "aria-keyshortcuts": "v", id: "verdicts" });
  const threats = button("Mark threats", () => changeSettings(store, { threats: !store.state.settings.threats }), { "aria-pressed": "false", "aria-keyshortcuts": "t", id: "threats" });
  const threatText = h("p", { class: "soft", id: "threat-text" });

  const moves = createMoveList(steps.to);
  const stepper = createStepper(steps);
  const graph = createGraph(steps.to);
  const mistakes = h("div", { class: "mistakes" });
  const remark = h("div", { class: "remark" });
  const lines = createVariations({ show: analysis.showLine, remove: analysis.removeLine });
  const learn = button("Learn from the mistakes", () => coach.begin(), { class: "main", id: "learn" });
  const review = button("Review the game", () => (store.state.analyse.reviewing ? analysis.stopReview() : analysis.review()), { class: "main", "aria-keyshortcuts": "r", id: "review" });
  const back = button("Back to the game", analysis.backToGame, { id: "back-to-game" });
  const record = h("div", { class: "card record" }, moves.element, graph.element, mistakes, h("div", { class: "actions" }, learn, review, back), remark, lines.element);

  const buttons = [
    button("⇄ Mirror", analysis.mirror, { "aria-keyshortcuts": "m" }), button("Clear", () => analysis.clear(), { id: "clear" }),
    button("Play from here", tools.playHere, { id: "play-here" }), button("Copy link", tools.share, { id: "share" }), button("Picture", tools.picture, { id: "picture" }),
  ];
  const input = h("textarea", { id: "input", rows: 2, spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
  const sizes = button("", tools.sizes, { id: "size" });
  const error = h("p", { class: "error", role: "alert", id: "error" });
  const edit = button("Place stones", tools.edit, { id: "edit" });
  const undo = button("Undo", () => { analysis.restore(); }, { id: "restore" });
  const form = h("form", { class: "card paste", id: "paste" },
    h("label", { for: "input" }, "Set up a position: moves, a link, a diagram, bitboards, rows or a key"), input,
    h("div", { class: "actions" }, h("button", { type: "submit" }, "Set up"), edit, undo, sizes), error);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tools.paste(input.value, (text) => {
      setText(error, text);
      error.hidden = text === "";
    });
  });

  const element = panel("analyse", [stepper.element, coaching.element, answer.element], [
    part("Moves", [record], { isBeside: true }),
    part("All moves", [h("div", { class: "card" }, opening, explorer.element, exact, h("div", { class: "actions" }, scores, threats), threatText)]),
    part("Set up", [h("div", { class: "card" }, h("div", { class: "actions" }, buttons)), form], { isBeside: true }),
  ], store.state.analyse.error ? 2 : 0);
  let drawn = {};

  function drawMoves(state, board, names) {
    const { evaluation, settings, analyse: { line } } = state;
    const end = endOf(state);
    const report = shownReport(state);
    // A table without a verdict is hidden; while the first verdict is expected soon, it keeps its
    // place.
    const isEmpty = !report?.moves.some(Boolean) && Boolean(evaluation.slow || evaluation.error);
    explorer.element.hidden = end !== null || settings.analysisVerdicts === "off" || coachAsks(state) || isEmpty;
    explorer.draw({ report, board, line });
    setText(name, openingOf(line));
    opening.hidden = name.textContent === "";
    setText(exact, end === null && report?.outcome ? sourceText(report) : "");
    scores.setAttribute("aria-pressed", String(showsVerdicts(state) && end === null));
    enable(scores, end === null && !coachAsks(state));
    threats.setAttribute("aria-pressed", String(settings.threats));
    threatText.hidden = !settings.threats || end !== null;
    if (!threatText.hidden) setText(threatText, describeThreats(threatsOf(board), names));
  }

  function drawRemark({ analyse: now }, first, names) {
    const { line, review: found, game } = now;
    const made = game === null || sameUntil(line, game) ? found?.moves[line.cursor - 1] : null;
    if (!made) return remark.replaceChildren();
    const before = found.positions[line.cursor - 1];
    const side = names[(first + line.cursor - 1) % 2];
    const text = made.mark === "best" ? `${side}'s column ${nameOf(made.column)} is a best move.` : `${side}'s column ${nameOf(made.column)} ${MARKS[made.mark].text}.`;
    const was = made.mark === "best" ? "" : ` Perfect play ${before.outcome === "draw" ? "draws" : `${before.outcome === "win" ? "wins" : "loses"} in ${movesToEnd(before.plies)}`}.`;
    const cursor = line.cursor - 1;
    remark.replaceChildren(h("p", {}, text + was),
      ...(made.mark === "best" ? [] : [button("Show perfect play", () => analysis.perfect(cursor), { id: "perfect" })]));
  }

  function drawReview(state, first, names) {
    const { line, review: found, game, reviewing } = state.analyse;
    graph.element.hidden = mistakes.hidden = remark.hidden = !found;
    if (found) {
      graph.draw(found, game === null || sameUntil(line, game) ? line : { ...line, cursor: commonLength(line, game) }, first, names);
      if (drawn.review !== found || drawn.names?.[1] !== names[1]) {
        mistakes.replaceChildren(...summary(found, first, names));
      }
    }
    learn.hidden = !found || state.coach !== null || !found.moves.some(({ mark }) => mark.endsWith("away"));
    review.hidden = line.moves.length === 0 || Boolean(found);
    setText(review, reviewing ? "Reviewing… Stop" : "Review the game");
    review.classList.toggle("main", !reviewing);
    back.hidden = game === null;
    drawRemark(state, first, names);
  }

  return {
    element,
    draw(state) {
      const { analyse: now, settings } = state;
      const names = sideNames(settings);
      const { line } = now;
      const board = boardAt(line);
      const first = stones(boardAt(line, 0)) % 2;
      answer.draw(state);
      drawMoves(state, board, names);
      coaching.draw(state);
      lines.draw(now, first);
      if (drawn.of !== now || drawn.coach !== state.coach || drawn.names !== names.join()) drawReview(state, first, names);
      moves.draw(line, first, now.review);
      stepper.draw(line);
      enable(undo, now.before !== null);
      setText(sizes, `Board ${sizeText(line.size).replace("x", " × ")}`);
      sizes.hidden = withSize(state.sizes, line.size).length < 2;
      const text = line.base ?? movesText(line.moves);
      if (drawn.text !== text && document.activeElement !== input) input.value = text;
      if (drawn.of !== now) {
        setText(error, now.error ?? "");
        error.hidden = !now.error;
      }
      drawn = { ...drawn, of: now, coach: state.coach, names: names.join(), review: now.review, text };
    },
  };
}

const commonLength = (line, other) => Math.min(commonOf(line.moves, other.moves), line.cursor);
const sameUntil = (line, game) => commonLength(line, game) === line.cursor;

const list = (texts) => (texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`);

function describeThreats(threats, names) {
  return names.map((name, side) => {
    const cells = threats.filter((threat) => threat.side === side)
      .map(({ column, row, stacked }) => `column ${nameOf(column)}, row ${row + 1}${stacked ? " (stacked)" : ""}`);
    return cells.length === 0 ? `${name} threatens nothing yet.` : `${name} threatens ${list(cells)}.`;
  }).join(" ");
}
