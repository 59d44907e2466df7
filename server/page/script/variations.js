/** The lines of an analysis beside the one that is shown: together they are a tree of moves. */
import { isCount, isText, listOf } from "./check.js";
import { button, h } from "./dom.js";
import { lineFrom, movesText, nameOf, sizeText } from "./rules.js";
import { load, save } from "./store.js";
import { say } from "./texts.js";
import { turnText } from "./words.js";

/** The most lines that are kept; beyond that, the oldest are dropped. */
const KEPT = 60;

const isPart = (line, other) => line.length <= other.length && line.every((column, index) => column === other[index]);

export function commonLength(line, other) {
  const index = line.findIndex((column, place) => column !== other[place]);
  return index < 0 ? line.length : index;
}

/** The other lines once `shown` replaces `left`; a line that another one continues is dropped. */
export function othersOf(others, left, shown) {
  const all = [...others, left].filter((line) => !isPart(line, shown));
  const isCovered = (line, index) =>
    all.some((other, place) => place !== index && isPart(line, other) && (line.length < other.length || index < place));
  return all.filter((line, index) => !isCovered(line, index)).slice(-KEPT);
}

/** The first of the other lines that continues `moves`, or else `moves`. */
export const continuationOf = (others, moves) => others.find((line) => isPart(moves, line)) ?? moves;

const keyOf = ({ line: { size, base, moves } }) => [sizeText(size), base, movesText(moves)].join(" ");

/** Keeps the lines over a reload of the page. */
export function keepVariations(store) {
  const { analyse } = store.state;
  const { size, base } = analyse.line;
  const isLine = (moves) => lineFrom(sizeText(size), base, movesText(moves)).moves.length > 0;
  // Those of another position are of no use here.
  const kept = load("variations", null, (value) => isText(value.of) && listOf(listOf(isCount))(value.others) && (value.of !== keyOf(analyse) || value.others.every(isLine)));
  if (kept?.of === keyOf(analyse) && analyse.others.length === 0) store.update({ analyse: { ...analyse, others: kept.others } });
  let saved = analyse;
  store.subscribe(({ analyse: now }) => {
    if (now.others === saved.others && now.line.moves === saved.line.moves) return;
    saved = now;
    save("variations", { of: keyOf(now), others: now.others });
  });
}

/** The other lines, each from the move where it leaves the line shown. */
export function createVariations({ show, remove }) {
  const list = h("ul", { class: "branches" });
  const element = h("div", { class: "variations", hidden: true }, h("p", { class: "label soft" }, say("lines.label")), list);
  let drawn = {};
  return {
    element,
    /** `first` is the side that made the first move. */
    draw({ line: { moves }, others, game }, first) {
      if (drawn.moves === moves && drawn.others === others) return;
      drawn = { moves, others };
      element.hidden = others.length === 0;
      list.replaceChildren(...others.map((other) => {
        const from = commonLength(other, moves);
        const text = `${turnText(from, first)} ${other.slice(from).map(nameOf).join(" ")}`;
        const isGame = game?.moves === other;
        return h("li", {}, button(isGame ? `${say("lines.game")} ${text}` : text, () => show(other), { class: "plain", "aria-label": say("lines.show", { line: text }) }),
          button("✕", () => remove(other), { class: "icon", "aria-label": say("lines.remove", { line: text }) }));
      }));
    },
  };
}
