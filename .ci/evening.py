"""`evening.py COMMAND`: a table, plays, a restart, an import, with a program that is installed.

COMMAND runs `referee`, with words before it if need be, such as `chroot ROOT /fudami/bin/referee`.
It is called as a person would call it: `doctor`, `serve`, and `judge` on the record of the match.
This needs Python alone, so it also runs on the machine that is to be tried.
"""

from __future__ import annotations

import argparse
import html
import os
import re
import secrets
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

GAME, NAMES = "perite", ("葵", "Ben", "千尋", "Dora", "榎本")
ON_THE_PAGE = ('class="pad', *NAMES)
FORM = "application/x-www-form-urlencoded"
FIELD = re.compile(r'name="seen" value="(\d+)"')
KEY = re.compile(r'<button[^>]*name="line" value="([^"]+)"')
PLAYS = 24
PATIENCE = 300  # seconds: an emulated machine is slow


class Phone:
    """A browser without JavaScript, with the cookies that it was given."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}

    def ask(self, path: str, body: bytes | None = None, kind: str = FORM) -> tuple[str, bytes]:
        """Where an answer leads to ("" for a page), and its body; ``AssertionError`` at others."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if body is not None:
            headers |= {"Content-Type": kind, "Origin": f"http://127.0.0.1:{self.port}"}
            headers["Sec-Fetch-Site"] = "same-origin"
        connection.request("GET" if body is None else "POST", path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        for line in answer.headers.get_all("Set-Cookie") or ():
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        connection.close()
        assert answer.status in (200, 303), (path, answer.status, content.decode()[:2000])
        return answer.headers.get("Location", ""), content

    def send(self, path: str, *form: tuple[str, str]) -> str:
        """Where the answer to a form leads to; "" if it was not taken."""
        return self.ask(path, urlencode(form).encode())[0]


def played(phone: Phone) -> str:
    """The address of a new table at which ``PLAYS`` plays were entered by tapping keys."""
    table = phone.send("/new", ("game", GAME), *(("name", name) for name in NAMES))
    count, until = 0, time.monotonic() + PATIENCE
    while count < PLAYS:
        assert time.monotonic() < until, f"{count} plays were taken"
        page = phone.ask(table)[1].decode()
        missing = [part for part in ON_THE_PAGE if part not in page]
        assert not missing, f"{table} lacks {missing}"
        seen, keys = FIELD.search(page), KEY.findall(page)
        assert seen, page
        assert keys, page
        line = html.unescape(secrets.choice(keys))
        key = secrets.token_urlsafe(9)
        form = (("seen", seen[1]), ("key", key), ("line", line))
        count += bool(phone.send(f"{table}/play", *form))  # else a card that is gone
    return table


def taken_in(phone: Phone, history: bytes) -> None:
    """Import a history through the page, which a process of its own reads."""
    edge = secrets.token_hex(16)
    head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="a.json.gz"\r\n\r\n'
    body = head.encode() + history + f"\r\n--{edge}--\r\n".encode()
    phone.ask("/history/import", body, f"multipart/form-data; boundary={edge}")
    until = time.monotonic() + PATIENCE
    while b"<progress" in phone.ask("/history/work")[1]:
        assert time.monotonic() < until, "the import does not end"
        time.sleep(0.2)


@contextmanager
def served(command: Sequence[str], data: Path) -> Iterator[Phone]:
    """A phone at a server that has to end with status 0 when it is asked to."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    options = ["serve", "--host", "127.0.0.1", "--port", str(port)]
    began = time.monotonic()
    environment = os.environ | {"REFEREE_DATA": str(data)}
    server = subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL, env=environment)
    try:
        phone = Phone(port)
        while True:
            try:
                phone.ask("/")
                break
            except ConnectionRefusedError:
                assert server.poll() is None, "the server has ended by itself"
                assert time.monotonic() - began < PATIENCE, "the server does not start"
                time.sleep(0.05)
        print(f"serve: the first page after {time.monotonic() - began:.1f} s{memory(server.pid)}")
        yield phone
        began = time.monotonic()
        server.terminate()  # on Windows, this kills it
        ended = server.wait(PATIENCE)
        assert ended == 0 or os.name == "nt", f"the server ended with {ended}"
        print(f"serve: ended after {time.monotonic() - began:.1f} s")
    finally:
        server.kill()
        server.wait()


def memory(process: int) -> str:
    """The memory that a process occupies, if the system has a file that says so."""
    status = Path(f"/proc/{process}/status")
    found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return f", {int(found[1]) // 1024} MB" if found else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a new folder, as COMMAND sees it")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    command: list[str] = options.command
    with TemporaryDirectory() as folder:
        data = options.data or Path(folder)
        with served(command, data / "first") as phone:
            table = played(phone)
            record = phone.ask(f"{table}/record.txt")[1]
        with served(command, data / "first") as again:
            again.cookies = phone.cookies
            assert again.ask(f"{table}/record.txt")[1] == record
            history = again.ask("/history/history.json.gz")[1]
        print(f"{PLAYS} plays, and all are there after a restart")
        with served(command, data / "second") as phone:
            taken_in(phone, history)
            assert phone.ask(f"{table}/record.txt")[1] == record
        print("and after the history was imported elsewhere")
        environment = os.environ | {"REFEREE_DATA": str(data / "first")}
        subprocess.run([*command, "doctor"], env=environment, check=True)
    judged = subprocess.run([*command, "judge", "-"], input=record, stdout=subprocess.PIPE)
    assert judged.returncode in (0, 1), judged.returncode  # 1: an illegal play is in force
    print(f"judge: {len(judged.stdout.splitlines())} lines, status {judged.returncode}")


if __name__ == "__main__":
    main()
