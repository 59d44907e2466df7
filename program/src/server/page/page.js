"use strict";

// The board: a list of columns, each a list of sides (0 moves first) from the bottom.
// A position is a diagram that was pasted (or none) and the columns played since, from 0.

const $ = (id) => document.getElementById(id);
/** A column, from 0, as it stands in moves: 1 to 9, then a to g. */
const nameOf = (column) => (column + 1).toString(36);
const columnNamed = (name) => parseInt(name, 36) - 1;
const SIDES = ["Yellow", "Red"];
const SIDE_CLASSES = ["first", "second"];
let width = 7;
let height = 6;
let base = null; // the text of a pasted diagram: rows from the top, joined by "/"
let played = [];
let undone = [];
let showThreats = false;
let asking = null;
let reply = null;

/** Reads a diagram, also as `fourbook show` draws the board: with spaces, marks of threats
 * (x, o, or * for both, which are empty cells), and the numbers of the columns below. */
function parseDiagram(text) {
  const marked = text.trim().split(/[\n/]/).map((row) => row.replace(/\s/g, ""));
  if (marked.length === height + 1 && /^1[2-9a-g]*$/.test(marked[height])) marked.pop();
  if (marked.length !== height || marked.some((row) => row.length !== width || /[^XO.xo*]/.test(row))) {
    throw new Error(`expected ${height} rows of ${width} letters X, O and '.'`);
  }
  const diagram = marked.join("/").replace(/[xo*]/g, ".");
  const board = columnsOf(diagram);
  marked.forEach((row, fromTop) => [...row].forEach((mark, column) => {
    const isThreat = (side) => lineThrough(board, column, height - 1 - fromTop, side);
    if (!["x*", "o*"].every((marks, side) => !marks.includes(mark) || isThreat(side))) {
      throw new Error(`'${mark}' marks a threat that is none; write stones in capital letters, X and O`);
    }
  }));
  return diagram;
}

function columnsOf(diagram) {
  const columns = Array.from({ length: width }, () => []);
  if (diagram === null) return columns;
  for (const row of diagram.split("/").reverse()) {
    [...row].forEach((letter, column) => {
      if (letter !== ".") columns[column].push(letter === "X" ? 0 : 1);
    });
  }
  return columns;
}

const stones = (board) => board.reduce((sum, column) => sum + column.length, 0);

function boardNow() {
  const board = columnsOf(base);
  for (const column of played) board[column].push(stones(board) % 2);
  return board;
}

function diagramOf(board) {
  const rows = [];
  for (let row = height - 1; row >= 0; row--) {
    rows.push(board.map((column) => "XO"[column[row]] ?? ".").join(""));
  }
  return rows.join("/");
}

/** The cells of a line of four of `side` through a cell, which counts as theirs. */
function lineThrough(board, column, row, side) {
  for (const [right, up] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
    const line = [[column, row]];
    for (const way of [-1, 1]) {
      let [c, r] = [column + way * right, row + way * up];
      while (board[c]?.[r] === side) {
        line.push([c, r]);
        [c, r] = [c + way * right, r + way * up];
      }
    }
    if (line.length >= 4) return line;
  }
  return null;
}

function winningLine(board) {
  for (let column = 0; column < width; column++) {
    for (let row = 0; row < board[column].length; row++) {
      const line = lineThrough(board, column, row, board[column][row]);
      if (line) return line;
    }
  }
  return null;
}

/** The empty cells that complete a four, by side; stacked are two right above each other. */
function threatsOf(board) {
  const cells = [];
  for (const side of [0, 1]) {
    for (let column = 0; column < width; column++) {
      for (let row = board[column].length; row < height; row++) {
        if (lineThrough(board, column, row, side)) cells.push({ side, column, row, stacked: false });
      }
    }
  }
  for (const low of cells) {
    const high = cells.find((c) => c.side === low.side && c.column === low.column && c.row === low.row + 1);
    if (high) low.stacked = high.stacked = true;
  }
  return cells;
}

/** Shows whether a button does anything; `disabled` would take the focus from who plays by keyboard. */
function enable(button, does) {
  button.setAttribute("aria-disabled", String(!does));
}

function words(outcome, count) {
  if (outcome === "draw") return "draw";
  return `${outcome === "win" ? "wins" : "loses"} in ${count}`;
}

// --- drawing -------------------------------------------------------------------------

function build() {
  document.documentElement.style.setProperty("--columns", width);
  $("last").textContent = nameOf(width - 1);
  $("moves").replaceChildren(...Array.from({ length: width }, (_, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.addEventListener("click", () => play(column));
    return button;
  }));
  const cells = [];
  for (let row = height - 1; row >= 0; row--) {
    for (let column = 0; column < width; column++) {
      const cell = document.createElement("div");
      cell.addEventListener("click", () => play(column));
      cells.push(cell);
    }
  }
  $("board").replaceChildren(...cells);
}

function drawBoard(board, line, dropped) {
  const last = played.at(-1);
  // Nobody threatens anything after the end.
  const threats = showThreats && !line ? threatsOf(board) : [];
  [...$("board").children].forEach((cell, index) => {
    const column = index % width;
    const row = height - 1 - Math.floor(index / width);
    const side = board[column][row];
    cell.className = "cell";
    cell.replaceChildren();
    if (side !== undefined) cell.classList.add("stone", SIDE_CLASSES[side]);
    if (line || side !== undefined) cell.classList.add("over");
    if (column === last && row === board[column].length - 1) {
      cell.classList.add("last");
      if (dropped) {
        cell.style.setProperty("--fall", `${(height - row) * 110}%`);
        cell.classList.add("dropped");
      }
    }
    if (line?.some(([c, r]) => c === column && r === row)) cell.classList.add("line");
    const here = threats.filter((threat) => threat.column === column && threat.row === row);
    if (here.length > 0) {
      const mark = document.createElement("span");
      const of = here.length > 1 ? "both" : SIDE_CLASSES[here[0].side];
      mark.className = `threat of-${of}`;
      if (here.some((threat) => threat.stacked)) mark.classList.add("stacked");
      mark.textContent = here.length > 1 ? "YR" : SIDES[here[0].side][0];
      cell.append(mark);
    }
  });
  const rows = diagramOf(board).split("/").map((row) => row.replaceAll("X", "Y").replaceAll("O", "R"));
  $("board").setAttribute("aria-label", `${stones(board)} stones. Rows from the top: ${rows.join(", ")}`);
  $("threat-text").hidden = !showThreats;
  $("threat-text").textContent = describeThreats(threats);
}

function describeThreats(threats) {
  return [0, 1].map((side) => {
    const own = threats.filter((threat) => threat.side === side);
    const cells = own.map((t) => `column ${nameOf(t.column)} row ${t.row + 1}${t.stacked ? " (stacked)" : ""}`);
    return `${SIDES[side]} completes four at: ${cells.join("; ") || "nowhere"}.`;
  }).join(" ");
}

function drawMoves(board, over) {
  [...$("moves").children].forEach((button, column) => {
    const full = board[column].length >= height;
    const move = reply?.moves.find((other) => other.column === column + 1 && other.score !== null);
    const best = reply?.best_moves.includes(column + 1) ?? false;
    button.className = `move ${move ? move.outcome : ""} ${move && best ? "best" : ""}`;
    enable(button, !full && !over);
    const parts = [["b", "", nameOf(column)]];
    if (full && !over) parts.push(["span", "word", "full"]);
    else if (move?.outcome === "draw") parts.push(["span", "word", "draw"]);
    else if (move) {
      parts.push(["span", "word", move.outcome === "win" ? "wins in" : "loses in"]);
      parts.push(["span", "count", `${move.plies_to_end}`]);
    }
    button.replaceChildren(...parts.map(([tag, name, text]) => {
      const part = document.createElement(tag);
      part.className = name;
      part.textContent = text;
      return part;
    }));
    const says = full ? "full" : move ? words(move.outcome, move.plies_to_end) : "";
    button.setAttribute("aria-label", `Column ${nameOf(column)}${says && `: ${says}`}${best ? ", best" : ""}`);
  });
}

function drawVerdict(board, line) {
  const side = stones(board) % 2;
  const full = stones(board) === width * height;
  $("disc").className = `disc ${SIDE_CLASSES[line ? 1 - side : side]}`;
  if (line || full) {
    $("turn-text").textContent = `After ${stones(board)} stones`;
    $("verdict").textContent = line ? `${SIDES[1 - side]} has won` : "The game is a draw";
    $("source-text").textContent = "";
    return;
  }
  $("turn-text").textContent = `${SIDES[side]} to move, ${stones(board)} ${stones(board) === 1 ? "stone" : "stones"} played`;
  if (!reply) {
    $("verdict").textContent = "";
    $("source-text").textContent = "";
    return;
  }
  const count = reply.plies_to_end;
  const winner = reply.outcome === "win" ? side : 1 - side;
  $("verdict").textContent = reply.outcome === "draw"
    ? "A draw if both play perfectly"
    : `${SIDES[winner]} wins with the ${ordinal(count)} stone from now`;
  const cost = reply.nodes ? `, ${reply.nodes.toLocaleString("en")} nodes` : "";
  const from = { book: "from the book", derived: "derived from the book and the rules", solver: "solved" };
  const also = reply.source !== "solver" && reply.nodes ? "; moves beyond the book solved" : "";
  $("source-text").textContent = `Score ${reply.score}, ${from[reply.source]}${also}${cost}`;
}

function ordinal(number) {
  const rest = number % 100 - number % 10 === 10 ? 0 : number % 10;
  return `${number}${["th", "st", "nd", "rd"][rest] ?? "th"}`;
}

function draw(dropped = false) {
  const board = boardNow();
  const line = winningLine(board);
  const over = line !== null || stones(board) === width * height;
  drawBoard(board, line, dropped);
  drawMoves(board, over);
  drawVerdict(board, line);
  enable($("undo"), played.length > 0);
  enable($("redo"), undone.length > 0);
  return over;
}

// --- asking --------------------------------------------------------------------------

function showError(text) {
  $("error").hidden = text === "";
  $("error").textContent = text;
}

async function ask() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const query = base === null
    ? `moves=${played.map(nameOf).join("")}`
    : `diagram=${encodeURIComponent(diagramOf(boardNow()))}`;
  const spin = setTimeout(() => {
    $("spinner").hidden = false;
    $("source-text").textContent = "The solver is at work…";
  }, 150);
  $("retry").hidden = true;
  try {
    // First what is known at once, then what has to be solved.
    for (const wait of [false, true]) {
      const response = await fetch(`/v1/position?${query}&wait=${wait}`, { signal });
      const answer = await response.json();
      if (signal.aborted) return;
      if (!response.ok) {
        showError(answer.detail ?? `The server answered ${response.status}.`);
        $("retry").hidden = response.status < 500;
      } else if (answer.score !== null) {
        reply = answer;
      }
      if (!response.ok || answer.complete) break;
      if (reply) draw();
    }
  } catch (error) {
    if (signal.aborted) return;
    showError("The server cannot be reached.");
    $("retry").hidden = false;
  } finally {
    clearTimeout(spin);
    if (!signal.aborted) $("spinner").hidden = true;
  }
  document.body.dataset.state = reply ? "answered" : "failed";
  draw();
}

/** After the position has changed: draws it, shares it in the address, asks about it. */
function changed({ dropped = false, push = true } = {}) {
  reply = null;
  showError("");
  $("spinner").hidden = true;
  document.body.dataset.state = "asking";
  const moves = played.map(nameOf).join("");
  $("input").value = base === null ? moves : diagramOf(boardNow());
  const query = new URLSearchParams();
  if (base !== null) query.set("diagram", base);
  if (moves !== "") query.set("moves", moves);
  const text = query.toString().replaceAll("%2F", "/");
  if (push) history.replaceState(null, "", text === "" ? "/" : `/?${text}`);
  draw(dropped);
  ask();
}

// --- acting --------------------------------------------------------------------------

function play(column) {
  const board = boardNow();
  if (board[column].length >= height || winningLine(board)) return;
  played.push(column);
  undone = [];
  changed({ dropped: true });
}

function undo() {
  if (played.length === 0) return;
  undone.push(played.pop());
  changed();
}

function redo() {
  if (undone.length === 0) return;
  played.push(undone.pop());
  changed({ dropped: true });
}

function mirror() {
  const other = (column) => width - 1 - column;
  played = played.map(other);
  undone = undone.map(other);
  if (base !== null) base = base.split("/").map((row) => [...row].reverse().join("")).join("/");
  changed();
}

/** Takes a diagram, or none, and moves; throws an error that says what is wrong. */
function setUp(diagram, moves) {
  const start = diagram === null ? null : parseDiagram(diagram);
  const board = columnsOf(start);
  const columns = [...moves].map((move, index) => {
    const column = columnNamed(move);
    const name = `move ${index + 1} ('${move}')`;
    if (!(column >= 0 && column < width)) throw new Error(`${name} is not a column from 1 to ${nameOf(width - 1)}`);
    if (board[column].length >= height) throw new Error(`${name} goes to a full column`);
    if (winningLine(board)) throw new Error(`${name} comes after the end of the game`);
    board[column].push(stones(board) % 2);
    return column;
  });
  [base, played, undone] = [start, columns, []];
}

function toggleThreats() {
  showThreats = !showThreats;
  $("threats").setAttribute("aria-pressed", String(showThreats));
  draw();
}

async function share() {
  try {
    await navigator.clipboard.writeText(location.href);
    $("share").textContent = "✓ Copied";
  } catch {
    $("share").textContent = "In the address bar";
  }
  setTimeout(() => { $("share").textContent = "↗ Copy link"; }, 2000);
}

$("undo").addEventListener("click", undo);
$("redo").addEventListener("click", redo);
$("mirror").addEventListener("click", mirror);
$("threats").addEventListener("click", toggleThreats);
$("share").addEventListener("click", share);
$("clear").addEventListener("click", () => { [base, played, undone] = [null, [], []]; changed(); });
$("retry").addEventListener("click", () => { showError(""); ask(); });
$("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("input").value.trim();
  try {
    if (/^[\da-g\s]*$/i.test(text)) setUp(null, text.replace(/\s/g, ""));
    else setUp(text, "");
    changed();
  } catch (error) {
    showError(error.message);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.id === "input") return;
  const column = event.key.length === 1 ? columnNamed(event.key) : -1;
  const actions = { u: undo, ArrowLeft: undo, r: redo, ArrowRight: redo, m: mirror, t: toggleThreats };
  if (column >= 0 && column < width) play(column);
  else if (actions[event.key]) actions[event.key]();
  else return;
  event.preventDefault();
});

async function start() {
  try {
    const book = await (await fetch("/v1/book")).json();
    ({ width, height } = book);
    $("book").textContent = book.loaded
      ? `Book of ${width}x${height} to ply ${book.depth}, identity ${book.identity}.`
      : `No book: every position of ${width}x${height} is solved.`;
  } catch {
    showError("The server cannot be reached.");
  }
  build();
  const query = new URLSearchParams(location.search);
  try {
    setUp(query.get("diagram"), query.get("moves") ?? "");
  } catch (error) {
    changed({ push: false });
    showError(`The address is not right: ${error.message}`);
    return;
  }
  changed({ push: false });
}

start();
