// Where the package's files are in Node.js.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// By a name of its own: bundlers put an address of the web in place of `new URL("./file", import.meta.url)`.
const here = import.meta.url;

/** The place of a file of the package. A bundle on another machine finds it in the program's `node_modules`. */
export function fileOf(name) {
  const beside = new URL(name, here);
  if (existsSync(beside)) return beside;
  try {
    const installed = createRequire(join(process.cwd(), "program.js")).resolve("fourbook/package.json");
    return new URL(`lib/${name}`, pathToFileURL(installed));
  } catch {
    return beside;
  }
}
