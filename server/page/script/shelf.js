/** Sizes of boards to choose from, as small boards. */
import { h } from "./dom.js";
import { emptyBoard, parseSize } from "./rules.js";
import { thumbnailOf } from "./thumbnail.js";

const face = (size) => [thumbnailOf(emptyBoard(parseSize(size))), h("span", {}, size.replace("x", " × "))];

/** Choices of a form, named `size`. */
export const sizeChoices = (sizes, chosen) => h("div", { class: "shelf", role: "radiogroup", "aria-label": "Board" }, sizes.map((size) =>
  h("label", { class: "size" }, h("input", { type: "radio", name: "size", value: size, checked: size === chosen, class: "unseen" }), face(size))));

/** Buttons, each of which calls `choose` with its size. */
export const sizeButtons = (sizes, chosen, choose) => h("div", { class: "shelf" }, sizes.map((size) =>
  h("button", { type: "button", class: "size", value: size, "aria-current": size === chosen ? "true" : null, onclick: () => choose(size) }, face(size))));
