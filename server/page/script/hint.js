/** A hint in words. */
import { nameOf } from "./rules.js";
import { movesToEnd, plural } from "./words.js";

const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

export function hintText(report) {
  const [best, ...others] = report.best.map(nameOf);
  const moves = plural(movesToEnd(report.plies), "move");
  const gives = {
    win: report.plies === 1 ? ": it wins at once" : `: you win in ${moves}`,
    draw: ": it keeps the draw",
    loss: `: it holds out for ${moves}`,
  }[report.outcome];
  const same = others.length === 0 ? "" : ` ${list(others)} ${others.length === 1 ? "is" : "are"} as good.`;
  return `Column ${best} is best${gives}.${same}`;
}
