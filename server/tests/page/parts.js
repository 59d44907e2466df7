"use strict";

// Parts of the page, and answers, that are missing, slow, or something else: the page says so in words,
// and works as far as it can.

const assert = require("node:assert/strict");
const { answered, goTo, open, setUp, HANDS, untilStones, untilText } = require("./browser.js");

const NOT_FOUND = { status: 404, contentType: "text/html", body: "<!doctype html><title>404</title>" };
const A_DOCUMENT = { contentType: "text/html", body: "<!doctype html><title>Welcome</title>" };

/** A visit without a service worker, whose requests no test sees. */
async function visit(browser, address, how = {}, wrong = {}) {
  const context = await browser.newContext({ ...how, serviceWorkers: "block", reducedMotion: "reduce" });
  for (const [part, answer] of Object.entries(wrong)) {
    await context.route(new RegExp(part), (route) => (answer === null ? undefined : route.fulfill(answer)));
  }
  const page = await context.newPage();
  page.address = address;
  page.mend = () => context.unrouteAll({ behavior: "ignoreErrors" });
  return page;
}

/** English stands in for a language that does not come, or for texts that it does not have. */
async function speaksEnglishWithoutItsTexts(browser, { address }) {
  const texts = { contentType: "application/json" };
  for (const answer of [NOT_FOUND, A_DOCUMENT, null, { ...texts, body: "[\"en\"]" }, { ...texts, body: "{\"view.play\": {}, \"other\": \"?\"}" }]) {
    const page = await visit(browser, address, { locale: "de-DE" }, { "texts/": answer });
    await goTo(page);
    await untilText(page, "#status", /^Connect Four, solved/);
    assert.equal(await page.getAttribute("html", "lang"), "en");
    await untilText(page, "#outage", /texts in your language could not be loaded/);
    await page.mend();
    await page.click("#reload");
    await untilText(page, "#status", /^Vier gewinnt/);
    await page.context().close();
  }
  const few = { ...texts, body: JSON.stringify({ "view.play": "Spielen", "moves.label": 7, "hint.same": { other: null } }) };
  const page = await visit(browser, address, { locale: "de-DE" }, { "texts/": few });
  await goTo(page);
  await untilText(page, "nav [data-view=play]", /^Spielen$/);
  await untilText(page, "#status", /^Connect Four, solved/);
  await page.context().close();
}

/** Without its scripts, the page says in plain HTML that it has not loaded. */
async function saysThatItHasNotLoaded(browser, { address }) {
  for (const script of ["language", "base", "first"]) {
    for (const answer of [NOT_FOUND, null, { contentType: "text/javascript", body: "{" }]) {
      const page = await visit(browser, address, {}, { [`script/${script}\\.`]: answer });
      await page.goto(address, { waitUntil: "commit" });
      await page.waitForSelector("#stuck", { state: "attached" });
      await page.waitForFunction(() => document.querySelector("#stuck").getAnimations().length > 0);
      assert.ok(await page.isHidden("#stuck"), "not before it had time to load");
      await page.$eval("#stuck", (element) => element.getAnimations().forEach((one) => one.finish()));
      await page.waitForSelector("#stuck", { state: "visible" });
      await page.mend();
      // A script that was only slow comes now.
      if (answer !== null) await page.click("#stuck a");
      await page.waitForSelector("body[data-ready]");
      assert.equal(await page.locator("#stuck").count(), 0);
      await page.context().close();
    }
  }
}

/** Does something after which the page is loaded again. */
async function untilLoadedAgain(page, act) {
  await page.evaluate(() => { globalThis.isOld = true; });
  await act();
  await page.waitForFunction(() => !globalThis.isOld && document.querySelector("#status"));
}

/** A part that never comes: the page is loaded again, then says what is missing; the rest works. */
async function saysThatAPartIsMissing(browser, { address }) {
  for (const [part, answer] of [["script/second", NOT_FOUND], ["script/third", NOT_FOUND], ["script/third", { contentType: "text/javascript", body: "{" }], ["style/later", NOT_FOUND]]) {
    const page = await visit(browser, address, {}, { [`${part}\\.`]: answer });
    await goTo(page);
    await page.waitForSelector("#status");
    if (part !== "script/second") {
      await untilLoadedAgain(page, () => page.click("#open-settings"));
      await page.click("#open-settings");
    }
    await untilText(page, "#outage", /part of the page could not be loaded/);
    if (part === "style/later") {
      await page.waitForSelector("dialog");
      await page.keyboard.press("Escape");
    }
    await page.mend();
    await untilLoadedAgain(page, () => page.click("#reload"));
    await page.click("#open-settings");
    await page.waitForSelector("dialog");
    await page.context().close();
  }
}

/** A part on its way is told, until it comes. */
async function saysThatAPartIsOnItsWay(browser, { address }) {
  for (const [part, at, use] of [["script/third\\.", "#analyse", null], ["style/later\\.", "", "#open-settings"]]) {
    const page = await visit(browser, address, {}, { [part]: null });
    await goTo(page, at);
    if (use) await page.click(use);
    await untilText(page, "#outage", /^Loading…$/);
    await page.mend();
    await page.waitForSelector(use ? "dialog" : "#verdict");
    await untilText(page, "#outage", /^$/);
    await page.context().close();
  }
}

/** Answers that are no answers are an error that can be tried again. */
async function readsNoOtherAnswers(browser, { address }) {
  const stream = (body) => ({ contentType: "text/event-stream", body });
  for (const answer of [A_DOCUMENT, stream("event: position\ndata: {\n\n"), stream("event: position\ndata: {}\n\n"), stream("")]) {
    const page = await visit(browser, address, {}, { "v1/position": answer, "v1/book": A_DOCUMENT });
    await goTo(page, "#analyse");
    await untilText(page, "#source", /^The answer cannot be read\.$/);
    await page.mend();
    await page.click("#retry");
    await answered(page);
    await untilText(page, "#verdict", /Yellow wins/);
    await page.context().close();
  }
}

/** What is wrong is said in the language of the page. */
async function tellsProblemsInItsLanguage(browser, { address }) {
  const busy = { status: 503, contentType: "application/problem+json", body: JSON.stringify({ type: "urn:fourbook:problem:busy", detail: "the queue for the solver is full" }) };
  const page = await visit(browser, address, { locale: "de-DE" }, { "v1/(move|position)": busy });
  await goTo(page);
  await page.waitForSelector("#status");
  await page.click(".column:nth-child(4)");
  await untilText(page, ".note", /^Der Server hat zu viel zu tun/);
  await page.click("nav a[data-view=analyse]");
  await untilText(page, "#source", /^Der Server hat zu viel zu tun/);
  await page.mend();
  for (const [wrong, says] of [["12121212", /^Zug 8 /], ["4453 -5 -5 -2 -3 -4 -2 -2", /^Das ist keine Stellung: /]]) {
    await setUp(page, HANDS.pointer, wrong);
    await untilText(page, "#error", says);
  }
  await page.context().close();
}

/** The texts of another language are there without a network, as all else. */
async function speaksItsLanguageWithoutANetwork(browser, { address }) {
  const context = await browser.newContext({ locale: "de-DE" });
  const page = await open(context, address);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => {
    for (const name of await caches.keys()) {
      const kept = await (await caches.open(name)).keys();
      if (kept.some(({ url }) => url.includes("/texts/de."))) return true;
    }
    return false;
  });
  await context.setOffline(true);
  await page.reload();
  await untilText(page, "#status", /^Vier gewinnt/);
  await untilStones(page, 0);
  await context.close();
}

module.exports = {
  onEveryHost: [speaksEnglishWithoutItsTexts, saysThatItHasNotLoaded, saysThatAPartIsMissing, saysThatAPartIsOnItsWay, speaksItsLanguageWithoutANetwork],
  onServers: [readsNoOtherAnswers, tellsProblemsInItsLanguage],
};
