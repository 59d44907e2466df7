/** Dialogs: a new game, settings, what this is, keys. */
import { button, choice, h } from "./dom.js";
import { hosting } from "./hosting.js";
import { KEYS } from "./keyboard.js";
import { capital } from "./play-panel.js";
import { parseSize, sizeText } from "./rules.js";
import { sizeChoice, sizeOf } from "./shelf.js";
import { changeSettings, sideNames } from "./store.js";

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

const OPPONENTS = [
  ["beginner", "Sees its own four, little else"], ["novice", "Blocks a three, if it looks"], ["casual", "Plans two moves, slips at times"],
  ["intermediate", "Plans three moves, still careless"], ["advanced", "Plans four moves, punishes"], ["expert", "Plans six moves, seldom slips"],
  ["master", "Plans ten moves, nearly flawless"], ["perfect", "Knows how every game ends"], ["two", "At one board, in turns"], ["friend", "Send a link after each move"],
];

/** Opponents that are people. */
const PEOPLE = { two: "Two people", friend: "A friend" };

/** Asks how and whom to play, the last opponent marked; `from` is the line to go on with, or null. */
export function openNewGame(store, from, begin) {
  const { settings } = store.state;
  const { newGame: now } = settings;
  const last = now.opponent === "computer" ? now.level : now.opponent;
  const [first, second] = sideNames(settings);
  const begins = from ? [["me", "You are next"], ["other", "The other is next"]] : [["me", `${first}, first`], ["other", `${second}, second`]];
  const cards = OPPONENTS.map(([value, text]) => h("button", { type: "submit", value, class: "opponent", "aria-current": value === last ? "true" : null },
    h("b", {}, PEOPLE[value] ?? capital(value)), h("span", { class: "soft" }, text)));
  const form = h("form", { method: "dialog" }, h("div", { class: "line" },
    h("select", { name: "begins", "aria-label": "Who begins" }, [...begins, ["chance", "By chance"]].map(([value, text]) => h("option", { value, selected: value === now.begins }, text))),
    from === null && sizeChoice(store.state, parseSize(now.size))), h("div", { class: "opponents" }, cards));
  openDialog(from ? "Play from here" : "New game", form);
  form.addEventListener("submit", ({ submitter: { value } }) => {
    const opponent = value in PEOPLE ? { opponent: value } : { opponent: "computer", level: value };
    begin({ ...now, begins: form.elements.begins.value, size: from ? sizeText(from.size) : sizeOf(form), ...opponent });
  });
  form.querySelector("[aria-current]").focus();
}

export function openSettings(store) {
  const rows = [
    ["Colours", "theme", [["system", "System"], ["light", "Light"], ["dark", "Dark"]]],
    ["Stones", "stones", [["classic", "Plain"], ["safe", "Patterns"]]],
    ["Motion", "motion", [["system", "System"], ["full", "Full"], ["less", "Less"]]],
    ["Sounds", "sounds", [["off", "Off"], ["on", "On"]]],
    ["Threats", "threats", [[false, "Hidden"], [true, "Marked"]]],
    ["Analysis", "scores", [[true, "With scores"], [false, "Without"]]],
    ["Letter keys", "keys", [["on", "On"], ["off", "Off"]]],
  ].map(([label, name, options]) => {
    const buttons = choice(label, options, (value) => {
      changeSettings(store, { [name]: value });
      buttons.set(value);
    });
    buttons.set(store.state.settings[name]);
    return h("div", { class: `field ${name}` }, h("span", {}, label), buttons.element);
  });
  openDialog("Settings", h("div", { class: "fields" }, rows),
    h("p", { class: "foot" }, button("About", () => openAbout(store), { id: "open-about" }), button("Keys", openKeys, { id: "open-keys" })));
}

function openAbout({ state: { about } }) {
  const api = hosting === "server" ? h("a", { href: "api" }, "Interface for programs") : h("a", { href: "openapi.json" }, "Interface for programs");
  openDialog("About", h("div", { class: "fields" },
    h("p", {}, "Two players drop stones into columns in turn. Four in a line wins: in a row, a column or a diagonal."),
    h("p", {}, "Connect Four is solved: who begins in the middle and never errs wins with the last stone of 41. fourbook knows how every position ends if nobody errs, and shows it while you analyse, learn from your games and solve puzzles."),
    h("p", { class: "soft" }, about),
    h("p", {}, "Free under MIT or Apache-2.0. ", api)));
}

export function openKeys() {
  openDialog("Keys", h("dl", { class: "keys" }, KEYS.flatMap(([keys, what]) =>
    [h("dt", {}, keys.split(" ").map((key) => (key === "…" ? key : h("kbd", {}, key)))), h("dd", {}, what)])));
}
