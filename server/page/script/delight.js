/** Optional sounds and a small celebration, made by the browser without files. */
import { $, h } from "./dom.js";
import { resultOfGame } from "./play.js";
import { movesStill } from "./store.js";
import { lineOf } from "./views.js";

/** Notes: frequency in Hz, begin and length in seconds. */
const SOUNDS = {
  stone: [[150, 0, 0.09]],
  won: [[523, 0, 0.14], [659, 0.12, 0.14], [784, 0.24, 0.3]],
  lost: [[330, 0, 0.18], [262, 0.16, 0.3]],
  drawn: [[392, 0, 0.25]],
};
const LOUDNESS = 0.16;

let audio = null;

function play(name) {
  audio ??= new AudioContext();
  for (const [frequency, begin, length] of SOUNDS[name]) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + begin;
    tone.type = name === "stone" ? "sine" : "triangle";
    tone.frequency.setValueAtTime(frequency, start);
    if (name === "stone") tone.frequency.exponentialRampToValueAtTime(frequency / 2, start + length);
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}

const PIECES = 28;

function celebrate() {
  const pieces = Array.from({ length: PIECES }, (_, index) => {
    const piece = h("i", { class: ["first", "second", "win"][index % 3] });
    piece.style.setProperty("--across", `${Math.round(Math.random() * 100)}%`);
    piece.style.setProperty("--drift", `${Math.round(Math.random() * 12 - 6)}rem`);
    piece.style.setProperty("--delay", `${Math.round(Math.random() * 350)}ms`);
    return piece;
  });
  const element = h("div", { class: "celebration", "aria-hidden": "true" }, pieces);
  $("stage").append(element);
  Promise.all(element.getAnimations({ subtree: true }).map(({ finished }) => finished)).catch(() => {}).then(() => element.remove());
}

/** How a game or a puzzle has just ended for the person: "won", "lost", "drawn" or null. */
function endOfNow(before, { view, play: game, puzzle }) {
  if (view === "puzzles") return puzzle.status === "solved" && before.puzzle.status !== "solved" && puzzle.kind !== "opening" && !puzzle.revealed ? "won" : null;
  if (view !== "play" || before.play.id !== game.id || resultOfGame(before.play) !== null) return null;
  const result = resultOfGame(game);
  if (result === null) return null;
  return result === "draw" ? "drawn" : game.opponent === "two" || result === game.you ? "won" : "lost";
}

/** Effects of a change of the state: sounds and celebration. */
export function enjoy(before, state) {
  if (before.view !== state.view) return;
  const end = endOfNow(before, state);
  const [line, last] = [lineOf(state), lineOf(before)];
  if (state.settings.sounds === "on") {
    if (line.size === last.size && line.cursor === last.cursor + 1) play("stone");
    if (end) play(end);
  }
  if (end === "won" && !movesStill(state.settings)) celebrate();
}
