// fourbook for Node.js: ready when it has been imported.

import { readFileSync } from "node:fs";
import { loadBook } from "./book-node.js";
import { initialise, setSources } from "./module.js";

setSources({ book: new URL("./7x6-d12.book", import.meta.url), loadBook });
initialise(readFileSync(new URL("./raw_bg.wasm", import.meta.url)));

export * from "./core.js";
