/** Moves as people write them down: with separators, numbers of turns, or letters; and links. */
import { nameOf } from "./rules.js";

/** A letter alone or with its row, as in "d1". */
const LETTER = /^([a-i])\d?$/i;

/** Whether a text can be a list of moves: a dot stands after the number of a turn only, and no number has a sign. */
export const isMoves = (text) => /^[\da-i\s,;.)–-]*$/i.test(text) && !/(^|[^\d.])\.|\.{4}|(^|\s)[–-]\d/.test(text);

/** The text without the numbers of turns, if there are some: 1, 2, 3 and so on. */
function withoutTurns(text) {
  const turn = /(^|[\s,;])(\d+)(\.{1,3}|\))/g;
  const numbers = [...text.matchAll(turn)].map(([, , number]) => Number(number));
  const areTurns = numbers.length > 0 && numbers.every((number, index) => number === (numbers[index - 1] ?? 0) + 1 || number === numbers[index - 1]);
  return areTurns ? text.replace(turn, " ") : text;
}

/** The moves of a text, one character each; what is no move stays as it is. */
export function movesOf(text, width) {
  const words = withoutTurns(text).split(/[\s,;–-]+/).filter(Boolean);
  const columnOf = (word) => (width < 10 ? LETTER.exec(word)?.[1].toLowerCase().charCodeAt(0) - 97 : NaN);
  if (words.every((word) => columnOf(word) < width)) return words.map((word) => nameOf(columnOf(word))).join("");
  // Letters without anything between them.
  const all = words.join("");
  if (width < 10 && /^[a-i]+$/i.test(all)) return [...all].map((letter) => nameOf(columnOf(letter))).join("");
  // On a wide board, 12 between commas is one column, and 12 alone is two.
  const isNumber = (word) => /^\d{1,2}$/.test(word) && Number(word) >= 1 && Number(word) <= width;
  const areNumbers = width >= 10 && words.length > 1 && words.every(isNumber) && words.some((word) => word.length === 1);
  return areNumbers ? words.map((word) => nameOf(Number(word) - 1)).join("") : all;
}

/** The query of a link to a position, of this page or of connect4.gamesolver.org; null if a text is no link. */
export function queryOf(text) {
  if (!/^(https?:\/\/|[?#]|\S+[?#])\S*$/i.test(text)) return null;
  let query;
  try {
    query = new URL(text, "https://localhost/").searchParams;
  } catch {
    return null;
  }
  const position = query.get("pos");
  if (position !== null) query.set("moves", position);
  if (!["moves", "diagram", "size"].some((name) => query.has(name))) {
    throw new Error("the link names no position; expected moves=, diagram= or pos= in it");
  }
  return query;
}

/** The message for a text of which only the first moves can be played. */
export function understoodText(error) {
  const { understood = [] } = error;
  if (understood.length === 0) return error.message;
  const moves = understood.map(nameOf).join("");
  return `${error.message}; understood before it: ${moves}`;
}
