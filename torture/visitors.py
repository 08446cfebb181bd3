"""Hostile requests: every route, as every kind of phone, with every header that the app reads.

Routes come from the URL map, and names of form fields from the code that reads them; headers are
those that the app or its libraries looked up in earlier requests. So new routes, fields and headers
are tested without a change here.
"""

from __future__ import annotations

import ast
import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any, NamedTuple
from urllib.parse import quote, unquote_to_bytes, urlencode
from wsgiref.types import WSGIEnvironment

from flask import Flask
from werkzeug.routing import BuildError, Rule
from werkzeug.test import EnvironBuilder, run_wsgi_app

import referee
from referee.app import create_app
from referee.core.game import Game
from referee.games import GAMES
from referee.http import access, invites
from referee.jukugo.decks import write_deck
from referee.jukugo.library import open_deck
from referee.kit import shipped
from referee.store import Circles, Doors, People
from referee.web.own_games import trial
from referee.web.site import trust

SLOW = 2.0  # seconds of processor time; a session is judged in a fraction of it
STUCK = 600.0  # seconds of wall-clock time; an upload is read at a low priority
ROLES = ("nobody", "new", "member", "host", "seated", "watching", "knocking", "removed")
ADDRESSES = ("127.0.0.1", "192.0.2.7", "::1", "")
TEXTS = (
    *("", " ", "\n", "0", "-1", "1", "7", "99999999999999999999", "1e9", "٣", "１２", "NaN"),
    *("A", "あかね", "table", "<script>alert(1)</script>", "\"'><b>", "{{7*7}}", "%00", "\x00"),
    *("\x1b[2J", "\u202eabc", "\u200b", "\ud800", "👩‍👩‍👧", "é" * 300, "長" * 10_000, "%(n)s"),
    *("../../etc/passwd", "' OR 1=1 --", "a\r\nX: y", "lay 7", "A lay 7", "table rewind 0"),
    *("table rule 1 stands", "table amend 1 A lay 1", "9999-12-31", "0001-01-01", "2025-01-08"),
)
HOSTS = (
    *("localhost", "127.0.0.1:8321", "[::1]:8321", "example.org", "", "xn--", "xn--a.xn--", ".."),
    *("a..b", "[", "[::1", "[v1.a]", "[::1%eth]", "a:b", "a:99999", ":80", "x:", "é", "a" * 300),
    *("-", "a b", "a/b", "a@b", "%41", "\x00", "[:::::]", "[1]", "_", "a.", "xn--" + "9" * 60),
)
DATES = (
    *("Thu, 01 Jan 1970 00:00:00 GMT", "x", '"x"', "Thu, 99 Jan 99999 00:00:00 GMT"),
    f"Thu, 31 Dec {'9' * 11} 23:59:59 GMT",
)
HEADERS = {
    "Host": HOSTS,
    "Origin": ("null", "http://a..b", "http://[", "http://xn--", "http://localhost", "//", "é"),
    "Accept-Language": ("ja", "en;q=0.9, *;q=x", "a" * 400, ",;=", "en;q=1e400", "zz-ZZ-ZZ"),
    "Accept": ("text/html", "text/event-stream", "*/*;q=x", ";;;"),
    "Content-Type": (
        *("application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data;"),
        *("multipart/form-data; boundary=", "multipart/form-data; boundary=é", "text/plain"),
        *("multipart/form-data; boundary=x", "application/json; charset=x-none", "; ;", "/"),
        "application/x-www-form-urlencoded; charset=utf-7",
    ),
    "Range": ("bytes=0-", "bytes=5-1", "bytes=x", "bytes=-0", "bytes=0-1,2-3", "lines=1-"),
    "If-Modified-Since": DATES,
    "If-Unmodified-Since": DATES,
    "If-Range": DATES,
    "If-None-Match": ("*", 'W/"x"', '"', ",,"),
    "Cookie": ("phone=", "phone", "=;=", 'lang="\\777"', "onward=//[", "onward=/\x7f", "é=é", ";"),
    "Sec-Fetch-Site": ("same-origin", "cross-site", "none", ""),
    "Sec-Fetch-Dest": ("document", "image", "empty"),
    "HX-Request": ("true", "false", ""),
    "HX-Current-URL": ("http://[", "http://xn--/", "x"),
    "Last-Event-ID": ("7", "-1", "x"),
    "X-Forwarded-Proto": ("http", "https", ""),
}
"""Headers with values at which something could fail; others get values from ``TEXTS``."""
READ_BY_SERVERS = {"HTTP_" + name.upper().replace("-", "_") for name in HEADERS}


class Report(NamedTuple):
    """The number of requests, how many of them succeeded, and the faults found.

    ``met``: routes, each with the roles that reached it. ``headers``: those that were read.
    """

    inputs: int
    taken: int
    faults: list[str]
    met: dict[str, set[str]]
    headers: set[str]


class Noting(dict[str, Any]):
    """A WSGI environment that records which headers are looked up."""

    def __init__(self, environ: WSGIEnvironment, read: set[str]) -> None:
        super().__init__(environ)
        self._read = read

    def copy(self) -> Noting:
        return Noting(self, self._read)

    def get(self, key: str, default: Any = None, /) -> Any:
        self._note(key)
        return super().get(key, default)

    def __getitem__(self, key: str, /) -> Any:
        self._note(key)
        return super().__getitem__(key)

    def __contains__(self, key: object, /) -> bool:
        self._note(key)
        return super().__contains__(key)

    def _note(self, key: object) -> None:
        if isinstance(key, str) and key.startswith("HTTP_"):
            self._read.add(key)


class House(NamedTuple):
    """An app with data: ``cookies`` by role, ``good`` values by the argument's name."""

    app: Flask
    rules: list[Rule]
    cookies: dict[str, str]
    good: dict[str, list[str]]
    scheme: str

    def answer(self, environ: WSGIEnvironment) -> tuple[bytes, int]:
        body, status, _headers = run_wsgi_app(self.app, environ, buffered=True)
        return b"".join(body), int(status.split(" ", 1)[0])


def requests(folder: Path, inputs: int, seed: int) -> Report:
    """``inputs`` requests to apps in ``folder``: on a home network, and behind a proxy."""
    rng = Random(seed)
    houses = [house(folder / name, **settings) for name, settings in KINDS.items()]
    fields = sorted(asked_for())
    read, taken, faults, met = set(READ_BY_SERVERS), 0, list[str](), defaultdict[str, set[str]](set)
    for number in range(inputs):
        here = houses[number % len(houses)]
        rule, role = rng.choice(here.rules), rng.choice(ROLES)
        environ = _request(here, rule, role, fields, sorted(read), rng)
        met[rule.endpoint].add(role)
        said = f"request {number} of seed {seed} as {role}: {_shown(environ)}"
        began, worked = perf_counter(), process_time()
        try:
            text, status = here.answer(Noting(environ, read))
            if status >= 500 or b"Traceback" in text:
                faults.append(f"{status} for {said}")
            elif status >= 400 and environ["REQUEST_METHOD"] != "HEAD" and not text.strip():
                faults.append(f"{status} without a word for {said}")
            taken += status < 400
        except Exception as fault:
            faults.append(f"{fault!r} for {said}")
        if process_time() - worked > SLOW or perf_counter() - began > STUCK:
            faults.append(f"slow: {said}")
    for here in houses:
        here.app.extensions["ledger"].store.close()
    return Report(inputs, taken, faults, dict(met), read)


KINDS: dict[str, dict[str, Any]] = {
    "home": {},
    # `serve --public` always logs; the hours of its visitors do not end
    "public": {"PUBLIC": True, "LOG_REQUESTS": True, "QUOTA": 2**60},
    "secure": {"SECURE": trust.Secure(8322, b"", "")},
}
"""Configurations of the app; each treats hosts and schemes in its own way."""


def house(folder: Path, **config: Any) -> House:
    """An app with a circle, a table of each game and game file, and a phone in every role."""
    folder.mkdir()
    games: dict[str, Game] = {**GAMES, **shipped.games()}
    app = create_app(folder, **config)
    store = app.extensions["ledger"].store
    tokens = {role: secrets.token_urlsafe(16) for role in ROLES}
    doors = Doors(store)
    for role in ROLES:
        if role != "nobody":
            doors.greet(invites.digest(tokens[role]))
    scheme = "https" if app.config["PUBLIC"] else "http"
    name = f"__Host-{access.COOKIE}" if app.config["PUBLIC"] else access.COOKIE
    cookies = {role: f"{name}={tokens[role]}" for role in ROLES if role != "nobody"}
    found = House(app, [], {"nobody": "", **cookies}, {}, scheme)
    matches = [_opened(found, name, game.SEATS[0]) for name, game in games.items()]
    circle = Circles(store).of(invites.digest(tokens["member"]))[0].id
    for match, game in zip(matches, games.values(), strict=True):
        doors.seat(match, invites.digest(tokens["host"]), "host", 1)
        seat = min(2, game.SEATS[0])  # a game for one has no second seat: it is there without one
        doors.seat(match, invites.digest(tokens["seated"]), "seated", 0 if seat == 1 else 2)
        doors.seat(match, invites.digest(tokens["watching"]), "watching")
        doors.seat(match, invites.digest(tokens["knocking"]), "knocking", 0, "藤")
        doors.seat(match, invites.digest(tokens["removed"]), "watching")
        doors.expel(match, invites.digest(tokens["removed"]))
    deck = open_deck()
    store.shelf.keep_deck(deck.id, write_deck(deck), "ours", circle)
    keeper = app.extensions["keeper"]
    links = [keeper.invitation("circle", circle).text, keeper.sealed(matches[0])]
    links += [keeper.invitation(kind, circle, matches[0]).text for kind in ("table", "code")]
    people = [str(person.id) for person in People(store).of(circle)]
    sessions = [str(session.id) for session in Circles(store).sessions(circle)]
    files = list(shipped.games())
    good = {"match": matches, "game": list(games), "person": people, "session": sessions}
    good |= {"secret": links, "number": ["1", "2"], "seat": ["A", "B"], "from": files}
    good |= {
        "name": ["ours", deck.id, *files],
        "text": [game.text for game in shipped.games().values()],
    }
    texts = [game.text.split("\n") for game in shipped.games().values()]
    good["file"] = [trial.packed(lines) for lines in texts]
    good["played"] = [trial.packed(["table deal leader=A"])]
    good["filename"] = ["css/reading.css", "sw.js"]
    return found._replace(rules=list(app.url_map.iter_rules()), good=good)


def asked_for() -> set[str]:
    """Names of form fields and of address parameters: each text that the pages look up."""
    found = set[str]()
    program = Path(referee.__file__).parent
    for path in (*program.glob("http/*.py"), *program.glob("web/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="get" | "getlist"), args=[key, *_]):
                    found |= _text_of(key)
                case (
                    ast.Call(func=ast.Attribute(attr="number"), args=[key, *_])
                    | ast.Call(func=ast.Name("number"), args=[key, *_])
                ):
                    found |= _text_of(key)
                case ast.Compare(left=key, ops=[ast.In()]):
                    found |= _text_of(key)
    return found


def _text_of(node: ast.expr) -> set[str]:
    fits = (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier()
    )
    return {node.value} if fits else set()  # type: ignore[attr-defined]


def _opened(here: House, game: str, seats: int) -> str:
    """The id of a table of ``game``, opened by the member for this number of people."""
    names = [chr(ord("A") + i) for i in range(seats)]
    said = [("game", game), ("called", "Mahjong")]  # a pad asks what is played
    form = urlencode([*said, *(("name", name) for name in names)]).encode()
    environ = EnvironBuilder(
        "/new", base_url=f"{here.scheme}://localhost", method="POST"
    ).get_environ()
    environ |= _body(form, "application/x-www-form-urlencoded")
    environ["HTTP_COOKIE"] = here.cookies["member"]
    body, status, headers = run_wsgi_app(here.app, environ, buffered=True)
    if not status.startswith("303"):
        raise RuntimeError(f"{game} can't be opened: {status} {b''.join(body)[:200]!r}")
    return str(headers["Location"].partition("?")[0].rpartition("/")[2])


def _request(
    here: House, rule: Rule, role: str, fields: Sequence[str], read: Sequence[str], rng: Random
) -> WSGIEnvironment:
    """An environment as the bridge makes it, with bytes decoded as latin-1."""
    method = rng.choice([*sorted(rule.methods or ()), "POST", "GET"])
    query = urlencode(list(_fields(here, fields, rng)), errors="surrogatepass")
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": _path(here, rule, rng),
        "QUERY_STRING": query
        if rng.random() < 0.9
        else _in_an_address("&".join(rng.choices(TEXTS, k=3))),
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": rng.choice(ADDRESSES),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": here.scheme if rng.random() < 0.9 else "http",
        "wsgi.errors": BytesIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "HTTP_HOST": "localhost",
        "HTTP_COOKIE": here.cookies[role],
    }
    environ |= _sent(here, fields, rng)
    for key in rng.sample(read, min(len(read), rng.choice((0, 1, 1, 2, 4)))):
        name = key.removeprefix("HTTP_").replace("_", "-").title()
        value = rng.choice(_VALUES.get(name.lower(), TEXTS))
        if key == "HTTP_COOKIE":
            value = f"{here.cookies[role]}; {value}"
        key = key.removeprefix("HTTP_") if key in ("HTTP_CONTENT_TYPE",) else key
        environ[key] = _in_a_header(value)
    if method in ("GET", "HEAD", "OPTIONS") and rng.random() < 0.9:
        environ |= _body(b"", "")
    return environ


_VALUES = {name.lower(): values for name, values in HEADERS.items()}


def _in_a_header(text: str) -> str:
    """``text`` as a server passes it on, without the characters that would end a header."""
    plain = "".join(sign for sign in text if sign not in "\r\n\x00")
    return plain.encode("utf-8", "replace").decode("latin-1")[:4000]


def _in_an_address(text: str) -> str:
    """``text`` as a server passes it on, which refuses spaces and non-ASCII characters."""
    return "".join(sign for sign in text if "!" <= sign <= "~")[:4000]


def _sent(here: House, fields: Sequence[str], rng: Random) -> dict[str, Any]:
    form = list(_fields(here, fields, rng))
    kind = rng.randrange(5)
    if kind < 3:
        text = urlencode(form, errors="surrogatepass").encode()
        return _body(text, "application/x-www-form-urlencoded")
    if kind == 3:
        parts = [_part(name, value, rng) for name, value in form]
        return _body(b"".join(parts) + b"--x--\r\n", "multipart/form-data; boundary=x")
    return _body(rng.randbytes(rng.randrange(60)), rng.choice(HEADERS["Content-Type"]))


def _part(name: str, value: str, rng: Random) -> bytes:
    file = "; filename=" + rng.choice(('"a.txt"', '"b.zip"', "c.csv", '"../d.json"', '""', "é"))
    about = f'Content-Disposition: form-data; name="{rng.choice((name, "file"))}"'
    about += file if rng.random() < 0.5 else ""
    content = rng.choice((value, '{"format": "referee-history"', "PK\x03\x04", "referee: 1\n"))
    return f"--x\r\n{about}\r\n\r\n{content}\r\n".encode("utf-8", "replace")


def _body(text: bytes, kind: str) -> dict[str, Any]:
    return {"CONTENT_LENGTH": str(len(text)), "CONTENT_TYPE": kind, "wsgi.input": BytesIO(text)}


def _path(here: House, rule: Rule, rng: Random) -> str:
    values: dict[str, Any] = {}
    for name in rule.arguments:
        texts = here.good.get(name, TEXTS) if rng.random() < 0.8 else TEXTS
        text = rng.choice(texts)
        values[name] = int(text) if text.isdecimal() and text.isascii() else text
    try:
        with here.app.test_request_context():
            path = str(here.app.url_for(rule.endpoint, **values))
    except (BuildError, ValueError, UnicodeError):
        path = quote(str(rule.rule).replace("<", "").replace(">", ""))
    return unquote_to_bytes(path.partition("?")[0]).decode("latin-1")


def _fields(here: House, names: Sequence[str], rng: Random) -> Iterator[tuple[str, str]]:
    for name in rng.choices(names, k=rng.randrange(6)):
        values: Iterable[str] = here.good.get(name, ()) if rng.random() < 0.5 else ()
        yield name, rng.choice([*values, *rng.sample(TEXTS, 3), "key-00000000", "on", "1"])


def _shown(environ: WSGIEnvironment) -> str:
    kept = {k: v for k, v in environ.items() if k.startswith(("HTTP_", "CONTENT_")) and v}
    head = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']!r} ?{environ['QUERY_STRING'][:200]}"
    return f"{head} {kept} {environ['wsgi.input'].getvalue()[:200]!r}"[:1500]
