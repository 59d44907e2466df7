"use strict";

// The looks of the page on every screen, in light and dark, with both kinds of stones; and the
// findings of axe.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const { answered, open, unsolved, until, untilStones, untilText } = require("./browser.js");

const SCREENS = [[320, 640], [390, 844], [844, 390], [1280, 720], [2560, 1440]];
const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** A game in the analysis, reviewed. */
async function reviewed(context, address, moves) {
  const page = await open(context, address, `?moves=${moves}#analyse`);
  await page.waitForSelector("#review");
  await page.keyboard.press("r");
  await page.waitForSelector(".graph:not([hidden])");
  return page;
}

/** Every view in a state that shows most of it. */
const VIEWS = {
  async play(context, address) {
    const page = await open(context, address);
    await page.keyboard.press("4");
    await untilStones(page, 2);
    await page.keyboard.press("v");
    await answered(page);
    return page;
  },
  async analyse(context, address) {
    const page = await reviewed(context, address, "44535243");
    await page.keyboard.press("ArrowLeft");
    await answered(page);
    await until(page, () => document.querySelectorAll(".line-moves li").length > 3);
    return page;
  },
  async settings(context, address) {
    const page = await open(context, address);
    await page.click("#open-settings");
    await page.waitForSelector("dialog");
    return page;
  },
  /** A long line beside the one that is shown. */
  async sideLine(context, address) {
    const page = await open(context, address, "?moves=44444353553376536453766656111771771122&ply=6#analyse");
    await page.waitForSelector("#verdict");
    await page.keyboard.press("1");
    await until(page, () => document.querySelector(".branches li"));
    await answered(page);
    return page;
  },
  /** A wide board that cannot be solved in time. */
  async wideBoard(context, address) {
    const streams = /v1\/position\/stream/;
    await context.route(streams, (route) => route.fulfill(unsolved("16x7")));
    const page = await open(context, address, "?size=16x7#analyse");
    await page.waitForSelector(".board[data-size='16x7']");
    await untilText(page, "#solved", /^2\D+16/);
    await context.unroute(streams);
    return page;
  },
  async trainer(context, address) {
    const page = await open(context, address, "#puzzles");
    await page.waitForSelector("#puzzle-kind");
    await page.click(".choice [data-value=opening]");
    await page.waitForSelector("#puzzle-message.yours:not(:empty)");
    await page.keyboard.press("1");
    await page.waitForSelector("#puzzle-message.wrong");
    return page;
  },
  async reason(context, address) {
    const page = await open(context, address, "?moves=15111224#analyse");
    await answered(page);
    await page.click("#why");
    await page.waitForSelector("#board .deciding", { state: "attached" });
    return page;
  },
  async coach(context, address) {
    const page = await reviewed(context, address, "4433512");
    await page.click("#learn");
    await page.waitForSelector("#coach-message.try");
    return page;
  },
  async pastGames(context, address) {
    await context.addInitScript(() => {
      const game = { id: "old", started: "2026-02-03T12:00:00Z", size: "7x6", base: null, moves: "1212121", from: 0, opponent: "computer", level: "casual", seed: 1, you: 0, accuracy: [3, 4] };
      if (location.protocol === "http:") localStorage.setItem("fourbook.game.old", JSON.stringify(game));
    });
    const page = await open(context, address);
    await page.click("#past-games");
    await page.waitForSelector("dialog .record-table");
    return page;
  },
  async puzzles(context, address) {
    const page = await open(context, address, "#puzzles");
    await page.waitForSelector("#puzzle-message.yours", { state: "attached" });
    await page.click("summary");
    return page;
  },
  async card(context, address) {
    const page = await VIEWS.puzzles(context, address);
    await page.click("#share-puzzle");
    await page.waitForSelector("dialog canvas");
    return page;
  },
  async newGame(context, address) {
    const page = await open(context, address);
    await page.keyboard.press("n");
    await page.waitForSelector("dialog");
    return page;
  },
  async editor(context, address) {
    const page = await open(context, address, "?moves=44535243#analyse");
    await page.waitForSelector("#edit");
    await page.click("#edit");
    await page.waitForSelector("dialog .editor");
    return page;
  },
  /** After the others: it stays the game to go on with. */
  async friend(context, address) {
    const page = await open(context, address, "?friend=7&moves=44#play");
    await page.keyboard.press("4");
    await untilStones(page, 3);
    await page.waitForSelector("#copy-game");
    return page;
  },
  async api(context, address) {
    const page = await open(context, address);
    await page.goto(`${address}api#position`);
    await page.waitForSelector("main:not([aria-busy])");
    await page.press("#position button[type=submit]", "Enter");
    await page.waitForSelector("#position .answer .good");
    return page;
  },
};

/** The findings of axe, a line for each kind. */
async function findings(page) {
  // The page's policy allows no other script, and tests must not weaken it; so axe runs outside the
  // page's scripts.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(" ")} (${failureSummary.split("\n")[1]?.trim()})`).join("; ")}`);
}

async function fits(page, name, [width, height]) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `${name}: ${over} pixels too wide`);
  const actions = await page.evaluate(() => document.querySelector("dialog > .actions button")?.getBoundingClientRect().bottom ?? 0);
  assert.ok(actions <= height, `${name}: the dialog's buttons end at ${actions} pixels`);
  const cut = await page.$$eval(".chip", (all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1).length);
  assert.equal(cut, 0, `${name}: ${cut} verdicts are cut`);
  const board = await page.evaluate(() => document.querySelector(".board")?.getBoundingClientRect().toJSON());
  if (!board) return;
  const isWhole = board.left >= 0 && board.top >= 0 && board.right <= width && board.bottom <= height;
  assert.ok(isWhole, `${name}: the board is cut off, ${JSON.stringify(board)}`);
  const share = board.height / height;
  if (width > height && board.width < 1.1 * board.height) assert.ok(share > 0.8, `${name}: the board takes ${share} of the height only`);
}

const WIDTHS = [320, 360, 390, 768, 1280, 1440];

/** The elements that reach over the side of the screen or of the panel, with the number of pixels. */
const overflows = (page) => page.evaluate(() => [...document.querySelectorAll("body *")].flatMap((one) => {
  const { right, width, height } = one.getBoundingClientRect();
  const place = one.closest(".bar, #panel, dialog");
  const end = Math.min(screen.width, place === null ? Infinity : place.getBoundingClientRect().right);
  const isSeen = width > 1 && height > 1 && one.checkVisibility() && !one.closest(".unseen, #toast, svg, .line-moves li");
  return isSeen && right > end + 0.5 ? [`${one.outerHTML.slice(0, 60)}: ${Math.round(right - end)}`] : [];
}));

/** No view is wider than its screen, with a mouse or with fingers, in languages with longer words. */
async function isNeverTooWide(browser, { address }) {
  for (const how of [{ locale: "de-DE" }, { hasTouch: true, isMobile: true, locale: "es-MX" }]) {
    const context = await browser.newContext({ ...how, viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
    for (const [view, make] of Object.entries(VIEWS).filter(([name]) => name !== "api")) {
      const page = await make(context, address);
      for (const width of WIDTHS) {
        const height = width < 700 ? 844 : 720;
        await page.setViewportSize({ width, height });
        await until(page, (wanted) => screen.width === wanted, width);
        assert.deepEqual(await overflows(page), [], `${view}, ${width} pixels, ${how.locale}`);
      }
      await page.close();
    }
    await context.close();
  }
}

/** Light and dark, with both kinds of stones. */
async function looksRight(page, name, shots) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(Number(paper.match(/\d+/)[0]) > 127, colorScheme === "light", `${name}: the paper is ${paper}`);
    await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png` });
    assert.deepEqual(await findings(page), [], `${name}, ${colorScheme}`);
  }
}

async function fitsEveryScreen(browser, { name: hosting, address }, shots) {
  const views = Object.entries(VIEWS).filter(([view]) => view !== "api" || hosting === "server");
  for (const [width, height] of SCREENS) {
    const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce" });
    for (const [view, make] of views) {
      const name = `${hosting}-${view}-${width}x${height}`;
      const page = await make(context, address);
      await fits(page, name, [width, height]);
      await looksRight(page, name, shots);
      assert.deepEqual(page.faults, [], name);
      await page.close();
    }
    await context.close();
  }
}

/** The stones for all kinds of colour vision, chosen and kept. */
async function hasStonesForEverybody(browser, { name: hosting, address }, shots) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 650 }, reducedMotion: "reduce" });
  await context.addInitScript(() => localStorage.setItem("fourbook.settings", JSON.stringify({ stones: "safe", threats: true })));
  const page = await VIEWS.analyse(context, address);
  await looksRight(page, `${hosting}-safe`, shots);
  await context.close();
}

/** What forced colours leave of an element's looks: its colours, lines and shape. */
const looksOf = (page, selector) => page.locator(selector).first().evaluate((one) => {
  const style = getComputedStyle(one);
  const pattern = one.querySelector(".pattern");
  return {
    colours: [style.backgroundColor, style.color, style.fill, style.stroke].join(),
    lines: [style.outlineStyle, style.outlineColor, style.borderColor, style.textDecorationLine].join(),
    shape: pattern && getComputedStyle(pattern).display !== "none" ? pattern.getAttribute("d") : style.backgroundImage,
  };
});

/** In forced colours, what is chosen looks other than what is not, and so do the stones of both sides. */
const FORCED = {
  play: [
    ["nav a[aria-current]", "nav a:not([aria-current])"], [".help [aria-pressed=true]", ".help [aria-pressed=false]"],
    [".chip.best", ".chip:not(.best)"], [".seat .dot.first", ".seat .dot.second"], [".move[aria-current]", ".move:not([aria-current])"],
    ["#board .stone.first", "#board .stone.second"], [".seat.turn", ".seat:not(.turn)"],
  ],
  analyse: [[".move[aria-current]", ".move:not([aria-current])"], [".move .dot.first", ".move .dot.second"]],
  puzzles: [[".choice [aria-pressed=true]", ".choice [aria-pressed=false]"]],
  editor: [[".editor .dot.first", ".editor .dot.second"]],
  newGame: [["dialog .main", "dialog .actions button:not(.main)"]],
};

async function showsWhatIsChosenInForcedColours(browser, { address }, shots) {
  for (const [view, pairs] of Object.entries(FORCED)) {
    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({ viewport: { width: 1366, height: 650 }, reducedMotion: "reduce", colorScheme, forcedColors: "active" });
      const page = await VIEWS[view](context, address);
      assert.ok(await page.evaluate(() => matchMedia("(forced-colors: active)").matches));
      await page.screenshot({ path: `${shots}/${browser.browserType().name()}-forced-${view}-${colorScheme}.png` });
      const hidden = await page.$$eval("dialog, .editor button", (all) => all.filter((one) => getComputedStyle(one).borderStyle === "none").length);
      assert.equal(hidden, 0, `${view}: ${hidden} dialogs and cells have no edge`);
      for (const [one, other] of pairs) assert.notDeepEqual(await looksOf(page, one), await looksOf(page, other), `${view}, ${colorScheme}: ${one} and ${other}`);
      const stones = await page.$$eval("#board .stone", (all) => [...new Set(all.map((stone) => getComputedStyle(stone.querySelector(".pattern")).display))]);
      assert.ok(!stones.includes("none"), `${view}: stones have patterns`);
      await context.close();
    }
  }
}

/** The contrast of two colours, as WCAG defines it. */
function contrast(...colours) {
  const [dark, light] = colours.map((colour) => colour.match(/[\d.]+/g).slice(0, 3).reduce((sum, part, index) => {
    const share = part / 255;
    return sum + [0.2126, 0.7152, 0.0722][index] * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
  }, 0)).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The threats of both sides, on the empty cells they are drawn in: 3 to 1, as for all graphics. */
async function showsThreats(browser, { address }) {
  for (const stones of ["classic", "safe"]) {
    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({ viewport: { width: 1366, height: 650 }, reducedMotion: "reduce", colorScheme });
      await context.addInitScript((kept) => localStorage.setItem("fourbook.settings", kept), JSON.stringify({ stones, threats: true }));
      const page = await open(context, address, "?moves=121212#analyse");
      const hole = await page.$eval("#board .back", (one) => getComputedStyle(one).fill);
      const marks = await page.$$eval("#board .threat circle", (all) => all.map((one) => getComputedStyle(one).stroke));
      assert.ok(marks.length > 0, "there are threats");
      const colours = await page.evaluate(() => ["first", "second"].map((side) => {
        const mark = document.createElementNS("http://www.w3.org/2000/svg", "g");
        mark.setAttribute("class", `threat ${side}`);
        mark.append(document.createElementNS("http://www.w3.org/2000/svg", "circle"));
        document.querySelector("#board .marks").append(mark);
        return getComputedStyle(mark.firstChild).stroke;
      }));
      for (const colour of colours) {
        assert.ok(contrast(colour, hole) >= 3, `${stones}, ${colorScheme}: ${colour} on ${hole} has ${contrast(colour, hole)}`);
      }
      await context.close();
    }
  }
}

/** Letters in circles, in place of those outside of {names}. */
const circled = (text) => text.replace(/\{\w+\}|[a-z]/gi, (part) =>
  (part.length > 1 ? part : String.fromCodePoint(part.codePointAt(0) + (part < "a" ? 0x24b6 - 0x41 : 0x24d0 - 0x61))));

/** Words that are the same in every language, and what is found of the months of German dates. */
const WORDS = /^(fourbook|four|book|[XO]+|Jan|Feb|rz|Apr|Mai|Juni|Juli|Aug|Sept|Okt|Nov|Dez)$/;

/** The words on the page that are not of its texts, which are in circles. */
const wordsInCode = (page) => page.evaluate(() => [...document.querySelectorAll("html, head title, body *")].flatMap((one) => {
  if (one.closest("noscript, select[name=language], #link, .card-text, script")) return [];
  const own = [...one.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data);
  const named = ["aria-label", "aria-valuetext", "title", "alt", "placeholder", "data-word", "label"].map((name) => one.getAttribute(name) ?? "");
  return [...own, ...named].flatMap((text) => text.match(/[a-z]{2,}/gi) ?? []);
})).then((words) => words.filter((word) => !WORDS.test(word)));

/** Everything that is read or heard is in the texts of a language, of which English alone is in a script. */
async function hasNoTextInCode(browser, { address }) {
  const context = await browser.newContext({ locale: "de-DE", serviceWorkers: "block", viewport: { width: 1366, height: 650 }, reducedMotion: "reduce" });
  await context.route(/\/texts\//, async (route) => {
    const response = await route.fetch();
    const texts = JSON.parse(await response.text(), (_, value) => (typeof value === "string" ? circled(value) : value));
    await route.fulfill({ response, json: texts });
  });
  for (const [view, make] of Object.entries(VIEWS).filter(([name]) => name !== "api")) {
    const page = await make(context, address);
    assert.deepEqual(await wordsInCode(page), [], view);
    for (const dialog of view === "settings" ? ["#open-about", "#open-keys"] : []) {
      await page.click(dialog);
      await page.waitForSelector("dialog ~ dialog");
      assert.deepEqual(await wordsInCode(page), [], dialog);
      await page.keyboard.press("Escape");
    }
    assert.deepEqual(page.faults, [], view);
    await page.close();
  }
  await context.close();
}

/** The browser's language or the chosen one, with its plurals, numbers and dates; English for others. */
async function speaksTheLanguageOfTheBrowser(browser, { address }) {
  const says = { "de-AT": ["de", /^Vier gewinnt/], "es-MX": ["es", /^Cuatro en raya/], "fr-FR": ["en", /^Connect Four/] };
  for (const [locale, [language, title]] of Object.entries(says)) {
    const context = await browser.newContext({ locale });
    const page = await open(context, address);
    await untilText(page, "#status", title);
    const loaded = await page.evaluate(() => performance.getEntriesByType("resource").flatMap(({ name }) => /texts\/(\w+)\./.exec(name)?.[1] ?? []));
    assert.equal(await page.getAttribute("html", "lang"), language);
    // Texts in English are in a script.
    assert.deepEqual([...new Set(loaded)], language === "en" ? [] : [language]);
    await page.click("#open-settings");
    await page.selectOption("select[name=language]", "de");
    await untilText(page, "#status", /^Vier gewinnt/);
    assert.equal(await page.getAttribute("html", "lang"), "de");
    await page.click("nav [data-view=puzzles]");
    await page.waitForSelector("#puzzle-message.yours", { state: "attached" });
    await page.click(".choice [data-value=daily]");
    await untilText(page, "#puzzle-kind", /^Rätsel des Tages, \d+\. [A-ZÄ][a-zä]+\.? · (Leicht|Mittel|Schwer)$/);
    assert.deepEqual(page.faults, []);
    await context.close();
  }
}

module.exports = { VIEWS, fitsEveryScreen, isNeverTooWide, hasStonesForEverybody, showsThreats, showsWhatIsChosenInForcedColours, hasNoTextInCode, speaksTheLanguageOfTheBrowser };
