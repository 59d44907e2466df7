/** Playing, against the computer at a level or two people at one board. */
import { downloaded } from "./download.js";
import { gameOf, gameToGoOnWith, keepPlaying, keptGame } from "./games.js";
import { bring } from "./outage.js";
import { allows, atEnd, boardAt, emptyLine, goTo, movesText, parseSize, questionAt, resultOf, sideToMove, sizeText, withMove } from "./rules.js";
import { changeSettings } from "./store.js";
import { isYourTurn } from "./views.js";

/** The computer waits this many milliseconds, until the player's own stone has fallen. */
const PAUSE = 450;
/** How long a move waits for its warning, in milliseconds. */
const WARNING_PATIENCE = 3000;

const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/**
 * A game that has not begun, from the empty board or from a line. `you` is the side of the first
 * person, and `from` the number of moves that were made before.
 */
function gameWith({ opponent, level, begins, size, bestOf }, series = null, start = null) {
  const line = start ?? emptyLine(parseSize(size));
  const next = sideToMove(boardAt(line));
  const you = begins === "me" ? next : begins === "other" ? 1 - next : randomSeed() % 2;
  return {
    id: crypto.randomUUID?.() ?? `${Date.now()}-${randomSeed()}`,
    started: new Date().toISOString(),
    line, from: line.moves.length,
    opponent, level, you, seed: randomSeed(), resigned: null,
    series: series ?? { bestOf, points: [0, 0], games: 1 },
    ...IDLE,
  };
}

/** State of the moment, not of the game. */
const IDLE = { thinking: false, download: null, unproved: null, checking: false, warning: null, hint: null, error: null };

/** The game to resume: the last one, unless it has ended. */
export function firstGame(settings) {
  const last = gameToGoOnWith();
  return last?.result === null ? { ...gameOf(last), ...IDLE } : gameWith(settings.newGame);
}

/** The game of a friend's link: the kept one, unless the link goes further. In a new game it is your turn. */
export function gameOfLink({ friend: id, line }, { newGame }) {
  const kept = keptGame(id);
  const game = kept ? gameOf(kept) : { ...gameWith({ ...newGame, opponent: "friend", begins: "me", bestOf: 1 }, null, line), id, from: 0 };
  const isOld = movesText(game.line.moves).startsWith(movesText(line.moves));
  return { ...game, ...IDLE, line: isOld ? game.line : line };
}

/** The result: the winning side, "draw", or null. */
export function resultOfGame({ line, resigned }) {
  return resigned !== null ? 1 - resigned : resultOf(boardAt(line, line.moves.length));
}

/** Whether a game began with stones on the board. */
export const isFromPosition = ({ line, from }) => line.base !== null || from > 0;

/** The points of both in a series, the present game's included: the first person's first. */
export function pointsOf(play) {
  const result = resultOfGame(play);
  const [mine, theirs] = play.series.points;
  if (result === null) return [mine, theirs];
  if (result === "draw") return [mine + 0.5, theirs + 0.5];
  return result === play.you ? [mine + 1, theirs] : [mine, theirs + 1];
}

/** Whether nobody can catch up any more. */
export function seriesIsOver(play) {
  const points = pointsOf(play);
  const { bestOf, games } = play.series;
  return resultOfGame(play) !== null && (games >= bestOf || Math.max(...points) > bestOf / 2);
}

/** How many moves are left after taking back a move or the resignation; null if there is neither. */
export function lengthBefore({ line, from, opponent, you, resigned }) {
  if (resigned !== null) return line.moves.length;
  let left = line.moves.length - 1;
  const isYours = () => sideToMove(boardAt(line, left)) === you;
  // Against the computer, back to the person's own last turn; a friend's move stays.
  while (opponent === "computer" && left >= from && !isYours()) left--;
  return left >= from && (opponent !== "friend" || isYours()) ? left : null;
}

const CLASS = { win: 2, draw: 1, loss: 0 };

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

  /** The outcome that the move throws away ("win" or "draw"), or null. */
  async function thrownAway(line, column) {
    const abort = ask();
    const question = questionAt(line);
    await loaded(question, abort.signal);
    const patience = setTimeout(() => abort.abort(), WARNING_PATIENCE);
    const report = await reportOf(question, abort.signal).catch(() => null);
    clearTimeout(patience);
    const move = report?.moves[column];
    return move && CLASS[move.outcome] < CLASS[report.outcome] ? report.outcome : null;
  }

  async function move(column) {
    const { play, settings } = store.state;
    if (!atEnd(play.line)) return change({ line: goTo(play.line, play.line.moves.length) });
    if (!isYourTurn(play) || !allows(play.line, column)) return;
    if (settings.warnings && play.warning?.column !== column) {
      if (play.checking) return;
      change({ checking: true, hint: null });
      const loses = await thrownAway(play.line, column);
      // Stepping back or resigning meanwhile cancels the move.
      if (store.state.play.line !== play.line || !store.state.play.checking) return change({ checking: false });
      if (loses) return change({ checking: false, warning: { column, loses } });
    }
    asking?.abort();
    change({ checking: false, line: withMove(play.line, column), warning: null, hint: null, error: null, unproved: null });
  }

  function takeBack() {
    const { play } = store.state;
    const { moves } = play.line;
    const left = lengthBefore(play);
    if (left === null) return;
    stop();
    change({ ...IDLE, line: { ...play.line, moves: moves.slice(0, left), cursor: left }, resigned: null });
  }

  async function hint() {
    const { line, checking } = store.state.play;
    if (!isYourTurn(store.state.play) || !atEnd(line) || checking) return;
    change({ hint: { line, columns: [], text: "Looking for the best move…", isSearching: true } });
    const { signal } = ask();
    const tell = (found) => !signal.aborted && store.state.play.line === line && change({ hint: { line, ...found } });
    try {
      const { hintText } = await bring(() => import("./hint.js"));
      const question = questionAt(line);
      await loaded(question, signal);
      const report = await reportOf(question, signal);
      tell({ columns: report.best, text: hintText(report) });
    } catch (error) {
      tell({ columns: [], text: error.message });
    }
  }

  return {
    move, takeBack, hint,
    /** Begins a game; the one before stays among the past ones. */
    begin(options, line = null) {
      changeSettings(store, { newGame: options });
      set(gameWith(options, null, line));
    },
    /**
     * Begins the next game of the series, with the other player first, or a new series. A game that
     * began at a position is played from there again, with the same sides.
     */
    next() {
      const { play, settings } = store.state;
      const over = seriesIsOver(play);
      const { bestOf, games } = play.series;
      const series = over ? null : { bestOf, points: pointsOf(play), games: games + 1 };
      const options = { ...settings.newGame, opponent: play.opponent, level: play.level, size: sizeText(play.line.size), bestOf };
      if (!isFromPosition(play)) return set({ ...gameWith(options, series), you: 1 - play.you });
      const moves = play.line.moves.slice(0, play.from);
      set({ ...gameWith(options, series, { ...play.line, moves, cursor: moves.length }), you: play.you });
    },
    resume(entry) {
      set({ ...gameOf(entry), ...IDLE });
    },
    /** Shows the game as another tab has changed it. */
    follow(game) {
      stop();
      store.update({ play: { ...game, ...IDLE } });
    },
    resign() {
      const { play } = store.state;
      if (resultOfGame(play) !== null || play.line.moves.length === play.from) return;
      stop();
      const side = play.opponent === "two" ? sideToMove(boardAt(play.line, play.line.moves.length)) : play.you;
      change({ ...IDLE, resigned: side });
    },
    leaveWarning: () => change({ warning: null }),
    leaveHint() {
      asking?.abort();
      change({ hint: null });
    },
    retry: () => change({ error: null }),
  };
}
