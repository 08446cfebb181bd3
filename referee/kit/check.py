"""What is wrong with a game file beyond its form: gaps, contradictions, rules without effect.

``check`` examines the file with many numbers of seats (``counts``) and choices of house rules. What
only a family can say is in its ``checking``.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.kit.chapters.deck import table
from referee.kit.family import FAMILIES
from referee.kit.game import KitGame
from referee.kit.load import Misread, load
from referee.kit.notes import choices, examples, words
from referee.kit.notes.written import Note
from referee.kit.text.faults import FilePosition, Wrong


def check(source: bytes, *, quick: bool = False) -> tuple[KitGame | None, list[Note]]:
    """The game (None if its form is wrong), and all faults and remarks in the order of the file.

    ``quick``: examines only a few tables and tricks and does not play the examples, so that a
    hostile file costs little.
    """
    try:
        game = load(source)
    except Misread as misread:
        return None, [Note(fault, False) for fault in misread.faults]
    family = FAMILIES[game.FAMILY]
    found = [Note(wrong, False) for wrong in family.faults(game, quick)]
    found += [Note(wrong, False) for wrong in _faults(game, quick)]
    found += [Note(remark, True) for remark in _remarks(game)]
    found += family.remarks(game, quick)
    if not quick and all(note.only_note for note in found):
        found += family.played(game)
    once: dict[tuple[str, int | None, int], Note] = {}
    for note in found:
        once.setdefault((note.wrong.fact, note.wrong.line, note.wrong.column), note)
    order = sorted(once.values(), key=lambda note: (note.wrong.line, note.wrong.column))
    return game, order


def _faults(game: KitGame, quick: bool) -> Iterator[Wrong]:
    """The faults of house rules, texts and examples."""
    yield from choices.without_effect(game)
    yield from choices.half_set(game)
    yield from words.texts(game, FAMILIES[game.FAMILY].ruled)
    if not quick:
        yield from examples.that_fail(game)


def _remarks(game: KitGame) -> Iterator[Wrong]:
    """Remarks: names that nobody uses, missing words."""
    values, sources = game.document.values, game.sources()
    source = sources[0]
    if "example" not in values:
        yield Wrong("kit_no_example", FilePosition(1, 1))
    if "deals" not in table(values.get("match")):
        yield Wrong("kit_no_bound", game.document.keys.get(("match",), FilePosition(1, 1)), "match")
    yield from words.unused(game, source, sources)
    yield from words.long_sums(game, source)
    yield from words.languages(game, values, ())
    yield from words.no_words(game, source)
    yield from words.bare_names(game, source)
    yield from words.named_alike(game, source)
    yield from words.poor_choices(game)
