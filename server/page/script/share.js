/** A position or a puzzle as a link and as a picture. */
import { openDialog } from "./dialogs.js";
import { button, h, setText } from "./dom.js";
import { drawPicture } from "./picture.js";
import { movesText, sizeText } from "./rules.js";
import { addressOf } from "./views.js";

const here = () => `${location.origin}${location.pathname}`;

export const linkOf = (line) => {
  const query = addressOf(line);
  return `${here()}${query && `?${query}`}#analyse`;
};

export const puzzleLinkOf = (id) => `${here()}?puzzle=${id}#puzzles`;

/** The link of a game with a friend, which holds the moves. */
export function friendLinkOf({ id, line }) {
  const position = addressOf({ ...line, cursor: line.moves.length });
  return `${here()}?friend=${id}${position && `&${position}`}#play`;
}

/** Whether the browser allows an action of the clipboard. */
async function isAllowed(action) {
  try {
    await action();
    return true;
  } catch {
    return false;
  }
}

/** Whether the link could be copied. */
export const copyLink = (line) => isAllowed(() => navigator.clipboard.writeText(linkOf(line)));

/** A button that copies something, and tells whether it did. */
export function copyButton(label, copy, properties) {
  const made = button(label, async () => setText(made, (await isAllowed(copy)) ? "✓ Copied" : "The browser does not allow it"), properties);
  return made;
}

const withoutScheme = (link) => link.replace(/^https?:\/\//, "");

/** The buttons that save and copy a picture. */
function pictureButtons(canvas, name) {
  const blob = () => new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  const save = button("Save as PNG", async () => {
    const link = h("a", { href: URL.createObjectURL(await blob()), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }, { class: "main", id: "save-picture" });
  return [save, copyButton("Copy", () => navigator.clipboard.write([new ClipboardItem({ "image/png": blob() })]))];
}

/** Shows the picture, to be saved or copied. */
export function openPicture(line, caption, { settings, report }) {
  const canvas = drawPicture(line, { settings, caption, report, threats: settings.threats, link: withoutScheme(linkOf(line)) });
  const name = `fourbook-${sizeText(line.size)}-${line.base === null ? movesText(line.moves.slice(0, line.cursor)) || "empty" : "position"}.png`;
  openDialog("Picture", h("div", { class: "picture" }, canvas), h("div", { class: "actions" }, pictureButtons(canvas, name)));
}

/** Shows the card of a puzzle: its first position, its result, and its link. */
export function openPuzzleCard({ id, line, start, title, result }, settings) {
  const link = puzzleLinkOf(id);
  const first = { ...line, moves: line.moves.slice(0, start), cursor: start };
  const canvas = drawPicture(first, { settings, caption: [title, result].filter(Boolean).join(" · "), link: withoutScheme(link) });
  const text = `fourbook · ${title}${result && `: ${result}`}\n${link}`;
  const copy = copyButton("Copy text and link", () => navigator.clipboard.writeText(text), { class: "main", id: "copy-puzzle" });
  const [save] = pictureButtons(canvas, `fourbook-puzzle-${id}.png`);
  save.classList.remove("main");
  openDialog("Share the puzzle", h("div", { class: "picture" }, canvas), h("p", { class: "card-text soft", id: "card-text" }, text), h("div", { class: "actions" }, copy, save));
}
