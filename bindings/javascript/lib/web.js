// fourbook for browsers and bundlers.

import { loadBook } from "./book-web.js";
import { BOOKS } from "./books.js";
import { placeOf, setSources } from "./module.js";

setSources({
  wasm: placeOf("raw_bg.wasm", new URL("./raw_bg.wasm", import.meta.url)),
  books: BOOKS,
  loadBook,
});

export * from "./core.js";
