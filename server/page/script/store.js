/** The state of the page, what the browser keeps of it, and what has been chosen. */
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
    /** Takes parts of a new state, or a function that makes them of the present one. */
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

// What the browser keeps; a page that may keep nothing works all the same.
const name = (key) => `fourbook.${key}`;

export function load(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name(key))) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Whether it could be kept. */
export function save(key, value) {
  try {
    localStorage.setItem(name(key), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

const DEFAULTS = {
  theme: "system",
  stones: "classic",
  motion: "system",
  threats: false,
  sounds: "off",
  // off, demand (while asked for), on
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
