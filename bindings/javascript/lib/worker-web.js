// `Oracle` in a worker, for browsers and bundlers.

import { FourbookError } from "./errors.js";
import { oracleFor } from "./client.js";
import { placeOf, workerSource } from "./module.js";

export * from "./web.js";

function start() {
  const moved = placeOf("thread-web.js", import.meta.url);
  const source = workerSource() ?? (moved === import.meta.url ? undefined : moved);
  if (typeof source === "function") return source();
  if (source !== undefined) return new Worker(source, { type: "module" });
  // Bundlers look for exactly this.
  return new Worker(new URL("./thread-web.js", import.meta.url), { type: "module" });
}

export const Oracle = oracleFor((onMessage, onError) => {
  const worker = start();
  worker.onmessage = ({ data }) => onMessage(data);
  worker.onerror = ({ message }) => {
    const missing = 'its script was not loaded; say where it is by init({ worker }), or see "Bundlers" in the README';
    onError(new FourbookError(`the worker cannot go on: ${message ?? missing}`));
  };
  return {
    post: (message) => worker.postMessage(message),
    end: () => worker.terminate(),
    keep: () => {},
  };
});
