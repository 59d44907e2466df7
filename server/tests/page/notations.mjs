// Reads the positions of the file of cases as the page does; run by scripts/test-page.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
// Node.js takes the page's scripts as modules where a package says so.
const folder = mkdtempSync(join(tmpdir(), "fourbook-page-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
cpSync(join(ROOT, "server/page/script"), folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{"type": "module"}');
const { readLine } = await import(pathToFileURL(join(folder, "notation.js")));
const { boardAt, diagramOf, emptyBoard, parseMoves, parseSize, play, sizeText } = await import(pathToFileURL(join(folder, "rules.js")));

/** The diagram of a text, or `!` and the error. */
function read(size, text) {
  try {
    const line = readLine(text, size, []);
    if (sizeText(line.size) === sizeText(size)) return diagramOf(boardAt(line));
    return `!expected a position of a ${sizeText(size)} board, found a link to one of ${sizeText(line.size)}`;
  } catch (error) {
    return `!${error.message}`;
  }
}

let number = 0;
for (const line of readFileSync(join(ROOT, "tests/data/notations.tsv"), "utf8").split("\n")) {
  if (line === "# The page reads none of what follows") break;
  if (line === "" || line.startsWith("#")) continue;
  const [, board, expected, written] = /^(.*?)\t(.*?)\t(.*)$/.exec(line);
  const size = parseSize(board);
  const text = written.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
  const found = read(size, text);
  if (expected.startsWith("!")) {
    assert.ok(found.startsWith("!") && found.includes(expected.slice(1)), `${board} ${line}: ${found}`);
  } else {
    const moves = parseMoves(emptyBoard(size), expected === "-" ? "" : expected);
    assert.equal(found, diagramOf(moves.reduce(play, emptyBoard(size))), `${board} ${line}`);
  }
  number += 1;
}
console.log(`${number} texts are read as the file of cases says`);
