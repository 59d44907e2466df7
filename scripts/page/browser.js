"use strict";

// What the tests of the page have in common: a browser, a page that must not complain, and
// hands that use it by pointer or by keyboard alone.

const { chromium } = require("playwright-core");

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });

/** A page, which must not complain or ask anybody else. `at` is what follows the address. */
async function open(context, address, at = "") {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.address = address;
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => {
    // A refused position is an error that the page puts in words.
    if (message.type() === "error" && !message.text().includes("status of 4")) page.faults.push(message.text());
  });
  page.on("request", (request) => {
    const { href, protocol } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:" && !href.startsWith(address)) page.faults.push(`asks ${href}`);
  });
  await page.goto(address + at);
  await page.waitForSelector("body[data-ready]");
  return page;
}

/** Nothing is asked any more, and all that is known is shown. */
const answered = (page) => page.waitForSelector("body[data-state=ready]", { timeout: 60_000 });

/** Labels of the columns. */
const labels = (page) => page.$$eval(".column", (all) => all.map((one) => one.getAttribute("aria-label")));

const stones = (page) => page.locator("#board .stone").count();

/** Waits until a function of the page's document holds. */
const until = (page, holds, value) => page.waitForFunction(holds, value, { timeout: 20_000 });

const untilStones = (page, count) =>
  until(page, (wanted) => document.querySelectorAll("#board .stone").length === wanted, count);

/** What a person uses the page with. */
const HANDS = {
  pointer: {
    press: (page, selector) => page.click(selector),
    column: (page, column) => page.click(`.column:nth-child(${column})`),
  },
  keyboard: {
    /** Goes there with the tabulator, as one has to without a pointer. */
    async press(page, selector) {
      for (let step = 0; step < 120; step++) {
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) {
          await page.keyboard.press("Enter");
          return;
        }
        await page.keyboard.press("Tab");
      }
      throw new Error(`the tabulator does not reach ${selector}`);
    },
    async column(page, column) {
      await this.press(page, `.column:nth-child(${column})`);
    },
  },
};

module.exports = { HANDS, answered, labels, launch, open, stones, until, untilStones };
