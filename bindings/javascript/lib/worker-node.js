// `Oracle` in a worker, for Node.js.

import { Worker } from "node:worker_threads";
import { oracleFor } from "./client.js";
import { fileOf } from "./files-node.js";

export * from "./node.js";

/**
 * A worker that keeps the process alive only while a question is open. It does not inherit
 * options of the process: some, such as `--input-type`, would keep it from starting.
 */
export const Oracle = oracleFor((onMessage, onError) => {
  const worker = new Worker(fileOf("thread-node.js"), { execArgv: [] });
  worker.on("message", onMessage);
  worker.on("error", onError);
  return {
    post: (message) => worker.postMessage(message),
    end: () => worker.terminate(),
    keep: (wanted) => (wanted ? worker.ref() : worker.unref()),
  };
});
