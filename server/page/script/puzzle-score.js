/** A player's progress with puzzles: days in a row, puzzles without a mistake, a rating. */

/** `daily`: the last solved day and how many in a row; `days`: how each day went. By difficulty: tried, solved at once. `openings`: see trainer.js. */
export const NO_PROGRESS = { daily: { last: null, row: 0, solved: 0 }, days: {}, easy: [0, 0], medium: [0, 0], hard: [0, 0], number: 0, counted: null, rating: 1200, openings: { asked: 0, right: 0, again: {} } };

/** The rating of a kind of puzzle equals the rating of a player who solves half of them without a mistake. */
const RATINGS = { easy: 1000, medium: 1400, hard: 1800 };
/** The most that one puzzle changes a rating. */
const STEP = 32;
/** Days that are remembered. */
const KEPT = 400;

/** A day as the clock on the wall has it: 2026-02-03. */
const nameOfDay = (date) => date.toLocaleDateString("sv");
export const today = () => nameOfDay(new Date());
const dayBefore = (day) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
export const lastDays = (count) => Array.from({ length: count }, (_, index) => {
  const date = new Date();
  date.setDate(date.getDate() - index);
  return nameOfDay(date);
});

/** Elo's rating after a puzzle. */
export function ratingAfter(rating, difficulty, isClean) {
  const expected = 1 / (1 + 10 ** ((RATINGS[difficulty] - rating) / 400));
  return Math.round(rating + STEP * (Number(isClean) - expected));
}

/** The results of a puzzle, and their signs. */
export const GRADES = { clean: "★", solved: "✓", shown: "○" };
export const gradeOf = ({ wrong, revealed }) => (revealed ? "shown" : wrong ? "solved" : "clean");

/** The changes of the progress once a puzzle is solved or its solution shown; a day counts once. */
export function creditOf(before, { kind, name, difficulty, wrong }, isSolved) {
  const grade = gradeOf({ wrong, revealed: !isSolved });
  const rating = ratingAfter(before.rating, difficulty, grade === "clean");
  if (kind !== "daily") {
    // A repeated puzzle does not count again.
    const id = idOf({ kind, name, difficulty });
    if (before.counted === id) return {};
    const [tried, atOnce] = before[difficulty];
    return { rating, counted: id, [difficulty]: [tried + 1, atOnce + Number(grade === "clean")] };
  }
  if (name in before.days || before.daily.last === name) return {};
  const days = Object.fromEntries(Object.entries({ ...before.days, [name]: grade }).slice(-KEPT));
  if (!isSolved) return { rating, days };
  const { last, row, solved } = before.daily;
  // A past day solved later counts as solved, but not for the days in a row.
  const isInTime = name === today();
  return { rating, days, daily: { last: isInTime ? name : last, row: !isInTime ? row : last === dayBefore(name) ? row + 1 : 1, solved: solved + 1 } };
}

/** Names a puzzle in a link. */
export const idOf = ({ kind, name, difficulty }) => (kind === "daily" ? name : `${difficulty}-${name}`);

/** The puzzle that a link names; null if there is none, or not yet. */
export function puzzleNamed(id) {
  if (/^\d{4}-\d\d-\d\d$/.test(id ?? "")) return Number.isNaN(Date.parse(id)) || id > today() ? null : { kind: "daily", name: id };
  const found = /^(easy|medium|hard)-([\w-]{1,40})$/.exec(id ?? "");
  return found && { kind: "endless", difficulty: found[1], name: found[2] };
}
