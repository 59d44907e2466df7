/**
 * The texts of the page, in one language. Those in English are in this script; the file of another
 * language is loaded before anything is shown, and English stands in for what it does not have.
 */
import { ask, asked, LANGUAGES, wanted } from "./language.js";
import english from "../texts/en.json" with { type: "json" };

/** Whether a text has the forms of the English one. */
const isLike = (text, model) => typeof text === typeof model
  && (typeof text === "string" || (text !== null && "other" in text && Object.values(text).every((form) => typeof form === "string")));

/** The texts of another language; null where they do not arrive. */
async function textsIn(answer) {
  try {
    const found = Object.entries(await (await answer).json()).filter(([key, text]) => isLike(text, english[key]));
    return found.length > 0 ? Object.fromEntries(found) : null;
  } catch {
    return null;
  }
}

const own = await (asked === null ? {} : textsIn(asked));
const texts = { ...english, ...own };
/** The language that is spoken, which is English where the wanted one is missing. */
export const language = own === null ? LANGUAGES[0] : wanted;
export const isMissing = own === null;
const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language, { useGrouping: "min2" });
const changes = new Intl.NumberFormat(language, { signDisplay: "exceptZero" });
const shares = new Intl.NumberFormat(language, { style: "percent" });
const lists = new Intl.ListFormat(language);

export const hasText = (name) => name in texts;

/** Asks for the texts again, for a service worker that came after them. */
export const askAgain = () => language !== LANGUAGES[0] && ask().catch(() => {});

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
