import type { LoadOptions } from "./index.js";

/** The book that comes with fourbook: 7x6 to ply 12. */
export const bookUrl: URL;

/**
 * The bytes of a book, for `new Book`: of the one that comes with fourbook, or of a file or an
 * address. Browsers keep them, and need no network the next time, unless `cache` is false.
 */
export function loadBook(
  place?: string | URL, options?: LoadOptions & { cache?: boolean },
): Promise<Uint8Array>;
