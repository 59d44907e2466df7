"use strict";

// Values from outside that are wrong: in the storage, in an address, from another tab.

const assert = require("node:assert/strict");
const { goTo, newGame, open, untilStones, untilText } = require("../browser.js");

/** DAMAGES is how many of each kind to try. */
const COUNT = Number(process.env.DAMAGES ?? 200);

const SEED = 20260203;

/** In the page: random damages of texts, the same for the same seed. */
const damages = (seed) => {
  let state = seed;
  const chance = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
  const ODD = ["null", "[]", "{}", "-1", "1e9", "\"3x3\"", "\"77x99\"", "\"\"", "true", "\"4444444\"", "[[9,-1]]", "\"X\"", "0.5"];
  /** A value of JSON with one part that is gone or another one. */
  function part(value) {
    const isInner = value !== null && typeof value === "object" && Object.keys(value).length > 0;
    if (!isInner || chance(4) === 0) return JSON.parse(ODD[chance(ODD.length)]);
    const key = Object.keys(value)[chance(Object.keys(value).length)];
    const other = Array.isArray(value) ? [...value] : { ...value };
    if (chance(4) === 0) delete other[key];
    else other[key] = part(value[key]);
    return other;
  }
  globalThis.chance = chance;
  globalThis.damaged = (text) => {
    if (chance(4) > 0) return JSON.stringify(part(JSON.parse(text)));
    const at = chance(text.length + 1);
    return text.slice(0, at) + ["", "\u0000", "}", "9", "é"][chance(5)] + text.slice(at + chance(4));
  };
};

/** A page that has kept something of every kind. */
async function fill(page, hands) {
  await goTo(page, "?moves=4444#analyse");
  await page.waitForSelector("#verdict");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("1");
  await untilStones(page, 4);
  await hands.press(page, "nav a[data-view=puzzles]");
  await untilText(page, "#puzzle-goal", /win in/);
  await hands.press(page, "#show-solution");
  await untilText(page, "#puzzle-message", /That was the solution/);
  await hands.press(page, "nav a[data-view=play]");
  await page.waitForSelector(".panel.play");
  await newGame(page, hands, "two");
  for (const [index, column] of ["4", "4", "3"].entries()) {
    await page.keyboard.press(column);
    await untilStones(page, index + 1);
  }
  await page.keyboard.press("t");
  return page.evaluate(() => ({ local: { ...localStorage }, session: { ...sessionStorage } }));
}

const isAlive = (page) => page.waitForSelector("#panel > .panel");

/** What is wrong in the storage is dropped and said once; the page works. */
async function survivesDamagedStorage(page, hands) {
  const kept = await fill(page, hands);
  assert.ok(Object.keys(kept.local).length >= 7, Object.keys(kept.local).join());
  await page.evaluate(damages, SEED);
  // Several damages at a time, in each of the views.
  for (let tried = 0; tried < COUNT;) {
    tried += await page.evaluate(({ local, session }) => {
      let count = 0;
      for (const [store, values] of [[localStorage, local], [sessionStorage, session]]) {
        store.clear();
        for (const [key, value] of Object.entries(values)) {
          const isDamaged = globalThis.chance(2) === 0;
          store.setItem(key, isDamaged ? globalThis.damaged(value) : value);
          count += isDamaged;
        }
      }
      return count;
    }, kept);
    const seed = await page.evaluate(() => globalThis.chance(2 ** 31));
    const all = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    await goTo(page, ["", "?moves=4444#analyse", "#puzzles"][tried % 3]);
    await isAlive(page);
    assert.deepEqual(page.faults, [], all);
    await page.evaluate(damages, seed);
  }
  await page.evaluate(() => localStorage.setItem("fourbook.settings", "{\"theme\":7}"));
  await goTo(page);
  await untilText(page, "#toast", /was damaged/);
}

/** Any address shows a board. */
async function survivesDamagedAddresses(page) {
  await goTo(page, "#analyse");
  await page.waitForSelector("#verdict");
  await page.evaluate(damages, SEED);
  await page.evaluate(async (count) => {
    const good = ["size=7x6&moves=4453&ply=2", "size=4x4&diagram=X.../..../..../....", "puzzle=easy-7-1", "friend=a.2&moves=44", "moves=4444&ply=-1"];
    for (let tried = 0; tried < count; tried++) {
      const damaged = globalThis.damaged(JSON.stringify(good[globalThis.chance(good.length)])).replace(/["\\#]/g, "");
      history.replaceState("fourbook", "", `?${damaged}#${["play", "analyse", "puzzles", "none"][globalThis.chance(4)]}`);
      dispatchEvent(new PopStateEvent("popstate", { state: "fourbook" }));
      await new Promise((resolve) => { setTimeout(resolve); });
      if (!document.querySelector("#board") || !document.body.dataset.view) throw new Error(location.href);
    }
  }, COUNT);
  page.faults = page.faults.filter((fault) => !/status of [45]/.test(fault));
  assert.deepEqual(page.faults, []);
  for (const address of ["?size=99x99", "?size=07x6", "?diagram=X#play", "?friend=%00#play", "?moves=4&ply=NaN", "?puzzle=2026-99-99#puzzles", "?%=%#analyse"]) {
    await goTo(page, address);
    await isAlive(page);
  }
}

/** Another tab that writes nonsense changes nothing here. */
async function survivesDamagedMessages(page, hands) {
  const { local } = await fill(page, hands);
  await page.evaluate(damages, SEED);
  await page.evaluate(async ([kept, count]) => {
    const keys = Object.keys(kept);
    for (let tried = 0; tried < count; tried++) {
      const key = keys[globalThis.chance(keys.length)];
      localStorage.setItem(key, globalThis.damaged(kept[key]));
      dispatchEvent(new StorageEvent("storage", { key, storageArea: localStorage }));
      await new Promise((resolve) => { setTimeout(resolve); });
    }
    localStorage.clear();
  }, [local, COUNT]);
  assert.deepEqual(page.faults, []);
  await isAlive(page);
  const other = await open(page.context(), page.address);
  await isAlive(other);
  await other.close();
}

/** A move costs no more with a thousand kept games than with none. */
async function isAsQuickWithManyGames(page, hands) {
  const times = [];
  for (const count of [0, 1000]) {
    await page.evaluate((games) => {
      localStorage.clear();
      for (let index = 0; index < games; index++) {
        const game = { id: `g${index}`, started: new Date(1e12 + index * 1e6).toISOString(), size: "7x6", base: null, moves: "44444353226653", from: 0, opponent: "computer", level: "casual", seed: 1, you: 0 };
        localStorage.setItem(`fourbook.game.g${index}`, JSON.stringify(game));
      }
    }, count);
    await goTo(page);
    await newGame(page, hands, "two");
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    const spent = async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "ScriptDuration").value;
    const before = await spent();
    for (let stones = 1; stones <= 8; stones++) {
      await page.keyboard.press(String(1 + stones % 7));
      await untilStones(page, stones);
    }
    times.push(1000 * (await spent() - before) / 8);
    await session.detach();
  }
  if (process.env.TIMES) console.log(`milliseconds of script for a move, with 0 and 1,000 games: ${times}`);
  assert.ok(times[1] < 2 * times[0] + 5, `${times}`);
}

module.exports = [survivesDamagedStorage, survivesDamagedAddresses, survivesDamagedMessages, isAsQuickWithManyGames];
