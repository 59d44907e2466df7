/**
 * The first view: the board and the panel of the game that is played. All else is loaded once
 * these can be used; state flows from the store to the views, and back through actions.
 */
import { isText, listOf } from "./check.js";
import { $, button, toast } from "./dom.js";
import { listenToKeys } from "./keyboard.js";
import { keepGames } from "./games.js";
import { followHistory } from "./history.js";
import { bring, onLack, onOutage, onSlow } from "./outage.js";
import { createPlay, firstGame, gameOfLink } from "./play.js";
import { createScreen } from "./screen.js";
import { parseSize } from "./rules.js";
import { applySettings, createStore, followSettings, load, loadSettings, onDamage } from "./store.js";
import { isMissing, language, say } from "./texts.js";
import { analysisOf, createSteps, NO_REASON, noPuzzle, NOTHING, readAddress } from "./views.js";

const settings = loadSettings();
applySettings(settings);
document.documentElement.lang = language;
for (const element of document.querySelectorAll("[data-label]")) element.ariaLabel = say(element.dataset.label);
$("open-settings").title = say("settings.title");

const address = readAddress();
const store = createStore({
  view: address.view,
  settings,
  sizes: load("sizes", ["7x6"], (sizes) => listOf(isText)(sizes) && sizes.length > 0 && sizes.every(parseSize)),
  anySize: false,
  about: "",
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
  // The column under the pointer or the focus, or the line whose moves are pointed at; the best line
  // of a position.
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
keepGames(store, play.follow);
followSettings(store);

function choose(column) {
  if (store.state.view === "play") play.move(column);
  else later("move")(column);
}

function look(column, line = []) {
  const { looked } = store.state;
  if (looked.column !== column || looked.line.length !== line.length) store.update({ looked: { column, line } });
}

const openGame = (line) => later("analyseGame")(line);
const draw = createScreen(store, {
  choose,
  look,
  panels: {
    play: async () => (await bring(() => import("./play-panel.js"))).createPlayPanel(store, {
      play, steps, analyse: openGame, learn: later("learn"), friend: later("friendCard"), newGame: later("newGame"),
      pastGames: later("pastGames"), share: later("share"),
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
$("stuck").remove();
// This also makes the computer's first move, if it begins.
store.update({});

onDamage(() => toast(say("page.damaged")));
const told = { unreachable: false, lack: isMissing ? "page.no-language" : null, slow: false };
/** Says at the bottom of the screen what is wrong; where loading the page again may help, buttons follow. */
function tell(change) {
  Object.assign(told, change);
  const { unreachable, lack, slow } = told;
  const name = unreachable ? "page.outage" : lack ?? (slow ? "page.loading" : null);
  const buttons = name !== null && name === lack ? [
    button(say("page.reload"), () => location.reload(), { id: "reload" }), button(say("do.close"), () => tell({ lack: null })),
  ] : [];
  $("outage").replaceChildren(...(name ? [say(name), ...buttons] : []));
}
tell({});
onLack(() => tell({ lack: "page.incomplete" }));
onSlow((slow) => tell({ slow }));
onOutage((unreachable) => {
  tell({ unreachable });
  store.update({ unreachable });
});
bring(() => import("./later.js")).then(({ start }) => started.resolve(start(store, { play, steps, look, address: address.text })));
