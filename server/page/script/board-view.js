/**
 * The board: stones that fall behind its front, marks on it, and a button for each column.
 * It draws pictures, and reports the column that is chosen or looked at.
 */
import { aimByTouch } from "./aim.js";
import { h, setText, svg } from "./dom.js";
import { canPlay, diagramOf, nameOf, sizeText, stones, winningLine } from "./rules.js";
import { say } from "./texts.js";
import { moveVerdict, verdictSign } from "./words.js";

/** In hundredths of a cell: the frame, the numbers of the columns below, the row of verdicts above. */
const FRAME = 14;
const NUMBERS = 30;
const ABOVE = 74;
/** How much larger the texts of a wide board are, whose cells are small. */
const growthOf = ({ width }) => Math.max(1, width / 9);
const RADIUS = 41;
const CORNER = 26;
const CLASSES = ["first", "second"];

const x = (column) => column * 100 + 50;
const y = (size, row) => (size.height - 1 - row) * 100 + 50;
const at = (size, { column, row }) => `translate(${x(column)}px, ${y(size, row)}px)`;

/** A stone around the origin; style sheets show its pattern where colours are not enough. */
function stone(side, name = "stone") {
  return svg("g", { class: `${name} ${CLASSES[side]}` },
    svg("circle", { r: 46, class: "disc", fill: `url(#disc${side})` }),
    svg("circle", { r: 31, class: "rim", fill: `url(#well${side})` }),
    svg("path", { class: "pattern", d: side === 0 ? "M-17 0a17 17 0 1 0 34 0a17 17 0 1 0-34 0" : "M-14-14L14 14M14-14L-14 14" }),
    ...(name === "stone" ? [svg("circle", { r: 13, class: "dot-of-last" })] : []));
}

/** Light from above on something round, or on something hollow. */
const light = (id, name, stops = ["light", "deep"]) =>
  svg("linearGradient", { id, class: name, x2: 0, y2: 1 }, ...stops.map((stop, offset) => svg("stop", { offset, class: stop })));
const hollow = (id, name) => light(id, name, ["deep", "light"]);

/** A path in each cell, around its centre. */
const inCells = ({ width, height }, path) => Array.from({ length: width * height }, (_, index) =>
  `M${x(index % width) - RADIUS} ${y({ height }, Math.floor(index / width))}${path}`).join("");

function holes(size) {
  const [right, bottom] = [size.width * 100 + FRAME - CORNER, size.height * 100 + NUMBERS * growthOf(size) - CORNER];
  const turn = (dx, dy) => `a${CORNER} ${CORNER} 0 0 1 ${dx * CORNER} ${dy * CORNER}`;
  return `M${CORNER - FRAME} ${-FRAME}H${right}${turn(1, 1)}V${bottom}${turn(-1, 1)}H${CORNER - FRAME}${turn(-1, -1)}V${CORNER - FRAME}${turn(1, -1)}z`
    + inCells(size, `a${RADIUS} ${RADIUS} 0 1 0 ${2 * RADIUS} 0a${RADIUS} ${RADIUS} 0 1 0 ${-2 * RADIUS} 0z`);
}

export function createBoardView(element, { choose, look }) {
  let size = null;
  let parts = null;
  let shown = new Map();
  // The column above which the next stone waits.
  let aimed = null;

  function build(of) {
    size = of;
    shown = new Map();
    const { width, height } = size;
    aimed = (width - 1) >> 1;
    const grow = growthOf(size);
    const above = ABOVE * grow;
    const [across, down] = [width * 100 + 2 * FRAME, height * 100 + FRAME + NUMBERS * grow + above];
    const layers = Object.fromEntries(["stones", "marks", "over"].map((name) => [name, svg("g", { class: name })]));
    const clip = svg("clipPath", { id: "frame" },
      svg("rect", { x: -FRAME, y: -FRAME - above, width: across, height: above + 40 }),
      svg("rect", { x: -FRAME, y: -FRAME, width: across, height: down - above, rx: CORNER }));
    const lights = [light("shade", "blue"), hollow("edge", "blue"), ...CLASSES.flatMap((name, side) => [light(`disc${side}`, name), hollow(`well${side}`, name)])];
    const numbers = Array.from({ length: width }, (_, column) => {
      const text = svg("text", { x: x(column), y: height * 100 + 21 * grow, class: "number" });
      text.textContent = nameOf(column);
      return text;
    });
    const front = svg("g", { class: "front" },
      svg("path", { d: holes(size), "fill-rule": "evenodd", class: "face" }),
      svg("path", { d: inCells(size, `a${RADIUS} ${RADIUS} 0 0 1 ${2 * RADIUS} 0a${RADIUS} 34 0 0 0 ${-2 * RADIUS} 0z`), class: "shadow" }),
      ...Array.from({ length: width * height }, (_, index) => svg("circle", {
        class: "edge", r: RADIUS, cx: x(index % width), cy: y(size, Math.floor(index / width)),
      })), ...numbers);
    const picture = svg("svg", {
      viewBox: `${-FRAME} ${-FRAME - above} ${across} ${down}`, role: "img", id: "board",
    }, clip, ...lights,
      svg("rect", { x: -FRAME, y: -FRAME, width: across, height: down - above, rx: CORNER, class: "back" }),
      svg("g", { "clip-path": "url(#frame)" }, layers.stones), front, layers.marks, layers.over);
    const columns = Array.from({ length: width }, (_, column) => {
      const chip = h("span", { class: "chip" });
      const button = h("button", { type: "button", class: "column", "data-column": column }, chip);
      button.addEventListener("click", ({ detail }) => {
        chooseIfOpen(column);
        // Under a pointer that rests, the next stone would hide the board.
        if (detail > 0) look(null);
      });
      const byMouse = (action) => ({ pointerType }) => pointerType !== "touch" && action();
      for (const type of ["pointermove", "focus"]) button.addEventListener(type, byMouse(() => look(column)));
      for (const type of ["pointerleave", "blur"]) button.addEventListener(type, byMouse(() => look(null)));
      return { button, chip };
    });
    const chooseIfOpen = (column) => columns[column].button.getAttribute("aria-disabled") !== "true" && choose(column);
    const overlay = h("div", { class: "columns", role: "group", "aria-label": say("board.columns") }, columns.map(({ button }) => button));
    aimByTouch(overlay, width, { choose: chooseIfOpen, look });
    const cells = Array.from({ length: height }, () => Array.from({ length: width }, () => h("td")));
    const head = h("tr", {}, h("td"), columns.map((_, column) => h("th", { scope: "col" }, say("board.column", { column: nameOf(column) }))));
    const rows = cells.map((row, index) => h("tr", {}, h("th", { scope: "row" }, say("board.row", { row: height - index })), row));
    const table = h("div", { class: "unseen" }, h("table", {}, h("caption", {}, say("board.cells")), head, rows));
    const balance = h("div", { class: "balance", "aria-hidden": "true", hidden: true });
    const board = h("div", { class: "board", dir: "ltr", "data-size": sizeText(size) }, balance, picture, overlay, table);
    for (const [name, value] of [["--columns", width], ["--rows", height], ["--ratio", across / down], ["--frame", `${100 * FRAME / across}%`], ["--above", `${100 * above / down}%`], ["--grow", grow]]) {
      element.parentElement.style.setProperty(name, value);
    }
    element.replaceChildren(board);
    parts = { picture, columns, cells, board, balance, ...layers };
  }

  function drawStones(board, last, still) {
    const now = new Map();
    board.columns.forEach((cells, column) => cells.forEach((side, row) => {
      now.set(`${column} ${row}`, { column, row, side });
    }));
    const isLast = (place) => last !== null && place === `${last.column} ${last.row}`;
    for (const [place, one] of shown) {
      if (now.get(place)?.side !== one.side) {
        one.element.remove();
        shown.delete(place);
      }
    }
    for (const [place, { element: one }] of shown) one.classList.toggle("latest", isLast(place));
    // A single new stone falls; a whole position appears at once.
    const fresh = [...now].filter(([place]) => !shown.has(place));
    for (const [place, cell] of fresh) {
      const element = stone(cell.side);
      element.classList.toggle("latest", isLast(place));
      element.style.transform = at(size, cell);
      parts.stones.append(element);
      shown.set(place, { side: cell.side, element });
      if (!still && fresh.length <= 2 && isLast(place)) fall(element, cell);
    }
  }

  /** Falls from above the board and bounces once, to a sixteenth of the height: in a quarter of the time. */
  function fall(element, { column, row }) {
    const height = y(size, row) + FRAME + 60;
    const [down, up] = ["cubic-bezier(.33, 0, .67, .33)", "cubic-bezier(.33, .67, .67, 1)"];
    const above = (by, more) => ({ transform: `translate(${x(column)}px, ${y(size, row) - by}px)`, ...more });
    element.animate([
      above(height, { easing: down }), above(0, { offset: 2 / 3, easing: up }), above(height / 16, { offset: 5 / 6, easing: down }), above(0),
    ], { duration: 18.5 * Math.sqrt(height) });
  }

  function drawMarks({ board, threats, ghost, weak, hint, line }) {
    const marks = [];
    const put = (element, cell) => {
      element.style.transform = at(size, cell);
      marks.push(element);
      return element;
    };
    for (const { side, column, row, stacked } of threats) {
      const both = threats.some((other) => other.side !== side && other.column === column && other.row === row);
      const mark = svg("g", { class: `threat ${CLASSES[side]}${stacked ? " stacked" : ""}${both ? " both" : ""}` },
        svg("circle", { r: side === 0 ? 26 : 17 }),
        svg("path", { class: "pattern", d: side === 0 ? "" : "M-9-9L9 9M9-9L-9 9" }));
      put(mark, { column, row });
    }
    if (ghost !== null) put(stone(ghost.side, "ghost"), ghost);
    const write = (element, text) => {
      const label = svg("text", { class: "count" });
      label.textContent = text;
      element.append(label);
    };
    if (weak !== null && weak.column !== ghost?.column) write(put(stone(weak.side, "weak"), weak), weak.sign);
    line.forEach((one) => write(put(stone(one.side, "ahead"), one), one.number));
    for (const column of hint) {
      put(svg("circle", { r: 36, class: "hint" }), { column, row: board.columns[column].length });
    }
    parts.marks.replaceChildren(...marks);
  }

  /** A line from cell to cell, readable on every colour. */
  const stroke = (from, to, name) => ["under", ""].map((under) => svg("line", {
    x1: x(from.column), y1: y(size, from.row), x2: x(to.column), y2: y(size, to.row), class: `${name} ${under}`,
  }));

  /** The four on the board, or the fours and the cells of a reason. */
  function drawEnd(line, { fours, cells }) {
    const ring = ({ column, row }, name) => svg("circle", { cx: x(column), cy: y(size, row), r: name === "won" ? 40 : 36, class: name });
    if (line) return parts.over.replaceChildren(...stroke(line[0], line.at(-1), "won"), ...line.map((cell) => ring(cell, "won")));
    parts.over.replaceChildren(...fours.flatMap(([from, to]) => stroke(from, to, "won deciding")), ...cells.map((cell) => ring(cell, "last-cell")));
  }

  function drawColumns({ board, report, open, hint, ghost, line }) {
    const over = ghost?.column;
    aimed = over ?? aimed;
    parts.columns.forEach(({ button, chip }, column) => {
      const full = !canPlay(board, column);
      const move = report?.moves[column] ?? null;
      const best = report?.best.includes(column) ?? false;
      const hinted = hint.includes(column);
      button.setAttribute("aria-disabled", String(full || !open));
      const says = full ? say("board.full") : move ? moveVerdict(move) : "";
      const more = [says, best && !full && say("board.best"), hinted && say("board.hint")].filter(Boolean).join(", ");
      button.setAttribute("aria-label", say("board.name", { column: nameOf(column) }) + (more && `: ${more}`));
      button.classList.toggle("aimed", column === aimed);
      const state = full ? "full" : move ? `${move.outcome}${best ? " best" : ""}` : "";
      chip.className = `chip ${state}`;
      // The style sheet draws these; screen readers read the label.
      const sign = full || !move ? "" : verdictSign(move);
      [chip.dataset.word, chip.dataset.count] = [sign.slice(0, 1), sign.slice(1)];
      button.title = sign && says;
    });
    parts.board.classList.toggle("closed", !open);
    parts.board.classList.toggle("aiming", over !== undefined);
  }

  /**
   * @param {object} picture
   * @param {import("./rules.js").Board} picture.board
   * @param picture.last  the cell of the last move, or null
   * @param picture.report  verdicts to show above the columns, or null
   * @param picture.open  whether columns can be chosen
   * @param picture.ghost  the stone that would fall, or null
   * @param picture.line  stones of the line looked at, with numbers
   * @param picture.balance  from -1 to 1, how far the first side has won, with the moves to the end; or null
   * @param picture.weak  the stone of a weak move, with the sign of its mark, or null
   * @param picture.reason  what will decide the game
   * @param picture.hint  columns to mark
   * @param picture.names  of the sides
   * @param picture.still  no movement
   */
  return function draw(picture) {
    const { board, names } = picture;
    if (!size || sizeText(size) !== sizeText(board.size)) build(board.size);
    drawStones(board, picture.last, picture.still);
    drawMarks(picture);
    drawEnd(winningLine(board), picture.reason);
    drawColumns(picture);
    parts.balance.hidden = picture.balance === null;
    parts.board.classList.toggle("beside", picture.balance !== null);
    if (picture.balance !== null) {
      parts.balance.style.setProperty("--share", `${50 + 50 * picture.balance.share}%`);
      parts.balance.dataset.count = picture.balance.text;
      parts.balance.classList.toggle("low", picture.balance.share < 0);
    }
    parts.board.dataset.side = CLASSES[stones(board) % 2];
    parts.cells.forEach((row, index) => row.forEach((cell, column) => {
      setText(cell, names[board.columns[column][size.height - 1 - index]] ?? say("board.empty"));
    }));
    const [first, second] = names;
    parts.picture.setAttribute("aria-label", say("board.label", {
      count: stones(board), size: sizeText(size), first, second, rows: diagramOf(board).replaceAll("/", " "),
    }));
  };
}
