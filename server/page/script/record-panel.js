/** Beside the board: the player's results against each level. */
import { button, h } from "./dom.js";
import { loadAccuracies, recordOf, suggestionOf } from "./record.js";

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const percent = (share) => (share === null ? "–" : `${Math.round(100 * share)} %`);
const halves = (points) => `${Math.floor(points)}${points % 1 ? "½" : ""}`.replace(/^0½/, "½");
const results = ([won, drawn, lost]) => (won + drawn + lost === 0 ? "–" : `${won} / ${drawn} / ${lost}`);

/** `playAt` begins a game against a level. */
export function createRecordPanel(playAt) {
  const suggestion = h("div", { class: "suggestion" });
  const body = h("tbody");
  const head = ["Level", "First", "Accuracy", "Second", "Accuracy"];
  const element = h("details", { class: "card record-card", hidden: true }, h("summary", {}, "Your record"), suggestion,
    h("table", { class: "record-table" }, h("caption", { class: "soft" }, "Games won / drawn / lost as the first and as the second player. Accuracy is the share of moves that kept a win or a draw."),
      h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))), body));
  let drawn = null;
  return {
    element,
    draw({ games }) {
      if (drawn === games) return;
      drawn = games;
      const rows = recordOf(games, loadAccuracies());
      element.hidden = rows.length === 0;
      body.replaceChildren(...rows.map(({ level, sides }) => h("tr", {}, h("th", { scope: "row" }, capital(level)),
        ...sides.flatMap((side) => [h("td", {}, results(side.results)), h("td", {}, percent(side.accuracy))]))));
      const found = suggestionOf(games);
      suggestion.replaceChildren(...(found === null ? [] : [
        h("p", {}, `You scored ${halves(found.points)} of the last ${found.games} against ${found.level}: try ${found.next}.`),
        button(`Play ${found.next}`, () => playAt(found.next), { id: "play-suggested" })]));
    },
  };
}
