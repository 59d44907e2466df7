/**
 * The first view: the board and the panel of the game that is played. All else is loaded once
 * these can be used; state flows from the store to the views, and back through actions.
 */
import { $ } from "./dom.js";
import { listenToKeys } from "./keyboard.js";
import { keepGames, lineOfEntry, loadGames } from "./games.js";
import { followHistory } from "./history.js";
import { bring, onOutage } from "./outage.js";
import { createPlay, firstGame, gameOfLink, resultOfGame } from "./play.js";
import { createScreen } from "./screen.js";
import { applySettings, changeSettings, createStore, followSettings, load, loadSettings } from "./store.js";
import { analysisOf, createSteps, NO_REASON, noPuzzle, NOTHING, readAddress, toggleVerdicts } from "./views.js";

const settings = loadSettings();
applySettings(settings);

const address = readAddress();
const store = createStore({
  view: address.view,
  settings,
  sizes: load("sizes", ["7x6"]),
  about: "",
  games: loadGames(),
  play: address.friend ? gameOfLink(address, settings) : firstGame(settings),
  analyse: { ...analysisOf(address.line), error: address.wrong },
  puzzle: noPuzzle(address.line.size),
  // The puzzle that the link named.
  linked: address.puzzle ?? null,
  progress: null,
  // The mistakes under review; see coach.js.
  coach: null,
  evaluation: NOTHING,
  unreachable: false,
  // The position whose verdicts were asked for, the column under the pointer or the focus with the
  // line after it, and the best line of a position.
  demanded: null,
  looked: { column: null, line: [] },
  best: { key: null, line: [] },
  why: NO_REASON,
});

/** The parts that later.js starts. */
const started = {};
started.promise = new Promise((resolve) => Object.assign(started, { resolve }));
/** Runs an action as soon as later.js is loaded. */
const later = (name) => async (...asked) => (await started.promise)[name](...asked);

const steps = createSteps(store);
const play = createPlay(store, { ready: later("ready"), chooseMove: later("chooseMove"), reportOf: later("reportOf") });
keepGames(store, { resultOf: resultOfGame, follow: play.follow });
followSettings(store);

function choose(column) {
  if (store.state.view === "play") play.move(column);
  else later("move")(column);
}

function look(column) {
  if (store.state.looked.column !== column) store.update({ looked: { column, line: [] } });
}

const openGame = (line) => later("analyseGame")(line);
const draw = createScreen(store, {
  choose,
  look,
  panels: {
    play: async () => (await bring(() => import("./play-panel.js"))).createPlayPanel(store, {
      play, steps, analyse: openGame, learn: later("learn"), extras: later("playExtras"), friend: later("friendCard"), newGame: later("newGame"), demand: () => toggleVerdicts(store, changeSettings),
      openGame: (entry) => openGame(lineOfEntry(entry)),
    }),
    analyse: later("analysePanel"),
    puzzles: later("puzzlePanel"),
  },
});
store.subscribe(draw);
listenToKeys(store, { choose, act: later("act") });
followHistory(store);
$("open-settings").addEventListener("click", later("openSettings"));

draw(store.state);
document.body.dataset.ready = "";
// This also makes the computer's first move, if it begins.
store.update({});

onOutage((unreachable) => {
  $("outage").textContent = unreachable ? "The host cannot be reached. Trying again…" : "";
  store.update({ unreachable });
});
bring(() => import("./later.js")).then(({ start }) => started.resolve(start(store, { play, steps, look })), () => {
  $("toast").textContent = "A part of the page could not be loaded. Load the page again.";
  $("toast").classList.add("shown");
});
