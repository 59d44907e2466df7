#!/usr/bin/env node
// Runs the program `fourbook`, which is in the package that a release has for this system.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const name = `fourbook-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "fourbook.exe" : "bin/fourbook";
let program;
try {
  program = createRequire(import.meta.url).resolve(`${name}/${file}`);
} catch {
  console.error(
    `error: expected the package '${name}', found none; install its archive of the same release, or build fourbook from its sources`,
  );
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends Ctrl-C to both; the program decides what it means.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("error", (error) => {
  console.error(`error: cannot run '${program}': ${error.message}`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  process.exitCode = code;
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
});
