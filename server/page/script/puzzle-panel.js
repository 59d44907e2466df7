/** Beside the board while solving puzzles. */
import { button, choice, enable, h, panel, part, setText } from "./dom.js";
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
  (kind === "opening" ? openingTitle(lesson) : kind === "daily" ? `Puzzle of the day, ${name ?? today()} · ${titles[dailyDifficulty(name ?? today())]}` : `Endless · ${titles[difficulty]}`);

/** The text to share a puzzle with. */
const cardOf = (puzzle) => ({
  id: idOf(puzzle), line: puzzle.line, start: puzzle.start, title: `${titleOf(puzzle)} · win in ${puzzle.goal}`,
  result: puzzle.status === "solved" ? GRADES[gradeOf(puzzle)] : "",
});

export function createPuzzlePanel(store, { puzzles, steps, analyse, share }) {
  const title = h("p", { class: "soft", id: "puzzle-kind" });
  const goal = h("p", { class: "headline", id: "puzzle-goal" });
  const message = h("p", { class: "message", id: "puzzle-message", role: "status" });
  const buttons = {
    show: button("Show the solution", puzzles.show, { id: "show-solution" }),
    next: button("Next puzzle", puzzles.next, { class: "main", id: "next-puzzle", "aria-keyshortcuts": "n" }),
    again: button("Try again", puzzles.again, { id: "again" }),
    explain: button("Show scores", puzzles.explain, { "aria-pressed": "false" }),
    analyse: button("Analyse", () => analyse(store.state.puzzle.line), { id: "analyse-puzzle" }),
    share: button("Share", () => share(cardOf(store.state.puzzle)), { id: "share-puzzle" }),
  };
  const moves = createMoveList(steps.to);
  const stepper = createStepper(steps);
  const daily = button("Puzzle of the day", () => puzzles.daily(), { id: "daily" });
  const train = button("Opening trainer", puzzles.train, { id: "train" });
  const level = choice("Difficulty", LEVELS, (value) => {
    changeSettings(store, { difficulty: value });
    puzzles.endless(value);
  });
  const progress = h("dl", { class: "progress" });
  const days = h("ul", { class: "days" });
  const element = panel("puzzles", [stepper.element, h("div", { class: "card task" }, title, goal, message, h("div", { class: "actions" }, Object.values(buttons)))], [
    part("More", [h("div", { class: "card" }, daily, h("div", { class: "line" }, h("span", { class: "label" }, "Endless"), level.element),
      train, h("p", { class: "soft" }, "The trainer shows openings in which one move alone keeps the win or the draw. A position that went wrong comes again."))]),
    part("Moves", [h("div", { class: "card record" }, moves.element)], { isBeside: true }),
    part("Progress", [h("div", { class: "card" }, h("h2", {}, "Your progress"), progress)], { isBeside: true }),
    part("Past days", [h("div", { class: "card archive" }, h("h2", {}, "Past days"), days)], { isBeside: true }),
  ]);
  let drawn = null;

  /** The past days, and the result of each. */
  function drawArchive(grades) {
    days.replaceChildren(...lastDays(DAYS).slice(1).map((day) => {
      const [grade, difficulty] = [grades[day], titles[dailyDifficulty(day)]];
      const text = `${dayText(day)} · ${difficulty}`;
      return h("li", {}, button([text, grade && h("span", { class: `grade ${grade}`, "aria-hidden": "true" }, SIGNS[grade])].filter(Boolean),
        () => puzzles.daily(day), { class: "plain", "aria-label": `${text}${grade ? `, ${GRADES[grade]}` : ""}`, "data-day": day }));
    }));
  }

  function drawProgress({ daily: days, days: grades, rating, openings, ...counts }) {
    drawArchive(grades);
    const row = (name, text) => [h("dt", {}, name), h("dd", {}, text)];
    progress.replaceChildren(
      ...row("Rating", `${rating}`),
      ...row("Daily", days.solved === 0 ? "none solved so far" : `${days.solved} solved, ${plural(days.row, "day")} in a row${days.last === today() ? ", today’s done" : ""}`),
      ...row("Openings", openings.asked === 0 ? "none tried so far" : `${openings.right} of ${openings.asked} at once, ${Object.keys(openings.again).length} to repeat`),
      ...LEVELS.flatMap(([name, text]) => row(text, counts[name][0] === 0 ? "none tried so far" : `${counts[name][1]} of ${counts[name][0]} without a mistake`)));
  }

  return {
    element,
    draw(state) {
      const { puzzle, settings, progress: now } = state;
      const names = sideNames(settings);
      setText(title, titleOf(puzzle));
      train.hidden = !state.sizes.includes("7x6");
      const isLesson = puzzle.kind === "opening";
      setText(goal, puzzle.download !== null ? downloadText(puzzle.download) : puzzle.status === "finding" ? `Looking for ${isLesson ? "an opening" : "a puzzle"}…` : puzzle.goal > 0 || puzzle.holds ? taskText(puzzle, names) : "");
      const solved = puzzle.status === "solved";
      const gained = solved && puzzle.gained !== null ? ` Rating ${puzzle.gained < 0 ? "−" : "+"}${Math.abs(puzzle.gained)}.` : "";
      setText(message, puzzle.message + gained);
      message.className = `message ${solved && puzzle.revealed ? "" : puzzle.status}${puzzle.refused ? " wrong" : ""}`;
      buttons.show.hidden = solved || puzzle.status === "failed";
      enable(buttons.show, puzzle.status === "yours" && !puzzle.revealed);
      setText(buttons.next, isLesson ? "Next position" : "Next puzzle");
      buttons.again.hidden = !((solved && !isLesson) || puzzle.status === "failed");
      buttons.next.hidden = !solved;
      buttons.share.hidden = puzzle.goal === 0;
      buttons.explain.hidden = buttons.analyse.hidden = !solved;
      buttons.explain.setAttribute("aria-pressed", String(puzzle.explained));
      // The moves before the puzzle's first position are left out.
      const played = { ...puzzle.line, moves: puzzle.line.moves.slice(puzzle.start), cursor: puzzle.line.cursor - puzzle.start };
      if (drawn?.line !== puzzle.line) {
        moves.draw(played, puzzle.start % 2);
        stepper.draw(played);
      }
      level.set(puzzle.kind === "endless" ? settings.difficulty : null);
      if (now && drawn?.progress !== now) drawProgress(now);
      drawn = { line: puzzle.line, progress: now };
    },
  };
}
