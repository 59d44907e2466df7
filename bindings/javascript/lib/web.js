// fourbook for browsers and bundlers.

import { loadBook } from "./book-web.js";
import { setSources } from "./module.js";

setSources({
  wasm: new URL("./raw_bg.wasm", import.meta.url), book: new URL("./7x6-d12.book", import.meta.url), loadBook,
});

export * from "./core.js";
