/** Why perfect play from the position on the board ends as it does: one picture at a time, when somebody asks. */
import { button, h, setText } from "./dom.js";
import { boardAt, nameOf, questionAt, sideToMove, winningCells, winningLineAt } from "./rules.js";
import { say } from "./texts.js";
import { boardKey, lineOf, NO_REASON, shownReason } from "./views.js";
import { sideNames, wayOf } from "./words.js";

const top = (board, column) => ({ column, row: board.columns[column].length });

/** What has to be played at once: the soonest end comes first. */
function threatSteps(board, names) {
  const side = sideToMove(board);
  for (const who of [side, 1 - side]) {
    const columns = winningCells(board, who);
    if (columns.length > 0) {
      const line = winningLineAt(board, top(board, columns[0]), who);
      const text = say(who === side ? "why.now" : columns.length > 1 ? "why.twice" : "why.stop", { side: names[who], way: wayOf(line), column: nameOf(columns[0]) });
      return [{ text, fours: [[line[0], line.at(-1)]], cells: columns.map((column) => top(board, column)) }];
    }
  }
  return [];
}

/** The reasons that have a text. */
const REASONS = ["zugzwang", "double-threat", "stacked-threats"];

/** The steps of a library's reason, at most three; each has a text and what it marks on the board. */
function stepsOf({ reason, winner, fours, last, threats }, board, names) {
  if (winner === null) return [{ text: say("why.draw"), fours: [], cells: [] }];
  const side = names[winner];
  return [
    ...threatSteps(board, names),
    { text: say("why.four", { side, way: wayOf(fours[0]) }), fours, cells: [last] },
    ...(REASONS.includes(reason) ? [{ text: say(`why.${reason}`, { side, other: names[1 - winner], count: threats.length }), fours: [], cells: threats }] : []),
  ].slice(0, 3);
}

export function createWhy(store, engine) {
  let asking = null;
  const set = (why) => store.update({ why: { ...NO_REASON, ...why } });
  async function begin(key) {
    const line = lineOf(store.state);
    const abort = new AbortController();
    asking?.abort();
    asking = abort;
    set({ key, steps: [{ text: say("why.looking"), fours: [], cells: [] }] });
    const names = sideNames(store.state.settings);
    const board = boardAt(line);
    const steps = await engine.explain(questionAt(line), abort.signal)
      .then((found) => stepsOf(found, board, names), (error) => [{ text: error.message, fours: [], cells: [] }]);
    if (!abort.signal.aborted) set({ key, steps });
  }
  const ask = button(say("why.ask"), () => {
    const { why } = store.state;
    const key = boardKey(store.state);
    if (why.key !== key) begin(key);
    else if (why.at + 1 < why.steps.length) set({ ...why, at: why.at + 1 });
    else set({});
  }, { id: "why" });
  const answer = h("p", { id: "why-text", role: "status" });
  // The next tap elsewhere dismisses it, as Esc does.
  document.addEventListener("click", ({ target }) => !ask.contains(target) && store.state.why.key !== null && set({}));
  return {
    ask, answer,
    draw(state) {
      const { at, steps } = state.why;
      const step = shownReason(state);
      setText(answer, step.text);
      setText(ask, say(step.text === "" ? "why.ask" : at + 1 < steps.length ? "do.next" : "do.close"));
    },
  };
}
