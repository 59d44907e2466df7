/**
 * The games that were played, in the browser. A game is there from its first move on, so a new
 * one never destroys another.
 */
import { boardOf, emptyLine, movesText, parseMoves, parseSize, sizeText } from "./rules.js";
import { load, save } from "./store.js";

const KEPT = 300;

export const loadGames = () => load("games", []).filter((game) => parseSize(game.size) && game.moves);

/** What is kept of a game. */
function entryOf({ id, started, line, opponent, level, seed, you, resigned, series }, result) {
  return {
    id, started, size: sizeText(line.size), moves: movesText(line.moves),
    opponent, level, seed, you, resigned, series, result,
  };
}

/** The game of an entry, as the play view has it. */
export function gameOf(entry) {
  const { id, started, opponent, level, seed, you, resigned, series } = entry;
  return { id, started, opponent, level, seed, you, resigned, series, line: lineOfEntry(entry) };
}

export function lineOfEntry({ size: text, moves: played }) {
  const size = parseSize(text);
  const moves = parseMoves(boardOf(size, null), played);
  return { ...emptyLine(size), moves, cursor: moves.length };
}

/** Keeps the game that is being played whenever it changes. */
export function keepGames(store, resultOf) {
  let [line, resigned] = [store.state.play.line, store.state.play.resigned];
  store.subscribe(({ play, games }) => {
    if (play.line.moves === line.moves && play.resigned === resigned) return;
    ({ line, resigned } = play);
    const others = games.filter(({ id }) => id !== play.id);
    const kept = play.line.moves.length > 0 ? [entryOf(play, resultOf(play)), ...others] : others;
    store.update({ games: kept.slice(0, KEPT) });
    save("games", kept.slice(0, KEPT));
  });
}
