"use strict";

// Settings, and that they are kept.

const assert = require("node:assert/strict");
const { change, goTo, start, text, until, untilStones, untilText } = require("../browser.js");

/** A theme, stones for all kinds of colour vision, less motion; another size. */
async function changesSettings(page, hands, { sizes }) {
  await change(page, hands, ["theme", "dark"], ["stones", "safe"], ["motion", "less"]);
  assert.deepEqual(await page.evaluate(() => ({ ...document.documentElement.dataset })), { theme: "dark", stones: "safe", motion: "less" });
  await goTo(page);
  await page.waitForSelector(".seats");
  assert.match(await text(page, ".seats"), /Blue/);
  await page.keyboard.press("n");
  await page.waitForSelector("dialog");
  assert.deepEqual(await page.$$eval("select[name=size] option:not([value=''])", (all) => all.map((one) => one.value).sort()), sizes.toSorted());
  await start(page, hands, "two", { size: "4x4" });
  await page.waitForSelector(".board[data-size='4x4']");
  for (const column of [1, 2]) await hands.column(page, column);
  await untilStones(page, 2);
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("#board .pattern")).display), "inline");
}

/** Stones fall behind the front, unless motion is reduced. */
async function movesAsWanted(page, hands) {
  const isBehind = await page.evaluate(() => {
    const [stones, front] = [".stones", ".front"].map((name) => document.querySelector(`#board ${name}`));
    return Boolean(stones.compareDocumentPosition(front) & Node.DOCUMENT_POSITION_FOLLOWING);
  });
  assert.ok(isBehind);
  await page.evaluate(() => {
    globalThis.fell = 0;
    const { animate } = Element.prototype;
    Element.prototype.animate = function count(...how) {
      globalThis.fell++;
      [globalThis.frames] = how;
      return animate.apply(this, how);
    };
  });
  await hands.column(page, 4);
  await untilStones(page, 2);
  assert.equal(await page.evaluate(() => globalThis.fell), 2);
  // Down, up once, and down.
  const heights = await page.evaluate(() => globalThis.frames.map(({ transform }) => Number(/, (-?[\d.]+)px\)$/.exec(transform)[1])));
  assert.equal(heights.length, 4);
  assert.ok(heights[0] < heights[2] && heights[2] < heights[1] && heights[1] === heights[3], `${heights}`);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await hands.column(page, 3);
  await untilStones(page, 4);
  assert.equal(await page.evaluate(() => globalThis.fell), 2);
  await page.emulateMedia({ reducedMotion: null });
}

async function listsItsKeys(page, hands) {
  await hands.press(page, "#open-settings");
  await page.waitForSelector("dialog");
  await hands.press(page, "#open-keys");
  await untilText(page, "dialog:last-of-type h2", /Keys/);
  assert.equal(await page.getAttribute("dialog:last-of-type", "aria-label"), "Keys");
  for (let open = 2; open > 0; open--) {
    assert.equal(await page.locator("dialog").count(), open);
    await page.keyboard.press("Escape");
    await until(page, (left) => document.querySelectorAll("dialog").length === left, open - 1);
  }
  await page.keyboard.press("?");
  await untilText(page, "dialog h2", /Keys/);
}

/** Letters and digits can be switched off; arrows still go through the moves. */
async function canDoWithoutLetterKeys(page, hands) {
  await change(page, hands, ["keys", "off"]);
  await page.keyboard.press("1");
  await page.keyboard.press("n");
  await hands.column(page, 4);
  await untilStones(page, 2);
  assert.match(await page.getAttribute("#board", "aria-label"), /\.{3}X|X\.{3}/);
  assert.equal(await page.locator("dialog").count(), 0);
  await page.keyboard.press("ArrowLeft");
  await untilStones(page, 1);
}

/** Large letters leave the board its room. */
async function growsWithTheLettersOfTheBrowser(page) {
  const widthOf = () => page.$eval(".board", (board) => board.getBoundingClientRect().width);
  const session = await page.context().newCDPSession(page);
  const before = await widthOf();
  await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
  await goTo(page);
  await page.waitForSelector("#status");
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), "28.16px");
  assert.ok(await widthOf() > 0.85 * before, `${before}, ${await widthOf()}`);
  await session.send("Page.setFontSizes", { fontSizes: { standard: 16, fixed: 13 } });
  await session.detach();
}

module.exports = [canDoWithoutLetterKeys, growsWithTheLettersOfTheBrowser, changesSettings, movesAsWanted, listsItsKeys];
