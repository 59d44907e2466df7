/** The code that the first view does not need: the engine, verdicts, analysis, puzzles, dialogs, keys. */
import { createAnalysis } from "./analysis.js";
import { announceChanges } from "./announce.js";
import { h, toast } from "./dom.js";
import { createEvaluator } from "./evaluation.js";
import { lineOfEntry } from "./games.js";
import { hosting } from "./hosting.js";
import { followLine } from "./main-line.js";
import { bring } from "./outage.js";
import { resultOfGame } from "./play.js";
import { followGames } from "./record.js";
import { EngineError } from "./report.js";
import { boardAt, resultOf, sideToMove, sizeText } from "./rules.js";
import { changeSettings, save } from "./store.js";
import { askAgain, say } from "./texts.js";
import { keepVariations } from "./variations.js";
import { coachAsks, endOf, lineOfQuery, NO_REASON, shownReport, showView, toggleVerdicts } from "./views.js";
import { resultText, sideNames, turnVerdict } from "./words.js";

/** The styles of all that comes later. */
const style = () => new Promise((resolve, reject) => {
  const link = h("link", { rel: "stylesheet", href: "style/later.css", onload: resolve, onerror: () => {
    link.remove();
    reject(new Error(link.href));
  } });
  document.head.append(link);
});
let styles = null;
/** Without its styles, a part of the page is less handsome and works. */
const styled = () => (styles ??= bring(style).catch(() => {}));

const dialogs = async () => (await Promise.all([bring(() => import("./dialogs.js")), styled()]))[0];

/** How long a dialog waits for the list of board sizes. */
const patience = () => new Promise((resolve) => setTimeout(resolve, 500));

const loading = bring(() => (hosting === "server" ? import("./server-engine.js") : import("./local-engine.js")));

/** A short description of the board, for its picture. */
function captionOf(state, line) {
  const names = sideNames(state.settings);
  const board = boardAt(line);
  const end = resultOf(board);
  return end === null ? turnVerdict(shownReport(state), sideToMove(board), names) : resultText(end, names);
}

/** The line of moves as the address has them, else null. They need no engine, which may still be on its way. */
function lineOfMoves(text, size) {
  if (!/^[1-9a-g]*$/.test(text)) return null;
  try {
    return lineOfQuery(new URLSearchParams({ size, moves: text }));
  } catch (error) {
    // Letters can name columns in another way.
    if (/[a-g]/.test(text)) return null;
    throw new EngineError(error.message, false);
  }
}

/** Sharing and setting up, whose code is loaded when it is first used. */
function createTools(store, { engine, analysis, play, described, analyseGame }) {
  const line = () => store.state.analyse.line;
  /** Sets up what a text names; returns what is wrong with it. */
  async function read(text) {
    const size = sizeText(line().size);
    try {
      analysis.setUp(lineOfMoves(text.trim(), size) ?? await engine.parse(text, size));
      return "";
    } catch (error) {
      return error.message;
    }
  }
  async function newGame(from = null) {
    const [{ openNewGame }] = await Promise.all([dialogs(), Promise.race([described, patience()])]);
    openNewGame(store, from, (options) => {
      play.begin(options, from);
      showView(store, "play");
    });
  }
  return {
    read, newGame: () => newGame(),
    playHere() {
      const { moves, cursor } = line();
      if (endOf(store.state) !== null) toast(say("analyse.ended"));
      else newGame({ ...line(), moves: moves.slice(0, cursor) });
    },
    async share(shared) {
      const { openShare } = await bring(() => import("./share.js"));
      await styled();
      const { state } = store;
      openShare(shared, captionOf(state, shared), { settings: state.settings, report: endOf(state) === null ? shownReport(state) : null });
    },
    async sharePuzzle(card) {
      const { openPuzzleCard } = await bring(() => import("./share.js"));
      openPuzzleCard(card, store.state.settings);
    },
    async edit() {
      const { openEditor } = await bring(() => import("./editor.js"));
      await styled();
      openEditor(store, { setUp: analysis.setUp, read });
    },
    async pastGames() {
      const [{ openPastGames }] = await Promise.all([bring(() => import("./past-games.js")), styled()]);
      openPastGames(store.state.play.id, {
        open: (entry) => analyseGame(lineOfEntry(entry)), resume: play.resume,
        playAt: (level) => play.begin({ ...store.state.settings.newGame, opponent: "computer", level }),
      });
    },
    openSettings: async () => (await dialogs()).openSettings(store),
    openKeys: async () => (await dialogs()).openKeys(store),
  };
}

/** The actions of keys in the current view, by name. */
function createActs(store, { play, analysis, puzzles, steps, tools, review }) {
  const inView = (actions) => () => actions[store.state.view]?.();
  const verdicts = () => toggleVerdicts(store, (parts) => changeSettings(store, parts));
  const acts = {
    ...steps, verdicts: inView({ play: verdicts, analyse: verdicts }),
    dismiss: () => store.update({ why: NO_REASON }),
    undo: inView({ play: play.takeBack, analyse: steps.back, puzzles: steps.back }),
    threats: () => changeSettings(store, { threats: !store.state.settings.threats }),
    hint: inView({ play: play.hint }),
    next: inView({ play: tools.newGame, analyse: tools.newGame, puzzles: () => puzzles()?.next() }),
    mirror: inView({ analyse: analysis.mirror }),
    review: inView({ play: review, analyse: analysis.review }),
    keys: tools.openKeys,
  };
  return (name) => acts[name]();
}

/** Sounds and celebrations, whose code is loaded when there is one. */
function followEnds(store) {
  let last = store.state;
  const isOver = ({ view, puzzle, play }) => (view === "puzzles" ? puzzle.status === "solved" : resultOfGame(play) !== null);
  store.subscribe(async (state) => {
    const before = last;
    last = state;
    if (state.settings.sounds !== "on" && (!isOver(state) || isOver(before))) return;
    const [{ enjoy }] = await Promise.all([bring(() => import("./delight.js")), styled()]);
    enjoy(before, state);
  });
}

/** Starts everything; returns the actions that the first view calls. */
export async function start(store, { play, steps, look, address }) {
  const { engine } = await loading;
  const evaluator = createEvaluator(store, engine);
  const analysis = createAnalysis(store, engine);
  let coach = null;
  const coaching = async () => (coach ??= (await bring(() => import("./coach.js"))).createCoach(store, { engine, evaluator, analysis }));
  let puzzles = null;
  const solving = async () => (puzzles ??= (await bring(() => import("./puzzles.js"))).createPuzzles(store, engine, evaluator));
  const described = engine.describe().then(async ({ sizes, about, anySize }) => {
    store.update({ sizes, about, anySize });
    save("sizes", sizes);
    const isUsual = ["7x6", store.state.settings.newGame.size].every((size) => sizes.includes(size));
    if (!isUsual) (await bring(() => import("./shelf.js"))).adoptSize(store, { play, analysis });
  }).catch((error) => toast(error.message));
  const analyse = (line) => {
    analysis.setUp(line);
    showView(store, "analyse");
  };
  const analyseGame = (line) => {
    analyse(line);
    return analysis.review();
  };
  const tools = createTools(store, { engine, analysis, play, described, analyseGame });
  followLine(store, engine);
  followGames(store, engine);
  announceChanges(store);
  keepVariations(store);
  followEnds(store);
  const review = () => store.state.play.line.moves.length > 0 && analyseGame(store.state.play.line);

  // All of these begin with the position on the board.
  store.update({});
  // An address may have any notation that the library reads.
  if (address) tools.read(address);
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.addEventListener("controllerchange", askAgain, { once: true });
    // Without it, the page requires a network.
    navigator.serviceWorker.register("service-worker.js").catch(() => {});
  }

  return {
    ...tools, analyseGame,
    /** Reviews a game, and goes through the mistakes of a side or of both. */
    async learn(line, side) {
      await analyseGame(line);
      if (store.state.analyse.review) (await coaching()).begin(side);
    },
    act: createActs(store, { play, analysis, puzzles: () => puzzles, steps, tools, review }),
    ready: engine.ready,
    chooseMove: engine.move,
    reportOf: evaluator.reportOf,
    move: (column) => ({ analyse: coachAsks(store.state) ? coach.move : analysis.move, puzzles: puzzles?.move })[store.state.view]?.(column),
    async friendCard() {
      const [{ createFriendCard }] = await Promise.all([bring(() => import("./friend.js")), styled()]);
      return createFriendCard(store);
    },
    async analysePanel() {
      const [{ createAnalysePanel }] = await Promise.all([bring(() => import("./analyse-panel.js")), coaching(), styled()]);
      return createAnalysePanel(store, { analysis, coach, engine, steps, evaluator, look, tools });
    },
    async puzzlePanel() {
      const [{ createPuzzlePanel }] = await Promise.all([bring(() => import("./puzzle-panel.js")), solving(), styled(), Promise.race([described, patience()])]);
      const { puzzle, linked } = store.state;
      if (puzzle.status === "none" && !puzzles.openNamed(linked)) {
        if (linked !== null) toast(say("puzzle.unknown"));
        puzzles.begin();
      }
      return createPuzzlePanel(store, { puzzles, steps, analyse, share: tools.sharePuzzle });
    },
  };
}
