/** Lines of perfect play: from the position on the board, and after the move that the pointer or the focus is at. */
import { allows, boardAt, keyOf, questionAt, resultOf, withMove } from "./rules.js";
import { boardKey, endOf, shownReport, showsVerdicts } from "./views.js";

/** Delay in milliseconds, so that a pointer on its way elsewhere makes no request. */
const DELAY = 120;

export function followLooks(store, engine) {
  const known = new Map();
  let [waiting, asking, before] = [null, null, null];

  async function lineFrom(line, signal) {
    if (resultOf(boardAt(line)) !== null) return [];
    const question = questionAt(line);
    const key = keyOf(question);
    if (!known.has(key)) known.set(key, await engine.line(question, signal));
    const found = known.get(key);
    // The best line of the next position, if its move is made.
    if (found.length > 1) known.set(keyOf(questionAt(after(line, found[0]))), found.slice(1));
    return found;
  }

  const after = (line, column) => withMove({ ...line, moves: line.moves.slice(0, line.cursor) }, column);

  async function ask(column, line, signal) {
    // Without a line, the verdict remains.
    if (column === null) {
      const best = await lineFrom(line, signal).catch(() => []);
      if (!signal.aborted) store.update({ best: { key: keyOf(questionAt(line)), line: best } });
      return;
    }
    const found = await lineFrom(after(line, column), signal).then((rest) => [column, ...rest], () => []);
    store.update(({ looked: now, analyse }) => (now.column === column && analyse.line === line ? { looked: { column, line: found } } : null));
  }

  store.subscribe((state) => {
    const { looked: { column }, view, analyse: { line } } = state;
    const isShown = view === "analyse" && endOf(state) === null && showsVerdicts(state);
    // The best line once its verdict is known; its search would only delay the verdict.
    const isWanted = isShown && (column === null ? Boolean(shownReport(state)?.complete) && state.best.key !== boardKey(state) : allows(line, column));
    if (column === before?.column && line === before.line && isWanted === before.isWanted) return;
    before = { column, line, isWanted };
    clearTimeout(waiting);
    asking?.abort();
    if (!isWanted) return;
    asking = new AbortController();
    const { signal } = asking;
    waiting = setTimeout(() => ask(column, line, signal), column === null ? 0 : DELAY);
  });
}
