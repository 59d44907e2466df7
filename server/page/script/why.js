/** Why perfect play from the position on the board ends as it does, when somebody asks. */
import { button, h, setText } from "./dom.js";
import { questionAt } from "./rules.js";
import { sideNames } from "./store.js";
import { boardKey, lineOf } from "./views.js";

/** The library's sentences, with the names of the sides. */
export const withNames = (text, names) => text.replace(/\b[XO]\b/g, (letter) => names["XO".indexOf(letter)]);

export function createWhy(store, engine) {
  let asked = { key: null, text: "", abort: null };
  const ask = button("Why?", async () => {
    const [key, question, abort] = [boardKey(store.state), questionAt(lineOf(store.state)), new AbortController()];
    asked.abort?.abort();
    asked = { key, text: "Looking at the main line…", abort };
    store.update({});
    const text = await engine.explain(question, abort.signal).catch((error) => error.message);
    if (asked.abort !== abort) return;
    asked = { key, text, abort: null };
    store.update({});
  }, { id: "why" });
  const answer = h("p", { id: "why-text", role: "status" });
  return {
    ask, answer,
    draw(state) {
      if (asked.key !== null && asked.key !== boardKey(state)) {
        asked.abort?.abort();
        asked = { key: null, text: "", abort: null };
      }
      setText(answer, withNames(asked.text, sideNames(state.settings)));
    },
  };
}
