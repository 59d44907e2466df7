/** Every move of a position and its verdict, the best first. */
import { h } from "./dom.js";
import { openingBy } from "./openings.js";
import { canPlay, diagramOf, nameOf } from "./rules.js";
import { moveVerdict } from "./words.js";

export function createExplorer({ choose, look }) {
  const body = h("tbody");
  const element = h("div", { class: "explorer" },
    h("table", {}, h("thead", {}, h("tr", {}, ["Column", "With perfect play"].map((text) => h("th", { scope: "col" }, text)))), body));
  let drawn = {};

  function row(column, move, best, opening) {
    const made = h("tr", { class: `${move?.outcome ?? ""}${best ? " best" : ""}`, "data-column": column },
      h("th", { scope: "row" }, h("button", { type: "button", "aria-label": `Play column ${nameOf(column)}`, onclick: () => choose(column) }, nameOf(column))),
      h("td", {}, move ? h("span", { class: `tag ${move.outcome}` }, moveVerdict(move), best && h("span", { class: "star", title: "best" }, " ★", h("span", { class: "unseen" }, " best"))) : "", opening && h("span", { class: "soft" }, ` ${opening}`)));
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

  return {
    element,
    draw({ report, board, line }) {
      const position = diagramOf(board);
      if (drawn.report === report && drawn.position === position) return;
      drawn = { report, position };
      const playable = board.columns.map((_, column) => column).filter((column) => canPlay(board, column));
      const focused = document.activeElement?.closest?.(".explorer tr")?.dataset.column;
      const worth = (column) => report?.moves[column]?.score ?? -1000;
      const middle = ((report?.moves.length ?? 7) - 1) / 2;
      const order = [...playable].sort((a, b) => worth(b) - worth(a) || Math.abs(a - middle) - Math.abs(b - middle));
      body.replaceChildren(...order.map((column) => row(column, report?.moves[column] ?? null, report?.best.includes(column), openingBy(line, column))));
      if (focused) body.querySelector(`[data-column="${focused}"] button`)?.focus();
    },
  };
}
