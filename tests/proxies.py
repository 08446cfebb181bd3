"""nginx and Caddy in front of `referee serve --public`, with the files that `deploy/` ships."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

from sockets import stopped
from waiting import PATIENCE

from referee.server.certificate import Certificate, certificate
from torture.ports import free

DEPLOY = Path(__file__).parent.parent / "deploy"
NAME = "fudami.example"  # in the examples
PATHS = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])


class Front(NamedTuple):
    """A running proxy: its ports, the authority to trust, and the log of the app behind it."""

    plain: int
    secure: int
    authority: bytes
    log: Path

    def connect(self) -> http.client.HTTPSConnection:
        trusting = ssl.create_default_context(cadata=self.authority)
        return http.client.HTTPSConnection(
            "localhost", self.secure, timeout=PATIENCE, context=trusting
        )

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[http.client.HTTPResponse, bytes]:
        with closing(self.connect()) as connection:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response, response.read()


def program(name: str) -> str | None:
    """The path of a proxy program: from the variable NGINX or CADDY, or by PATH."""
    return os.environ.get(name.upper()) or shutil.which(name, path=PATHS)


class Balanced(NamedTuple):
    """For two servers: the text before the site, and the text that replaces one server in it."""

    before: str
    instead: str


SHOWN = {"nginx": r"For nginx, .*?:\n\n(.*?)\nFor Caddy:$", "caddy": r"^For Caddy:\n\n(.*?)\n\n\S"}
ONE = {"nginx": "proxy_pass http://127.0.0.1:8321;", "caddy": r"reverse_proxy .*?\n\t\}"}
"""How the guide begins and ends what it shows, and what stands for one server in deploy/."""


@contextmanager
def app(folder: Path, *options: str) -> Iterator[int]:
    """`referee serve --public` on a free port of the loopback, its log in ``folder/log``."""
    port = free()
    run = [sys.executable, "-m", "referee", "serve", "--public", "--port", str(port)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([*run, "--data", str(folder / "data"), *options], stderr=log)
    with stopped(server, port):
        yield port


@contextmanager
def front(name: str, folder: Path, behind: Sequence[int] = ()) -> Iterator[Front]:
    """The app behind a proxy, on free ports of the loopback.

    With the ports of two servers ``behind`` it, as docs/postgresql.md shows it, otherwise as
    deploy/ does, with a server of its own.
    """
    where = program(name)
    assert where
    made = certificate(folder / "tls", ["127.0.0.1"])
    with ExitStack() as stack:
        balanced = _balancing(name, behind) if behind else None
        ports = behind or [stack.enter_context(app(folder))]
        plain, secure = free(), free()
        write = {"nginx": _nginx, "caddy": _caddy}[name]
        command = write(where, folder, made, plain, secure, balanced or str(ports[0]))
        environ = os.environ | {"XDG_DATA_HOME": str(folder), "HOME": str(folder)}
        with (folder / "proxy.log").open("wb") as log:
            proxy = subprocess.Popen(command, env=environ, stderr=log, stdout=log)
        with stopped(proxy, plain, secure):
            yield Front(plain, secure, made.authority, folder / "log")


def _nginx(
    where: str, folder: Path, made: Certificate, plain: int, secure: int, behind: str | Balanced
) -> Sequence[str]:
    site = (DEPLOY / "nginx.conf").read_text()
    if isinstance(behind, Balanced):
        site = behind.before + _changed(site, (ONE["nginx"], behind.instead))
    else:
        site = _changed(site, ("127.0.0.1:8321", f"127.0.0.1:{behind}"))
    site = _changed(
        site,
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("    listen [::]:80;\n", ""),
        ("listen 443 ssl", f"listen 127.0.0.1:{secure} ssl"),
        ("    listen [::]:443 ssl http2;\n", ""),
        ("https://$host$request_uri", f"https://$host:{secure}$request_uri"),
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(made.chain)),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(made.key)),
        (f"server_name {NAME};", "server_name localhost;"),
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    aside = "\n".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    conf = folder / "nginx.conf"
    conf.write_text(
        f"daemon off; master_process off; pid {folder / 'pid'}; error_log stderr;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{aside}\n{site}\n}}\n"
    )
    return [where, "-p", str(folder), "-e", "stderr", "-c", str(conf)]


def _caddy(
    where: str, folder: Path, made: Certificate, plain: int, secure: int, behind: str | Balanced
) -> Sequence[str]:
    site = _changed(
        (DEPLOY / "Caddyfile").read_text(),
        (f"{NAME} {{\n", f"localhost {{\n\ttls {made.chain} {made.key}\n"),
    )
    if isinstance(behind, Balanced):
        alone = re.search(ONE["caddy"], site, re.DOTALL)
        assert alone
        site = site.replace(alone[0], behind.instead)
    else:
        site = _changed(site, ("127.0.0.1:8321", f"127.0.0.1:{behind}"))
    own = f"{{\n\tadmin off\n\thttp_port {plain}\n\thttps_port {secure}\n\tskip_install_trust\n"
    conf = folder / "Caddyfile"
    conf.write_text(_changed(site, ("{\n\tservers", f"{own}\tservers")))
    return [where, "run", "--config", str(conf), "--adapter", "caddyfile"]


def _balancing(name: str, ports: Sequence[int]) -> Balanced:
    """The snippet of docs/postgresql.md for ``name``, with the ports of its two servers."""
    text = (DEPLOY.parent / "docs" / "postgresql.md").read_text(encoding="utf-8")
    found = re.search(SHOWN[name], text, re.DOTALL | re.MULTILINE)
    assert found
    servers = [(f"10.0.0.1{n}:8321", f"127.0.0.1:{port}") for n, port in enumerate(ports, 1)]
    shown = _changed(dedent(found[1]), *servers)
    before, _, instead = shown.rpartition("…")
    return Balanced(before, instead)


def _changed(text: str, *changes: tuple[str, str]) -> str:
    """The example with this machine's ports; a change that finds nothing to change is a mistake."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def lines(log: Path) -> list[dict[str, object]]:
    """The logged lines."""
    return [json.loads(line) for line in log.read_text().splitlines()]
