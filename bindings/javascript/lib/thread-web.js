import "./web.js";
import { serve } from "./thread.js";

const take = serve((message) => postMessage(message));
addEventListener("message", ({ data }) => take(data));
