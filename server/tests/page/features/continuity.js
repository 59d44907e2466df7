"use strict";

// Nothing is lost: by a reload, by Back and Forward, or in two tabs.

const assert = require("node:assert/strict");
const { answered, goFrom, goTo, newGame, open, text, until, untilStones, untilText } = require("../browser.js");

const reload = async (page) => {
  await page.reload();
  await page.waitForSelector("body[data-ready]");
};

async function keepsTheFirstGameOverAReload(page, hands) {
  await hands.column(page, 4);
  await untilStones(page, 2);
  await reload(page);
  await untilStones(page, 2);
  await untilText(page, "#status", /Your turn/);
  await hands.column(page, 4);
  await untilStones(page, 4);
}

/** The board, the tab and the title. */
async function goesBackAndForward(page, hands) {
  await hands.column(page, 4);
  await untilStones(page, 2);
  await page.keyboard.press("r");
  await page.waitForSelector("#verdict");
  const isAnalysis = () => until(page, () => document.title === "Analyse · fourbook" && document.querySelector("nav a[aria-current]").textContent === "Analyse");
  await isAnalysis();
  await page.goBack();
  await until(page, () => document.title === "Play · fourbook" && document.querySelector("nav a[aria-current]").textContent === "Play");
  await page.waitForSelector("#status");
  await untilStones(page, 2);
  await page.goForward();
  await isAnalysis();
  await untilStones(page, 2);
  // Another position, and back to the previous one.
  await goFrom(page, hands, "4453");
  await untilStones(page, 4);
  await hands.press(page, "nav a[data-view=puzzles]");
  await page.waitForSelector("#puzzle-kind");
  await page.goBack();
  await isAnalysis();
  await untilStones(page, 4);
  await page.goBack();
  await untilStones(page, 2);
  await page.goForward();
  await untilStones(page, 4);
  await page.goForward();
  await page.waitForSelector("#puzzle-kind");
}

/** Each tab shows its game, and both list all games; settings of one tab hold in the other. */
async function sharesOneStoreBetweenTabs(page, hands) {
  const newGameForTwo = (tab) => newGame(tab, hands, "two");
  await newGameForTwo(page);
  await hands.column(page, 4);
  await untilStones(page, 1);
  const other = await open(page.context(), page.address);
  await untilStones(other, 1);
  // A game that both tabs have is one game.
  await other.keyboard.press("3");
  await untilStones(page, 2);
  await newGameForTwo(other);
  await other.keyboard.press("1");
  await untilStones(other, 1);
  await hands.column(page, 5);
  await untilStones(page, 3);
  await newGameForTwo(page);
  await hands.press(page, "#past-games");
  await page.waitForSelector("dialog .games");
  assert.equal(await page.locator(".games li").count(), 2);
  await page.keyboard.press("Escape");
  await other.click("#past-games");
  await untilText(other, ".games", /3 stones/);
  await other.keyboard.press("Escape");
  for (const [tab, stones] of [[other, 1], [page, 0]]) {
    await reload(tab);
    await untilStones(tab, stones);
  }
  await other.keyboard.press("t");
  await other.click("#open-settings");
  await other.selectOption("dialog select[name=theme]", "dark");
  await until(page, () => document.documentElement.dataset.theme === "dark");
  await other.close();
}

async function resumesPuzzles(page, hands) {
  await page.clock.setFixedTime(new Date("2026-02-03T12:00:00Z"));
  await goTo(page, "#puzzles");
  await hands.press(page, ".choice [data-value=daily]");
  await untilText(page, "#puzzle-goal", /win in/);
  await hands.press(page, "#show-solution");
  await untilText(page, "#puzzle-message", /That was the solution/);
  await reload(page);
  await untilText(page, "#puzzle-message", /That was the solution/);
  await hands.press(page, ".choice [data-value=easy]");
  await until(page, () => /^Endless/.test(document.querySelector("#puzzle-kind").textContent) && /win in/.test(document.querySelector("#puzzle-goal").textContent));
  const boardOf = () => page.getAttribute("#board", "aria-label");
  const [board, goal] = [await boardOf(), await text(page, "#puzzle-goal")];
  await reload(page);
  await untilText(page, "#puzzle-goal", /win in/);
  assert.match(await text(page, "#puzzle-kind"), /^Endless · Easy/);
  assert.deepEqual([await boardOf(), await text(page, "#puzzle-goal")], [board, goal]);
  // The daily puzzle is still solved.
  await hands.press(page, ".choice [data-value=daily]");
  await untilText(page, "#puzzle-message", /That was the solution/);
  await hands.press(page, ".choice [data-value=easy]");
  await untilText(page, "#puzzle-kind", /^Endless · Easy/);
  assert.equal(await boardOf(), board);
  await page.clock.setFixedTime(new Date());
}

/** One notice is shown; a module, a move and verdicts arrive by themselves when the host is back. */
async function survivesAnOutage(page, hands, { name }) {
  if (name === "files") await page.evaluate(() => navigator.serviceWorker.ready);
  const isServer = name === "server";
  await page.waitForSelector(".seats");
  await hands.look(page, ".column:nth-child(4)");
  await page.context().setOffline(true);
  await hands.column(page, 4);
  if (isServer) {
    await untilText(page, "#outage", /No connection/);
    await hands.press(page, "nav a[data-view=analyse]");
    await until(page, () => document.body.dataset.view === "analyse");
    assert.ok(!/No connection|cannot be reached/.test(await text(page, "main")), "one notice");
    await reloadIsNotNeeded(page);
  }
  await page.context().setOffline(false);
  await page.waitForSelector(isServer ? "#verdict" : "#status");
  if (isServer) {
    await answered(page);
    await hands.press(page, "nav a[data-view=play]");
  }
  await untilStones(page, 2);
  await untilText(page, "#status", /Your turn/);
  await until(page, () => document.querySelector("#outage").textContent === "");
  page.faults = page.faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(fault));
}

/** The page's record of having reloaded itself. */
const reloadIsNotNeeded = async (page) => assert.equal(await page.evaluate(() => sessionStorage.getItem("fourbook.reloaded")), null);

module.exports = [keepsTheFirstGameOverAReload, goesBackAndForward, sharesOneStoreBetweenTabs, resumesPuzzles, survivesAnOutage];
