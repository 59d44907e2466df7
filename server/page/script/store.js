/** The state of the page, the part that the browser stores, and the settings. */
import { hasParts, isObject, oneOf } from "./check.js";
import { parseSize } from "./rules.js";

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

let onDrop = null;
let hasDropped = false;

/** What is wrong in the storage is dropped, which `tell` says once. */
export function onDamage(tell) {
  onDrop = tell;
  if (hasDropped) tell();
}

function drop() {
  if (!hasDropped) onDrop?.();
  hasDropped = true;
}

/** A kept value; `otherwise` if there is none, or if `isRight` is false for it or throws. */
export function load(key, otherwise, isRight, where = EVERYWHERE) {
  const text = attempt(() => globalThis[where].getItem(name(key)), null);
  if (text === null) return otherwise;
  const value = attempt(() => JSON.parse(text), null);
  if (attempt(() => isRight(value), false)) return value;
  attempt(() => globalThis[where].removeItem(name(key)), null);
  drop();
  return otherwise;
}

/** The ends of all keys that begin with a text. */
export const keysAfter = (start) => attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(name(start))), [])
  .map((key) => key.slice(name(start).length));

export const save = (key, value, where = EVERYWHERE) => attempt(() => globalThis[where].setItem(name(key), JSON.stringify(value)), null);

export const remove = (key) => attempt(() => localStorage.removeItem(name(key)), null);

/** Calls a function with each key whose value another tab changes. */
export function onOtherTab(listener) {
  addEventListener("storage", ({ key }) => key?.startsWith(name("")) && listener(key.slice(name("").length)));
}

export const LEVELS = ["beginner", "novice", "casual", "intermediate", "advanced", "expert", "master", "perfect"];
export const OPPONENTS = ["computer", "two", "friend"];

const DEFAULTS = {
  theme: "system",
  stones: "classic",
  motion: "system",
  threats: false,
  sounds: "off",
  keys: "on",
  // While playing against the computer.
  help: "alone",
  scores: true,
  newGame: { opponent: "computer", level: "casual", begins: "me", size: "7x6" },
  difficulty: "easy",
};

const CHECKS = {
  theme: oneOf("system", "light", "dark"),
  stones: oneOf("classic", "safe"),
  motion: oneOf("system", "full", "less"),
  threats: oneOf(true, false),
  sounds: oneOf("off", "on"),
  keys: oneOf("off", "on"),
  help: oneOf("alone", "warnings", "scores"),
  scores: oneOf(true, false),
  newGame: hasParts({ opponent: oneOf(...OPPONENTS), level: oneOf(...LEVELS), begins: oneOf("me", "other", "chance"), size: (text) => parseSize(text) !== null }),
  difficulty: oneOf("easy", "medium", "hard"),
};

export function loadSettings() {
  const kept = Object.entries(load("settings", {}, isObject));
  const right = kept.filter(([key, value]) => CHECKS[key]?.(value));
  if (right.length < kept.length) drop();
  return { ...DEFAULTS, ...Object.fromEntries(right) };
}

/** Adopts the settings of another tab. */
export function followSettings(store) {
  onOtherTab((key) => key === "settings" && store.update({ settings: loadSettings() }));
}

export function changeSettings(store, parts) {
  store.update(({ settings }) => ({ settings: { ...settings, ...parts } }));
  save("settings", store.state.settings);
}

/** The style sheets read these from the root element. */
export function applySettings({ theme, stones, motion }) {
  Object.assign(document.documentElement.dataset, { theme, stones, motion });
}

export function movesStill({ motion }) {
  return motion === "less" || (motion === "system" && matchMedia("(prefers-reduced-motion: reduce)").matches);
}
