"""Plays a game file at random, to see which of its rules come up, and whether deals end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import cast

from referee.core.game import Table
from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.games.players import Choose
from referee.kit.chapters.deck import listed, table
from referee.kit.families.shedding.candidates import of_shape
from referee.kit.families.shedding.dealing import hand_size
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.finishing import title_of
from referee.kit.families.shedding.judging import judge
from referee.kit.families.shedding.player import entries
from referee.kit.families.shedding.plays import Lay, Play
from referee.kit.families.shedding.rules import SheddingRules, scope_of
from referee.kit.families.shedding.state import State
from referee.kit.game import KitGame
from referee.kit.notes.written import Note, at_file
from referee.kit.scored import each_given
from referee.kit.text.faults import Path, Wrong, dotted
from referee.kit.variants import few_and_many, pairs, tables

LONGEST = 4000  # entries of a deal, at most
TOGETHER = 30_000  # entries of all matches of a check
HANDS = 300  # that are dealt to look for a combination
SHORT = 0.3  # the chance that a player who likes long combinations plays any
EACH = 1200  # entries of a match, unless its first deal takes more
OF_PAIRS = 8_000  # entries of all tables with two choices, in any order
MOST_PLAYED = 6  # seats of the largest table that is played


def played(game: KitGame) -> Iterator[Note]:
    """Faults: deals without an end. Remarks: rules that never come up."""
    met: set[Path] = set()
    few, many = few_and_many(game, max(MOST_PLAYED, game.SEATS[0]))
    looked_at = [game.plain_table(n) for n in dict.fromkeys((few, many))] * 2
    looked_at += [one for one in tables(game) if len(one.seats) == few and one.chosen]
    left = TOGETHER
    for seed, one in enumerate(looked_at):
        if left <= 0:
            break
        number, endless = _match(game, one, seed, met, EACH)
        left -= number
        if endless is not None:
            yield Note(endless, False, one if one.chosen else None)
            return
    yield from _with_two_choices([one for one in pairs(game) if len(one.seats) == few], game, met)
    yield from _never_met(game, met)


def _with_two_choices(looked_at: list[Table], game: KitGame, met: set[Path]) -> Iterator[Note]:
    """The fault of a deal without an end at one of these tables; ``met`` grows."""
    left, most = OF_PAIRS, min(EACH, OF_PAIRS // max(1, len(looked_at)))
    for seed, one in enumerate(Random(1).sample(looked_at, len(looked_at)), 1):
        if left <= 0:
            return
        number, endless = _match(game, one, seed, met, most)
        left -= number
        if endless is not None:
            yield Note(endless, False, one)
            return


def _match(
    game: KitGame, one: Table, seed: int, met: set[Path], most: int
) -> tuple[int, Wrong | None]:
    """The entries of a random match, and the fault of a deal that does not end.

    The match is left after the deal in which it has more than ``most`` entries.
    """
    log, rng = Log(game, one), Random(seed)
    begun = 0

    def many(state: State, plays: Sequence[Play]) -> Play:
        """Often the most cards: long combinations are rare at random."""
        laid = [play for play in plays if isinstance(play, Lay)]
        if not laid or rng.random() < SHORT:
            return rng.choice(plays)
        return max(laid, key=lambda play: (len(play.cards), rng.random()))

    choose = cast(Choose, many) if seed % 2 else None
    for number, entry in enumerate(entries(log, rng, 0, 0, choose)):
        before: State = log.state
        if isinstance(log.push(entry), Illegal):
            return number, at_file(game, "kit_shed_stuck", ("combo",), n=len(one.seats))
        after: State = log.state
        if after.deal != before.deal:
            begun = number
        met |= _met(before, entry, after)
        if number - begun > LONGEST:
            n = len(one.seats)
            return number, at_file(game, "kit_shed_endless", ("effect",), n=n, entries=LONGEST)
        if number > most and after.phase == "between":
            return number, None
    return len(log), None


def _met(before: State, entry: object, after: State) -> set[Path]:
    """The keys of the file that an entry shows in use."""
    rules = rules_of(before)
    found: set[Path] = set()
    if isinstance(entry, Lay):
        top = after.trick.top
        reading = top.reading if top is not None and top.at == after.at else None
        for each in rules.readings(entry.cards, entry.combo) if reading is None else [reading]:
            found.add(("combo", each.combo.name))
            scope = scope_of(rules, before, entry.seat, each)
            found |= {
                ("effect", row.name) for row in rules.effects if row.when is None or row.when(scope)
            }
    if isinstance(entry, Lay) and rules.beat:
        found.add(tuple(judge(before, entry).clause.split(".")))
    if after.phase == "between" and before.phase != "between":
        placed = range(rules.n) if any(after.round.finish) else ()
        titles = (title_of(after, place) for place in placed)
        found |= {("finish", "titles", i) for i in titles if i is not None}
        if after.round.fouls:
            found.add(("finish", "foul"))
        if after.round.fallen:
            found.add(("finish", "falls"))
        found |= {("score", given.name) for given in each_given(after) if given.points}
    return found


def _never_met(game: KitGame, met: set[Path]) -> Iterator[Note]:
    """Rules of the file that no random match has met."""
    values = game.document.values
    written: list[Path] = [
        (key, name)
        for key in ("combo", "beat", "effect", "score")
        for name, row in table(values.get(key)).items()
        if table(row).get("when") != "no"
    ]
    finish = table(values.get("finish"))
    written += [("finish", key) for key in ("foul", "falls") if finish.get(key, "no") != "no"]
    written += [("finish", "titles", i) for i in range(len(listed(finish.get("titles"))))]
    never = [path for path in written if path not in met]
    dealt = _in_some_hand(game, [str(path[1]) for path in never if path[0] == "combo"])
    for path in never:
        if path[0] != "combo" or path[1] not in dealt:
            yield Note(at_file(game, "kit_never", path, key=dotted(path)), True)


def _in_some_hand(game: KitGame, names: list[str]) -> set[str]:
    """Which of these combinations can be made of a hand, of many that are dealt at random."""
    one = game.plain_table(game.SEATS[0])
    rules: SheddingRules = game.rules(one)
    size, rng, found = hand_size(game.setup(one), next_deal=True), Random(1), set[str]()
    cards = list(map(str, rules.cards.deck.listed(rules.cards.deck.full)))
    combos = [combo for combo in rules.reading.combos if combo.name in names]
    for _ in range(HANDS if combos else 0):
        held = Counter(rng.sample(cards, min(size, len(cards))))
        found |= {each.name for each in combos if any(of_shape(rules, each, held))}
    return found
