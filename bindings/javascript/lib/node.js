// fourbook for Node.js: ready when it has been imported.

import { readFileSync } from "node:fs";
import { loadBook } from "./book-node.js";
import { NAMES } from "./book-names.js";
import { fileOf } from "./files-node.js";
import { initialise, setSources } from "./module.js";

const books = Object.fromEntries(Object.entries(NAMES).map(([size, name]) => [size, fileOf(name)]));
setSources({ books: Object.assign(Object.create(null), books), loadBook });
initialise(readFileSync(fileOf("raw_bg.wasm")));

export * from "./core.js";
