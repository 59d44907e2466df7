// fourbook for Node.js: ready when it has been imported.

import { readFileSync } from "node:fs";
import { loadBook } from "./book-node.js";
import { NAMES } from "./book-names.js";
import { fileOf } from "./files-node.js";
import { initialise, sources } from "./module.js";

const bookOf = (size) => NAMES[size] && fileOf(NAMES[size]);
Object.assign(sources, { book: bookOf("7x6"), bookOf, loadBook });
initialise(readFileSync(fileOf("raw_bg.wasm")));

export * from "./core.js";
