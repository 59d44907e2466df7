/** Dialogs: a new game, settings, what this is, keys. */
import { button, h, setText } from "./dom.js";
import { hosting } from "./hosting.js";
import { KEYS } from "./keyboard.js";
import { capital, levelText } from "./play-panel.js";
import { parseSize, sizeText } from "./rules.js";
import { sizeChoice, sizeOf } from "./shelf.js";
import { changeSettings, LEVELS, OPPONENTS, save } from "./store.js";
import { chosen } from "./language.js";
import { languageNames, say } from "./texts.js";
import { sideNames } from "./words.js";

/** Shows a dialog that is removed when it is closed. */
export function openDialog(title, ...content) {
  const dialog = h("dialog", { "aria-label": title },
    h("div", { class: "dialog-head" }, h("h2", {}, title),
      h("button", { type: "button", class: "icon", "aria-label": say("do.close"), onclick: () => dialog.close() }, "✕")), ...content);
  dialog.addEventListener("close", () => dialog.remove());
  // A click beside the dialog closes it.
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

const field = (text, ...inputs) => h("label", { class: "field" }, h("span", {}, text), inputs.flat());

/** A choice of the computer's level, with what it can do. */
function levelField(now) {
  const about = h("p", { class: "soft", id: "about-level" });
  const input = h("input", { type: "range", name: "level", max: LEVELS.length - 1, value: LEVELS.indexOf(now) });
  function tell() {
    const level = LEVELS[input.value];
    const name = capital(levelText(level));
    input.setAttribute("aria-valuetext", name);
    setText(about, `${name}: ${say(`about.${level}`)}`);
  }
  input.addEventListener("input", tell);
  tell();
  return [field(say("player.computer"), input), about];
}

/** Asks how and whom to play; the last opponent has the focus. `from` is the line to go on with, or null. */
export function openNewGame(store, from, begin) {
  const { settings } = store.state;
  const { newGame: now } = settings;
  const [first, second] = sideNames(settings);
  const begins = [
    ["me", from ? say("new.me-next") : say("new.me", { side: first })], ["other", from ? say("new.other-next") : say("new.other", { side: second })], ["chance", say("new.chance")],
  ];
  const opponents = OPPONENTS.map((value) => h("button", { type: "submit", value, class: value === "computer" && "main" },
    say(value === "computer" ? "view.play" : `player.${value}`)));
  const form = h("form", { method: "dialog", class: "fields" }, levelField(now.level),
    field(say("new.begins"), h("select", { name: "begins" }, begins.map(([value, text]) => h("option", { value, selected: value === now.begins }, text)))),
    from === null && field(say("size.board"), sizeChoice(store.state, parseSize(now.size))), h("div", { class: "actions" }, opponents));
  openDialog(say(from ? "new.from-here" : "new.title"), form);
  form.addEventListener("submit", ({ submitter: { value } }) => {
    const { level, begins: who } = form.elements;
    begin({ opponent: value, level: LEVELS[level.value], begins: who.value, size: from ? sizeText(from.size) : sizeOf(form) });
  });
  opponents[OPPONENTS.indexOf(now.opponent)].focus();
}

/** The settings, and what can be chosen for each. */
const SETTINGS = {
  theme: ["system", "light", "dark"], stones: ["classic", "safe"], motion: ["system", "full", "less"], sounds: ["off", "on"],
  threats: [false, true], scores: [true, false], keys: ["on", "off"],
};

/** A choice of one of some values, with their texts; `take` gets the chosen one. */
function settingField(name, options, now, take) {
  const select = h("select", { name }, options.map(([value, text]) => h("option", { value: String(value), selected: value === now }, text)));
  select.addEventListener("change", () => take(options[select.selectedIndex][0]));
  return field(say(`setting.${name}`), select);
}

export function openSettings(store) {
  const languages = [["system", say("setting.language.system")], ...languageNames().map(([value, name]) => [value, capital(name)])];
  const language = settingField("language", languages, chosen, (value) => {
    save("language", value);
    location.reload();
  });
  const others = Object.entries(SETTINGS).map(([name, values]) => settingField(name, values.map((value) => [value, say(`setting.${name}.${value}`)]),
    store.state.settings[name], (value) => changeSettings(store, { [name]: value })));
  openDialog(say("settings.title"), h("div", { class: "fields" }, language, others),
    h("p", { class: "foot" }, button(say("info.title"), () => openAbout(store), { id: "open-about" }), button(say("keys.title"), openKeys, { id: "open-keys" })));
}

function openAbout({ state: { about } }) {
  openDialog(say("info.title"), h("div", { class: "fields" },
    h("p", {}, say("info.rules")), h("p", {}, say("info.solved")), h("p", { class: "soft" }, about),
    h("p", {}, say("info.licence"), " ", h("a", { href: hosting === "server" ? "api" : "openapi.json" }, say("info.interface")))));
}

export function openKeys() {
  const cap = (key) => (key === "…" ? key : h("kbd", {}, key.length > 1 ? say(`key.${key}`) : key));
  openDialog(say("keys.title"), h("dl", { class: "keys" }, KEYS.flatMap(([keys, name]) => [h("dt", {}, keys.split(" ").map(cap)), h("dd", {}, say(`keys.${name}`))])));
}
