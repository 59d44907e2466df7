/** Verdicts in words. Lengths are in moves of the winner. */
import { nameOf } from "./rules.js";

export const plural = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** Moves of the winner until the game ends, from stones of both. */
export const movesToEnd = (plies) => Math.ceil(plies / 2);

/** A move's verdict: "wins in 4". */
export function moveVerdict({ outcome, plies }) {
  if (outcome === "draw") return "draws";
  return `${outcome === "win" ? "wins" : "loses"} in ${movesToEnd(plies)}`;
}

/** A position's verdict for the names of its sides. */
export function positionVerdict(report, side, names) {
  if (report.outcome === "draw") return "A draw";
  const winner = report.outcome === "win" ? side : 1 - side;
  return `${names[winner]} wins in ${movesToEnd(report.plies)}`;
}

/** Whose turn it is, and who wins: "Red to move. Yellow wins in 15." */
export const turnVerdict = (report, side, names) =>
  `${names[side]} to move.${report?.outcome ? ` ${positionVerdict(report, side, names)}.` : ""}`;

/** The sign of a verdict above its column: "W21", "=" or "L20". */
export const verdictSign = ({ outcome, plies }) => (outcome === "draw" ? "=" : `${outcome === "win" ? "W" : "L"}${movesToEnd(plies)}`);

/** The text about the download of the computer, of which a share has arrived. */
export const downloadText = (share) => `Downloading the computer${share > 0 ? `, ${Math.floor(100 * share)} %` : ""}…`;

/** The text about a search under way, which has taken `slow` seconds if that is long. */
export const solvingText = ({ download, slow }) => (download !== null ? downloadText(download) : slow ? `Still solving, ${slow} s. An early position can take minutes.` : "Solving…");

export const GRADES = {
  blunder: { sign: "??", text: "a blunder" },
  mistake: { sign: "?", text: "a mistake" },
  inaccuracy: { sign: "?!", text: "an inaccuracy" },
};

/** A bad move before it is made. */
export const warningText = ({ column, made, best }) =>
  `Column ${nameOf(column)} ${made.outcome === "loss" ? moveVerdict(made) : `gives up a win in ${movesToEnd(best.plies)}`}.`;

/** The number of a turn, which is a move of each side: "4." or, for the second side, "4…". `first` made move 0. */
export const turnText = (index, first) => `${Math.floor((index + first) / 2) + 1}${(index + first) % 2 === 0 ? "." : "…"}`;

/** The task of a puzzle, in words. */
export const taskText = ({ side, goal, holds }, names) => `${names[side]} to move${holds ? `: one move alone keeps the ${holds}` : ` and win in ${goal}`}`;

/** How a game has ended, for the names of its sides. */
export const resultText = (result, names) => (result === "draw" ? "The game is a draw" : `${names[result]} has won`);

/** The proved bounds of an unknown score, in words, with the names of both sides. */
export function boundsText({ min, max }, [name, other]) {
  const signed = (score) => `${score > 0 ? "+" : score < 0 ? "−" : ""}${Math.abs(score)}`;
  const known = min > 0 ? `${name} wins` : max < 0 ? `${other} wins` : min === 0 ? `${name} does not lose` : max === 0 ? `${name} does not win` : "nobody is known to win";
  return `Proved so far: ${known}; the score is from ${signed(min)} to ${signed(max)}.`;
}

const WAYS = { "0,1": "in a column", "1,0": "in a row" };

/** Where a four is, by its first cell and another one. */
export function wayOf([from, to]) {
  if (from.row === 0 && to.row === 0) return "in the bottom row";
  return WAYS[[Math.sign(to.column - from.column), Math.sign(to.row - from.row)]] ?? "in a diagonal";
}
