/** Sizes of boards to choose from. */
import { h } from "./dom.js";
import { parseSize, sizeText, withSize } from "./rules.js";
import { changeSettings } from "./store.js";
import { say } from "./texts.js";

const USUAL = ["7x6", "6x5", "5x4", "8x6", "9x4"];

/** The size chosen in a form. */
export function sizeOf(form) {
  const data = new FormData(form);
  return data.get("size") || data.get("other").trim();
}

/** A choice of the size: the usual ones, the others that are known, and any size where one can be solved. */
export function sizeChoice({ sizes, anySize }, chosen) {
  const all = withSize(sizes, chosen);
  const option = (size) => h("option", { value: size, selected: size === sizeText(chosen) }, size.replace("x", " × "));
  const usual = USUAL.filter((size) => all.includes(size));
  const more = all.filter((size) => !usual.includes(size));
  const other = h("input", { name: "other", "aria-label": say("size.label"), placeholder: "10x7", size: 5, hidden: true, autocomplete: "off" });
  other.addEventListener("input", () => other.setCustomValidity(parseSize(other.value.trim()) ? "" : say("size.rule", { example: "10x7" })));
  const select = h("select", { name: "size", "aria-label": say("size.board") }, usual.map(option),
    more.length > 0 && h("optgroup", { label: say("size.more") }, more.map(option)), anySize && h("option", { value: "" }, say("size.other")));
  select.addEventListener("change", () => {
    other.hidden = select.value !== "";
    other.required = !other.hidden;
    if (other.required) other.focus();
  });
  return [select, other];
}

/** The standard board, or the first one where it is missing. */
export const usualSize = (sizes) => (sizes.includes("7x6") ? "7x6" : sizes[0]);

/** Makes a board that the server has the one of new games, and shows it where there was another without stones. */
export function adoptSize(store, { play, analysis }) {
  const { settings: { newGame }, sizes, play: { line, opponent }, analyse } = store.state;
  const size = usualSize(sizes);
  const isEmpty = ({ base, moves }) => base === null && moves.length === 0;
  if (!sizes.includes(newGame.size)) changeSettings(store, { newGame: { ...newGame, size } });
  if (isEmpty(line) && !sizes.includes(sizeText(line.size)) && opponent !== "friend") play.begin(store.state.settings.newGame);
  // A link to another empty board names its size.
  if (isEmpty(analyse.line) && sizeText(analyse.line.size) === "7x6" && size !== "7x6") analysis.clear(parseSize(size));
}
