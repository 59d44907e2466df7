/** Verdicts in words. Lengths are in moves of the winner. */
import { nameOf } from "./rules.js";
import { percent, say, signed } from "./texts.js";

/** The names of the sides, by their colours. */
export const sideNames = ({ stones }) => ["yellow", stones === "safe" ? "blue" : "red"].map((colour) => say(`side.${colour}`));

/** Moves of the winner until the game ends, from stones of both. */
export const movesToEnd = (plies) => Math.ceil(plies / 2);

/** A move's verdict: "wins in 4". */
export const moveVerdict = ({ outcome, plies }) => say(`verdict.${outcome}`, { count: movesToEnd(plies) });

/** The verdict of a column in a sentence. */
export const columnVerdict = (column, move) => say("verdict.sentence", { column: nameOf(column), verdict: moveVerdict(move) });

/** A position's verdict for the names of its sides. */
export function positionVerdict(report, side, names) {
  if (report.outcome === "draw") return say("position.draw");
  const winner = report.outcome === "win" ? side : 1 - side;
  return say("position.wins", { side: names[winner], count: movesToEnd(report.plies) });
}

/** Whose turn it is, and who wins: "Red to move. Yellow wins in 15." */
export const turnVerdict = (report, side, names) =>
  `${say("position.to-move", { side: names[side] })}${report?.outcome ? ` ${positionVerdict(report, side, names)}.` : ""}`;

/** The sign of a verdict above its column: "W21", "=" or "L20". */
export const verdictSign = ({ outcome, plies }) => (outcome === "draw" ? "=" : `${say(`sign.${outcome}`)}${movesToEnd(plies)}`);

/** The text about the download of the computer, of which a share has arrived. */
export const downloadText = (share) => (share > 0 ? say("wait.downloaded", { share: percent(share) }) : say("wait.download"));

/** The text about a search under way, which has taken `slow` seconds if that is long. */
export const solvingText = ({ download, slow }) => (download !== null ? downloadText(download) : slow ? say("wait.long", { seconds: slow }) : say("wait.solving"));

/** The signs of grades. */
export const SIGNS = { blunder: "??", mistake: "?", inaccuracy: "?!" };

/** A bad move before it is made. */
export const warningText = ({ column, made, best }) =>
  (made.outcome === "loss" ? columnVerdict(column, made) : say("warning.gives-up", { column: nameOf(column), count: movesToEnd(best.plies) }));

/** The number of a turn, which is a move of each side: "4." or, for the second side, "4…". `first` made move 0. */
export const turnText = (index, first) => `${Math.floor((index + first) / 2) + 1}${(index + first) % 2 === 0 ? "." : "…"}`;

/** The task of a puzzle, in words. */
export const taskText = ({ side, goal, holds }, names) => say(holds ? `task.keep-${holds}` : "task.win", { side: names[side], count: goal });

/** How a game has ended, for the names of its sides. */
export const resultText = (result, names) => (result === "draw" ? say("result.draw") : say("result.won", { side: names[result] }));

/** The proved bounds of an unknown score, in words, with the names of both sides. */
export function boundsText({ min, max }, [first, second]) {
  const known = min > 0 ? "first-wins" : max < 0 ? "second-wins" : min === 0 ? "first-holds" : max === 0 ? "second-holds" : "open";
  return say("bounds.sentence", { known: say(`bounds.${known}`, { first, second }), min: signed(min), max: signed(max) });
}

const WAYS = { "0,1": "column", "1,0": "row" };

/** Where a four is, by its first cell and another one. */
export function wayOf([from, to]) {
  const way = WAYS[[Math.sign(to.column - from.column), Math.sign(to.row - from.row)]] ?? "diagonal";
  return say(`way.${from.row === 0 && to.row === 0 ? "bottom" : way}`);
}
