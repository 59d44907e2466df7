/** The address of what is shown, and the browser's Back and Forward. */
import { addressOf, analysisOf, friendAddressOf, readAddress, showView, VIEWS } from "./views.js";

/** Marks the entries that the page has written itself. */
const OURS = "fourbook";

/**
 * Writes the address of a state: it names what is analysed, or the game with a friend, so that it can be shared and kept.
 * Back leads to each view, and to the position analysed before another one was set up.
 */
export function createAddress() {
  let [view, setUp] = [null, null];
  return function draw({ view: shown, play, analyse: { line, before } }) {
    const isOther = view !== null && (view !== shown || (shown === "analyse" && setUp !== before));
    [view, setUp] = [shown, before];
    const isFriend = shown === "play" && play.opponent === "friend";
    const query = shown === "analyse" ? addressOf(line) : isFriend ? friendAddressOf(play) : "";
    const wanted = `${query && `?${query}`}#${shown}`;
    if (location.search + location.hash === wanted && history.state === OURS) return;
    // A link has already made its entry, and Back has gone to an existing one.
    const isThere = location.hash === `#${shown}` && (history.state === null || location.search + location.hash === wanted);
    history[isOther && !isThere ? "pushState" : "replaceState"](OURS, "", location.pathname + wanted);
  };
}

/** The analysis of a line; for the previously set-up line, with everything that belongs to it. */
function turnedTo(line, { before, line: left, game, review, others }) {
  const isBefore = before !== null && addressOf(before.line) === addressOf(line);
  return isBefore ? { ...analysisOf(line), ...before, before: { line: left, game, review, others } } : { ...analysisOf(line), before };
}

/** Shows the view and position of an entry of the history. */
export function followHistory(store) {
  addEventListener("popstate", ({ state: entry }) => {
    if (entry !== OURS) {
      // A link to a view, which names no position.
      const view = location.hash.slice(1);
      if (VIEWS.includes(view)) showView(store, view);
      return;
    }
    const { view, line, wrong } = readAddress();
    const { analyse } = store.state;
    const isKnown = view !== "analyse" || wrong || addressOf(line) === addressOf(analyse.line);
    if (!isKnown) store.update({ analyse: turnedTo(line, analyse) });
    showView(store, view);
  });
}
