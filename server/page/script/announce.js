/** Tells screen readers what happens on the board. */
import { $, h } from "./dom.js";
import { boardAt, keyOf, nameOf, questionAt } from "./rules.js";
import { sideNames } from "./store.js";
import { endOf, lineOf, shownReport } from "./views.js";
import { positionVerdict, resultText } from "./words.js";

export function announceChanges(store) {
  let before = { view: store.state.view, cursor: 0, key: "", verdict: "", result: null };
  store.subscribe((state) => {
    const line = lineOf(state);
    const names = sideNames(state.settings);
    const key = keyOf(questionAt(line));
    const report = shownReport(state);
    const side = boardAt(line).columns.flat().length % 2;
    const result = endOf(state);
    const verdict = report && report.outcome ? positionVerdict(report, side, names) : "";
    const said = [];
    if (key !== before.key && line.cursor > 0 && state.view === before.view) {
      const column = nameOf(line.moves[line.cursor - 1]);
      said.push(line.cursor === before.cursor + 1 ? `${names[1 - side]} plays column ${column}.` : `Move ${line.cursor}: column ${column}.`);
    }
    if (result !== null && result !== before.result) {
      said.push(`${resultText(result, names, state.view === "play" && state.play.resigned !== null)}.`);
    }
    if (verdict && (verdict !== before.verdict || key !== before.key)) said.push(`${verdict}.`);
    if (said.length > 0) {
      // What is new of the same position is added, so that nothing is overwritten before it is read out.
      if (key !== before.key) $("live").replaceChildren();
      $("live").append(h("span", {}, `${said.join(" ")} `));
    }
    before = { view: state.view, cursor: line.cursor, key, verdict, result };
  });
}
