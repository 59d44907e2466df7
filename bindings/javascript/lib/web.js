// fourbook for browsers and bundlers.

import { loadBook } from "./book-web.js";
import { setSources } from "./module.js";

setSources(new URL("./raw_bg.wasm", import.meta.url), loadBook);

export * from "./core.js";
