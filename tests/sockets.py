"""A real server in a thread, and what is said to it over real sockets."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager

from referee import bridge, serve


@contextmanager
def running(tested: bridge.Bridge) -> Iterator[int]:
    """A server in a thread on a free port of the loopback; gives the port."""
    listener = serve.listen("127.0.0.1", 0)
    server = serve.server(tested)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        assert not thread.is_alive()


def ask(
    port: int,
    method: str,
    path: str,
    body: bytes | Iterable[bytes] | None = None,
    headers: dict[str, str] | None = None,
) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
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
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request)
        return b"".join(iter(lambda: connection.recv(65536), b""))


@contextmanager
def stopped(process: subprocess.Popen[bytes], port: int) -> Iterator[None]:
    """Wait until it listens; stop it at the end."""
    try:
        for _ in range(1000):
            assert process.poll() is None, f"{process.args} ended by itself"
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.02)
        else:
            raise AssertionError(f"nothing listens on {port}")
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def free() -> int:
    """A port of the loopback that nobody has now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])
