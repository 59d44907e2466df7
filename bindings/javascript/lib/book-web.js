// Where books come from in browsers.

import { BookError } from "./errors.js";

/** The book that comes with fourbook: 7x6 to ply 12. */
export const bookUrl = new URL("./7x6-d12.book", import.meta.url);

// A book that was kept by another version may be another one.
const PREFIX = "fourbook-";
const CACHE = `${PREFIX}VERSION`;

/**
 * The bytes of a book. They are kept in the browser, which needs no network the next time,
 * unless `cache` is false.
 */
export async function loadBook(place = bookUrl, { signal, onProgress, cache = true } = {}) {
  const url = String(place);
  const kept = cache ? await openCache() : null;
  let response = await kept?.match(url).catch(() => undefined);
  const isNew = response === undefined;
  if (isNew) response = await fetched(url, signal);
  const bytes = await read(response, url, signal, onProgress);
  // What cannot be kept is fetched again; that is no reason to fail.
  if (isNew) await kept?.put(url, new Response(bytes)).catch(() => undefined);
  return bytes;
}

/** None where the browser has none, as on pages that were not loaded by https. */
async function openCache() {
  try {
    for (const name of await caches.keys()) {
      if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
    }
    return await caches.open(CACHE);
  } catch {
    return null;
  }
}

async function fetched(url, signal) {
  let response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw new BookError(`cannot load the book ${url}: ${error.message}`, { cause: error });
  }
  if (!response.ok) throw new BookError(`cannot load the book ${url}: the server answers ${response.status}`);
  return response;
}

async function read(response, url, signal, onProgress) {
  const total = Number(response.headers.get("content-length")) || null;
  const parts = [];
  let length = 0;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      length += value.length;
      onProgress?.(length, total);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new BookError(`cannot load the book ${url}: ${error.message}`, { cause: error });
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
