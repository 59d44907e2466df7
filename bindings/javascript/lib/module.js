// The WebAssembly module, and where it, its worker and the built-in book come from.

import load, { initSync } from "./raw.js";
import { optionsOf } from "./arguments.js";
import { BookError, FourbookError } from "./errors.js";

let isReady = false;
let loading;
/**
 * Places by name: `wasm`, the `worker`'s script, and `book`, that of 7x6. `bookOf(size)` is the place of another
 * built-in book, and `loadBook` loads one.
 */
export const sources = {
  book: "7x6-d12.book",
  bookOf: () => undefined,
  loadBook() {
    throw new FourbookError("fourbook/core loads no books; pass the bytes of one, or null");
  },
};

/** Makes fourbook ready, at once. */
export function initialise(module) {
  initSync({ module });
  isReady = true;
}

export async function init(places) {
  for (const [name, place] of Object.entries(optionsOf(places, "wasm", "worker", "book"))) {
    if (place !== undefined && place !== null) sources[name] = absolute(place);
  }
  if (isReady) return;
  const { wasm } = sources;
  if (wasm === undefined) {
    throw new FourbookError("expected the WebAssembly module or its address, as in init({ wasm })");
  }
  loading ??= load({ module_or_path: wasm }).finally(() => (loading = undefined));
  try {
    await loading;
  } catch (cause) {
    const where = isPlace(wasm) ? ` from ${wasm}` : "";
    const text = `cannot load the WebAssembly module${where}: ${cause.message}; say where it is by init({ wasm }), allow 'wasm-unsafe-eval' where the page has a Content-Security-Policy, or see "Bundlers" in the README`;
    throw new FourbookError(text, { cause });
  }
  isReady = true;
}

/** Throws unless fourbook is ready. */
export function check() {
  if (!isReady) throw new FourbookError("fourbook is not ready yet: first `await init()`");
}

export const isPlace = (value) => typeof value === "string" || value instanceof URL;

/** An address relative to the page, not to a worker's script; other sources stay as they are. */
export function absolute(place) {
  if (!isPlace(place)) return place;
  return globalThis.document === undefined ? String(place) : new URL(place, document.baseURI).href;
}

/**
 * The address of the package's file `name`, which bundlers put at `url`. Vite's development server
 * moves scripts into `.vite/deps`, but not the files beside them.
 */
export const placeOf = (name, url) => String(url).replace(/\/\.vite\/deps\/[^/]*$/, `/fourbook/lib/${name}`);

/** The built-in book for boards of a size: its address or bytes, or null. */
export async function packageBook(size) {
  // The library reads "7 X 6" as well.
  const name = String(size ?? "7x6").split(/x/i).map(Number).join("x");
  return name === "7x6" ? sources.book : ((await sources.bookOf(name)) ?? null);
}

/** Loads the bytes of a book, by default the package's, and calls `open` with them. */
export async function loadBook(place, options, open) {
  const source = place ?? sources.book;
  if (!isPlace(source)) return open(source);
  const address = absolute(source);
  const named = (error) => {
    throw error instanceof BookError ? new BookError(`the book ${address}: ${error.message}`, { cause: error }) : error;
  };
  return sources.loadBook(address, options ?? {}, (bytes) => open(bytes).catch(named));
}
