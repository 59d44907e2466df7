// fourbook for Node.js: ready when it has been imported.

import { readFileSync } from "node:fs";
import { loadBook } from "./book-node.js";
import { BOOKS } from "./books.js";
import { initialise, setSources } from "./module.js";

setSources({ books: BOOKS, loadBook });
initialise(readFileSync(new URL("./raw_bg.wasm", import.meta.url)));

export * from "./core.js";
