/** The state of the page, the part that the browser stores, and the settings. */
export function createStore(state) {
  const listeners = [];
  let told = true;
  const tell = () => {
    told = true;
    for (const listener of listeners) listener(state);
  };
  return {
    get state() {
      return state;
    },
    /** Takes the changed parts of the state, or a function that makes them from the present state. */
    update(change) {
      const parts = typeof change === "function" ? change(state) : change;
      if (!parts) return;
      state = { ...state, ...parts };
      if (told) queueMicrotask(tell);
      told = false;
    },
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}

// The browser's storage; a page that may store nothing works all the same.
const name = (key) => `fourbook.${key}`;
const EVERYWHERE = "localStorage";
/** The store of a value for this tab alone; it survives reloads. */
export const THIS_TAB = "sessionStorage";

function attempt(action, otherwise) {
  try {
    return action() ?? otherwise;
  } catch {
    return otherwise;
  }
}

export const load = (key, otherwise, where = EVERYWHERE) => attempt(() => JSON.parse(globalThis[where].getItem(name(key))), otherwise);

/** All values whose keys begin with a text. */
export const loadAll = (start) => attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(name(start))), [])
  .map((key) => load(key.slice(name("").length), null));

export const save = (key, value, where = EVERYWHERE) => attempt(() => globalThis[where].setItem(name(key), JSON.stringify(value)), null);

export const remove = (key) => attempt(() => localStorage.removeItem(name(key)), null);

/** Calls a function with each key whose value another tab changes. */
export function onOtherTab(listener) {
  addEventListener("storage", ({ key }) => key?.startsWith(name("")) && listener(key.slice(name("").length)));
}

const DEFAULTS = {
  theme: "system",
  stones: "classic",
  motion: "system",
  threats: false,
  sounds: "off",
  // demand (while asked for) or on
  playVerdicts: "demand",
  analysisVerdicts: "on",
  warnings: false,
  newGame: { opponent: "computer", level: "casual", begins: "me", size: "7x6", bestOf: 1 },
  difficulty: "easy",
};

export const LEVELS = ["beginner", "novice", "casual", "intermediate", "advanced", "expert", "master", "perfect"];

export function loadSettings() {
  const kept = load("settings", {});
  return { ...DEFAULTS, ...kept, newGame: { ...DEFAULTS.newGame, ...kept.newGame } };
}

/** Adopts the settings of another tab. */
export function followSettings(store) {
  onOtherTab((key) => key === "settings" && store.update({ settings: loadSettings() }));
}

export function changeSettings(store, parts) {
  store.update(({ settings }) => ({ settings: { ...settings, ...parts } }));
  save("settings", store.state.settings);
}

/** The names of the sides, by their colours. */
export const sideNames = (settings) => (settings.stones === "safe" ? ["Yellow", "Blue"] : ["Yellow", "Red"]);

/** The style sheets read these from the root element. */
export function applySettings({ theme, stones, motion }) {
  Object.assign(document.documentElement.dataset, { theme, stones, motion });
}

export function movesStill({ motion }) {
  return motion === "less" || (motion === "system" && matchMedia("(prefers-reduced-motion: reduce)").matches);
}
