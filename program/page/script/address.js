/** What an address says: the view, and the line that is analysed. */
import { boardOf, emptyLine, goTo, movesText, parseMoves, parseSize, sizeText } from "./rules.js";
import { VIEWS } from "./views.js";

const STANDARD = { width: 7, height: 6 };

const isDiagram = ({ width, height }, text) => {
  const rows = text.split("/");
  return rows.length === height && rows.every((row) => row.length === width && /^[XO.]*$/.test(row));
};

/** The line that a query names; throws an Error in words. */
function lineOf(query) {
  const size = parseSize(query.get("size")) ?? STANDARD;
  const base = query.get("diagram");
  if (base !== null && !isDiagram(size, base)) {
    throw new Error(`expected a diagram of ${size.height} rows of ${size.width} letters X, O and '.'`);
  }
  const moves = parseMoves(boardOf(size, base), query.get("moves") ?? "");
  const ply = Number(query.get("ply") ?? moves.length);
  return goTo({ size, base, moves, cursor: 0 }, Number.isInteger(ply) ? ply : moves.length);
}

/** The view, the line, and what is wrong with the address, if something is. */
export function readAddress() {
  const query = new URLSearchParams(location.search);
  const named = location.hash.slice(1);
  const hasLine = ["moves", "diagram"].some((name) => query.has(name));
  const view = VIEWS.includes(named) ? named : hasLine ? "analyse" : "play";
  try {
    return { view, line: lineOf(query), wrong: null };
  } catch (error) {
    return { view: "analyse", line: emptyLine(STANDARD), wrong: `The address is not right: ${error.message}.` };
  }
}

/** What an address says of a line. */
export function addressOf(line) {
  const query = new URLSearchParams();
  if (sizeText(line.size) !== "7x6") query.set("size", sizeText(line.size));
  if (line.base !== null) query.set("diagram", line.base);
  if (line.moves.length > 0) query.set("moves", movesText(line.moves));
  if (line.cursor < line.moves.length) query.set("ply", line.cursor);
  return query.toString().replaceAll("%2F", "/");
}
