"""A server on 127.0.0.1 that breaks off, knows no ranges, or answers with an error."""

import hashlib
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from mcrc_adversarial.corpora import Download

CONTENT = bytes(range(256)) * 4000


@dataclass
class Server:
    """Serves CONTENT on 127.0.0.1, with whatever goes wrong in `plan`, one item a request."""

    address: str = ""
    plan: list[Callable[[BaseHTTPRequestHandler, bytes], bool]] = field(default_factory=list)
    ranges: list[str | None] = field(default_factory=list)
    knows_ranges: bool = True

    def download(self, **changes: str) -> Download:
        digest = hashlib.sha256(CONTENT).hexdigest()
        return replace(Download(self.address, digest, "plain/file.bin"), **changes)


def cut_after(n_bytes: int) -> Callable[[BaseHTTPRequestHandler, bytes], bool]:
    def cut(handler: BaseHTTPRequestHandler, body: bytes) -> bool:
        handler.wfile.write(body[:n_bytes])
        return False

    return cut


def whole(handler: BaseHTTPRequestHandler, body: bytes) -> bool:
    handler.wfile.write(body)
    return True


@contextmanager
def serving() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = self.headers.get("Range")
            state.ranges.append(asked)
            if self.path.startswith("/status/"):
                self.send_error(int(self.path.rpartition("/")[2]))
                return
            start = int(re.findall(r"\d+", asked)[0]) if asked and state.knows_ranges else 0
            if start > len(CONTENT):
                self.send_error(416)
                return
            body = CONTENT[start:]
            self.send_response(206 if start else 200)
            if self.path != "/no-length":
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            (state.plan.pop(0) if state.plan else whole)(self, body)

        def log_message(self, *_: object) -> None:
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.address = f"http://127.0.0.1:{httpd.server_port}/file"
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()
