"use strict";

// Settings, and that they are kept.

const assert = require("node:assert/strict");
const { goTo, start, text, until, untilStones, untilText } = require("../browser.js");

/** A theme, stones for all kinds of colour vision, less motion; another size. */
async function changesSettings(page, hands, { sizes }) {
  await hands.press(page, "#open-settings");
  await page.waitForSelector("dialog");
  assert.deepEqual(await page.$$eval("dialog .choice", (all) => all.map((one) => one.querySelectorAll("[aria-pressed=true]").length)), [1, 1, 1, 1, 1]);
  for (const value of ["dark", "safe", "less"]) await hands.press(page, `dialog [data-value=${value}]`);
  await page.keyboard.press("Escape");
  assert.deepEqual(await page.evaluate(() => ({ ...document.documentElement.dataset })), { theme: "dark", stones: "safe", motion: "less" });
  await goTo(page);
  await page.waitForSelector(".seats");
  assert.match(await text(page, ".seats"), /Blue/);
  await page.keyboard.press("n");
  await page.waitForSelector("dialog");
  assert.deepEqual(await page.$$eval("input[name=size]", (all) => all.map((one) => one.value)), sizes);
  await start(page, hands, "two", { size: "4x4" });
  await page.waitForSelector(".board[data-size='4x4']");
  for (const column of [1, 2]) await hands.column(page, column);
  await untilStones(page, 2);
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("#board .pattern")).display), "inline");
  await hands.check(page, "#always");
  await until(page, () => /: draws/.test(document.querySelector(".column").getAttribute("aria-label")));
  await untilText(page, "#live", /draw/);
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

module.exports = [changesSettings, movesAsWanted, listsItsKeys];
