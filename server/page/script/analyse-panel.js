/** Beside the board while analysing: the answer, moves with marks, the graph, setting up, sharing. */
import { createAnswer } from "./answer.js";
import { createCoachPanel } from "./coach-panel.js";
import { button, h, panel, setText } from "./dom.js";
import { gradesOf } from "./grade.js";
import { createGraph } from "./graph.js";
import { createMoveList, createStepper } from "./move-list.js";
import { openingOf } from "./openings.js";
import { boardAt, nameOf, stones, threatsOf } from "./rules.js";
import { listed, parts, say } from "./texts.js";
import { commonLength as commonOf, createVariations } from "./variations.js";
import { coachAsks, endOf } from "./views.js";
import { moveVerdict, sideNames } from "./words.js";

const commonLength = (line, other) => Math.min(commonOf(line.moves, other.moves), line.cursor);

function describeThreats(threats, names) {
  return names.map((name, side) => {
    const cells = threats.filter((threat) => threat.side === side)
      .map(({ column, row, stacked }) => say(stacked ? "threat.stacked" : "threat.cell", { column: nameOf(column), row: row + 1 }));
    return say(cells.length === 0 ? "threat.none" : "threat.some", { side: name, cells: listed(cells) });
  }).join(" ");
}

const OTHER = { win: "loss", draw: "draw", loss: "win" };

/** What the last move on the board did, and what the best one would have done. */
function remarkOf({ line, review }, grades, side) {
  const { column, mark } = review.moves[line.cursor - 1];
  const [best, after] = review.positions.slice(line.cursor - 1);
  const made = { outcome: OTHER[after.outcome], plies: after.plies + 1 };
  const verdict = mark === "best" ? say("remark.is-best") : moveVerdict(made);
  const grade = grades[line.cursor - 1];
  return [
    say("remark.move", { side, column: nameOf(column), verdict }), grade && say("remark.grade", { grade: say(`grade.${grade}`) }),
    mark !== "best" && say("remark.better", { verdict: moveVerdict(best) }),
  ].filter(Boolean).join(" ");
}

export function createAnalysePanel(store, { analysis, coach, engine, steps, evaluator, look, tools }) {
  const answer = createAnswer(store, { engine, evaluator, goOn: analysis.goOn, look: (line) => look(null, line) });
  const coaching = createCoachPanel(coach);
  const opening = h("p", { class: "soft", id: "opening" });
  const threatText = h("p", { class: "soft", id: "threat-text" });
  const error = h("p", { class: "error", role: "alert", id: "wrong" });
  const moves = createMoveList(steps.to);
  const graph = createGraph(steps.to);
  const remark = h("p", { class: "remark" });
  const perfect = button(say("analyse.best-moves"), () => analysis.perfect(store.state.analyse.line.cursor - 1), { id: "perfect" });
  const lines = createVariations({ show: analysis.showLine, remove: analysis.removeLine });
  const learn = button(say("analyse.learn"), () => coach.begin(), { class: "main", id: "learn" });
  const review = button(say("analyse.review"), () => (store.state.analyse.reviewing ? analysis.stopReview() : analysis.review()), { class: "main", "aria-keyshortcuts": "r", id: "review" });
  const back = button(say("analyse.back"), analysis.backToGame, { id: "back-to-game" });
  const record = h("div", { class: "card record" }, graph.element, remark, h("div", { class: "actions" }, perfect, learn, review, back), moves.element, lines.element);
  const stepper = createStepper(steps);
  const [here, fromHere] = parts("analyse.here");
  const edit = button(say("editor.title"), tools.edit, { id: "edit" });
  const playHere = button([here, h("span", {}, fromHere)], tools.playHere, { id: "play-here", "aria-label": `${here}${fromHere}` });
  const share = button(say("do.share"), () => tools.share(store.state.analyse.line), { id: "share" });
  const element = panel("analyse", [coaching.element, answer.element, error], stepper, [edit, playHere, share], [opening, threatText, record]);
  let drawn = {};
  let marked = {};

  /** The grades of the moves of a line that are those of the reviewed game. */
  function gradesOn({ line: { moves: played }, review: found, game }) {
    if (marked.played !== played || marked.found !== found) {
      const common = found && (game === null ? played.length : commonOf(played, game.moves));
      marked = { played, found, grades: found && drawn.grades.slice(0, common) };
    }
    return marked.grades;
  }

  function drawReview(state, first, names) {
    const { line, review: found, game, reviewing } = state.analyse;
    const grades = found && (drawn.review === found ? drawn.grades : gradesOf(found));
    const isGame = game === null || commonLength(line, game) === line.cursor;
    graph.element.hidden = !found;
    if (found) graph.draw(found, grades, isGame ? line : { ...line, cursor: commonLength(line, game) }, first, names);
    const isLearning = state.coach !== null;
    const isMade = found && isGame && line.cursor > 0 && line.cursor <= found.moves.length;
    setText(remark, isMade && !isLearning ? remarkOf(state.analyse, grades, names[(first + line.cursor - 1) % 2]) : "");
    perfect.hidden = !isMade || found.moves[line.cursor - 1].mark === "best" || isLearning;
    learn.hidden = !found || isLearning || !grades.some((grade) => ["blunder", "mistake"].includes(grade));
    review.hidden = line.moves.length === 0 || Boolean(found);
    setText(review, say(reviewing ? "analyse.reviewing" : "analyse.review"));
    back.hidden = game === null || isLearning;
    // The coach shows one thing at a time.
    edit.hidden = playHere.hidden = lines.element.hidden = isLearning;
    share.hidden = coachAsks(state);
    drawn = { ...drawn, review: found, grades };
  }

  return {
    element,
    draw(state) {
      const { analyse: now, settings } = state;
      const names = sideNames(settings);
      const { line } = now;
      const board = boardAt(line);
      const first = stones(boardAt(line, 0)) % 2;
      answer.draw(state);
      coaching.draw(state);
      setText(opening, openingOf(line));
      setText(threatText, settings.threats && endOf(state) === null ? describeThreats(threatsOf(board), names) : "");
      lines.draw(now, first);
      if (drawn.of !== now || drawn.coach !== state.coach || drawn.names !== names.join()) drawReview(state, first, names);
      moves.draw(line, first, gradesOn(now));
      stepper.draw(line);
      record.hidden = line.moves.length === 0 && now.others.length === 0;
      setText(error, now.error ?? "");
      drawn = { ...drawn, of: now, coach: state.coach, names: names.join() };
    },
  };
}
