/** The line of perfect play from the position on the board. */
import { keyOf, questionAt } from "./rules.js";
import { boardKey, endOf, shownReport } from "./views.js";

export function followLine(store, engine) {
  const known = new Map();
  let asking = null;

  async function ask(line, key) {
    const abort = new AbortController();
    asking = { key, abort };
    // Without a line, the verdict remains.
    if (!known.has(key)) known.set(key, await engine.line(questionAt(line), abort.signal).catch(() => []));
    const best = known.get(key);
    if (abort.signal.aborted) return known.delete(key);
    // The best line of the next position, if its move is made.
    if (best.length > 1) known.set(keyOf(questionAt({ ...line, moves: [...line.moves.slice(0, line.cursor), best[0]] }, line.cursor + 1)), best.slice(1));
    store.update({ best: { key, line: best } });
  }

  store.subscribe((state) => {
    // Once the verdict is known; a search for the line would only delay it.
    const isWanted = state.view === "analyse" && endOf(state) === null && shownReport(state)?.complete;
    const key = isWanted ? boardKey(state) : null;
    if (key === (asking?.key ?? null)) return;
    asking?.abort.abort();
    asking = null;
    if (isWanted) ask(state.analyse.line, key);
  });
}
