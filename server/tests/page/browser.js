"use strict";

// Shared by the tests of the page: a browser, a page without errors, and users with a pointer or
// only a keyboard.

const { chromium, firefox } = require("playwright-core");

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/** The most milliseconds for any step; the machine may be busy. PATIENCE gives another number. */
const PATIENCE = Number(process.env.PATIENCE ?? 300_000);

const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell", args: FLAGS });

/** Firefox, by WebDriver BiDi. */
const launchFirefox = (firefoxUserPrefs = {}) => firefox.launch({ channel: "moz-firefox", executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr", firefoxUserPrefs });

/** Opens a page that notes errors and requests to other hosts. `at` is appended to the address. */
async function open(context, address, at = "") {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.address = address;
  page.faults = [];
  page.on("pageerror", (error) => {
    // Firefox reports styles that the tests' own tool adds for a picture.
    if (!String(error).includes("style-src-elem")) page.faults.push(String(error));
  });
  page.on("console", (message) => {
    // A refused position is an error that the page puts in words.
    if (message.type() === "error" && !message.text().includes("status of 4")) page.faults.push(message.text());
  });
  page.on("request", (request) => {
    const { href, protocol } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:" && !href.startsWith(address)) page.faults.push(`asks ${href}`);
  });
  await goTo(page, at);
  return page;
}

/** Reloads the page from any state. */
async function goTo(page, at = "") {
  await page.goto("about:blank");
  await page.goto(page.address + at);
  await page.waitForSelector("body[data-ready]");
}

/** Waits until no request is open and all known scores are shown. */
const answered = (page) => page.waitForSelector("body[data-state=ready]");

/** Labels of the columns. */
const labels = (page) => page.$$eval(".column", (all) => all.map((one) => one.getAttribute("aria-label")));

const text = (page, selector) => page.textContent(selector);

/** Waits until a function of the page's document holds. */
const until = (page, holds, value) => page.waitForFunction(holds, value);

const untilText = (page, selector, wanted) => until(page,
  ([where, pattern]) => new RegExp(pattern).test(document.querySelector(where)?.textContent ?? ""), [selector, wanted.source]);

const untilStones = (page, count) =>
  until(page, (wanted) => document.querySelectorAll("#board .stone").length === wanted, count);

/** The key that goes towards an element, or null where it has the focus. */
const keyTowards = (page, selector) => page.evaluate((wanted) => {
  const { activeElement: now } = document;
  if (now?.matches(wanted)) return null;
  const target = document.querySelector(wanted);
  const isBehind = now && target && target.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING;
  return isBehind && now !== document.body ? "Shift+Tab" : "Tab";
}, selector);

/** The devices with which a person uses the page; each has the same actions. */
const HANDS = {
  pointer: {
    press: (page, selector) => page.click(selector),
    choose: (page, selector, value) => page.selectOption(selector, value),
    write: (page, selector, what) => page.fill(selector, what),
    column: (page, column) => page.click(`.column:nth-child(${column})`),
    look: (page, selector) => page.hover(selector),
    lookAway: (page) => page.mouse.move(0, 0),
    slide: (page, selector, value) => page.fill(selector, String(value)),
    async slideTo(page, selector, share) {
      await page.locator(selector).scrollIntoViewIfNeeded();
      const { x, y, width, height } = await page.locator(selector).boundingBox();
      await page.mouse.click(x + 1 + share * (width - 2), y + height / 2);
    },
  },
  keyboard: {
    /** Moves the focus there with the Tab key, as people without a pointer do. */
    async look(page, selector) {
      for (let step = 0; step < 120; step++) {
        const key = await keyTowards(page, selector);
        if (key === null) return;
        await page.keyboard.press(key);
      }
      throw new Error(`the tabulator does not reach ${selector}`);
    },
    lookAway: (page) => page.evaluate(() => document.activeElement.blur()),
    async press(page, selector) {
      await this.look(page, selector);
      await page.keyboard.press("Enter");
    },
    async choose(page, selector, value) {
      await this.look(page, selector);
      const steps = await page.$eval(selector, (select, wanted) =>
        [...select.options].findIndex((one) => one.value === wanted) - select.selectedIndex, value);
      for (let step = 0; step < Math.abs(steps); step++) await page.keyboard.press(steps > 0 ? "ArrowDown" : "ArrowUp");
    },
    async write(page, selector, what) {
      await this.look(page, selector);
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await page.keyboard.insertText(what);
    },
    async column(page, column) {
      await this.press(page, `.column:nth-child(${column})`);
    },
    async slide(page, selector, value) {
      await this.look(page, selector);
      await page.keyboard.press("Home");
      for (let step = 0; step < value; step++) await page.keyboard.press("ArrowRight");
    },
    async slideTo(page, selector, share) {
      await this.look(page, selector);
      await page.keyboard.press(share < 0.5 ? "Home" : "End");
    },
  },
};

const LEVELS = ["beginner", "novice", "casual", "intermediate", "advanced", "expert", "master", "perfect"];

/** Chooses in the dialog for a new game: a level or another opponent, and more if `choices` names more. */
async function start(page, hands, opponent = "casual", choices = {}) {
  await page.waitForSelector("dialog");
  for (const [name, value] of Object.entries(choices)) await hands.choose(page, `dialog select[name=${name}]`, value);
  const level = LEVELS.indexOf(opponent);
  if (level >= 0) await hands.slide(page, "dialog input[name=level]", level);
  await hands.press(page, `dialog button[value=${level >= 0 ? "computer" : opponent}]`);
}

/** Begins a game; `stones` is how many there are when a person at the page moves next. */
async function newGame(page, hands, opponent, choices = {}, stones = 0) {
  await hands.press(page, ".actions button[aria-keyshortcuts=n]");
  await start(page, hands, opponent, choices);
  await page.waitForSelector("dialog", { state: "detached" });
  await untilStones(page, stones);
}

/** Writes a position into the dialog of the analysis; it stays open with what is wrong. */
async function setUp(page, hands, notation) {
  if (await page.locator("dialog").count() === 0) await hands.press(page, "#edit");
  await page.waitForSelector("dialog #input");
  await hands.write(page, "#input", notation);
  await hands.press(page, "#edit-done");
}

/** Sets a position up. */
async function goFrom(page, hands, notation) {
  await setUp(page, hands, notation);
  await page.waitForSelector("dialog", { state: "detached" });
}

/** Chooses in the settings. */
async function change(page, hands, ...values) {
  await hands.press(page, "#open-settings");
  await page.waitForSelector("dialog");
  for (const [name, value] of values) await hands.choose(page, `dialog select[name=${name}]`, value);
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
}

/** The answer of a server that could not solve a position in time: some of its moves, and bounds. */
function unsolved(size, isBegun = true) {
  const move = (column, score, outcome, plies) => ({ column, score, outcome, plies_to_end: plies, known: true, playable: true });
  const known = { size, score: null, outcome: null, plies_to_end: null, best_moves: [], source: "solver", complete: false, moves: isBegun ? [move("1", -3, "loss", 30), move("4", 2, "win", 35)] : [] };
  const problem = { type: "urn:fourbook:problem:not-solved", status: 503, detail: "the score was not found before the deadline; allow more with deadline", bounds: { min: 2, max: 12 }, nodes: 1000 };
  return { contentType: "text/event-stream", body: `event: position\ndata: ${JSON.stringify(known)}\n\nevent: problem\ndata: ${JSON.stringify(problem)}\n\n` };
}

module.exports = { HANDS, answered, change, goFrom, goTo, labels, launch, launchFirefox, newGame, open, setUp, start, text, unsolved, until, untilStones, untilText };
