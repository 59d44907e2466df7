/** A small picture of a board. */
import { h, svg } from "./dom.js";
import { winningLine } from "./rules.js";

const CLASSES = ["first", "second"];

export function thumbnailOf(board) {
  const { width, height } = board.size;
  const won = winningLine(board) ?? [];
  const cells = [];
  for (let column = 0; column < width; column++) {
    for (let row = 0; row < height; row++) {
      const side = board.columns[column][row];
      const isWon = won.some((cell) => cell.column === column && cell.row === row);
      cells.push(svg("circle", { cx: column * 10 + 5, cy: (height - row) * 10 - 5, r: 4, class: `${CLASSES[side] ?? "hole"}${isWon ? " four" : ""}` }));
    }
  }
  const element = h("span", { class: "thumbnail", "aria-hidden": "true" },
    svg("svg", { viewBox: `0 0 ${width * 10} ${height * 10}` }, svg("rect", { width: width * 10, height: height * 10, rx: 6 }), ...cells));
  element.style.setProperty("--columns", width);
  return element;
}
