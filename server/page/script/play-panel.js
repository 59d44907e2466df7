/** Beside the board while playing. */
import { button, choice, enable, h, panel, setText } from "./dom.js";
import { hasOthers } from "./games.js";
import { createMoveList, createStepper } from "./move-list.js";
import { isFromPosition, lengthBefore, resultOfGame } from "./play.js";
import { atEnd, boardAt, nameOf, play as playOn, sideToMove, stones, winningCells, winningLine } from "./rules.js";
import { changeSettings } from "./store.js";
import { parts, say } from "./texts.js";
import { isYourTurn, shownHint, shownReport } from "./views.js";
import { downloadText, positionVerdict, sideNames, solvingText, warningText, wayOf } from "./words.js";

export const capital = (text) => text[0].toUpperCase() + text.slice(1);

export const levelText = (level) => say(`level.${level}`);

/** The names of the first person and of the other one. */
export const playerNames = ({ opponent, level }) =>
  (opponent === "two" ? [1, 2].map((number) => say("player.number", { number }))
    : [say("player.you"), opponent === "friend" ? say("player.your-friend") : say("player.level", { level: levelText(level) })]);

export const otherName = ({ opponent }) => say(opponent === "friend" ? "player.your-friend" : "player.computer");

/** What to do, before the first move. */
function introduction({ opponent, level, you, line }) {
  if (opponent !== "two" && sideToMove(boardAt(line)) !== you) return say("play.other-begins", { other: otherName({ opponent }) });
  return say(`play.tap-${opponent}`, { level: levelText(level) });
}

/** The game's state in a sentence. */
function statusOf(game, names) {
  const { line, opponent, you, download, checking } = game;
  const board = boardAt(line, line.moves.length);
  const result = resultOfGame(game);
  if (result === "draw") return say("play.draw");
  if (result !== null) return opponent !== "two" && result === you ? say("play.you-win") : say("play.wins", { side: opponent === "two" ? names[result] : otherName(game) });
  if (download !== null) return downloadText(download);
  if (line.moves.length === 0 && line.base === null) return say("play.solved");
  if (opponent === "two") return say("play.to-move", { side: names[sideToMove(board)] });
  if (sideToMove(board) !== you) return say(opponent === "friend" ? "play.friend" : "play.thinking");
  return say(checking ? "play.checking" : "play.your-turn");
}

/** How a game was lost, and the move that would have held it up. */
function lossText({ line, opponent, you }) {
  const four = winningLine(boardAt(line, line.moves.length));
  const last = line.moves.length - 2;
  const before = boardAt(line, Math.max(0, last));
  const isYours = opponent !== "two" && last >= 0 && sideToMove(before) === you;
  // A stone in the cell that has won would have held it up, unless there were two of them.
  const cells = winningCells(before, 1 - sideToMove(before));
  const instead = isYours && cells.length === 1 && winningCells(playOn(before, cells[0]), sideToMove(playOn(before, cells[0]))).length === 0;
  const text = say("play.four", { way: wayOf(four) });
  return instead ? `${text} ${say("play.instead", { column: nameOf(cells[0]) })}` : text;
}

export function createPlayPanel(store, { play, steps, newGame, pastGames, analyse, learn, share, friend }) {
  const seats = [0, 1].map(() => {
    const [dot, name, colour] = [h("i", { class: "dot" }), h("span", { class: "name" }), h("span", { class: "unseen" })];
    return { element: h("div", { class: "seat" }, dot, name, colour), dot, name, colour };
  });
  const status = h("p", { class: "status", id: "status" });
  const verdict = h("p", { class: "verdict" });
  const hint = h("p", { class: "hint-text", role: "status" });
  const moves = createMoveList(steps.to);
  const stepper = createStepper(steps);
  const note = h("div", { class: "note", role: "status", hidden: true });
  const game = () => store.state.play;
  const [fresh, freshGame] = parts("play.new");

  const buttons = {
    back: button([h("span", { "aria-hidden": "true" }, "↶ "), say("play.back")], play.takeBack, { "aria-keyshortcuts": "u" }),
    hint: button(say("play.hint"), () => (shownHint(game())?.isSearching ? play.leaveHint() : play.hint()), { "aria-keyshortcuts": "h" }),
    fresh: button([fresh, h("span", {}, freshGame)], newGame, { "aria-keyshortcuts": "n", "aria-label": fresh + freshGame }),
    share: button(say("do.share"), () => share(game().line), { id: "share-game" }),
    learn: button(say("play.learn"), () => learn(game().line, game().opponent === "two" ? null : game().you), { class: "main", id: "learn-game" }),
    review: button(say("play.review"), () => analyse(game().line), { "aria-keyshortcuts": "r" }),
    next: button(say("play.rematch"), play.next, { id: "next-game" }),
  };
  const after = h("div", { class: "actions after" }, buttons.learn, buttons.review, buttons.next);
  const help = choice(say("play.help"), ["alone", "warnings", "scores"].map((value) => [value, say(`help.${value}`)]), (value) => changeSettings(store, { help: value }));
  const helpLine = h("div", { class: "line help" }, h("span", { class: "soft" }, say("play.help")), help.element);
  const past = button(say("play.past"), pastGames, { class: "plain past", id: "past-games" });

  const table = h("div", { class: "card seats" },
    h("div", { class: "line" }, status, verdict), h("div", { class: "either" }, h("div", { class: "both" }, seats.map(({ element }) => element)), hint));
  const element = panel("play", [table, note, after], stepper, [buttons.back, buttons.hint, buttons.fresh, buttons.share], [helpLine, moves.element, past]);
  let drawn = {};
  let card = null;

  /** The link to a game with a friend. */
  async function loadCard() {
    card = undefined;
    card = await friend();
    table.after(card.element);
    card.draw(store.state);
  }

  function drawTable(state) {
    const { play: now, settings, evaluation } = state;
    const names = sideNames(settings);
    const players = playerNames(now);
    const result = resultOfGame(now);
    const turn = sideToMove(boardAt(now.line, now.line.moves.length));
    seats.forEach((one, index) => {
      const side = now.you ^ index;
      one.dot.className = `dot ${["first", "second"][side]}`;
      setText(one.name, capital(players[index]));
      setText(one.colour, ` · ${names[side]}`);
      one.element.classList.toggle("turn", result === null && side === turn);
      one.element.classList.toggle("busy", index === 1 && now.thinking);
    });
    setText(status, statusOf(now, names));
    const report = shownReport(state);
    setText(verdict, report?.outcome ? positionVerdict(report, sideToMove(boardAt(now.line)), names) : evaluation.error?.message ?? (evaluation.waiting ? solvingText(evaluation) : ""));
    const isLost = result !== null && result !== "draw" && (now.opponent === "two" || result !== now.you);
    const text = now.line.moves.length === 0 && now.line.base === null ? introduction(now) : isLost ? lossText(now) : "";
    setText(hint, shownHint(now)?.text ?? text);
  }

  function drawNote({ warning, error, unproved }) {
    if (warning) {
      return [h("p", {}, warningText(warning)), h("div", { class: "actions" },
        button(say("warning.leave"), play.leaveWarning, { class: "main" }), button(say("warning.play"), () => play.move(warning.column), { id: "play-anyway" }))];
    }
    if (error) return [h("p", {}, error.message), h("div", { class: "actions" }, error.canRetry ? button(say("do.retry"), play.retry, { class: "main" }) : "")];
    return unproved ? [h("p", {}, say("play.unproved"))] : [];
  }

  return {
    element,
    draw(state) {
      const { play: now, settings } = state;
      drawTable(state);
      const moment = [now.warning, now.error, now.unproved].find(Boolean) ?? null;
      if (drawn.moment !== moment) {
        note.hidden = moment === null;
        note.replaceChildren(...drawNote(now));
        note.classList.toggle("warning", Boolean(now.warning ?? now.error));
        // The first button gets the focus, so that players at the keyboard can decide at once.
        if (now.warning) note.querySelector("button")?.focus();
      }
      if (drawn.id !== now.id) past.hidden = !hasOthers(now.id);
      drawn = { moment, id: now.id };
      moves.draw(now.line, stones(boardAt(now.line, 0)) % 2);
      stepper.draw(now.line);
      const over = resultOfGame(now) !== null;
      const isAlone = now.opponent === "computer";
      enable(buttons.back, lengthBefore(now) !== null);
      enable(buttons.hint, isYourTurn(now) && atEnd(now.line));
      setText(buttons.hint, shownHint(now)?.isSearching ? say("do.stop") : say("play.hint"));
      buttons.hint.hidden = over || !isAlone;
      buttons.share.hidden = now.line.moves.length === 0;
      after.hidden = !over;
      helpLine.hidden = over || !isAlone;
      help.set(settings.help);
      if (card === null && now.opponent === "friend") loadCard();
      card?.draw(state);
      setText(buttons.next, say(isFromPosition(now) ? "play.again" : "play.rematch"));
    },
  };
}
