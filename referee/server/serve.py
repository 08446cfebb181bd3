"""`referee serve`: the app on the local network, with its address as text and as a QR code."""

from __future__ import annotations

import asyncio
import errno
import gc
import io
import ipaddress
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click
import segno
import uvicorn
from uvicorn.config import LOGGING_CONFIG

from referee.server import logs
from referee.server.addresses import lan_addresses
from referee.server.bridge import Bridge
from referee.server.connection import MOST_AT_ONCE, connections
from referee.server.live import MOST, Streams
from referee.server.packed import PackedFiles
from referee.upkeep.language import in_one, in_words

if TYPE_CHECKING:
    from flask import Flask

PROXY = "127.0.0.1,::1"
EVERYWHERE = ("", "0.0.0.0", "::")
PORT = 8321
GRACE_SECONDS, LAST_SECONDS = 1, 2.5
"""Time for answers that are under way when the server stops, and for everything else."""
SWITCH_SECONDS = 0.0005
"""How long a computing thread keeps the interpreter from a waiting one. The default is five
milliseconds, which a play would wait at each of its database queries.
"""
VANISHED_SECONDS = 15.0
KEEP_ALIVE_SECONDS = 75  # people think between plays, and a new connection costs a round trip
DRAIN_SECONDS = 0.2
"""The time during which a stopping server still answers requests on open connections."""
HANDED_OVER = 3
"""The file descriptor of the socket with which systemd starts a program (socket activation)."""


class CannotListen(click.ClickException):
    """The server cannot listen at the address; the command says why and what to do, and exits with
    1.
    """


class NoCertificates(click.ClickException):
    """``--https`` without the library that makes certificates."""

    def __init__(self) -> None:
        super().__init__(
            "証明書を作るライブラリがありません。/ --https needs a library that is not installed:\n"
            "  pip install cryptography   (Termux: pkg install python-cryptography)"
        )


def serve(
    host: str,
    port: int,
    data_dir: Path,
    *,
    https: bool = False,
    public: bool = False,
    proxy: str = PROXY,
    pack: Path | str = "",
    log_json: bool = False,
) -> None:
    """Run the app on `host`:`port` until Ctrl+C or SIGTERM, then close its data and return.

    Port 0 takes any free one. With `https` the app is at the next port or another free one, and
    `port` redirects there. With `public` it is on the internet, behind a proxy: `proxy` names the
    addresses or networks, separated by commas, whose forwarding headers are believed. `pack` is the
    folder of the packed app, which gets a port of its own, or the address at which it is served
    elsewhere. With `log_json` answered requests are logged, see `logs`. Raises CannotListen.
    """
    listener = handed_over() or listen(host, port)
    # imported only now, so that a port in use is reported without waiting for Flask
    from referee.app import create_app

    if log_json:
        logs.begin()
    try:
        app = create_app(data_dir, PUBLIC=public, LOG_REQUESTS=log_json)
    except BaseException:  # the data can't be opened
        listener.close()
        raise
    if host in EVERYWHERE and not public:
        app.config["OUTSIDE"] = lan_addresses()
    rarely_collect()
    sys.setswitchinterval(SWITCH_SECONDS)
    # uvicorn finishes its answers and then raises the signal again: both signals stop the server in
    # the same way, and exit handlers run. A shell that starts it in the background ignores Ctrl+C,
    # which would get lost until uvicorn runs.
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.default_int_handler)
    with closing(app.extensions["ledger"].store), suppress(KeyboardInterrupt):
        app.extensions["results"].start()
        if https:
            _over_https(app, listener, host, data_dir, pack)
            return
        plain = listener.getsockname()[1]
        with offering_packed(app, pack, host, plain):
            if public:  # without a claim link, since this output may end in logs of other people
                print(f"referee: http://{host}:{plain}/, only for the proxy at {proxy}", flush=True)
            else:
                print_welcome(host, plain, data_dir, claim(app))
            bridge = Bridge(app, Streams(app.extensions["ledger"], most=most_streams()))
            server(bridge, proxy=proxy, end=end_soon).run(sockets=[listener])


def _over_https(
    app: Flask, listener: socket.socket, host: str, data_dir: Path, pack: Path | str
) -> None:
    """Run the app at a secure address, and beside it at ``listener`` the page that leads there."""
    plain = listener.getsockname()[1]
    secured, pair = secure(app, host, plain, data_dir)
    from referee.web.site.trust import leading

    port, most = secured.getsockname()[1], most_streams() // 2
    redirecting = server(Bridge(leading(app, port), Streams(app.extensions["ledger"], most=most)))
    bridge = Bridge(app, Streams(app.extensions["ledger"], most=most))
    with offering_packed(app, pack, host, port, pair):
        print_welcome(host, plain, data_dir, claim(app), app.config["SECURE"].fingerprint)
        with beside(redirecting, listener):
            server(bridge, pair, end=end_soon).run(sockets=[secured])


@contextmanager
def beside(server: uvicorn.Server, listener: socket.socket) -> Iterator[None]:
    """Run a server in a thread as long as the context lasts."""
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def offering_packed(
    app: Flask, pack: Path | str, host: str, port: int, pair: Pair | None = None
) -> Iterator[None]:
    """Let ``app`` link to the packed app; a folder is served at the port after ``port``."""
    if isinstance(pack, str):
        app.config["PACKED"] = pack
        yield
        return
    listener = listen_after(host, port)
    app.config["PACKED"] = listener.getsockname()[1]
    packed = uvicorn.Server(configured(PackedFiles(pack), pair, proxy="", lifespan="off"))
    with beside(packed, listener):
        yield


def rarely_collect() -> None:
    """Make garbage collection walk in short steps, and rarely over old objects.

    Replayed matches and open streams are many small values that hardly change. Searching them for
    cycles finds nothing, doubles the time of the slowest corrections, and blocks every phone
    meanwhile. Objects that exist now are never searched again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 10, 1_000)


def secure(app: Flask, host: str, plain: int, data_dir: Path) -> tuple[socket.socket, Pair]:
    """A socket for the secure address, and the files of its certificate.

    Sets ``SECURE`` in the configuration of ``app``. Raises ``NoCertificates`` if the library for
    certificates is not installed.
    """
    try:
        from referee.server.certificate import certificate
    except ModuleNotFoundError as fault:
        raise NoCertificates from fault
    from referee.web.site.trust import Secure

    listener = listen_after(host, plain)
    addresses = lan_addresses() if host in EVERYWHERE else [host]
    made = certificate(data_dir / "tls", [name for name in addresses if is_address(name)])
    port = listener.getsockname()[1]
    app.config["SECURE"] = Secure(port, made.authority, made.fingerprint)
    return listener, Pair(made.chain, made.key)


def is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Pair(NamedTuple):
    """The files of a certificate with its chain, and of its key."""

    chain: Path
    key: Path


class Server(uvicorn.Server):
    """Uvicorn, with an end to open answers when it stops: streams never end by themselves."""

    def __init__(self, config: uvicorn.Config, bridge: Bridge, end: Callable[[], object]) -> None:
        super().__init__(config)
        self._bridge, self._end = bridge, end

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._end()
        for server in self.servers:
            server.close()
        await self._bridge.end_streams()
        # A request on an open connection still gets its answer, with "Connection: close".
        loop = asyncio.get_running_loop()
        until = loop.time() + DRAIN_SECONDS
        while self.server_state.connections and loop.time() < until:
            await asyncio.sleep(0.01)
        await super().shutdown(sockets)


def end_soon() -> None:
    """End this process in ``LAST_SECONDS``, whatever its threads are doing.

    What was acknowledged is on the disk; what is not committed by then is not recorded.
    """
    last = threading.Timer(LAST_SECONDS, os._exit, (0,))
    last.daemon = True
    last.start()


def server(
    bridge: Bridge,
    pair: Pair | None = None,
    proxy: str = PROXY,
    end: Callable[[], object] = lambda: None,
) -> Server:
    """The server that `serve` runs, for callers with a listening socket; with ``pair`` over HTTPS.

    ``end`` is called when the server begins to stop.
    """
    return Server(configured(bridge, pair, proxy), bridge, end)


def configured(
    app: Bridge | PackedFiles,
    pair: Pair | None,
    proxy: str,
    lifespan: Literal["on", "off"] = "on",
) -> uvicorn.Config:
    """The settings that all servers of this process share."""
    return uvicorn.Config(
        app,
        http=connections(proxy),
        loop="asyncio",
        h11_max_incomplete_event_size=MOST_AT_ONCE,
        ws="none",
        lifespan=lifespan,
        log_level="warning",
        log_config=None if logs.begun() else LOGGING_CONFIG,
        forwarded_allow_ips=proxy,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ssl_certfile=pair.chain if pair else None,
        ssl_keyfile=pair.key if pair else None,
    )


def most_streams() -> int:
    """How many live streams all servers of this process may have open together."""
    return min(MOST, descriptors() // 2)


def descriptors() -> int:
    """How many files and sockets this process may have open, after raising its limit.

    The limit is raised as far as the system allows, to at most four for each stream.
    """
    try:
        import resource
    except ImportError:  # Windows
        return 512
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4 * MOST if hard == resource.RLIM_INFINITY else min(hard, 4 * MOST)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return 4 * MOST if soft == resource.RLIM_INFINITY else soft


def handed_over() -> socket.socket | None:
    """The listening socket that systemd holds for this process (``deploy/fudami.socket``), or None.

    It stays open while the program restarts: new connections wait, and are answered then.
    """
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    listener = socket.socket(fileno=HANDED_OVER)
    _give_up_on_the_vanished(listener)
    return listener


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, or CannotListen."""
    try:
        # The protocol is given by number because asyncio sets TCP_NODELAY only on sockets that know
        # it; without it, an answer can wait 40 ms for the phone's acknowledgement of its head.
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
        family, kind, protocol, _, address = found[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise CannotListen(
            in_one(
                f"{host}は、このパソコンのアドレスではありません（{error}）",
                f"{host} is not an address of this computer ({error})",
            )
        ) from error
    try:
        if os.name == "posix":
            # A port is free again as soon as its server is gone. (On Windows this option would
            # allow others to take over the port.)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _give_up_on_the_vanished(listener)
        listener.bind(address)
        listener.listen()
    except OSError as error:
        listener.close()
        raise CannotListen(_reason(host, port, error)) from error
    return listener


def _give_up_on_the_vanished(listener: socket.socket) -> None:
    """Set a timeout after which a phone that does not acknowledge a ping counts as gone.

    The default is a quarter of an hour. Connections inherit the setting.
    """
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        milliseconds = int(VANISHED_SECONDS * 1000)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)


def listen_after(host: str, port: int) -> socket.socket:
    """A socket that listens at the port after ``port``, or at another free one."""
    try:
        return listen(host, port + 1 if port < 65535 else 0)
    except CannotListen:
        return listen(host, 0)


def _reason(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else PORT
        advice = f"`referee serve --port {other}`", f"`make run PORT={other}`"
        return in_words(
            f"ポート{port}は使用中です。札見がすでに動いているかもしれません。それを止めるか、別のポートを"
            f"使ってください：{advice[0]}、{advice[1]}",
            f"Port {port} is already in use, perhaps by another referee. Stop that one, or use"
            f" another port: {advice[0]} or {advice[1]}.",
            "\n",
        )
    if error.errno == errno.EACCES:
        return in_words(
            f"ポート{port}はシステム用です。1024以上のポートを使ってください（例：{PORT}）。",
            f"Port {port} is reserved for the system. Use one above 1023, such as {PORT}.",
            "\n",
        )
    return in_words(
        f"{host}のポート{port}で待ち受けられません：{error.strerror}",
        f"Cannot listen on {host} port {port}: {error.strerror}.",
        "\n",
    )


def claim(app: Flask) -> str:
    """The path of the link that claims matches of no circle; "" if there are none."""
    from referee.store import NOBODYS, Circles

    if not Circles(app.extensions["ledger"].store).unclaimed():
        return ""
    return f"c/{app.extensions['keeper'].invitation('claim', NOBODYS).text}"


def print_welcome(
    host: str, port: int, data_dir: Path, path: str = "", fingerprint: str = ""
) -> None:
    """Print the app's address, its QR code, where its data are and how to stop it.

    `fingerprint`: that of the authority that phones may be asked to trust.
    """
    text = "\n".join(_welcome(host, port, data_dir, path, fingerprint))
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)


def _welcome(
    host: str,
    port: int,
    data_dir: Path,
    path: str,
    fingerprint: str,
) -> Iterator[str]:
    everywhere = host in EVERYWHERE
    own = f"http://127.0.0.1:{port}/"
    hosts = lan_addresses() if everywhere else [f"[{host}]" if ":" in host else host]
    links = [f"http://{name}:{port}/{path}" for name in hosts]
    yield ""
    yield "札見（ふだみ）"
    yield ""
    if links and not hosts[0].startswith(("127.", "localhost", "[::1]")):
        yield in_words(
            "同じWi-Fiのスマホで開く（QRコードか、このアドレス）",
            "Open it on a phone in the same Wi-Fi (QR code or this address)",
        )
        yield ""
        yield from (f"    {link}" for link in links)
        if path:
            yield in_words(
                "これまでの記録は、最初に開いたスマホのサークルに入ります（1回だけ）",
                "Earlier records go to the group of the first phone that opens it (once)",
            )
        yield ""
        yield qr_code(links[0])
        if len(links) > 1:
            yield in_words(
                "QRコードは先頭のアドレスです。つながらなければ、次のアドレスを試してください",
                "The QR code is the first address; if it does not connect, try the next",
            )
    else:
        yield in_words("このパソコンだけで開けます", "Opens on this computer only")
    yield f"{in_words('このパソコンでは', 'On this computer')}: {own if everywhere else links[0]}"
    if fingerprint:
        yield in_words("証明書の指紋（SHA-256）", "Fingerprint of the certificate (SHA-256)")
        yield f"    {fingerprint}"
    yield f"{in_words('記録の場所', 'Data')}: {data_dir}"
    yield f"{in_words('止めるには', 'To stop')}: Ctrl+C"
    yield ""


def qr_code(link: str) -> str:
    """A QR code of half-height blocks, light ones drawn, as a dark terminal needs it."""
    drawing = io.StringIO()
    segno.make(link, micro=False, error="l").terminal(drawing, border=2, compact=True)
    lines = drawing.getvalue().splitlines()
    if sys.stdout.isatty():
        # white on black whatever the terminal's theme: many cameras do not read a negative
        lines = [f"\x1b[38;5;231;48;5;16m{line}\x1b[0m" for line in lines]
    return "\n".join(lines)
