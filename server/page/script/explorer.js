/** For every move of a position: its outcome, the number of moves to the end, the replies, the main line. */
import { h } from "./dom.js";
import { canPlay, diagramOf, nameOf } from "./rules.js";
import { movesToEnd } from "./words.js";

const OUTCOMES = ["win", "draw", "loss"];
/** A reply that wins for the opponent loses for the side to move. */
const SEEN_FROM_HERE = { win: "loss", draw: "draw", loss: "win" };
const WORDS = { win: "Win", draw: "Draw", loss: "Loss" };

function repliesOf(report) {
  const counts = { win: 0, draw: 0, loss: 0 };
  for (const move of report.moves) if (move) counts[move.outcome]++;
  return counts;
}

function bar(counts) {
  const text = `${counts.win} winning, ${counts.draw} drawing, ${counts.loss} losing replies`;
  const part = (outcome) => {
    const segment = h("span", { class: SEEN_FROM_HERE[outcome], "aria-hidden": "true" }, `${counts[outcome]}`);
    segment.style.flexGrow = counts[outcome];
    return segment;
  };
  return h("span", { class: "bar", title: text }, OUTCOMES.filter((outcome) => counts[outcome] > 0).map(part), h("span", { class: "unseen" }, text));
}

export function createExplorer({ choose, look }) {
  const body = h("tbody");
  const line = h("p", { class: "main-line" });
  const legend = h("p", { class: "legend soft" });
  const head = ["Move", "Verdict", "Moves to the end", "Replies"];
  const element = h("div", { class: "explorer" },
    h("table", {}, h("thead", {}, h("tr", {}, head.map((text, index) => h("th", { scope: "col" }, index === 2 ? h("abbr", { title: text }, "In") : text)))), body), legend, line);
  let drawn = {};

  function row(column, move, best, reply, over) {
    const made = h("tr", { class: `${move?.outcome ?? ""}${best ? " best" : ""}`, "data-column": column },
      h("th", { scope: "row" }, h("button", { type: "button", "aria-label": `Play column ${nameOf(column)}`, onclick: () => choose(column) }, nameOf(column))),
      h("td", {}, move ? h("span", { class: `tag ${move.outcome}` }, WORDS[move.outcome], best && h("span", { class: "star", title: "best" }, " ★", h("span", { class: "unseen" }, " best"))) : ""),
      h("td", {}, move && move.outcome !== "draw" ? `${movesToEnd(move.plies)}` : ""),
      h("td", {}, reply ? bar(repliesOf(reply)) : over ? "ends the game" : ""));
    const button = made.querySelector("button");
    for (const type of ["pointerenter", "focusin"]) made.addEventListener(type, () => look(column));
    for (const type of ["pointerleave", "focusout"]) made.addEventListener(type, () => look(null));
    // On a touch screen, a tap shows the line first; a tap on the number plays the move.
    made.addEventListener("click", (event) => {
      if (event.target === button) return;
      if (event.pointerType === "touch") look(column);
      else choose(column);
    });
    return made;
  }

  function drawLegend(name) {
    const part = (outcome, text) => h("span", {}, h("i", { class: `swatch ${outcome}` }), text);
    legend.replaceChildren(`Replies after which ${name} `, part("win", "wins"), part("draw", "draws"), part("loss", "loses"));
  }

  return {
    element,
    draw({ report, replies, board, name }) {
      const position = diagramOf(board);
      if (drawn.name !== name) drawLegend(name);
      if (drawn.report === report && drawn.replies === replies && drawn.position === position && drawn.name === name) return;
      drawn = { report, replies, position, name };
      const playable = board.columns.map((_, column) => column).filter((column) => canPlay(board, column));
      const focused = document.activeElement?.closest?.(".explorer tr")?.dataset.column;
      const worth = (column) => report?.moves[column]?.score ?? -1000;
      const middle = ((report?.moves.length ?? 7) - 1) / 2;
      const order = [...playable].sort((a, b) => worth(b) - worth(a) || Math.abs(a - middle) - Math.abs(b - middle));
      body.replaceChildren(...order.map((column) => {
        const move = report?.moves[column] ?? null;
        return row(column, move, report?.best.includes(column), replies[column], move?.plies === 1);
      }));
      if (focused) body.querySelector(`[data-column="${focused}"] button`)?.focus();
    },
    showLine(text) {
      line.textContent = text;
    },
  };
}
