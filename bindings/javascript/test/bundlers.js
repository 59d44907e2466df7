// The package in bundles, in a headless browser; run by scripts/test-javascript.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.FOURBOOK_TOOLS, "tools.js"));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const loadVite = (version) => import(pathToFileURL(join(process.env.FOURBOOK_TOOLS, "node_modules", version, "dist/node/index.js")));
const { chromium } = require("playwright-core");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const HERE = process.cwd();
const LIB = join(HERE, "node_modules", "fourbook", "lib");
const PAGE = '<!doctype html><script type="module" src="./main.js"></script>';
const PROGRAM = `
  const position = new Position("4453");
  const there = await Oracle.load();
  const analysis = await there.analyse(position);
  window.found = { scores: analysis.scores, same: new Here().score("5622736721521") };
  window.depthOf = async (size) => (await Oracle.load({ size })).book.depth;
`;
const IMPORTS = 'import { Oracle, Position, init, Solver as Here } from "fourbook/worker";';
const MAIN = `${IMPORTS} await init(); ${PROGRAM}`;
const EXPLICIT = `${IMPORTS}
  import wasm from "fourbook/fourbook.wasm?url";
  import book from "fourbook/7x6-d12.book?url";
  import Thread from "fourbook/thread?worker";
  await init({ wasm, book, worker: () => new Thread() }); ${PROGRAM}`;

/** A project's folder with a page and its script. */
function project(name, main = MAIN) {
  const folder = join(HERE, "bundlers", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.html"), PAGE);
  writeFileSync(join(folder, "main.js"), main);
  return folder;
}

/** Builds that put a bundle into `dist`. */
const BUILDS = {
  async webpack(folder) {
    const { default: webpack } = await load("webpack");
    const stats = await new Promise((resolve, reject) => {
      webpack({
        mode: "production", context: folder, entry: "./main.js", experiments: { topLevelAwait: true },
        output: { path: join(folder, "dist"), filename: "main.js" },
      }, (error, stats) => (error ? reject(error) : resolve(stats)));
    });
    assert.ok(!stats.hasErrors(), stats.toString());
  },
  async esbuild(folder) {
    const { build } = await load("esbuild");
    await build({ entryPoints: [join(folder, "main.js")], bundle: true, format: "esm", target: "es2022", outfile: join(folder, "dist/main.js"), logLevel: "warning" });
    cpSync(LIB, join(folder, "dist"), { recursive: true });
  },
  async rollup(folder) {
    const [{ rollup }, { default: resolve }] = [await load("rollup"), await load("@rollup/plugin-node-resolve")];
    const bundle = await rollup({ input: join(folder, "main.js"), plugins: [resolve({ browser: true })] });
    await bundle.write({ dir: join(folder, "dist"), format: "es" });
    cpSync(LIB, join(folder, "dist"), { recursive: true });
  },
  vite5: (folder) => viteBuild("vite5", folder),
  vite7: (folder) => viteBuild("vite7", folder),
  vite8: (folder) => viteBuild("vite8", folder),
};

async function viteBuild(version, folder) {
  const { build } = await loadVite(version);
  await build({ root: folder, base: "./", logLevel: "error", configFile: false, build: { target: "es2022" } });
}

function serve(folder) {
  const server = createServer((request, response) => {
    try {
      const path = new URL(request.url, "http://x").pathname.replace(/\/$/, "/index.html");
      response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream");
      response.end(readFileSync(join(folder, path)));
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

async function check(name, address, browser) {
  const page = await browser.newPage();
  const faults = [];
  const loaded = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => loaded.push(request.url()));
  await page.goto(address);
  const found = await page.waitForFunction(() => window.found, undefined, { timeout: 60_000 })
    .then((handle) => handle.jsonValue())
    .catch((error) => assert.fail(`${name}: ${error.message} ${faults}`));
  assert.deepEqual(found, { scores: [-5, -5, -2, -3, -4, -2, -2], same: -8 }, name);
  // The addresses of other books come when they are asked for.
  assert.ok(!loaded.some((url) => /books.*\.js|[^7]x\d+-d/.test(url)), `${name}: ${loaded}`);
  assert.equal(await page.evaluate(() => window.depthOf("6x5")), 8, name);
  assert.equal(await page.evaluate(() => window.depthOf("4x4")), 8, name);
  assert.deepEqual(faults, [], name);
  console.log(`bundled by ${name}: all is well`);
  await page.close();
}

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium-headless-shell",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
});
try {
  for (const [name, build] of Object.entries(BUILDS)) {
    const folder = project(name, name === "vite7" ? EXPLICIT : MAIN);
    await build(folder);
    if (name === "webpack" || name === "esbuild" || name === "rollup") cpSync(join(folder, "index.html"), join(folder, "dist/index.html"));
    const server = await serve(join(folder, "dist"));
    await check(name, `http://127.0.0.1:${server.address().port}/`, browser);
    server.close();
  }
  // The development servers, without a configuration, and by the recipes of the README.
  const exclude = { optimizeDeps: { exclude: ["fourbook"] } };
  const versions = ["vite5", "vite6", "vite7", "vite8"].map((version) => [version, MAIN, {}]);
  for (const [version, main, config] of [...versions, ["vite6", EXPLICIT, {}], ["vite8", MAIN, exclude]]) {
    const { createServer } = await loadVite(version);
    const server = await createServer({ root: project(`${version}-dev`, main), logLevel: "error", configFile: false, server: { port: 0, host: "127.0.0.1" }, ...config });
    await server.listen();
    await check(`the dev server of ${version}`, server.resolvedUrls.local[0], browser);
    await server.close();
  }
} finally {
  await browser.close();
}
