/** Playing against the computer at a level, two people at one board, or a friend with a link. */
import { downloaded } from "./download.js";
import { gameOf, gameToGoOnWith, keepPlaying, keptGame } from "./games.js";
import { gradeOf } from "./grade.js";
import { bring } from "./outage.js";
import { allows, atEnd, boardAt, emptyLine, goTo, movesText, nameOf, parseSize, questionAt, resultOf, sideToMove, sizeText, withMove } from "./rules.js";
import { changeSettings } from "./store.js";
import { say } from "./texts.js";
import { isYourTurn } from "./views.js";

/** The computer waits this many milliseconds, until the player's own stone has fallen. */
const PAUSE = 450;
/** How long a move waits for its warning, in milliseconds. */
const WARNING_PATIENCE = 3000;
/** How long a hint waits for exact scores, in milliseconds. */
const HINT_PATIENCE = 6000;

const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** State of the moment, not of the game. */
const IDLE = { thinking: false, download: null, unproved: null, checking: false, warning: null, hint: null, error: null };

/**
 * A game that has not begun, from the empty board or from a line. `you` is the side of the first
 * person, and `from` the number of moves that were made before.
 */
function gameWith({ opponent, level, begins, size }, start = null) {
  const line = start ?? emptyLine(parseSize(size));
  const next = sideToMove(boardAt(line));
  const you = begins === "me" ? next : begins === "other" ? 1 - next : randomSeed() % 2;
  return {
    id: crypto.randomUUID?.() ?? `${Date.now()}-${randomSeed()}`,
    started: new Date().toISOString(),
    line, from: line.moves.length,
    opponent, level, you, seed: randomSeed(),
    ...IDLE,
  };
}

/** The result: the winning side, "draw", or null. */
export const resultOfGame = ({ line }) => resultOf(boardAt(line, line.moves.length));

/** The game to resume: the last one, unless it has ended. */
export function firstGame(settings) {
  const last = gameToGoOnWith();
  const game = last && { ...gameOf(last), ...IDLE };
  return game && resultOfGame(game) === null ? game : gameWith(settings.newGame);
}

/** The game of a friend's link: the kept one, unless the link goes further. In a new game it is your turn. */
export function gameOfLink({ friend: id, line }, { newGame }) {
  const kept = keptGame(id);
  const game = kept ? gameOf(kept) : { ...gameWith({ ...newGame, opponent: "friend", begins: "me" }, line), id, from: 0 };
  const isOld = movesText(game.line.moves).startsWith(movesText(line.moves));
  return { ...game, ...IDLE, line: isOld ? game.line : line };
}

/** Whether a game began with stones on the board. */
export const isFromPosition = ({ line, from }) => line.base !== null || from > 0;

/** How many moves are left after taking back a move; null if there is none. */
export function lengthBefore({ line, from, opponent, you }) {
  let left = line.moves.length - 1;
  const isYours = () => sideToMove(boardAt(line, left)) === you;
  // Against the computer, back to the person's own last turn; a friend's move stays.
  while (opponent === "computer" && left >= from && !isYours()) left--;
  return left >= from && (opponent !== "friend" || isYours()) ? left : null;
}

/** `ready` and `chooseMove` are the engine's, `reportOf` the evaluator's. */
export function createPlay(store, { ready, chooseMove, reportOf }) {
  let thinking = null;
  // A request on behalf of the person: for a hint, or for a warning about a move.
  let asking = null;
  const change = (parts) => store.update(({ play }) => ({ play: { ...play, ...parts } }));

  /** Waits for the computer, whose download the state shows; no time limit begins before. */
  const loaded = (question, signal) => downloaded(ready, question, (download) => change({ download }), signal);

  function stop() {
    thinking?.abort();
    asking?.abort();
    thinking = asking = null;
  }

  function ask() {
    asking?.abort();
    asking = new AbortController();
    return asking;
  }

  function set(game) {
    stop();
    store.update({ play: game });
    keepPlaying(game.id);
  }

  async function think() {
    const { line, level, seed } = store.state.play;
    const abort = new AbortController();
    thinking = abort;
    change({ thinking: true, error: null });
    const question = questionAt(line, line.moves.length);
    const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
    try {
      await loaded(question, abort.signal);
      if (abort.signal.aborted) return;
      const { column, proved } = await chooseMove(question, level, seed, abort.signal);
      await pause;
      if (abort.signal.aborted) return;
      const now = goTo(store.state.play.line, line.moves.length);
      thinking = null;
      change({ line: withMove(now, column), thinking: false, unproved: proved ? null : {} });
    } catch (error) {
      if (abort.signal.aborted) return;
      thinking = null;
      change({ thinking: false, error: { message: error.message, canRetry: error.canRetry ?? true } });
    }
  }

  store.subscribe(({ play }) => {
    if (play.opponent === "computer" && !thinking && !play.error && !isYourTurn(play) && resultOfGame(play) === null) think();
  });

  /** What a bad move does, in the words of `warningText`; null for a fair one. */
  async function warningOf(line, column) {
    const abort = ask();
    const question = questionAt(line);
    await loaded(question, abort.signal);
    const patience = setTimeout(() => abort.abort(), WARNING_PATIENCE);
    const report = await reportOf(question, abort.signal).catch(() => null);
    clearTimeout(patience);
    const made = report?.moves[column];
    return made && ["mistake", "blunder"].includes(gradeOf(report, made)) ? { column, made, best: report } : null;
  }

  async function move(column) {
    const { play, settings } = store.state;
    if (!atEnd(play.line)) return change({ line: goTo(play.line, play.line.moves.length) });
    if (!isYourTurn(play) || !allows(play.line, column)) return;
    if (settings.help === "warnings" && play.opponent === "computer" && play.warning?.column !== column) {
      if (play.checking) return;
      change({ checking: true, hint: null });
      const warning = await warningOf(play.line, column);
      // Stepping back or taking back meanwhile cancels the move.
      if (store.state.play.line !== play.line || !store.state.play.checking) return change({ checking: false });
      if (warning) return change({ checking: false, warning });
    }
    asking?.abort();
    change({ checking: false, line: withMove(play.line, column), warning: null, hint: null, error: null, unproved: null });
  }

  function takeBack() {
    const { play } = store.state;
    const left = lengthBefore(play);
    if (left === null) return;
    stop();
    change({ ...IDLE, line: { ...play.line, moves: play.line.moves.slice(0, left), cursor: left } });
  }

  async function hint() {
    const { line, checking, opponent } = store.state.play;
    if (opponent !== "computer" || !isYourTurn(store.state.play) || !atEnd(line) || checking) return;
    change({ hint: { line, columns: [], text: say("hint.looking"), isSearching: true } });
    const { signal } = ask();
    const tell = (found) => !signal.aborted && store.state.play.line === line && change({ hint: { line, ...found } });
    const question = questionAt(line);
    try {
      const { hintText } = await bring(() => import("./hint.js"));
      await loaded(question, signal);
      const report = await reportOf(question, AbortSignal.any([signal, AbortSignal.timeout(HINT_PATIENCE)]));
      tell({ columns: report.best, text: hintText(report) });
    } catch (error) {
      // A position that is not solved in time has a best move known all the same.
      await chooseMove(question, "perfect", 0, signal).then(
        ({ column }) => tell({ columns: [column], text: say("hint.known", { column: nameOf(column) }) }),
        () => tell({ columns: [], text: error.message }));
    }
  }

  return {
    move, takeBack, hint,
    /** Begins a game; the one before stays among the past ones. */
    begin(options, line = null) {
      changeSettings(store, { newGame: options });
      set(gameWith(options, line));
    },
    /**
     * Begins another game with the other player first. A game that began at a position is played
     * from there again, with the same sides; with a friend, it is the next game of the same link.
     */
    next() {
      const { play, settings } = store.state;
      const { opponent, level, line, from, you } = play;
      const options = { ...settings.newGame, opponent, level, size: sizeText(line.size) };
      const isFrom = isFromPosition(play);
      const moves = line.moves.slice(0, from);
      const game = gameWith(options, isFrom ? { ...line, moves, cursor: from } : null);
      const [, link, round] = /^(.*?)(?:\.(\d+))?$/.exec(play.id);
      set({ ...game, you: isFrom ? you : 1 - you, id: opponent === "friend" ? `${link}.${Number(round ?? 1) + 1}` : game.id });
    },
    resume: (entry) => set({ ...gameOf(entry), ...IDLE }),
    /** Shows the game as another tab has changed it. */
    follow(game) {
      stop();
      store.update({ play: { ...game, ...IDLE } });
    },
    leaveWarning: () => change({ warning: null }),
    leaveHint() {
      asking?.abort();
      change({ hint: null });
    },
    retry: () => change({ error: null }),
  };
}
