/** Why perfect play from the position on the board ends as it does, when somebody asks. */
import { button, enable, h, setText } from "./dom.js";
import { keyOf, questionAt } from "./rules.js";
import { sideNames } from "./store.js";
import { boardKey, lineOf, NO_REASON, shownReason } from "./views.js";

/** The library's sentences, with the names of the sides. */
export const withNames = (text, names) => text.replace(/\b[XO]\b/g, (letter) => names["XO".indexOf(letter)]);

/** `goOn` gets the rest of the reason's line and the number of its moves to make. */
export function createWhy(store, engine, goOn) {
  let asking = null;
  const ask = button("Why?", async () => {
    const [line, abort] = [lineOf(store.state), new AbortController()];
    const question = questionAt(line);
    asking?.abort();
    asking = abort;
    store.update({ why: { ...NO_REASON, keys: [keyOf(question)], text: "Looking at the main line…" } });
    const found = await engine.explain(question, abort.signal).catch((error) => ({ text: error.message }));
    if (abort.signal.aborted) return;
    const why = { ...NO_REASON, ...found };
    const whole = { ...line, moves: [...line.moves.slice(0, line.cursor), ...why.line] };
    const keys = [null, ...why.line].map((_, count) => keyOf(questionAt(whole, line.cursor + count)));
    store.update({ why: { ...why, keys } });
  }, { id: "why" });
  const answer = h("p", { id: "why-text", role: "status" });
  const step = button("Step through it", () => {
    const { line, keys } = store.state.why;
    goOn(line.slice(keys.indexOf(boardKey(store.state))), 1);
  }, { id: "why-step" });
  return {
    ask, answer, step,
    draw(state) {
      const { text, line, keys } = shownReason(state);
      setText(answer, withNames(text, sideNames(state.settings)));
      step.hidden = line.length === 0;
      enable(step, keys.indexOf(boardKey(state)) < line.length);
    },
  };
}
