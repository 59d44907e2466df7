// Where books come from in Node.js.

import { readFile, stat } from "node:fs/promises";
import { BookError } from "./errors.js";

/** Opens the book of a file, or, if the place begins with http: or https:, of the web. */
export async function loadBook(place, { signal, onProgress }, open) {
  let bytes;
  try {
    bytes = /^https?:/.test(place) ? await fetched(place, signal) : await ofFile(place.startsWith("file:") ? new URL(place) : place, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new BookError(`cannot read the book ${place}: ${cause.message}`, { cause });
  }
  onProgress?.(bytes.length, bytes.length);
  return open(bytes);
}

async function ofFile(place, signal) {
  // Reading a pipe or a device may never end.
  if (!(await stat(place)).isFile()) throw new Error("not a regular file");
  return readFile(place, { signal });
}

async function fetched(place, signal) {
  const response = await fetch(place, { signal });
  if (!response.ok) throw new Error(`the server answers ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
