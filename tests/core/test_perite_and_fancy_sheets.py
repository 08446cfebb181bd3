"""Sheets of ペリテ and Fancy as entries: how they are written, corrected, and follow each other."""

from __future__ import annotations

from typing import Any

from referee.core.corrections import Amend, Insert, Void
from referee.core.game import SheetLine
from referee.core.log import Log
from referee.core.naming import renamed
from referee.core.record import Grammar, Header, read
from referee.core.sheets import Stop, stopped
from referee.core.verdict import Illegal
from referee.games import GAMES
from referee.rulings.report import report


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
    assert entry.lines[2] == SheetLine("leader", "", ())  # type: ignore[attr-defined]
    grammar = Grammar(GAMES["fancy"], ("Anna B", "trick", "A"))
    text = 'table sheet leader=A trick="A5 Anna B2 trick4"'
    entry = grammar.parse(text)
    assert grammar.print(entry) == text
    words = entry.lines[1].words  # type: ignore[attr-defined]
    assert words == (("A", "5"), ("Anna B", "2"), ("trick", "4"))
    new = renamed(entry, {"A": "Z", "Anna B": "Q"})
    words = new.lines[1].words  # type: ignore[attr-defined]
    assert words == (("Z", "5"), ("Q", "2"), ("trick", "4"))
    assert new.lines[0].words == (("Z", ""),)  # type: ignore[attr-defined]


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


def test_a_stop_is_reported_with_its_reason() -> None:
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
    """log.3: those who have not played yet follow in the trick."""
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
