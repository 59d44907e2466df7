import "./web.js";
import { serve } from "./thread.js";

const channel = new MessageChannel();
const later = (work) => {
  channel.port1.onmessage = work;
  channel.port2.postMessage(null);
};
const take = serve((message) => postMessage(message), later);
addEventListener("message", ({ data }) => take(data));
