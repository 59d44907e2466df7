/** The moves of a line, in rows of two, with their marks. */
import { h, svg } from "./dom.js";
import { nameOf } from "./rules.js";
import { say } from "./texts.js";
import { SIGNS, turnText } from "./words.js";

export function createMoveList(goTo) {
  const element = h("ol", { class: "moves", "aria-label": say("moves.label") });
  let drawn = { moves: null, grades: null };

  function build(line, first, grades) {
    const buttons = line.moves.map((column, index) => {
      const grade = grades?.[index] ?? "";
      const title = grade && say(`grade.${grade}`);
      const side = (first + index) % 2;
      return h("button", {
        type: "button", class: `move ${grade}`, "aria-label": [say("moves.move", { number: index + 1, column: nameOf(column) }), title].filter(Boolean).join(", "),
        title: title || null, onclick: () => goTo(index + 1),
      }, h("i", { class: `dot ${["first", "second"][side]}` }), nameOf(column), grade && h("b", { "data-sign": SIGNS[grade] }));
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

/** Buttons that step through a line; keys and the moves themselves go further. */
export function createStepper(steps) {
  const buttons = [["back", "M17 5v14L6 12z", "←"], ["on", "M7 5v14l11-7z", "→"]].map(([name, path, key]) => {
    const label = say(`steps.${name}`);
    return h("button", { type: "button", "aria-label": label, title: `${label} (${key})`, onclick: steps[name] },
      svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path })));
  });
  const element = h("div", { class: "stepper", role: "group", "aria-label": say("steps.label") }, buttons);
  return {
    element,
    draw({ cursor, moves }) {
      element.hidden = moves.length === 0;
      const ends = [cursor === 0, cursor === moves.length];
      buttons.forEach((one, index) => one.setAttribute("aria-disabled", String(ends[index])));
    },
  };
}
