/** Sizes of boards to choose from, as small boards. */
import { h } from "./dom.js";
import { emptyBoard, parseSize, sizeText } from "./rules.js";
import { changeSettings } from "./store.js";
import { thumbnailOf } from "./thumbnail.js";

const face = (size) => [thumbnailOf(emptyBoard(parseSize(size))), h("span", {}, size.replace("x", " × "))];

/** Choices of a form, named `size`. */
export const sizeChoices = (sizes, chosen) => h("div", { class: "shelf", role: "radiogroup", "aria-label": "Board" }, sizes.map((size) =>
  h("label", { class: "size" }, h("input", { type: "radio", name: "size", value: size, checked: size === chosen, class: "unseen" }), face(size))));

/** Buttons, each of which calls `choose` with its size. */
export const sizeButtons = (sizes, chosen, choose) => h("div", { class: "shelf" }, sizes.map((size) =>
  h("button", { type: "button", class: "size", value: size, "aria-current": size === chosen ? "true" : null, onclick: () => choose(size) }, face(size))));

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
