/** Analysis: stepping through a game and its variations, with the worth of each move. */
import { allows, emptyLine, mirrored, movesText, questionAt, sizeText, withMove } from "./rules.js";
import { commonLength, continuationOf, othersOf } from "./variations.js";
import { addressOf, analysisOf } from "./views.js";

export function createAnalysis(store, engine) {
  let reviewing = null;
  const change = (parts) => store.update(({ analyse }) => ({ analyse: { ...analyse, ...parts } }));
  const now = () => store.state.analyse;

  function stopReview() {
    reviewing?.abort();
    reviewing = null;
  }

  /** Shows another line; the browser goes back to the previous one. */
  function setUp(line) {
    stopReview();
    const { line: last, game, review, others } = now();
    store.update({ analyse: { ...analysisOf(line), before: { line: last, game, review, others } } });
  }

  /** Shows a line of the same tree; the previous one stays in it. */
  function turnTo(line, parts = {}) {
    const { line: left, others } = now();
    change({ ...parts, line, others: othersOf(others, left.moves, line.moves) });
  }

  return {
    setUp,
    move(column) {
      const { line, others, game, review } = now();
      if (!allows(line, column)) return;
      const made = withMove(line, column);
      if (made.moves === line.moves) return change({ line: made });
      stopReview();
      // A move that differs from the game's leaves the game where it was.
      const leaves = line.cursor < line.moves.length;
      const kept = game ?? (leaves && review ? line : null);
      const moves = continuationOf(others, made.moves);
      const isBack = kept !== null && moves === kept.moves;
      turnTo({ ...made, moves }, { game: isBack ? null : kept, review: kept ? review : null, reviewing: false });
    },
    /** Goes on from the position on the board with other moves, of which the first `count` are made. */
    goOn(moves, count) {
      const { line, game, review } = now();
      const { cursor } = line;
      const all = [...line.moves.slice(0, cursor), ...moves];
      const isSame = all.every((column, index) => line.moves[index] === column);
      if (isSame) return change({ line: { ...line, cursor: cursor + count } });
      turnTo({ ...line, moves: all, cursor: cursor + count }, { game: game ?? (review ? line : null) });
    },
    backToGame() {
      const { game } = now();
      if (game) turnTo(game, { game: null });
    },
    /** Shows another line of the tree, at the first move that differs. */
    showLine(moves) {
      const { line, game, review } = now();
      const isGame = game?.moves === moves;
      const cursor = Math.min(commonLength(moves, line.moves) + 1, moves.length);
      turnTo({ ...line, moves, cursor }, { game: isGame ? null : game ?? (review ? line : null) });
    },
    removeLine: (moves) => change({ others: now().others.filter((other) => other !== moves) }),
    /** Shows the game or another line, with help for a person who learns from it. */
    turnTo,
    /** Goes on from a position of the game with other moves. */
    explore(cursor, moves) {
      const { line, game } = now();
      const main = game ?? line;
      const other = { ...main, moves: [...main.moves.slice(0, cursor), ...moves], cursor: Math.min(cursor + 1, cursor + moves.length) };
      turnTo(other, { game: main });
    },
    /** Goes on from before a move of the game as perfect players would. */
    async perfect(cursor) {
      const { line, game } = now();
      const main = game ?? line;
      try {
        const best = await engine.line(questionAt(main, cursor));
        if (now().line === line) this.explore(cursor, best);
      } catch (error) {
        change({ error: error.message });
      }
    },
    stopReview() {
      stopReview();
      change({ reviewing: false });
    },
    mirror: () => setUp(mirrored(now().line)),
    clear: (size) => setUp(emptyLine(size)),
    async review() {
      const { line, game } = now();
      const main = game ?? line;
      stopReview();
      const abort = new AbortController();
      reviewing = abort;
      change({ reviewing: true, error: null });
      try {
        const moves = main.base === null ? movesText(main.moves) : `?${addressOf(main)}`;
        const review = await engine.review({ size: sizeText(main.size), moves }, abort.signal);
        if (!abort.signal.aborted) change({ review, reviewing: false });
      } catch (error) {
        if (!abort.signal.aborted) change({ reviewing: false, error: error.message });
      }
    },
  };
}
