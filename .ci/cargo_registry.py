#!/usr/bin/env python3
"""A registry for cargo on 127.0.0.1: cargo_registry.py PORT FOLDER

Serves until it is stopped. Published crates and their index are in the folder. It has no others:
their dependencies come from crates.io.
"""

import hashlib
import json
import struct
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


def index_entry(crate: dict, content: bytes) -> dict:
    """The line of the index for a published crate."""
    entry = {"name": crate["name"], "vers": crate["vers"], "features": {}, "yanked": False}
    entry["cksum"] = hashlib.sha256(content).hexdigest()
    # Newer kinds of features stand apart, for old versions of cargo.
    entry |= {"v": 2, "features2": crate["features"], "deps": []}
    for dependency in crate["deps"]:
        renamed = dependency.pop("explicit_name_in_toml", None)
        package = dependency["name"]
        dependency |= {"name": renamed or package, "req": dependency.pop("version_req")}
        if renamed:
            dependency["package"] = package
        entry["deps"].append(dependency)
    return entry


class Registry(BaseHTTPRequestHandler):
    folder = Path()

    def do_GET(self) -> None:
        if self.path == "/index/config.json":
            here = f"http://{self.headers['Host']}"
            content = {"dl": f"{here}/crates/{{crate}}-{{version}}.crate", "api": here}
            self.answer(200, json.dumps(content).encode())
        elif (file := self.folder / self.path.rsplit("/", 1)[1]).is_file():
            self.answer(200, file.read_bytes())
        else:
            self.answer(404, b"")

    def do_PUT(self) -> None:
        if self.path != "/api/v1/crates/new":
            self.answer(404, b"")
            return
        body = self.rfile.read(int(self.headers["Content-Length"]))
        (length,) = struct.unpack_from("<I", body)
        crate = json.loads(body[4 : 4 + length])
        content = body[8 + length :]
        (self.folder / f"{crate['name']}-{crate['vers']}.crate").write_bytes(content)
        (self.folder / crate["name"]).write_text(json.dumps(index_entry(crate, content)) + "\n")
        self.answer(200, b'{"warnings": {}}')

    def answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    Registry.folder = Path(sys.argv[2])
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Registry).serve_forever()


if __name__ == "__main__":
    main()
