"use strict";

// Features of a server only: failures, and a description of its routes.

const assert = require("node:assert/strict");
const { answered, goTo, text, unsolved, untilStones, untilText } = require("../browser.js");

/** A server that is busy or slow: the page says so, and goes on when it can. */
async function goesOnAfterFailures(page, hands) {
  const [moves, positions] = [/v1\/move/, /v1\/position/];
  const busy = { status: 503, contentType: "application/problem+json", body: JSON.stringify({ detail: "too much to do; try again" }) };
  await page.route(moves, (route) => route.fulfill(busy));
  await hands.column(page, 4);
  await untilText(page, ".note", /Too much to do; try again\./);
  await page.unroute(moves);
  await hands.press(page, ".note button");
  await untilStones(page, 2);
  await page.route(positions, (route) => route.fulfill(busy));
  await hands.press(page, "nav a[data-view=analyse]");
  await page.waitForSelector("#retry:not([hidden])");
  assert.equal(await text(page, "#source"), "Too much to do; try again.");
  await page.unroute(positions);
  // A slow answer shows a spinner.
  let release;
  const released = new Promise((resolve) => { release = resolve; });
  await page.route(positions, async (route) => {
    await released;
    // The page may have cancelled the request meanwhile.
    await route.continue().catch(() => {});
  });
  await hands.press(page, "#retry");
  await page.waitForSelector(".spinner:not([hidden])");
  assert.equal(await text(page, "#source"), "Solving…");
  release();
  await answered(page);
  await page.waitForSelector(".spinner", { state: "hidden" });
  await page.unroute(positions);
  // The failed requests were intended.
  page.faults = page.faults.filter((fault) => !/status of 503/.test(fault));
}

/** A position that cannot be solved in time: the page shows the proved bounds. */
async function tellsWhatIsProved(page, hands) {
  await page.route(/v1\/position/, (route) => route.fulfill(unsolved("7x6")));
  await hands.press(page, "nav a[data-view=analyse]");
  await untilText(page, "#source", /^Not solved within the limits\. Proved so far: Yellow wins; the score is from \+2 to \+12\./);
  await page.waitForSelector("#retry:not([hidden])");
  assert.equal(await text(page, "#solved"), "2 of 7 moves solved. The best of them is column 4, which wins in 18.");
  assert.equal(await page.$eval("progress", (bar) => bar.value / bar.max), 2 / 7);
  // Without a solved move, the one that a player would make.
  await page.unroute(/v1\/position/);
  await page.route(/v1\/position/, (route) => route.fulfill(unsolved("7x6", false)));
  await page.route(/v1\/move/, (route) => route.fulfill({ json: { column: "3" } }));
  await hands.press(page, "#retry");
  await untilText(page, "#solved", /^0 of 7 moves solved\. Column 3 is the best move known\.$/);
  for (const route of [/v1\/position/, /v1\/move/]) await page.unroute(route);
  await hands.press(page, "#retry");
  await answered(page);
  await untilText(page, "#verdict", /Yellow wins/);
  assert.ok(await page.isHidden("progress"));
}

/** A hint names the best move known where none is proved in time. */
async function alwaysHints(page, hands) {
  await page.route(/v1\/position/, (route) => route.fulfill(unsolved("7x6", false)));
  await page.route(/v1\/move/, (route) => route.fulfill({ json: { column: "3", proved: false } }));
  await hands.press(page, "button[aria-keyshortcuts=h]");
  await untilText(page, ".hint-text", /^Column 3 is the best move known\.$/);
  assert.equal(await page.locator("#board .hint").count(), 1);
  for (const route of [/v1\/position/, /v1\/move/]) await page.unroute(route);
}

/** Any size that the server can solve. */
async function offersOtherSizes(page, hands) {
  await page.route(/v1\/book/, (route) => route.fulfill({ json: { loaded: true, depth: 12, width: 7, height: 6, sizes: ["7x6"], solver_sizes: ["8x8"] } }));
  await goTo(page);
  await page.waitForSelector("#status");
  await page.waitForFunction(() => document.querySelector("#panel .bar"));
  await hands.press(page, "button[aria-keyshortcuts=n]");
  await page.waitForSelector("dialog");
  await hands.choose(page, "dialog select[name=size]", "");
  await hands.write(page, "dialog input[name=other]", "3x3");
  assert.equal(await page.$eval("dialog input[name=other]", (input) => input.validity.valid), false);
  await hands.write(page, "dialog input[name=other]", "8x8");
  await hands.press(page, "dialog button[value=two]");
  await page.waitForSelector(".board[data-size='8x8']");
  await page.unroute(/v1\/book/);
}

/** A server that has nothing for 7x6: games and analysis begin on its own board. */
async function beginsOnTheBoardOfTheServer(page) {
  await page.route(/v1\/book/, (route) => route.fulfill({ json: { loaded: false, width: 10, height: 7, sizes: ["10x7"] } }));
  await page.route(/v1\/position/, (route) => route.fulfill(unsolved("10x7")));
  await goTo(page);
  await page.waitForSelector(".board[data-size='10x7']");
  for (const view of ["#analyse", "#play"]) {
    await goTo(page, view);
    await page.waitForSelector(".board[data-size='10x7']");
  }
  // A link means its own board.
  await goTo(page, "?size=8x8");
  await untilText(page, "#solved", /of 8 moves solved/);
  await page.waitForSelector(".board[data-size='8x8']");
  for (const route of [/v1\/book/, /v1\/position/]) await page.unroute(route);
}

/** Every route, with an example that can be tried and is answered. */
async function describesTheInterface(page, hands) {
  await page.goto(`${page.address}api`);
  await page.waitForSelector("main:not([aria-busy])");
  const { paths } = await (await page.request.get(`${page.address}openapi.json`)).json();
  const routes = await page.$$eval("h3 code", (all) => all.map((one) => one.textContent));
  assert.deepEqual(routes.sort(), Object.keys(paths).sort());
  // In groups, folded up; files are listed without a form to try.
  assert.deepEqual(await page.$$eval("h2", (all) => all.map((one) => one.textContent)), ["Answers", "Operation", "Page"]);
  assert.equal(await page.locator(".group:last-child form").count(), 0);
  assert.ok(await page.isHidden("#position form"));
  await hands.press(page, "#contents a[href='#position']");
  await page.waitForSelector("#position form", { state: "visible" });
  for (const id of await page.$$eval(".route:has(form)", (all) => all.map((one) => one.id))) {
    if (await page.isHidden(`#${id} form`)) await hands.press(page, `#${id} > summary`);
    await page.press(`#${id} button[type=submit]`, "Enter");
    await page.waitForSelector(`#${id} .answer .good`);
  }
  assert.match(await text(page, "#position .answer pre"), /"position": "4453"/);
  assert.match(await text(page, "#position .command"), /curl '.*v1\/position\?moves=4453'/);
  await page.focus("#position input[name=moves]");
  await hands.write(page, "#position input[name=moves]", "49");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#position .answer .bad");
}

module.exports = [goesOnAfterFailures, tellsWhatIsProved, alwaysHints, offersOtherSizes, beginsOnTheBoardOfTheServer, describesTheInterface];
