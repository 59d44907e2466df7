/** The opening trainer: positions in which one move alone keeps the win or the draw. Those that went wrong come again. */
import { allows, atEnd, boardAt, emptyBoard, emptyLine, keyOf, movesText, nameOf, parseMoves, parseSize, questionAt, resultOf, sideToMove, withMove } from "./rules.js";
import { refusedText } from "./puzzles.js";
import { say } from "./texts.js";

/** Stones in a lesson, at most. */
const DEEPEST = 8;
/** Positions to look at before a lesson is given twice. */
const PATIENCE = 200;
/** Lessons until one that went wrong comes again: at first, and each time that it went right. Then it is learned. */
const AGAIN = [3, 10, 30];
const SIZE = parseSize("7x6");

/** The count of lessons after one more; `name` is its moves. */
export function afterLesson({ asked, right, again }, name, isRight) {
  const { [name]: before, ...others } = again;
  const step = !isRight ? 0 : before ? before.step + 1 : AGAIN.length;
  const due = asked + 1 + AGAIN[step];
  return { asked: asked + 1, right: right + Number(isRight), again: step < AGAIN.length ? { ...others, [name]: { step, due } } : others };
}

const columns = (moves, isWanted) => moves.flatMap((move, column) => (move && isWanted(move) ? [column] : []));
const keeping = ({ outcome, moves }) => columns(moves, (move) => move.outcome === outcome);
const isLesson = (report) => report.outcome !== "loss" && keeping(report).length === 1 && columns(report.moves, () => true).length > 1;

/** A move of an opening; the better, the more usual. */
function usualMove({ moves }) {
  const inOrder = columns(moves, () => true).sort((a, b) => moves[b].score - moves[a].score);
  return inOrder[Math.floor(Math.random() ** 2 * inOrder.length)];
}

export function createTrainer(store, { evaluator, change, progress }) {
  const seen = new Set();
  let lesson = null;
  const now = () => store.state.puzzle;

  async function reportAt(line, signal) {
    const report = await evaluator.reportOf(questionAt(line), signal);
    if (!report) throw new Error(say("trainer.no-report"));
    return report;
  }

  /** The first lesson when both sides go on from a line. */
  async function lessonFrom(line, signal) {
    for (let looked = 0; ; looked++) {
      const report = await reportAt(line, signal);
      const isNew = !seen.has(keyOf(questionAt(line)));
      if (isLesson(report) && (isNew || looked > PATIENCE)) return { line, report };
      const next = withMove(line, usualMove(report));
      line = next.moves.length > DEEPEST || resultOf(boardAt(next)) !== null ? emptyLine(SIZE) : next;
    }
  }

  /** The lesson that is due again, if there is one. */
  async function repeated(signal) {
    const { asked, again } = store.state.progress.openings;
    const name = Object.keys(again).find((one) => again[one].due <= asked);
    if (name === undefined) return null;
    const moves = parseMoves(emptyBoard(SIZE), name);
    const line = { ...emptyLine(SIZE), moves, cursor: moves.length };
    return { line, report: await reportAt(line, signal) };
  }

  function end(parts) {
    const { line, name, wrong, holds } = now();
    const [right] = keeping(lesson.report);
    const text = say(`trainer.only-${holds}`, { column: nameOf(right) });
    change({ line: withMove(line, right), status: "solved", refused: false, message: parts.revealed ? text : say("trainer.right", { text }), ...parts });
    progress({ openings: afterLesson(store.state.progress.openings, name, !wrong && !parts.revealed) });
  }

  const isYours = () => now().status === "yours" && atEnd(now().line);
  return {
    /** The parts of a puzzle for the next lesson, which goes on from the last one. */
    async find(signal) {
      lesson = (await repeated(signal)) ?? (await lessonFrom(lesson ? withMove(lesson.line, keeping(lesson.report)[0]) : emptyLine(SIZE), signal));
      const { line, report } = lesson;
      seen.add(keyOf(questionAt(line)));
      return {
        line, start: line.moves.length, side: sideToMove(boardAt(line)), name: movesText(line.moves), holds: report.outcome,
        message: say("trainer.ask"),
      };
    },
    move(column) {
      const { line } = now();
      if (!isYours() || !allows(line, column)) return;
      const made = lesson.report.moves[column];
      if (made.outcome === lesson.report.outcome) return end({});
      change({ wrong: true, refused: true, message: refusedText(column, made) });
    },
    show: () => isYours() && end({ revealed: true }),
  };
}
