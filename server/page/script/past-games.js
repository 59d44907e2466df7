/** The dialog of past games, with pictures of them, and the results against each level. */
import { openDialog } from "./dialogs.js";
import { button, h } from "./dom.js";
import { lineOfEntry, loadGames, resultOfEntry } from "./games.js";
import { capital, levelText, playerNames } from "./play-panel.js";
import { recordOf, suggestionOf } from "./record.js";
import { boardAt, stones } from "./rules.js";
import { dayOf, percent, say } from "./texts.js";
import { thumbnailOf } from "./thumbnail.js";

/** Games that are shown at a time. */
const SHOWN = 30;

const accuracyText = (share) => (share === null ? "–" : percent(share));
const results = ([won, drawn, lost]) => (won + drawn + lost === 0 ? "–" : `${won} / ${drawn} / ${lost}`);

function resultText(entry, result) {
  if (result === null) return say("past.not-ended");
  if (result === "draw") return say("past.draw");
  if (entry.opponent === "two") return say("past.player-won", { number: result === entry.you ? 1 : 2 });
  return say(result === entry.you ? "past.won" : "past.lost");
}

/** `open` shows a game, `resume` goes on with it, `playAt` begins one against a level. */
export function openPastGames(playing, { open, resume, playAt }) {
  const games = loadGames().filter(({ id }) => id !== playing);
  const list = h("ul", { class: "games" });
  const and = (action) => (...asked) => {
    dialog.close();
    action(...asked);
  };

  function row(entry) {
    const board = boardAt(lineOfEntry(entry));
    const result = resultOfEntry(entry);
    const name = entry.opponent === "two" ? say("player.two") : playerNames(entry)[1];
    const text = [name, entry.size, resultText(entry, result), say("past.stones", { count: stones(board) }), dayOf(new Date(entry.started))].join(" · ");
    return h("li", {}, button([thumbnailOf(board), h("span", {}, text)], and(() => open(entry)), { class: "plain" }),
      result === null && button(say("past.resume"), and(() => resume(entry))));
  }

  const more = button(say("past.more"), () => {
    list.append(...games.splice(0, SHOWN).map(row));
    more.hidden = games.length === 0;
  });
  const all = loadGames();
  const record = recordOf(all);
  const found = suggestionOf(all);
  const dialog = openDialog(say("play.past"),
    found && h("div", { class: "line suggestion" }, h("p", {}, say("past.suggestion", { ...found, level: levelText(found.level), next: levelText(found.next) })),
      button(say("past.play", { level: levelText(found.next) }), and(() => playAt(found.next)), { id: "play-suggested", class: "main" })),
    record.length > 0 && h("table", { class: "record-table" },
      h("caption", { class: "soft" }, say("past.record")),
      h("thead", {}, h("tr", {}, ["level", "first", "kept", "second", "kept"].map((name) => h("th", { scope: "col" }, say(`past.${name}`))))),
      h("tbody", {}, record.map(({ level, sides }) => h("tr", {}, h("th", { scope: "row" }, capital(levelText(level))),
        sides.flatMap((side) => [h("td", {}, results(side.results)), h("td", {}, accuracyText(side.accuracy))]))))),
    games.length === 0 && h("p", { class: "soft" }, say("past.none")),
    list, more);
  more.click();
}
