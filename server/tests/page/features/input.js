"use strict";

// Positions as people enter them: written by hand, copied, linked, or placed by clicking.

const assert = require("node:assert/strict");
const { goFrom, goTo, setUp, text, until, untilStones, untilText } = require("../browser.js");

async function toAnalysis(page, hands) {
  await hands.press(page, "nav a[data-view=analyse]");
  await page.waitForSelector("#verdict");
}

const movesOf = (page) => page.evaluate(() => new URLSearchParams(location.search).get("moves") ?? "");

async function readsMovesAsPeopleWriteThem(page, hands) {
  await toAnalysis(page, hands);
  const own = `${page.address}?moves=4453&ply=4#analyse`;
  for (const same of [
    " 4453\n", "4,4,5,3", "1. 44\n2. 53", "D, D, E, C", "d1 d2 e1 c1", "[4, 4, 5, 3]", "x3 o3 x4 o2", "Red: d1, Yellow: d2, Red: e1, Yellow: c1",
    "https://connect4.gamesolver.org/?pos=4453", own, "?moves=4453#analyse",
  ]) {
    await goFrom(page, hands, same);
    await untilStones(page, 4);
    assert.equal(await movesOf(page), "4453", same);
    await page.goBack();
    await untilStones(page, 0);
  }
  // The page's own list, copied.
  await goFrom(page, hands, "4453");
  await untilStones(page, 4);
  const copied = await page.evaluate(() => {
    getSelection().selectAllChildren(document.querySelector("ol.moves"));
    return getSelection().toString();
  });
  assert.match(copied, /^1\.\s+4\s+4\s+2\.\s+5\s+3\s*$/);
  await page.goBack();
  await untilStones(page, 0);
  await goFrom(page, hands, copied);
  await untilStones(page, 4);
  assert.equal(await movesOf(page), "4453");
  // An address may have the same notations.
  await goTo(page, "?moves=4,4,5,3");
  await untilStones(page, 4);
  assert.equal(await movesOf(page), "4453");
  assert.ok(await page.isHidden("#wrong"));
}

async function saysWhatItUnderstood(page, hands) {
  await toAnalysis(page, hands);
  for (const [wrong, says] of [
    ["4, 4, 8, 1", /Move 3 \('8'\) is not a column; expected a column from 1 to 7; understood before it: 44\./],
    ["12121212", /Move 8 \('2'\) comes after the end of the game.*/],
    ["https://example.org/?game=1", /The link names no position; expected moves=, diagram=, key= or pos= in it/],
    ["?size=3x3&moves=1", /The size of the link: .*expected WIDTHxHEIGHT/],
    ["4453 -5 -5 -2 -3 -4 -2 -2", /has the score -5 in it/],
  ]) {
    await setUp(page, hands, wrong);
    await untilText(page, "#error", says);
  }
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await goTo(page, "?moves=4459");
  await untilText(page, "#wrong", /address is not right: move 4 \('9'\) is not a column.* The board shows the moves before it: 445\./);
  await untilStones(page, 3);
  assert.ok(await page.isVisible("#wrong"));
  await page.setViewportSize(wide);
  await goTo(page, "?size=4x4&diagram=X.../..../..../....");
  await untilText(page, "#wrong", /expected a diagram of 4 rows of 4 letters X, O and '\.', and no '\.' below a stone/);
}

/** A size shows in the picker, whether it was offered or not; an invalid size is an error. */
async function showsTheSizeAskedFor(page) {
  await goTo(page, "?size=9x4");
  await page.waitForSelector(".board[data-size='9x4']");
  await page.waitForSelector("#verdict");
  await page.click("#edit");
  assert.equal(await page.inputValue("dialog select[name=size]"), "9x4");
  for (const wrong of ["3x3", "seven", "17x4"]) {
    await goTo(page, `?size=${wrong}`);
    await untilText(page, "#wrong", new RegExp(`size is '${wrong}'; expected 4 to 16 columns`));
  }
  page.faults = page.faults.filter((fault) => !/status of 4/.test(fault));
}

/** Stones can be placed in any order, but only a valid position can be used. */
async function placesStones(page, hands) {
  await toAnalysis(page, hands);
  await hands.press(page, "#edit");
  await page.waitForSelector("dialog .editor");
  for (const [size, cells] of [["4x4", 16], ["7x6", 42]]) {
    await hands.choose(page, "dialog select[name=size]", size);
    await until(page, (count) => document.querySelectorAll(".editor button").length === count, cells);
  }
  await hands.press(page, "dialog [data-cell='3 5']");
  await untilText(page, ".says", /Yellow has 1 stone, Red has 0 stones\. Red is to move\./);
  await hands.press(page, "dialog [data-cell='4 0']");
  await untilText(page, ".says", /has 1 stone, Red has 1 stone/);
  // Another click changes the colour, and one more takes the stone away.
  await hands.press(page, "dialog [data-cell='4 0']");
  await untilText(page, ".says", /needs as many/);
  assert.equal(await page.getAttribute("#edit-done", "aria-disabled"), "true");
  // A text stands in for the board, and the board for a text.
  await hands.write(page, "#input", "44");
  assert.equal(await page.getAttribute("#edit-done", "aria-disabled"), "false");
  await hands.press(page, "dialog [data-cell='4 0']");
  await untilText(page, ".says", /has 1 stone, Red has 0/);
  assert.equal(await page.inputValue("#input"), "");
  await hands.press(page, "dialog [data-cell='4 4']");
  await untilText(page, ".says", /Yellow has 1 stone, Red has 1 stone\./);
  await hands.press(page, "#edit-done");
  await page.waitForSelector("dialog", { state: "detached" });
  await untilStones(page, 2);
  assert.match(await page.evaluate(() => location.search), /diagram=.*\.\.\.XO\.\.$/);
}

module.exports = [readsMovesAsPeopleWriteThem, saysWhatItUnderstood, showsTheSizeAskedFor, placesStones];
