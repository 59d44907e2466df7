/** Names of the usual first moves on 7x6, in plain words: no names are in general use. A mirror image has the same name. */
import { movesText, sizeText } from "./rules.js";

const NAMES = {
  4: "Centre opening", 44: "Centre tower", 444: "Tower of three", 4444: "Tower of four", 44444: "Tower of five", 444444: "Full tower", 444442: "Tower, wide reply",
  43: "Centre, near reply", 42: "Centre, wide reply", 41: "Centre, edge reply",
  3: "Side opening", 34: "Side, centre reply", 33: "Side tower", 32: "Side, outer reply", 35: "Side, opposite reply",
  2: "Flank opening", 24: "Flank, centre reply", 22: "Flank tower",
  1: "Edge opening", 14: "Edge, centre reply", 11: "Edge tower", 12: "Edge, flank reply",
};

/** The name of the opening that a line has after its first `count` moves, or null. */
function nameAt({ size, base, moves }, count) {
  if (base !== null || sizeText(size) !== "7x6") return null;
  const first = moves.slice(0, count);
  return NAMES[movesText(first)] ?? NAMES[movesText(first.map((column) => 6 - column))] ?? null;
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
