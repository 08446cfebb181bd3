"""Names that nothing uses, and texts that are missing, alike, too long or of no rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches

from referee.kit.chapters.deck import table
from referee.kit.game import KitGame
from referee.kit.notes.written import at_file, sums_of
from referee.kit.text.faults import Path, Wrong, dotted
from referee.kit.text.formula import walk
from referee.kit.text.source import RulesSource
from referee.kit.text.toml import Value

NAMED = ("score", "values", "groups", "counters")
"""Tables whose keys are names that the author chooses: "ja" is a name there, too."""

NEAR = 20  # names that nobody knows for which a near one is looked for
TEXTS = frozenset(("ja", "en"))
"""The keys of texts."""


LONG_SENTENCE = 14  # words and signs of a condition that makes no good sentence


def texts(game: KitGame, ruled: Callable[[RulesSource], Iterator[str]]) -> Iterator[Wrong]:
    """Texts for rules that the file does not have, and exclusions of options that don't exist.

    ``ruled``: the rules of a file, as ``[text]`` names them.
    """
    rules = {clause for source in game.sources() for clause in ruled(source)}
    names = set[str]()
    for source in game.sources():
        names |= {name for key in NAMED[1:] for name in table(source.at(key))}
        for key in ("deck", "bid"):
            names |= set(table(source.at(key, "special")))
    known = rules | names
    unknown = [name for name in table(game.document.values.get("text")) if name not in known]
    for i, name in enumerate(unknown):
        of_part = [clause for clause in rules if clause.split(".")[0] == name.split(".")[0]]
        numbered = name.rpartition(".")[2].isdigit() or not of_part
        looked_for = i < NEAR and not (of_part and numbered)
        near = get_close_matches(name, known, 1, 0.7) if looked_for else []
        fact = "kit_no_clause_near" if near else "kit_no_clause"
        values = {"near": (near or [""])[0], "known": sorted(of_part or rules, key=_in_order)}
        yield at_file(game, fact, ("text", name), key=name, **values)
    for name, option in game.OPTIONS.items():
        for value, barred in option.barred.items():
            for other, its in barred.items():
                if other not in game.OPTIONS or its not in game.OPTIONS[other].values:
                    path = ("option", name, value, "not_with")
                    yield at_file(game, "kit_no_option", path, key=dotted((other, its)))


def _in_order(clause: str) -> tuple[str, int, str]:
    """A sort key with which win.2 stands before win.10."""
    section, _, name = clause.partition(".")
    return section, int(name) if name.isdecimal() else 0, name


def unused(game: KitGame, source: RulesSource, sources: Collection[RulesSource]) -> Iterator[Wrong]:
    """Names that nothing uses, suits of bids that make no trump suit, names with two meanings."""
    values = game.document.values
    makes_trump = any(each.word("trump", "from", default="") == "bid" for each in sources)
    if not makes_trump and not re.search(r"\bsuit +bid\b", repr(values)):
        for name, row in table(source.at("bid", "special")).items():
            if "suit" in table(row):
                yield at_file(game, "kit_unused", ("bid", "special", name, "suit"), key="suit")
    used = {k: part for k, part in values.items() if k not in ("text", "example")}
    words = words_in(used)
    for each in sources:
        asked = re.search(r"\bworth *\(|\btrick_worth\b", repr(used))
        if each.at("deck", "worth") is not None and not asked:
            place = each.place(("deck", "worth"))
            yield Wrong("kit_unused", place, "deck.worth", key="deck.worth")
            break
    for key in ("values", "groups", "counters"):
        for name, row in table(values.get(key)).items():
            if words[name] <= words_in(row)[name]:
                yield at_file(game, "kit_unused", (key, name), key=name)
            scored = name in table(values.get("score"))
            if scored and f"score.{name}" not in table(values.get("text")):
                yield at_file(game, "kit_same_name", (key, name), name=name)


def words_in(part: object, *, named: bool = False) -> Counter[str]:
    """How often each word stands in the values of a part of a file, without texts and keys.

    ``named``: the keys of the part are names that the author chose.
    """
    if isinstance(part, Mapping):
        kept = [(key, each) for key, each in part.items() if named or key not in TEXTS]
        own = {key: not named and key in (*NAMED, "special") for key, _ in kept}
        return sum((words_in(each, named=own[key]) for key, each in kept), Counter())
    if isinstance(part, list):
        return sum(map(words_in, part), Counter())
    return Counter(re.findall(r"\w+", str(part)))


def bare_names(game: KitGame, source: RulesSource) -> Iterator[Wrong]:
    """A remark on the names of sums, sets and counters that rules show as they are."""
    texts = table(game.document.values.get("text"))
    bare = [
        (key, name)
        for key in ("values", "groups", "counters")
        for name in table(source.at(key))
        if name not in texts and f"score.{name}" not in texts
    ]
    if bare:
        names = [name for _, name in bare]
        yield at_file(game, "kit_bare_names", bare[0], words=names[:8], name=names[0])


def named_alike(game: KitGame, source: RulesSource) -> Iterator[Wrong]:
    """Suits, special cards, bids and choices that the screen shows with the same word or sign."""
    rows = {path: table(source.at(*path)) for path in _SHOWN}
    for name, option in table(game.document.values.get("option")).items():
        choices = {key: row for key, row in table(option).items() if key != "why"}
        rows["option", name] = {key: row for key, row in choices.items() if key != "numbers"}
    for path, named in rows.items():
        met: dict[tuple[str, Value], str] = {}
        for name, row in named.items():
            for key in ("sign", "ja", "en"):
                said = table(row).get(key)
                if said is None:
                    continue
                other = met.setdefault((key, said), name)
                if other != name:
                    both = {"one": other, "other": name, "text": said}
                    yield at_file(game, "kit_named_alike", (*path, name, key), **both)
                    break


_SHOWN: tuple[Path, ...] = (("deck", "suits"), ("deck", "special"), ("bid", "special"))


def poor_choices(game: KitGame) -> Iterator[Wrong]:
    """House rules with one choice, and numbers whose one text leaves out which number is meant."""
    for name, option in game.OPTIONS.items():
        if len(option.values) == 1:
            yield at_file(game, "kit_one_choice", ("option", name), option=name)
        row = table(table(game.document.values["option"])[name])
        for language, text in table(row.get("numbers")).items():
            if language in ("ja", "en") and "{n}" not in str(text):
                at: Path = ("option", name, "numbers", language)
                yield at_file(game, "kit_numbers_alike", at, mark="{n}")


def long_sums(game: KitGame, source: RulesSource) -> Iterator[Wrong]:
    """Sums that are too long to be read as a rule."""
    for path, text in sums_of(source):
        if sum(1 for _ in walk(text.node)) > LONG_SENTENCE:
            clause = _clause(path)
            if clause and clause not in table(game.document.values.get("text")):
                yield at_file(game, "kit_long_sentence", path, key=clause)


def _clause(path: Path) -> str:
    """The clause whose sentence the sum at ``path`` fills in; "" if there is none."""
    if path[0] == "score":
        return f"score.{path[1]}"
    made = {"bid.forbid": "bid.2", "leave.when": "leave.1", "match.until": "deals.1"}
    made |= {"leave.first": "leave.1", "match.out": "leave.1"}
    return made.get(dotted(path), "")


def languages(game: KitGame, value: Value | Mapping[str, Value], path: Path) -> Iterator[Wrong]:
    """Texts that exist in one language only."""
    if isinstance(value, list):
        for i, part in enumerate(value):
            yield from languages(game, part, (*path, i))
    if not isinstance(value, Mapping):
        return
    named = path[-1:] != () and path[-1] in (*NAMED, "special") and path[-2:-1] != ("special",)
    for language, other in (("ja", "en"), ("en", "ja")):
        if other in value and language not in value and not named:
            yield at_file(game, "kit_one_language", path, key=dotted(path), language=language)
    for key, part in value.items():
        yield from languages(game, part, (*path, key))


def no_words(game: KitGame, source: RulesSource) -> Iterator[Wrong]:
    """Suits, special cards, bids and house rules without words in any language."""
    texts = table(game.document.values.get("text"))
    for path in (*_SHOWN, ("option",)):
        for name, row in table(source.at(*path)).items():
            if not {"ja", "en"} & table(row).keys() and name not in texts:
                yield at_file(game, "kit_no_words", (*path, name), key=name)
