/** Beside the board while solving puzzles. */
import { button, choice, enable, h, panel, setText } from "./dom.js";
import { createMoveList, createStepper } from "./move-list.js";
import { dailyDifficulty, today } from "./puzzles.js";
import { changeSettings, sideNames } from "./store.js";
import { plural } from "./words.js";

const LEVELS = [["easy", "Easy"], ["medium", "Medium"], ["hard", "Hard"]];
const titles = Object.fromEntries(LEVELS);

export function createPuzzlePanel(store, { puzzles, steps, analyse }) {
  const title = h("p", { class: "soft", id: "puzzle-kind" });
  const goal = h("p", { class: "headline", id: "puzzle-goal" });
  const message = h("p", { class: "message", id: "puzzle-message", role: "status" });
  const buttons = {
    show: button("Show the solution", puzzles.show, { id: "show-solution" }),
    next: button("Next puzzle", puzzles.next, { class: "main", id: "next-puzzle", "aria-keyshortcuts": "n" }),
    again: button("Try again", puzzles.again),
    explain: button("Verdicts", puzzles.explain, { "aria-pressed": "false" }),
    analyse: button("Analyse", () => analyse(store.state.puzzle.line)),
  };
  const moves = createMoveList(steps.to);
  const stepper = createStepper(steps);
  const daily = button("Puzzle of the day", () => puzzles.daily(), { id: "daily" });
  const level = choice("Difficulty", LEVELS, (value) => {
    changeSettings(store, { difficulty: value });
    puzzles.endless(value);
  });
  const progress = h("dl", { class: "progress" });
  const element = panel("puzzles",
    [h("div", { class: "card task" }, title, goal, message, h("div", { class: "actions" }, Object.values(buttons))),
      h("div", { class: "card" }, daily, h("div", { class: "line" }, h("span", { class: "label" }, "Endless"), level.element))],
    [h("div", { class: "card record" }, moves.element, stepper.element), h("div", { class: "card" }, h("h2", {}, "Your progress"), progress)]);
  let drawn = null;

  function drawProgress({ daily: days, ...counts }) {
    const row = (name, text) => [h("dt", {}, name), h("dd", {}, text)];
    progress.replaceChildren(
      ...row("Daily", days.solved === 0 ? "none solved so far" : `${days.solved} solved, ${plural(days.row, "day")} in a row${days.last === today() ? ", today’s done" : ""}`),
      ...LEVELS.flatMap(([name, text]) => row(text, counts[name][0] === 0 ? "none tried so far" : `${counts[name][1]} of ${counts[name][0]} without a mistake`)));
  }

  return {
    element,
    draw(state) {
      const { puzzle, settings, progress: now } = state;
      const names = sideNames(settings);
      setText(title, puzzle.kind === "daily" ? `Puzzle of the day, ${puzzle.name ?? today()} · ${titles[dailyDifficulty(puzzle.name ?? today())]}` : `Endless · ${titles[puzzle.difficulty]}`);
      setText(goal, puzzle.status === "finding" ? "Looking for a puzzle…" : puzzle.goal > 0 ? `${names[puzzle.side]} to move and win in ${puzzle.goal}` : "");
      setText(message, puzzle.message);
      message.className = `message ${puzzle.status}${puzzle.refused ? " wrong" : ""}`;
      const solved = puzzle.status === "solved";
      buttons.show.hidden = solved || puzzle.status === "failed";
      enable(buttons.show, puzzle.status === "yours" && !puzzle.revealed);
      buttons.again.hidden = !(solved || puzzle.status === "failed");
      buttons.next.hidden = !solved;
      buttons.explain.hidden = buttons.analyse.hidden = !solved;
      buttons.explain.setAttribute("aria-pressed", String(puzzle.explained));
      // Only what the solver plays belongs to the puzzle.
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
