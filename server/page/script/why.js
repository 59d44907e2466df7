/** Why perfect play from the position on the board ends as it does: one picture at a time, when somebody asks. */
import { button, h, setText } from "./dom.js";
import { boardAt, nameOf, questionAt, sideToMove, winningCells, winningLineAt } from "./rules.js";
import { sideNames } from "./store.js";
import { boardKey, lineOf, NO_REASON, shownReason } from "./views.js";
import { wayOf } from "./words.js";

const top = (board, column) => ({ column, row: board.columns[column].length });

/** What has to be played at once: the soonest end comes first. */
function threatSteps(board, names) {
  const side = sideToMove(board);
  for (const who of [side, 1 - side]) {
    const columns = winningCells(board, who);
    if (columns.length > 0) {
      const line = winningLineAt(board, top(board, columns[0]), who);
      const then = who === side ? "can finish it now" : columns.length > 1 ? "can finish it in two columns" : `has to be stopped in column ${nameOf(columns[0])}`;
      return [{ text: `${names[who]} has three ${wayOf(line)}, and ${then}.`, fours: [[line[0], line.at(-1)]], cells: columns.map((column) => top(board, column)) }];
    }
  }
  return [];
}

/** The steps of a library's reason, at most three; each has a text and what it marks on the board. */
function stepsOf({ reason, winner, fours, last, threats }, board, names) {
  if (winner === null) return [{ text: "Neither side can force a four: the board fills up.", fours: [], cells: [] }];
  const [name, other] = [names[winner], names[1 - winner]];
  const forced = {
    zugzwang: `${other} runs out of other columns and has to play below ${threats.length > 1 ? "these cells" : "this cell"}.`,
    "double-threat": `${name} gets two such cells at once; ${other} can fill only one.`,
    "stacked-threats": `The cells are one above the other: filling the lower one frees the upper one.`,
  }[reason];
  return [
    ...threatSteps(board, names),
    { text: `${name} will make four ${wayOf(fours[0])}, in the marked cell.`, fours, cells: [last] },
    ...(forced ? [{ text: forced, fours: [], cells: threats }] : []),
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
    set({ key, steps: [{ text: "Looking at the main line…", fours: [], cells: [] }] });
    const names = sideNames(store.state.settings);
    const board = boardAt(line);
    const steps = await engine.explain(questionAt(line), abort.signal)
      .then((found) => stepsOf(found, board, names), (error) => [{ text: error.message, fours: [], cells: [] }]);
    if (!abort.signal.aborted) set({ key, steps });
  }
  const ask = button("Why?", () => {
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
      setText(ask, step.text === "" ? "Why?" : at + 1 < steps.length ? "Next" : "Close");
    },
  };
}
