"""Tonight's desk with 64 people: its pages, and the time until a result is on twenty phones."""

from __future__ import annotations

import asyncio
import secrets
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

from bench.live import SERVER, Phone, megabytes
from bench.timing import seconds
from referee.app import create_app
from tests.introduced import COOKIE, introduced

PEOPLE, PHONES, RESULTS = 64, 20, 200
LIMIT_MS = 50
"""What the slowest phone in a hundred may take."""
PAGE_MS = 100


def run() -> None:
    """Print what the pages of a full evening cost, and how long phones wait for news."""
    print(f"\nTonight's desk: {PEOPLE} people, 16 tables")
    with tempfile.TemporaryDirectory() as folder:
        desk = _begun(Path(folder))
        with subprocess.Popen([*SERVER, folder], stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                port = int(server.stdout.readline())
                asyncio.run(_measure(port, server.pid, desk))
            finally:
                server.terminate()


def _begun(folder: Path) -> int:
    """A published round of everybody; prints the time of its pages and presses."""
    app = create_app(folder)
    store = app.extensions["ledger"].store
    introduced(store)
    phone = app.test_client()
    phone.set_cookie("phone", COOKIE.removeprefix("phone="))

    def press(path: str, **fields: object) -> str:
        answer = phone.post(path, data={"key": secrets.token_hex(8)} | fields)
        assert answer.status_code == 303, answer.text
        return str(answer.location)

    desk = int(press("/desk").rpartition("/")[2])
    for number in range(PEOPLE):
        press(f"/desk/{desk}/came", name=f"P{number + 1}")
    spent = seconds(lambda: press(f"/desk/{desk}/propose"))
    print(f"  propose: {spent * 1e3:.0f} ms{'  TOO LONG' if spent > 2 else ''}")
    page = phone.get(f"/desk/{desk}/seats").text
    seen = page.partition('name="seen" value="')[2].partition('"')[0]
    press(f"/desk/{desk}/publish", round=1, seen=seen)
    for name in ("", "/rounds/1", "/standing", "/me", "/screen"):
        spent = seconds(lambda at=name: phone.get(f"/desk/{desk}{at}"))  # type: ignore[misc]
        late = "  TOO LONG" if spent * 1e3 > PAGE_MS else ""
        print(f"  page {name or '/'}: {spent * 1e3:.0f} ms{late}")
    store.close()
    return desk


class Watcher(Phone):
    """A phone that shows the desk."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        head = f"GET /desk/{self.match}/live HTTP/1.1\r\nHost: bench\r\n"
        head += f"Accept: text/event-stream\r\nCookie: {COOKIE}\r\n\r\n"
        transport.write(head.encode())


async def _measure(port: int, pid: int, desk: int) -> None:
    loop, phones = asyncio.get_running_loop(), list[Watcher]()
    for number in range(PHONES):
        address = (f"127.0.{number}.2", 0)
        _, phone = await loop.create_connection(
            lambda: Watcher(str(desk)), "127.0.0.1", port, local_addr=address
        )
        phones.append(phone)
    await asyncio.gather(*(phone.open.wait() for phone in phones))
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    late, lost = list[float](), 0
    for _ in range(RESULTS):
        before = max(max(phone.heard) for phone in phones)
        body = urlencode({"do": "more", "key": secrets.token_hex(8)}).encode()
        head = (
            f"POST /desk/{desk}/clock HTTP/1.1\r\nHost: bench\r\nCookie: {COOKIE}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        sent = time.perf_counter()
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 303"), answer
        length = answer.lower().split(b"content-length: ")[1].split(b"\r\n")[0]
        await reader.readexactly(int(length))
        await asyncio.sleep(0.1)
        late += [p.heard[before + 1] - sent for p in phones if before + 1 in p.heard]
        lost += sum(before + 1 not in phone.heard for phone in phones)
    middle, worst = statistics.median(late) * 1e3, statistics.quantiles(late, n=100)[98] * 1e3
    slow = "  TOO LONG" if worst > LIMIT_MS else ""
    print(
        f"  {PHONES} phones, {RESULTS} presses: p50 {middle:.1f} ms, p99 {worst:.1f} ms{slow},"
        f" not heard {lost}, memory {megabytes(pid):.0f} MB"
    )
