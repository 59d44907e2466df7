/** A hint in words. */
import { nameOf } from "./rules.js";
import { listed, say } from "./texts.js";
import { movesToEnd } from "./words.js";

export function hintText({ best, outcome, plies }) {
  const [column, ...others] = best.map(nameOf);
  const text = say(outcome === "win" && plies === 1 ? "hint.at-once" : `hint.${outcome}`, { column, count: movesToEnd(plies) });
  return others.length === 0 ? text : `${text} ${say("hint.same", { columns: listed(others), count: others.length })}`;
}
