/** What keys do; `?` shows the list. */
import { columnNamed } from "./rules.js";
import { lineOf } from "./views.js";

/** Keys and the names of what they do, for the list of them. */
export const KEYS = [
  ["1 2 3 …", "column"], ["← →", "step"], ["Home End", "ends"], ["u", "undo"], ["v", "verdicts"], ["t", "threats"], ["h", "hint"], ["n", "next"],
  ["m", "mirror"], ["r", "review"], ["?", "keys"],
];

const ACTIONS = {
  ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", Escape: "dismiss",
  u: "undo", v: "verdicts", t: "threats", h: "hint", n: "next", m: "mirror", r: "review", "?": "keys",
};

/** `choose` gets a column, `act` the name of any other action. */
export function listenToKeys(store, { choose, act }) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select, dialog")) return;
    if (event.key.length === 1 && store.state.settings.keys === "off") return;
    const column = columnNamed(event.key, lineOf(store.state).size.width);
    const action = ACTIONS[event.key];
    if (action) act(action);
    else if (column >= 0) choose(column);
    else return;
    event.preventDefault();
  });
}
