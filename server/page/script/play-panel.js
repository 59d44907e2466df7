/** Beside the board while playing. */
import { button, enable, h, panel, part, setText } from "./dom.js";
import { createMoveList, createStepper } from "./move-list.js";
import { isFromPosition, lengthBefore, pointsOf, resultOfGame, seriesIsOver } from "./play.js";
import { atEnd, boardAt, nameOf, sideToMove, stones } from "./rules.js";
import { changeSettings, sideNames } from "./store.js";
import { isYourTurn, shownHint, shownReport } from "./views.js";
import { downloadText, positionVerdict, solvingText, sourceText } from "./words.js";

const half = (points) => `${Math.floor(points) || (points % 1 ? "" : "0")}${points % 1 ? "½" : ""}`;
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Whether two people play at one board. */
export const hasTwo = ({ opponent }) => opponent === "two";

/** The names of the first person and of the other one. */
export const playerNames = ({ opponent, level }) =>
  (hasTwo({ opponent }) ? ["Player 1", "Player 2"] : ["You", opponent === "friend" ? "Your friend" : `Computer, ${level}`]);

const stonesOf = ({ base, moves }) => (base ?? "").replace(/[^XO]/g, "").length + moves.length;

export const otherName = ({ opponent }) => (opponent === "friend" ? "Your friend" : "The computer");

/** The game's state in a sentence. */
function statusOf(play, names) {
  const players = playerNames(play);
  const nameOfSide = (side) => (side === play.you ? players[0] : players[1]);
  const result = resultOfGame(play);
  if (result === "draw") return "A draw: the board is full.";
  if (result !== null) {
    const gaveUp = play.resigned !== null;
    if (hasTwo(play)) return `${nameOfSide(result)} (${names[result]}) wins${gaveUp ? ", the other one resigned" : ""}.`;
    return result === play.you ? "You win!" : gaveUp ? "You resigned; the computer wins." : `${otherName(play)} wins.`;
  }
  const side = sideToMove(boardAt(play.line, play.line.moves.length));
  if (play.download !== null) return downloadText(play.download);
  if (hasTwo(play)) return `${names[side]} to move`;
  if (side !== play.you) return `${otherName(play)} is ${play.opponent === "friend" ? "to move" : "thinking…"}`;
  return play.checking ? "Checking your move…" : "Your turn";
}

export function createPlayPanel(store, { play, steps, newGame, openGame, analyse, learn, extras, friend, demand: showVerdicts }) {
  const seat = () => {
    const [dot, name, colour, points] = [h("i", { class: "dot" }), h("span", { class: "name" }), h("span", { class: "unseen" }), h("span", { class: "points" })];
    return { element: h("div", { class: "seat" }, dot, name, colour, points), dot, name, colour, points };
  };
  const seats = [seat(), seat()];
  const status = h("p", { class: "status", id: "status" });
  const series = h("p", { class: "series soft" });
  const verdict = h("p", { class: "verdict" });
  const hint = h("p", { class: "hint-text", role: "status" });
  const moves = createMoveList(steps.to);
  const stepper = createStepper(steps);
  const note = h("div", { class: "note", role: "status", hidden: true });

  const buttons = {
    back: button("↶ Take back", play.takeBack, { "aria-keyshortcuts": "u" }),
    hint: button("Hint", () => (shownHint(store.state.play)?.isSearching ? play.leaveHint() : play.hint()), { "aria-keyshortcuts": "h" }),
    resign: button("Resign", play.resign, { id: "resign" }),
    fresh: button("New game", newGame, { "aria-keyshortcuts": "n" }),
    next: button("Next game", play.next, { class: "main", id: "next-game" }),
    learn: button("Learn from your mistakes", () => {
      const { line, opponent, you } = store.state.play;
      learn(line, opponent === "two" ? null : you);
    }, { class: "main", id: "learn-game" }),
    review: button("Review the game", () => analyse(store.state.play.line), { "aria-keyshortcuts": "r" }),
  };
  const after = h("div", { class: "actions after" }, buttons.learn, buttons.review, buttons.next);
  const actions = h("div", { class: "actions quick" }, buttons.back, buttons.hint, buttons.resign, buttons.fresh);

  const demand = button("Show scores", showVerdicts, { "aria-keyshortcuts": "v", "aria-pressed": "false", id: "demand" });
  const check = (id, text, change) => {
    const box = h("input", { type: "checkbox", id, onchange: () => changeSettings(store, change(box.checked)) });
    return { box, element: h("label", { class: "line" }, h("span", {}, text), box) };
  };
  const always = check("always", "Always show the scores", (is) => ({ playVerdicts: is ? "on" : "demand" }));
  const warnings = check("warnings", "Warn me before a move that throws a win or a draw away", (is) => ({ warnings: is }));
  const help = h("div", { class: "card help" }, demand, always.element, warnings.element);

  const list = h("ul", { class: "games" });
  const noGames = h("p", { class: "soft" }, "Games that you play are kept here.");
  const past = h("div", { class: "card past" }, h("h2", {}, "Past games"), noGames, list);
  let drawn = { games: null };
  let [more, card] = [null, null];

  /** The link to a game with a friend. */
  async function loadCard() {
    card = undefined;
    card = await friend();
    table.after(card.element);
    card.draw(store.state);
  }

  /** Pictures of past games, and the record. */
  async function loadExtras() {
    more = undefined;
    more = await extras();
    past.after(more.record.element);
    drawn.games = null;
    store.update({});
  }

  const table = h("div", { class: "card seats" },
    h("div", { class: "line" }, status, verdict), h("div", { class: "either" }, h("div", { class: "both" }, seats.map((one) => one.element)), hint), series);
  const element = panel("play", [stepper.element, table, after, actions, note], [
    part("Help", [help]), part("Moves", [h("div", { class: "card record" }, moves.element)], { isBeside: true }), part("Games", [past], { isBeside: true }),
  ]);

  function drawSeats({ play: now, settings }) {
    const names = sideNames(settings);
    const players = playerNames(now);
    const points = pointsOf(now);
    const result = resultOfGame(now);
    const turn = sideToMove(boardAt(now.line, now.line.moves.length));
    seats.forEach((one, index) => {
      const other = index === 1;
      const side = now.you ^ other;
      one.dot.className = `dot ${["first", "second"][side]}`;
      setText(one.name, capital(players[other ? 1 : 0]));
      setText(one.colour, ` · ${names[side]}`);
      setText(one.points, now.series.bestOf > 1 || now.series.games > 1 ? half(points[other ? 1 : 0]) : "");
      one.element.classList.toggle("turn", result === null && side === turn);
      one.element.classList.toggle("busy", other && now.thinking);
    });
    const { bestOf, games } = now.series;
    setText(series, bestOf > 1 ? `Game ${games}, best of ${bestOf}` : "");
    setText(status, statusOf(now, names));
  }

  function drawNote({ play: now }) {
    const { warning, error, unproved } = now;
    const parts = [];
    if (warning) {
      const what = warning.loses === "win" ? "a win" : "a draw";
      parts.push(h("p", {}, `Column ${nameOf(warning.column)} throws ${what} away.`),
        h("div", { class: "actions" },
          button("Choose another", play.leaveWarning, { class: "main" }), button("Play it anyway", () => play.move(warning.column), { id: "play-anyway" })));
    } else if (error) {
      parts.push(h("p", {}, error.message), h("div", { class: "actions" },
        error.canRetry && button("Try again", play.retry, { class: "main" })));
    } else if (unproved) {
      parts.push(h("p", {}, "The computer played the best move that it knows: it had no time to solve the position."));
    }
    return parts.filter(Boolean);
  }

  function drawGames(games, playing) {
    list.replaceChildren(...games.filter(({ id }) => id !== playing).map((entry) => {
      const [, other] = playerNames(entry);
      const mine = entry.result === null ? "not ended" : entry.result === "draw" ? "draw" : hasTwo(entry)
        ? `player ${entry.result === entry.you ? 1 : 2} won` : entry.result === entry.you ? "won" : "lost";
      const day = new Date(entry.started).toLocaleDateString("en", { day: "numeric", month: "short" });
      const name = hasTwo(entry) ? "Two people" : other;
      const text = `${name} · ${entry.size} · ${mine} · ${stonesOf(entry)} stones · ${day}`;
      const label = more ? h("span", {}, text) : text;
      return h("li", {}, button(more ? [more.thumbnail(entry), label] : label, () => openGame(entry), { class: `plain ${mine}` }),
        entry.result === null && button("Go on", () => play.resume(entry)));
    }));
    noGames.hidden = list.childElementCount > 0;
  }

  function drawVerdict(state) {
    const { play: now, settings, evaluation } = state;
    const report = shownReport(state);
    const side = sideToMove(boardAt(now.line));
    const text = report?.outcome ? positionVerdict(report, side, sideNames(settings)) : evaluation.error?.message ?? (evaluation.waiting ? solvingText(evaluation) : "");
    setText(verdict, text);
    verdict.title = report?.outcome ? sourceText(report) : "";
    const shown = report !== null || evaluation.waiting;
    demand.setAttribute("aria-pressed", String(shown));
    enable(demand, resultOfGame(now) === null);
    const found = shownHint(now);
    setText(hint, found?.text ?? "");
    setText(buttons.hint, found?.isSearching ? "Stop" : "Hint");
  }

  return {
    element,
    draw(state) {
      const { play: now, settings, games } = state;
      drawSeats(state);
      drawVerdict(state);
      const moment = [now.warning, now.error, now.unproved].find(Boolean) ?? null;
      if (drawn.moment !== moment) {
        note.hidden = moment === null;
        note.replaceChildren(...drawNote(state));
        note.classList.toggle("warning", Boolean(now.warning ?? now.error));
        // The first button gets the focus, so that players at the keyboard can decide at once.
        if (now.warning) note.querySelector("button")?.focus();
      }
      moves.draw(now.line, stones(boardAt(now.line, 0)) % 2);
      stepper.draw(now.line);
      const over = resultOfGame(now) !== null;
      const began = now.line.moves.length > now.from;
      enable(buttons.back, lengthBefore(now) !== null);
      enable(buttons.hint, isYourTurn(now) && atEnd(now.line));
      enable(buttons.resign, began && !over);
      after.hidden = !over;
      buttons.hint.hidden = over;
      buttons.resign.hidden = over || now.opponent === "friend";
      if (card === null && now.opponent === "friend") loadCard();
      card?.draw(state);
      setText(buttons.next, seriesIsOver(now) ? (now.series.bestOf > 1 ? "New series" : isFromPosition(now) ? "Once more from there" : "Rematch") : "Next game");
      always.box.checked = settings.playVerdicts === "on";
      warnings.box.checked = settings.warnings;
      if (more === null && games.length > 0) loadExtras();
      more?.record.draw(state);
      if (drawn.games !== games || drawn.id !== now.id) drawGames(games, now.id);
      drawn = { games, id: now.id, moment };
    },
  };
}
