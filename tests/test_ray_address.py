"""RAY_ADDRESS where something listens that is no Ray: one line, in seconds, and nothing touched."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import needed
import pytest

from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.errors import WorkerError
from mcrc_adversarial.export import Settings, export

needed.package("ray", "extra ray")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:ray")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    from mcrc_adversarial.export import cluster

    def joined(**_: object) -> None:
        raise RuntimeError("Ray was asked")

    monkeypatch.setattr(cluster, "_PATIENCE", 0.05)
    monkeypatch.setattr(cluster.ray, "init", joined)


class Quiet(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def web_server() -> Iterator[int]:
    with HTTPServer(("127.0.0.1", 0), Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def silent_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@contextmanager
def answering(answer: bytes) -> Iterator[int]:
    """A server that says the same to anyone, then hangs up."""

    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(100)
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        # A failed test may leave it unasked.
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        thread.join()


@pytest.mark.parametrize(
    ("server", "reason"),
    [
        (web_server(), "what answers at 127.0.0.1:[0-9]+ is no head of a Ray cluster"),
        (silent_port(), "nothing answers at 127.0.0.1:[0-9]+: timed out"),
        (answering(b"-ER"), "what answers at 127.0.0.1:[0-9]+ is no head of a Ray cluster"),
        (answering(b""), "what answers at 127.0.0.1:[0-9]+ is no head of a Ray cluster"),
        # A frame of settings, as a head sends one.
        (answering(bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])), "Ray was asked"),
    ],
    ids=["web server", "silence", "short", "hangs up", "HTTP/2"],
)
def test_what_is_no_ray_is_refused_before_the_folder_is_touched(
    server: Iterator[int], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server as port:  # type: ignore[attr-defined]
        monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{port}")
        with pytest.raises(WorkerError, match=rf"^no Ray cluster to connect to \({reason}\); RAY"):
            export(expand_configs(["sample"]), tmp_path / "new", Settings(), engine="ray")
    assert list(tmp_path.iterdir()) == []


def test_ray_with_certificates_is_left_to_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    from mcrc_adversarial.export import cluster

    monkeypatch.setenv("RAY_USE_TLS", "1")
    with silent_port() as port:
        monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{port}")
        with pytest.raises(WorkerError, match="Ray was asked"), cluster.connected():
            pytest.fail("connected")
