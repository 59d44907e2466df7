/**
 * Learning from mistakes: each position of a reviewed game in which a win or a draw was thrown
 * away, to find a better move, and to see what refutes the one that was played.
 */
import { boardAt, nameOf, questionAt, resultOf, stones } from "./rules.js";
import { sideNames } from "./store.js";
import { movesToEnd, moveVerdict, plural } from "./words.js";

const CLASS = { win: 2, draw: 1, loss: 0 };
const isMistake = ({ mark }) => mark.endsWith("away");

/** The numbers of the moves that threw a win or a draw away, of one side or of both. */
export const mistakesOf = (review, first, side = null) =>
  review.moves.map((_, index) => index).filter((index) => isMistake(review.moves[index]) && (side === null || (first + index) % 2 === side));

/** For a game in which nothing was thrown away. */
function praise(review, first, side) {
  const own = review.moves.filter((_, index) => side === null || (first + index) % 2 === side);
  const best = own.filter(({ mark }) => mark === "best").length;
  return best === own.length ? `Flawless: ${best} of ${best} moves were best.` : `No move threw a win or a draw away; ${best} of ${own.length} were best.`;
}

export function createCoach(store, { engine, evaluator, analysis }) {
  const change = (parts) => store.update(({ coach }) => (coach ? { coach: { ...coach, ...parts } } : null));
  const now = () => store.state.coach;
  /** Whether the player is still at the same mistake. */
  const still = ({ review, at }) => now()?.review === review && now().at === at;

  // Another game does not have these mistakes.
  store.subscribe(({ coach, analyse }) => {
    if (coach && analyse.review !== coach.review) store.update({ coach: null });
  });

  function go(at) {
    const { game, review, mistakes, first } = now();
    if (at >= mistakes.length) return change({ at, status: "done", message: `${plural(now().found.length, "mistake")} of ${mistakes.length} put right.` });
    const cursor = mistakes[at];
    const side = sideNames(store.state.settings)[(first + cursor) % 2];
    const { column, mark } = review.moves[cursor];
    const what = mark === "win-thrown-away" ? "a win" : "a draw";
    change({ at, cursor, status: "try", tried: null, message: `${side} played column ${nameOf(column)}, which throws ${what} away. Find a better move.` });
    analysis.turnTo({ ...game, cursor }, { game: null });
  }

  /** The line of the game to the mistake, and then another move. */
  function lineAfter(column, more = []) {
    const { game, cursor } = now();
    return { ...game, moves: [...game.moves.slice(0, cursor), column, ...more], cursor: cursor + 1 };
  }

  async function move(column) {
    const coach = now();
    if (coach.status !== "try") return;
    change({ status: "looking", message: "Looking at your move…" });
    const report = await evaluator.reportOf(questionAt({ ...coach.game, cursor: coach.cursor })).catch(() => null);
    if (!still(coach)) return;
    const made = report?.moves[column];
    if (!made) return change({ status: "try", message: "The move could not be looked up; try again." });
    const verdict = `Column ${nameOf(column)} ${made.outcome === "draw" ? "only draws" : moveVerdict(made)}`;
    if (CLASS[made.outcome] < CLASS[report.outcome]) return change({ status: "try", tried: column, message: `${verdict}. Try again.` });
    const soonest = report.best.includes(column) ? "" : ` Column ${nameOf(report.best[0])} wins sooner, in ${movesToEnd(report.plies)}.`;
    const right = made.outcome === "draw" ? `Column ${nameOf(column)} keeps the draw` : verdict;
    change({ status: "right", found: [...new Set([...coach.found, coach.cursor])], message: `Right. ${right}.${soonest}` });
    analysis.turnTo(lineAfter(column), { game: coach.game });
  }

  return {
    /** Begins with the mistakes of a side, or of both; the game must have been reviewed. */
    begin(side = null) {
      const { line, game: main, review } = store.state.analyse;
      const game = main ?? line;
      const first = stones(boardAt(game, 0)) % 2;
      const mistakes = mistakesOf(review, first, side);
      store.update({ coach: { game, review, first, mistakes, at: 0, cursor: 0, found: [], status: "done", tried: null, message: praise(review, first, side) } });
      if (mistakes.length > 0) go(0);
    },
    move,
    next: () => go(now().at + 1),
    again: () => go(now().at),
    end: () => store.update({ coach: null }),
    /** The line of perfect play after the last tried move, or else after the game's. */
    async refute() {
      const coach = now();
      const column = coach.tried ?? coach.review.moves[coach.cursor].column;
      const after = lineAfter(column);
      change({ status: "looking", message: "Looking for the refutation…" });
      try {
        const over = resultOf(boardAt(after)) !== null;
        const { line, text } = over ? { line: [], text: "" } : await engine.explain(questionAt(after));
        if (!still(coach)) return;
        change({ status: "refuted", message: `After column ${nameOf(column)}, step through what follows. ${text}` });
        analysis.turnTo(lineAfter(column, line), { game: coach.game });
      } catch (error) {
        if (still(coach)) change({ status: "try", message: error.message });
      }
    },
    async solution() {
      const coach = now();
      change({ status: "shown", message: "This is perfect play; step through it." });
      analysis.turnTo({ ...coach.game, cursor: coach.cursor }, { game: null });
      await analysis.perfect(coach.cursor);
    },
  };
}
