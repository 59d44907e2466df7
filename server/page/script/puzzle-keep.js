/** The puzzles that the browser keeps over a reload: today's, one of a past day, and an endless one. */
import { hasParts, isCount, isText, oneOf } from "./check.js";
import { today } from "./puzzle-score.js";
import { boardAt, lineFrom, movesText, resultOf, sizeText } from "./rules.js";
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
export const lastSlot = () => load("puzzle-slot", "daily", oneOf("daily", "past", "endless", "opening"), THIS_TAB);

const hasFields = hasParts({
  kind: oneOf("daily", "endless"), name: isText, difficulty: oneOf("easy", "medium", "hard"), start: isCount, goal: isCount, wrong: oneOf(true, false), revealed: oneOf(true, false),
});
const isPuzzle = (entry) => hasFields(entry) && entry.goal > 0 && entry.start <= lineFrom(entry.size, null, entry.moves).moves.length;

/** The parts of a kept puzzle, with the moves played so far, or null. */
export function keptPuzzle(slot) {
  const entry = load(`puzzle.${slot}`, null, isPuzzle);
  if (!entry) return null;
  const { kind, name, difficulty, start, goal, wrong, revealed } = entry;
  const line = lineFrom(entry.size, null, entry.moves);
  const setUp = { ...line, moves: line.moves.slice(0, start), cursor: start };
  const isSolved = resultOf(boardAt(line)) !== null;
  return { ...puzzleOf(setUp, goal), line, kind, name, difficulty, wrong, revealed, isSolved };
}
