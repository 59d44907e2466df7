"use strict";

// A web server that sends files, and nothing else.

const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");

const TYPES = {
  ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".json": "application/json",
  ".svg": "image/svg+xml", ".png": "image/png", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
};

/** Serves a folder on a free port: its address, and how to end it. */
async function serveFiles(folder) {
  const root = path.resolve(folder);
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = path.join(root, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    fs.readFile(file, (error, content) => {
      if (error || !file.startsWith(root)) response.writeHead(404).end();
      else response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream" }).end(content);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${server.address().port}/`, end };
}

module.exports = { serveFiles };
