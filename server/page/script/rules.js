/**
 * The rules: boards, stones, lines of four, and lines of moves. Columns and rows count from 0, row 0 at the bottom;
 * side 0 moves first. A board is a value: `play` makes a new one.
 *
 * @typedef {{ width: number, height: number }} Size
 * @typedef {{ size: Size, columns: number[][] }} Board  each column: sides from the bottom
 * @typedef {{ column: number, row: number }} Cell
 */

import { say } from "./texts.js";

export const SIDES = [0, 1];

/** A column as moves name it: 1 to 9, then a, b, c and so on. */
export const nameOf = (column) => (column + 1).toString(36);

/** The column that a character names, or -1. */
export const columnNamed = (name, width) => {
  const column = /^[1-9a-g]$/i.test(name) ? parseInt(name, 36) - 1 : -1;
  return column < width ? column : -1;
};

export const sizeText = ({ width, height }) => `${width}x${height}`;

/** The size that a text such as 7x6 names, or null. */
export function parseSize(text) {
  const found = /^([1-9]\d?)x([1-9]\d?)$/.exec(text ?? "");
  if (!found) return null;
  const [width, height] = [Number(found[1]), Number(found[2])];
  const fits = width >= 4 && width <= 16 && height >= 4 && width * (height + 1) <= 128;
  return fits ? { width, height } : null;
}

/** The sizes to choose from, with the present one in any case. */
export const withSize = (sizes, size) => (sizes.includes(sizeText(size)) ? sizes : [...sizes, sizeText(size)]);

export const emptyBoard = (size) => ({ size, columns: Array.from({ length: size.width }, () => []) });

/** The board of rows of X, O and dots, the top one first, with '/' between them. */
export function boardOf(size, diagram) {
  const board = emptyBoard(size);
  if (diagram === null) return board;
  for (const row of diagram.split("/").reverse()) {
    [...row].forEach((letter, column) => {
      if (letter !== ".") board.columns[column].push(letter === "X" ? 0 : 1);
    });
  }
  return board;
}

export function diagramOf({ size, columns }) {
  const rows = [];
  for (let row = size.height - 1; row >= 0; row--) {
    rows.push(columns.map((column) => "XO"[column[row]] ?? ".").join(""));
  }
  return rows.join("/");
}

export const stones = (board) => board.columns.reduce((sum, column) => sum + column.length, 0);
export const sideToMove = (board) => stones(board) % 2;
export const isFull = (board) => stones(board) === board.size.width * board.size.height;
export const canPlay = (board, column) => board.columns[column]?.length < board.size.height;

export function play(board, column) {
  const side = sideToMove(board);
  const columns = board.columns.map((cells, other) => (other === column ? [...cells, side] : cells));
  return { size: board.size, columns };
}

const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

/** A line of at least four of `side` through a cell, which is taken as theirs; else null. */
export function winningLineAt(board, { column, row }, side) {
  for (const [right, up] of DIRECTIONS) {
    const line = [{ column, row }];
    for (const way of [-1, 1]) {
      let [c, r] = [column + way * right, row + way * up];
      while (board.columns[c]?.[r] === side) {
        if (way < 0) line.unshift({ column: c, row: r });
        else line.push({ column: c, row: r });
        [c, r] = [c + way * right, r + way * up];
      }
    }
    if (line.length >= 4) return line;
  }
  return null;
}

/** The cells of a line of four from end to end, if there is one. */
export function winningLine(board) {
  for (const [column, cells] of board.columns.entries()) {
    for (const [row, side] of cells.entries()) {
      const line = winningLineAt(board, { column, row }, side);
      if (line) return line;
    }
  }
  return null;
}

/** The result: the winning side, "draw", or null while the game goes on. */
export function resultOf(board) {
  const line = winningLine(board);
  if (line) return board.columns[line[0].column][line[0].row];
  return isFull(board) ? "draw" : null;
}

/** The empty cells that complete a four, by side; stacked are two right above each other. */
export function threatsOf(board) {
  const cells = [];
  for (const side of SIDES) {
    for (const [column, { length }] of board.columns.entries()) {
      for (let row = length; row < board.size.height; row++) {
        if (winningLineAt(board, { column, row }, side)) cells.push({ side, column, row, stacked: false });
      }
    }
  }
  for (const low of cells) {
    const isAbove = (cell) => cell.side === low.side && cell.column === low.column && cell.row === low.row + 1;
    const high = cells.find(isAbove);
    if (high) low.stacked = high.stacked = true;
  }
  return cells;
}

/** The columns of a move string; throws an Error that says which move cannot be made, with those before as `understood`. */
export function parseMoves(board, text) {
  const understood = [];
  const { width, height } = board.size;
  let now = board;
  let isOver = winningLine(board) !== null;
  for (const name of text.replace(/\s/g, "")) {
    const column = columnNamed(name, width);
    const wrong = column < 0 ? "column" : isOver ? "ended" : !canPlay(now, column) ? "full" : null;
    if (wrong) throw Object.assign(new Error(say(`wrong.${wrong}`, { number: understood.length + 1, name, last: nameOf(width - 1), height })), { understood });
    now = play(now, column);
    isOver = winningLineAt(now, { column, row: now.columns[column].length - 1 }, 1 - sideToMove(now)) !== null;
    understood.push(column);
  }
  return understood;
}

export const movesText = (moves) => moves.map(nameOf).join("");

/**
 * A line of moves with a cursor in it: the board shows the moves before the cursor.
 *
 * @typedef {object} Line
 * @property {Size} size
 * @property {string | null} base  the diagram it begins from; null for the empty board
 * @property {number[]} moves  columns from 0
 * @property {number} cursor  how many of the moves are on the board
 */

const isDiagram = ({ width, height }, text) => {
  const rows = text.split("/");
  return rows.length === height && rows.every((row) => row.length === width && /^[XO.]*$/.test(row));
};

/** The line of a size, a diagram or null, and moves; throws an Error in words. */
export function lineFrom(sizeName, base, played) {
  const size = parseSize(sizeName);
  if (!size) throw new Error(say("wrong.size", { size: sizeName, rule: say("size.rule", { example: "7x6" }) }));
  if (base !== null && !(isDiagram(size, base) && diagramOf(boardOf(size, base)) === base)) {
    throw new Error(say("wrong.diagram", size));
  }
  const moves = parseMoves(boardOf(size, base), played);
  return { size, base, moves, cursor: moves.length };
}

export const emptyLine = (size) => ({ size, base: null, moves: [], cursor: 0 });

export const boardAt = (line, cursor = line.cursor) =>
  line.moves.slice(0, cursor).reduce(play, boardOf(line.size, line.base));

/** The question to an engine about a line. */
export function questionAt(line, cursor = line.cursor) {
  const size = sizeText(line.size);
  if (line.base === null) return { size, moves: movesText(line.moves.slice(0, cursor)) };
  return { size, diagram: diagramOf(boardAt(line, cursor)) };
}

/**
 * The position of a question as a text.
 *
 * @param {{ moves?: string, diagram?: string }} question
 */
export const textOf = ({ moves, diagram }) => diagram ?? moves;

/** Names a question, for a cache. */
export const keyOf = (question) => `${question.size} ${question.diagram ?? question.moves}`;

export const goTo = (line, cursor) => ({ ...line, cursor: Math.max(0, Math.min(line.moves.length, cursor)) });

/** The line with a move at its cursor. If the line already has this move there, the later moves stay. */
export function withMove(line, column) {
  if (line.moves[line.cursor] === column) return goTo(line, line.cursor + 1);
  const moves = [...line.moves.slice(0, line.cursor), column];
  return { ...line, moves, cursor: moves.length };
}

export function allows(line, column) {
  const board = boardAt(line);
  return canPlay(board, column) && !winningLine(board);
}

export function mirrored(line) {
  const other = (column) => line.size.width - 1 - column;
  const base = line.base?.split("/").map((row) => [...row].reverse().join("")).join("/") ?? null;
  return { ...line, base, moves: line.moves.map(other) };
}

export const atEnd = (line) => line.cursor === line.moves.length;

/** The columns in which a stone of `side` would make four now. */
export const winningCells = (board, side) => board.columns.flatMap(({ length: row }, column) =>
  (row < board.size.height && winningLineAt(board, { column, row }, side) ? [column] : []));
