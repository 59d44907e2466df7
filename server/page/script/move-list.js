/** The moves of a line, in rows of two, with their marks. */
import { h, svg } from "./dom.js";
import { nameOf } from "./rules.js";
import { GRADES, turnText } from "./words.js";

export function createMoveList(goTo) {
  const element = h("ol", { class: "moves", "aria-label": "Moves" });
  let drawn = { moves: null, grades: null };

  function build(line, first, grades) {
    const buttons = line.moves.map((column, index) => {
      const grade = GRADES[grades?.[index]];
      const side = (first + index) % 2;
      return h("button", {
        type: "button", class: `move ${grades?.[index] ?? ""}`, "aria-label": `Move ${index + 1}: column ${nameOf(column)}${grade ? `, ${grade.text}` : ""}`,
        title: grade?.text, onclick: () => goTo(index + 1),
      }, h("i", { class: `dot ${["first", "second"][side]}` }), nameOf(column), grade && h("b", { "data-sign": grade.sign }));
    });
    const rows = [];
    const start = first === 1 && buttons.length > 0 ? -1 : 0;
    for (let index = start; index < buttons.length; index += 2) {
      const number = h("span", { class: "turn", "aria-hidden": "true" }, turnText(index, first));
      rows.push(h("li", {}, number, buttons[index] ?? h("span", {}, "…"), buttons[index + 1] ?? h("span")));
    }
    element.replaceChildren(...rows);
    drawn = { moves: line.moves, grades, buttons };
    element.hidden = buttons.length === 0;
  }

  return {
    element,
    /** `first`: whose move the first one was. `grades`: of a review of these moves. */
    draw(line, first, grades = null) {
      if (drawn.moves !== line.moves || drawn.grades !== grades) build(line, first, grades);
      drawn.buttons.forEach((one, index) => {
        const current = index + 1 === line.cursor;
        if (current === one.hasAttribute("aria-current")) return;
        if (!current) return one.removeAttribute("aria-current");
        one.setAttribute("aria-current", "step");
        // Only the list scrolls, never the page.
        element.scrollTop = Math.max(0, one.offsetTop - element.clientHeight / 2);
      });
    },
  };
}

/** Buttons that step through a line. */
export function createStepper(steps) {
  const make = (path, label, action, keys) => h("button", { type: "button", "aria-label": label, title: `${label} (${keys})`, onclick: action },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path })));
  const buttons = [
    make("M5 5h3v14H5zM20 5v14L9 12z", "First position", steps.first, "Home"), make("M17 5v14L6 12z", "One move back", steps.back, "←"),
    make("M7 5v14l11-7z", "One move on", steps.on, "→"), make("M16 5h3v14h-3zM4 5v14l11-7z", "Last position", steps.last, "End"),
  ];
  const element = h("div", { class: "stepper", role: "group", "aria-label": "Go through the moves" }, buttons);
  return {
    element,
    draw({ cursor, moves }) {
      element.hidden = moves.length === 0;
      const ends = [cursor === 0, cursor === 0, cursor === moves.length, cursor === moves.length];
      buttons.forEach((one, index) => one.setAttribute("aria-disabled", String(ends[index])));
    },
  };
}
