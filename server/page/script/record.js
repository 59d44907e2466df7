/** A player's record against each level: results, accuracy of the moves, and the suggested next level. */
import { questionAt, sideToMove, boardAt } from "./rules.js";
import { lineOfEntry } from "./games.js";
import { resultOfGame } from "./play.js";
import { LEVELS, load, save } from "./store.js";

/** The last games at a level that decide what is suggested. */
const RECENT = 5;
const ENOUGH = 3;

const isCounted = ({ opponent, base, from, result }) => opponent === "computer" && base === null && !from && result !== null;
const pointsFor = ({ result, you }) => (result === "draw" ? 0.5 : result === you ? 1 : 0);

/** The results of games: how many were won, drawn and lost, and the share of moves that kept the result. */
function tally(games, accuracies) {
  const results = games.map(pointsFor);
  const known = games.map(({ id }) => accuracies[id]).filter(Boolean);
  const [kept, all] = [0, 1].map((place) => known.reduce((sum, one) => sum + one[place], 0));
  return {
    results: [1, 0.5, 0].map((points) => results.filter((one) => one === points).length),
    accuracy: all === 0 ? null : kept / all,
  };
}

/** The levels that were played, each with the results as the first and the second player. */
export function recordOf(games, accuracies) {
  const counted = games.filter(isCounted);
  return LEVELS.map((level) => {
    const own = counted.filter((game) => game.level === level);
    return { level, games: own.length, sides: [0, 1].map((side) => tally(own.filter(({ you }) => you === side), accuracies)) };
  }).filter(({ games: number }) => number > 0);
}

/** The level to play next, and why: it follows from the last games at the level played last. */
export function suggestionOf(games) {
  const counted = games.filter(isCounted);
  if (counted.length === 0) return null;
  const { level } = counted[0];
  const recent = counted.filter((game) => game.level === level).slice(0, RECENT);
  if (recent.length < ENOUGH) return null;
  const points = recent.reduce((sum, game) => sum + pointsFor(game), 0);
  const share = points / recent.length;
  const way = share >= 0.7 ? 1 : share <= 0.2 ? -1 : 0;
  const next = LEVELS[LEVELS.indexOf(level) + way];
  return way === 0 || !next ? null : { level, next, points, games: recent.length };
}

export const loadAccuracies = () => load("accuracy", {});

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
  let looking = null;
  async function look(play) {
    const abort = new AbortController();
    looking = { id: play.id, abort };
    const review = await engine.review(questionAt(play.line, play.line.moves.length), abort.signal).catch(() => null);
    if (!review || abort.signal.aborted) return;
    const all = loadAccuracies();
    all[play.id] = keptMoves(review, sideToMove(boardAt(play.line, 0)), play.you);
    const known = new Set(store.state.games.map(({ id }) => id));
    save("accuracy", Object.fromEntries(Object.entries(all).filter(([id]) => known.has(id))));
    // The panel that shows them reads them again.
    store.update(({ games }) => ({ games: [...games] }));
  }
  store.subscribe(({ play }) => {
    const isOver = play.opponent === "computer" && play.line.base === null && resultOfGame(play) !== null;
    if (looking && (looking.id !== play.id || !isOver)) {
      looking.abort.abort();
      looking = null;
    }
    if (isOver && !looking && !(play.id in loadAccuracies())) look(play);
  });
}

/** The line of a game that was kept, as its thumbnail shows it. */
export const boardOfEntry = (entry) => boardAt(lineOfEntry(entry));
