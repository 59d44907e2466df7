/**
 * Learning from mistakes: the positions of a reviewed game in which a person could have seen
 * something better, to find a better move, and to see what follows the one that was played.
 */
import { gradeOf, gradesOf } from "./grade.js";
import { boardAt, nameOf, questionAt, resultOf, stones } from "./rules.js";
import { say } from "./texts.js";
import { columnVerdict, moveVerdict, sideNames } from "./words.js";

/** The numbers of the blunders and mistakes, of one side or of both: the worst first. */
export const mistakesOf = (grades, first, side = null) => ["blunder", "mistake"].flatMap((wanted) =>
  grades.flatMap((grade, index) => (grade === wanted && (side === null || (first + index) % 2 === side) ? [index] : [])));

/** For a game without mistakes. */
function praise(review, first, side) {
  const own = review.moves.filter((_, index) => side === null || (first + index) % 2 === side);
  const best = own.filter(({ mark }) => mark === "best").length;
  return say(best === own.length ? "coach.flawless" : "coach.fair", { best, count: own.length });
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
    const { game, review, grades, mistakes, first } = now();
    if (at >= mistakes.length) return change({ at, status: "done", message: say("coach.score", { count: now().found.length, all: mistakes.length }) });
    const cursor = mistakes[at];
    const side = sideNames(store.state.settings)[(first + cursor) % 2];
    const { column } = review.moves[cursor];
    change({ at, cursor, status: "try", tried: null, message: say("coach.task", { side, column: nameOf(column), grade: say(`grade.${grades[cursor]}`) }) });
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
    change({ status: "looking", message: say("coach.looking") });
    const report = await evaluator.reportOf(questionAt({ ...coach.game, cursor: coach.cursor })).catch(() => null);
    if (!still(coach)) return;
    const made = report?.moves[column];
    if (!made) return change({ status: "try", message: say("coach.no-report") });
    const verdict = columnVerdict(column, made);
    if (["blunder", "mistake"].includes(gradeOf(report, made))) return change({ status: "try", tried: column, message: say("solve.again", { verdict }) });
    const better = report.best.includes(column) ? "" : ` ${say("coach.better", { column: nameOf(report.best[0]), verdict: moveVerdict(report) })}`;
    change({ status: "right", found: [...new Set([...coach.found, coach.cursor])], message: say("coach.right", { verdict }) + better });
    analysis.turnTo(lineAfter(column), { game: coach.game });
  }

  return {
    /** Begins with the mistakes of a side, or of both; the game must have been reviewed. */
    begin(side = null) {
      const { line, game: main, review } = store.state.analyse;
      const game = main ?? line;
      const first = stones(boardAt(game, 0)) % 2;
      const grades = gradesOf(review);
      const mistakes = mistakesOf(grades, first, side);
      store.update({ coach: { game, review, grades, first, mistakes, at: 0, cursor: 0, found: [], status: "done", tried: null, message: praise(review, first, side) } });
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
      change({ status: "looking", message: say("coach.refuting") });
      try {
        const over = resultOf(boardAt(after)) !== null;
        const line = over ? [] : await engine.line(questionAt(after));
        if (!still(coach)) return;
        change({ status: "refuted", message: say("coach.refuted", { column: nameOf(column) }) });
        analysis.turnTo(lineAfter(column, line), { game: coach.game });
      } catch (error) {
        if (still(coach)) change({ status: "try", message: error.message });
      }
    },
    async solution() {
      const coach = now();
      change({ status: "shown", message: say("coach.perfect") });
      analysis.turnTo({ ...coach.game, cursor: coach.cursor }, { game: null });
      await analysis.perfect(coach.cursor);
    },
  };
}
