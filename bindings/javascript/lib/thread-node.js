import { parentPort } from "node:worker_threads";
import "./node.js";
import { serve } from "./thread.js";

// Node.js empties a channel to itself before it reads other messages.
parentPort.on("message", serve((message) => parentPort.postMessage(message), setImmediate));
