// `Oracle` in a worker, for browsers and bundlers.

import { FourbookError } from "./errors.js";
import { oracleFor } from "./client.js";

export * from "./web.js";

export const Oracle = oracleFor((onMessage, onError) => {
  const worker = new Worker(new URL("./thread-web.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => onMessage(data);
  worker.onerror = (event) => onError(new FourbookError(`the worker cannot go on: ${event.message ?? "it was not loaded"}`));
  return {
    post: (message) => worker.postMessage(message),
    end: () => worker.terminate(),
    keep: () => {},
  };
});
