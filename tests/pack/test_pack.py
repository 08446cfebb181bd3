"""Packing without network: what is fetched is checked, what is taken along is complete and pure."""

from __future__ import annotations

import gzip
import io
import json
import re
import subprocess
import sys
import tarfile
from base64 import b64encode
from hashlib import sha512
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner
from parsed import parsed

from referee.app import create_app
from referee.cli import main
from referee.games.simulation import WIDEST
from referee.http.machine import TAB
from referee.pack import contents, pyodide
from referee.pack.compiling import bare, compile_in
from referee.pack.folder import together
from referee.pack.tab import Tab
from referee.paths import data_dir
from referee.rulings import book

ORIGIN = "https://fudami.example"


def tarball(**files: bytes) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as tar:
        for name in pyodide.FILES:
            info = tarfile.TarInfo(f"package/{name}")
            inside = files.get(name.partition(".")[0], b"{}")
            info.size = len(inside)
            tar.addfile(info, io.BytesIO(inside))
    return content.getvalue()


def integrity(content: bytes) -> str:
    return f"sha512-{b64encode(sha512(content).digest()).decode()}"


def test_a_tarball_is_unpacked_only_if_it_is_the_pinned_one(tmp_path: Path) -> None:
    content = tarball(python_stdlib=b"modules")
    (tmp_path / "some.tgz").write_bytes(content)
    with pytest.raises(pyodide.WrongTarball):
        pyodide.unpack(tmp_path / "some.tgz", tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["some.tgz"]
    pyodide.unpack(tmp_path / "some.tgz", tmp_path, integrity(content))
    assert (tmp_path / "python_stdlib.zip").read_bytes() == b"modules"
    assert json.loads((tmp_path / "pyodide-lock.json").read_bytes()) == {"packages": {}}


def test_the_command_refuses_another_file_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "some.tgz").write_bytes(tarball())
    said = CliRunner().invoke(
        main, ["pack", "--pyodide", str(tmp_path / "some.tgz"), str(tmp_path / "to")]
    )
    assert said.exit_code == 1
    assert f"not Pyodide {pyodide.VERSION} as it was published" in said.output
    assert not (tmp_path / "to").exists()


def test_a_registry_is_asked_once_and_what_it_sends_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = tarball()
    answers, asked = [b"something else", right], []

    class Registry(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answers.pop(0))

        def log_message(self, line: str, *args: Any) -> None:
            pass

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(pyodide.platformdirs, "user_cache_path", lambda *_a, **_b: tmp_path)
    monkeypatch.setattr(pyodide.check, "__defaults__", (integrity(right),))
    with ThreadingHTTPServer(("127.0.0.1", 0), Registry) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}/"
        with pytest.raises(pyodide.WrongTarball):
            pyodide.fetched(address)
        file = pyodide.fetched(address)
        assert pyodide.fetched(address) == file
        server.shutdown()
        thread.join()
    assert file.read_bytes() == right
    assert asked == [f"/pyodide/-/pyodide-{pyodide.VERSION}.tgz"] * 2


def test_what_is_taken_along_is_pure_and_complete(tmp_path: Path) -> None:
    contents.collect(tmp_path)
    files = {
        file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*") if file.is_file()
    }
    assert not [name for name in files if name.endswith((".so", ".pyd", ".pyc"))]
    for name in ("flask/app.py", "markupsafe/_native.py", "referee/app.py", "referee/static/sw.js"):
        assert name in files
    assert {"referee/pack/tab.py", "referee/upkeep/backup.py", "babel/locale-data/ja.dat"} < files
    assert not [name for name in files if name.startswith("referee/templates/")]  # see `pack`
    read = json.loads((tmp_path / f"referee/games/{WIDEST}/book.json").read_bytes())
    assert read["title"]["en"] == book(WIDEST).title.en
    assert not [name for name in files if name.endswith(("book.toml", "common.toml"))]
    assert not {*contents.LEFT_OUT} & contents.required()
    later = dict(contents.later(tmp_path))
    assert list(later) == ["referee/jukugo/data/words-2021-04.tsv.gz"]
    assert not list(tmp_path.glob(contents.LATER))


def test_pages_find_their_modules_and_days_are_written(tmp_path: Path) -> None:
    contents.collect(tmp_path)
    program = tmp_path / "referee"
    for file in (*program.glob("http/*.py"), *program.glob("web/**/*.py")):
        for module in re.findall(r"^from (referee[\w.]*) import", file.read_text("utf-8"), re.M):
            there = tmp_path / module.replace(".", "/")
            assert there.is_dir() or there.with_suffix(".py").exists(), f"{file} needs {module}"
    says = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from datetime import date; from babel.dates import format_date as said;"
        "day = date(2026, 11, 8);"
        "print(said(day, 'y年M月d日', 'ja'), said(day, 'd MMM y', 'en'), said(day, 'EEE', 'ja'))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-X", "utf8", "-c", says, tmp_path],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert done.stdout == "2026年11月8日 8 Nov 2026 日\n"


def test_modules_become_byte_code_and_one_file(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "__init__.py").write_text("answer = 42\n", "utf-8")
    compile_in(tmp_path)
    assert [file.name for file in (tmp_path / "one").iterdir()] == ["__init__.pyc"]
    whole = together(tmp_path)
    length = int.from_bytes(whole[:4], "little")
    [[name, size]] = json.loads(whole[4 : 4 + length])
    assert (name, size) == ("one/__init__.pyc", len(whole) - 4 - length)


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ('"""Of a\nmodule."""\nx = 1\n', '("."\n)\nx = 1\n'),
        ('class A:\n    """Says "what"."""; y = "kept"\n', 'class A:\n    ("."); y = "kept"\n'),
        (
            'async def f():\n  "日本" "語"\n  return """no"""\n',
            'async def f():\n  (".")\n  return """no"""\n',
        ),
        ("x = 1\n'no docstring'\n", "x = 1\n'no docstring'\n"),
        ("def f(a: int = 1, *b: str, c: A) -> B: ...\n", "def f(a = 1, *b, c) : ...\n"),
        ("@f.register\ndef _(a: int) -> A: ...\n", "@f.register\ndef _(a: int) -> A: ...\n"),
        ("def f(a: dict[\n  str, int\n]) -> (\n  A): ...\n", "def f(a\n\n) -> (\n  A): ...\n"),
        (
            "class A:\n  b: int\n  def f(self) -> '日': x: int = 1\n",
            "class A:\n  b: int\n  def f(self) : x: int = 1\n",
        ),
        ("", ""),
    ],
)
def test_docstrings_become_points_annotations_go_and_lines_stay(source: str, left: str) -> None:
    assert bare(source.encode()).decode() == left


def test_a_tab_remembers_its_phone_and_offers_what_it_has(tmp_path: Path) -> None:
    app = create_app(tmp_path, MACHINE=TAB)
    tab = Tab(app, tmp_path, ORIGIN)
    body = f"game={WIDEST}&name=A&name=B&name=C".encode()
    sent = [
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("Sec-Fetch-Site", "same-origin"),
    ]
    opened = tab.ask("POST", "/new", sent, body)
    table = dict(opened.headers)["Location"]
    assert opened.status == 303
    again = Tab(app, tmp_path, ORIGIN)  # the next start
    page = again.ask("GET", table, [], b"")
    assert page.status == 200
    assert "frame-ancestors 'self'" in dict(page.headers)["Content-Security-Policy"]
    drawn = parsed(page.body)
    assert drawn.select_one(".lamp.here").get_text() == "このスマホだけに保存"  # type: ignore[union-attr]
    assert not drawn.select("[data-live]")
    assert not [name for name, _ in page.headers if name.lower() == "set-cookie"]
    part = again.ask("GET", table, [("HX-Request", "true")], b"")
    assert part.body.startswith(b"<")  # whole, not as what is new
    assert "X-Key" not in dict(part.headers)
    lab = f"/rules/{WIDEST}/lab"
    for path in (f"{table}/join", "/trust", f"{table}/live", "/join", lab):
        assert again.ask("GET", path, [], b"").status == 404, path
    assert again.ask("POST", lab, sent, b"seats=3&games=200&players=random&seed=1").status == 404
    for path in ("/", f"{table}/menu", "/settings", "/circle", f"/rules/{WIDEST}"):
        found = parsed(again.ask("GET", path, [], b"").body)
        links = [link["href"] for link in found.select("[href]")]
        lacking = ("/join", "/trust", "/lab")
        assert not [link for link in links if str(link).endswith(lacking)], path
    app.extensions["ledger"].store.close()


def test_a_tab_takes_in_a_history_without_another_process(tmp_path: Path) -> None:
    first, second = (create_app(data_dir(tmp_path / name), MACHINE=TAB) for name in ("one", "two"))
    one, two = (Tab(app, app.config["DATA_DIR"], ORIGIN) for app in (first, second))
    form = [("Content-Type", "application/x-www-form-urlencoded")]
    game = WIDEST
    one.ask("POST", "/new", form, f"game={game}&name=A&name=B&name=C".encode())
    two.ask("POST", "/new", form, f"game={game}&name=D&name=E&name=F".encode())
    history = one.ask("GET", "/history/history.json.gz", [], b"").body
    parts = b'--x\r\nContent-Disposition: form-data; name="file"; filename="h.json"\r\n\r\n'
    sent = parts + history + b"\r\n--x--\r\n"
    kind = [("Content-Type", "multipart/form-data; boundary=x")]
    for _time in range(2):  # exactly once, however often
        assert two.ask("POST", "/history/import", kind, sent).status == 303
        listed = json.loads(
            gzip.decompress(two.ask("GET", "/history/history.json.gz", [], b"").body)
        )
        assert len(listed["matches"]) == 2
    for app in (first, second):
        app.extensions["ledger"].store.close()
