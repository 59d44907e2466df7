// Where books come from in Node.js.

import { readFile } from "node:fs/promises";
import { BookError } from "./errors.js";

/** The book that comes with fourbook: 7x6 to ply 12. */
export const bookUrl = new URL("./7x6-d12.book", import.meta.url);

/** The bytes of a book: of a file, or, if the place begins with http: or https:, of the web. */
export async function loadBook(place = bookUrl, { signal, onProgress } = {}) {
  try {
    const isOfWeb = /^https?:/.test(String(place));
    const bytes = isOfWeb ? await fetched(place, signal) : new Uint8Array(await readFile(place, { signal }));
    onProgress?.(bytes.length, bytes.length);
    return bytes;
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof BookError ? error : new BookError(`cannot read the book: ${error.message}`, { cause: error });
  }
}

async function fetched(place, signal) {
  const response = await fetch(place, { signal });
  if (!response.ok) throw new BookError(`cannot load the book ${place}: the server answers ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
