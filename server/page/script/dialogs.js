/** Dialogs: a new game, settings, keys, a picture. */
import { button, choice, h } from "./dom.js";
import { hosting } from "./hosting.js";
import { KEYS } from "./keyboard.js";
import { capital } from "./play-panel.js";
import { parseSize, withSize } from "./rules.js";
import { changeSettings, LEVELS } from "./store.js";

/** Shows a dialog that is removed when it is closed. */
export function openDialog(title, ...content) {
  const dialog = h("dialog", { "aria-labelledby": "dialog-title" },
    h("div", { class: "dialog-head" }, h("h2", { id: "dialog-title" }, title),
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

/** Asks how to play; `from` is the line to go on with, or null. */
export function openNewGame(store, from, begin) {
  const { settings: { newGame: now }, sizes } = store.state;
  const level = pick("Level", "level", LEVELS.map((name, index) => [name, `${index + 1} · ${capital(name)}`]), now.level);
  const begins = pick(from ? "Who is next" : "Who starts", "begins", [], now.begins);
  const opponent = pick("Opponent", "opponent", [["computer", "Computer"], ["two", "Two people at one board"]], now.opponent);
  const form = h("form", { method: "dialog", class: "fields" }, [opponent, level, begins,
    from ? null : pick("Board", "size", withSize(sizes, parseSize(now.size)).map((size) => [size, size.replace("x", " × ")]), now.size),
    pick("Series", "bestOf", [[1, "One game"], [3, "Best of 3"], [5, "Best of 5"], [7, "Best of 7"]], now.bestOf),
    h("button", { type: "submit", class: "main" }, "Start")].filter(Boolean));
  function adapt() {
    const two = form.elements.opponent.value === "two";
    level.hidden = two;
    const names = two ? ["Player 1", "Player 2"] : ["You", "The computer"];
    const chosen = form.elements.begins.value || now.begins;
    form.elements.begins.replaceChildren(...[["me", names[0]], ["other", names[1]], ["chance", "By chance"]].map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  }
  form.elements.opponent.addEventListener("change", adapt);
  adapt();
  const dialog = openDialog(from ? "Play from here" : "New game", form);
  form.addEventListener("submit", () => {
    const chosen = Object.fromEntries(new FormData(form));
    begin({ size: now.size, ...chosen, bestOf: Number(chosen.bestOf) });
  });
  dialog.querySelector("select").focus();
}

export function openSettings(store) {
  const rows = [
    ["Colours", "theme", [["system", "As the system"], ["light", "Light"], ["dark", "Dark"]]],
    ["Stones", "stones", [["classic", "Yellow and red"], ["safe", "Yellow and blue, patterns"]]],
    ["Motion", "motion", [["system", "As the system"], ["full", "All"], ["less", "Less"]]],
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
