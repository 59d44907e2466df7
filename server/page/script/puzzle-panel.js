/** Beside the board while solving puzzles. */
import { button, choice, enable, h, panel, setText } from "./dom.js";
import { createMoveList, createStepper } from "./move-list.js";
import { openingOf } from "./openings.js";
import { GRADES, gradeOf, idOf, lastDays, today } from "./puzzle-score.js";
import { dailyDifficulty } from "./puzzles.js";
import { changeSettings, sideNames } from "./store.js";
import { downloadText, plural, taskText } from "./words.js";

const LEVELS = [["easy", "Easy"], ["medium", "Medium"], ["hard", "Hard"]];
const titles = Object.fromEntries(LEVELS);

/** Days in the archive, today's included. */
const DAYS = 61;
const SIGNS = { clean: "★", solved: "✓", shown: "○" };
const dayText = (day) => new Date(`${day}T00:00Z`).toLocaleDateString("en", { day: "numeric", month: "short", timeZone: "UTC" });

const openingTitle = ({ line, start }) => ["Opening trainer", openingOf({ ...line, cursor: start })].filter(Boolean).join(" · ");
const titleOf = ({ kind, name, difficulty, ...lesson }) =>
  (kind === "opening" ? openingTitle(lesson) : kind === "daily" ? `Puzzle of the day, ${dayText(name ?? today())} · ${titles[dailyDifficulty(name ?? today())]}` : `Endless · ${titles[difficulty]}`);

/** The text to share a puzzle with. */
const cardOf = (puzzle) => ({
  id: idOf(puzzle), line: puzzle.line, start: puzzle.start, title: `${titleOf(puzzle)} · win in ${puzzle.goal}`,
  result: puzzle.status === "solved" ? GRADES[gradeOf(puzzle)] : "",
});

export function createPuzzlePanel(store, { puzzles, steps, analyse, share }) {
  const title = h("p", { class: "soft", id: "puzzle-kind" });
  const dot = h("i", { class: "dot" });
  const goal = h("p", { class: "headline", id: "puzzle-goal" });
  const message = h("p", { class: "message", id: "puzzle-message", role: "status" });
  const buttons = {
    again: button("Try again", puzzles.again, { id: "again" }),
    show: button("Solution", puzzles.show, { id: "show-solution" }),
    analyse: button("Analyse", () => analyse(store.state.puzzle.line), { id: "analyse-puzzle" }),
    share: button("Share", () => share(cardOf(store.state.puzzle)), { id: "share-puzzle" }),
    next: button("Next puzzle", puzzles.next, { class: "main", id: "next-puzzle", "aria-keyshortcuts": "n" }),
  };
  const moves = createMoveList(steps.to);
  const stepper = createStepper(steps);
  const kinds = choice("Puzzles", [["daily", "Today"], ...LEVELS, ["opening", "Openings"]], (value) => {
    if (value === "daily") return puzzles.daily();
    if (value === "opening") return puzzles.train();
    changeSettings(store, { difficulty: value });
    return puzzles.endless(value);
  });
  const progress = h("dl", { class: "progress" });
  const days = h("ul", { class: "days" });
  const element = panel("puzzles", [h("div", { class: "card task" }, title, h("div", { class: "line" }, dot, goal), message)], stepper, Object.values(buttons),
    [kinds.element, moves.element, h("details", { class: "soft" }, h("summary", {}, "Progress and past days"), progress, days)]);
  let drawn = null;

  /** The past days, and the result of each. */
  function drawArchive(grades) {
    days.replaceChildren(...lastDays(DAYS).slice(1).map((day) => {
      const grade = grades[day];
      const text = `${dayText(day)} · ${titles[dailyDifficulty(day)]}`;
      return h("li", {}, button([text, grade && h("span", { class: `grade ${grade}`, "aria-hidden": "true" }, SIGNS[grade])].filter(Boolean),
        () => puzzles.daily(day), { class: "plain", "aria-label": `${text}${grade ? `, ${GRADES[grade]}` : ""}`, "data-day": day }));
    }));
  }

  function drawProgress({ daily, days: grades, rating, openings, ...counts }) {
    drawArchive(grades);
    const row = (name, text) => [h("dt", {}, name), h("dd", {}, text)];
    progress.replaceChildren(
      ...row("Rating", `${rating}`),
      ...row("Daily", daily.solved === 0 ? "none solved so far" : `${daily.solved} solved, ${plural(daily.row, "day")} in a row${daily.last === today() ? ", today’s done" : ""}`),
      ...row("Openings", openings.asked === 0 ? "none tried so far" : `${openings.right} of ${openings.asked} at once, ${Object.keys(openings.again).length} to repeat`),
      ...LEVELS.flatMap(([name, text]) => row(text, counts[name][0] === 0 ? "none tried so far" : `${counts[name][1]} of ${counts[name][0]} without a mistake`)));
  }

  return {
    element,
    draw(state) {
      const { puzzle, settings, progress: now, sizes } = state;
      const isLesson = puzzle.kind === "opening";
      const solved = puzzle.status === "solved";
      const isKnown = puzzle.goal > 0 || Boolean(puzzle.holds);
      setText(title, titleOf(puzzle));
      dot.className = `dot ${["first", "second"][puzzle.side]}`;
      dot.hidden = !isKnown || puzzle.download !== null;
      setText(goal, puzzle.download !== null ? downloadText(puzzle.download) : puzzle.status === "finding" ? `Looking for ${isLesson ? "an opening" : "a puzzle"}…` : isKnown ? taskText(puzzle, sideNames(settings)) : "");
      const gained = solved && puzzle.gained !== null ? ` Rating ${puzzle.gained < 0 ? "−" : "+"}${Math.abs(puzzle.gained)}.` : "";
      setText(message, puzzle.message + gained);
      message.className = `message ${solved && puzzle.revealed ? "" : puzzle.status}${puzzle.refused ? " wrong" : ""}`;
      buttons.show.hidden = solved || puzzle.status === "failed";
      enable(buttons.show, puzzle.status === "yours" && !puzzle.revealed);
      buttons.again.hidden = !((solved && !isLesson) || puzzle.status === "failed");
      setText(buttons.next, isLesson ? "Next position" : "Next puzzle");
      buttons.next.hidden = buttons.analyse.hidden = !solved;
      buttons.share.hidden = puzzle.goal === 0;
      kinds.element.lastChild.hidden = !sizes.includes("7x6");
      kinds.set(puzzle.kind === "endless" ? settings.difficulty : puzzle.kind);
      // The moves before the puzzle's first position are left out.
      const played = { ...puzzle.line, moves: puzzle.line.moves.slice(puzzle.start), cursor: puzzle.line.cursor - puzzle.start };
      if (drawn?.line !== puzzle.line) {
        moves.draw(played, puzzle.start % 2);
        stepper.draw(played);
      }
      if (now && drawn?.progress !== now) drawProgress(now);
      drawn = { line: puzzle.line, progress: now };
    },
  };
}
