/** Keeps the page for use without a network. The host has files.js: the list of files and their version. */
/* global FILES, VERSION */
importScripts("files.js");

/** Other pages of the host may be this one in another folder. */
const OURS = `fourbook ${registration.scope} `;
const KEPT = OURS + VERSION;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(KEPT);
    // Not from the browser's own cache, which may have files of another version.
    await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== KEPT);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  // Answers are the server's, which keeps its own.
  if (request.method !== "GET" || !request.url.startsWith(registration.scope) || request.url.startsWith(`${registration.scope}v1/`)) return;
  event.respondWith((async () => {
    // A cache that is full, or not allowed any more, is no reason to fail.
    const cache = await caches.open(KEPT).catch(() => null);
    // The query of a document is the position on the board.
    const kept = await cache?.match(request, { ignoreSearch: request.mode === "navigate" });
    if (kept) return kept;
    const response = await fetch(request);
    const isUsedByFew = /\.book$|\/texts\//.test(request.url);
    if (response.ok && isUsedByFew) await cache?.put(request, response.clone()).catch(() => {});
    return response;
  })());
});
