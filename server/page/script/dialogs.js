/** Dialogs: a new game, settings, keys, a picture. */
import { button, choice, h } from "./dom.js";
import { hosting } from "./hosting.js";
import { KEYS } from "./keyboard.js";
import { capital } from "./play-panel.js";
import { parseSize, sizeText, withSize } from "./rules.js";
import { sizeButtons, sizeChoices } from "./shelf.js";
import { changeSettings } from "./store.js";

/** Shows a dialog that is removed when it is closed. */
export function openDialog(title, ...content) {
  const dialog = h("dialog", { "aria-label": title },
    h("div", { class: "dialog-head" }, h("h2", {}, title),
      h("button", { type: "button", class: "icon", "aria-label": "Close", onclick: () => dialog.close() }, "✕")), ...content);
  dialog.addEventListener("close", () => dialog.remove());
  // A click beside the dialog closes it.
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function pick(label, name, options, chosen) {
  const select = h("select", { name }, options.map(([value, text]) => h("option", { value, selected: String(value) === String(chosen) }, text)));
  return h("label", { class: "field" }, h("span", {}, label), select);
}

const OPPONENTS = [
  ["beginner", "Sees its own four, little else"], ["novice", "Blocks a three, if it looks"], ["casual", "Plans two moves, slips at times"],
  ["intermediate", "Plans three moves, still careless"], ["advanced", "Plans four moves, punishes"], ["expert", "Plans six moves, seldom slips"],
  ["master", "Plans ten moves, nearly flawless"], ["perfect", "Knows how every game ends"], ["two", "At one board, in turns"], ["friend", "Send a link after each move"],
];

/** Opponents that are people. */
const PEOPLE = { two: "Two people", friend: "A friend" };

/** A button that starts a game; its disc grows and reddens with the level. */
function opponentCard([value, text], step) {
  const disc = h("i", { class: "level" });
  disc.style.setProperty("--step", step);
  return h("button", { type: "submit", value, class: `opponent ${value}` }, disc, h("b", {}, PEOPLE[value] ?? capital(value)), h("span", { class: "soft" }, text));
}

/** Asks whom to play, the last opponent first, and how; `from` is the line to go on with, or null. */
export function openNewGame(store, from, begin) {
  const { settings: { newGame: now }, sizes } = store.state;
  const last = now.opponent === "computer" ? now.level : now.opponent;
  const cards = OPPONENTS.map(opponentCard);
  cards.sort((a, b) => (b.value === last) - (a.value === last));
  const more = h("details", {}, h("summary", {}, "Who starts, board, series"), h("div", { class: "fields" }, [
    pick(from ? "Who is next" : "Who starts", "begins", [["me", "You"], ["other", "The other"], ["chance", "By chance"]], now.begins),
    from ? null : sizeChoices(withSize(sizes, parseSize(now.size)), now.size),
    pick("Series", "bestOf", [[1, "One game"], [3, "Best of 3"], [5, "Best of 5"], [7, "Best of 7"]], now.bestOf),
  ].filter(Boolean)));
  const form = h("form", { method: "dialog" }, h("div", { class: "opponents" }, cards), more);
  openDialog(from ? "Play from here" : "New game", form);
  form.addEventListener("submit", ({ submitter: { value } }) => {
    const chosen = Object.fromEntries(new FormData(form));
    const opponent = value in PEOPLE ? { opponent: value } : { opponent: "computer", level: value };
    begin({ ...now, ...chosen, ...opponent, bestOf: Number(chosen.bestOf) });
  });
  cards[0].focus();
}

/** Asks for the size of the board; `choose` gets its text. */
export function openSizes(store, size, choose) {
  const dialog = openDialog("Board", sizeButtons(withSize(store.state.sizes, size), sizeText(size), (text) => {
    dialog.close();
    choose(text);
  }));
  dialog.querySelector("[aria-current]").focus();
}

export function openSettings(store) {
  const rows = [
    ["Colours", "theme", [["system", "System"], ["light", "Light"], ["dark", "Dark"]]],
    ["Stones", "stones", [["classic", "Yellow and red"], ["safe", "With patterns"]]],
    ["Motion", "motion", [["system", "System"], ["full", "Full"], ["less", "Less"]]],
    ["Sounds", "sounds", [["off", "Off"], ["on", "On"]]],
    ["Threats", "threats", [[false, "Hidden"], [true, "Marked"]]],
  ].map(([label, name, options]) => {
    const buttons = choice(label, options, (value) => {
      changeSettings(store, { [name]: value });
      buttons.set(value);
    });
    buttons.set(store.state.settings[name]);
    return h("div", { class: "field" }, h("span", {}, label), buttons.element);
  });
  const api = hosting === "server" ? h("a", { href: "api" }, "API") : h("a", { href: "openapi.json" }, "Description of the server's API");
  openDialog("Settings", h("div", { class: "fields" }, rows),
    h("p", { class: "soft" }, store.state.about), h("p", { class: "foot" }, button("Keys", openKeys, { id: "open-keys" }), api));
}

export function openKeys() {
  openDialog("Keys", h("dl", { class: "keys" }, KEYS.flatMap(([keys, what]) =>
    [h("dt", {}, keys.split(" ").map((key) => (key === "…" ? key : h("kbd", {}, key)))), h("dd", {}, what)])));
}
