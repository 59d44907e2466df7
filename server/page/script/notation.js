/**
 * Reads a position in any of the library's notations (moves, a diagram, bitboards, rows, a key),
 * and moves and links as people write them. Positions obey gravity and the taking of turns; errors
 * name the expected and the actual text.
 */
import { boardOf, diagramOf, emptyBoard, parseMoves, parseSize, sizeText, threatsOf } from "./rules.js";
import { lineOfQuery } from "./views.js";
import { isMoves, movesOf, queryOf, understoodText } from "./written.js";

const fail = (text) => {
  throw new Error(text);
};

function number(text) {
  const trimmed = text.trim();
  return /^(0x[\da-f]+|\d+)$/i.test(trimmed) ? BigInt(trimmed) : fail(`'${trimmed}' is not a number; expected digits, or hexadecimal ones after 0x`);
}

const bit = (bits, index) => (bits >> BigInt(index)) & 1n;

/** A board with the stone that `cell` returns for each column and row. */
function boardOfStones(size, [first, second], cell) {
  const board = emptyBoard(size);
  let used = 0n;
  for (let column = 0; column < size.width; column++) {
    let gap = false;
    for (let row = 0; row < size.height; row++) {
      const index = cell(column, row);
      used |= 1n << BigInt(index);
      const [x, o] = [bit(first, index), bit(second, index)];
      if (x && o) fail("a cell has stones of both");
      if (!x && !o) gap = true;
      else if (gap) fail(`a stone in column ${column + 1} has none below it`);
      else board.columns[column].push(x ? 0 : 1);
    }
  }
  if ((first | second) & ~used) fail(`a stone is outside the board of ${sizeText(size)}`);
  return checked(board);
}

function checked(board) {
  const all = board.columns.flat();
  const seconds = all.filter((side) => side === 1).length;
  const ahead = all.length - 2 * seconds;
  if (ahead !== 0 && ahead !== 1) fail(`X has ${all.length - seconds} stones and O ${seconds}; expected as many, or one more of X`);
  return board;
}

function readDiagram(size, sizes, text) {
  const rows = text.trim().split(/[\n/]/).map((row) => row.replace(/\s/g, "")).filter((row, index, all) => row !== "" || index < all.length - 1);
  if (/^1[2-9a-g]*$/.test(rows.at(-1))) rows.pop();
  // The rows give the size, unless one of them is too short.
  const own = parseSize(`${rows[0].length}x${rows.length}`);
  const fits = rows.every((row) => row.length === rows[0].length);
  const of = fits && own && sizes.includes(sizeText(own)) ? own : size;
  if (rows.length !== of.height || rows.some((row) => row.length !== of.width)) {
    fail(`expected ${of.height} rows of ${of.width} cells, the top one first`);
  }
  const wrong = rows.join("").match(/[^XOxo.*]/);
  if (wrong) fail(`'${wrong[0]}' is no cell; expected X or O for a stone, '.' for an empty cell`);
  rows.forEach((row, fromTop) => [...row].forEach((mark, column) => {
    const below = rows[fromTop + 1]?.[column];
    if (/[XO]/.test(mark) && below !== undefined && !/[XO]/.test(below)) fail(`a stone in column ${column + 1} has none below it`);
  }));
  const board = checked(boardOf(of, rows.join("/").replace(/[xo*]/g, ".")));
  const threats = threatsOf(board);
  rows.forEach((row, fromTop) => [...row].forEach((mark, column) => {
    const cell = { column, row: of.height - 1 - fromTop };
    const has = (side) => threats.some((threat) => threat.side === side && threat.column === cell.column && threat.row === cell.row);
    if (("x*".includes(mark) && !has(0)) || ("o*".includes(mark) && !has(1))) {
      fail(`'${mark}' marks a threat that is none; write stones in capital letters, X and O`);
    }
  }));
  return board;
}

function readBitboards(size, text) {
  const fields = text.replace(/^\[|\]$/g, "").split(/[\s,]+/).filter(Boolean);
  if (fields.length !== 3 || !text.endsWith("]")) fail("expected [FIRST, SECOND, MOVES], three numbers");
  const [first, second, counter] = fields.map(number);
  const board = boardOfStones(size, [first, second], (column, row) => (size.height + 1) * column + row);
  const played = board.columns.flat().length;
  if (counter !== BigInt(played)) fail(`the counter says ${counter} moves, and there are ${played} stones`);
  return board;
}

function readRows(size, text) {
  const fields = text.slice(5).split(":");
  if (fields.length !== 2) fail("expected rows:FIRST:SECOND, two numbers");
  const wide = size.width > 8 ? 16 : 8;
  return boardOfStones(size, fields.map(number), (column, row) => wide * row + column);
}

/** The key is mover + mask + bottom: in each column, the stones of the mover below a bit that ends it. */
function readKey(size, text) {
  const key = number(text.slice(4));
  const { width, height } = size;
  const [mover, other] = [0n, 0n].map(() => []);
  for (let column = 0; column < width; column++) {
    const cells = (key >> BigInt((height + 1) * column)) & ((1n << BigInt(height + 1)) - 1n);
    if (cells === 0n) fail(`no position of ${sizeText(size)} has the key ${key}`);
    const filled = cells.toString(2).length - 1;
    for (let row = 0; row < filled; row++) (bit(cells, row) ? mover : other).push([column, row]);
  }
  if (key >> BigInt((height + 1) * width)) fail(`no position of ${sizeText(size)} has the key ${key}`);
  const first = mover.length === other.length ? mover : other;
  const board = emptyBoard(size);
  const all = [...mover, ...other].sort(([, a], [, b]) => a - b);
  for (const [column, row] of all) {
    const isFirst = first.some(([c, r]) => c === column && r === row);
    board.columns[column].push(isFirst ? 0 : 1);
  }
  return checked(board);
}

const EXPECTED = "expected moves like 4453, a diagram of X, O and dots, a link, [FIRST, SECOND, MOVES], rows:FIRST:SECOND or key:NUMBER";

function readAny(text, size, sizes) {
  const ofBoard = (board) => ({ size: board.size, base: diagramOf(board), moves: [], cursor: 0 });
  if (text.startsWith("[")) return ofBoard(readBitboards(size, text));
  if (/^rows:/i.test(text)) return ofBoard(readRows(size, text));
  if (/^key:/i.test(text)) return ofBoard(readKey(size, text));
  if (isMoves(text)) {
    const moves = parseMoves(emptyBoard(size), movesOf(text, size.width));
    return { size, base: null, moves, cursor: moves.length };
  }
  if (/^[XOxo.*/\d\s]*$/.test(text)) return ofBoard(readDiagram(size, sizes, text));
  const query = queryOf(text);
  if (query) return lineOfQuery(query);
  return /[/\n]/.test(text) ? ofBoard(readDiagram(size, sizes, text)) : fail(`${EXPECTED}; found '${text.length > 30 ? `${text.slice(0, 30)}…` : text}'`);
}

/** The line that a text sets up, on a board of the present size unless the text names another of `sizes`. */
export function readLine(text, size, sizes) {
  try {
    return readAny(text.trim(), size, sizes);
  } catch (error) {
    throw new Error(understoodText(error), { cause: error });
  }
}
