"""Pages of games that a group has written itself: check, register, try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flask import Blueprint, Response, abort, request, url_for

from referee.history import counting
from referee.http import access, current, forms, htmx, language
from referee.http.current import book_at, ledger
from referee.http.downloads import attached
from referee.http.game_templates import drawn
from referee.http.language import gettext as _
from referee.kit import shipped
from referee.kit.beginning import QUESTIONS, written
from referee.kit.beside import loaded
from referee.kit.check import check
from referee.kit.game import KitGame
from referee.kit.notes.written import Note
from referee.kit.recipes import recipes
from referee.kit.reference import reference
from referee.ledger import View
from referee.rulings import COMMON, book, book_of
from referee.screens import screen
from referee.screens.base import Strip
from referee.screens.kit.names import KitNames
from referee.screens.wording import size
from referee.store import NOBODYS
from referee.store.game_files import GameFile
from referee.store.past import Past
from referee.web.own_games import trial
from referee.web.own_games.samples import SampleTrick, samples
from referee.web.table.dealing import how_to_deal
from referee.web.table.message import latest, refused
from referee.web.table.table_page import Links, TablePage
from referee.web.table.tables import form_key

bp = Blueprint("own_games", __name__)

MOST_BYTES = 64 * 1024  # of a file
MOST_GAMES = 40  # of a group: a third of the game files that stay in memory, see ``loaded``
SECONDS = 0.3  # for counting matches while the page waits
SAID = 50  # remarks that are shown, at most: a broken file can have thousands
BODY = 3 * MOST_BYTES  # a pasted or uploaded file that may be too large, which is said


class FileRemark(NamedTuple):
    """A remark on a file: its place (1-based), a sentence, whether it prevents registration."""

    line: int
    column: int
    text: str
    only_note: bool


class ShownSample(NamedTuple):
    """A sample trick in words: who played what, and who leads next; ``at``: its number."""

    at: int
    cards: list[tuple[str, str]]
    next: str


@bp.before_request
def _larger() -> None:
    # not where each character may be escaped: decoding takes eighty times the size of the body
    if request.mimetype == "multipart/form-data":
        request.max_content_length = request.max_form_memory_size = BODY


@bp.get("/own-games")
def index() -> Response:
    """Page of the group's own games, and a field for another; ``?from=`` fills it with a file."""
    begins = request.args.get("from", "")
    return _page(_own(begins).text if begins else "")


@bp.get("/own-games/format")
def format_() -> Response:
    """Page with the reference of game files."""
    return htmx.fragment("own_games/format.html", parts=reference())


@bp.get("/own-games/rules")
def known_rules() -> Response:
    """Page with a first game, its steps and known rules by topic, each to copy into a file."""
    return htmx.fragment("own_games/rules.html", topics=recipes())


@bp.post("/own-games")
def write() -> Response:
    """Check a pasted or uploaded file, and register it if requested."""
    sent = request.files.get("file")
    source = sent.read(MOST_BYTES + 1) if sent and sent.filename else b""
    source = source or request.form.get("text", "").encode()
    if len(source) > MOST_BYTES:
        return _page("", fault=_("ファイルは64KBまでです。"))
    found, said, good = _looked_at(source)
    text = source.decode("utf-8", "replace")
    if found and good and "right" in request.form:
        return _confirmed(found, forms.digits(request.form["right"]))
    if found and good and request.form.get("do") == "try":
        file = trial.packed(found.text.split("\n"))
        if len(file) <= trial.IN_ADDRESS and len(source) <= trial.LONGEST:
            return htmx.go_to(url_for(".try_file", file=file))
        return _page(text, said, checked=True, good=True, tried=trial.trial(found))
    if not (found and good and request.form.get("do") == "register"):
        return _checked(text, found, said, good=good)
    files = ledger().store.game_files
    circle = access.own_circle()
    if len(files.of(circle)) >= MOST_GAMES:
        full = _("登録は1つのサークルに%(n)s件までです。", n=MOST_GAMES)
        return _page(text, said, fault=full)
    files.register((found.hash, found.KEY, found.text), circle)
    return htmx.go_to(url_for(".game", name=found.NAME))


def _looked_at(source: bytes) -> tuple[KitGame | None, list[FileRemark], bool]:
    """The game in a file, the remarks on it, and whether it can be registered."""
    found, notes = check(source, quick=True)
    good = found is not None and all(note.only_note for note in notes)
    return found, [_said(note) for note in notes[:SAID]], good


def _checked(text: str, found: KitGame | None, said: list[FileRemark], *, good: bool) -> Response:
    """The page after a check; a file without faults comes with sample tricks."""
    shown: list[ShownSample] = []
    if found and good:
        current.hold(found)
        called = KitNames(found.NAME, found).called
        shown = [
            ShownSample(at, [(seat, called(card)) for seat, card in each.cards], each.next)
            for at, each in enumerate(_samples(found))
            if each.example() not in text
        ]
    status = 200 if good else 400
    return _page(text, said, checked=True, good=good, status=status, samples=shown)


def _samples(game: KitGame) -> list[SampleTrick]:
    return samples(game, trial.seats_of(game))


def _confirmed(found: KitGame, at: int | None) -> Response:
    """The file with a sample trick, which is as it is meant to be, as one more example."""
    tricks = _samples(found)
    if at is None or at >= len(tricks):
        abort(400)
    text = f"{found.text.rstrip()}\n\n{tricks[at].example()}\n"
    again, said, good = _looked_at(text.encode())
    return _checked(text, again, said, good=good)


@bp.get("/own-games/begin")
def beginning() -> Response:
    """The questions of ``referee game new`` as a form."""
    return _questions({})


@bp.post("/own-games/begin")
def begun() -> Response:
    """A file that the answers make, checked as if it had been pasted."""
    answers: dict[str, str] = {}
    for question in QUESTIONS:
        if question.only_if is None or answers.get(question.only_if[0]) in question.only_if[1]:
            said = request.form.get(question.key, "").strip()
            values = [choice.value for choice in question.choices]
            if said not in values if values else not question.pattern.fullmatch(said):
                title = question.text.in_(language.current())
                return _questions(
                    request.form, f"{title}{_('：')}{question.allowed.in_(language.current())}"
                )
            answers[question.key] = said
    text = written(answers)
    found, remarks, good = _looked_at(text.encode())
    return _checked(text, found, remarks, good=good)


def _questions(typed: Mapping[str, str], fault: str = "") -> Response:
    return htmx.fragment("own_games/begin.html", questions=QUESTIONS, typed=typed, fault=fault)


@bp.get("/own-games/<name>")
def game(name: str) -> Response:
    """Page of a game file; with ``.toml`` after its name, the file."""
    own = _own(name.removesuffix(".toml"))
    if name.endswith(".toml"):
        return attached(own.text, name, "application/toml; charset=utf-8")
    games = [loaded(each.text) for each in _rows() if each.key == own.KEY]
    games += [each for each in shipped.games().values() if each.KEY == own.KEY]
    versions = list({each.NAME: each for each in (own, *games)}.values())
    store, circle = ledger().store, access.circle()
    counting.catch_up(store, SECONDS)
    return htmx.fragment(
        "own_games/game.html",
        game=own,
        book=book_of(own),
        shipped=own.NAME in shipped.games(),
        versions=versions,
        played=Past(store, circle).editions([each.NAME for each in versions]),
        lines=_lines(own.text),
    )


@bp.route("/own-games/<name>/try", methods=("GET", "POST"), defaults={"played": ""})
@bp.route("/own-games/<name>/try/<played>", methods=("GET", "POST"))
def try_out(name: str, played: str) -> Response:
    """Page that tries the game: its pad after the entries in the address. A key adds its play, or
    random plays up to the end of the trick.
    """
    return _tried(_Try(_own(name)), played)


@bp.route("/own-games/try/<file>", methods=("GET", "POST"), defaults={"played": ""})
@bp.route("/own-games/try/<file>/<played>", methods=("GET", "POST"))
def try_file(file: str, played: str) -> Response:
    """As ``try_out`` for a file that is not registered: its packed text is in the address."""
    return _tried(_Try(_pasted(file), file), played)


class _Try(NamedTuple):
    """A game being tried; ``file``: its packed text if it is not registered."""

    game: KitGame
    file: str = ""

    def address(self, played: str = "") -> str:
        if self.file:
            return url_for(".try_file", file=self.file, played=played)
        return url_for(".try_out", name=self.game.NAME, played=played)

    def view(self, played: str) -> View:
        try:
            return trial.view(self.game, trial.unpacked(played))
        except ValueError:
            abort(404)


def _tried(tried: _Try, played: str) -> Response:
    view = tried.view(played)
    if request.method != "POST":
        return _trying(tried, view, played, latest(view))
    if request.form.get("do") == "chance":
        return _redirect(tried, [*trial.unpacked(played), *trial.by_chance(view)])
    lines = list[str]()
    for line in forms.declared().lines:
        answer = trial.answer(view, line)
        if answer.seq is None:
            strip = refused(answer, line, False)._replace(clash=None)
            return _trying(tried, view, trial.packed([*trial.unpacked(played), *lines]), strip)
        lines.append(line)
        view = tried.view(trial.packed([*trial.unpacked(played), *lines]))
    return _redirect(tried, [*trial.unpacked(played), *lines])


def _redirect(tried: _Try, lines: list[str]) -> Response:
    """Redirect to the trial after the entries ``lines``, of which it keeps the first ones."""
    return htmx.go_to(tried.address(trial.packed(lines[: trial.LINES])))


def _pasted(file: str) -> KitGame:
    """The game of a packed file; 404 if it has faults."""
    try:
        found, notes = check(trial.file_in(file).encode(), quick=True)
    except ValueError:
        abort(404)
    if found is None or not all(note.only_note for note in notes):
        abort(404)
    current.hold(found)
    return found


def _trying(tried: _Try, view: View, played: str, strip: Strip | None) -> Response:
    """The page of a trial; ``played``: the entries, as in the address."""
    lines, here = trial.unpacked(played), tried.address(played)
    band = screen(view.game.NAME).band(view, request.args)
    title = book_at(view).title.in_(language.current())
    rules = "" if tried.file else url_for("rules.game", game=view.game.NAME)
    shown = TablePage(
        game=drawn(view.game.NAME, "table.html").module,
        view=view,
        title=title,
        heading=title,
        band=band,
        # nobody shows a hand here, and every entry can be undone
        strip=strip and strip._replace(show=None, to="", again=""),
        said="",
        links=Links(table=here, play=here, rules=rules),
        key=form_key(),
        can_undo=bool(lines),
        undo_seconds=0,
        dealing=how_to_deal(view.game, view.state) if band.phase == "deal" else None,
        tried=trial.as_trial(view.log, tried.game),
    )
    return htmx.fragment(
        "own_games/trial.html",
        **shown._asdict(),
        size=size,
        begin=tried.address(),
        pasted=tried.game.text if tried.file else "",
        earlier=tried.address(trial.packed(lines[:-1])),
        full=trial.LINES if len(lines) >= trial.LINES else 0,
    )


@bp.post("/own-games/<name>/away")
def put_away(name: str) -> Response:
    """Remove a file from the list; matches that were played by it keep it."""
    ledger().store.game_files.put_away(_row(name).hash, access.circle())
    return htmx.go_to(url_for(".index"))


def _rows() -> list[GameFile]:
    circle = access.circle()
    return [] if circle == NOBODYS else ledger().store.game_files.of(circle)


def _own(name: str) -> KitGame:
    """A registered game, or one that comes with the program; otherwise 404."""
    return shipped.games().get(name) or loaded(_row(name).text)


def _row(name: str) -> GameFile:
    found = [row for row in _rows() if f"{row.key}-{row.hash[:12]}" == name]
    return found[0] if found else abort(404)


def _said(note: Note) -> FileRemark:
    wrong = note.wrong
    words = book(COMMON).says(wrong.fact, wrong.values, language.current())
    named = words if not wrong.path or wrong.path in words else f"{wrong.path}: {words}"
    return FileRemark(wrong.line or 1, wrong.column, named, note.only_note)


def _lines(text: str) -> list[str]:
    return text.rstrip("\n").split("\n")


def _page(
    text: str,
    said: list[FileRemark] | None = None,
    *,
    checked: bool = False,
    good: bool = False,
    fault: str = "",
    status: int = 0,
    tried: trial.Trial | None = None,
    samples: Sequence[ShownSample] = (),
) -> Response:
    games = [loaded(row.text) for row in _rows()]
    return htmx.fragment(
        "own_games/registered.html",
        games=[(own, book_of(own)) for own in games],
        text=text,
        lines=_lines(text) if text else [],
        said=said or [],
        wrong={each.line for each in said or [] if not each.only_note},
        checked=checked,
        good=good,
        fault=fault,
        tried=tried,
        samples=samples,
        shipped=[(own, book_of(own)) for own in shipped.games().values()],
        status_code=status,
    )
