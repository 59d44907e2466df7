"use strict";

// Optional sounds, a celebration, pictures with marks, previews of links.

const assert = require("node:assert/strict");
const { answered, goTo, newGame, until, untilStones, untilText } = require("../browser.js");

/** Counts tones instead of playing them. */
const listen = (page) => page.evaluate(() => {
  globalThis.tones = 0;
  globalThis.AudioContext = class extends globalThis.AudioContext {
    createOscillator() {
      globalThis.tones++;
      return super.createOscillator();
    }
  };
});

/** Two people, of whom the first wins in the first column. */
async function playAGame(page, hands) {
  await newGame(page, hands, "two");
  for (const [index, column] of [1, 2, 1, 2, 1, 2, 1].entries()) {
    await page.keyboard.press(String(column));
    await untilStones(page, index + 1);
  }
  await untilText(page, "#status", /wins/);
}

/** No sounds by default; once switched on, for stones and the end of a game. */
async function makesSounds(page, hands) {
  await listen(page);
  await playAGame(page, hands);
  assert.equal(await page.evaluate(() => globalThis.tones), 0);
  await hands.press(page, "#open-settings");
  await hands.choose(page, "dialog select[name=sounds]", "on");
  await page.keyboard.press("Escape");
  await playAGame(page, hands);
  // A tone for each of seven stones, three for the end.
  await until(page, () => globalThis.tones === 10);
}

/** Unless motion is reduced, a celebration falls for a moment. */
async function celebrates(page, hands) {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.evaluate(() => new MutationObserver(([{ addedNodes }]) => {
    for (const node of addedNodes) if (node.className === "celebration") globalThis.celebrated = (globalThis.celebrated ?? 0) + 1;
  }).observe(document.querySelector("#stage"), { childList: true }));
  await playAGame(page, hands);
  await until(page, () => globalThis.celebrated === 1);
  await page.waitForSelector(".celebration", { state: "detached" });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(() => { globalThis.celebrated = 0; });
  await playAGame(page, hands);
  assert.equal(await page.evaluate(() => globalThis.celebrated), 0);
  await page.emulateMedia({ reducedMotion: null });
}

/** A picture has the verdicts that are shown and more room for its link. */
async function drawsMarks(page, hands) {
  await goTo(page, "?moves=445352#analyse");
  await answered(page);
  const heightOfPicture = async () => {
    await hands.press(page, "#share");
    await page.waitForSelector("dialog canvas");
    const height = await page.$eval("dialog canvas", (canvas) => canvas.height);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    return height;
  };
  // No text is wider than its chip.
  await page.evaluate(() => {
    globalThis.widths = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function note(text, ...at) {
      if (this.textAlign === "center") globalThis.widths.push([text, Math.round(this.measureText(text).width)]);
      return fillText.call(this, text, ...at);
    };
  });
  const marked = await heightOfPicture();
  const widths = await page.evaluate(() => globalThis.widths);
  assert.ok(widths.some(([what]) => /^L\d+$/.test(what)) && widths.every(([, width]) => width < 76), JSON.stringify(widths));
  await page.keyboard.press("v");
  await until(page, () => document.querySelectorAll(".chip.win").length === 0);
  assert.equal(marked - await heightOfPicture(), 70);
}

/** The preview of a link on other sites. */
async function hasPreviews(page) {
  const of = (property) => page.getAttribute(`meta[property='og:${property}']`, "content");
  assert.match(await of("title"), /Connect Four/);
  assert.match(await of("description"), /puzzles/);
  const response = await page.request.get(page.address + await of("image"));
  assert.equal(response.headers()["content-type"], "image/png");
}

module.exports = [makesSounds, celebrates, drawsMarks, hasPreviews];
