/** Why perfect play from the position on the board ends as it does, when somebody asks. */
import { button, h, setText } from "./dom.js";
import { questionAt } from "./rules.js";
import { sideNames } from "./store.js";
import { boardKey, lineOf, NO_REASON, shownReason } from "./views.js";

/** The library's sentences, with the names of the sides. */
export const withNames = (text, names) => text.replace(/\b[XO]\b/g, (letter) => names["XO".indexOf(letter)]);

export function createWhy(store, engine) {
  let asking = null;
  const ask = button("Why?", async () => {
    const [key, question, abort] = [boardKey(store.state), questionAt(lineOf(store.state)), new AbortController()];
    asking?.abort();
    asking = abort;
    store.update({ why: { ...NO_REASON, key, text: "Looking at the main line…" } });
    const found = await engine.explain(question, abort.signal).catch((error) => ({ text: error.message }));
    if (!abort.signal.aborted) store.update({ why: { ...NO_REASON, ...found, key } });
  }, { id: "why" });
  const answer = h("p", { id: "why-text", role: "status" });
  return {
    ask, answer,
    draw(state) {
      setText(answer, withNames(shownReason(state).text, sideNames(state.settings)));
    },
  };
}
