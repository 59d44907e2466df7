// Where books come from in browsers.

import { BookError } from "./errors.js";

const CACHE = "fourbook";

/**
 * Opens the book at an address. Unless `cache` is false, the browser keeps it for times without
 * a network, once every byte has been checked, and otherwise asks the server whether it changed.
 */
export async function loadBook(url, { signal, onProgress, cache }, open) {
  const isKept = cache ?? true;
  // Pages that were not loaded by https have no caches.
  const store = isKept ? await globalThis.caches?.open(CACHE).catch(() => undefined) : undefined;
  const kept = await store?.match(url);
  let response;
  try {
    response = await fetch(url, { signal, cache: isKept ? "no-cache" : "no-store" });
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    if (kept && tagOf(kept) !== null && tagOf(kept) === tagOf(response)) {
      await response.body?.cancel();
      response = kept;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (kept === undefined) throw new BookError(`cannot load the book ${url}: ${cause.message}`, { cause });
    response = kept;
  }
  const bytes = await read(response, url, signal, onProgress);
  const book = await open(bytes);
  if (store && response !== kept) {
    const failure = book.verify().failures[0];
    if (failure !== undefined) throw new BookError(`the book ${url} is damaged: ${failure.text}; load it again`);
    const headers = { "content-length": bytes.length, etag: tagOf(response) ?? "" };
    // A full store is no reason to fail: the book is fetched the next time.
    await store.put(url, new Response(bytes, { headers })).catch(() => undefined);
  }
  return book;
}

const tagOf = ({ headers }) => headers.get("etag") || null;

async function read(response, url, signal, onProgress) {
  const total = Number(response.headers.get("content-length")) || null;
  const parts = [];
  let length = 0;
  try {
    const reader = response.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      length += part.value.length;
      onProgress?.(length, total);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw new BookError(`cannot load the book ${url}: ${cause.message}`, { cause });
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
