/** The dialog of past games, with pictures of them, and the results against each level. */
import { openDialog } from "./dialogs.js";
import { button, h } from "./dom.js";
import { lineOfEntry, loadGames, resultOfEntry } from "./games.js";
import { capital, playerNames } from "./play-panel.js";
import { recordOf, suggestionOf } from "./record.js";
import { boardAt, stones } from "./rules.js";
import { thumbnailOf } from "./thumbnail.js";

/** Games that are shown at a time. */
const SHOWN = 30;

const percent = (share) => (share === null ? "–" : `${Math.round(100 * share)} %`);
const halves = (points) => `${Math.floor(points)}${points % 1 ? "½" : ""}`.replace(/^0½/, "½");
const results = ([won, drawn, lost]) => (won + drawn + lost === 0 ? "–" : `${won} / ${drawn} / ${lost}`);

function resultText(entry, result) {
  if (result === null) return "not ended";
  if (result === "draw") return "draw";
  if (entry.opponent === "two") return `player ${result === entry.you ? 1 : 2} won`;
  return result === entry.you ? "won" : "lost";
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
    const day = new Date(entry.started).toLocaleDateString("en", { day: "numeric", month: "short" });
    const name = entry.opponent === "two" ? "Two people" : playerNames(entry)[1];
    const text = [name, entry.size, resultText(entry, result), `${stones(board)} stones`, day].join(" · ");
    return h("li", {}, button([thumbnailOf(board), h("span", {}, text)], and(() => open(entry)), { class: "plain" }),
      result === null && button("Go on", and(() => resume(entry))));
  }

  const more = button("More", () => {
    list.append(...games.splice(0, SHOWN).map(row));
    more.hidden = games.length === 0;
  });
  const all = loadGames();
  const record = recordOf(all);
  const found = suggestionOf(all);
  const dialog = openDialog("Past games",
    found && h("div", { class: "line suggestion" }, h("p", {}, `You scored ${halves(found.points)} of the last ${found.games} against ${found.level}: try ${found.next}.`),
      button(`Play ${found.next}`, and(() => playAt(found.next)), { id: "play-suggested", class: "main" })),
    record.length > 0 && h("table", { class: "record-table" },
      h("caption", { class: "soft" }, "Games won / drawn / lost as the first and as the second player, and the share of moves that kept a win or a draw."),
      h("thead", {}, h("tr", {}, ["Level", "First", "Kept", "Second", "Kept"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, record.map(({ level, sides }) => h("tr", {}, h("th", { scope: "row" }, capital(level)),
        sides.flatMap((side) => [h("td", {}, results(side.results)), h("td", {}, percent(side.accuracy))]))))),
    games.length === 0 && h("p", { class: "soft" }, "Games that you play are kept in this browser."),
    list, more);
  more.click();
}
