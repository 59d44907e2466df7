// The package in Next.js without a configuration, on the server and in a browser, bundled by Turbopack and
// by webpack; run by scripts/test-javascript.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.FOURBOOK_TOOLS, "tools.js"));
const { chromium } = require("playwright-core");
const NEXT = join(process.env.FOURBOOK_TOOLS, "node_modules/next/dist/bin/next");
// Turbopack follows no link out of the folder that has the lock file.
const FOLDER = join(process.env.FOURBOOK_TOOLS, "next-app");
const FILES = {
  "package.json": '{ "private": true }',
  "app/layout.js": "export default ({ children }) => <html><body>{children}</body></html>;",
  "app/page.js": `
    import { Oracle } from "fourbook";
    export const dynamic = "force-dynamic";
    export default async function Page() {
      return <p id="score">{(await Oracle.load()).score("4453")}</p>;
    }`,
  "app/browser/page.js": `
    "use client";
    import { useEffect, useState } from "react";
    import { init, Oracle } from "fourbook/worker";
    export default function Page() {
      const [score, setScore] = useState("");
      useEffect(() => {
        init().then(() => Oracle.load()).then((oracle) => oracle.score("4453")).then((found) => setScore(String(found)));
      }, []);
      return <p id="score">{score}</p>;
    }`,
};

rmSync(FOLDER, { recursive: true, force: true });
for (const [name, text] of Object.entries(FILES)) {
  mkdirSync(join(FOLDER, name, ".."), { recursive: true });
  writeFileSync(join(FOLDER, name), text);
}
cpSync(join(process.cwd(), "node_modules/fourbook"), join(FOLDER, "node_modules/fourbook"), { recursive: true });

const options = { cwd: FOLDER, env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } };
for (const bundler of ["--turbopack", "--webpack"]) await check(bundler);

async function check(bundler) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [NEXT, "build", bundler], options);
  assert.equal(status, 0, `next build ${bundler}: ${stdout}${stderr}`);
  const server = spawn(process.execPath, [NEXT, "start", "--port", "0", "--hostname", "127.0.0.1"], options);
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium-headless-shell",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
  try {
    const address = await new Promise((resolve, reject) => {
      let log = "";
      server.stdout.on("data", (data) => {
        log += data;
        const found = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(log);
        if (found) resolve(found[0]);
      });
      server.on("exit", () => reject(new Error(`next start ended: ${log}`)));
    });
    const page = await browser.newPage();
    for (const path of ["/", "/browser"]) {
      await page.goto(address + path);
      await page.waitForFunction(() => document.querySelector("#score")?.textContent === "-2", undefined, { timeout: 60_000 });
    }
    console.log(`bundled by next ${bundler}: all is well`);
  } finally {
    await browser.close();
    server.kill();
  }
}
