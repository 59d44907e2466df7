/** Games with a friend that the server keeps: sends your moves, and brings your friend's. */
import { forget, lineOfEntry } from "./games.js";
import { persist } from "./outage.js";
import { boardAt, movesText, resultOf, sizeText } from "./rules.js";
import { ask, query } from "./server-engine.js";
import { load, save } from "./store.js";

/** Milliseconds until a server that lets nobody wait is asked again. */
const PAUSE = 1000;
const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

/** Waits until the tab is visible: others do not ask the server. */
const visible = () => new Promise((resolve) => {
  if (document.hidden) document.addEventListener("visibilitychange", () => resolve(visible()), { once: true });
  else resolve();
});

/** Asks a busy server again. */
const persistent = (action, signal) => persist(action, signal, ({ canRetry }) => canRetry);

/** The secret by which the server knows the person at this browser. */
function loadToken() {
  const token = load("token", null) ?? [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");
  save("token", token);
  return token;
}

/** Follows the game that is played, if it is one with a friend. */
export function createSharedGames(store) {
  const token = loadToken();
  // The followed game, its state on the server, the moves that were sent, and a lost game.
  let [id, known, sent, lost] = [null, null, null, null];
  let abort = new AbortController();

  const post = (body, signal) =>
    ask("v1/friend", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token, ...body }), signal });
  const wait = (more, signal) => ask(`v1/friend/wait?${query(more)}`, { signal });

  const change = (game, parts) => store.update(({ play }) => play.id === game && { play: { ...play, ...parts(play) } });

  /** Shows a state of the game. A move that the server does not have yet stays, unless it was refused. */
  function take({ side, ...state }, isRefused = false) {
    if (state.game !== id || state.version < known?.version) return;
    known = state;
    change(id, ({ line, you }) => {
      const stays = !isRefused && sizeText(line.size) === state.size && movesText(line.moves).startsWith(state.moves);
      // A new list of moves, so that the browser keeps the game.
      return { you: side === undefined ? you : side && "XO".indexOf(side), line: stays ? { ...line, moves: [...line.moves] } : lineOfEntry(state) };
    });
  }

  async function create({ line, you }) {
    const before = id;
    try {
      const { game } = await post({ size: sizeText(line.size), moves: movesText(line.moves), side: "XO"[you] });
      change(before, (play) => ({ id: game, shared: true, line: { ...play.line, moves: [...play.line.moves] } }));
      forget(before);
    } catch {
      // Too many games: the link holds this one.
      change(before, () => ({ shared: false }));
    }
  }

  async function follow(signal) {
    const game = id;
    const isOver = () => resultOf(boardAt(lineOfEntry(known))) !== null;
    try {
      take(await persistent(() => post({ game }, signal), signal));
      while (!signal.aborted && !isOver()) {
        await visible();
        const { version } = known;
        const next = await persistent(() => wait({ game, version }, signal), signal);
        if (next.version === version) await pause();
        else take(next);
      }
    } catch {
      lose(game, signal);
    }
  }

  async function send(game, moves, signal) {
    try {
      take(await persistent(() => post({ game, moves }, signal), signal));
    } catch {
      // Another tab has moved, or the game is lost.
      await persistent(() => wait({ game }, signal), signal).then((state) => take(state, true), () => lose(game, signal));
    }
  }

  function lose(game, signal) {
    if (signal.aborted) return;
    abort.abort();
    lost = game;
    change(game, () => ({ shared: false }));
  }

  /** The server keeps games from the empty board on. */
  const isAsked = ({ shared, line }) => shared === undefined && line.base === null;

  function sync({ play }) {
    const { opponent, shared, line } = play;
    const moves = movesText(line.moves);
    if (play.id === id) {
      if (shared && known && moves.length > known.moves.length && moves !== sent) send(id, sent = moves, abort.signal);
      return;
    }
    abort.abort();
    abort = new AbortController();
    [id, known, sent] = [play.id, null, null];
    if (opponent !== "friend") return;
    if (shared) follow(abort.signal);
    else if (isAsked(play)) create(play);
  }
  store.subscribe(sync);
  sync(store.state);

  return {
    /** Whether the server is asked to keep the game. */
    isAsked,
    isLost: (play) => play.id === lost,
    /** Whether the other player has not opened the link yet. */
    isAlone: (play) => play.id === id && known?.joined === false,
  };
}
