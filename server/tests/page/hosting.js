"use strict";

// The two ways to host the page: `fourbook serve`, and the files of `fourbook page` on a web
// server that knows nothing else. FOURBOOK names a program to use instead of the built one, PACKAGE a
// JavaScript package.

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const zlib = require("node:zlib");

const BOOKS = ["books/7x6-d12-compact.book", "examples/4x4-d6.book"];
const PROGRAM = process.env.FOURBOOK ?? "target/release/fourbook";
const PACKAGE = process.env.PACKAGE ?? "target/javascript/package";

/** Starts the server on a free port. */
async function startServer() {
  const books = BOOKS.flatMap((book) => ["--book", book]);
  const child = spawn(PROGRAM, ["serve", "--bind", "127.0.0.1:0", "--sizes", "4x4,7x6", ...books]);
  const address = await new Promise((resolve, reject) => {
    let log = "";
    child.stderr.on("data", (data) => {
      log += data;
      const found = log.match(/http:\/\/[\d.:]+/);
      if (found) resolve(`${found[0]}/`);
    });
    child.on("error", reject);
    child.on("exit", () => reject(new Error(`the server ended: ${log}`)));
  });
  return { name: "server", address, sizes: ["4x4", "7x6"], end: () => child.kill("SIGTERM") };
}

const TYPES = {
  ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".json": "application/json",
  ".svg": "image/svg+xml", ".png": "image/png", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
};
/** Files that most web servers compress. */
const COMPRESSED = [".html", ".css", ".js", ".json", ".svg", ".webmanifest", ".wasm"];

/** Sends the files of a folder: the address, and how to end it. */
async function sendFiles(folder) {
  const root = path.resolve(folder);
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = path.join(root, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    fs.readFile(file, (error, content) => {
      if (error || !file.startsWith(root)) return response.writeHead(404).end();
      const ending = path.extname(file);
      const type = { "content-type": TYPES[ending] ?? "application/octet-stream" };
      if (!COMPRESSED.includes(ending)) return response.writeHead(200, { ...type, "content-length": content.length }).end(content);
      response.writeHead(200, { ...type, "content-encoding": "gzip" }).end(zlib.gzipSync(content));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${server.address().port}/`, end };
}

/** Writes the files below a folder, and sends them. */
async function startFiles(folder) {
  fs.rmSync(folder, { recursive: true, force: true });
  const made = spawn(PROGRAM, ["page", "--out", `${folder}/in/a/folder`, "--package", PACKAGE, "--quiet"], { stdio: "inherit" });
  const code = await new Promise((resolve) => made.on("exit", resolve));
  if (code !== 0) throw new Error(`fourbook page ended with ${code}`);
  const { address, end } = await sendFiles(folder);
  const { BOOKS } = await import(path.resolve(PACKAGE, "lib/books.js"));
  const sizes = [...new Set(["7x6", ...Object.keys(BOOKS), "8x7"])];
  return { name: "files", address: `${address}in/a/folder/`, sizes, end };
}

module.exports = { startFiles, startServer };
