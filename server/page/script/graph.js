/** The evaluation of a game over its moves: above the middle, the first side wins; the higher, the sooner. */
import { heightOf } from "./balance.js";
import { h, setText, svg } from "./dom.js";
import { say } from "./texts.js";
import { movesToEnd } from "./words.js";

const HEIGHT = 100;

export function createGraph(goTo) {
  const plot = svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" });
  const slider = h("input", { type: "range", min: 0, step: 1, "aria-label": say("graph.label") });
  slider.addEventListener("input", () => goTo(Number(slider.value)));
  slider.addEventListener("keydown", (event) => event.stopPropagation());
  const [above, below, value] = [h("span", { class: "above" }), h("span", { class: "below" }), h("p", { class: "value soft", "aria-hidden": "true" })];
  const element = h("div", { class: "graph-box" }, h("div", { class: "graph" }, plot, above, below, slider), value);
  let drawn = null;

  function build(review, grades, first, cells, names) {
    const last = review.positions.length - 1;
    const heights = review.positions.map((position, index) => heightOf(position, first + index, cells));
    const up = (height) => HEIGHT / 2 - height * (HEIGHT / 2 - 4);
    const points = heights.map((height, index) => `${index} ${up(height)}`);
    const area = `M0 ${HEIGHT / 2}L${points.join("L")}L${last} ${HEIGHT / 2}z`;
    plot.setAttribute("viewBox", `0 0 ${Math.max(1, last)} ${HEIGHT}`);
    // A line of no length with round ends: a dot that is not stretched.
    const marks = grades.flatMap((grade, index) => (grade === "" ? [] : [svg("path", { d: `M${index + 1} ${up(heights[index + 1])}h0`, class: `dotted ${grade}` })]));
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
    draw(review, grades, line, first, names) {
      const cells = line.size.width * line.size.height;
      if (drawn?.review !== review || drawn.names !== names.join()) build(review, grades, first, cells, names);
      const cursor = Math.min(line.cursor, review.positions.length - 1);
      plot.querySelector(".now").setAttribute("d", `M${cursor} 0V${HEIGHT}`);
      slider.value = cursor;
      const text = say("graph.after", { count: cursor, verdict: drawn.texts[cursor] });
      slider.setAttribute("aria-valuetext", text);
      setText(value, text);
      setText(above, `↑ ${say("graph.wins", { side: names[0] })}`);
      setText(below, `↓ ${say("graph.wins", { side: names[1] })}`);
    },
  };
}

function textOf({ outcome, plies }, side, names) {
  if (outcome === "draw") return say("graph.draw");
  const winner = names[outcome === "win" ? side : 1 - side];
  return say(plies === 0 ? "result.won" : "position.wins", { side: winner, count: movesToEnd(plies) });
}
