"""Static files as bundles: joined, compressed, and cached for ever.

A page waits for every file that it names, so it names one style sheet and one script, those of its
kind of page. A game with a ``table.css`` in ``static/games/<name>`` has style sheets of its own for
the kinds of page that draw its table, and one with a ``table.js`` has a script of its own for its
table, without the steps of other games. An address changes with its content. Media queries of
several files have names in ``css/tokens.css``, which are replaced here.

An ``em`` in a media query is the text size of the browser, not of the page. So a phone with large
text gets the same style sheet with these lengths multiplied (``text=150``).
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

from flask import Flask, Response, abort, current_app, request

try:  # in a checkout; a wheel has minified files already, see hatch_build.py
    from rcssmin import cssmin
    from rjsmin import jsmin
except ImportError:
    cssmin = jsmin = str

from referee.http import current, language

YEAR_SECONDS = 365 * 24 * 60 * 60
_EVERYWHERE = ("css/tokens.css", "css/glyphs.css", "css/components.css", "css/app.css")
_CRESTS = "games/*/crest.svg"
_KINDS = {
    "table": (),
    "scores": ("css/scores.css",),
    "live": ("css/live.css",),
    "pages": ("css/pages.css", _CRESTS),
    "desk": ("css/pages.css", _CRESTS, "css/desk.css", "css/desk_line.css"),
    "reading": ("css/pages.css", _CRESTS, "css/reading.css", "css/history.css"),
}
_DRAW_A_TABLE = ("table", "reading", "live")
_PLAIN = "css/plain_table.css"  # for games without a ``table.css``
_STEPS = "games/*/steps.js"
_TAPS = (
    *(f"js/taps/{name}.js" for name in ("store", "keys", "steps", "send", "draw")),
    _STEPS,
)
_SCRIPTS = {
    "table.js": ("js/page.js", "js/table.js", "js/live.js", *_TAPS),
    "scores.js": ("js/page.js", "js/scores.js", "js/table.js", "js/live.js", *_TAPS),
    "app.js": ("vendor/htmx-4.0.1.min.js", "js/page.js", "js/forms.js"),
    "taps.js": _TAPS,
    "rescue.js": ("js/carry.js", "js/qr.js", "js/rescue.js"),
    "voice.js": ("js/voice/queue.js", "js/voice/speech.js", "js/voice/table.js"),
    "take.js": ("js/carry.js", "js/take.js"),
}
_ALONE = {"rescue.css": ("css/rescue.css",)}  # beside the style sheet of any page
TYPES = {".css": "text/css", ".js": "text/javascript"}
MINIFIED = {".css": cssmin, ".js": jsmin}
COMPRESSED = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
IMPORT = re.compile(r'@import\s*"([^"]+)";')
DRAWN = re.compile(r'url\("\.\./(glyphs/\w+\.svg)"\)')
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
IN_ADDRESSES = (
    " !'()*+,-./:;=@_~"  # besides letters and digits, what a quoted data: address may contain
)
NAMED_QUERY = re.compile(r"@custom-media\s*(--[\w-]+)\s*([^;\n]+);?")  # on one line
QUERY_NAME = re.compile(r"\((--[\w-]+)\)")
DECLARED = re.compile(r":[^:;{}]*(?=[;}])")  # in a style sheet
AROUND, ZERO = re.compile(r" ([*/]) "), re.compile(r"(?<![\w.])0(?=\.\d)")
QUOTED_NAME = re.compile(r'="([a-z]+)"\]')
MEDIA, LENGTH = re.compile(r"@media[^{]+"), re.compile(r"([\d.]+)(?=r?em\b)")
WORTH_IT = 500  # bytes: a smaller answer fits one packet anyway


def register(app: Flask) -> Callable[[str], str]:
    """Serve bundles and compress answers; returns the function that gives a file's address."""
    folder = Path(str(app.static_folder))
    bundles = {name: together(folder, parts) for name, parts in parts_of(folder).items()}
    app.extensions["bundles"] = tuple(bundles)

    @cache
    def asset(name: str) -> str:
        content = bundles.get(name) or (folder / name).read_bytes()
        under = "/bundle" if name in bundles else app.static_url_path
        return f"{under}/{name}?v={sha256(content).hexdigest()[:12]}"

    def bundle(name: str) -> Response:
        if name not in bundles:
            abort(404)
        text = request.args.get("text", "")
        content = for_text(bundles[name], text) if text in language.TEXTS else bundles[name]
        response = Response(content, mimetype=TYPES[Path(name).suffix])
        response.headers["Cache-Control"] = f"public, max-age={YEAR_SECONDS}, immutable"
        return response

    app.add_url_rule("/bundle/<name>", "bundle", bundle)
    app.after_request(compress)
    return asset


def style_sheet(kind: str, game: str = "") -> str:
    """The address of the style sheet for a ``kind`` of page and this phone's text size.

    ``kind``: "table", "live", "scores", "pages" or "reading". ``game``: the game whose table the
    page draws; "": none.
    """
    own = f"{kind}_{current.folder(game) if game else ''}.css"
    name = own if own in current_app.extensions["bundles"] else f"{kind}.css"
    address: str = current_app.extensions["asset"](name)
    text = language.text_size()
    return f"{address}&text={text}" if text else address


def table_script(game: str) -> str:
    """The name of the script of a table of ``game``."""
    own = f"table_{current.folder(game)}.js"
    return own if own in current_app.extensions["bundles"] else "table.js"


@lru_cache(maxsize=64)
def for_text(style: bytes, percent: str) -> bytes:
    """``style`` for text of ``percent`` of the browser's size: see the module's docstring."""

    def larger(query: re.Match[str]) -> str:
        return LENGTH.sub(lambda length: f"{float(length[1]) * int(percent) / 100:g}", query[0])

    return MEDIA.sub(larger, style.decode()).encode()


def compress(response: Response) -> Response:
    """Compress an answer with gzip, if it is large enough and its client accepts that.

    No server or proxy in front of the app is expected to do it.
    """
    if not (response.mimetype or "").startswith(COMPRESSED) or response.status_code in (
        204,
        206,
        304,
    ):
        return response
    varies = response.headers.get("Vary")
    response.headers["Vary"] = f"{varies}, Accept-Encoding" if varies else "Accept-Encoding"
    if "gzip" not in request.headers.get("Accept-Encoding", "") or response.content_encoding:
        return response
    if response.direct_passthrough:
        response.direct_passthrough = False
    content = response.get_data()
    if len(content) >= WORTH_IT:
        lasting = "max-age" in response.headers.get("Cache-Control", "")
        response.set_data(_squeezed(content) if lasting else gzip.compress(content, 5, mtime=0))
        response.content_encoding = "gzip"
        etag, _ = response.get_etag()
        if etag:
            response.set_etag(etag, weak=True)
    return response


@lru_cache(maxsize=64)
def _squeezed(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)


def parts_of(folder: Path) -> dict[str, tuple[str, ...]]:
    """Bundle name → its parts: files in ``folder`` (the static folder), or patterns."""
    styles = {f"{kind}.css": (*_EVERYWHERE, *more) for kind, more in _KINDS.items()}
    scripts = dict[str, tuple[str, ...]]()
    for file in sorted(folder.glob("games/*/table.js")):
        game = file.parent.name
        shared = (part for part in _SCRIPTS["table.js"] if part != _STEPS)
        scripts[f"table_{game}.js"] = (*shared, f"games/{game}/steps.js", f"games/{game}/table.js")
    for kind in _DRAW_A_TABLE:
        styles[f"{kind}.css"] = (*_EVERYWHERE, _PLAIN, *_KINDS[kind])
    for file in sorted(folder.glob("games/*/table.css")):
        game = file.parent.name
        for kind in _DRAW_A_TABLE:
            own = (*_EVERYWHERE, f"games/{game}/table.css", *_KINDS[kind])
            styles[f"{kind}_{game}.css"] = own
    return {**styles, **_ALONE, **_SCRIPTS, **scripts}


def together(folder: Path, parts: tuple[str, ...]) -> bytes:
    """``parts`` (see ``parts_of``) as one file, with their imports and the pictures they name."""
    files = [file for part in parts for file in sorted(folder.glob(part))]
    imported = [(file.parent / name).resolve() for file in files for name in _imports(file)]
    runs = groupby(dict.fromkeys(imported + files), key=_shares_names)
    bare = (_closure(run) if shared else "\n".join(map(_bare, run)) for shared, run in runs)
    drawn = DRAWN.sub(lambda found: _drawing(folder / found[1]), "\n".join(bare))
    return _without_query_names(drawn).encode()


def _shares_names(file: Path) -> bool:
    """Whether ``file`` is a part of static/js/taps, of which the parts share their names."""
    return file.parent.name == "taps" or file.name == "steps.js"


def _closure(files: Iterable[Path]) -> str:
    return "\n".join(('(()=>{"use strict";', *map(_bare, files), "})();"))


def _without_query_names(style: str) -> str:
    """``style`` with its media queries written out that ``@custom-media --name query;`` names.

    Raises ``KeyError`` for a name that ``style`` does not define.
    """
    queries = dict(NAMED_QUERY.findall(style))

    def written_out(media: re.Match[str]) -> str:
        return QUERY_NAME.sub(lambda name: queries[name[1]], media[0])

    return MEDIA.sub(written_out, NAMED_QUERY.sub("", style))


def _imports(file: Path) -> list[str]:
    return IMPORT.findall(file.read_text("utf-8")) if file.suffix == ".css" else []


def _drawing(file: Path) -> str:
    """An SVG file as a data: address in a style sheet, without comments and line breaks."""
    lines = COMMENT.sub("", file.read_text("utf-8")).splitlines()
    drawing = "".join(lines).replace('"', "'")
    return f'url("data:image/svg+xml,{quote(drawing, IN_ADDRESSES)}")'


@cache
def _bare(file: Path) -> str:
    """A part without comments and indentation; cached, because bundles share files.

    A crest becomes the rule that draws it, see ``pages.css``.
    """
    if file.suffix == ".svg":
        return f".m-{file.parent.name}{{--crest:{_drawing(file)}}}"
    content = file.read_text("utf-8")
    if file.parent.name == "vendor":
        return content
    short: str = MINIFIED[file.suffix](IMPORT.sub("", content))
    return _without_form(short) if file.suffix == ".css" else short


def _without_form(style: str) -> str:
    """``style`` without what our formatter writes and the minifier keeps: zeros before points,
    space around operators, and quotes around names.
    """
    style = DECLARED.sub(lambda found: AROUND.sub(r"\1", found[0]), ZERO.sub("", style))
    return QUOTED_NAME.sub(r"=\1]", style)
