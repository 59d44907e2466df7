// The package in a headless browser, as it is served to one; run by scripts/test-javascript.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { createRequire } from "node:module";
import { crc32 } from "node:zlib";

const require = createRequire(join(process.env.FOURBOOK_TOOLS, "tools.js"));
const { chromium } = require("playwright-core");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const PACKAGE = join(process.cwd(), "node_modules", "fourbook");
const IMPORTS = { fourbook: "/lib/web.js", "fourbook/worker": "/lib/worker-web.js", "fourbook/core": "/lib/core.js" };
const PAGE = `<!doctype html><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;

/** A book, and one that differs only in its header: of the same length, and to the server unchanged. */
const ORIGINAL = readFileSync(join(PACKAGE, "lib", "7x6-d12.book"));
const CHANGED = Buffer.from(ORIGINAL);
// After width, height, kind and a length comes the name of the program; the checksum ends the header.
CHANGED.write("F", 16 + 3 + 8);
const END = 16 + CHANGED.readUInt32LE(12);
CHANGED.writeUInt32LE(crc32(CHANGED.subarray(0, END)), END);
let current = ORIGINAL;
/** Answers in place of a book. */
const STRANGE = {
  "/page.book": (response) => response.setHeader("content-type", "text/html").end("<!doctype html>"),
  "/short.book": (response) => response.setHeader("content-length", 9999).write(ORIGINAL.subarray(0, 999), () => response.destroy()),
  "/cut.book": (response) => response.end(ORIGINAL.subarray(0, 99_999)),
};
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://x");
  const path = normalize(pathname);
  response.setHeader("access-control-allow-origin", "*");
  if (path === "/") {
    response.setHeader("content-type", "text/html");
    if (searchParams.has("policy")) response.setHeader("content-security-policy", searchParams.get("policy"));
    response.end(PAGE);
    return;
  }
  if (STRANGE[path]) return STRANGE[path](response);
  try {
    const body = path.endsWith(".book") && path !== "/no-such.book" ? Buffer.from(current) : readFileSync(join(PACKAGE, path));
    if (path === "/damaged.book") body[body.length - 1000] ^= 1;
    response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream");
    response.setHeader("etag", `"${path}"`);
    response.statusCode = request.headers["if-none-match"] === `"${path}"` ? 304 : 200;
    response.end(response.statusCode === 304 ? undefined : body);
  } catch {
    response.statusCode = 404;
    response.end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium-headless-shell",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
});
try {
  const context = await browser.newContext();
  const faults = [];
  const open = async (policy) => {
    const page = await context.newPage();
    page.on("pageerror", (error) => faults.push(String(error)));
    await page.goto(policy === undefined ? address : `${address}?policy=${encodeURIComponent(policy)}`);
    return page;
  };
  await answersByWorker(await open());
  await keepsTheBook(await open());
  await answersInThePage(await open());
  await needsNoBook(await open());
  await saysWhatIsMissing(await open());
  await saysWhatIsNotAllowed(await open("script-src 'self' 'unsafe-inline'; worker-src 'none'"));
  await startsFromAnotherOrigin(await open());
  assert.deepEqual(faults, []);
  console.log("in a browser: all is well");
} finally {
  await browser.close();
  server.close();
}

/** The page stays responsive while a worker searches, and stops the search. */
async function answersByWorker(page) {
  const found = await page.evaluate(async () => {
    const { Oracle } = await import("fourbook/worker");
    const loaded = [];
    const oracle = await Oracle.load({ onProgress: (bytes, total) => loaded.push([bytes, total]) });
    const analysis = await oracle.analyse("4453");
    const long = await Oracle.load({ size: "8x8", book: null, memory: 1 << 22 });
    const stop = new AbortController();
    const search = long.analyse("", { signal: stop.signal });
    // Were the search over, or the page blocked, there would be no abort.
    for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();
    const error = await search.catch((error) => error.name);
    const after = await long.score("634727216256773846446444368174338368683232171718711");
    const parts = [];
    for await (const part of oracle.parts("5622736721521")) parts.push(part.complete);
    // The deepest possible search, on the small stack of a worker.
    const deep = [];
    for (const size of ["7x6", "8x8", "9x7", "10x7", "10x10", "16x7", "8x15", "4x31"]) {
      const each = await Oracle.load({ size, book: null, memory: 1 << 20 });
      deep.push(`${size} ${await each.score("", { maxNodes: 100_000 }).catch((error) => error.name)}`);
      each.close();
    }
    oracle.close();
    long.close();
    return { loaded: loaded.at(-1), scores: analysis.scores, json: analysis.toJSON(), error, after, parts, deep };
  });
  assert.deepEqual(found.scores, [-5, -5, -2, -3, -4, -2, -2]);
  assert.deepEqual(found.json.best_moves, ["3", "6", "7"]);
  assert.ok(found.loaded[0] > 1e6, `${found.loaded}`);
  assert.deepEqual([found.error, found.after], ["AbortError", 7]);
  assert.deepEqual(found.deep.filter((each) => !each.endsWith(" NodeBudgetError")), []);
  assert.deepEqual([found.parts[0], found.parts.at(-1)], [false, true]);
}

/** The book is kept once it is checked, loaded again when its header differs, and works without a network. */
async function keepsTheBook(page) {
  const found = await page.evaluate(async () => {
    await caches.open("another");
    const { Book } = await import("fourbook");
    const book = await Book.load();
    let calls = 0;
    const again = await Book.load(null, { onProgress: () => (calls += 1) });
    const named = async (work) => work.then(() => "loaded", ({ name, message }) => `${name}: ${message}`);
    const damaged = await named(Book.load("damaged.book"));
    return [book.lookUp("44"), book.verify().passed && again.identity === book.identity && calls, (await caches.keys()).sort(), damaged,
      (await (await caches.open("fourbook")).keys()).map(({ url }) => new URL(url).pathname)];
  });
  assert.deepEqual(found.slice(0, 3), [1, 1, ["another", "fourbook"]]);
  assert.match(found[3], /^BookError: the book .*damaged.book is damaged/);
  assert.deepEqual(found[4], ["/lib/7x6-d12.book"]);
  const load = () => page.evaluate(async () => (await (await import("fourbook")).Book.load()).identity);
  const before = await load();
  current = CHANGED;
  const after = await load();
  assert.notEqual(after, before);
  current = ORIGINAL;
  assert.deepEqual([await load(), await load()], [before, before]);
  await page.route("**/*.book", (route) => route.abort());
  const score = await page.evaluate(async () => {
    const { Oracle } = await import("fourbook");
    const uncached = await Oracle.load({ cache: false }).catch(({ name }) => name);
    return [(await Oracle.load()).score("44"), uncached];
  });
  assert.deepEqual(score, [1, "BookError"]);
}

async function answersInThePage(page) {
  const found = await page.evaluate(async () => {
    const { Level, Oracle, Position, Solver, init } = await import("fourbook");
    const early = (() => {
      try {
        return new Position("44");
      } catch (error) {
        return error.message;
      }
    })();
    await init();
    const oracle = await Oracle.load();
    const line = new Position("1213141").winningLine.length;
    const played = oracle.chooseMove("4453", { level: Level.all()[2], seed: 7 }).column;
    return [early, oracle.score("4453"), line, played, new Solver().score("5622736721521")];
  });
  assert.match(found[0], /first `await init\(\)`/);
  assert.deepEqual(found.slice(1), [-2, 4, 6, -8]);
}

async function needsNoBook(page) {
  const found = await page.evaluate(async () => {
    const { Oracle, init } = await import("fourbook/core");
    await init({ wasm: "lib/raw_bg.wasm" });
    const error = await Oracle.load().catch((error) => error.message);
    return [new Oracle({ size: "4x4" }).score(""), error];
  });
  assert.equal(found[0], 0);
  assert.match(found[1], /fourbook\/core loads no books/);
}

async function saysWhatIsMissing(page) {
  const error = await page.evaluate(async () => {
    const { Book } = await import("fourbook");
    const load = (name) => Book.load(name).catch(({ name, message }) => `${name}: ${message}`);
    return Promise.all(["/no-such.book", "/page.book", "/short.book", "/cut.book"].map(load));
  });
  assert.match(error[0], /^BookError: cannot load the book .*no-such.book: the server answers 404$/);
  assert.match(error[1], /^BookError: cannot load the book .*page.book: expected a book, found a page in HTML$/);
  assert.match(error[2], /^BookError: cannot load the book .*short.book: ./);
  assert.match(error[3], /^BookError: .*cut.book: ./);
}

async function saysWhatIsNotAllowed(page) {
  const [program, worker] = await page.evaluate(async () => {
    const { init, Oracle } = await import("fourbook/worker");
    const text = (work) => work.catch(({ name, message }) => `${name}: ${message}`);
    return [await text(init()), await text(Oracle.load())];
  });
  assert.match(program, /^FourbookError: cannot load the WebAssembly module from .*'wasm-unsafe-eval'/);
  assert.match(worker, /^FourbookError: the worker cannot start: .*worker-src.*init\(\{ worker \}\)/);
}

async function startsFromAnotherOrigin(page) {
  const other = address.replace("127.0.0.1", "localhost");
  const [error, score] = await page.evaluate(async (other) => {
    const { init, Oracle } = await import(`${other}lib/worker-web.js`);
    const error = await Oracle.load().catch(({ name, message }) => `${name}: ${message}`);
    // As the README says.
    const script = new Blob([`import "${other}lib/thread-web.js";`], { type: "text/javascript" });
    await init({ worker: () => new Worker(URL.createObjectURL(script), { type: "module" }) });
    return [error, await (await Oracle.load()).score("4453")];
  }, other);
  assert.match(error, /^FourbookError: the worker cannot start: .*of the page's origin.*"Bundlers" in the README$/);
  assert.equal(score, -2);
}
