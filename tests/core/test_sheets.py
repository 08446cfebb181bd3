"""Deals told by their sheets, and matches that stop: the same in every game."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.core.corrections import Amend, Insert, Rewind, Strike, Void
from referee.core.game import SheetLine
from referee.core.log import Log
from referee.core.naming import renamed
from referee.core.record import Grammar, Header, Unreadable, read
from referee.core.sheets import Stop, TableSheet, stopped
from referee.core.verdict import Illegal, Legal, Outcome
from referee.games import GAMES, fancy
from referee.rulings.report import report
from tools import laws

MOST_SEATS = 4


@st.composite
def matches(draw: st.DrawFn) -> laws.Match:
    """A match to its end, at a table of some game with some house rules."""
    game = GAMES[draw(st.sampled_from(list(GAMES)))]
    most = max(min(game.SEATS[-1], MOST_SEATS), game.SEATS[0])
    seats = tuple("ABCD"[: draw(st.integers(game.SEATS[0], most))])
    rules = laws.house_rules(game)
    header = Header(
        game.NAME, seats, {key: draw(st.sampled_from(values)) for key, values in rules.items()}
    )
    assume(laws.can_be_chosen(header))
    return laws.match(header, draw(st.integers(0, 10**6)), most=400)


def words(*told: str) -> tuple[tuple[None, str], ...]:
    return tuple((None, word) for word in told)


def sheet_of(log: Log, deal: int, before: Any, after: Any) -> TableSheet:
    """What the sheet of the finished deal ``deal`` says; states before and after it."""
    seats = log.table.seats
    first: list[SheetLine] = []
    rest: list[SheetLine] = []
    piles: dict[str, tuple[str, ...]] = {}
    match log.game.NAME:
        case "fancy" | "perite":
            first = [SheetLine(None, "leader", ((after.starter, ""),))]
            tricks = [trick for trick in fancy.family.tricks(after) if trick.deal == deal]
            if log.game.NAME == "fancy":
                for trick in tricks:
                    cards = tuple((card.seat, str(card.rank)) for card in trick.cards)
                    rest.append(SheetLine(None, "trick", cards))
            else:
                for seat in seats:
                    piles[seat] = tuple(
                        f"1/{len(trick.cards)}" if trick.rank == 1 else str(trick.rank)
                        for trick in tricks
                        if trick.winner == seat
                    )
        case "trumps":
            piles = {
                seat: tuple(f"{rank}*{n}" for rank, n in sorted(pile.items()))
                for seat, pile in after.piles.items()
            }
        case "pairs_daifugo":
            leader = next(s.play.leader for s in log.steps() if s.state.deal == deal)
            first = [SheetLine(None, "leader", ((leader, ""),))] if leader else []
            rest = [SheetLine(None, "winner", ((after.won.last.seat, ""),))]
        case "three_kings":
            first = [SheetLine(None, "dealer", ((after.dealer, ""),))]
            for seat in seats:
                piles[seat] = tuple(
                    "{}+{}={}".format(*sorted(taken.cards, key=log.game.VALUE.__getitem__))
                    for taken in after.sets
                    if taken.seat == seat and taken.deal == deal
                )
            holders = tuple((b.seat, "") for b in after.bonuses if b.deal == deal)
            rest = [SheetLine(None, "declarer", holders)] if holders else []
        case "jukugo_line":
            for seat in seats:
                piles[seat] = tuple(str(i) for i, own in enumerate(after.owners, 1) if own == seat)
        case "pairs":
            for seat in seats:
                piles[seat] = tuple(
                    str(score.rank)
                    for score in after.scores
                    if score.deal == deal and score.seat == seat
                )
    lines = [SheetLine(seat, "", words(*pile)) for seat, pile in piles.items()]
    return TableSheet((*first, *lines, *rest))


def decided(outcome: Outcome | None) -> tuple[object, ...] | None:
    return outcome and (outcome.clause, outcome.winners, outcome.losers)


@given(matches(), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_a_sheet_stands_for_the_plays_of_its_deal(found: laws.Match, seed: int) -> None:
    """Score, outcome, next leader and all later verdicts are those of the deal that was played."""
    rng, played = Random(seed), found.log
    game = played.game
    grammar = Grammar(game, played.table.seats)
    told = Log(game, played.table)
    deals: dict[int, list[Any]] = {}
    for step in played.steps():
        deals.setdefault(step.state.deal, []).append(step)
    for deal, steps in sorted(deals.items()):
        after = steps[-1].state
        if deal == 0 or game.to_act(after) or rng.random() < 0.3:
            for step in steps:
                assert type(told.push(step.play)) is type(step.verdict)
            continue
        if game.NAME == "jukugo_line" and game.outcome(after) is None:
            continue
        entry = sheet_of(played, deal, steps[0], after)
        assert grammar.parse(grammar.print(entry)) == entry
        verdict = told.push(entry)
        assert isinstance(verdict, Legal), verdict
        assert verdict.clause == "sheet.1"
        assert game.score(told.state).totals == game.score(after).totals
        assert decided(game.outcome(told.state)) == decided(game.outcome(after))
        assert told.state.deal == deal
        assert not game.to_act(told.state)
        public = game.public(told.state)
        assert public.keys() == game.public(after).keys()
        if "leader" in public and not game.outcome(after):
            assert public["leader"] == game.public(after)["leader"]
        if "wins" in public:
            assert public["wins"] == game.public(after)["wins"]
        totals = dict.fromkeys(told.table.seats, 0)
        for line in game.score(told.state).lines:
            totals[line.seat] += line.points
        assert totals == game.score(told.state).totals


@given(matches(), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_a_match_can_stop_anywhere(found: laws.Match, seed: int) -> None:
    """Nobody is to act, nobody has won, the score stays, every later play is end.1."""
    rng = Random(seed)
    log = Log(found.log.game, found.log.table)
    entries = found.log.entries
    for entry in entries[: rng.randint(0, len(entries))]:
        log.push(entry)
    game, before = log.game, log.state
    stop = Stop(rng.choice([None, "the last train"]))
    grammar = Grammar(game, log.table.seats)
    assert grammar.parse(grammar.print(stop)) == stop
    if game.outcome(before):
        assert log.push(stop) == log.consider(stop).verdict
        assert (log.moments[-1].verdict.clause, type(log.moments[-1].verdict)) == ("end.1", Illegal)
        return
    assert isinstance(log.push(stop), Legal)
    assert game.to_act(log.state) == ()
    ended = game.outcome(log.state)
    assert stopped(ended)
    assert ended is not None
    assert ended.winners == ended.losers == ()
    assert game.score(log.state).totals == game.score(before).totals
    assert game.public(log.state).keys() == game.public(before).keys()
    for entry in (*rng.sample(entries, min(8, len(entries))), stop, TableSheet()):
        verdict = log.consider(entry).verdict
        assert (type(verdict), verdict.clause) == (Illegal, "end.1"), entry
    number = len(log)
    log.push(Strike(number))
    assert game.outcome(log.state) is None
    assert game.to_act(log.state) == game.to_act(before)
    log.push(Rewind(number))
    assert stopped(game.outcome(log.state))


TOLD = st.text("ABCDabc 0123456789*/+=JQK日々\"'#;", max_size=12)


@given(
    st.sampled_from(list(GAMES)),
    st.lists(
        st.tuples(st.sampled_from(["A", "B", "C", "leader", "dealer", "trick", "winner"]), TOLD)
    ),
)
@settings(max_examples=300, deadline=None)
def test_whatever_a_sheet_says_is_judged_or_unreadable(
    name: str, lines: list[tuple[str, str]]
) -> None:
    game = GAMES[name]
    seats = tuple("ABC")[: max(2, game.SEATS[0])]
    log = Log(game, Header(name, seats).table(game))
    grammar = Grammar(game, seats)
    text = "table sheet " + " ".join(f'{key}="{told}"' for key, told in lines)
    try:
        entry = grammar.parse(text)
    except Unreadable:
        return
    assert grammar.parse(grammar.print(entry)) == entry
    assert log.push(entry).clause
    game.score(log.state), game.public(log.state), game.outcome(log.state)


def judged(game: str, seats: str, *lines: str, **options: str) -> dict[str, Any]:
    house = "".join(f"option: {key}={value}\n" for key, value in options.items())
    text = f"referee: 1\ngame: {game}\nseats: {seats}\n{house}\n" + "\n".join(lines)
    return report(read(text.encode(), GAMES), "en")


def clauses(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(row["verdict"], row["clause"]) for row in answer["entries"]]


PERITE = 'table sheet leader=A A="3 3" B="1/3 5" C=""'


def test_the_lines_of_a_sheet_are_printed_in_one_order() -> None:
    for text in (
        PERITE,
        'table sheet C="" B="1/3 5" A="3  3" leader="A"',
        'table sheet "C"="" B="1/3 5" leader=A A="3 3"',
    ):
        grammar = Grammar(GAMES["perite"], "ABC")
        assert grammar.print(grammar.parse(text)) == PERITE


def test_a_seat_with_blanks_or_the_name_of_a_key_is_quoted() -> None:
    seats = ("Anna B", "leader", "a=b")
    grammar = Grammar(GAMES["perite"], seats)
    text = 'table sheet leader="Anna B" "Anna B"="3 3" "leader"="" "a=b"="5"'
    entry = grammar.parse(text)
    assert grammar.print(entry) == text
    assert entry.lines[2] == SheetLine("leader", "", ())
    grammar = Grammar(GAMES["fancy"], ("Anna B", "trick", "A"))
    text = 'table sheet leader=A trick="A5 Anna B2 trick4"'
    entry = grammar.parse(text)
    assert grammar.print(entry) == text
    assert entry.lines[1].words == (("A", "5"), ("Anna B", "2"), ("trick", "4"))
    new = renamed(entry, {"A": "Z", "Anna B": "Q"})
    assert new.lines[1].words == (("Z", "5"), ("Q", "2"), ("trick", "4"))
    assert new.lines[0].words == (("Z", ""),)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("perite", 'table sheet leader=A A="3 3" B="x" C=""'),
        ("perite", 'table sheet leader=A A="3" A="3" B="" C=""'),
        ("perite", 'table sheet leader=Z A="3" B="" C=""'),
        ("perite", 'table sheet leader=A A="3" B="" C="" D=""'),
        ("perite", 'table sheet leader=A winner=A A="3" B="" C=""'),
        ("perite", 'table sheet A'),
        ("perite", 'table sheet leader="A B" A="3" B="" C=""'),
        ("trumps", 'table sheet leader=A A="" B="" C=""'),
        ("fancy", 'table sheet leader=A trick="A5 B2 Z4"'),
        ("fancy", 'table sheet leader=A A="3" B="" C=""'),
        ("pairs_daifugo", "table sheet leader=A winner=Z"),
        ("three_kings", 'table sheet A="4+8" B="" C=""'),
        ("three_kings", 'table sheet A="" B="" C="" declarer=Z'),
    ],
)  # fmt: skip
def test_a_sheet_that_cannot_be_read(game: str, text: str) -> None:
    with pytest.raises(Unreadable):
        Grammar(GAMES[game], "ABC").parse(text)


def test_the_deal_of_a_sheet_is_asked_for_as_by_table_deal() -> None:
    """deal.3, starter.1, deal.2, end.1: where a deal may begin, and led by whom."""
    lines = (
        'table sheet A="3 3" B="1/3 5" C=""',  # who leads is missing
        PERITE,
        PERITE,  # B leads now
        'table sheet A="3 3" B="1/3 5" C=""',
        "table deal",
        'table sheet A="3 3" B="1/3 5" C=""',
    )
    answer = judged("perite", "A B C", *lines)
    assert clauses(answer) == [
        ("illegal", "deal.3"),
        ("legal", "sheet.1"),
        ("illegal", "starter.1"),
        ("legal", "sheet.1"),
        ("legal", "starter.1"),
        ("illegal", "deal.2"),
    ]
    assert answer["score"] == {"A": 24, "B": 12, "C": 0}
    assert answer["public"]["leader"] == "C"
    over = judged("perite", "A B C", PERITE, PERITE, rounds="1")
    assert clauses(over)[1] == ("illegal", "end.1")
    assert over["outcome"]["winners"] == ["A"]


def test_corrections_aim_at_a_sheet_as_at_a_play() -> None:
    lines = [PERITE, 'table sheet leader=B A="5" B="" C=""']
    amended = judged(
        "perite", "A B C", *lines, 'table amend 1 table sheet leader=A A="" B="6" C=""'
    )
    assert clauses(amended)[1:] == [("legal", "sheet.1"), ("legal", "log.2")]
    assert amended["score"] == {"A": 5, "B": 6, "C": 0}
    struck = judged("perite", "A B C", *lines, "table strike 2")
    assert struck["score"] == {"A": 12, "B": 6, "C": 0}
    void = judged("perite", "A B C", *lines, "table void 1")
    assert void["score"] == {"A": 5, "B": 0, "C": 0}
    rewound = judged("perite", "A B C", *lines, "table rewind 1")
    assert rewound["score"] == {"A": 12, "B": 6, "C": 0}
    inserted = judged("perite", "A B C", *lines, 'table insert 2 table sheet A="" B="" C="4"')
    assert inserted["score"] == {"A": 12, "B": 6, "C": 4}  # entry 2 is led by B, who is not due
    contested = judged(
        "perite",
        "A B C",
        *lines,
        'C contest 2 as table sheet A="" B="" C="5"',
        "A vote 3 yes",
        "B vote 3 yes",
        "table decide 3 yes",
    )
    assert contested["score"] == {"A": 12, "B": 6, "C": 5}
    ruled = judged("perite", "A B C", PERITE, PERITE, "table rule 2 stands")
    assert ruled["score"] == {"A": 24, "B": 12, "C": 0}
    refused = judged("perite", "A B C", 'table sheet leader=A A="7"', "table rule 1 stands")
    assert clauses(refused)[1] == ("illegal", "log.3")


def test_voiding_a_deal_leaves_the_end_of_the_match() -> None:
    log = Log(GAMES["perite"], Header("perite", tuple("ABC")).table(GAMES["perite"]))
    grammar = Grammar(log.game, "ABC")
    for line in (PERITE, "table stop", "table void 1"):
        log.push(grammar.parse(line))
    assert stopped(log.game.outcome(log.state))
    assert log.game.score(log.state).totals == {"A": 0, "B": 0, "C": 0}
    assert [type(step.play) for step in log.steps()] == [Stop]
    assert isinstance(log.push(Void(2)), Illegal)


def test_a_stop_is_told_with_its_reason() -> None:
    """leave.1 (X8)."""
    lines = [PERITE, 'table stop because "the last train"', "table deal", "table stop"]
    answer = judged("perite", "A B C", *lines)
    assert clauses(answer)[1:] == [("legal", "leave.1"), ("illegal", "end.1"), ("illegal", "end.1")]
    assert answer["outcome"]["winners"] == []
    assert answer["outcome"]["clause"] == "leave.1"
    assert "the last train" in answer["outcome"]["says"]
    assert answer["score"] == {"A": 12, "B": 6, "C": 0}
    assert answer["to_act"] == []
    first = judged("perite", "A B C", "table stop")
    assert first["outcome"]["clause"] == "leave.1"
    again = judged("perite", "A B C", "table stop", "table strike 1", "table deal leader=A")
    assert again["to_act"] == ["A"]


def test_a_stop_can_be_amended_and_something_inserted_before_it() -> None:
    game = GAMES["perite"]
    log = Log(game, Header("perite", tuple("ABC")).table(game))
    grammar = Grammar(game, "ABC")
    for line in (PERITE, "table stop"):
        log.push(grammar.parse(line))
    log.push(Amend(2, Stop("no time")))
    assert stopped(game.outcome(log.state))
    log.push(Insert(2, grammar.parse('table sheet A="5" B="" C=""')))
    assert game.score(log.state).totals == {"A": 17, "B": 6, "C": 0}


def test_where_the_host_decides_nobody_votes() -> None:
    """log.4: a vote is illegal with ``contest=host``."""
    lines = ("table deal leader=A", "A lay 4", "B contest 2", "C vote 3 yes", "table decide 3 yes")
    answer = judged("perite", "A B C", *lines, contest="host")
    assert clauses(answer)[2:] == [("legal", "log.4"), ("illegal", "log.4"), ("legal", "log.5")]


def test_an_entry_out_of_turn_that_stands_is_that_seats_turn() -> None:
    """log.3: those who have not played yet follow in a trick, elsewhere the turn passes on."""
    trick = judged(
        "perite",
        "A B C",
        "table deal leader=A",
        "A lay 4",
        "C lay 5",
        "table rule 3 stands",
        "B lay 6",
    )
    assert [verdict for verdict, _ in clauses(trick)] == [
        "legal",
        "legal",
        "illegal",
        "legal",
        "legal",
    ]
    assert trick["public"]["tricks"] == {"A": 1, "B": 0, "C": 0}
    turns = judged(
        "pairs",
        "A B C",
        "table deal",
        "A reveal 2",
        "B reveal 3",
        "C reveal 4",
        "B hit 5",
        "table rule 5 stands",
    )
    assert turns["to_act"] == ["C"]
