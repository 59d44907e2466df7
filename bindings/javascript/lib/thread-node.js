import { parentPort } from "node:worker_threads";
import "./node.js";
import { serve } from "./thread.js";

parentPort.on("message", serve((message) => parentPort.postMessage(message)));
