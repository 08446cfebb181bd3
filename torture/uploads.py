"""``python -m torture.uploads [--matches N]``: imports and exports on a server while somebody
plays.

A phone of a group sends hostile and large files, two phones fetch long exports, and another one
plays. Prints the additional memory of the server and its processes, the durations of plays
meanwhile, and how long the server took to stop during that.
"""

from __future__ import annotations

import argparse
import gzip
import html
import http.client
import io
import os
import re
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event, Thread
from urllib.parse import urlencode

from referee.games import GAMES
from torture import ports

MOST_ABOVE = 150  # MB that a file may cost
MOST_PROCESSOR = 2.0  # seconds that the refusal of a file may take, above those of an empty one
MOST_OF_MANY = 8.0  # the same for several records, each of which is refused
MOST_END = 3.0  # seconds from SIGTERM to the end
PACE = 0.02  # seconds between two plays
PATIENCE = 600.0
MB = 1024 * 1024
HEAD = (
    '{"format": "referee-history", "version": 1, "circle": "",\n"people": [%s],\n"sessions": [%s]'
)
SEATS = ("A", "B", "C", "D", "E")
GAME = next(
    name
    for name, game in GAMES.items()
    if {2, len(SEATS)} <= {*game.SEATS} and "leader" in game.PLAYS[0].FORM
)
RECORD = f"referee: 1\ngame: {GAME}\nseats: A B\n\ntable deal leader=A\n".encode()
MARKS = "\u0301\u0316"  # of different classes, which are sorted
FIELD = re.compile(r'name="(seen|key)" value="([^"]*)"')
LINE = re.compile(r'<button[^>]*name="line" value="([^"]+)"')
File = tuple[str, bytes]


@dataclass
class Seen:
    """The measurements of ``during``: durations of plays in seconds, and of the whole block.

    ``above``: additional memory in MB, at most. ``processor``: seconds of the reading processes.
    """

    plays: list[float] = field(default_factory=list)
    seconds: float = 0.0
    above: float = 0.0
    processor: float = 0.0


def history(matches: int, circle: str = "") -> bytes:
    """A history of ``matches`` small matches, gzipped."""
    at = "2025-01-0{}T{:02}:{:02}:{:02}.000+00:00"
    people = ",".join(f'{{"name": "{n}", "played": "{at.format(8, 0, 0, 0)}"}}' for n in "AB")
    evening = f'{{"began": "{at.format(8, 0, 0, 0)}", "place": "", "note": ""}}'
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", mtime=0, compresslevel=1) as file:
        file.write((HEAD % (people, evening)).encode() + b',\n"matches": [')
        for n in range(matches):
            opened = at.format(8, n // 3600 % 24, n // 60 % 60, n % 60)
            line = '["%s","legal","x","1","' + opened + '"]'
            entries = ",".join(
                line % text for text in ("table deal leader=A", "A lay 4", "B lay 5")
            )
            file.write(
                f'{"," if n else ""}\n{{"id":"{circle}m{n:07}","opened":"{opened}","session":'
                f'"{at.format(8, 0, 0, 0)}","header":["referee: 1","game: {GAME}","seats: A B"],'
                f'"seats":{{"A":"A","B":"B"}},"entries":[{entries}]}}'.encode()
            )
        file.write(b"\n]}\n")
    return out.getvalue()


def _packed(text: bytes, times: int) -> bytes:
    """The head of a history and ``text`` ``1000 * times`` times, gzipped.

    The whole text is never in memory.
    """
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=9) as file:
        file.write((HEAD % ("", "")).encode())
        for _ in range(times):
            file.write(text * 1000)
    return out.getvalue()


def zipped(files: int, size: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(files):
            archive.writestr(f"{number}.txt", bytes(size))
    return out.getvalue()


def record(*lines: str, seats: str = "A B", head: str = "") -> list[File]:
    """A record of these lines; ``head``: lines of the header after the seats."""
    text = f"referee: 1\ngame: {GAME}\nseats: {seats}\n{head}\ntable deal leader=A\n"
    return [("a.txt", (text + "\n".join(lines) + "\n").encode())]


HOSTILE: dict[str, Callable[[], list[File]]] = {
    "1.2 MB: nested lists": lambda: [("a.gz", _packed(b'"x":[' + b"[]," * 100, 1_200))],
    "3.5 MB: nested lists in a match": lambda: [
        ("a.gz", _packed(b',\n"matches": [\n{"entries": [' + b"[]," * 200, 3_000))
    ],
    "8 MB: people": lambda: [
        ("a.json", (HEAD % ('{"name":"a","played":""},' * 320_000, "")).encode())
    ],
    "64 MB: a line without an end": lambda: [
        ("a.json", (HEAD % ("", "")).encode() + b',\n"matches": [\n' + b" " * (63 * MB))
    ],
    "64 MB: noise": lambda: [("a.zip", b"PK\x03\x04" + Random(1).randbytes(63 * MB))],
    "64 MB: short lines": lambda: [("a.json", b"\n" * (63 * MB))],
    "2 MB: 1,500 archives": lambda: [(f"{i}.zip", zipped(1, 1_000_000)) for i in range(1_500)],
    "an archive of 100,000 files": lambda: [("a.zip", zipped(100_000, 1))],
    "4,900 records": lambda: [(f"{i}.txt", RECORD) for i in range(4_900)],
    "a record of 100,000 seats": lambda: record(seats=" ".join(map(str, range(100_000)))),
    "a record of one long name": lambda: record(seats=f"{'A' * MB} B"),
    "a record of 5,000 marks on a letter": lambda: record(seats=f"A{MARKS * 5_000} B"),
    "a record of 70,000 former players": lambda: record(
        head="".join(f"until: {n} A x\n" for n in range(1, 70_000))
    ),
    "a record of 100,000 entries": lambda: record(*["A lay 7"] * 100_000),
    "a record of a line of 3 MB": lambda: record("A lay " + "7 " * (MB + MB // 2)),
    "a record that is corrected 5,000 times": lambda: record(
        *["A lay 7"] * 4_900, *["table amend 2 A lay 8"] * 5_000
    ),
    "20 records that are corrected 5,000 times": lambda: [
        (f"{n}.txt", record(*["A lay 7"] * 4_900, *["table amend 2 A lay 8"] * 5_000)[0][1])
        for n in range(20)
    ],
    "a deck of 60 MB": lambda: [("a.csv", b"a,b\n" * (15 * MB)), ("a.txt", RECORD)],
}


class Phone:
    """A phone with a cookie of its own."""

    def __init__(self, port: int) -> None:
        self._port, self._cookie = port, ""
        self.table = self._opened()

    def _opened(self) -> str:
        """The address of a new table."""
        form = [("game", GAME), *(("name", name) for name in SEATS)]
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", "/new", urlencode(form).encode(), kind)[1]

    def ask(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> tuple[int, str, bytes]:
        """Status, redirect address, page."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        try:
            wanted = {**(headers or {}), "Cookie": self._cookie}
            connection.request(method, path, body or None, wanted)
            answer = connection.getresponse()
            text = answer.read()
            for cookie in answer.headers.get_all("Set-Cookie") or ():
                if cookie.startswith("phone="):
                    self._cookie = cookie.partition(";")[0]
            return answer.status, answer.headers.get("Location", ""), text
        finally:
            connection.close()

    def sends(self, files: list[File], over: Event | None = None) -> int:
        """Send files, and wait until they are imported or it is ``over``; the answer's status."""
        parts = [
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n\r\n'
            % name.encode()
            + content
            + b"\r\n"
            for name, content in files
        ]
        kind = {"Content-Type": "multipart/form-data; boundary=x"}
        body = b"".join([*parts, b"--x--\r\n"])
        status, to, _text = self.ask("POST", "/history/import", body, kind)
        while status == 303 and not (over and over.is_set()):
            if b"<progress" not in self.ask("GET", to)[2]:
                break
            time.sleep(0.2)
        return status

    def plays(self) -> float | None:
        """Seconds from a tap to its answer; None if no play was possible."""
        page = self.ask("GET", self.table)[2].decode()
        fields, lines = dict(FIELD.findall(page)), LINE.findall(page)
        if "seen" not in fields or not lines:
            self.table = self._opened()  # the match is over
            return None
        line = html.unescape(Random(secrets.randbits(32)).choice(lines))
        form = {"seen": fields["seen"], "key": secrets.token_urlsafe(9), "line": line}
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        began = time.perf_counter()
        self.ask("POST", f"{self.table}/play", urlencode(form).encode(), kind)
        return time.perf_counter() - began


def serving(folder: Path, port: int) -> list[str]:
    """The command that serves ``folder`` at ``port``."""
    command = [sys.executable, "-m", "referee", "serve", "--host", "127.0.0.1"]
    return [*command, "--port", str(port), "--data", str(folder)]


class Server:
    """A server with a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.port = ports.free()
        self.process = subprocess.Popen(serving(folder, self.port), stdout=subprocess.DEVNULL)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", "/healthz")
                connection.getresponse().read()
                return
            time.sleep(0.05)
        raise RuntimeError("the server does not start")

    def memory(self) -> float:
        """MB of this process and of those that it has started."""
        return memory(self.process.pid)

    def readers(self) -> float:
        """Seconds of processor time of processes that it has started and that have ended."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[13:15])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> float:
        """Seconds from SIGTERM to the end."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        return time.monotonic() - began


def memory(pid: int) -> float:
    """MB of a process and of those that it has started."""
    own = {pid}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            if parent == pid:
                own.add(int(stat.parent.name))
    return sum(map(_resident, own))


def _resident(pid: int) -> float:
    with suppress(OSError, IndexError):
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        return int(text.partition("Pss:")[2].split()[0]) / 1024
    return 0.0


@contextmanager
def during(server: Server, player: Phone) -> Iterator[Seen]:
    """Measures plays, memory and time while the block runs; complete after it."""
    idle, over, seen = server.memory(), Event(), Seen()
    read = server.readers()
    peaks = [idle]

    def watch() -> None:
        while not over.wait(0.05):
            peaks.append(server.memory())

    def play() -> None:
        while not over.wait(PACE):
            took = player.plays()
            seen.plays.extend([took] if took is not None else [])

    beside = [Thread(target=watch), Thread(target=play)]
    for thread in beside:
        thread.start()
    began = time.monotonic()
    try:
        yield seen
    finally:
        seen.seconds = time.monotonic() - began
        over.set()
        for thread in beside:
            thread.join()
        seen.above = max(peaks) - idle
        seen.processor = server.readers() - read


def report(name: str, seen: Seen, status: int = 0) -> str:
    """One line about what was seen, and how it was answered."""
    ms = sorted(play * 1000 for play in seen.plays) or [0.0]
    late = ms[int(len(ms) * 0.99)] if len(ms) > 1 else ms[0]
    return (
        f"{name:42} {status}  {seen.seconds:6.1f} s  {seen.processor:5.2f} s of a processor"
        f"  {seen.above:+7.1f} MB"
        f"  {len(ms):5} plays, median {statistics.median(ms):5.1f}, p99 {late:6.1f} ms"
    )


def wrong(name: str, seen: Seen, status: int) -> list[str]:
    """The measurements above their limits, as sentences."""
    found = []
    if seen.above > MOST_ABOVE:
        found.append(f"{name}: {seen.above:.0f} MB")
    if status >= 500:
        found.append(f"{name}: {status}")
    return found


def too_long(name: str, processor: float, *, several: bool) -> list[str]:
    """The processor time above its limit, as a sentence."""
    if processor <= (MOST_OF_MANY if several else MOST_PROCESSOR):
        return []
    return [f"{name}: {processor:.1f} s of a processor"]


def main() -> int:
    """Print a line for each file; 1 if one is above a limit."""
    parser = argparse.ArgumentParser(prog="torture.uploads", description=__doc__)
    parser.add_argument(
        "--matches", type=int, default=20_000, help="of the history that is taken in"
    )
    parser.add_argument(
        "--only", default="", help="of the hostile files, those with this in the name"
    )
    args = parser.parse_args()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        server = Server(Path(name))
        sender, player = Phone(server.port), Phone(server.port)

        def tried(what: str, act: Callable[[], int]) -> list[str]:
            """Do ``act``, which returns a status, and print what it cost; returns its faults."""
            with during(server, player) as seen:
                status = act()
            print(report(what, seen, status), flush=True)
            return wrong(what, seen, status)

        with during(server, player) as seen:
            time.sleep(5)
        print(report("nothing", seen), flush=True)
        with during(server, player) as seen:
            sender.sends([("a.txt", b"")])
        start = seen.processor
        for kind, files in HOSTILE.items():
            if args.only in kind:
                sent = files()
                with during(server, player) as seen:
                    status = sender.sends(sent)
                print(report(kind, seen, status), flush=True)
                faults += wrong(kind, seen, status)
                faults += too_long(kind, seen.processor - start, several=len(sent) > 1)
        source = [("a.gz", history(args.matches))]
        faults += tried(f"{args.matches} matches taken in", lambda: sender.sends(source))
        for path in ("history.json.gz", "results.csv", "records.zip", "history.db"):
            faults += tried(
                f"{path} of {args.matches} matches",
                lambda path=path: sender.ask("GET", f"/history/{path}")[0],
            )
        for address in ("/history", "/circle", "/people", "/history/people", "/history/files"):
            sender.ask("GET", address)
            began = time.perf_counter()
            sender.ask("GET", address)
            print(f"{address:34} {(time.perf_counter() - began) * 1000:6.0f} ms", flush=True)
        took = _ended_during_exports(server, sender)
        print(f"SIGTERM during exports: {took:.1f} s")
        if took > MOST_END:
            faults.append(f"SIGTERM: {took:.1f} s")
    for fault in faults:
        print(f"  !! {fault}")
    print(f"faults found: {len(faults)}")
    return 1 if faults else 0


def _ended_during_exports(server: Server, phone: Phone) -> float:
    """End the server while it answers three exports; seconds from SIGTERM to the end."""

    def fetch(way: str) -> None:
        with suppress(OSError, http.client.HTTPException):
            phone.ask("GET", way)

    beside = [
        Thread(target=fetch, args=(f"/history/{name}",))
        for name in ("history.json.gz", "records.zip", "history.db")
    ]
    for thread in beside:
        thread.start()
    time.sleep(1)
    took = server.end()
    for thread in beside:
        thread.join()
    return took


if __name__ == "__main__":
    os.environ.pop("REFEREE_DATABASE", None)
    sys.exit(main())
