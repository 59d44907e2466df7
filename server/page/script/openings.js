/** Names of the usual first moves on 7x6, in plain words: no names are in general use. A mirror image has the same name. */
import { movesText, sizeText } from "./rules.js";
import { say } from "./texts.js";

const NAMED = "4 44 444 4444 44444 444444 444442 43 42 41 3 34 33 32 35 2 24 22 1 14 11 12".split(" ");

/** The name of the opening that a line has after its first `count` moves, or null. */
function nameAt({ size, base, moves }, count) {
  if (base !== null || sizeText(size) !== "7x6") return null;
  const first = moves.slice(0, count);
  const found = [first, first.map((column) => 6 - column)].map(movesText).find((moves) => NAMED.includes(moves));
  return found === undefined ? null : say(`opening.${found}`);
}

/** Moves that are still the opening. */
const LONGEST = 10;

/** The name of the opening at the cursor of a line: the last that it had; empty without one. */
export function openingOf(line) {
  if (line.cursor > LONGEST) return "";
  for (let count = line.cursor; count > 0; count--) {
    const name = nameAt(line, count);
    if (name) return name;
  }
  return "";
}
