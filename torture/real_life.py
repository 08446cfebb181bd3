"""What happens around a table: the server moves, the disk fills up, a hotel asks for a login.

In each incident two phones have plays that they could not send. At the end nothing that was
acknowledged is lost, and everything that was not sent is recorded once, or its phone is told why
not. Each phone acts as static/js/taps and static/js/take.js do.
"""

from __future__ import annotations

import html
import http.client
import os
import re
import resource
import shutil
import signal
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple
from urllib.parse import urlencode

from referee import paths
from referee.games.simulation import WIDEST
from referee.store import Store
from referee.web.table.carried import FIELDS
from torture import kills, ports, unrest, uploads

MARK = "X-Fudami"  # the header of every answer of the program; phones believe no other
PLAYS = ("A lay 7", "B lay 4", "C lay 9")
"""Legal one after the other, on the phone whose turn it was when the server fell silent."""
OTHERS = ("A lay 8", "D lay 8", "E lay 3")
"""On the other phone, which did not know of them: A has played already."""
NAMESPACE = (
    "ip link set lo up && ip link add home0 type {kind} && ip addr add 192.168.1.5/24 dev home0 &&"
    " ip link set home0 up && ip tuntap add tun0 mode tun && ip addr add 10.8.0.2/24 dev tun0 &&"
    " ip link set tun0 up && ip route add default dev tun0 && exec {python} -c"
    " 'from referee.server.addresses import lan_addresses; print(*lan_addresses())'"
)
KINDS = ("dummy", "bridge")  # kernels lack one or the other


class Skipped(Exception):
    """This machine cannot bring the incident about."""


class Report(NamedTuple):
    """The incidents that were tried, those that were skipped and why, and the faults."""

    tried: list[str]
    skipped: list[str]
    faults: list[str]


class Waiting(NamedTuple):
    """A play that a phone keeps until it is answered."""

    key: str
    line: str


@dataclass
class Phone:
    """A phone with its plays in order. ``told``: those about which it was told something else."""

    table: str
    name: str
    cookies: dict[str, str] = field(default_factory=dict)
    waits: list[Waiting] = field(default_factory=list)
    recorded: list[Waiting] = field(default_factory=list)
    told: list[Waiting] = field(default_factory=list)
    clock: timedelta = timedelta(0)

    def taps(self, *lines: str) -> None:
        """Keep plays; their keys begin with the time, as in taps."""
        for line in lines:
            now = int((datetime.now(UTC) + self.clock).timestamp() * 1000)
            self.waits.append(Waiting(f"{now:x}{self.name}{len(self.waits):06}", line))

    def sends(self, port: int, context: ssl.SSLContext | None = None) -> None:
        """Send what waits until one is not simply answered; raises ``OSError``."""
        seen = self.seen(port, context)
        while self.waits:
            play = self.waits[0]
            form = [("line", play.line), ("seen", str(seen)), ("key", play.key)]
            status, _ = self.ask(port, "POST", f"{self.table}/play", form, context)
            if status >= 500:
                raise ConnectionRefusedError(status)
            seen += status == 303
            (self.recorded if status == 303 else self.told).append(self.waits.pop(0))

    def takes(self, port: int, other: Phone) -> int:
        """Take over what ``other`` keeps, which loses it once it is sent; how many the server has
        judged.
        """
        kept = ((play.key, play.line) for play in other.waits)
        rows = [{"key": key, "label": line, "does": "play", "line": line} for key, line in kept]
        form = [(name, row.get(name, "")) for row in rows for name in FIELDS]
        status, text = self.ask(port, "POST", f"{self.table}/take", form)
        if status != 200:
            raise ConnectionRefusedError(status)
        done = set(re.findall(r'data-recorded="([^"]+)"', text))
        self.waits += [play for play in other.waits if play.key not in done]
        self.sends(port)
        other.waits.clear()
        return text.count("<li")

    def seen(self, port: int, context: ssl.SSLContext | None = None) -> int:
        _, text = self.ask(port, "GET", self.table, context=context)
        return int(re.findall(r'name="seen" value="(\d+)"', text)[0])

    def ask(
        self,
        port: int,
        method: str,
        path: str,
        form: Sequence[tuple[str, str]] = (),
        context: ssl.SSLContext | None = None,
    ) -> tuple[int, str]:
        """Status and text of the answer; raises ``OSError`` if it is not one of the program."""
        connection = (
            http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=context)
            if context
            else http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        )
        with closing(connection):
            headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
            if form:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
            connection.request(method, path, urlencode(form) or None, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            if answer.headers.get(MARK) is None:
                raise ConnectionRefusedError(f"somebody else answers: {answer.status}")
            return answer.status, html.unescape(text)


class Evening(NamedTuple):
    """A table on a server's folder, and its two phones."""

    folder: Path
    table: str
    one: Phone
    other: Phone

    def phones(self) -> tuple[Phone, Phone]:
        return self.one, self.other

    def faults(self, folder: Path | None = None) -> Iterator[str]:
        """What is lost or doubled in the log, or still on a phone without a word."""
        with closing(Store((folder or self.folder) / paths.DATABASE)) as store:
            rows = [(row.key, row.line) for row in store.read(self.table.rpartition("/")[2])]
        for phone in self.phones():
            for play in phone.recorded:
                if rows.count(tuple(play)) != 1:
                    yield f"{play} was acknowledged and stands {rows.count(tuple(play))} times"
            if not phone.recorded:
                yield "nothing of a phone was recorded"
            if phone.waits:
                yield f"still on a phone: {phone.waits}"
            if any(tuple(play) in rows for play in phone.told):
                yield f"recorded, although the phone was told otherwise: {phone.told}"


@contextmanager
def serving(folder: Path, port: int, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server at ``port``, with the environment ``more``; it gets SIGTERM at the end."""
    command = uploads.serving(folder, port)
    environment = {**os.environ, **more}
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    try:
        kills.awaited(lambda: server.poll() is None, port)
        yield server
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(unrest.END_SECONDS)


def begun(folder: Path, port: int) -> Evening:
    """A table with two phones of one group, on the server at ``port``."""
    evening = kills.Evening([port])
    form = [("game", WIDEST), *(("name", seat) for seat in kills.SEATS), ("leader", "A")]
    table = evening.ask("POST", "/new", form).location
    one, other = (Phone(table, name, dict(evening.cookies)) for name in ("one", "other"))
    return Evening(folder, table, one, other)


def played_away(folder: Path) -> Evening:
    """An evening whose server has stopped; both phones have plays that they could not send."""
    port = ports.free()
    with serving(folder, port):
        evening = begun(folder, port)
    evening.one.taps(*PLAYS)
    evening.other.taps(*OTHERS)
    return evening


# ---------------------------------------------------------------- the incidents


def another_port(folder: Path) -> Iterator[str]:
    """The server moves; a phone at the new address takes over what waits at the old one."""
    evening, port = played_away(folder), ports.free()
    with serving(folder, port):
        for phone in evening.phones():
            taker, kept = Phone(evening.table, "taker", phone.cookies), list(phone.waits)
            if taker.takes(port, phone) != len(kept):
                yield "not every entry was judged"
            phone.recorded, phone.told = list(taker.recorded), list(taker.told)
            phone.waits += kept  # nobody has typed the number: they are handed over again
            taker.takes(port, phone)
            if taker.recorded != phone.recorded:
                yield "what was recorded is recorded again"
    yield from evening.faults()


def full_disk(folder: Path) -> Iterator[str]:
    """No file can grow for a while."""
    port = ports.free()
    with serving(folder, port) as server:
        evening = begun(folder, port)
        for phone, lines in zip(evening.phones(), (PLAYS, OTHERS), strict=True):
            phone.taps(*lines)
        _, most = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (1, most))
        for phone in evening.phones():
            try:
                phone.sends(port)
                yield "a play was acknowledged on a full disk"
            except ConnectionRefusedError as fault:
                if fault.args != (http.HTTPStatus.SERVICE_UNAVAILABLE,):
                    yield f"on a full disk a phone hears: {fault}"
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (most, most))
        for phone in evening.phones():
            phone.sends(port)
    yield from evening.faults()


def new_certificate(folder: Path) -> Iterator[str]:
    """The authority is another one: a phone sends nothing before it trusts that."""
    try:
        from referee.server.certificate import certificate
    except ModuleNotFoundError as fault:
        raise Skipped("the extra [https] is not installed") from fault
    evening = played_away(folder)
    known = certificate(folder / "old", ["127.0.0.1"]), certificate(folder / "tls", ["127.0.0.1"])
    old, new = (_trusting(made.authority) for made in known)
    port = ports.free()
    command = [*uploads.serving(folder, port), "--https"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        kills.awaited(lambda: server.poll() is None, port)
        secure = _secure(port)
        for phone in evening.phones():
            try:
                phone.sends(secure, old)
                yield "a phone sends to a server that it does not trust"
            except ssl.SSLCertVerificationError:
                phone.sends(secure, new)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(unrest.END_SECONDS)
    yield from evening.faults()


def _trusting(authority: bytes) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=authority)


def _secure(plain: int) -> int:
    """The port of the secure address, which follows the plain one (``serve.listen_after``)."""
    for port in range(plain + 1, plain + 20):
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as probe:
                probe.connect()
                return port
        except OSError:
            continue
    raise Skipped("the secure port was not found")


def login_page(folder: Path) -> Iterator[str]:
    """Somebody else answers everything with 200 at the server's address."""
    evening, port = played_away(folder), ports.free()
    stranger = HTTPServer(("127.0.0.1", port), Login)
    thread = Thread(target=stranger.serve_forever)
    thread.start()
    try:
        for phone in evening.phones():
            try:
                phone.sends(port)
                yield "a login page counts as the server"
            except ConnectionRefusedError:
                pass
    finally:
        stranger.shutdown()
        thread.join()
        stranger.server_close()
    with serving(folder, port):
        for phone in evening.phones():
            phone.sends(port)
    yield from evening.faults()


class Login(BaseHTTPRequestHandler):
    """The page of a network that wants a login."""

    def answer(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'<h1>Welcome</h1><input name="seen" value="0">')

    # the names that ``http.server`` wants
    do_GET = do_POST = answer  # noqa: N815

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


def wrong_clock(folder: Path) -> Iterator[str]:
    """A phone's clock is three days ahead: its plays are of now, and of the right order."""
    port = ports.free()
    with serving(folder, port):
        evening = begun(folder, port)
        evening.one.clock = timedelta(days=3)
        for phone, lines in zip(evening.phones(), (PLAYS, OTHERS), strict=True):
            phone.taps(*lines)
            phone.sends(port)
    yield from evening.faults()
    with closing(Store(folder / paths.DATABASE)) as store:
        for row in store.read(evening.table.rpartition("/")[2]):
            if abs(datetime.now(UTC) - datetime.fromisoformat(row.at)) > timedelta(hours=1):
                yield f"entry {row.seq} is of {row.at}"


def another_zone(folder: Path) -> Iterator[str]:
    """The computer travels: the times of what is recorded stay what they were."""
    port = ports.free()
    with serving(folder, port, TZ="Asia/Tokyo"):
        evening = begun(folder, port)
        evening.one.taps(PLAYS[0])
        evening.one.sends(port)
    match = evening.table.rpartition("/")[2]
    with closing(Store(folder / paths.DATABASE)) as store:
        before = store.read(match)
    evening.one.taps(*PLAYS[1:])
    evening.other.taps(*OTHERS)
    with serving(folder, port, TZ="America/Anchorage"):
        for phone in evening.phones():
            phone.sends(port)
    with closing(Store(folder / paths.DATABASE)) as store:
        if store.read(match)[: len(before)] != before:
            yield "recorded entries have changed with the zone"
    yield from evening.faults()


def data_file_alone(folder: Path) -> Iterator[str]:
    """Somebody copies the one file and the key of a stopped server to another computer."""
    port, there = ports.free(), folder / "another computer"
    with serving(folder, port):
        evening = begun(folder, port)
        evening.one.taps(*PLAYS)
        evening.one.sends(port)
    evening.other.taps(*OTHERS)
    there.mkdir()
    for name in (paths.DATABASE, "secret.key"):
        shutil.copy(folder / name, there / name)
    with serving(there, port):
        evening.other.sends(port)
    yield from evening.faults(there)


def default_route_of_a_vpn(folder: Path) -> Iterator[str]:
    """The likeliest address is that of the network at home, and not the tunnel's."""
    if not (shutil.which("unshare") and shutil.which("ip")):
        raise Skipped("there is no unshare or no ip")
    for kind in KINDS:
        script = NAMESPACE.format(kind=kind, python=sys.executable)
        done = subprocess.run(
            ["unshare", "-rn", "sh", "-c", script], capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            break
    else:
        raise Skipped(done.stderr.strip())
    if done.stdout.split()[:1] != ["192.168.1.5"]:
        yield f"with a VPN the addresses are {done.stdout.split()}"


INCIDENTS: tuple[Callable[[Path], Iterator[str]], ...] = (
    another_port,
    full_disk,
    new_certificate,
    login_page,
    wrong_clock,
    another_zone,
    data_file_alone,
    default_route_of_a_vpn,
)


def run(folder: Path, incidents: Sequence[Callable[[Path], Iterator[str]]] = INCIDENTS) -> Report:
    """Bring each of ``incidents`` about, in a folder of its own."""
    tried, skipped, faults = list[str](), list[str](), list[str]()
    for incident in incidents:
        name = incident.__name__.replace("_", " ")
        place = folder / incident.__name__
        place.mkdir()
        try:
            faults += [f"{name}: {fault}" for fault in incident(place)]
            tried.append(name)
        except Skipped as why:
            skipped.append(f"{name} ({why})")
    return Report(tried, skipped, faults)
