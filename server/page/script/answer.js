/** Under the board while analysing: who wins and how soon, why, and the best line as moves to click. */
import { button, enable, h, setText } from "./dom.js";
import { boardAt, canPlay, nameOf, sideToMove } from "./rules.js";
import { sideNames } from "./store.js";
import { bestOf, coachAsks, endOf, shownReport } from "./views.js";
import { createWhy } from "./why.js";
import { boundsText, moveVerdict, positionVerdict, resultText, solvingText, sourceText } from "./words.js";

/** The moves of a line that are shown; the rest follows when one of them is chosen. */
const SHOWN = 12;

/** The text for a failed search, with the bounds that it proved. */
function failureOf({ message, bounds }, side, names) {
  return bounds ? `${message} ${boundsText(bounds, [names[side], names[1 - side]])}` : message;
}

/** How far the search of a position is: how many of its moves are solved, and the best of them. */
function createProgress() {
  const [bar, text] = [h("progress", { "aria-label": "Solved moves" }), h("p", { class: "soft", id: "solved" })];
  return {
    elements: [bar, text],
    draw(report, board, { slow, error, guess }) {
      const all = board.columns.filter((_, column) => canPlay(board, column)).length;
      const known = (report?.moves ?? []).map((move, column) => ({ ...move, column })).filter(({ outcome }) => outcome);
      const isShown = !report?.complete && (slow > 0 || guess !== null || (error !== null && known.length > 0));
      bar.hidden = text.hidden = !isShown;
      [bar.max, bar.value] = [all, known.length];
      const best = known.sort((a, b) => b.score - a.score)[0];
      const ofThem = best ? `; the best of them is column ${nameOf(best.column)}, which ${moveVerdict(best)}` : "";
      const other = guess !== null && best?.outcome !== "win" ? ` The best move known is column ${nameOf(guess)}.` : "";
      setText(text, `${known.length} of ${all} moves solved${ofThem}.${other}`);
    },
  };
}

/** The line of perfect play, or that after the move looked at; `goOn` gets it and the number of its moves to make. */
function createLine(goOn) {
  const label = h("span", { class: "soft" });
  const list = h("ol", { class: "line-moves" });
  let drawn = null;
  return {
    element: h("div", { class: "best-line" }, label, list),
    draw(moves, isLook, side, names) {
      setText(label, moves.length === 0 ? "" : isLook ? "Then" : "Best");
      const text = `${moves} ${side} ${names}`;
      if (drawn === text) return;
      drawn = text;
      list.replaceChildren(...moves.slice(0, SHOWN).map((column, index) => {
        const mover = (side + index) % 2;
        return h("li", {}, button([h("i", { class: `dot ${["first", "second"][mover]}` }), nameOf(column)], () => goOn(moves, index + 1),
          { class: "move", "aria-label": `${names[mover]}, column ${nameOf(column)}` }));
      }), ...(moves.length > SHOWN ? [h("li", { class: "soft" }, `… ${moves.length - SHOWN} more`)] : []));
    },
  };
}

export function createAnswer(store, { engine, evaluator, goOn }) {
  const headline = h("p", { class: "headline", id: "verdict" });
  const source = h("p", { class: "soft", id: "source" });
  const spinner = h("span", { class: "spinner", "aria-hidden": "true" });
  const retry = button("Try again", evaluator.retry, { id: "retry" });
  const stop = button("Stop", evaluator.stop, { id: "stop" });
  const why = createWhy(store, engine, goOn);
  const line = createLine(goOn);
  const progress = createProgress();
  const element = h("div", { class: "card answer" },
    h("div", { class: "line" }, headline, spinner, retry, stop, why.ask), source, ...progress.elements, line.element, why.answer, why.step);
  return {
    element,
    draw(state) {
      const { evaluation, looked, settings, analyse } = state;
      const names = sideNames(settings);
      const side = sideToMove(boardAt(analyse.line));
      const [end, report] = [endOf(state), shownReport(state)];
      const isOpen = end === null;
      setText(headline, !isOpen ? resultText(end, names) : report?.outcome ? positionVerdict(report, side, names) : `${names[side]} to move`);
      headline.title = isOpen && report?.outcome ? sourceText(report) : "";
      const solving = evaluation.waiting && isOpen;
      spinner.hidden = !solving;
      setText(source, !isOpen ? "" : evaluation.error ? failureOf(evaluation.error, side, names) : solving ? solvingText(evaluation) : "");
      progress.draw(report, boardAt(analyse.line), evaluation);
      stop.hidden = !(solving && evaluation.slow);
      retry.hidden = !(evaluation.error?.canRetry && isOpen);
      const isLook = looked.line.length > 0;
      element.hidden = coachAsks(state);
      line.element.hidden = !isOpen || !report;
      line.draw(isLook ? looked.line : bestOf(state), isLook, side, names);
      why.draw(state);
      enable(why.ask, isOpen && Boolean(report?.outcome));
    },
  };
}
