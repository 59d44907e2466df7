/**
 * The games that were played. The browser keeps each under a name of its own, so tabs never
 * overwrite each other's; a tab also follows the changes of other tabs.
 */
import { hasParts, isCount, isText, oneOf } from "./check.js";
import { goTo, lineFrom, movesText, resultOf, boardAt, sizeText } from "./rules.js";
import { keysAfter, LEVELS, load, onOtherTab, OPPONENTS, remove, save, THIS_TAB } from "./store.js";

const KEPT = 1000;
const START = "game.";

const hasFields = hasParts({
  started: isText, from: isCount, opponent: oneOf(...OPPONENTS), level: oneOf(...LEVELS), seed: isCount, you: oneOf(0, 1),
});

export const lineOfEntry = ({ size, base, moves }) => lineFrom(size, base, moves);

/** The entry of a game, or null. */
export const keptGame = (id) => load(START + id, null, (entry) =>
  hasFields(entry) && entry.id === id && entry.from <= lineOfEntry(entry).moves.length);

/** Whether there are other games than one. */
export const hasOthers = (id) => keysAfter(START).some((other) => other !== id);

/** The games that were played, the newest first; the oldest ones beyond a number are forgotten. */
export function loadGames() {
  const games = keysAfter(START).map(keptGame).filter(Boolean).sort((a, b) => (a.started < b.started ? 1 : -1));
  for (const { id } of games.splice(KEPT)) remove(START + id);
  return games;
}

/** The game of an entry, as the play view has it. */
export function gameOf(entry) {
  const { id, started, from, opponent, level, seed, you } = entry;
  return { id, started, from, opponent, level, seed, you, line: lineOfEntry(entry) };
}

/** Remembers the current game, for this tab and for tabs opened later. */
export function keepPlaying(id) {
  save("playing", id, THIS_TAB);
  save("playing", id);
}

/** The game that this tab played before it was reloaded, or else the last one that was played anywhere. */
export function gameToGoOnWith() {
  const id = load("playing", null, isText, THIS_TAB) ?? load("playing", null, isText);
  return id === null ? null : keptGame(id);
}

/** Keeps the accuracy of a game: the moves that kept a win or a draw, and how many could. */
export function keepAccuracy(id, accuracy) {
  const entry = keptGame(id);
  if (entry) save(START + id, { ...entry, accuracy });
}

/** Keeps the game that is played whenever it changes, and follows the changes of other tabs. */
export function keepGames(store, follow) {
  let { line: { moves }, opponent } = store.state.play;
  // The game of a friend's link is new here.
  if (opponent === "friend") moves = null;

  store.subscribe(({ play }) => {
    if (play.line.moves === moves) return;
    const { id, started, line, from, level, seed, you } = play;
    moves = line.moves;
    if (moves.length === 0 && line.base === null && play.opponent !== "friend") return remove(START + id);
    save(START + id, { id, started, size: sizeText(line.size), base: line.base, moves: movesText(moves), from, opponent: play.opponent, level, seed, you });
    keepPlaying(id);
  });

  onOtherTab((key) => {
    const { play } = store.state;
    if (key !== START + play.id) return;
    const entry = keptGame(play.id);
    if (!entry || entry.moves === movesText(play.line.moves)) return;
    const game = gameOf(entry);
    moves = game.line.moves;
    follow({ ...game, line: goTo(game.line, moves.length) });
  });
}

/** The winner of a kept game, "draw", or null if it has not ended. */
export const resultOfEntry = (entry) => resultOf(boardAt(lineOfEntry(entry)));
