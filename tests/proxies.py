"""nginx and Caddy in front of `referee serve --public`, with the files that `deploy/` ships."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from sockets import stopped
from waiting import PATIENCE

from referee.server.certificate import Certificate, certificate
from torture.ports import free

DEPLOY = Path(__file__).parent.parent / "deploy"
NAME = "fudami.example"  # in the examples
PATHS = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])


class Front(NamedTuple):
    """A proxy that runs: its ports, what to trust, and the log of the app behind it."""

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
    """Where a proxy is installed: what the variable NGINX or CADDY says, or on the path."""
    return os.environ.get(name.upper()) or shutil.which(name, path=PATHS)


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
def front(name: str, folder: Path) -> Iterator[Front]:
    """The app behind a proxy, on free ports of the loopback."""
    where = program(name)
    assert where
    made = certificate(folder / "tls", ["127.0.0.1"])
    with app(folder) as behind:
        plain, secure = free(), free()
        write = {"nginx": _nginx, "caddy": _caddy}[name]
        command = write(where, folder, made, plain, secure, behind)
        environ = os.environ | {"XDG_DATA_HOME": str(folder), "HOME": str(folder)}
        with (folder / "proxy.log").open("wb") as log:
            proxy = subprocess.Popen(command, env=environ, stderr=log, stdout=log)
        with stopped(proxy, plain, secure):
            yield Front(plain, secure, made.authority, folder / "log")


def _nginx(
    where: str, folder: Path, made: Certificate, plain: int, secure: int, behind: int
) -> Sequence[str]:
    site = _changed(
        (DEPLOY / "nginx.conf").read_text(),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("    listen [::]:80;\n", ""),
        ("listen 443 ssl", f"listen 127.0.0.1:{secure} ssl"),
        ("    listen [::]:443 ssl http2;\n", ""),
        ("https://$host$request_uri", f"https://$host:{secure}$request_uri"),
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(made.chain)),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(made.key)),
        ("127.0.0.1:8321", f"127.0.0.1:{behind}"),
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
    where: str, folder: Path, made: Certificate, plain: int, secure: int, behind: int
) -> Sequence[str]:
    site = _changed(
        (DEPLOY / "Caddyfile").read_text(),
        (f"{NAME} {{\n", f"localhost {{\n\ttls {made.chain} {made.key}\n"),
        ("127.0.0.1:8321", f"127.0.0.1:{behind}"),
    )
    own = f"{{\n\tadmin off\n\thttp_port {plain}\n\thttps_port {secure}\n\tskip_install_trust\n}}\n"
    conf = folder / "Caddyfile"
    conf.write_text(own + site)
    return [where, "run", "--config", str(conf), "--adapter", "caddyfile"]


def _changed(text: str, *changes: tuple[str, str]) -> str:
    """The example with this machine's ports; a change that finds nothing to change is a mistake."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def lines(log: Path) -> list[dict[str, object]]:
    """What has been logged."""
    return [json.loads(line) for line in log.read_text().splitlines()]
