// `Oracle` in a worker, for browsers and bundlers.

import { FourbookError } from "./errors.js";
import { oracleFor } from "./client.js";
import { placeOf, sources } from "./module.js";

export * from "./web.js";

function start() {
  const moved = placeOf("thread-web.js", import.meta.url);
  const source = sources.worker ?? (moved === import.meta.url ? undefined : moved);
  if (typeof source === "function") return source();
  if (source !== undefined) return new Worker(source, { type: "module" });
  // Bundlers look for exactly this.
  return new Worker(new URL("./thread-web.js", import.meta.url), { type: "module" });
}

/** Browsers start no worker whose script is missing, of another origin, or not allowed, and only some say which. */
const unstarted = (reason) => new FourbookError(`the worker cannot start: ${reason}; its script has to be of the page's \
origin, and allowed by worker-src where the page has a Content-Security-Policy; say where it is by init({ worker }), or see \
"Bundlers" in the README`);

export const Oracle = oracleFor((onMessage, onError) => {
  let worker;
  try {
    worker = start();
  } catch (error) {
    throw unstarted(error.message);
  }
  worker.onmessage = ({ data }) => onMessage(data);
  worker.onerror = ({ message }) =>
    onError(message ? new FourbookError(`the worker cannot go on: ${message}`) : unstarted("its script was not loaded"));
  return {
    post: (message) => worker.postMessage(message),
    end: () => worker.terminate(),
    keep: () => {},
  };
});
