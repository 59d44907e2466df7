/**
 * The questions and answers of every engine. Columns count from 0; scores and outcomes
 * are for the side to move.
 *
 * @typedef {{ size: string, moves?: string, diagram?: string }} Question
 * @typedef {{ score: number, outcome: "win" | "draw" | "loss", plies: number }} Move  plies: stones to the end
 * @typedef {object} Report
 * @property {number | null} score
 * @property {"win" | "draw" | "loss" | null} outcome
 * @property {number | null} plies
 * @property {number[]} best  the columns known to reach the score, nearest to the centre first
 * @property {(Move | null)[]} moves  by column; null if it is not known or cannot be played
 * @property {"book" | "strategy" | "derived" | "solver"} source
 * @property {boolean} complete
 * @property {number} [nodes]
 *
 * @typedef {object} Review
 * @property {{ score: number, outcome: string, plies: number }[]} positions  one more than moves
 * @property {{ column: number, score: number, best: number, mark: string }[]} moves
 * @property {number[]} line  perfect play from the last position
 *
 * @typedef {object} Engine
 * @property {(text: string, size: string) => Promise<import("./rules.js").Line>} parse
 *   a text in any notation, on a board of this size unless the text names another one
 * @property {(question: Question, tell: (share: number) => void) => Promise<void>} ready
 *   once questions of this size can be answered; a download tells its share
 * @property {() => Promise<{ sizes: string[], anySize: boolean, about: string }>} describe
 * @property {(question: Question, signal?: AbortSignal) => AsyncIterable<Report>} report
 *   in parts, as they arrive
 * @property {(questions: Question[], signal?: AbortSignal) => Promise<(Report | null)[]>} reports
 *   of one size; null for a question without an answer
 * @property {(question: Question, signal?: AbortSignal) => Promise<Review>} review
 *   of a game, from its moves or a link to them
 * @property {(question: Question, signal?: AbortSignal) => Promise<number[]>} line
 *   the columns of perfect play to the end
 * @property {(question: Question, signal?: AbortSignal) => Promise<Reason>} explain
 *   why perfect play ends as it does
 * @property {(question: Question, level: string, seed: number, signal?: AbortSignal) =>
 *   Promise<{ column: number, proved: boolean }>} move  of a player of this level
 */
import { parseSize } from "./rules.js";
import { hasText, say } from "./texts.js";

/** What is wrong, by the kind of a problem; its own text, which is in English, for kinds that people never meet. */
export function problemText(kind, detail) {
  const name = `error.${kind === "node-budget" ? "not-solved" : kind}`;
  return hasText(name) ? say(name, { detail }) : detail;
}

/** The error of a question that has no answer at present; its message becomes a sentence. */
export class EngineError extends Error {
  /**
   * @param {boolean} canRetry  whether it may help to ask again
   * @param {{ min: number, max: number } | null} bounds  what a search has proved of the score
   */
  constructor(message, canRetry, bounds = null) {
    super(`${message[0].toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."}`);
    this.canRetry = canRetry;
    this.bounds = bounds;
  }
}

/** Reads an answer; one of another version, or of something between, is an error in words. */
export function understood(read, answer) {
  try {
    return read(answer);
  } catch {
    throw new EngineError(say("error.answer"), true);
  }
}

/** The column of a name in a report. */
export const columnOf = (name) => parseInt(name, 36) - 1;

const moveOf = ({ score, outcome, plies_to_end: plies }) => ({ score, outcome, plies });

/** A Report of the library's PositionReport, as JSON has it. */
export function reportOf(answer) {
  const width = Number(answer.size.split("x")[0]);
  const moves = Array(width).fill(null);
  for (const move of answer.moves) {
    if (move.known && move.playable) moves[columnOf(move.column)] = moveOf(move);
  }
  return {
    ...moveOf(answer),
    best: answer.best_moves.map(columnOf),
    moves,
    source: answer.source,
    complete: answer.complete,
    nodes: answer.nodes,
  };
}

/**
 * Why perfect play ends as it does: a text of X and O, the columns of perfect play, what decides, the
 * winning side, the ends of its fours, the cell that falls last, and the cells of its threats.
 *
 * @typedef {{ text: string, line: number[], reason: string | null, winner: 0 | 1 | null, fours: [Cell, Cell][], last: Cell | null, threats: Cell[] }} Reason
 */

const cellOf = ({ column, row }) => ({ column: columnOf(column), row: row - 1 });

/** A Reason of the library's Explanation, as JSON has it. */
export const reasonOf = ({ text, line, fours, last, reason, winner, threats }) => ({
  text, line: columnsOf(line), reason, winner: winner && "XO".indexOf(winner),
  fours: fours.map(({ from, to }) => [cellOf(from), cellOf(to)]), last: last && cellOf(last), threats: threats.map(cellOf),
});

/** The columns of a move string. */
export const columnsOf = (moves) => [...moves].map(columnOf);

/** A Line of the library's GameRecord, as JSON has it. */
export const lineOfRecord = ({ size, diagram, moves, ply }) => ({ size: parseSize(size), base: diagram, moves: columnsOf(moves), cursor: ply });

/** A Review of the library's GameReview, as JSON has it. */
export function reviewOf(answer) {
  return {
    positions: answer.positions.map(moveOf),
    moves: answer.moves.map(({ column, score, best, mark }) => ({ column: columnOf(column), score, best, mark })),
    line: columnsOf(answer.line),
  };
}
