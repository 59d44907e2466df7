/** What a player has chosen, and how it changes the page. */
import { load, save } from "./store.js";

const DEFAULTS = {
  theme: "system",
  stones: "classic",
  motion: "system",
  threats: false,
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
