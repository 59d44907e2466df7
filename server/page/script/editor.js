/** Setting a position up: by placing stones on a board, or from a text. */
import { openDialog } from "./dialogs.js";
import { button, enable, h, setText } from "./dom.js";
import { boardAt, diagramOf, emptyBoard, nameOf, parseSize, winningLine } from "./rules.js";
import { sizeChoice, sizeOf } from "./shelf.js";
import { say } from "./texts.js";
import { sideNames } from "./words.js";

const CLASSES = ["first", "second"];

/**
 * A board after a click at a cell, which puts a stone of the side to move into the column, changes the
 * colour of a stone, or takes a stone away with all above it if the click before changed it.
 */
export function edited({ size, columns }, column, row, isChanged) {
  const cells = columns[column];
  const [first, second] = [0, 1].map((side) => columns.flat().filter((one) => one === side).length);
  const other = row >= cells.length ? [...cells, first > second ? 1 : 0]
    : isChanged ? cells.slice(0, row) : cells.with(row, 1 - cells[row]);
  return { size, columns: columns.with(column, other) };
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
  // The stone whose colour the last click changed.
  let changed = null;
  const grid = h("div", { class: "editor" });
  const says = h("p", { role: "status", class: "says soft" });
  const size = h("form", {}, sizeChoice(store.state, line.size));
  size.addEventListener("change", () => {
    const chosen = parseSize(sizeOf(size));
    if (chosen) change(emptyBoard(chosen));
  });
  size.addEventListener("submit", (event) => event.preventDefault());
  const input = h("textarea", { id: "input", rows: 2, spellcheck: "false", autocomplete: "off", autocapitalize: "off", placeholder: "4453" });
  const error = h("p", { class: "error", role: "alert", id: "error" });
  const done = h("button", { type: "submit", class: "main", id: "edit-done" }, say("editor.done"));
  const form = h("form", { class: "paste", id: "paste" }, h("label", { for: "input" }, say("editor.text")),
    input, error, h("div", { class: "actions" }, button(say("editor.clear"), () => change(emptyBoard(board.size)), { id: "clear" }), done));
  input.addEventListener("input", tell);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (done.getAttribute("aria-disabled") === "true") return;
    if (input.value.trim()) {
      const wrong = await read(input.value);
      setText(error, wrong);
      if (wrong) return;
    } else {
      const isEmpty = board.columns.every(({ length }) => length === 0);
      setUp({ size: board.size, base: isEmpty ? null : diagramOf(board), moves: [], cursor: 0 });
    }
    dialog.close();
  });

  /** The side to move, or what is wrong; a text takes the place of the board. */
  function tell() {
    const { isRight, text } = judge(board, names);
    setText(says, text);
    enable(done, isRight || input.value.trim() !== "");
  }

  /** Shows another board, which takes the place of a text. */
  function change(next) {
    input.value = "";
    setText(error, "");
    show(next);
  }

  function click(column, row) {
    const place = `${column} ${row}`;
    const isStone = row < board.columns[column].length;
    const next = edited(board, column, row, changed === place);
    changed = isStone && changed !== place ? place : null;
    change(next);
  }

  function cell(column, row) {
    const side = board.columns[column][row];
    return h("button", {
      type: "button", "data-cell": `${column} ${row}`, "aria-label": say("editor.cell", { column: nameOf(column), row: row + 1, content: names[side] ?? say("board.empty") }),
      onclick: () => click(column, row),
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
    tell();
  }

  const dialog = openDialog(say("editor.title"), h("div", { class: "line" }, h("p", { class: "soft" }, say("editor.how")), size), grid, says, form);
  show(board);
}
