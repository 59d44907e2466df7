/** Moves as people write them down: with separators, numbers of turns, or letters; and links. */
import { columnNamed, emptyBoard, nameOf, playMoves } from "./rules.js";

const fail = (text) => {
  throw new Error(text);
};

/** The beginning of a text, for an error. */
export const shortened = (text) => (text.length > 30 ? `${text.slice(0, 30)}…` : text);

/** Whether a text can be meant as a list of moves. */
export const isMoves = (text) => /^(\d|[a-i\s,;)–-][\da-i\s,;.)–-]*$|$)/i.test(text);

/** Whether a text has separators of several kinds. */
function mixesSeparators(text) {
  const trimmed = text.replace(/[,;\s]+$/, "").trimStart();
  const [kind, ...others] = [";", "\t", ",", /[-–—−]/].filter((kind) => trimmed.search(kind) >= 0);
  return kind !== undefined && (others.length > 0 || trimmed.split(kind).some((word) => /\s/.test(word.trim())));
}

/** Whether these words are two moves. */
function isWholeTurn(words) {
  if (words.length !== 1) return words.length === 2;
  const letters = words[0].match(/[a-z]/gi)?.length ?? 0;
  return letters > 1 || (letters === 0 && words[0].length > 1);
}

/** The words of a text without the numbers of turns, and whether there are none of these. */
function wordsOf(text) {
  const words = [];
  let [turn, turnStart] = [0, 0];
  for (const part of text.split(/[\s,;–]+/).filter(Boolean)) {
    if (/^-\d/.test(part)) fail(`'${shortened(text)}' has the score ${part} in it; expected moves alone, such as 4453`);
    for (let word of part.split("-").filter(Boolean)) {
      const [, number, rest] = /^(\d+)[.)]+(.*)$/.exec(word) ?? [];
      if (number !== undefined) {
        if (Number(number) !== turn && Number(number) !== turn + 1) fail(`'${shortened(text)}' has the turn ${number} after the turn ${turn}`);
        const played = words.slice(turnStart);
        const isNext = Number(number) === turn + 1 && !/^\d+\.{2}/.test(word);
        const isHalf = Number(number) === turn && played.length === 1;
        if (!isHalf && !(isNext && (turn === 0 || isWholeTurn(played)))) fail(`'${shortened(text)}' has ${word} where no turn begins; expected two moves before it`);
        if (isNext) turnStart = words.length;
        [turn, word] = [Number(number), rest];
      }
      if (word) words.push(word);
    }
  }
  if (turn > 0 && words.length > turnStart + 2) fail(`'${shortened(text)}' has more than two moves in the turn ${turn}`);
  if (words.length === 0 && text !== "") fail(`'${shortened(text)}' has no move in it; expected moves such as 4453`);
  if (turn === 0 && /[\n\r\v\f\x85\u2028\u2029]/.test(text)) fail(`'${shortened(text)}' is no list of moves; expected moves alone, such as 4453, in one line`);
  if (turn === 0 && mixesSeparators(text)) fail(`'${shortened(text)}' has separators of several kinds, so it may be more than a position; expected moves alone, such as 4453`);
  return { words, isPlain: turn === 0 };
}

/** Moves of letters, each perhaps with the row: "ddec", "d1"; null if the words have others. */
function lettersOf(words) {
  if (!words.every((word) => /^([a-i]\d*)+$/i.test(word))) return null;
  const moves = words.join(" ").matchAll(/([a-i])(\d*)/gi);
  return [...moves].map(([, name, row]) => ({ name, column: name.toLowerCase().charCodeAt(0) - 97, row: row ? Number(row) : undefined }));
}

/** Numbers with separators between them; null if the words have others. */
const numbersOf = (words) => (words.every((word) => /^\d+$/.test(word)) ? words.map((name) => ({ name, column: Number(name) - 1 })) : null);

/** The columns of a list of moves. Two ways to read it that differ are an error that shows both. */
export function movesOf(size, text) {
  const { words, isPlain } = wordsOf(text);
  // On wide boards, a number of two digits may be a column.
  const isJoined = size.width < 10 && words.length > 1 && words.some((word) => /^\d\d+$/.test(word));
  const isUneven = isPlain && (isJoined || words.some(({ length }) => length !== words[0].length));
  const own = isUneven ? null : [...words.join("")].map((name) => ({ name, column: columnNamed(name, size.width) }));
  // As the program prints a position, and its score or one for each column. A comma at the end makes it a list of moves.
  const isOutput = isUneven && [2, size.width + 1].includes(words.length) && !/,\s*$/.test(text);
  const [letters, numbers] = [lettersOf(words), isOutput ? null : numbersOf(words)];
  const onWide = numbers && text.includes(",") ? [numbers] : [words.length > 1 ? numbers : null, own, letters];
  const readings = size.width < 10 ? [letters, own] : onWide;
  // Moves as fourbook prints them are never ambiguous.
  const isPrinted = /^[\da-g]+$/.test(text);
  const found = new Map();
  let fault = null;
  for (const reading of readings.filter(Boolean)) {
    try {
      const columns = playMoves(emptyBoard(size), reading);
      if (reading === own && isPrinted) return columns;
      found.set(columns.join(" "), columns);
    } catch (error) {
      fault ??= error;
    }
  }
  fault ??= new Error(`'${shortened(text)}' has words that are not one move each, so it may be more than a position; expected moves alone, such as 4453 or 4, 4, 5, 3,`);
  if (found.size === 0) throw fault;
  const [first, ...others] = found.values();
  const listed = (columns) => `'${columns.map((column) => `${column + 1},`).join(" ")}'`;
  if (others.length > 0) fail(`'${shortened(text)}' is ambiguous on a board of ${size.width} columns; write ${[first, ...others].map(listed).join(" or ")}`);
  return first;
}

/** The query of a link to a position, of this page or of connect4.gamesolver.org; null if a text is no link. */
export function queryOf(text) {
  const names = ["moves", "diagram", "key"];
  const isAddress = /^https?:\/\//i.test(text);
  if (!isAddress && !/^[^\s?]*\?/.test(text)) return null;
  let query;
  try {
    query = new URL(text.replaceAll("&amp;", "&"), "https://localhost/").searchParams;
  } catch {
    return null;
  }
  for (const alternatives of [["pos", "moves"], ["diagram", "key"], ["size"], ["ply"]]) {
    const found = [...query.keys()].filter((name) => alternatives.includes(name)).length;
    if (found > 1) fail(`expected ${alternatives.join(" or ")} once in the link, found ${found} of them`);
  }
  const position = query.get("pos");
  if (position !== null) query.set("moves", position);
  const isEmpty = query.has("size") && [...query.keys()].every((name) => ["size", "ply"].includes(name));
  const hasPosition = isEmpty || names.some((name) => query.has(name));
  if (!hasPosition && (isAddress || query.has("size"))) fail("the link names no position; expected moves=, diagram=, key= or pos= in it");
  return hasPosition ? query : null;
}

/** The message for a text of which only the first moves can be played. */
export function understoodText(error) {
  const { understood = [] } = error;
  if (understood.length === 0) return error.message;
  const moves = understood.map(nameOf).join("");
  return `${error.message}; understood before it: ${moves}`;
}
