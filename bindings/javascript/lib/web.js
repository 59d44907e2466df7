// fourbook for browsers and bundlers.

import { loadBook } from "./book-web.js";
import { placeOf, setSources } from "./module.js";

setSources({
  wasm: placeOf("raw_bg.wasm", new URL("./raw_bg.wasm", import.meta.url)),
  book: placeOf("7x6-d12.book", new URL("./7x6-d12.book", import.meta.url)),
  loadBook,
});

export * from "./core.js";
