/**
 * Finds puzzles: positions in which exactly one move wins, within a range of moves.
 *
 * A puzzle follows from its name alone: games are played by chance, seeded with the name, and the
 * first position that fits by its exact scores is the puzzle. So the daily puzzle is the same for
 * everybody, whichever engine answers.
 */
import { canPlay, emptyBoard, keyOf, play, questionAt, resultOf, winningLine } from "./rules.js";
import { say } from "./texts.js";
import { puzzleOf } from "./views.js";

/** `wins` is the range of the winner's moves to the end, `stones` that of stones on the board. */
export const DIFFICULTIES = {
  easy: { wins: [2, 3], stones: [16, 26] },
  medium: { wins: [4, 5], stones: [16, 22] },
  hard: { wins: [6, 9], stones: [18, 23] },
};

/** Positions the engine is asked about at a time. */
const BATCH = 6;
const MAX_BATCHES = 200;

/** Pseudorandom numbers from a text: FNV-1a makes the seed, then xorshift of 32 bits. */
export function chanceOf(text) {
  let state = 0x811c9dc5;
  for (const letter of text) state = Math.imul(state ^ letter.codePointAt(0), 0x01000193);
  state = state || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  // The first numbers of similar texts are similar.
  for (let round = 0; round < 8; round++) next();
  return (below) => next() % below;
}

const playable = (board) => board.columns.map((_, column) => column).filter((column) => canPlay(board, column));
const winsAt = (board, column) => winningLine(play(board, column)) !== null;

/** Whether the opponent has a stone that wins at once after a move. */
const givesAWin = (board, column) => {
  const next = play(board, column);
  return playable(next).some((reply) => winsAt(next, reply));
};

/** Random moves of a game in which no player misses or allows an immediate win; null if the game ends. */
function gameByChance(size, length, chance) {
  let board = emptyBoard(size);
  const moves = [];
  while (moves.length < length) {
    const all = playable(board);
    if (all.some((column) => winsAt(board, column))) return null;
    const sound = all.filter((column) => !givesAWin(board, column));
    if (sound.length === 0) return null;
    // The centre is played more often, as in games of people.
    const middle = (size.width - 1) / 2;
    const drawn = [sound[chance(sound.length)], sound[chance(sound.length)]];
    const column = drawn.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[chance(4) === 0 ? 1 : 0];
    moves.push(column);
    board = play(board, column);
  }
  const over = resultOf(board) !== null || playable(board).some((column) => winsAt(board, column));
  return over ? null : moves;
}

/** How many moves the winner needs, if the position is a puzzle of this difficulty; else 0. */
function winsIn(report, [least, most]) {
  if (report?.outcome !== "win" || !report.complete) return 0;
  const winning = report.moves.filter((move) => move?.outcome === "win");
  const moves = Math.ceil(report.plies / 2);
  return winning.length === 1 && moves >= least && moves <= most ? moves : 0;
}

/**
 * The puzzle of a name: the moves that set it up, whose turn it is, and in how many moves it wins.
 * @throws if none is found, which has not been seen on 7x6
 */
export async function findPuzzle(name, difficulty, size, engine, evaluator, signal) {
  const { wins, stones } = DIFFICULTIES[difficulty];
  const chance = chanceOf(`${name} ${difficulty} ${size.width}x${size.height}`);
  const cells = size.width * size.height;
  const [fewest, most] = stones.map((count) => Math.min(count, Math.floor(cells * 0.6)));
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const lines = [];
    while (lines.length < BATCH) {
      const moves = gameByChance(size, fewest + chance(most - fewest + 1), chance);
      if (moves) lines.push({ size, base: null, moves, cursor: moves.length });
    }
    const questions = lines.map((line) => questionAt(line));
    const reports = await engine.reports(questions, signal);
    const found = reports.findIndex((report) => winsIn(report, wins) > 0);
    if (found >= 0) {
      evaluator.keep(keyOf(questions[found]), reports[found]);
      return puzzleOf(lines[found], winsIn(reports[found], wins));
    }
  }
  throw new Error(say("puzzle.none"));
}
