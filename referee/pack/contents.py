"""Selects the Python packages of the packed app: the program and what it requires."""

from __future__ import annotations

import json
import pickle
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.metadata import distribution, distributions
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile, ZipInfo

from referee import paths
from referee.http.assets import MINIFIED
from referee.http.language import LANGS
from referee.pack import compiling, pyodide
from referee.pack.bytecode import COMPILER, Kept

LEFT_OUT = ("click-default-group", "h11", "pip", "pysqlite3", "tabulate", "tzdata", "uvicorn")
"""Requirements that serve connections or install packages, that only the command line of
sqlite-utils needs, or that Pyodide replaces.
"""
UNSAID = (
    *("all_currencies", "compact_*", "compound_unit_*", "currency_*", "unit_*"),
    *("languages", "scripts", "territories", "variants", "likely_subtags", "territory_*"),
    *("meta_zones", "time_zones", "windows_zone_mapping", "zone_*"),
)
"""What Babel knows of money, units, languages, countries and zones: the app only writes dates."""
CALENDARS = tuple(f"{name}.dat" for name in ("root", *LANGS))
"""The calendars that are kept, out of a thousand in Babel."""
UNUSED = (
    "babel/messages/*",  # only needed to make catalogues
    *("babel/lists.py", "babel/units.py"),
    *("click/_termui_impl.py", "click/shell_completion.py"),
    "click/testing.py",
    "click/_winconsole.py",
    *("dateutil/easter.py", "dateutil/rrule.py"),
    "dateutil/tz/win.py",
    "dateutil/zoneinfo/*",
    *("jinja2/constants.py", "jinja2/meta.py", "jinja2/nativetypes.py", "jinja2/sandbox.py"),
    "platformdirs/android.py",
    "platformdirs/ios.py",
    "platformdirs/macos.py",
    "platformdirs/windows.py",
    *("segno/cli.py", "segno/helpers.py"),
    *("werkzeug/_reloader.py", "werkzeug/testapp.py"),
    "werkzeug/debug/*",
    "werkzeug/middleware/[!_]*",
    "sqlite_utils/cli.py",
    *("referee/cli.py", "referee/commands/*"),  # and modules that only the command line needs
    "referee/pack/[!_t]*",
    "referee/server/[!_l]*",
    *("referee/store/hints.py", "referee/store/moving.py", "referee/store/postgres.py"),
    *("referee/foreign/command.py", "referee/tonight/command.py", "referee/tonight/lines.py"),
    "referee/server/live.py",
    "referee/outgoing/tls.py",
    "referee/upkeep/[!_b]*",
    "referee/kit/command.py",
    "referee/translations/*.po",
    "referee/translations/ja/*",  # messages of the command line
    "referee/static/*/share.png",  # for messengers, which cannot reach a tab
    "referee/static/pictures/*",
)
UNUSED_LIBRARY = (
    *("concurrent/futures/process.pyc", "multiprocessing/*"),  # a tab has only one process
    *("argparse.pyc", "configparser.pyc", "plistlib.pyc"),
    *("wsgiref/[!_t]*", "xml/dom/*", "xml/etree/*"),
    *("encodings/cp7*", "encodings/cp8*", "encodings/cp1[01]*", "encodings/iso8859_*"),
    *("encodings/koi8_*", "encodings/mac_*"),
    *("_pydatetime.pyc", "compileall.pyc", "asyncio/proactor_events.pyc", "asyncio/windows_*.pyc"),
    *("http/cookiejar.pyc", "logging/config.pyc", "logging/handlers.pyc", "pyodide/console.pyc"),
    *("_pyio.pyc", "_pyrepl/*", "bdb.pyc", "cProfile.pyc", "cmd.pyc", "doctest.pyc", "ftplib.pyc"),
    *("imaplib.pyc", "mailbox.pyc", "modulefinder.pyc", "optparse.pyc"),
    *("pdb.pyc", "pickletools.pyc", "poplib.pyc", "profile.pyc", "profiling/*", "pstats.pyc"),
    *("pydoc.pyc", "shelve.pyc", "smtplib.pyc", "symtable.pyc", "timeit.pyc", "trace.pyc"),
    *("importlib/_bootstrap*.pyc", "zipimport.pyc"),  # these are inside the interpreter
    *("_ast_unparse.pyc", "tracemalloc.pyc", "xml/sax/expatreader.pyc"),
    *("ssl.pyc", "unittest/*", "wave.pyc", "webbrowser.pyc", "xmlrpc/*", "zipapp.pyc"),
)
"""Parts of the standard library that are left out: debuggers, tests, profilers, old protocols and
encodings, and modules that nothing in the tab imports.
"""
REPLACED = {"typing_extensions.py": "from typing import TypeVar\n"}
"""Modules of which the tab's Python has all that the program uses."""
LATER = "referee/jukugo/data/words-*"
"""Files that are fetched only when a page needs them."""
NAME = re.compile(r"[A-Za-z0-9._-]+")
BOOKS = ("referee/rulings/common.toml", "referee/games/*/book.toml")
INSTALLED = ("static", "templates")
"""Folders that a wheel has inside the package, and a checkout beside it."""
TEMPLATES = "referee/templates"
"""The folder of the templates, which Jinja has compiled to modules."""
HERE = """
import sys
from pathlib import Path
from referee.pack.compiling import compile_in
for folder in sys.argv[1:]:
    compile_in(Path(folder))
"""


def collect(folder: Path) -> None:
    """Copy the app into ``folder`` as if installed from a wheel, but with compiled templates.

    Ruling books become JSON: the first page needs all of them, and reading TOML took longer there
    than everything else.
    """
    for path, source in [*_program(), *(each for name in required() for each in _modules(name))]:
        if not any(fnmatch(path, unused) for unused in UNUSED):
            to = folder / path
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, to)
    for suffix, short in MINIFIED.items():
        for file in (folder / "referee/static").rglob(f"*{suffix}"):
            if file.parent.name != "vendor":
                file.write_text(short(file.read_text("utf-8")), "utf-8")
    for path, text in REPLACED.items():
        (folder / path).write_text(text, "utf-8")
    for calendar in folder.glob("babel/**/*.dat"):
        known = pickle.loads(calendar.read_bytes())
        unsaid = [key for key in known if any(fnmatch(key, each) for each in UNSAID)]
        calendar.write_bytes(pickle.dumps(known | {key: {} for key in unsaid}, protocol=2))
    for pattern in BOOKS:
        for written in folder.glob(pattern):
            page = tomllib.loads(written.read_text("utf-8"))
            written.with_suffix(".json").write_text(json.dumps(page), "utf-8")
            written.unlink()


def compiled(folder: Path, python: Path) -> bool:
    """Replace the modules in ``folder`` by byte code for the Pyodide in the folder ``python``.

    The standard library of that Pyodide is compiled, too: that was half of the time of a first
    start. Returns False if it can't be done, because the running Python has another version and
    Node.js is missing: then the modules stay as they are, and every start takes longer.
    """
    library = python / pyodide.LIBRARY
    with TemporaryDirectory() as name:
        with ZipFile(library) as source:
            source.extractall(name)
        folders = [folder, Path(name)]
        version = pyodide.python_of(python)
        kept = Kept(pyodide.cache() / f"bytecode-{version}", version)
        due = kept.put_in(folders)
        if version.startswith("{}.{}.".format(*sys.version_info)):
            # a process of its own, because only a start of Python can leave the columns out
            command = [sys.executable, "-X", "no_debug_ranges", "-c", HERE, *map(str, folders)]
            subprocess.run(command, check=True)
        elif due and (node := shutil.which("node")):
            subprocess.run([node, COMPILER, python, compiling.__file__, *folders], check=True)
        elif due:
            return False
        kept.keep(due)
        # uncompressed, because it is compressed as a whole later
        with ZipFile(library, "w") as packed:
            for file in sorted(each for each in Path(name).rglob("*") if each.is_file()):
                path = file.relative_to(name).as_posix()
                if not any(fnmatch(path, unused) for unused in UNUSED_LIBRARY):
                    # with a fixed time, so that equal content gives equal bytes
                    packed.writestr(ZipInfo(path), file.read_bytes())
    return True


def later(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Remove the ``LATER`` files from ``folder``; yields (path in the folder, content) of each."""
    for file in sorted(folder.glob(LATER)):
        yield file.relative_to(folder).as_posix(), file.read_bytes()
        file.unlink()


def required(name: str = "referee") -> set[str]:
    """The distributions that ``name`` requires, directly or indirectly, without extras."""
    found: set[str] = set()
    due = [name]
    while due:
        for line in distribution(due.pop()).requires or ():
            needed = NAME.match(line)
            if needed is None or "extra" in line.partition(";")[2]:
                continue
            each = canonical(needed[0])
            if each not in {*found, *LEFT_OUT} and any(distributions(name=each)):
                found.add(each)
                due.append(each)
    return found


def canonical(name: str) -> str:
    """The name of a distribution in its normalised spelling (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _modules(name: str) -> Iterator[tuple[str, Path]]:
    """The pure Python files of a distribution, with the paths at which to install them."""
    found = distribution(name)
    for file in found.files or ():
        inside = file.as_posix()
        if file.suffix == ".dat" and "locale-data" in file.parts and file.name not in CALENDARS:
            continue
        if file.suffix in (".py", ".dat") and ".." not in file.parts:
            yield inside, Path(str(found.locate_file(file)))


def _program() -> Iterator[tuple[str, Path]]:
    """The program without its templates, laid out as in a wheel."""
    package = Path(paths.__file__).parent
    for source in package.rglob("*"):
        inside = source.relative_to(package)
        if (
            source.is_file()
            and "__pycache__" not in inside.parts
            and inside.parts[0] not in INSTALLED
        ):
            yield f"referee/{inside.as_posix()}", source
    static = paths.shipped("static")
    for source in static.rglob("*"):
        if source.is_file():
            yield f"referee/static/{source.relative_to(static).as_posix()}", source
