/** The puzzles that the browser keeps over a reload: today's, one of a past day, and an endless one. */
import { today } from "./puzzle-score.js";
import { boardAt, emptyBoard, movesText, parseMoves, parseSize, resultOf, sizeText } from "./rules.js";
import { load, save, THIS_TAB } from "./store.js";
import { puzzleOf } from "./views.js";

const KEPT = ["yours", "theirs", "solved"];

/** Where a puzzle is kept. */
export const slotOf = (kind, name) => (kind === "daily" && name !== today() ? "past" : kind);

export function keepPuzzle({ kind, name, difficulty, status, line, start, goal, wrong, revealed }) {
  // The trainer has lessons of its own to repeat.
  if (kind === "opening") return save("puzzle-slot", kind, THIS_TAB);
  if (!KEPT.includes(status)) return;
  const { size, moves } = line;
  const slot = slotOf(kind, name);
  save(`puzzle.${slot}`, { kind, name, difficulty, size: sizeText(size), moves: movesText(moves), start, goal, wrong, revealed });
  save("puzzle-slot", slot, THIS_TAB);
}

/** The slot of the puzzle that this tab showed last. */
export const lastSlot = () => load("puzzle-slot", "daily", THIS_TAB);

/** The parts of a kept puzzle, with the moves played so far, or null. */
export function keptPuzzle(slot) {
  const entry = load(`puzzle.${slot}`, null);
  const size = parseSize(entry?.size);
  if (!size) return null;
  const { kind, name, difficulty, start, goal, wrong, revealed } = entry;
  const moves = parseMoves(emptyBoard(size), entry.moves);
  const setUp = { size, base: null, moves: moves.slice(0, start), cursor: start };
  const line = { ...setUp, moves, cursor: moves.length };
  const isSolved = resultOf(boardAt(line)) !== null;
  return { ...puzzleOf(setUp, goal), line, kind, name, difficulty, wrong, revealed, isSolved };
}
