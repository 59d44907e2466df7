"use strict";

// Puzzles: daily ones, endless ones, links, past days.

const assert = require("node:assert/strict");
const { goTo, open, text, until, untilText } = require("../browser.js");

const untilFound = (page) => untilText(page, "#puzzle-goal", /to move and win in/);
const boardOf = (page) => page.getAttribute("#board", "aria-label");

/** The daily puzzle is the same for everybody, on any host, and changes every day. */
async function hasOneForEachDay(page, hands) {
  await page.clock.setFixedTime(new Date("2026-02-03T12:00:00Z"));
  await goTo(page);
  await hands.press(page, "nav a[data-view=puzzles]");
  await untilFound(page);
  // A first visit begins with an easy one.
  assert.equal(await text(page, "#puzzle-kind"), "Endless · Easy");
  await hands.press(page, ".choice [data-value=daily]");
  await untilText(page, "#puzzle-kind", /^Puzzle of the day/);
  await untilFound(page);
  assert.equal(await text(page, "#puzzle-kind"), "Puzzle of the day, Feb 3 · Easy");
  assert.equal(`${await text(page, "#puzzle-goal")}; ${await boardOf(page)}`, DAY);
  await hands.press(page, "#show-solution");
  await untilText(page, "#puzzle-message", /That was the solution/);
  await hands.press(page, "#again");
  await untilFound(page);
  assert.equal(`${await text(page, "#puzzle-goal")}; ${await boardOf(page)}`, DAY);
  await page.clock.setFixedTime(new Date("2026-02-08T12:00:00Z"));
  await goTo(page, "#puzzles");
  await untilText(page, "#puzzle-kind", /Feb 8/);
  await untilFound(page);
  assert.notEqual(`${await text(page, "#puzzle-goal")}; ${await boardOf(page)}`, DAY);
  await page.clock.setFixedTime(new Date());
}
const DAY = "Yellow to move and win in 2; 18 stones on 7x6. Rows from the top, X Yellow, O Red: "
  + "...O... ...O... ...O..O ...X..X ..OOXXX OXXOXOX";

/** A wrong move is refused with a message; the right one is played and answered. */
async function solve(page, goal) {
  for (let move = 0; move < goal; move++) {
    const before = await page.locator("#board .stone").count();
    // Tries columns from the centre outwards; the label ends with the rows, the top one first.
    const [top] = (await boardOf(page)).match(/[.XO]{7}(?= )/);
    for (const column of [4, 3, 5, 2, 6, 1, 7].filter((one) => top[one - 1] === ".")) {
      const said = await text(page, "#puzzle-message");
      await page.keyboard.press(String(column));
      const answer = await until(page, ([count, had]) => {
        const now = document.querySelectorAll("#board .stone").length;
        return now > count ? "played" : document.querySelector("#puzzle-message").textContent !== had ? "refused" : null;
      }, [before, said]);
      if (await answer.jsonValue() === "played") break;
    }
    // The reply falls, unless the puzzle is solved.
    await until(page, (count) => document.querySelectorAll("#board .stone").length === count + 2
      || /Solved/.test(document.querySelector("#puzzle-message").textContent), before);
  }
}

async function hasEndlessOnes(page, hands) {
  await hands.press(page, "nav a[data-view=puzzles]");
  await untilFound(page);
  await hands.press(page, ".choice [data-value=easy]");
  await until(page, () => /^Endless · Easy/.test(document.querySelector("#puzzle-kind").textContent) && /win in/.test(document.querySelector("#puzzle-goal").textContent));
  const goal = Number((await text(page, "#puzzle-goal")).match(/\d+$/)[0]);
  assert.ok(goal === 2 || goal === 3);
  await solve(page, goal);
  await untilText(page, "#puzzle-message", /Solved/);
  assert.match(await text(page, ".progress"), /Easy[01] of 1 without a mistake/);
  const board = await boardOf(page);
  await hands.press(page, "#next-puzzle");
  await untilFound(page);
  assert.notEqual(await boardOf(page), board);
  // The progress is kept.
  await goTo(page, "#puzzles");
  await untilText(page, ".progress", /Easy[01] of 1 without a mistake/);
  await hands.press(page, ".choice [data-value=hard]");
  await until(page, () => /^Endless · Hard/.test(document.querySelector("#puzzle-kind").textContent) && /win in/.test(document.querySelector("#puzzle-goal").textContent));
  assert.match(await text(page, "#puzzle-goal"), /win in [6-9]$/);
}

/** A link opens the same puzzle for other people; the card shows the result. */
async function sharesAPuzzle(page, hands) {
  await goTo(page, "?puzzle=2026-02-03#puzzles");
  await untilFound(page);
  assert.equal(`${await text(page, "#puzzle-goal")}; ${await boardOf(page)}`, DAY);
  await solve(page, 2);
  await untilText(page, "#puzzle-message", /^Solved.* Rating [+-]\d+\.$/);
  await hands.press(page, "#share-puzzle");
  await page.waitForSelector("dialog canvas");
  await hands.press(page, "#copy-puzzle");
  await untilText(page, "#copy-puzzle", /Copied/);
  const shared = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(shared, /^fourbook · Puzzle of the day, Feb 3 · Easy · win in 2: solved.*\nhttp/);
  const link = shared.split("\n")[1];
  assert.ok(link.startsWith(page.address), link);
  const again = await open(page.context(), page.address, link.slice(page.address.length));
  await untilText(again, "#puzzle-goal", /Yellow to move and win in 2/);
  await again.close();
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  // An endless puzzle, too.
  await goTo(page, "?puzzle=easy-7-1#puzzles");
  await untilFound(page);
  assert.match(await text(page, "#puzzle-kind"), /^Endless · Easy/);
  await goTo(page, "?puzzle=nonsense#puzzles");
  await untilText(page, "#toast", /names no puzzle/);
}

/** Past days, and the result of each; showing the solution is not praised. */
async function hasPastDays(page, hands) {
  await page.clock.setFixedTime(new Date("2026-02-04T12:00:00Z"));
  // None of the future.
  await goTo(page, "?puzzle=2026-02-05#puzzles");
  await untilText(page, "#toast", /names no puzzle/);
  await untilFound(page);
  await hands.press(page, "summary");
  await hands.press(page, "[data-day='2026-02-03']");
  await until(page, () => /Feb 3/.test(document.querySelector("#puzzle-kind").textContent));
  await untilFound(page);
  await page.evaluate(() => {
    globalThis.said = [];
    new MutationObserver(() => globalThis.said.push(document.querySelector("#puzzle-message").textContent))
      .observe(document.querySelector("#puzzle-message"), { childList: true, characterData: true, subtree: true });
  });
  await hands.press(page, "#show-solution");
  await untilText(page, "#puzzle-message", /^That was the solution\./);
  const said = await page.evaluate(() => globalThis.said);
  assert.ok(said.some((one) => /^The solution plays column/.test(one)), said.join("; "));
  assert.ok(said.every((one) => !/Right|Solved/.test(one)), said.join("; "));
  assert.equal(await page.locator(".message.solved").count(), 0);
  assert.match(await page.getAttribute("[data-day='2026-02-03']", "aria-label"), /solution shown/);
  assert.match(await text(page, ".progress"), /Rating11\d\d/);
  await page.clock.setFixedTime(new Date());
}

/** Screen readers hear the task, and nothing of the previous view. */
async function tellsTheTask(page, hands) {
  await page.clock.setFixedTime(new Date("2026-02-03T12:00:00Z"));
  await goTo(page, "#puzzles");
  await hands.press(page, ".choice [data-value=daily]");
  await untilText(page, "#puzzle-kind", /Feb 3/);
  await untilFound(page);
  await hands.press(page, "nav a[data-view=play]");
  await untilText(page, "#live", /^You are Yellow and begin\. $/);
  await hands.press(page, "nav a[data-view=puzzles]");
  await untilText(page, "#live", /^Yellow to move and win in 2\. $/);
  await hands.press(page, "nav a[data-view=analyse]");
  await until(page, () => !/win in 2/.test(document.querySelector("#live").textContent));
  await page.clock.setFixedTime(new Date());
}

module.exports = [hasOneForEachDay, hasEndlessOnes, sharesAPuzzle, hasPastDays, tellsTheTask];
