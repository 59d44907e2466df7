/** A player's record against each level: results, accuracy of the moves, and the suggested next level. */
import { keepAccuracy, resultOfEntry } from "./games.js";
import { resultOfGame } from "./play.js";
import { questionAt, sideToMove, boardAt } from "./rules.js";
import { LEVELS } from "./store.js";

/** The last games at a level that decide what is suggested. */
const RECENT = 5;
const ENOUGH = 3;

/** Whole games against the computer, with the points that they brought. */
const countedOf = (games) => games.filter(({ opponent, base, from }) => opponent === "computer" && base === null && from === 0)
  .map((entry) => ({ ...entry, result: resultOfEntry(entry) })).filter(({ result }) => result !== null)
  .map((entry) => ({ ...entry, points: entry.result === "draw" ? 0.5 : entry.result === entry.you ? 1 : 0 }));

/** The results of games: how many were won, drawn and lost, and the share of moves that kept the result. */
function tally(games) {
  const known = games.flatMap(({ accuracy }) => (accuracy ? [accuracy] : []));
  const [kept, all] = [0, 1].map((place) => known.reduce((sum, accuracy) => sum + accuracy[place], 0));
  return {
    results: [1, 0.5, 0].map((wanted) => games.filter(({ points }) => points === wanted).length),
    accuracy: all === 0 ? null : kept / all,
  };
}

/** The levels that were played, each with the results as the first and the second player. */
export function recordOf(games) {
  const counted = countedOf(games);
  return LEVELS.map((level) => {
    const own = counted.filter((game) => game.level === level);
    return { level, games: own.length, sides: [0, 1].map((side) => tally(own.filter(({ you }) => you === side))) };
  }).filter(({ games: number }) => number > 0);
}

/** The level to play next, and why: it follows from the last games at the level played last. */
export function suggestionOf(games) {
  const counted = countedOf(games);
  if (counted.length === 0) return null;
  const { level } = counted[0];
  const recent = counted.filter((game) => game.level === level).slice(0, RECENT);
  if (recent.length < ENOUGH) return null;
  const points = recent.reduce((sum, game) => sum + game.points, 0);
  const share = points / recent.length;
  const next = LEVELS[LEVELS.indexOf(level) + (share >= 0.7 ? 1 : share <= 0.2 ? -1 : 0)];
  return !next || next === level ? null : { level, next, points, games: recent.length };
}

/**
 * The moves of a side in positions that were not lost, and how many of them kept the win or the draw.
 * @returns {[number, number]}
 */
export function keptMoves(review, first, side) {
  const own = review.moves.filter(({ best }, index) => (first + index) % 2 === side && best >= 0);
  return [own.filter(({ mark }) => !mark.endsWith("away")).length, own.length];
}

/** Looks through each game against the computer when it has ended. */
export function followGames(store, engine) {
  let last = null;
  store.subscribe(async ({ play }) => {
    const { id, line, opponent, you } = play;
    if (last?.id === id && last.line.moves === line.moves) return;
    const isOld = last === null;
    last = { id, line };
    if (isOld || opponent !== "computer" || line.base !== null || resultOfGame(play) === null) return;
    const review = await engine.review(questionAt(line, line.moves.length)).catch(() => null);
    if (review) keepAccuracy(id, keptMoves(review, sideToMove(boardAt(line, 0)), you));
  });
}
