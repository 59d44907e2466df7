"use strict";

// Openings: the trainer, and their names.

const assert = require("node:assert/strict");
const { answered, goTo, text, until, untilStones, untilText } = require("../browser.js");

const untilAsked = (page) => untilText(page, "#puzzle-message", /^Which move is it\?$/);

/** One move alone keeps the win or the draw; what went wrong comes again after three others. */
async function trainsOpenings(page, hands) {
  await hands.press(page, "nav a[data-view=puzzles]");
  await page.waitForSelector("#puzzle-kind");
  await hands.press(page, ".choice [data-value=opening]");
  await untilAsked(page);
  assert.equal(await text(page, "#puzzle-goal"), "Yellow to move: one move alone keeps the win");
  await untilText(page, "#live", /^Yellow to move: one move alone keeps the win\. $/);
  await untilStones(page, 0);
  await hands.column(page, 1);
  await untilText(page, "#puzzle-message", /^Column 1 loses in 20\. Try again\.$/);
  await hands.column(page, 4);
  await untilText(page, "#puzzle-message", /^Right\. Column 4 is the only move that keeps the win\.$/);
  await untilStones(page, 1);
  for (let other = 0; other < 3; other++) {
    await hands.press(page, "#next-puzzle");
    await untilAsked(page);
    assert.ok(await page.locator("#board .stone").count() > 0);
    await hands.press(page, "#show-solution");
    await untilText(page, "#puzzle-message", /^Column \d is the only move that keeps the (win|draw)\.$/);
  }
  await hands.press(page, "#next-puzzle");
  await untilAsked(page);
  await untilStones(page, 0);
  await hands.column(page, 4);
  await untilText(page, "#puzzle-message", /^Right\./);
  assert.match(await text(page, ".progress"), /Openings1 of 5 at once, 4 to repeat/);
  // The trainer goes on after a reload, and its lessons open in the analysis.
  await goTo(page, "#puzzles");
  await untilAsked(page);
  assert.match(await text(page, ".progress"), /Openings1 of 5 at once, 4 to repeat/);
  assert.match(await text(page, "#puzzle-kind"), /^Opening trainer/);
  await hands.press(page, "#show-solution");
  await untilText(page, "#puzzle-message", /is the only move/);
  const stones = await page.locator("#board .stone").count();
  await hands.press(page, "#analyse-puzzle");
  await page.waitForSelector("#verdict");
  await untilStones(page, stones);
  // A puzzle is a puzzle again.
  await hands.press(page, "nav a[data-view=puzzles]");
  await hands.press(page, ".choice [data-value=daily]");
  await untilText(page, "#puzzle-goal", /win in/);
}

/** The usual first moves have names, in either direction, and other boards have none. */
async function namesOpenings(page) {
  for (const [moves, name] of [["4", "Centre opening"], ["44", "Centre tower"], ["5", "Side opening"], ["45", "Centre, near reply"], ["431", "Centre, near reply"], ["444442", "Tower, wide reply"]]) {
    await goTo(page, `?moves=${moves}#analyse`);
    await until(page, (wanted) => document.querySelector("#opening")?.textContent === wanted, name);
  }
  await goTo(page, "?size=4x4&moves=2#analyse");
  await answered(page);
  assert.ok(await page.isHidden("#opening"));
}

module.exports = [trainsOpenings, namesOpenings];
