"use strict";

// A game with a friend: a link that holds it goes back and forth.

const assert = require("node:assert/strict");
const { newGame, open, text, until, untilStones, untilText } = require("../browser.js");

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
  await untilText(page, ".friend p", /^Your move is made\. Send it to your friend\.$/);
  const link = await copiedLink(page, hands);
  // The address is the same link.
  assert.equal(await page.evaluate(() => location.href), link);
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
  // The next game swaps the colours; the second player, who lost, begins.
  await theirs.click("#next-game");
  await untilStones(theirs, 0);
  await untilText(theirs, ".seats", /You · Yellow.*Your friend · Red/);
  await until(theirs, () => location.search === "?friend=2.2");
  await theirs.close();
}

module.exports = { playsAFriendByLink, tellsAFriendOfTheEnd };
