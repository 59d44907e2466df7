/** Setting a position up: by placing stones on a board, or from a text. */
import { openDialog } from "./dialogs.js";
import { button, choice, enable, h, setText } from "./dom.js";
import { boardAt, diagramOf, emptyBoard, nameOf, parseSize, winningLine } from "./rules.js";
import { sizeChoice, sizeOf } from "./shelf.js";
import { say } from "./texts.js";
import { sideNames } from "./words.js";

const CLASSES = ["first", "second"];

/** A board with a click at a cell: `brush` is a side, or null to take stones away. */
export function edited({ size, columns }, column, row, brush) {
  const cells = columns[column];
  const isStone = row < cells.length;
  const other = brush === null ? cells.slice(0, row)
    : isStone ? cells.map((side, index) => (index === row ? brush : side)) : [...cells, brush];
  return { size, columns: columns.map((all, index) => (index === column ? other : all)) };
}

/** The error of a board, or the side to move. */
function judge(board, names) {
  const all = board.columns.flat();
  const counts = [0, 1].map((side) => all.filter((one) => one === side).length);
  const has = names.map((name, side) => say("editor.count", { side: name, count: counts[side] })).join(", ");
  const ahead = counts[0] - counts[1];
  if (ahead < 0 || ahead > 1) return { isRight: false, text: `${has}. ${say("editor.unequal", { first: names[0], second: names[1] })}` };
  if (winningLine(board)) return { isRight: true, text: `${has}. ${say("editor.ended")}` };
  return { isRight: true, text: `${has}. ${say("editor.to-move", { side: names[ahead] })}` };
}

/** `setUp` gets the line; `read` reads a text and sets it up, or tells what is wrong. */
export function openEditor(store, { setUp, read }) {
  const { analyse: { line }, settings } = store.state;
  const names = sideNames(settings);
  let board = boardAt(line);
  let brush = 0;
  const grid = h("div", { class: "editor" });
  const says = h("p", { role: "status", class: "says soft" });
  const done = button(say("editor.done"), () => {
    dialog.close();
    const isEmpty = board.columns.every(({ length }) => length === 0);
    setUp({ size: board.size, base: isEmpty ? null : diagramOf(board), moves: [], cursor: 0 });
  }, { class: "main", id: "edit-done" });
  const brushes = choice(say("editor.stones"), [...names.entries(), ["none", say("editor.take")]], (value) => {
    brush = value === "none" ? null : value;
    brushes.set(value);
  });
  const size = h("form", {}, sizeChoice(store.state, line.size));
  size.addEventListener("change", () => {
    const chosen = parseSize(sizeOf(size));
    if (chosen) show(emptyBoard(chosen));
  });
  size.addEventListener("submit", (event) => event.preventDefault());
  const input = h("textarea", { id: "input", rows: 2, spellcheck: "false", autocomplete: "off", autocapitalize: "off", placeholder: "4453" });
  const error = h("p", { class: "error", role: "alert", id: "error" });
  const form = h("form", { class: "paste", id: "paste" }, h("label", { for: "input" }, say("editor.text")),
    input, error, h("div", { class: "actions" }, button(say("editor.clear"), () => show(emptyBoard(board.size)), { id: "clear" }), h("button", { type: "submit" }, say("editor.read")), done));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wrong = await read(input.value);
    setText(error, wrong);
    if (!wrong) dialog.close();
  });

  function cell(column, row) {
    const side = board.columns[column][row];
    return h("button", {
      type: "button", "data-cell": `${column} ${row}`, "aria-label": say("editor.cell", { column: nameOf(column), row: row + 1, content: names[side] ?? say("board.empty") }),
      onclick: () => show(edited(board, column, row, brush)),
    }, side !== undefined && h("i", { class: `dot ${CLASSES[side]}` }));
  }

  function show(next) {
    board = next;
    const { width, height } = board.size;
    const focused = document.activeElement?.dataset.cell;
    grid.style.setProperty("--columns", width);
    grid.style.setProperty("--rows", height);
    grid.replaceChildren(...Array.from({ length: width * height }, (_, index) => cell(index % width, height - 1 - Math.floor(index / width))));
    if (focused) grid.querySelector(`[data-cell="${focused}"]`)?.focus();
    const { isRight, text } = judge(board, names);
    setText(says, text);
    enable(done, isRight);
  }

  brushes.set(brush);
  const dialog = openDialog(say("editor.title"), h("div", { class: "line" }, brushes.element, size), grid, says, form);
  show(board);
}
