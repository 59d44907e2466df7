"use strict";

// Playing: against the computer, two people at one board, from a position; and past games.

const assert = require("node:assert/strict");
const { HANDS, answered, goTo, labels, newGame, start, text, until, untilStones, untilText } = require("../browser.js");

const HINT = "button[aria-keyshortcuts=h]";
const BACK = ".actions button[aria-keyshortcuts=u]";
const KNOWS = /: (wins|draws|loses)/;
const untilVerdicts = (page) => until(page, () => /: (wins|draws|loses)/.test(document.querySelector(".column").getAttribute("aria-label")));

async function playsAgainstTheComputer(page, hands) {
  // The ghost: the colour of the stone, and the cell it would fall to.
  await hands.look(page, ".column:nth-child(2)");
  await page.waitForSelector("#board .ghost.first");
  await hands.column(page, 4);
  // The computer answers.
  await untilStones(page, 2);
  await untilText(page, "#status", /Your turn/);
  assert.equal(await page.locator("#board .stone.latest").count(), 1);
  await hands.press(page, "button[aria-keyshortcuts=h]");
  await untilText(page, ".hint-text", /is best/);
  assert.ok(await page.locator("#board .hint").count() > 0);
  // It is for this position alone.
  await page.keyboard.press("ArrowLeft");
  await untilStones(page, 1);
  await untilText(page, ".hint-text", /^$/);
  assert.equal(await page.locator("#board .hint").count(), 0);
  assert.equal(await page.getAttribute("button[aria-keyshortcuts=h]", "aria-disabled"), "true");
  await page.keyboard.press("ArrowRight");
  await untilStones(page, 2);
  await hands.press(page, ".actions button[aria-keyshortcuts=u]");
  await untilStones(page, 0);
  await page.keyboard.press("4");
  await untilStones(page, 2);
  await untilText(page, "#status", /Your turn/);
  // At another level, as the other side: the computer begins.
  await newGame(page, hands, "perfect", { begins: "other" }, 1);
  assert.match(await text(page, ".seats"), /Computer, perfect · Yellow/);
  await untilText(page, "#status", /Your turn/);
  await untilText(page, "#live", /Yellow plays column 4\. $/);
}

/** Two people and three games; neither a new game nor leaving the page loses one. */
async function keepsEveryGame(page, hands) {
  await hands.column(page, 4);
  await untilStones(page, 2);
  await newGame(page, hands, "two");
  await untilText(page, "#live", /^Two people play\. Player 1, Yellow, begins\. $/);
  // Nothing helps one of two people.
  assert.ok(await page.isHidden(HINT) && await page.isHidden(".help"));
  await page.reload();
  await page.waitForSelector("#past-games:not([hidden])");
  for (const column of [1, 2, 1, 2, 1, 2]) await hands.column(page, column);
  await untilStones(page, 6);
  await page.keyboard.press("1");
  await untilText(page, "#status", /^Yellow wins\.$/);
  assert.equal(await page.locator("#stage circle.won").count(), 4);
  await hands.press(page, "#next-game");
  await untilStones(page, 0);
  assert.match(await text(page, ".seats"), /Player 1 · Red.*Player 2 · Yellow/);
  // Half of a game, another one, and back to it.
  await page.keyboard.press("7");
  await untilStones(page, 1);
  await newGame(page, hands, "casual");
  await hands.press(page, "#past-games");
  await page.waitForSelector("dialog .games");
  assert.equal(await page.locator(".games li").count(), 3);
  await hands.press(page, ".games li:first-child button:not(.plain)");
  await untilStones(page, 1);
  assert.match(await text(page, ".seats"), /Player 1 · Red/);
  // A past game opens in the analysis.
  await hands.press(page, "#past-games");
  await page.waitForSelector("dialog .games");
  await hands.press(page, ".games li:last-child .plain");
  await page.waitForSelector("#verdict");
  await untilStones(page, 2);
}

/** A new game begins with one tap, as the last one. */
async function startsAgainWithOneTap(page, hands) {
  await newGame(page, hands, "novice");
  await untilText(page, ".seats", /Computer, novice/);
  for (const opponent of ["computer", "two"]) {
    await page.keyboard.press("n");
    await page.waitForSelector("dialog");
    assert.match(await text(page, "#about-level"), /^Novice: Blocks a three/);
    assert.equal(await page.getAttribute("dialog input[name=level]", "aria-valuetext"), "Novice");
    if (opponent === "two") await hands.press(page, "dialog button[value=two]");
    else await page.keyboard.press("Enter");
    await page.waitForSelector("dialog", { state: "detached" });
    await untilText(page, ".seats", opponent === "two" ? /Player 2/ : /Computer, novice/);
  }
  await page.keyboard.press("n");
  await page.waitForSelector("dialog");
  assert.equal(await page.evaluate(() => document.activeElement.value), "two");
  await page.keyboard.press("Escape");
}

/** Begins a game at a position, against the computer. */
async function playsFrom(page, hands, moves, begins = "me") {
  await goTo(page, `?moves=${moves}#analyse`);
  await page.waitForSelector("#verdict");
  await hands.press(page, "#play-here");
  await start(page, hands, "perfect", { begins });
}

async function warnsBeforeAMistake(page, hands) {
  // Two of Red in the bottom row, which become three, open at both ends.
  await playsFrom(page, hands, "1425");
  await untilStones(page, 4);
  // The answer is known before, since a move waits for its warning for three seconds only.
  await hands.press(page, ".help [data-value=scores]");
  await untilVerdicts(page);
  await hands.press(page, ".help [data-value=warnings]");
  await hands.column(page, 1);
  await untilText(page, ".note", /Column 1 loses in \d\./);
  await untilStones(page, 4);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Choose another");
  await page.keyboard.press("Enter");
  assert.ok(await page.isHidden(".note"));
  await hands.column(page, 1);
  await untilText(page, ".note", /Column 1 loses in \d\./);
  await hands.press(page, "#play-anyway");
  await untilStones(page, 6);
}

/** A loss that nobody could see, from the empty board, is no reason to warn. */
async function warnsOnlyOfWhatAPersonCouldSee(page, hands) {
  await newGame(page, hands, "casual");
  await hands.press(page, ".help [data-value=scores]");
  await untilVerdicts(page);
  assert.equal((await labels(page))[0], "Column 1: loses in 20");
  await hands.press(page, ".help [data-value=warnings]");
  await hands.column(page, 1);
  await untilStones(page, 2);
}

/** The choice of help is remembered. */
async function showsVerdictsWhenAsked(page, hands) {
  const knowsNone = async () => assert.ok((await labels(page)).every((label) => !KNOWS.test(label)));
  await knowsNone();
  await hands.press(page, ".help [data-value=scores]");
  await untilVerdicts(page);
  await page.keyboard.press("2");
  await untilStones(page, 2);
  await untilVerdicts(page);
  await goTo(page);
  await untilVerdicts(page);
  await page.keyboard.press("v");
  await until(page, () => document.querySelector(".help [data-value=alone]").ariaPressed === "true");
  await knowsNone();
}

/** A position from a diagram has no moves. */
async function playsFromAPosition(page, hands) {
  // Two stones more can't make four of either colour, so no game ends early.
  await goTo(page, "?diagram=......./......./......./......./......./OX...XO#analyse");
  await untilStones(page, 4);
  await page.waitForSelector("#verdict");
  await hands.press(page, "#play-here");
  await start(page, hands, "casual", { begins: "other" });
  // The computer is next, as the first player.
  await untilStones(page, 5);
  await untilText(page, "#status", /Your turn/);
  assert.match(await text(page, ".seats"), /You · Red.*Computer, casual · Yellow/);
  await hands.column(page, 1);
  await untilStones(page, 7);
  await hands.press(page, BACK);
  await untilStones(page, 5);
  await goTo(page);
  await untilStones(page, 5);
  await untilText(page, "#status", /Your turn/);
}

/** A lost game says why, and is played from its position again. */
async function saysWhyAGameWasLost(page, hands) {
  // Red has three in a column.
  await playsFrom(page, hands, "141424");
  await untilStones(page, 6);
  await hands.column(page, 7);
  await untilText(page, "#status", /^The computer wins\.$/);
  await untilText(page, ".hint-text", /^Four in a column\. You could have played 4\.$/);
  assert.equal(await text(page, "#next-game"), "Once more from there");
  await hands.press(page, "#next-game");
  await untilStones(page, 6);
  // Three in the bottom row, open at both ends: nothing would have helped.
  await playsFrom(page, hands, "1425161", "other");
  await untilText(page, ".hint-text", /^Four in the bottom row\.$/);
}

/** A stone is never drawn where nobody points. */
async function showsOneGhost(page, hands) {
  await hands.press(page, "nav a[data-view=analyse]");
  await page.waitForSelector("#verdict");
  await hands.look(page, ".column:nth-child(4)");
  await page.waitForSelector("#board .ghost.first");
  assert.equal(await page.locator("#board .ghost, #board .ahead").count(), 1);
  await hands.column(page, 4);
  await untilStones(page, 1);
  // A pointer that rests there shows nothing, a focus the next stone.
  assert.equal(await page.locator("#board .ghost, #board .ahead").count(), hands === HANDS.pointer ? 0 : 1);
  await answered(page);
  await hands.look(page, ".line-moves li:nth-child(3) button");
  await until(page, () => document.querySelectorAll("#board .ahead").length === 3);
  await hands.lookAway(page);
  await until(page, () => document.querySelectorAll("#board .ahead").length === 0);
}

/** A column is where it is drawn, also in a page that reads from right to left. */
async function playsTheColumnThatIsTapped(page) {
  await newGame(page, HANDS.pointer, "two");
  await page.evaluate(() => { document.documentElement.dir = "rtl"; });
  const { x, y, width } = await page.locator("#board").boundingBox();
  await page.mouse.click(x + width / 14, y + 200);
  await untilStones(page, 1);
  assert.match(await page.getAttribute("#board", "aria-label"), / X\.{6}$/);
  await page.evaluate(() => document.documentElement.removeAttribute("dir"));
}

module.exports = [
  playsAgainstTheComputer, keepsEveryGame, startsAgainWithOneTap, warnsBeforeAMistake, warnsOnlyOfWhatAPersonCouldSee, showsVerdictsWhenAsked,
  playsFromAPosition, saysWhyAGameWasLost, showsOneGhost, playsTheColumnThatIsTapped,
];
