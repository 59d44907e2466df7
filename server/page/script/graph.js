/** The evaluation of a game over its moves: above the middle, the first side wins; the higher, the sooner. */
import { heightOf } from "./balance.js";
import { button, h, setText, svg } from "./dom.js";
import { movesToEnd, plural, turnText } from "./words.js";

const HEIGHT = 100;
const MISSED = { "win-thrown-away": "a win", "draw-thrown-away": "a draw" };

export function createGraph(goTo) {
  const plot = svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" });
  const slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "Position of the game" });
  slider.addEventListener("input", () => goTo(Number(slider.value)));
  slider.addEventListener("keydown", (event) => event.stopPropagation());
  const [above, below, value] = [h("span", { class: "above" }), h("span", { class: "below" }), h("p", { class: "value soft", "aria-hidden": "true" })];
  const moments = h("ol", { class: "moments", "aria-label": "Moments of the game" });
  const element = h("div", { class: "graph-box" }, h("div", { class: "graph" }, plot, above, below, slider), value, moments);
  let drawn = null;

  function build(review, first, cells, names) {
    const last = review.positions.length - 1;
    const heights = review.positions.map((position, index) => heightOf(position, first + index, cells));
    const up = (height) => HEIGHT / 2 - height * (HEIGHT / 2 - 4);
    const points = heights.map((height, index) => `${index} ${up(height)}`);
    const area = `M0 ${HEIGHT / 2}L${points.join("L")}L${last} ${HEIGHT / 2}z`;
    plot.setAttribute("viewBox", `0 0 ${Math.max(1, last)} ${HEIGHT}`);
    const missed = review.moves.map(({ mark }, index) => ({ mark, at: index + 1 })).filter(({ mark }) => mark in MISSED);
    // A line of no length with round ends: a dot that is not stretched.
    const marks = missed.map(({ mark, at }) => svg("path", { d: `M${at} ${up(heights[at])}h0`, class: `blunder ${mark}` }));
    moments.replaceChildren(...missed.map(({ mark, at }) => {
      const text = `${turnText(at - 1, first)} ${names[(first + at - 1) % 2]} missed ${MISSED[mark]}`;
      return h("li", {}, button(text, () => goTo(at), { class: `plain ${mark}`, "data-at": at }));
    }));
    plot.replaceChildren(
      svg("rect", { x: 0, y: 0, width: Math.max(1, last), height: HEIGHT / 2, class: "upper" }),
      svg("path", { d: area, class: "area" }), svg("path", { d: `M${points.join("L")}`, class: "curve" }),
      svg("path", { d: `M0 ${HEIGHT / 2}H${Math.max(1, last)}`, class: "middle" }), ...marks,
      svg("path", { class: "now" }));
    slider.max = last;
    drawn = { review, names: names.join(), texts: review.positions.map((position, index) => textOf(position, (first + index) % 2, names)) };
  }

  return {
    element,
    draw(review, line, first, names) {
      const cells = line.size.width * line.size.height;
      if (drawn?.review !== review || drawn.names !== names.join()) build(review, first, cells, names);
      const cursor = Math.min(line.cursor, review.positions.length - 1);
      plot.querySelector(".now").setAttribute("d", `M${cursor} 0V${HEIGHT}`);
      slider.value = cursor;
      for (const one of moments.querySelectorAll("button")) one.setAttribute("aria-current", Number(one.dataset.at) === cursor ? "step" : "false");
      const text = `After ${plural(cursor, "move")}: ${drawn.texts[cursor]}`;
      slider.setAttribute("aria-valuetext", text);
      setText(value, text);
      setText(above, `↑ ${names[0]} wins`);
      setText(below, `↓ ${names[1]} wins`);
    },
  };
}

function textOf({ outcome, plies }, side, names) {
  if (outcome === "draw") return "draw";
  const winner = names[outcome === "win" ? side : 1 - side];
  return plies === 0 ? `${winner} has won` : `${winner} wins in ${movesToEnd(plies)}`;
}
