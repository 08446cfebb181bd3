"""``python -m torture.strangers [--seconds N]``: what one stranger costs a server on the internet.

First single requests of at most 1 MB: how long others wait through each, and the memory it takes.
Then one address that sends as many as it can: the processor time, memory and disk of a minute of
it, and what another phone waits meanwhile. Without a proxy, which would let through fewer.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import NamedTuple
from urllib.parse import urlencode

from torture.uploads import GAME, MARKS, MB, memory, ports

MOST_WAIT = 0.05  # seconds
MOST_ABOVE = 16.0  # MB
TRIES = 5  # of a request: other programs use the processors, too
SENDERS = 8
PATIENCE = 60.0
STRANGER, OTHER = "198.51.100.7", "198.51.100.8"
FORM = "application/x-www-form-urlencoded"


def head(method: str, path: str, *headers: str, address: str = STRANGER) -> bytes:
    """The head of a request as the proxy of a public server sends it, without its end."""
    lines = [f"{method} {path} HTTP/1.1", "Host: fudami.example", "Connection: close"]
    lines += ["X-Forwarded-Proto: https", f"X-Forwarded-For: {address}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n"


def get(path: str, *headers: str, address: str = STRANGER) -> bytes:
    return head("GET", path, *headers, address=address) + b"\r\n"


def post(path: str, body: bytes, kind: str = FORM) -> bytes:
    about = (f"Content-Type: {kind}", f"Content-Length: {len(body)}")
    return head("POST", path, *about) + b"\r\n" + body


def form(path: str, *fields: tuple[str, str]) -> bytes:
    return post(path, urlencode(fields).encode())


def pasted(text: str) -> bytes:
    """A game file that is pasted into its page."""
    part = f'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n{text}\r\n--x--\r\n'
    return post("/own-games", part.encode(), PARTS)


def chunked(path: str, body: bytes) -> bytes:
    """A body in chunks of one byte."""
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body)
    return head("POST", path, "Transfer-Encoding: chunked") + b"\r\n" + chunks + b"0\r\n\r\n"


PARTS = "multipart/form-data; boundary=x"
HOSTILE: dict[str, Callable[[], bytes]] = {
    "the path of an export, 7,000 times": lambda: get("/history/" * 7_000),
    "the path of an export, 800 times": lambda: get("/history/" * 800),
    "an encoded path": lambda: get("/%2f" * 2_000),
    "a query of 4,000 fields": lambda: get("/?" + "a&" * 4_000),
    "names in an address": lambda: get("/new?" + "".join(f"name={n}&" for n in range(800))),
    "words in an address": lambda: get("/words?q=" + "%E6%97%A5" * 800),
    "a check in an address": lambda: get(f"/check/{GAME}?" + "tap=x&" * 1_000),
    "a search in an address": lambda: get("/rules?q=" + "a%20" * 1_500),
    "a cookie of 8 kB": lambda: get("/", "Cookie: " + "a=b;" * 2_000),
    "languages": lambda: get("/", "Accept-Language: " + "a;q=0.5," * 1_000),
    "12,000 headers": lambda: get("/", *["a: "] * 12_000),
    "1,000 requests at once": lambda: (
        get("/offline").replace(b"close", b"keep-alive") * 1_000 + get("/offline")
    ),
    "a chunk for each byte": lambda: chunked("/new", b"a" * 170_000),
    "1 MB": lambda: post("/new", b"a" * MB),
    "30,000 fields": lambda: post("/new", b"a&" * 32_000),
    "5,000 names": lambda: form(
        "/new", ("game", GAME), *(("name", str(n)) for n in range(5_000)), ("name", "0")
    ),
    "5,000 names typed at once": lambda: form(
        "/new", ("game", GAME), ("typed", ",".join(map(str, range(10_000))))
    ),
    "a name of marks": lambda: post("/new", f"game={GAME}&name=a{MARKS * 15_000}".encode()),
    "a code of marks": lambda: post("/join", f"code=a{MARKS * 15_000}".encode()),
    "a word of marks": lambda: post("/words", f"form=a{MARKS * 15_000}&counts=x".encode()),
    "a deck of marks": lambda: post("/decks/new", f"text=a{MARKS * 15_000}".encode()),
    "a game file of marks": lambda: pasted(f"a{MARKS * 45_000}"),
    "a game file of brackets": lambda: pasted("a=" + "[" * 60_000),
    "a game file of keys": lambda: pasted("".join(f"k{n}=1\n" for n in range(7_000))),
    "a game file of one word": lambda: pasted("title='" + "a" * 60_000 + "'"),
    "a form of escaped characters": lambda: form("/own-games", ("text", "[" * 21_800)),
    "a large form of escaped characters": lambda: form("/own-games", ("text", "[" * 60_000)),
    "parts": lambda: post("/new", b"--x\r\n" * 12_000, PARTS),
    "headers of a part": lambda: post(
        "/new", b"--x\r\n" + b"a: b\r\n" * 10_000 + b"\r\n--x--", PARTS
    ),
    "ends of lines in a part": lambda: post(
        "/new", b"--x\r\nContent-Disposition: form-data; name=a\r\n\r\n" + b"\r\n-" * 20_000, PARTS
    ),
}
"""Requests of at most 1 MB, each a way to make much work of few bytes."""


def received(port: int, request: bytes) -> Iterator[bytes]:
    """Each piece of the answer up to the end of the connection, as far as it comes."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        connection.sendall(request)
        while piece := connection.recv(65536):
            yield piece


def sent(port: int, request: bytes) -> bytes:
    """The whole answer."""
    return b"".join(received(port, request))


class Seen(NamedTuple):
    """What others saw of a block: waits in seconds, MB above the beginning, seconds of a
    processor, MB on the disk.
    """

    waits: list[float]
    above: float
    processor: float
    disk: float


class Server:
    """``referee serve --public`` with a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.port, self._folder = ports.free(), folder
        command = [sys.executable, "-m", "referee", "serve", "--public", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--data", str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until = time.monotonic() + PATIENCE
        while b" 200 " not in sent(self.port, get("/healthz", address=OTHER)):
            if time.monotonic() > until:
                raise RuntimeError("the server does not start")
            time.sleep(0.05)

    def processor(self) -> float:
        """Seconds of processor time up to now."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, stat[11:15])) / os.sysconf("SC_CLK_TCK")

    def disk(self) -> float:
        """MB of its folder."""
        return sum(file.stat().st_size for file in self._folder.rglob("*")) / MB

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


@contextmanager
def watched(server: Server) -> Iterator[Callable[[], Seen]]:
    """Has another phone ask while the block runs; call the result after it."""
    waits, peaks, over = [0.0], [memory(server.process.pid)], Event()
    before = server.processor(), server.disk()

    def ask() -> None:
        while not over.wait(0.002):
            began = time.perf_counter()
            sent(server.port, get("/offline", address=OTHER))
            waits.append(time.perf_counter() - began)

    def weigh() -> None:
        while not over.wait(0.02):
            peaks.append(memory(server.process.pid))

    beside = [Thread(target=ask), Thread(target=weigh)]
    for thread in beside:
        thread.start()

    def seen() -> Seen:
        spent, size = before
        return Seen(waits, max(peaks) - peaks[0], server.processor() - spent, server.disk() - size)

    try:
        time.sleep(0.05)
        yield seen
        time.sleep(0.05)
    finally:
        over.set()
        for thread in beside:
            thread.join()


def single(server: Server, name: str, request: bytes) -> list[str]:
    """Print what one request costs, the best of ``TRIES``; returns what is above a limit."""
    wait = above = processor = float("inf")
    for _ in range(TRIES):
        with watched(server) as seen:
            answer = sent(server.port, request)
        found = seen()
        wait, above = min(wait, max(found.waits)), min(above, found.above)
        processor = min(processor, found.processor)
        if wait < MOST_WAIT / 2 and above < MOST_ABOVE / 2:
            break
    status = answer[9:12].decode("latin-1") or "—"
    print(
        f"{name:38} {len(request) / 1000:7.0f} kB  {status:>3}  others wait {wait * 1000:5.0f} ms"
        f"  {above:+5.1f} MB  {processor * 1000:5.0f} ms of a processor",
        flush=True,
    )
    faults = [f"{name}: others wait {wait:.3f} s"] if wait > MOST_WAIT else []
    faults += [f"{name}: {above:.0f} MB"] if above > MOST_ABOVE else []
    return faults + ([f"{name}: {status}"] if status.startswith("5") else [])


def together(server: Server, seconds: float) -> None:
    """Print what one address costs that sends all it can."""
    requests = [make() for make in HOSTILE.values()]
    opens = form("/new", ("game", GAME), ("name", "A"), ("name", "B"), ("leader", "A"))
    answers: list[bytes] = []
    until = time.monotonic() + seconds

    def send(seed: int) -> None:
        rng = Random(seed)
        while time.monotonic() < until:
            request = opens if rng.random() < 0.5 else rng.choice(requests)
            answers.append(sent(server.port, request)[9:12])

    with watched(server) as seen:
        senders = [Thread(target=send, args=(seed,)) for seed in range(SENDERS)]
        for thread in senders:
            thread.start()
        for thread in senders:
            thread.join()
    found, refused = seen(), answers.count(b"429")
    ms = sorted(wait * 1000 for wait in found.waits)
    late = ms[int(len(ms) * 0.99)]
    print(
        f"\none address, {seconds:.0f} s, {SENDERS} connections: {len(answers)} requests,"
        f" {refused} refused for its hour\n"
        f"  {found.processor:.0f} s of a processor, {found.above:+.0f} MB of memory,"
        f" {found.disk:+.1f} MB on the disk\n"
        f"  another phone waits {statistics.median(ms):.0f} ms, p99 {late:.0f} ms,"
        f" at most {ms[-1]:.0f} ms"
    )


def main() -> int:
    """Print a line for each request, then a minute of one address; 1 if one is above a limit."""
    parser = argparse.ArgumentParser(prog="torture.strangers", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of one address")
    parser.add_argument("--only", default="", help="of the requests, those with this in the name")
    args = parser.parse_args()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            for name, make in HOSTILE.items():
                if args.only in name:
                    faults += single(server, name, make())
            if args.seconds:
                together(server, args.seconds)
        finally:
            server.end()
    for fault in faults:
        print(f"  !! {fault}")
    print(f"faults found: {len(faults)}")
    return 1 if faults else 0


if __name__ == "__main__":
    os.environ.pop("REFEREE_DATABASE", None)
    sys.exit(main())
