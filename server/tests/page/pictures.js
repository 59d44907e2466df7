"use strict";

// Makes the README's pictures of the page in server/pictures: node pictures.js ADDRESS

const fs = require("node:fs");
const { answered, launch, open, until, untilStones } = require("./browser.js");

const FOLDER = "server/pictures";
const WIDE = { viewport: { width: 1280, height: 640 }, reducedMotion: "reduce" };
const PHONE = { viewport: { width: 390, height: 780 }, reducedMotion: "reduce" };

const PICTURES = {
  async play(browser, address) {
    const context = await browser.newContext({ ...WIDE, colorScheme: "dark" });
    const page = await open(context, address);
    for (const [index, column] of [4, 3, 4].entries()) {
      await page.keyboard.press(String(column));
      await untilStones(page, 2 * index + 2);
    }
    await page.keyboard.press("h");
    await until(page, () => /is best/.test(document.querySelector(".hint-text").textContent));
    return page;
  },
  async analyse(browser, address) {
    const page = await open(await browser.newContext(WIDE), address, "?moves=444435535&ply=6#analyse");
    await page.waitForSelector("#review");
    await page.keyboard.press("r");
    await page.waitForSelector(".graph:not([hidden])");
    await answered(page);
    await until(page, () => document.querySelectorAll(".line-moves li").length > 3);
    return page;
  },
  async puzzles(browser, address) {
    const page = await open(await browser.newContext(PHONE), address, "#puzzles");
    await until(page, () => /win in/.test(document.querySelector("#puzzle-goal")?.textContent ?? ""));
    return page;
  },
  async api(browser, address) {
    const page = await (await browser.newContext(WIDE)).newPage();
    await page.goto(`${address}api#review`);
    await page.waitForSelector("main:not([aria-busy])");
    await page.press("#review button[type=submit]", "Enter");
    await page.waitForSelector("#review .answer .good");
    await page.$eval("#review form", (form) => form.scrollIntoView());
    await page.mouse.wheel(0, -110);
    await page.waitForTimeout(300);
    return page;
  },
};

async function main() {
  const browser = await launch();
  fs.mkdirSync(FOLDER, { recursive: true });
  for (const [name, make] of Object.entries(PICTURES)) {
    const page = await make(browser, process.argv[2]);
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 82 });
    fs.writeFileSync(`${FOLDER}/${name}.webp`, Buffer.from(data, "base64"));
  }
  await browser.close();
}

main();
