/** How bad a move is: by the change of the outcome, and by how soon a person could have seen it. */
import { movesToEnd } from "./words.js";

const CLASS = { win: 2, draw: 1, loss: 0 };
const OTHER = { win: "loss", draw: "draw", loss: "win" };

/** The most moves to the end at which a change of the outcome is a blunder, a mistake, an inaccuracy. */
const SIGHTS = [["blunder", 3], ["mistake", 6], ["inaccuracy", 10]];
/** The most moves in which a lost position is lost sooner, for the same. */
const SOONER = [["blunder", 1], ["mistake", 2]];
/** Moves that a person would have held out longer. */
const LONGER = 4;

/** The grade of a move, "" for a fair one; both values are of the side to move: the best, and that of the move. */
export function gradeOf(best, made) {
  const [soonest, now] = [movesToEnd(best.plies), movesToEnd(made.plies)];
  const within = (sights, moves) => sights.find(([, most]) => moves <= most)?.[0] ?? "";
  if (CLASS[made.outcome] < CLASS[best.outcome]) {
    const lengths = [best.outcome === "win" ? soonest : Infinity, made.outcome === "loss" ? now : Infinity];
    return within(SIGHTS, Math.min(...lengths));
  }
  if (made.outcome === "loss" && soonest - now >= LONGER) return within(SOONER, now);
  return made.outcome === "win" && soonest === 1 && now > 1 ? "inaccuracy" : "";
}

/** The grades of the moves of a review. */
export const gradesOf = ({ moves, positions }) => moves.map((_, index) => {
  const { outcome, plies } = positions[index + 1];
  return gradeOf(positions[index], { outcome: OTHER[outcome], plies: plies + 1 });
});
