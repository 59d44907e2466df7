"use strict";

// Analysing: verdicts, notations, reviews, sharing.

const assert = require("node:assert/strict");
const { answered, change, goFrom, goTo, labels, open, setUp, text, until, untilStones, untilText } = require("../browser.js");

const DIAGRAM = "......./......./......./......./...O.../..OXX..";
/** Read from the page itself, since `page.url()` changes later. */
const address = (page) => page.evaluate(() => location.href);
const moves = async (page) => new URL(await address(page)).searchParams.get("moves") ?? "";

async function toAnalysis(page, hands) {
  await hands.press(page, "nav a[data-view=analyse]");
  await page.waitForSelector("#verdict");
}

async function explores(page, hands) {
  await toAnalysis(page, hands);
  await answered(page);
  assert.deepEqual(await labels(page), [
    "Column 1: loses in 20", "Column 2: loses in 21", "Column 3: draws", "Column 4: wins in 21, best",
    "Column 5: draws", "Column 6: loses in 21", "Column 7: loses in 20",
  ]);
  assert.equal(await text(page, "#verdict"), "Yellow to move. Yellow wins in 21.");
  await untilText(page, ".best-line", /^Best4{4}…$/);
  await hands.press(page, ".best-line > button");
  await until(page, () => document.querySelectorAll(".line-moves li").length === 41);
  // The bar beside the board: a little more than half of it for a late win of the first side.
  assert.match(await page.$eval(".balance", (bar) => bar.style.getPropertyValue("--share")), /^69\./);
  assert.equal(await page.getAttribute(".balance", "data-count"), "21");
  await hands.column(page, 4);
  await untilStones(page, 1);
  await hands.column(page, 4);
  await untilStones(page, 2);
  assert.equal(await moves(page), "44");
  for (const [key, stones] of [["ArrowLeft", 1], ["Home", 0], ["ArrowRight", 1], ["End", 2]]) {
    await page.keyboard.press(key);
    await untilStones(page, stones);
  }
  await page.keyboard.press("m");
  await hands.press(page, ".stepper button:nth-child(1)");
  await untilStones(page, 1);
  assert.match(await address(page), /moves=44&ply=1#analyse$/);
}

/** Every notation, and the errors of wrong texts. */
async function readsEveryNotation(page, hands) {
  await toAnalysis(page, hands);
  for (const same of [DIAGRAM, "[270532608, 4210688, 4]", "rows:0x18:0x804", "key:4433222074497", "4 4 5 3"]) {
    await goFrom(page, hands, same);
    await untilStones(page, 4);
    await answered(page);
    assert.equal(await text(page, "#verdict"), "Yellow to move. Red wins in 18.", same);
    await page.goBack();
    await untilStones(page, 0);
  }
  // As `fourbook show` draws a board: the small letters are empty cells.
  await goFrom(page, hands, `. . . . . . .
. . . X . . .
. . . O . . .
X . o X . . .
X O o O O . .
O X . X O . .
1 2 3 4 5 6 7`);
  await untilStones(page, 12);
  await page.keyboard.press("t");
  await until(page, () => document.querySelectorAll("#board .threat.stacked").length === 2);
  assert.match(await text(page, "#threat-text"), /Yellow threatens nothing yet. Red threatens column 3, row 2 \(stacked\) and/);
  assert.ok(await page.isVisible("#threat-text"));
  for (const [wrong, says] of [
    ["4444444", /Move 7 \('4'\) goes to a full column/],
    ["......./......./......./......./..xO.../..OXX..", /'x' in row 2 .* marks an empty cell as a threat/],
    ["48", /Move 2 \('8'\) is not a column; expected a column from 1 to 7/],
    ["[1, 1, 2]", /Both players have a stone/],
    ["what", /expected moves like 4453/],
  ]) {
    await setUp(page, hands, wrong);
    await untilText(page, "#error", says);
    assert.ok(await page.isVisible("#error"));
  }
  // Another board, and back.
  await hands.choose(page, "dialog select[name=size]", "4x4");
  await hands.press(page, "#edit-done");
  await page.waitForSelector(".board[data-size='4x4']");
  await page.goBack();
  await page.waitForSelector(".board[data-size='7x6']");
}

/** Everything about a game, without the earlier moves. */
async function goesOnFromADiagram(page, hands) {
  await toAnalysis(page, hands);
  await goFrom(page, hands, DIAGRAM);
  await untilStones(page, 4);
  await answered(page);
  for (const column of [3, 1]) await hands.column(page, column);
  await untilStones(page, 6);
  await hands.press(page, "#review");
  await page.waitForSelector(".graph:not([hidden])");
  await untilText(page, ".remark", /^Red's column 1 (loses|wins|draws).* The best move wins in \d+\.$/);
  await hands.press(page, "#perfect");
  await page.waitForSelector("#back-to-game:not([hidden])");
  await page.keyboard.press("End");
  await untilText(page, "#verdict", /Red has won/);
  // A link opens the same line.
  const again = await open(page.context(), page.address, (await address(page)).slice(page.address.length));
  await untilText(again, "#verdict", /Red has won/);
  await again.close();
}

async function reviews(page, hands) {
  await toAnalysis(page, hands);
  await goFrom(page, hands, "4433512");
  await untilStones(page, 7);
  await hands.press(page, "#review");
  await page.waitForSelector(".graph:not([hidden])");
  const marks = await page.$$eval(".moves button", (all) => all.map((one) => one.getAttribute("aria-label")));
  assert.equal(marks[3], "Move 4: column 3, a blunder");
  assert.equal(await page.locator(".dotted.blunder").count(), marks.filter((label) => label.endsWith("a blunder")).length);
  await hands.press(page, ".moves li:nth-child(2) button:nth-of-type(2)");
  await untilStones(page, 4);
  assert.match(await text(page, ".remark"), /^Red's column 3 loses in 2\. That is a blunder\. The best move (draws|wins in \d+|loses in \d+)\.$/);
  // Shows perfect play, and goes back.
  await hands.press(page, "#perfect");
  await page.waitForSelector("#back-to-game:not([hidden])");
  assert.ok((await moves(page)).startsWith("443"));
  await hands.press(page, "#back-to-game");
  assert.equal(await moves(page), "4433512");
  // The graph goes through the game, too.
  await hands.slideTo(page, ".graph input", 0);
  await untilStones(page, 0);
  assert.match(await page.getAttribute(".graph input", "aria-valuetext"), /After 0 moves: Yellow wins in 21/);
  await hands.slideTo(page, ".graph input", 1);
  await untilStones(page, 7);
}

/** The best line is under the board, and its moves can be made. */
async function followsTheBestLine(page, hands) {
  await goTo(page, "?moves=44#analyse");
  await answered(page);
  await untilText(page, ".best-line", /^Best4/);
  await hands.press(page, ".line-moves li:nth-child(3) button");
  await untilStones(page, 5);
  assert.ok((await moves(page)).startsWith("4444"));
  await untilText(page, "#verdict", /^Red to move\. Yellow wins in 18\.$/);
  // The rest of the line is that of the next position, and forward goes through it.
  await page.keyboard.press("ArrowRight");
  await untilStones(page, 6);
  await page.keyboard.press("End");
  await untilText(page, "#verdict", /Yellow has won/);
}

async function shares(page, hands) {
  await goTo(page, "?moves=445352433#analyse");
  await untilStones(page, 9);
  await page.waitForSelector("#verdict");
  await answered(page);
  await hands.press(page, "#share");
  await page.waitForSelector("dialog canvas");
  await hands.press(page, "#copy-link");
  await untilText(page, "#copy-link", /Copied/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.startsWith(page.address), link);
  const again = await open(page.context(), page.address, link.slice(page.address.length));
  await untilStones(again, 9);
  await again.close();
  const colours = await page.$eval("dialog canvas", (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(colours > 5, `a picture of ${colours} colours`);
  const download = page.waitForEvent("download");
  await hands.press(page, "#save-picture");
  assert.equal((await download).suggestedFilename(), "fourbook-7x6-445352433.png");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await goTo(page, "?moves=49");
  await untilText(page, "#wrong", /address is not right: move 2/);
}

async function endsAGame(page, hands) {
  await toAnalysis(page, hands);
  await goFrom(page, hands, "1212121");
  await untilText(page, "#verdict", /Yellow has won/);
  assert.equal(await page.locator("#board .stone.latest").count(), 1);
  assert.equal(await page.locator("#stage circle.won").count(), 4);
  assert.equal(await page.locator('.column[aria-disabled="false"]').count(), 0);
  // Nothing is threatened any more.
  await change(page, hands, ["threats", "true"]);
  assert.ok(await page.isHidden("#threat-text"));
}

async function tellsScreenReaders(page, hands) {
  await goTo(page, "?moves=444#analyse");
  await answered(page);
  await hands.column(page, 4);
  await untilText(page, "#live", /^Red plays column 4\. .*wins in \d+\. $/);
  assert.match(await page.getAttribute("#board", "aria-label"), /^4 stones on 7x6\. Rows from the top, X Yellow, O Red: .*\.\.\.O\.\.\. \.\.\.X\.\.\. \.\.\.O\.\.\. \.\.\.X\.\.\.$/);
}

/** Verdicts come one by one, and none disappears in between. */
async function showsPartsAsTheyCome(page, hands) {
  await goTo(page, "?moves=44444#analyse");
  await answered(page);
  await page.evaluate(() => {
    globalThis.seen = [];
    const known = () => document.querySelectorAll(".chip.win, .chip.draw, .chip.loss").length;
    new MutationObserver(() => globalThis.seen.push([document.querySelectorAll("#board .stone").length, known()]))
      .observe(document.querySelector("#stage"), { subtree: true, childList: true, attributes: true });
  });
  // Outside the book, where moves have to be solved.
  await goFrom(page, hands, "4444412353671");
  await untilStones(page, 13);
  await answered(page);
  await until(page, () => document.querySelectorAll(".chip.win, .chip.draw, .chip.loss").length === 7);
  const counts = (await page.evaluate(() => globalThis.seen)).filter(([stones]) => stones === 13).map(([, known]) => known);
  const first = counts.indexOf(Math.min(...counts));
  counts.slice(first).reduce((before, now) => {
    assert.ok(now >= before, `verdicts were there and gone: ${counts}`);
    return now;
  });
}

module.exports = [explores, readsEveryNotation, goesOnFromADiagram, reviews, followsTheBestLine, shares, endsAGame, tellsScreenReaders, showsPartsAsTheyCome];
