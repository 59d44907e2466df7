/** The line of perfect play after the move that the pointer or the focus is at. */
import { allows, boardAt, keyOf, questionAt, resultOf, withMove } from "./rules.js";
import { endOf, showsVerdicts } from "./views.js";

/** Delay in milliseconds, so that a pointer on its way elsewhere makes no request. */
const DELAY = 120;

export function followLooks(store, engine) {
  const known = new Map();
  let [waiting, asking, before] = [null, null, null];

  /** The move and what follows it. */
  async function find(line, column, signal) {
    const next = withMove({ ...line, moves: line.moves.slice(0, line.cursor) }, column);
    if (resultOf(boardAt(next)) !== null) return [column];
    const question = questionAt(next);
    const key = keyOf(question);
    if (!known.has(key)) known.set(key, await engine.line(question, signal));
    return [column, ...known.get(key)];
  }

  store.subscribe((state) => {
    const { looked, view, analyse: { line } } = state;
    if (looked.column === before?.column && line === before.line && view === before.view) return;
    before = { column: looked.column, line, view };
    clearTimeout(waiting);
    asking?.abort();
    const { column } = looked;
    if (column === null || view !== "analyse" || !showsVerdicts(state) || endOf(state) !== null || !allows(line, column)) return;
    asking = new AbortController();
    const { signal } = asking;
    waiting = setTimeout(async () => {
      // Without a line, the move's verdict remains.
      const found = await find(line, column, signal).catch(() => []);
      store.update(({ looked: now, analyse }) => (now.column === column && analyse.line === line ? { looked: { column, line: found } } : null));
    }, DELAY);
  });
}
