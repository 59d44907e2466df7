/** A position or a puzzle as a link and as a picture. */
import { openDialog } from "./dialogs.js";
import { button, h, setText } from "./dom.js";
import { drawPicture } from "./picture.js";
import { movesText, sizeText } from "./rules.js";
import { say } from "./texts.js";
import { addressOf, friendAddressOf } from "./views.js";

const here = () => `${location.origin}${location.pathname}`;

export const linkOf = (line) => {
  const query = addressOf(line);
  return `${here()}${query && `?${query}`}#analyse`;
};

export const puzzleLinkOf = (id) => `${here()}?puzzle=${id}#puzzles`;

/** The link of a game with a friend, which holds the moves. */
export const friendLinkOf = (play) => `${here()}?${friendAddressOf(play)}#play`;

/** Whether the browser allows an action of the clipboard. */
async function isAllowed(action) {
  try {
    await action();
    return true;
  } catch {
    return false;
  }
}

/** A button that copies something, and tells whether it did. */
export function copyButton(label, copy, properties) {
  const made = button(label, async () => setText(made, (await isAllowed(copy)) ? say("share.copied") : say("share.refused")), properties);
  return made;
}

const withoutScheme = (link) => link.replace(/^https?:\/\//, "");

/** The buttons that save and copy a picture. */
function pictureButtons(canvas, name) {
  const blob = () => new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  const save = button(say("share.save"), async () => {
    const link = h("a", { href: URL.createObjectURL(await blob()), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }, { id: "save-picture" });
  return [save, copyButton(say("share.copy"), () => navigator.clipboard.write([new ClipboardItem({ "image/png": blob() })]))];
}

/** Shows the link and the picture of a position. */
export function openShare(line, caption, { settings, report }) {
  const link = linkOf(line);
  const canvas = drawPicture(line, { settings, caption, report, threats: settings.threats, link: withoutScheme(link) });
  const name = `fourbook-${sizeText(line.size)}-${line.base === null ? movesText(line.moves.slice(0, line.cursor)) || "empty" : "position"}.png`;
  const [save, copy] = pictureButtons(canvas, name);
  openDialog(say("do.share"), h("div", { class: "picture" }, canvas), h("p", { class: "card-text soft", id: "link" }, link), h("div", { class: "actions" },
    copyButton(say("share.link"), () => navigator.clipboard.writeText(link), { class: "main", id: "copy-link" }), save, copy));
}

/** Shows the card of a puzzle: its first position, its result, and its link. */
export function openPuzzleCard({ id, line, start, title, result }, settings) {
  const link = puzzleLinkOf(id);
  const first = { ...line, moves: line.moves.slice(0, start), cursor: start };
  const canvas = drawPicture(first, { settings, caption: [title, result].filter(Boolean).join(" · "), link: withoutScheme(link) });
  const text = `fourbook · ${title}${result && `: ${result}`}\n${link}`;
  const copy = copyButton(say("share.text"), () => navigator.clipboard.writeText(text), { class: "main", id: "copy-puzzle" });
  const [save] = pictureButtons(canvas, `fourbook-puzzle-${id}.png`);
  openDialog(say("share.puzzle"), h("div", { class: "picture" }, canvas), h("p", { class: "card-text soft", id: "card-text" }, text), h("div", { class: "actions" }, copy, save));
}
