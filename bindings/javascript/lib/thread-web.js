// The page says where the WebAssembly and the book are, so bundlers put neither into the worker.
import { loadBook } from "./book-web.js";
import { sources } from "./module.js";
import { serve } from "./thread.js";

sources.loadBook = loadBook;

const channel = new MessageChannel();
const later = (work) => {
  channel.port1.onmessage = work;
  channel.port2.postMessage(null);
};
const take = serve((message) => postMessage(message), later);
addEventListener("message", ({ data }) => take(data));
