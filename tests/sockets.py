"""A real server in a thread, and requests over real sockets."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from waiting import PATIENCE, wait_for

from referee.server import bridge, serve


@contextmanager
def running(tested: bridge.Bridge, listener: socket.socket | None = None) -> Iterator[int]:
    """A server in a thread on a free port of the loopback, or on ``listener``; gives the port."""
    listener = listener or serve.listen("127.0.0.1", 0)
    server = serve.server(tested)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()


def ask(
    port: int,
    method: str,
    path: str,
    body: bytes | Iterable[bytes] | None = None,
    headers: dict[str, str] | None = None,
) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(
            method, path, body, headers or {}, encode_chunked=not isinstance(body, bytes | None)
        )
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def raw(port: int, request: bytes) -> bytes:
    """Everything the server says to these bytes until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(request)
        return b"".join(iter(lambda: connection.recv(65536), b""))


@contextmanager
def stopped(process: subprocess.Popen[bytes], *ports: int) -> Iterator[None]:
    """Wait until it answers at each of its ports; stop it at the end."""
    try:
        for port in ports:
            wait_for(lambda port=port: _answers(process, port))  # type: ignore[misc]
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _answers(process: subprocess.Popen[bytes], port: int) -> bool:
    """Accepts any answer, also that of a secure port to a plain request."""
    assert process.poll() is None, f"{process.args} ended by itself"  # type: ignore[str-bytes-safe]
    try:
        ask(port, "GET", "/healthz")
    except (OSError, http.client.HTTPException):
        return False
    return True
