"use strict";

// Puzzles: that of a day, and as many as anybody wants.

const assert = require("node:assert/strict");
const { goTo, text, until, untilText } = require("../browser.js");

const untilFound = (page) => untilText(page, "#puzzle-message", /Find the only move/);
const boardOf = (page) => page.getAttribute("#board", "aria-label");

/** The same for everybody on a day, wherever the page comes from; another one on the next day. */
async function hasOneForEachDay(page, hands) {
  await page.clock.setFixedTime(new Date("2026-02-03T12:00:00Z"));
  await goTo(page);
  await hands.press(page, "nav a[data-view=puzzles]");
  await untilFound(page);
  assert.equal(await text(page, "#puzzle-kind"), "Puzzle of the day, 2026-02-03 · Easy");
  assert.equal(`${await text(page, "#puzzle-goal")}; ${await boardOf(page)}`, DAY);
  await hands.press(page, "#show-solution");
  await untilText(page, "#puzzle-message", /That was the solution/);
  await hands.press(page, "#daily");
  await untilFound(page);
  assert.equal(`${await text(page, "#puzzle-goal")}; ${await boardOf(page)}`, DAY);
  await page.clock.setFixedTime(new Date("2026-02-08T12:00:00Z"));
  await goTo(page, "#puzzles");
  await untilFound(page);
  assert.notEqual(`${await text(page, "#puzzle-goal")}; ${await boardOf(page)}`, DAY);
  await page.clock.setFixedTime(new Date());
}
const DAY = "Yellow to move and win in 2; 18 stones on 7x6. Rows from the top, Y Yellow, R Red: "
  + "...R... ...R... ...R..R ...Y..Y ..RRYYY RYYRYRY";

/** By trying: a wrong move is refused and said, the right one is played and answered. */
async function solve(page, goal) {
  for (let move = 0; move < goal; move++) {
    const before = await page.locator("#board .stone").count();
    // From the centre outwards; the label ends with the rows, the topmost first.
    const [top] = (await boardOf(page)).match(/[.YR]{7}(?= )/);
    for (const column of [4, 3, 5, 2, 6, 1, 7].filter((one) => top[one - 1] === ".")) {
      const said = await text(page, "#puzzle-message");
      await page.keyboard.press(String(column));
      const answer = await until(page, ([count, had]) => {
        const now = document.querySelectorAll("#board .stone").length;
        return now > count ? "played" : document.querySelector("#puzzle-message").textContent !== had ? "refused" : null;
      }, [before, said]);
      if (await answer.jsonValue() === "played") break;
    }
    // The reply falls, or it was the last one.
    await until(page, (count) => document.querySelectorAll("#board .stone").length === count + 2
      || /Solved/.test(document.querySelector("#puzzle-message").textContent), before);
  }
}

async function hasEndlessOnes(page, hands) {
  await hands.press(page, "nav a[data-view=puzzles]");
  await untilFound(page);
  await hands.press(page, ".choice [data-value=easy]");
  await until(page, () => /^Endless · Easy/.test(document.querySelector("#puzzle-kind").textContent) && /Find the only move/.test(document.querySelector("#puzzle-message").textContent));
  const goal = Number((await text(page, "#puzzle-goal")).match(/\d+$/)[0]);
  assert.ok(goal === 2 || goal === 3);
  await solve(page, goal);
  await untilText(page, "#puzzle-message", /Solved/);
  assert.match(await text(page, ".progress"), /Easy[01] of 1 without a mistake/);
  const board = await boardOf(page);
  await hands.press(page, "#next-puzzle");
  await untilFound(page);
  assert.notEqual(await boardOf(page), board);
  // How far one has come is kept.
  await goTo(page, "#puzzles");
  await untilText(page, ".progress", /Easy[01] of 1 without a mistake/);
  await hands.press(page, ".choice [data-value=hard]");
  await until(page, () => /^Endless · Hard/.test(document.querySelector("#puzzle-kind").textContent) && /Find the only move/.test(document.querySelector("#puzzle-message").textContent));
  assert.match(await text(page, "#puzzle-goal"), /win in [6-9]$/);
}

module.exports = [hasOneForEachDay, hasEndlessOnes];
