// Where books come from in browsers.

import { BookError } from "./errors.js";

const CACHE = "fourbook";

/**
 * Opens the book at an address. Unless `cache` is false, the browser keeps it for times without
 * a network, once every byte has been checked, and uses it as long as the server has the same header.
 */
export async function loadBook(url, { signal, onProgress, cache }, open) {
  // Pages that were not loaded by https have no caches.
  const store = (cache ?? true) ? await globalThis.caches?.open(CACHE).catch(() => undefined) : undefined;
  const found = await (await store?.match(url))?.arrayBuffer();
  const kept = found && new Uint8Array(found);
  const bytes = await download(url, kept, signal, onProgress).catch((error) => {
    if (kept === undefined || !(error instanceof BookError)) throw error;
    return kept;
  });
  const book = await open(bytes);
  if (store && bytes !== kept) {
    const failure = book.verify().failures[0];
    if (failure !== undefined) throw new BookError(`the book ${url} is damaged: ${failure.text}; load it again`);
    // A full store is no reason to fail: the book is fetched the next time.
    await store.put(url, new Response(bytes, { headers: { "content-length": bytes.length } })).catch(() => undefined);
  }
  return book;
}

/** The bytes at an address; `kept` if they begin with the same header. */
async function download(url, kept, signal, onProgress) {
  const attempt = (promise) => promise.catch((cause) => {
    signal?.throwIfAborted();
    throw new BookError(`cannot load the book ${url}: ${cause.message}`, { cause });
  });
  // Not from the browser's own cache: it knows files by time and length, which two books may share.
  const response = await attempt(fetch(url, { signal, cache: "no-store" }).then(checked));
  const total = Number(response.headers.get("content-length")) || null;
  const reader = response.body.getReader();
  let header = kept && headerOf(kept);
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await attempt(reader.read());
    if (done) return joined(parts);
    parts.push(value);
    length += value.length;
    if (header && length >= header.length) {
      const begun = await joined(parts);
      if (header.every((byte, index) => byte === begun[index])) {
        await reader.cancel();
        onProgress?.(kept.length, kept.length);
        return kept;
      }
      header = undefined;
    }
    onProgress?.(length, total);
  }
}

function checked(response) {
  if (!response.ok) throw new Error(`the server answers ${response.status}`);
  // Many servers send their page in place of a missing file.
  if (/^text\/html/i.test(response.headers.get("content-type"))) throw new Error("expected a book, found a page in HTML");
  return response;
}

/** The header of a book: its checksum covers, through others, every byte of the book. */
function headerOf(book) {
  const length = new DataView(book.buffer).getUint32(12, true);
  return book.subarray(0, 20 + length);
}

const joined = async (parts) => new Uint8Array(await new Blob(parts).arrayBuffer());
