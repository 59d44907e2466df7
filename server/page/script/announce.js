/** Tells screen readers what happens on the board. */
import { $, h } from "./dom.js";
import { otherName } from "./play-panel.js";
import { boardAt, nameOf, sideToMove } from "./rules.js";
import { say } from "./texts.js";
import { boardKey, endOf, lineOf, shownReport } from "./views.js";
import { positionVerdict, resultText, sideNames, taskText } from "./words.js";

/** Names the game, the puzzle or the analysis that is on the board. */
const subjectOf = ({ view, play, puzzle }) =>
  `${view} ${view === "play" ? play.id : view === "puzzles" && puzzle.status !== "finding" ? `${puzzle.name} ${puzzle.goal}` : ""}`;

/** The text that starts a game (who begins) or a puzzle (its task). */
function introduction({ view, play, puzzle }, names) {
  if (view === "puzzles") return puzzle.status === "yours" ? `${taskText(puzzle, names)}.` : null;
  if (view !== "play") return null;
  const side = sideToMove(boardAt(play.line));
  const begins = play.line.moves.length === play.from;
  if (play.opponent === "two") return say(begins ? "live.two-begin" : "live.two-go-on", { number: side === play.you ? 1 : 2, side: names[side] });
  if (side === play.you) return say(begins ? "live.you-begin" : "live.you-go-on", { side: names[side] });
  return begins ? say("live.other-begins", { other: otherName(play), side: names[side], you: names[play.you] }) : null;
}

/** The text for the last move on the board. */
function moveText(line, before, names) {
  if (line.cursor === 0) return null;
  const column = nameOf(line.moves[line.cursor - 1]);
  if (line.cursor !== before.cursor + 1) return `${say("moves.move", { number: line.cursor, column })}.`;
  return say("live.plays", { side: names[1 - sideToMove(boardAt(line))], column });
}

/** The text for the change from the previous state. */
function news(state, now, before, names) {
  const line = lineOf(state);
  const isOther = now.subject !== before.subject;
  const said = [isOther ? introduction(state, names) : now.key !== before.key ? moveText(line, before, names) : null];
  if (now.result !== null && (isOther || now.result !== before.result)) {
    said.push(`${resultText(now.result, names)}.`);
  }
  if (now.verdict && (isOther || now.verdict !== before.verdict || now.key !== before.key)) said.push(`${now.verdict}.`);
  return said.filter(Boolean);
}

export function announceChanges(store) {
  let before = { subject: null, cursor: 0, key: "", verdict: "", result: null };
  store.subscribe((state) => {
    const names = sideNames(state.settings);
    const line = lineOf(state);
    const report = shownReport(state);
    const verdict = report?.outcome ? positionVerdict(report, sideToMove(boardAt(line)), names) : "";
    const now = { subject: subjectOf(state), cursor: line.cursor, key: boardKey(state), verdict, result: endOf(state) };
    const said = news(state, now, before, names);
    // Removes stale texts; adds news of the same position, so that all of it is read out.
    if (now.subject !== before.subject || now.key !== before.key) $("live").replaceChildren();
    if (said.length > 0) $("live").append(h("span", {}, `${said.join(" ")} `));
    before = now;
  });
}
