"""Shedding games: each row of the verdict table, each effect, how plays are read, places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

from referee.core.game import COMMON_OPTIONS, Table
from referee.core.log import Log
from referee.core.record import Grammar, Unreadable
from referee.core.verdict import Illegal, word_of
from referee.kit import shipped
from referee.kit.check import check
from referee.kit.families.shedding.evidence import brought_about
from referee.kit.families.shedding.game import SheddingGame
from referee.kit.families.shedding.player import entries
from referee.kit.families.shedding.state import State
from referee.kit.load import Misread, load

FILES = [
    *(
        shipped.FOLDER / f"{one.KEY}.toml"
        for one in shipped.games().values()
        if one.FAMILY == "shedding"
    ),
    *sorted(Path(__file__).with_name("shedding").glob("*.toml")),
]
SMALL = """
kit = 1
family = "shedding"
key = "small"
title = { ja = "小さい大富豪", en = "Small daifugo" }
seats.count = "2-6"
deck = { ranks = ["3", "4", "5", "6", "7", "8", "9", "10"], copies = 4 }
deal = { hand = 6, leader = "pick" }
combo.set = { same = "1..4" }
score.place = { per = "deal", points = "n - finish" }
match = { deals = 2, winner = "most" }
"""


def game_of(text: str) -> SheddingGame:
    game = load(text.encode())
    assert isinstance(game, SheddingGame)
    return game


def named(name: str) -> SheddingGame:
    [file] = (file for file in FILES if file.stem == name)
    return game_of(file.read_text(encoding="utf-8"))


class Played:
    """Entries at a table, and the verdict on each."""

    def __init__(
        self, game: SheddingGame, seats: str, chosen: Mapping[str, str] | None = None
    ) -> None:
        known = {**COMMON_OPTIONS, **game.OPTIONS}
        self.table = Table(tuple(seats.split()), chosen or {}, known)
        self.log = Log(game, self.table)
        self.grammar = Grammar(game, self.table.seats)

    def __call__(self, *lines: str) -> list[str]:
        """The clause of each line, with × before it if the line is illegal, ? if it depends."""
        marks = {"legal": "", "illegal": "×", "unprovable": "?"}
        found = []
        for line in lines:
            entry = self.grammar.parse(line)
            verdict = self.log.push(entry)
            found.append(marks[word_of(verdict)] + verdict.clause)
        return found

    @property
    def state(self) -> State:
        state: State = self.log.state
        return state

    @property
    def held(self) -> tuple[int, ...]:
        return self.state.round.held


def test_a_lead_that_clears_itself_says_so() -> None:
    played = Played(named("daifugo"), "A B C")
    assert played("table deal", "A lay D3", "B pass", "C pass") == [
        "starter.1",
        "combo.set",
        "pass.1",
        "pass.1",
    ]
    before = played.state
    played("A lay H8")
    assert [fact.fact for fact in brought_about(before, played.state)] == ["kit_shed_cleared"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_is_right_and_its_examples_hold(file: Path) -> None:
    game, notes = check(file.read_bytes())
    assert game is not None
    assert [note.wrong.fact for note in notes if not note.only_note] == []


def tables(game: SheddingGame) -> Iterator[tuple[int, dict[str, str]]]:
    for n in (game.SEATS[0], game.SEATS[-1]):
        yield n, {}
        for name, option in game.OPTIONS.items():
            yield from ((n, {name: value}) for value in option.values[1:])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_honest_matches_have_no_illegal_entry_and_no_finding(file: Path) -> None:
    game = game_of(file.read_text(encoding="utf-8"))
    for seed, (n, chosen) in enumerate(tables(game)):
        played = Played(game, " ".join("ABCDEFGH"[:n]), chosen)
        for number, entry in enumerate(entries(played.log, Random(seed), 0, 0)):
            line = played.grammar.print(entry)
            assert played.grammar.parse(line) == entry
            assert not isinstance(played.log.push(entry), Illegal), line
            assert min(played.held) >= 0
            if number > 400:
                break
        assert game.audit(played.state) == ()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_something_that_may_be_played_is_always_offered(file: Path) -> None:
    """Also where nearly all cards have been seen, by players who know no hand."""
    game = game_of(file.read_text(encoding="utf-8"))
    for seed in range(5):
        played, rng = Played(game, " ".join("ABCDEFGH"[: game.SEATS[0]])), Random(seed)
        while not game.outcome(played.state) and len(played.log) < 150:
            offered = [*game.candidates(played.state)]
            judged = [(play, game.judge(played.state, play)) for play in offered]
            played.log.push(rng.choice([p for p, said in judged if not isinstance(said, Illegal)]))


def test_what_happens_when() -> None:
    played = Played(named("daifugo"), "A B C D")
    assert played("table deal from=A", "A lay D3", "B pass", "C pass", "D pass") == [
        *("starter.1", "combo.set", "pass.1", "pass.1", "pass.1"),
    ]
    assert played("A lay S9", "B lay S10", "C lay HJ", "C lay SJ") == [
        *("combo.set", "combo.set", "×lock.1", "combo.set"),
    ]
    assert played("D pass", "A lay S10", "A lay S7", "B lay XB", "C lay S3") == [
        *("pass.1", "×deck.2", "combo.set", "combo.set", "beat.spade3"),
    ]
    assert played.state.turn == "C"
    assert not played.state.trick.plays
    assert not played.log.game.public(played.state)["turned"]


def test_rows_on_deals_and_leaders() -> None:
    played = Played(named("president"), "A B C D E")
    assert played("A pass", "table deal", "table deal leader=B") == [
        *("×deal.1", "×starter.1", "×deal.3"),
    ]
    assert played("table deal leader=B from=C", "table deal leader=B from=C") == [
        *("starter.1", "×deal.2"),
    ]
    assert played.held == (10, 10, 11, 11, 10)
    even = Played(named("president"), "A B C D")
    assert even("table deal leader=B from=C", "table exchanged") == ["×deal.3", "×deal.1"]
    assert even("table deal leader=B", "table exchanged") == ["starter.1", "×exchange.1"]
    holder = Played(named("daifugo"), "A B C")
    assert holder("table deal leader=A", "table deal", "A pass") == [
        *("×starter.1", "starter.1", "×pass.1"),
    ]
    assert holder("A lay S4", "B lay D3 H3") == ["×lead.1", "combo.set"]


def test_rows_on_turns_passes_and_hands() -> None:
    played = Played(game_of(SMALL), "A B C")
    assert played("table deal leader=A", "A pass", "B lay 4") == [
        *("starter.1", "×pass.1", "×turn.1"),
    ]
    assert played("A lay 4*2", "B lay 5", "B lay 4*2", "B lay 3*2", "B lay 5*2") == [
        *("combo.set", "×follow.1", "×follow.2", "×follow.2", "combo.set"),
    ]
    assert played("C pass", "C lay 6*2", "C pass", "A lay 6*2", "C lay 7*2") == [
        *("pass.1", "×pass.2", "×pass.2", "combo.set", "×pass.2"),
    ]
    assert played("B lay 6*3", "B lay 7 8", "B lay 7*5", "B lay 11*2", "B lay 8*2") == [
        *("×deck.2", "×combo.1", "×deck.2", "×deck.1", "combo.set"),
    ]
    assert played("A pass", "B lay 9*3", "B lay 9*2") == ["pass.1", "×hand.1", "combo.set"]
    assert played.state.round.outs == ("B",)
    assert played("B lay 3", "C lay 10*2", "C lay 10*2") == ["×out.1", "combo.set", "×turn.1"]
    assert played.state.turn == "A"


def test_jokers_stand_for_cards() -> None:
    played = Played(named("daifugo"), "A B C")
    assert played("table deal", "A lay D3 C3=4", "A lay XB=3", "A lay D3 XB=Q9") == [
        *("starter.1", "×wild.1", "×wild.1", "×wild.1"),
    ]
    assert played("A lay D3 XB=D3", "A lay D3 XB=S3 S3", "A lay XB=D4 D3 D5") == [
        *("×wild.2", "×wild.2", "combo.run"),
    ]
    top = played.state.trick.top
    assert top is not None
    assert (top.reading.size, top.reading.length) == (1, 3)
    assert played("B lay S4 S5 XR", "C lay H9 H10 HJ as set", "C lay H9 H10 HJ as run") == [
        *("combo.run", "×combo.1", "combo.run"),
    ]
    assert played.state.trick.turned


def test_the_strongest_reading_counts() -> None:
    game = game_of(
        SMALL.replace("copies = 4 }", 'copies = 4, special.X = { copies = 2, en = "joker" } }')
        + 'order = { top = ["special"], wild = "special" }\ncombo.run = { run = "3.." }\n'
    )
    played = Played(game, "A B")
    assert played("table deal leader=A", "A lay 5 X X") == ["starter.1", "combo.set"]
    top = played.state.trick.top
    assert top is not None
    assert {face.rank for face in top.reading.faces} == {"5"}
    other = Played(game, "A B")
    assert other("table deal leader=A", "A lay 5 X X as run", "B lay 4 X 6", "B lay 8 9 10") == [
        *("starter.1", "combo.run", "×deck.2", "combo.run"),
    ]


def test_effects_and_their_order() -> None:
    chosen = dict.fromkeys(("five", "nine", "seven", "ten", "queen"), "on")
    played = Played(named("daifugo"), "A B C D", {**chosen, "lock": "off", "foul": "off"})
    played("table deal from=A", "A lay D3")
    assert played("B lay S5", "D lay S6", "A lay S7", "B pass", "A give 2", "A give 1") == [
        *("combo.set", "combo.set", "combo.set", "×give.1", "×give.1", "give.1"),
    ]
    assert played.held == (11, 14, 13, 12)
    assert played("B lay S9") == ["combo.set"]
    assert played.state.round.step == -1
    assert played.state.turn == "A"
    assert played("A lay S10", "A discard H4 H5", "A discard D3", "A discard H4") == [
        *("combo.set", "×discard.1", "×deck.2", "discard.1"),
    ]
    assert played("D lay SQ", "D name Z", "D name 4", "C drop H6", "C drop C4", "C pass") == [
        *("combo.set", "×name.1", "name.1", "×name.2", "name.2", "pass.1"),
    ]
    assert played("C drop S4", "B lay SK", "A pass", "D pass") == [
        *("×name.2", "combo.set", "pass.1", "pass.1"),
    ]
    assert played("B lay S4") == ["combo.set"]
    [finding] = played.log.game.audit(played.state)
    assert (finding.clause, finding.seat) == ("name.2", "B")


def test_revolution_falls_and_fouls() -> None:
    text = SMALL.replace("hand = 6", "hand = 4") + (
        'effect.turn = { when = "count = 4", do = "reverse deal" }\n'
        'finish.foul = "this(rank 10) > 0"\nfinish.falls = "was = 1 and outs = 1"\n'
    )
    played = Played(game_of(text), "A B C D")
    played("table deal leader=A", "A lay 3*4")
    assert played.state.round.turned
    assert played.state.round.outs == ("A",)
    assert played("B lay 10*4", "B pass", "C pass", "D pass") == [
        *("×follow.2", "pass.1", "pass.1", "pass.1"),
    ]
    assert played("B lay 5", "C lay 6", "C lay 4", "D pass", "B pass") == [
        *("combo.set", "×follow.2", "combo.set", "pass.1", "pass.1"),
    ]
    assert played("C lay 10", "D lay 9", "B lay 8", "C pass", "D pass", "B lay 9", "C pass") == [
        *("combo.set", "combo.set", "combo.set", "pass.1", "pass.1", "combo.set", "pass.1"),
    ]
    assert played("D lay 8", "B pass", "D lay 7", "B pass", "C pass") == [
        *("combo.set", "pass.1", "combo.set", "pass.1", "pass.1"),
    ]
    assert played("D lay 10") == ["combo.set"]
    assert played.state.round.fouls == ("D",)


def test_places_of_those_who_fall_or_foul() -> None:
    text = SMALL.replace("hand = 6", "hand = 1").replace("deals = 2", "deals = 3") + (
        'finish.falls = "was = 1 and outs = 1"\nfinish.foul = "this(rank 10) > 0"\n'
    )
    played = Played(game_of(text), "A B C D")
    played("table deal leader=A", "A lay 3", "B lay 10", "C lay 10", "C pass", "D pass")
    played("C lay 9")
    assert played.state.round.finish == (1, 4, 2, 3)
    assert dict(played.state.score.totals) == {"A": 3, "B": 0, "C": 2, "D": 1}
    played("table deal leader=B", "B lay 4")
    assert played.state.round.fallen == ("A",)
    played("C lay 5")
    assert played.state.round.finish == (4, 1, 2, 3)


def test_whoever_can_beat_must() -> None:
    text = SMALL.replace("hand = 6", "hand = 3") + 'play.must = "yes"\n'
    played = Played(game_of(text), "A B")
    assert played("table deal leader=A", "A lay 9", "B pass", "A lay 9") == [
        *("starter.1", "combo.set", "?pass.3", "combo.set"),
    ]
    assert played("B lay 10") == ["combo.set"]
    [finding] = played.log.game.audit(played.state)
    assert (finding.clause, finding.seat, finding.at) == ("pass.3", "B", 3)
    top = Played(game_of(text), "A B")
    assert top("table deal leader=A", "A lay 10", "B pass") == ["starter.1", "combo.set", "pass.1"]
    tight = Played(game_of(text.replace('"10"]', '"10"], remove = []')), "A B")
    assert tight("table deal leader=A", "A lay 3*2", "B pass") == [
        *("starter.1", "combo.set", "?pass.3"),
    ]


def test_bids_and_the_kitty() -> None:
    played = Played(named("dou_dizhu"), "A B C")
    assert played("table deal leader=A", "A lay 3", "B bid 1", "A bid 4", "A bid 2") == [
        *("starter.1", "×bid.1", "×turn.1", "×bid.1", "bid.1"),
    ]
    assert played("B bid 1", "B bid 3", "C bid 0", "A lay 3", "table kitty 3 4") == [
        *("×bid.2", "bid.1", "bid.1", "×kitty.1", "×kitty.1"),
    ]
    assert played("table kitty 3*5", "table kitty 3 XB XB", "table kitty 3*2 XB") == [
        *("×kitty.1", "×deck.2", "kitty.1"),
    ]
    assert played.held == (17, 20, 17)
    assert played("B lay 4", "C lay XB", "C lay 3", "C lay 5", "A pass", "B lay XB") == [
        *("combo.single", "×deck.2", "×follow.2", "combo.single", "pass.1", "combo.single"),
    ]
    empty = Played(named("dou_dizhu"), "A B C")
    empty("table deal leader=A", "A bid 0", "B bid 0", "C bid 0")
    assert empty.state.phase == "between"
    assert empty.state.round.finish == (0, 0, 0)
    assert empty("table deal leader=A", "table deal") == ["×starter.1", "starter.1"]


def test_bombs_and_hands_of_five() -> None:
    played = Played(named("partners_climb"), "A B C D")
    assert played("table deal leader=A", "A lay S5", "C lay H9 H8", "C lay S9 H9 D9 C9") == [
        *("starter.1", "combo.single", "×turn.1", "combo.bomb"),
    ]
    assert played("D lay S10 H10", "D pass", "B lay D4 D5 D6 D7 D8", "C lay S2") == [
        *("×follow.1", "pass.1", "combo.line_bomb", "×follow.1"),
    ]


def test_suits_may_be_left_open_where_no_rule_looks_at_them() -> None:
    text = SMALL.replace(
        'deck = { ranks = ["3", "4", "5", "6", "7", "8", "9", "10"], copies = 4 }',
        'deck.pack = "french36"',
    )
    played = Played(game_of(text), "A B C")
    assert played("table deal leader=A", "A lay 7", "B lay S8", "C lay 8", "C lay 9*4") == [
        *("starter.1", "combo.set", "combo.set", "×follow.2", "×follow.1"),
    ]
    assert played("C lay S8", "C pass", "A pass", "B lay 8 H8", "C lay 9*2") == [
        *("×deck.2", "pass.1", "pass.1", "combo.set", "combo.set"),
    ]
    assert played("A lay 10*2", "B pass", "C pass", "A lay 8*2", "A lay 8") == [
        *("combo.set", "pass.1", "pass.1", "×deck.2", "combo.set"),
    ]
    locked = Played(
        game_of(text + 'effect.lock = { when = "matched > 0", do = "lock suits" }'), "A B"
    )
    assert locked("table deal leader=A", "A lay 7", "A lay S7") == [
        *("starter.1", "×deck.1", "combo.set"),
    ]


def test_what_makes_no_game_is_said() -> None:
    for more, fact in (
        ('order.top = "rank 3"', "kit_shed_only_special"),
        ('combo.bad = { same = "x" }', "kit_shed_span"),
        ('effect.x = { do = "jump" }', "kit_one_of"),
        ('effect.x = { when = "combo is nothing", do = "clear" }', "kit_shed_no_such_combo"),
        ("exchange.x = { between = [1], cards = 1 }", "kit_shed_between"),
        ('trick.best = ["all"]', "kit_other_family"),
    ):
        with pytest.raises(Misread) as misread:
            load((SMALL + more).encode())
        assert fact in [wrong.fact for wrong in misread.value.faults], more


def test_the_first_game_and_every_row_of_the_guide_are_right() -> None:
    docs = Path(__file__).parents[3] / "docs"
    rows = dict[str, list[str]]()
    for page in ("own-game.md", "own-game.ja.md"):
        part = (docs / page).read_text(encoding="utf-8").partition('    family = "shedding"')[2]
        part = part.partition("\n## ")[0]  # other families follow
        lines = part.split("\n\n")[0]
        first = 'kit = 1\nfamily = "shedding"' + lines.replace("\n    ", "\n")
        game, notes = check(first.encode(), quick=True)
        assert game is not None, page
        assert [note.wrong.fact for note in notes if not note.only_note] == []
        rows[page] = re.findall(r"`((?:effect|combo|beat|finish|play)\.\w+ = [^`]+)`", part)
        for row in rows[page]:
            if row.startswith("play.must"):
                continue  # not with jokers and suits
            runs = "" if "combo.run" in row else 'combo.run = { run = "3..", suit = "same" }\n'
            assert load(f"{first}\n{runs}{row}\n".encode()), row
    assert rows["own-game.md"] == rows["own-game.ja.md"]
    assert len(rows["own-game.md"]) > 20


def test_a_deal_is_entered_by_its_sheet() -> None:
    held = Played(named("big_two"), "A B C")
    assert held('table sheet A="1/0" B="2/3" C="2/12"') == ["sheet.1"]
    assert dict(held.state.score.totals) == {"A": 27, "B": -3, "C": -24}
    assert held.state.round.finish == (1, 2, 2)
    assert held('table sheet A="1/0" B="2/18" C="2/1"', 'table sheet A="1/0" B="3/1" C="3/1"') == [
        *("×sheet.1", "×sheet.1"),
    ]
    assert held('table sheet A="1" B="2/1" C="2/1"', 'table sheet A="x" B="2/1" C="2/1"') == [
        *("×sheet.1", "×sheet.1"),
    ]
    placed = Played(named("president"), "A B C D E")
    assert placed('table sheet leader=B A="2" B="1" C="3" D="5" E="4"') == ["sheet.1"]
    assert placed.state.round.was == (2, 1, 3, 5, 4)
    assert placed("table deal leader=B from=A", "table exchanged") == ["starter.1", "exchange.1"]
    points = Played(named("partners_climb"), "A B C D")
    assert points('table sheet leader=A A="40" B="-10" C="40" D="-10"') == ["sheet.1"]


def test_a_rank_alone_cannot_be_read_where_rules_look_at_suits() -> None:
    game, seats = named("daifugo"), ["A", "B", "C"]
    with pytest.raises(Unreadable):
        Grammar(game, seats, {}).parse("A lay 8 8")
    with pytest.raises(Unreadable):
        Grammar(game, seats, {}).parse("table amend 3 A lay H8 8")
    assert Grammar(game, seats).parse("A lay 8 8")  # what was recorded
    assert Grammar(game_of(SMALL), seats, {}).parse("A lay 8 8")
