"""A store with the interface of Amazon's S3 on loopback, and a proxy before it that does what
networks and stores do now and then: answers 500 or 503, drops connections before or after a request
has had its effect, cuts answers short."""

from __future__ import annotations

import http.client
import itertools
import logging
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from moto.server import ThreadedMotoServer

KINDS = ("503", "drop", "500", "lost", "cut")


class Store:
    """The store without the proxy, to read and change its objects."""

    def __init__(self) -> None:
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self._server.start()
        self.host, self.port = self._server.get_host_and_port()

    def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        try:
            # The store requires a user name, but accepts any.
            who = "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request"
            connection.request(method, path, body, {"Authorization": who})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def get(self, path: str) -> bytes | None:
        status, body = self.ask("GET", path)
        return body if status == 200 else None

    def put(self, path: str, body: bytes) -> None:
        status, answer = self.ask("PUT", path, body)
        assert status == 200, answer

    def stop(self) -> None:
        self._server.stop()


class Proxy:
    """Passes requests on to a store. One request in `faults` fails, or none."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.faults = 0
        self.written: list[str] = []
        self._numbers = itertools.count(1)
        self._kinds = itertools.cycle(KINDS)
        self._lock = threading.Lock()
        self.happened: dict[str, int] = dict.fromkeys(KINDS, 0)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def stop(self) -> None:
        self._server.shutdown()

    def fault(self) -> str | None:
        with self._lock:
            if self.faults == 0 or next(self._numbers) % self.faults:
                return None
            kind = next(self._kinds)
            self.happened[kind] += 1
            return kind

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def handle_one_request(self) -> None:
                # Dropped, or a killed program no longer waits for its answer.
                try:
                    super().handle_one_request()
                except ConnectionError:
                    self.close_connection = True

            def do_GET(self) -> None:
                self.pass_on()

            do_HEAD = do_PUT = do_DELETE = do_POST = do_GET

            def pass_on(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                if len(body) < length:
                    raise ConnectionResetError
                kind = proxy.fault()
                if kind in ("500", "503"):
                    code = "SlowDown" if kind == "503" else "InternalError"
                    text = f"<Error><Code>{code}</Code><Message>Try again</Message></Error>"
                    return self.answer(int(kind), [], text.encode())
                if kind == "drop":
                    raise ConnectionResetError
                if self.command == "PUT":
                    proxy.written.append(self.path)
                status, headers, answer = self.ask(body)
                if kind == "lost":
                    raise ConnectionResetError
                return self.answer(status, headers, answer, cut=kind == "cut")

            def ask(self, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
                store = proxy.store
                connection = http.client.HTTPConnection(store.host, store.port, timeout=60)
                headers = {k: v for k, v in self.headers.items() if k.lower() != "connection"}
                connection.request(self.command, self.path, body=body or None, headers=headers)
                answer = connection.getresponse()
                content = answer.read()
                connection.close()
                return answer.status, answer.getheaders(), content

            def answer(
                self, status: int, headers: list[tuple[str, str]], body: bytes, cut: bool = False
            ) -> None:
                self.send_response_only(status)
                for name, value in headers:
                    if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                        self.send_header(name, value)
                length = dict(headers).get("Content-Length") if self.command == "HEAD" else None
                if status not in (204, 304):
                    self.send_header("Content-Length", length or str(len(body)))
                self.end_headers()
                self.wfile.write(body[: len(body) // 2] if cut else body)
                if cut:
                    raise ConnectionResetError

        return Handler
