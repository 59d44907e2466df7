/**
 * Reads a position in any of the library's notations (moves, a diagram, bitboards, rows, a key),
 * and moves, links and boards as people and programs write them. Positions obey gravity and the taking of turns; errors
 * name the expected and the actual text. Its cases and the library's are tests/data/notations.tsv.
 */
import { boardOf, diagramOf, emptyBoard, emptyLine, nameOf, parseMoves, parseSize, SIDES, sizeText, threatsOf, winningLine } from "./rules.js";
import { lineOfQuery } from "./views.js";
import { isMoves, movesOf, queryOf, shortened, understoodText } from "./written.js";

const fail = (text) => {
  throw new Error(text);
};

function number(text) {
  const trimmed = text.trim();
  return /^(0x[\da-f]+|\d+)$/i.test(trimmed) ? BigInt(trimmed) : fail(`'${trimmed}' is not a number; expected digits, or hexadecimal ones after 0x`);
}

const bit = (bits, index) => (bits >> BigInt(index)) & 1n;

/** A board with the stone, 0, 1 or null, that `stoneAt` returns for each column and row. */
function boardOfStones(size, stoneAt) {
  const board = emptyBoard(size);
  board.columns.forEach((cells, column) => {
    let gap = false;
    for (let row = 0; row < size.height; row++) {
      const stone = stoneAt(column, row);
      if (stone !== null && gap) fail(`the stone in column ${column + 1}, row ${row + 1} (from the bottom) has no stone below it`);
      gap ||= stone === null;
      if (stone !== null) cells.push(stone);
    }
  });
  return checked(board);
}

function checked(board) {
  const all = board.columns.flat();
  const [first, second] = SIDES.map((side) => all.filter((stone) => stone === side).length);
  if (first !== second && first !== second + 1) {
    fail(`the first player has ${first} ${first === 1 ? "stone" : "stones"} and the second ${second}; taking turns, they have equal numbers or the first has one more`);
  }
  if (winningLine(board) && !lastStoneCanHaveWon(board)) fail("the game was over before the last stone");
  return board;
}

/** Whether one stone of the side that moved last, on top of its column, is part of every line of four. */
function lastStoneCanHaveWon(board) {
  const last = 1 - (board.columns.flat().length % 2);
  return board.columns.some((cells, column) => cells.at(-1) === last
    && !winningLine({ ...board, columns: board.columns.map((other, index) => (index === column ? cells.slice(0, -1) : other)) }));
}

function boardOfBits(size, [first, second], cell) {
  let used = 0n;
  const board = boardOfStones(size, (column, row) => {
    const index = cell(column, row);
    used |= 1n << BigInt(index);
    const [x, o] = [bit(first, index), bit(second, index)];
    if (x && o) fail(`both players have a stone in column ${column + 1}, row ${row + 1} (from the bottom)`);
    return x ? 0 : o ? 1 : null;
  });
  if ((first | second) & ~used) fail(`there is a stone outside the board of ${sizeText(size)}`);
  return board;
}

// Diagrams. A stone -1 is a minus sign.
const PAIRS = ["XO", "12", "1−"];
const COLOURS = [..."RYBWG🔴🟡🔵🟢🟠🟣🟤🟥🟨🟦🟩"];
const EMPTY = [..."._-·0 ⚪⚫⬜⬛"];
const STONES = [...COLOURS, ...PAIRS.join("")];

/** Whether a row has the numbers or letters of the columns. */
function isNumbers(row) {
  const text = row.join("").toLowerCase();
  const names = [nameOf, (column) => column + 1, (column) => column, (column) => String.fromCharCode(97 + column)];
  return Array.from({ length: 13 }, (_, index) => index + 4).some((width) =>
    names.some((name) => text === Array.from({ length: width }, (_, column) => name(column)).join("")));
}

/** The cells of a row, or of a list. */
function cellsOf(row, isList) {
  const inner = row.slice(row.indexOf("|") + 1, row.lastIndexOf("|"));
  if (inner.includes("|")) return inner.split("|").map((cell) => [...cell.trim()][0] ?? " ");
  return row.split(/[\s,;[("'|\ufe0f]/).flatMap((word) => {
    const digits = word.replace(isList ? /\.0?$/ : /\.0$/, "");
    return digits === "-1" ? ["−"] : [...(/^[012]$/.test(digits) ? digits : word)];
  });
}

/** The rows of cells of a text, and whether a list of cells goes up the columns. */
function cellsOfText(text) {
  const [hasBars, isList] = [text.includes("|"), /[[(]/.test(text)];
  const rows = text.replace(/,\s*(win|loss|draw)\s*$/, "").split(/[\n/\])]/)
    .filter((row) => !/[+=]/.test(row) && (!hasBars || row.includes("|")))
    .map((row) => cellsOf(row, isList)).filter((row) => row.length > 0);
  if (rows.length > 0 && isNumbers(rows.at(-1))) rows.pop();
  else if (rows.length > 0 && isNumbers(rows[0])) rows.shift();
  const has = (marks) => rows.flat().some((cell) => marks.includes(cell));
  const [byColumns, hasCapitals] = [has("b") && has("xo"), has("XO")];
  const cell = (mark) => (mark === "b" && byColumns ? "." : "xo".includes(mark) && hasCapitals ? mark : mark.toUpperCase());
  return { rows: rows.map((row) => row.map(cell)), byColumns };
}

/** Whether a text can be meant as a diagram: it has the cells of a board, and is no list of moves. */
function isDiagram(text) {
  const { rows } = cellsOfText(text);
  const cells = rows.flat();
  const isBoard = rows.length >= 4 && rows.every(({ length }) => length === rows[0].length);
  const mistakes = cells.filter((mark) => !STONES.includes(mark) && !EMPTY.includes(mark) && !"xo*".includes(mark)).length;
  return cells.length >= 16 && (mistakes === 0 ? isBoard || cells.some((mark) => !/[1-9BG]/.test(mark)) : mistakes === 1 && isBoard);
}

/** The rows of a board of this size, or of the size that the rows have, if it is one of `sizes`. */
function rowsOf(size, sizes, text) {
  const { rows, byColumns } = cellsOfText(text);
  const own = parseSize(`${rows[0]?.length}x${rows.length}`);
  const fits = own && rows.every((row) => row.length === rows[0].length);
  const of = fits && sizes.includes(sizeText(own)) ? own : size;
  const { width, height } = of;
  let found = rows;
  if (rows.length === 1 && rows[0].length > width) {
    const [list] = rows;
    if (list.length !== width * height) fail(`expected a list of ${width * height} cells, found one of ${list.length}`);
    const index = byColumns ? (row, column) => height * column + height - 1 - row : (row, column) => width * row + column;
    found = Array.from({ length: height }, (_, row) => Array.from({ length: width }, (_, column) => list[index(row, column)]));
  }
  if (found.length !== height) fail(`expected a diagram of ${height} rows, the top one first, found ${found.length}`);
  found.forEach((row, index) => {
    if (row.length !== width) fail(`row ${height - index} (from the bottom) of the diagram has ${row.length} cells; expected ${width}`);
  });
  return { of, rows: found };
}

/** The marks of the players, the first one first, where it is known who is first; else undefined. */
function playersOf(marks, empty) {
  const pair = PAIRS.find((pair) => marks.every((mark) => pair.includes(mark)));
  if (pair && !(pair === "XO" && marks.length > 0 && empty === "0")) return [...pair];
  if (!marks.every((mark) => COLOURS.includes(mark))) {
    fail(`${[...marks, empty].filter(Boolean).map((mark) => `'${mark}'`).join(" and ")} do not go together; expected X or O for a stone, '.' for an empty cell`);
  }
  return undefined;
}

function readDiagram(size, sizes, text) {
  const { of, rows } = rowsOf(size, sizes, text);
  const marks = [];
  let empty = null;
  const threats = [];
  rows.forEach((row, index) => row.forEach((mark, column) => {
    const place = `row ${of.height - index} (from the bottom), column ${column + 1} of the diagram`;
    if (marks.includes(mark)) return;
    if ("xo*".includes(mark)) threats.push({ mark, column, row: of.height - 1 - index, place });
    else if (EMPTY.includes(mark) && (empty ?? mark) === mark) empty = mark;
    else if (STONES.includes(mark) && marks.length < 2) marks.push(mark);
    else fail(`'${mark}' in ${place} is no cell; expected X or O for a stone, '.' for an empty cell`);
  }));
  const known = playersOf(marks, empty);
  const board = (players) => boardOfStones(of, (column, row) => {
    const side = players.indexOf(rows[of.height - 1 - row][column]);
    return side < 0 ? null : side;
  });
  const count = (mark) => rows.flat().filter((cell) => cell === mark).length;
  const players = known ?? [...marks].sort((one, other) => count(other) - count(one));
  const isEven = !known && players.length > 0 && count(players[0]) === count(players[1]);
  const read = board(players);
  if (isEven) {
    const both = [read, board([...players].reverse())].map(diagramOf);
    fail(`'${players[0]}' and '${players[1]}' have as many stones, so either may have moved first; write ${both.join(" or ")}`);
  }
  const all = threatsOf(read);
  for (const { mark, column, row, place } of threats) {
    const sides = SIDES.filter((side) => all.some((threat) => threat.side === side && threat.column === column && threat.row === row));
    if (sides.join() !== { x: "0", o: "1", "*": "0,1" }[mark]) {
      fail(`'${mark}' in ${place} marks an empty cell as a threat, and there is no such threat; write stones in capital letters, X and O`);
    }
  }
  return read;
}

function readBitboards(size, text) {
  const fields = text.replace(/^\[|\]$/g, "").split(/[\s,]+/).filter(Boolean);
  if (fields.length !== 3 || !text.endsWith("]")) fail("expected [FIRST, SECOND, MOVES], three numbers");
  const [first, second, counter] = fields.map(number);
  const board = boardOfBits(size, [first, second], (column, row) => (size.height + 1) * column + row);
  const played = board.columns.flat().length;
  if (counter !== BigInt(played)) fail(`the counter says ${counter} moves, but the board has ${played} stones`);
  return board;
}

function readRows(size, text) {
  const fields = text.slice(5).split(":");
  if (fields.length !== 2) fail("expected rows:FIRST:SECOND, two numbers");
  const wide = size.width > 8 ? 16 : 8;
  return boardOfBits(size, fields.map(number), (column, row) => wide * row + column);
}

/** The key is mover + mask + bottom: in each column, the stones of the mover below a bit that ends it. */
function boardOfKey(size, key) {
  const { width, height } = size;
  const bits = BigInt(height + 1);
  const columns = Array.from({ length: width }, (_, column) => (key >> (bits * BigInt(column))) & ((1n << bits) - 1n));
  if (columns.includes(0n) || key >> (bits * BigInt(width))) fail(`no position of a ${sizeText(size)} board has the key ${key}`);
  const filled = columns.map((cells) => cells.toString(2).length - 1);
  const toMove = filled.reduce((sum, stones) => sum + stones, 0) % 2;
  return boardOfStones(size, (column, row) => (row >= filled[column] ? null : bit(columns[column], row) ? toMove : 1 - toMove));
}

/** The key that a number is, as it stands or without the bottom row: many programs count mover + mask. */
function wholeKey(size, number) {
  const bottom = Array.from({ length: size.width }, (_, column) => 1n << BigInt((size.height + 1) * column)).reduce((all, cell) => all + cell);
  return [number, number + bottom].find((key) => {
    try {
      return boardOfKey(size, key);
    } catch {
      return false;
    }
  });
}

function readKey(size, text) {
  const key = number(text.replace(/^key:/i, ""));
  try {
    return boardOfKey(size, key);
  } catch (error) {
    const whole = wholeKey(size, key);
    return fail(whole === undefined ? error.message : `${error.message}; if its bottom row is missing, write key:${whole}`);
  }
}

/** The moves of a text. The error of many digits names the key that they may be. */
function readMoves(size, text) {
  try {
    return movesOf(size, text);
  } catch (error) {
    const key = /^\d{8,}$/.test(text) ? wholeKey(size, BigInt(text)) : undefined;
    if (key !== undefined) error.message += `; if it is a key, write key:${key}`;
    throw error;
  }
}

/** The line of a link, whose moves and diagram may be written in any form. */
function lineOfLink(query) {
  const size = query.has("size") ? parseSize(query.get("size")) : { width: 7, height: 6 };
  if (!size) fail(`the size of the link: expected WIDTHxHEIGHT, found '${query.get("size")}'`);
  const [diagram, key] = [query.get("diagram"), query.get("key")];
  if (key !== null) query.set("diagram", diagramOf(readKey(size, key)));
  else if (diagram !== null) query.set("diagram", diagramOf(readDiagram(size, [], diagram)));
  else query.set("moves", movesOf(size, query.get("moves") ?? "").map(nameOf).join(""));
  const { length } = parseMoves(boardOf(size, query.get("diagram")), query.get("moves") ?? "");
  const ply = query.get("ply") ?? String(length);
  if (!/^\d+$/.test(ply) || Number(ply) > length) fail(`the ply of the link: expected 0 to ${length} moves, found '${ply}'`);
  return lineOfQuery(query);
}

function readAny(text, size, sizes) {
  const ofBoard = (board) => ({ ...emptyLine(board.size), base: diagramOf(board) });
  if (/^rows:/i.test(text)) return ofBoard(readRows(size, text));
  if (/^key:/i.test(text)) return ofBoard(readKey(size, text));
  const query = /^[\da-g]*$/i.test(text) ? null : queryOf(text);
  if (query) return lineOfLink(query);
  if (isDiagram(text)) return ofBoard(readDiagram(size, sizes, text));
  if (text.startsWith("[")) {
    const isList = text.slice(1).includes("[") || text.split(/[, ]/).length > 10;
    return ofBoard(isList ? readDiagram(size, sizes, text) : readBitboards(size, text));
  }
  if (isMoves(text)) {
    const moves = readMoves(size, text);
    return { size, base: null, moves, cursor: moves.length };
  }
  return /[/\n|]/.test(text) ? ofBoard(readDiagram(size, sizes, text))
    : fail(`'${shortened(text)}' looks like no notation of a position; expected moves like 4453, a diagram of X, O and dots, a link, [FIRST, SECOND, MOVES], rows:FIRST:SECOND or key:NUMBER`);
}

/** The line that a text sets up, on a board of the present size unless the text names another of `sizes`. */
export function readLine(text, size, sizes) {
  try {
    return readAny(text.trim(), size, sizes);
  } catch (error) {
    throw new Error(understoodText(error), { cause: error });
  }
}
