/**
 * Asks the engine about the position on the board, and keeps the answers. The state's
 * `evaluation` is about one position: the known part of its report, whether a search is under way, the
 * share of a download it waits for, its seconds once it takes long, its error, and the move that a
 * player would make all the same.
 */
import { downloaded } from "./download.js";
import { boardAt, canPlay, keyOf, questionAt, resultOf, withMove } from "./rules.js";
import { say } from "./texts.js";
import { endOf, lineOf, NOTHING, showsVerdicts } from "./views.js";

const KEPT = 4000;
/** Answers that come sooner than this are shown without a sign of waiting, in milliseconds. */
export const PATIENCE = 150;
/** Milliseconds after which the page shows that an answer takes long, and offers to stop. */
export const LONG = 4000;

export function createEvaluator(store, engine) {
  const known = new Map();
  let asking = null;

  function keep(key, report) {
    if (!report?.complete) return;
    if (known.size >= KEPT) known.delete(known.keys().next().value);
    known.set(key, report);
  }

  /** The whole report of a position. */
  async function reportOf(question, signal) {
    const key = keyOf(question);
    if (known.has(key)) return known.get(key);
    let last = null;
    for await (const part of engine.report(question, signal)) last = part;
    keep(key, last);
    return last;
  }

  function tell(key, parts) {
    store.update(({ evaluation }) => (evaluation.key === key ? { evaluation: { ...evaluation, ...parts } } : null));
  }

  async function askPosition(question, key, signal) {
    for await (const report of engine.report(question, signal)) {
      if (signal.aborted) return;
      keep(key, report);
      tell(key, { report });
    }
  }

  /** Prepares the positions after each move. */
  async function prepare(line, signal) {
    const board = boardAt(line);
    const after = board.columns.map((_, column) =>
      (canPlay(board, column) ? withMove({ ...line, moves: line.moves.slice(0, line.cursor) }, column) : null));
    const goesOn = after.filter((next) => next !== null && resultOf(boardAt(next)) === null);
    const missing = goesOn.map((next) => questionAt(next)).filter((question) => !known.has(keyOf(question)));
    const reports = await engine.reports(missing, signal);
    missing.forEach((question, index) => keep(keyOf(question), reports[index]));
  }

  async function ask(line, question, key) {
    const abort = new AbortController();
    asking = { key, abort };
    const { signal } = abort;
    const report = known.get(key) ?? null;
    store.update({ evaluation: { ...NOTHING, key, report } });
    const patience = setTimeout(() => tell(key, { waiting: true }), PATIENCE);
    let long = null;
    try {
      await downloaded(engine.ready, question, (download) => tell(key, { download }), signal);
      const begun = performance.now();
      long = signal.aborted ? null : setInterval(() => {
        const spent = performance.now() - begun;
        if (spent >= LONG && !store.state.unreachable) tell(key, { slow: Math.round(spent / 1000) });
      }, 1000);
      if (!report) await askPosition(question, key, signal);
      clearTimeout(patience);
      clearInterval(long);
      tell(key, { waiting: false, slow: 0 });
      if (store.state.view === "analyse" && !signal.aborted) await prepare(line, signal);
    } catch (error) {
      if (signal.aborted) return;
      clearInterval(long);
      tell(key, { waiting: false, slow: 0, error: { message: error.message, canRetry: error.canRetry ?? true, bounds: error.bounds } });
      if (error.bounds) await engine.move(question, "perfect", 0, signal).then(({ column }) => tell(key, { guess: column }), () => {});
    } finally {
      clearTimeout(patience);
      clearInterval(long);
      if (!signal.aborted) tell(key, { waiting: false, slow: 0 });
    }
  }

  function follow(state) {
    const wanted = showsVerdicts(state) && endOf(state) === null;
    const line = lineOf(state);
    const question = wanted ? questionAt(line) : null;
    const key = wanted ? keyOf(question) : null;
    if (key === (asking?.key ?? null)) return;
    asking?.abort.abort();
    asking = null;
    if (wanted) ask(line, question, key);
    else store.update({ evaluation: NOTHING });
  }

  store.subscribe(follow);
  return {
    reportOf,
    keep,
    /** Stops the search. */
    stop() {
      if (!asking) return;
      asking.abort.abort();
      tell(asking.key, { waiting: false, slow: 0, error: { message: say("wait.stopped"), canRetry: true } });
    },
    /** Asks again after something went wrong. */
    retry() {
      asking?.abort.abort();
      asking = null;
      follow(store.state);
    },
  };
}
