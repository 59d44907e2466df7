/** The texts of the page, in one language: its file in the folder `texts` is loaded before anything is shown. */

/** The languages that have a file; the first one is for browsers with none of them. */
export const LANGUAGES = ["en", "de", "es"];

/** The language that was chosen in this browser, or "system". */
function keptLanguage() {
  try {
    return JSON.parse(localStorage.getItem("fourbook.language")) ?? "system";
  } catch {
    return "system";
  }
}

/** The choice of a language: one with a file, or "system" for the first of the browser's that has one. */
export const chosen = keptLanguage();
export const language = [chosen, ...navigator.languages.map((name) => name.split("-")[0])].find((name) => LANGUAGES.includes(name)) ?? LANGUAGES[0];

const texts = await fetch(`texts/${language}.json`).then((response) => response.json());
const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language, { useGrouping: "min2" });
const changes = new Intl.NumberFormat(language, { signDisplay: "exceptZero" });
const shares = new Intl.NumberFormat(language, { style: "percent" });
const lists = new Intl.ListFormat(language);

/** The text of a name with values in place of {names}; `count` chooses the plural. */
export function say(name, values = {}) {
  const text = texts[name];
  const pattern = typeof text === "string" ? text : text[plurals.select(values.count)] ?? text.other;
  return pattern.replace(/\{([a-z]+)\}/gi, (_, key) => (typeof values[key] === "number" ? numbers.format(values[key]) : values[key]));
}

/** The parts of a text before and after "|"; on a narrow screen, a button shows the first one only. */
export const parts = (name) => say(name).split("|");

/** A number with its sign. */
export const signed = (number) => changes.format(number);

/** A share from 0 to 1 as a percentage. */
export const percent = (share) => shares.format(share);

/** Some texts as a list: "a, b and c". */
export const listed = (texts) => lists.format(texts);

/** The day and the month of a date. */
export const dayOf = (date, zone) => date.toLocaleDateString(language, { day: "numeric", month: "short", timeZone: zone });

/** The names of the languages, each in itself. */
export const languageNames = () => LANGUAGES.map((name) => [name, new Intl.DisplayNames(name, { type: "language" }).of(name)]);
