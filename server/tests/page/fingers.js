"use strict";

// The page on touch screens: layout and gestures.

const assert = require("node:assert/strict");
const { answered, open, until, untilStones, untilText } = require("./browser.js");

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: "reduce" };
const ACROSS = { ...PHONE, viewport: { width: 844, height: 390 } };
const GAME = "?moves=44535243#analyse";

async function withPage(browser, how, { address }, at, use) {
  const context = await browser.newContext(how);
  const page = await open(context, address, at);
  await use(page);
  assert.deepEqual(page.faults, []);
  await context.close();
}

const boxOf = (page, selector) => page.$eval(selector, (element) => element.getBoundingClientRect().toJSON());

/** A finger: where it goes down, moves to and is lifted. */
async function fingerOf(page) {
  const session = await page.context().newCDPSession(page);
  const send = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  return {
    down: (x, y) => send("touchStart", [{ x, y }]),
    move: (x, y) => send("touchMove", [{ x, y }]),
    up: () => send("touchEnd", []),
  };
}

const centreOf = async (page, column) => {
  const { x, y, width, height } = await boxOf(page, `.column:nth-child(${column})`);
  return [x + width / 2, y + height / 2];
};

/** Sliding aims, lifting drops, leaving the board gives up; one touch is one stone. */
async function slidesAndDrops(browser, hosting) {
  await withPage(browser, PHONE, hosting, "", async (page) => {
    const finger = await fingerOf(page);
    const aimsAt = (column) => until(page, (wanted) => {
      const ghost = document.querySelector("#board .ghost");
      return wanted === null ? !ghost : ghost?.style.transform.startsWith(`translate(${wanted * 100 - 50}px`);
    }, column);
    const [[x2, y2], [x6]] = [await centreOf(page, 2), await centreOf(page, 6)];
    await finger.down(x2, y2);
    await aimsAt(2);
    for (let x = x2; x <= x6; x += 10) await finger.move(x, y2);
    await aimsAt(6);
    assert.equal(await page.locator("#board .stone").count(), 0);
    // A touch beside the board drops no stone.
    await finger.move(x6, 5);
    await aimsAt(null);
    await finger.up();
    await finger.down(x2, y2);
    for (let x = x2; x <= x6; x += 10) await finger.move(x, y2);
    await finger.up();
    await untilStones(page, 2);
    await untilText(page, "#status", /Your turn/);
    assert.match(await page.getAttribute("#board", "aria-label"), /\.{5}X\.|X/);
    await page.tap(".column:nth-child(4)");
    await untilStones(page, 4);
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorX), "none");
    // From the side of the window, where a browser would go back.
    const isTaken = await page.evaluate(() => {
      const touch = new Touch({ identifier: 1, target: document.querySelector(".column"), clientX: 10, clientY: 200 });
      return !document.querySelector(".column").dispatchEvent(new TouchEvent("touchstart", { changedTouches: [touch], bubbles: true, cancelable: true }));
    });
    assert.ok(isTaken);
  });
}

/** A person's whole path: open, play, lose, learn, share. */
async function learnsAndSharesInTwelveTaps(browser, hosting) {
  const how = { ...PHONE, permissions: ["clipboard-read", "clipboard-write"] };
  await withPage(browser, how, hosting, "", async (page) => {
    let taps = 0;
    const tap = (selector) => {
      taps++;
      return page.tap(selector);
    };
    await tap(".bar button[aria-keyshortcuts=n]");
    // The right end of the slider is perfect play.
    await page.waitForSelector("#about-level");
    const { x, y, width, height } = await boxOf(page, "dialog input[name=level]");
    taps++;
    await page.touchscreen.tap(x + width - 4, y + height / 2);
    await untilText(page, "#about-level", /^Perfect:/);
    await tap("dialog button[value=computer]");
    await page.waitForSelector("dialog", { state: "detached" });
    // Against columns 1 and 2 in turn, every perfect game ends after 8 or 10 stones.
    for (let stones = 2; await page.isHidden("#learn-game"); stones += 2) {
      await tap(`.column:nth-child(${stones % 4 === 2 ? 1 : 2})`);
      await untilStones(page, stones);
    }
    await untilText(page, "#status", /^The computer wins\.$/);
    const [, instead] = /You could have played (\d)/.exec(await page.textContent(".hint-text")) ?? [];
    await tap("#learn-game");
    await untilText(page, "#coach-message", /Find a better move\.$/);
    if (instead) await tap(`.column:nth-child(${instead})`);
    else await tap("#coach-solution");
    await untilText(page, "#coach-message", /^Right\.|perfect play/);
    await tap("#share");
    await tap("#copy-link");
    await untilText(page, "#copy-link", /Copied/);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(link.startsWith(`${page.address}?moves=`), link);
    assert.ok(taps <= 12, `${taps} taps`);
  });
}

/** Elements that can be tapped and are smaller than a finger. */
const smallTargets = (page) => page.evaluate(() => [...document.querySelectorAll("button, a[href], select, textarea, input, summary")].filter((one) => {
  const target = one.closest("label:has(input)") ?? one;
  const { width, height } = target.getBoundingClientRect();
  return one.checkVisibility() && !one.closest(".column, .editor") && height > 0 && (width < 44 || height < 44);
}).map((one) => `${one.outerHTML.slice(0, 80)} ${JSON.stringify(one.getBoundingClientRect())}`));

const STATES = [
  ["", ".seats", async (page) => {
    await page.tap(".column:nth-child(4)");
    await untilStones(page, 2);
    await page.tap("button[aria-keyshortcuts=h]");
    await untilText(page, ".hint-text", /is best/);
  }],
  [GAME, "#review", async (page) => {
    await page.tap("#review");
    await page.waitForSelector(".graph:not([hidden])");
    await answered(page);
  }],
  ["#puzzles", "#puzzle-kind", (page) => untilText(page, "#puzzle-goal", /win in/)],
  ["?friend=3&moves=44#play", ".seats", async (page) => {
    await page.tap(".column:nth-child(4)");
    await page.waitForSelector("#copy-game");
  }],
  ["#analyse", "#edit", async (page) => {
    await page.tap("#edit");
    await page.waitForSelector("dialog .editor");
  }],
  ["", ".seats", async (page) => {
    await page.tap("#open-settings");
    await page.waitForSelector("dialog");
  }],
  ["", ".seats", async (page) => {
    await page.tap(".bar button[aria-keyshortcuts=n]");
    await page.waitForSelector("dialog");
  }],
];

async function hasTargetsForFingers(browser, hosting) {
  for (const how of [PHONE, ACROSS]) {
    for (const [at, ready, make] of STATES) {
      await withPage(browser, how, hosting, at, async (page) => {
        await page.waitForSelector(ready, { state: "attached" });
        if (how === PHONE || !at.includes("moves")) await make(page);
        assert.deepEqual(await smallTargets(page), [], `${at} at ${how.viewport.width}`);
      });
    }
  }
}

/** Upright: the board on top, the actions at the bottom of the screen, and the graph in sight. Across: moves without scrolling. */
async function standsWhereAThumbIs(browser, hosting) {
  for (const at of ["", GAME, "#puzzles", "?size=16x7#analyse", "?size=4x12#analyse"]) {
    await withPage(browser, PHONE, hosting, at, async (page) => {
      await page.waitForSelector(".bar");
      const board = await boxOf(page, ".board");
      const bar = await boxOf(page, ".bar");
      assert.ok(bar.bottom === 844 && bar.height < 70, `${at}: ${JSON.stringify(bar)}`);
      const above = board.top - (await boxOf(page, "header")).bottom;
      assert.ok(above < 20, `${at}: ${above} pixels above the board`);
      if (at !== GAME) return;
      await page.keyboard.press("r");
      await page.waitForSelector(".graph:not([hidden])");
      const graph = await boxOf(page, ".graph");
      assert.ok(graph.bottom <= bar.top, `the graph ends at ${graph.bottom}`);
    });
  }
  await withPage(browser, ACROSS, hosting, GAME, async (page) => {
    await page.waitForSelector(".stepper");
    await answered(page);
    for (const selector of [".stepper", "#review"]) {
      const box = await boxOf(page, selector);
      assert.ok(box.bottom <= 390 && box.height > 0, `${selector}: ${JSON.stringify(box)}`);
    }
  });
}

/** A hint, a warning and verdicts come and go, and no control moves. */
async function keepsControlsInPlace(browser, hosting) {
  for (const how of [PHONE, { viewport: { width: 1366, height: 650 }, reducedMotion: "reduce" }]) {
    await withPage(browser, how, hosting, "", async (page) => {
      await page.waitForSelector(".seats");
      await page.keyboard.press("4");
      await untilStones(page, 2);
      await untilText(page, "#status", /Your turn/);
      const places = () => page.$$eval(".stepper button, .quick button, .help button", (all) =>
        all.map((one) => [one.id, Math.round(one.getBoundingClientRect().top)]));
      const before = await places();
      await page.keyboard.press("h");
      await untilText(page, ".hint-text", /is best/);
      assert.deepEqual(await places(), before, "with a hint");
      await page.keyboard.press("v");
      await answered(page);
      assert.deepEqual(await places(), before, "with verdicts");
    });
  }
}

async function growsOnLargeScreens(browser, hosting) {
  const sizes = [];
  for (const viewport of [{ width: 1366, height: 650 }, { width: 2560, height: 1440 }]) {
    await withPage(browser, { viewport, reducedMotion: "reduce" }, hosting, "?moves=444444555555222222666666111111#analyse", async (page) => {
      await page.waitForSelector("#review");
      await answered(page);
      await page.keyboard.press("r");
      await page.waitForSelector(".graph:not([hidden])");
      const rem = await page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize));
      const heights = [];
      for (const selector of [".graph"]) heights.push((await boxOf(page, selector)).height / rem);
      sizes.push(heights);
    });
  }
  sizes[0].forEach((small, index) => assert.ok(sizes[1][index] > small * 1.15, `in lines of text: ${sizes.join(" and ")}`));
}

module.exports = { growsOnLargeScreens, hasTargetsForFingers, keepsControlsInPlace, learnsAndSharesInTwelveTaps, slidesAndDrops, standsWhereAThumbIs };
