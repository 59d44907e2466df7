// fourbook for browsers and bundlers.

import { loadBook } from "./book-web.js";
import { placeOf, sources } from "./module.js";

// Bundlers look for exactly these addresses.
Object.assign(sources, {
  wasm: placeOf("raw_bg.wasm", new URL("./raw_bg.wasm", import.meta.url)),
  book: placeOf("7x6-d12.book", new URL("./7x6-d12.book", import.meta.url)),
  bookOf: async (size) => (await import("./books.js")).BOOKS[size],
  loadBook,
});

export * from "./core.js";
