"use strict";

// A game with a friend: the server keeps it, or links go back and forth that hold it.

const assert = require("node:assert/strict");
const { goTo, newGame, open, text, untilStones, untilText } = require("../browser.js");

const isOff = (page, selector) => page.getAttribute(selector, "aria-disabled");
const BACK = ".actions button[aria-keyshortcuts=u]";

const opened = (page, context, link) => open(context, page.address, link.slice(page.address.length));

async function copiedLink(page, hands) {
  await hands.press(page, "#copy-game");
  await untilText(page, "#copy-game", /Copied/);
  return page.evaluate(() => navigator.clipboard.readText());
}

async function playsAFriendByLink(page, hands) {
  await newGame(page, hands, "friend");
  await hands.column(page, 4);
  await untilStones(page, 1);
  await untilText(page, "#status", /^Your friend is to move$/);
  assert.equal(await page.locator(".column[aria-disabled=false]").count(), 0);
  assert.equal(await isOff(page, BACK), "false");
  await untilText(page, ".friend p", /^Your move is made\. Send this link: it holds the game\.$/);
  const link = await copiedLink(page, hands);
  // The friend has another browser, with a share sheet.
  const theirs = await page.context().browser().newContext();
  await theirs.addInitScript(() => { navigator.share = async (what) => { globalThis.shared = what; }; });
  const friend = await opened(page, theirs, link);
  await untilStones(friend, 1);
  await untilText(friend, "#status", /^Your turn$/);
  assert.match(await text(friend, ".seats"), /You · Red.*Your friend · Yellow/);
  await friend.reload();
  await untilStones(friend, 1);
  await friend.keyboard.press("4");
  await untilStones(friend, 2);
  await friend.click("#send-link");
  const { url } = await friend.evaluate(() => globalThis.shared);
  assert.deepEqual(friend.faults, []);
  await theirs.close();
  // The answer goes on with the same game, in every tab; an older link takes nothing back.
  const again = await opened(page, page.context(), url);
  for (const tab of [again, page]) {
    await untilStones(tab, 2);
    await untilText(tab, "#status", /^Your turn$/);
    assert.match(await text(tab, ".seats"), /You · Yellow.*Your friend · Red/);
    assert.equal(await isOff(tab, BACK), "true");
  }
  await again.close();
  const old = await opened(page, page.context(), link);
  await untilStones(old, 2);
  await old.close();
  // Browsers copy nothing from a page without HTTPS: it shows the link.
  const plain = await page.context().browser().newContext();
  await plain.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  const third = await opened(page, plain, link);
  await third.keyboard.press("4");
  await untilStones(third, 2);
  await untilText(third, "#friend-link", new RegExp(`^${page.address.replaceAll(".", "\\.")}\\?friend=[-0-9a-f]+&moves=44#play$`));
  assert.ok(await third.isVisible("#friend-link") && await third.isHidden("#copy-game"));
  await plain.close();
}

/** The friend sees how the game has ended. */
async function tellsAFriendOfTheEnd(page) {
  const mine = await open(page.context(), page.address, "?friend=1&moves=112233#play");
  await mine.keyboard.press("4");
  await untilText(mine, "#status", /^You win!$/);
  await untilText(mine, ".friend p", /^The game is over/);
  await mine.close();
  const theirs = await open(page.context(), page.address, "?friend=2&moves=1122334#play");
  await untilText(theirs, "#status", /^Your friend wins\.$/);
  await theirs.close();
}

/** Columns that can be played now. */
const playable = (page) => page.locator(".column[aria-disabled=false]").count();

/** Two browsers play one game, a third one watches; reloads go on, and hidden tabs ask nothing. */
async function playsAFriendOnTheServer(page, hands) {
  const browser = page.context().browser();
  await newGame(page, hands, "friend");
  await untilText(page, ".friend p", /^Send this link\. Whoever opens it first plays Red\.$/);
  const link = await copiedLink(page, hands);
  assert.match(link, /\?game=[0-9a-f]{16}#play$/);
  const contexts = [await browser.newContext(), await browser.newContext()];
  const friend = await opened(page, contexts[0], link);
  await untilText(friend, "#status", /^Your friend is to move$/);
  await page.waitForSelector(".friend", { state: "hidden" });
  await hands.column(page, 4);
  await untilStones(friend, 1);
  assert.match(await text(friend, ".seats"), /You · Red.*Your friend · Yellow/);
  assert.equal(await isOff(page, BACK), "true");
  await friend.keyboard.press("4");
  for (const one of [page, friend]) await untilStones(one, 2);
  const third = await opened(page, contexts[1], link);
  await untilText(third, "#status", /^Yellow to move; you watch$/);
  assert.equal(await playable(third), 0);
  await Promise.all([friend.waitForRequest(/v1\/friend\/wait/), friend.reload()]);
  await untilText(friend, "#status", /^Your friend is to move$/);
  // A tab in the background learns of the move once it is seen.
  const show = (isHidden) => friend.evaluate((is) => {
    Object.defineProperty(document, "hidden", { value: is, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
  let questions = 0;
  await show(true);
  await goTo(page);
  await untilText(page, "#status", /^Your turn$/);
  await hands.column(page, 3);
  await untilStones(third, 3);
  await untilStones(friend, 3);
  friend.on("request", (request) => { questions += request.url().includes("/v1/friend") ? 1 : 0; });
  await friend.keyboard.press("3");
  for (const one of [page, third]) await untilStones(one, 4);
  await hands.column(page, 5);
  await untilStones(third, 5);
  // The move alone.
  assert.equal(questions, 1);
  await untilStones(friend, 4);
  await show(false);
  await untilStones(friend, 5);
  await friend.keyboard.press("5");
  await untilStones(page, 6);
  await hands.column(page, 2);
  await untilText(page, "#status", /^You win!$/);
  await untilText(friend, "#status", /^Your friend wins\.$/);
  await untilText(third, "#status", /^Player 1 \(Yellow\) wins\.$/);
  for (const one of [friend, third]) assert.deepEqual(one.faults, []);
  for (const context of contexts) await context.close();
}

const problem = (status, detail) => ({ status, contentType: "application/problem+json", body: JSON.stringify({ detail }) });

/** A server that has lost the game, or keeps too many, leaves it to links. */
async function goesOnByLinkWithoutTheServer(page, hands) {
  await newGame(page, hands, "friend");
  await untilText(page, ".friend p", /^Send this link/);
  const theirs = await page.context().browser().newContext();
  const friend = await opened(page, theirs, await copiedLink(page, hands));
  await hands.column(page, 4);
  await untilStones(friend, 1);
  for (const one of [page, friend]) await one.route(/v1\/friend/, (route) => route.fulfill(problem(404, "no game")));
  await friend.keyboard.press("4");
  await untilText(friend, ".friend p", /^The server no longer has this game\. Send this link: your friend goes on from it\.$/);
  await goTo(page);
  await untilText(page, ".friend p", /^The server no longer has this game\. Make your move, then send the game as a link\.$|^The server no longer has this game\. Send/);
  const link = await friend.evaluate(() => document.querySelector("#copy-game").click() ?? null);
  assert.equal(link, null);
  const id = await friend.evaluate(() => JSON.parse(sessionStorage.getItem("fourbook.playing")));
  const again = await open(page.context(), page.address, `?friend=${id}&moves=44#play`);
  await untilStones(again, 2);
  await untilText(again, "#status", /^Your turn$/);
  assert.match(await text(again, ".seats"), /You · Yellow/);
  await again.close();
  await theirs.close();
  // A link to an unknown game.
  const lost = await open(page.context(), page.address, "?game=0#play");
  await untilText(lost, ".friend p", /Ask your friend for a new link\.$/);
  await lost.close();
  await page.route(/v1\/friend/, (route) => route.fulfill(problem(503, "this server keeps at most 0 games")));
  await newGame(page, hands, "friend");
  await hands.column(page, 4);
  await untilText(page, ".friend p", /^Your move is made\. Send this link: it holds the game\.$/);
  await page.unroute(/v1\/friend/);
  page.faults = page.faults.filter((fault) => !/status of 503/.test(fault));
}

module.exports = { goesOnByLinkWithoutTheServer, playsAFriendByLink, playsAFriendOnTheServer, tellsAFriendOfTheEnd };
