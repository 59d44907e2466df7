/**
 * The games that were played. The browser keeps each under a name of its own, so tabs never
 * overwrite each other's; a tab also follows the changes of other tabs.
 */
import { boardOf, goTo, movesText, parseMoves, parseSize, sizeText } from "./rules.js";
import { load, loadAll, onOtherTab, remove, save, THIS_TAB } from "./store.js";

const KEPT = 300;
const START = "game.";

const isGame = (game) => parseSize(game?.size) !== null && typeof game.moves === "string";

/** The games that were played, the newest first. */
export const loadGames = () => loadAll(START).filter(isGame).sort((a, b) => b.started.localeCompare(a.started));

/** The stored form of a game. */
function entryOf({ id, started, line, from, opponent, level, seed, you, resigned, series }, result) {
  return {
    id, started, size: sizeText(line.size), base: line.base, moves: movesText(line.moves), from,
    opponent, level, seed, you, resigned, series, result,
  };
}

/** The game of an entry, as the play view has it. */
export function gameOf(entry) {
  const { id, started, from = 0, opponent, level, seed, you, resigned, series } = entry;
  return { id, started, from, opponent, level, seed, you, resigned, series, line: lineOfEntry(entry) };
}

export function lineOfEntry({ size: text, base = null, moves: played }) {
  const size = parseSize(text);
  const moves = parseMoves(boardOf(size, base), played);
  return { size, base, moves, cursor: moves.length };
}

export const forget = (id) => remove(START + id);

/** Remembers the current game, for this tab and for tabs opened later. */
export function keepPlaying(id) {
  save("playing", id, THIS_TAB);
  save("playing", id);
}

/** The entry of a game, or null. */
export function keptGame(id) {
  const entry = load(START + id, null);
  return isGame(entry) ? entry : null;
}

/** The game that this tab played before it was reloaded, or else the last one that was played anywhere. */
export function gameToGoOnWith() {
  return keptGame(load("playing", null, THIS_TAB) ?? load("playing", null));
}

/** Keeps the game that is played whenever it changes, and follows the changes of other tabs. */
export function keepGames(store, { resultOf, follow }) {
  let { line: { moves }, resigned, opponent } = store.state.play;
  // The game of a friend's link is new here.
  if (opponent === "friend") moves = null;

  store.subscribe(({ play }) => {
    if (play.line.moves === moves && play.resigned === resigned) return;
    [moves, resigned] = [play.line.moves, play.resigned];
    if (moves.length === 0 && play.line.base === null && play.opponent !== "friend") {
      forget(play.id);
    } else {
      save(START + play.id, entryOf(play, resultOf(play)));
      keepPlaying(play.id);
    }
    const games = loadGames();
    for (const { id } of games.splice(KEPT)) forget(id);
    store.update({ games });
  });

  onOtherTab((key) => {
    if (!key.startsWith(START)) return;
    store.update({ games: loadGames() });
    const { play } = store.state;
    const entry = keptGame(play.id);
    if (key !== START + play.id || !entry) return;
    const game = gameOf(entry);
    if (movesText(game.line.moves) === movesText(play.line.moves) && game.resigned === play.resigned) return;
    [moves, resigned] = [game.line.moves, game.resigned];
    follow({ ...game, line: goTo(game.line, game.line.moves.length) });
  });
}
