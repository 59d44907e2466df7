// The WebAssembly module, and where it and the default book come from.

import load, { initSync } from "./raw.js";
import { FourbookError } from "./errors.js";

let isReady = false;
let loading;
// Set by the entries that know where their files are.
let moduleSource;
let bookLoader;

/** Says where the module is, and what loads a book. */
export function setSources(module, loadBook) {
  moduleSource = module;
  bookLoader = loadBook;
}

/** Makes fourbook ready, at once. */
export function initialise(module) {
  initSync({ module });
  isReady = true;
}

export async function init(source = moduleSource) {
  if (isReady) return;
  if (source === undefined) {
    throw new FourbookError("expected the WebAssembly module, or where it is, as in init(url)");
  }
  loading ??= load({ module_or_path: source }).finally(() => (loading = undefined));
  await loading;
  isReady = true;
}

/** Throws unless fourbook is ready. */
export function check() {
  if (!isReady) throw new FourbookError("fourbook is not ready yet: first `await init()`");
}

/** The bytes of a book; of the default one without a place. */
export function bytesOfBook(place, options) {
  if (bookLoader === undefined) {
    throw new FourbookError("fourbook/core loads no books; pass the bytes of one, or null");
  }
  return bookLoader(place, options);
}
