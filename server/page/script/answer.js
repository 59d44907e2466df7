/** Under the board while analysing: whose turn it is, who wins and how soon, why, and the best line as moves to click. */
import { button, h, setText } from "./dom.js";
import { boardAt, canPlay, nameOf, sideToMove } from "./rules.js";
import { say } from "./texts.js";
import { bestOf, coachAsks, endOf, shownReport } from "./views.js";
import { createWhy } from "./why.js";
import { boundsText, moveVerdict, resultText, sideNames, solvingText, turnVerdict } from "./words.js";

/** The text for a failed search, with the bounds that it proved. */
function failureOf({ message, bounds }, side, names) {
  return bounds ? `${message} ${boundsText(bounds, [names[side], names[1 - side]])}` : message;
}

/** How far the search of a position is: how many of its moves are solved, and the best of them. */
function createProgress() {
  const bar = h("progress", { "aria-label": say("answer.progress") });
  const text = h("p", { class: "soft", id: "solved" });
  return {
    elements: [bar, text],
    draw(report, board, { slow, error, guess }) {
      const all = board.columns.filter((_, column) => canPlay(board, column)).length;
      const known = (report?.moves ?? []).map((move, column) => ({ ...move, column })).filter(({ outcome }) => outcome);
      const isShown = !report?.complete && (slow > 0 || guess !== null || (error !== null && known.length > 0));
      bar.hidden = text.hidden = !isShown;
      bar.max = all;
      bar.value = known.length;
      const best = known.sort((a, b) => b.score - a.score)[0];
      const ofThem = best && say("answer.best-of-them", { column: nameOf(best.column), verdict: moveVerdict(best) });
      const other = guess !== null && best?.outcome !== "win" && say("hint.known", { column: nameOf(guess) });
      setText(text, [say("answer.solved", { known: known.length, all }), ofThem, other].filter(Boolean).join(" "));
    },
  };
}

/** Moves of the line that are shown at first. */
const SHOWN = 4;

/** The line of perfect play; `goOn` gets it and the number of its moves to make, `look` the moves to show. */
function createLine(goOn, look) {
  const label = h("span", { class: "soft" }, say("answer.line"));
  const list = h("ol", { class: "line-moves" });
  const more = button("…", () => {
    list.append(...moves.splice(0));
    more.hidden = true;
  }, { class: "move", "aria-label": say("answer.whole-line") });
  const element = h("div", { class: "best-line" }, label, list, more);
  let drawn = null;
  let moves = [];
  return {
    element,
    draw(line, side, names) {
      element.hidden = line.length === 0;
      const text = `${line} ${side} ${names}`;
      if (drawn === text) return;
      drawn = text;
      moves = line.map((column, index) => {
        const mover = (side + index) % 2;
        const made = button([h("i", { class: `dot ${["first", "second"][mover]}` }), nameOf(column)], () => goOn(line, index + 1),
          { class: "move", "aria-label": say("answer.move", { side: names[mover], column: nameOf(column) }) });
        for (const type of ["pointerenter", "focus"]) made.addEventListener(type, () => look(line.slice(0, index + 1)));
        for (const type of ["pointerleave", "blur", "click"]) made.addEventListener(type, () => look([]));
        return h("li", {}, made);
      });
      list.replaceChildren(...moves.splice(0, SHOWN));
      more.hidden = moves.length === 0;
    },
  };
}

export function createAnswer(store, { engine, evaluator, goOn, look }) {
  const dot = h("i", { class: "dot" });
  const headline = h("p", { class: "headline", id: "verdict" });
  const source = h("p", { class: "soft", id: "source" });
  const spinner = h("span", { class: "spinner", "aria-hidden": "true" });
  const retry = button(say("do.retry"), evaluator.retry, { id: "retry" });
  const stop = button(say("do.stop"), evaluator.stop, { id: "stop" });
  const why = createWhy(store, engine);
  const line = createLine(goOn, look);
  const progress = createProgress();
  const element = h("div", { class: "card answer" },
    h("div", { class: "line" }, dot, headline, spinner, retry, stop, why.ask), source, ...progress.elements, why.answer, line.element);
  return {
    element,
    draw(state) {
      const { evaluation, settings, analyse } = state;
      const names = sideNames(settings);
      const board = boardAt(analyse.line);
      const side = sideToMove(board);
      const end = endOf(state);
      const report = shownReport(state);
      const isOpen = end === null;
      dot.className = `dot ${["first", "second"][isOpen ? side : end] ?? ""}`;
      dot.hidden = end === "draw";
      setText(headline, isOpen ? turnVerdict(report, side, names) : `${resultText(end, names)}.`);
      const solving = evaluation.waiting && isOpen;
      spinner.hidden = !solving;
      setText(source, !isOpen ? "" : evaluation.error ? failureOf(evaluation.error, side, names) : solving ? solvingText(evaluation) : "");
      progress.draw(report, board, evaluation);
      stop.hidden = !(solving && evaluation.slow);
      retry.hidden = !(evaluation.error?.canRetry && isOpen);
      element.hidden = coachAsks(state);
      line.draw(isOpen && report ? bestOf(state) : [], side, names);
      why.draw(state);
      why.ask.hidden = !isOpen || !report?.outcome;
    },
  };
}
