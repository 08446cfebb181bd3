"""Writes the folder of the packed app, for a web server or a file host."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from flask import Flask

from referee import paths
from referee.app import create_app
from referee.http.language import LANGS
from referee.http.language import gettext as _
from referee.pack import contents, pyodide

BROWSER = Path(__file__).parent / "browser"
OWN = (
    *("index.html", "shell.css", "asking.js", "shell.js"),
    *("keep.js", "python.js", "snapshot.js", "worker.js"),
)
RECEIVES = "in"
"""The folder to which links of other installations lead, before a service worker answers there."""
WORTH_IT = 16 * 1024  # bytes: smaller files are not compressed
ALREADY = (".gz", ".png")


class PackResult(NamedTuple):
    """The result: bytes to download, and whether the modules are byte code."""

    size: int
    compiled: bool


def pack(tarball: Path, to: Path) -> PackResult:
    """Write the app into the folder ``to``; raises ``pyodide.WrongTarball``.

    Files of an earlier version stay for open pages, in ``to`` as in the browsers.
    """
    home = f"pyodide-{pyodide.VERSION}"
    with TemporaryDirectory() as made:
        python, modules = Path(made, "python"), Path(made, "modules")
        python.mkdir()
        pyodide.unpack(tarball, python)
        contents.collect(modules)
        app = create_app(Path(made))
        with closing(app.extensions["ledger"].store):
            pages = dict(_pages(app))
            said = {lang: sentences(app, lang) for lang in LANGS}
            app.jinja_env.compile_templates(
                modules / contents.TEMPLATES, zip=None, ignore_errors=False
            )
        done = contents.compiled(modules, python)
        later = dict(contents.later(modules))
        files = {f"{home}/{name}": (python / name).read_bytes() for name in pyodide.FILES}
        bundle = together(modules)
    files.update(pages)
    files.update((_named(Path(path).name, content), content) for path, content in later.items())
    name = _named("app.bin", bundle)
    files[name] = bundle
    named = [[path, f"/{_named(Path(path).name, c)}", len(c)] for path, c in later.items()]
    marks = {
        "PYODIDE": home,
        "BUNDLE": name,
        '"LATER"': json.dumps(named),
        '"SENTENCES"': json.dumps(said, ensure_ascii=False),
    }
    files.update((own, _filled(own, marks)) for own in OWN)
    version = sha256("".join(map(_digest, files.values())).encode()).hexdigest()[:12]
    listed = [{"name": n, **_written(to, n, content)} for n, content in files.items()]
    head = json.dumps({"VERSION": version, "FILES": listed})
    worker = _filled("sw.js", {'"MANIFEST"': head})
    (to / "sw.js").write_bytes(worker)
    (to / RECEIVES).mkdir(exist_ok=True)
    (to / RECEIVES / "index.html").write_bytes(files["index.html"])
    return PackResult(sum(int(str(each["size"])) for each in listed) + len(worker), done)


def sentences(app: Flask, lang: str) -> dict[str, str]:
    """The texts of the page around the app in language ``lang``, by the names in ``shell.js``."""
    with app.test_request_context(headers={"Accept-Language": lang}):
        return {
            "loading": _("ダウンロードしています…"),
            "starting": _("起動しています…"),
            "late": _("時間がかかっています。もう少し待つか、やり直してください。"),
            "network": _("ダウンロードできませんでした。通信を確かめてください。"),
            "second": _("札見は別のタブで開いています。そのタブを閉じると、ここで続けられます。"),
            "kept": _("保存できませんでした。最後の記録は増えていません。"),
            "failed": _("起動できませんでした。"),
            "ended": _("ブラウザーがアプリを終了しました。保存済みの記録は残っています。"),
            "browser": _("このブラウザーでは動きません。新しいブラウザーと HTTPS が必要です。"),
            "again": _("やり直す"),
        }


def together(folder: Path) -> bytes:
    """Every file under ``folder`` as one file, which ``python.js`` unpacks.

    It begins with the length of a list (four bytes, little-endian), then the list of (path, size)
    as JSON; the contents follow in this order.
    """
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    parts = [file.read_bytes() for file in files]
    names = [file.relative_to(folder).as_posix() for file in files]
    head = json.dumps([*zip(names, map(len, parts), strict=True)]).encode()
    return len(head).to_bytes(4, "little") + head + b"".join(parts)


def _pages(app: Flask) -> Iterator[tuple[str, bytes]]:
    """Files that browsers request outside of the app: the manifest and its icons."""
    manifest = app.test_client().get("/manifest.webmanifest")
    yield "manifest.webmanifest", manifest.data
    static = paths.shipped("static")
    for icon in sorted(static.glob("icons/*")):
        yield f"static/{icon.relative_to(static).as_posix()}", icon.read_bytes()


def _filled(name: str, marks: Mapping[str, str]) -> bytes:
    """A file of ``BROWSER`` with each mark replaced by its value."""
    text = (BROWSER / name).read_text("utf-8")
    for mark, value in marks.items():
        text = text.replace(mark, value)
    return text.encode()


def _written(folder: Path, name: str, content: bytes) -> dict[str, object]:
    """Write a file, compressed if worthwhile, since not every host compresses.

    Returns ``size``, the bytes to download, and ``packed``, whether it has the suffix ``.gz``.
    """
    packed = len(content) >= WORTH_IT and not name.endswith(ALREADY)
    out = gzip.compress(content, 9, mtime=0) if packed else content
    place = folder / (f"{name}.gz" if packed else name)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(out)
    return {"size": len(out), "packed": packed}


def _named(name: str, content: bytes) -> str:
    """``name`` with a hash of ``content``, so that two versions can be in one folder."""
    stem, dot, suffix = name.rpartition(".")
    return f"{stem}-{_digest(content)[:12]}{dot}{suffix}"


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()
