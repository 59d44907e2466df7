/** The language of the page, and its texts on their way: a script of its own, so that they are asked for first. */

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
/** The language to speak, if its texts arrive. */
export const wanted = [chosen, ...navigator.languages.map((name) => name.split("-")[0])].find((name) => LANGUAGES.includes(name)) ?? LANGUAGES[0];

/** Milliseconds that the page waits for a language. */
const PATIENCE = 6000;

/** Asks for the texts of a language. */
export const ask = () => fetch(`texts/${wanted}.json`, { signal: AbortSignal.timeout(PATIENCE) });

/** The answer, if there is a file to ask for: English is in another script. */
export const asked = wanted === LANGUAGES[0] ? null : ask();
// It is waited for, and its failure is told, by the texts.
asked?.catch(() => {});
