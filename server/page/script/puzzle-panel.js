/** Beside the board while solving puzzles. */
import { button, choice, enable, h, panel, setText } from "./dom.js";
import { createMoveList, createStepper } from "./move-list.js";
import { openingOf } from "./openings.js";
import { GRADES, gradeOf, idOf, lastDays, today } from "./puzzle-score.js";
import { dailyDifficulty } from "./puzzles.js";
import { changeSettings } from "./store.js";
import { dayOf, say, signed } from "./texts.js";
import { downloadText, sideNames, taskText } from "./words.js";

const LEVELS = ["easy", "medium", "hard"];

/** Days in the archive, today's included. */
const DAYS = 31;
const dayText = (day) => dayOf(new Date(`${day}T00:00Z`), "UTC");
const levelOf = (day) => say(`puzzle.${dailyDifficulty(day)}`);

function titleOf({ kind, name, difficulty, line, start }) {
  if (kind === "opening") return [say("puzzle.title-opening"), openingOf({ ...line, cursor: start })].filter(Boolean).join(" · ");
  if (kind === "endless") return say("puzzle.title-endless", { level: say(`puzzle.${difficulty}`) });
  const day = name ?? today();
  return say("puzzle.title-daily", { day: dayText(day), level: levelOf(day) });
}

/** The text to share a puzzle with. */
const cardOf = (puzzle) => ({
  id: idOf(puzzle), line: puzzle.line, start: puzzle.start, title: say("puzzle.win-in", { title: titleOf(puzzle), count: puzzle.goal }),
  result: puzzle.status === "solved" ? say(`puzzle.${gradeOf(puzzle)}`) : "",
});

export function createPuzzlePanel(store, { puzzles, steps, analyse, share }) {
  const title = h("p", { class: "soft", id: "puzzle-kind" });
  const dot = h("i", { class: "dot" });
  const goal = h("p", { class: "headline", id: "puzzle-goal" });
  const message = h("p", { class: "message", id: "puzzle-message", role: "status" });
  const buttons = {
    again: button(say("do.retry"), puzzles.again, { id: "again" }),
    show: button(say("puzzle.solution"), puzzles.show, { id: "show-solution" }),
    analyse: button(say("view.analyse"), () => analyse(store.state.puzzle.line), { id: "analyse-puzzle" }),
    share: button(say("do.share"), () => share(cardOf(store.state.puzzle)), { id: "share-puzzle" }),
    next: button(say("puzzle.next"), puzzles.next, { class: "main", id: "next-puzzle", "aria-keyshortcuts": "n" }),
  };
  const moves = createMoveList(steps.to);
  const stepper = createStepper(steps);
  const kinds = choice(say("view.puzzles"), ["daily", ...LEVELS, "opening"].map((value) => [value, say(`puzzle.${value}`)]), (value) => {
    if (value === "daily") return puzzles.daily();
    if (value === "opening") return puzzles.train();
    changeSettings(store, { difficulty: value });
    return puzzles.endless(value);
  });
  const progress = h("dl", { class: "progress" });
  const days = h("ul", { class: "days" });
  const element = panel("puzzles", [h("div", { class: "card task" }, title, h("div", { class: "line" }, dot, goal), message)], stepper, Object.values(buttons),
    [kinds.element, moves.element, h("details", { class: "soft" }, h("summary", {}, say("puzzle.progress")), progress, days)]);
  let drawn = null;

  /** The past days, and the result of each. */
  function drawArchive(grades) {
    days.replaceChildren(...lastDays(DAYS).slice(1).map((day) => {
      const grade = grades[day];
      const text = `${dayText(day)} · ${levelOf(day)}`;
      return h("li", {}, button([text, grade && h("span", { class: `grade ${grade}`, "aria-hidden": "true" }, GRADES[grade])].filter(Boolean),
        () => puzzles.daily(day), { class: "plain", "aria-label": [text, grade && say(`puzzle.${grade}`)].filter(Boolean).join(", "), "data-day": day }));
    }));
  }

  function drawProgress({ daily, days: grades, rating, openings, ...counts }) {
    drawArchive(grades);
    const row = (name, text) => [h("dt", {}, name), h("dd", {}, text)];
    const days = say("progress.days", { solved: daily.solved, count: daily.row });
    const untried = say("progress.untried");
    progress.replaceChildren(
      ...row(say("progress.rating"), `${rating}`),
      ...row(say("progress.daily"), daily.solved === 0 ? say("progress.no-days") : daily.last === today() ? say("progress.today", { days }) : days),
      ...row(say("puzzle.opening"), openings.asked === 0 ? untried : say("progress.openings", { ...openings, again: Object.keys(openings.again).length })),
      ...LEVELS.flatMap((name) => {
        const [tried, clean] = counts[name];
        return row(say(`puzzle.${name}`), tried === 0 ? untried : say("progress.clean", { tried, clean }));
      }));
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
      setText(goal, puzzle.download !== null ? downloadText(puzzle.download) : puzzle.status === "finding" ? say(isLesson ? "puzzle.looking-opening" : "puzzle.looking") : isKnown ? taskText(puzzle, sideNames(settings)) : "");
      const gained = solved && puzzle.gained !== null ? ` ${say("puzzle.gained", { change: signed(puzzle.gained) })}` : "";
      setText(message, puzzle.message + gained);
      message.className = `message ${solved && puzzle.revealed ? "" : puzzle.status}${puzzle.refused ? " wrong" : ""}`;
      buttons.show.hidden = solved || puzzle.status === "failed";
      enable(buttons.show, puzzle.status === "yours" && !puzzle.revealed);
      buttons.again.hidden = !((solved && !isLesson) || puzzle.status === "failed");
      setText(buttons.next, say(isLesson ? "puzzle.next-position" : "puzzle.next"));
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
