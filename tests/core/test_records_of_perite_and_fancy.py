"""The record format, sentence by sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.corrections import Amend, Insert, Rewind, Rule, Strike
from referee.core.game import TABLE
from referee.core.log import Log
from referee.core.record import (
    FREE_TEXT,
    Grammar,
    Header,
    Record,
    TallyFile,
    Unreadable,
    normal,
    parse_header,
    print_header,
    read,
    write,
)
from referee.core.verdict import Illegal, Verdict
from referee.games import GAMES, fancy, perite
from referee.games.families.must_not_follow import Deal, Lay, Show
from referee.games.simulation import played
from referee.rulings import book
from referee.rulings.report import report

PERITE = "referee: 1\ngame: perite\nseats: A B C\n\n"
FANCY = "referee: 1\ngame: fancy\nseats: A B C\n\n"


def record(text: str | bytes) -> Record:
    found = read(text if isinstance(text, bytes) else text.encode(), GAMES)
    assert isinstance(found, Record)
    return found


def entries(*lines: str, head: str = PERITE) -> list[Any]:
    return [written.entry for written in record(head + "\n".join(lines)).entries]


def unreadable(text: str | bytes) -> tuple[int, str]:
    """The line at fault and what is wrong with it."""
    with pytest.raises(Unreadable) as fault:
        judged(text if isinstance(text, bytes) else text.encode())
    return fault.value.line, fault.value.fact


def judged(source: bytes) -> None:
    """Read all that there is, the lines of a tally sheet too."""
    found = read(source, GAMES)
    if isinstance(found, TallyFile):
        game = GAMES[found.header.game]
        assert game.HOOKS.tally is not None
        game.HOOKS.tally(found.header.table(game), found.lines, found.end, {})


def wrong(*lines: str, head: str = PERITE) -> tuple[int, str]:
    """The entry line at fault, counted from the first one, and what is wrong with it."""
    line, fact = unreadable(head + "\n".join(lines))
    return line - head.count("\n"), fact


def verdicts(*lines: str, head: str = PERITE) -> list[Verdict]:
    found = record(head + "\n".join(lines))
    game = GAMES[found.header.game]
    log = Log(game, found.header.table(game))
    return [log.push(written.entry) for written in found.entries]


# ------------------------------------------------------------------ bytes and lines


def test_the_example_of_the_format() -> None:
    found = record(
        "referee: 1\ngame: perite\nseats: A B C D E\noption: rounds=1\ntitle: 日曜の卓\n"
        "\ntable deal leader=A\nA lay 4\nB lay 7\n"
    )
    header = Header("perite", tuple("ABCDE"), {"rounds": "1"}, {"title": "日曜の卓"})
    assert found.header == header
    assert [(w.line, w.text, w.entry) for w in found.entries] == [
        (7, "table deal leader=A", Deal("A")),
        (8, "A lay 4", Lay("A", 4)),
        (9, "B lay 7", Lay("B", 7)),
    ]


def test_a_byte_order_mark_at_the_start_is_skipped() -> None:
    assert record(b"\xef\xbb\xbf" + PERITE.encode()).header.game == "perite"
    assert unreadable("\ufeff" * 2 + PERITE) == (1, "read_first_line")


def test_lines_end_in_lf_or_crlf() -> None:
    text = PERITE + "table deal leader=A\nA lay 4\n"
    assert record(text.replace("\n", "\r\n")) == record(text)
    assert record(text.rstrip("\n")) == record(text)


def test_what_is_no_utf_8_is_unreadable_at_its_line() -> None:
    assert unreadable(PERITE.encode() + b"A lay \xff\n") == (5, "read_utf8")
    assert unreadable("referee: 1\ngame: perite".encode("utf-16")) == (1, "read_utf8")


def test_full_width_forms_read_as_the_plain_ones() -> None:
    head = "ｒｅｆｅｒｅｅ：　１\nｇａｍｅ：ｐｅｒｉｔｅ\nｓｅａｔｓ：Ａ　Ｂ　Ｃ\n\n"
    found = record(head + "Ａ　ｌａｙ　４　＃ ４\n")
    assert found.header.seats == ("A", "B", "C")
    assert found.entries[0].entry == Lay("A", 4)


def test_half_width_katakana_names_the_same_seat_as_the_full_width_name() -> None:
    found = record("referee: 1\ngame: perite\nseats: ｼﾎ ジュリア\n\nシホ lay 4\nｼﾞｭﾘｱ lay 3\n")
    assert found.header.seats == ("シホ", "ジュリア")
    assert [w.entry.seat for w in found.entries] == ["シホ", "ジュリア"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("digits", ["٤", "४", "四", "Ⅳ", "൪"])
def test_only_ascii_digits_are_digits_after_that(digits: str) -> None:
    assert wrong(f"A lay {digits}") == (1, "read_rank")


@pytest.mark.parametrize("digits", ["④", "４", "⁴", "𝟒"])
def test_digits_that_normalise_to_ascii_are_digits(digits: str) -> None:
    assert entries(f"A lay {digits}") == [Lay("A", 4)]


@pytest.mark.parametrize("rank", ["04", "+4", "-4", "4_0", "1,0", "4.0", "0x4", "4e0", "0", "1_"])
def test_no_sign_no_separator_no_leading_zero(rank: str) -> None:
    assert wrong(f"A lay {rank}") == (1, "read_rank")


@pytest.mark.parametrize("number", ["07", "+7", "-1", "1.0", "7_0", "A", "７７a"])
def test_entry_numbers_are_written_the_same_way(number: str) -> None:
    assert wrong(f"table rewind {number}") == (1, "read_number")
    assert wrong("A lay 4", f"table strike {number}") == (2, "read_number")


def test_a_number_too_long_for_the_machine_is_unreadable_and_no_crash() -> None:
    assert wrong("A lay " + "9" * 5000) == (1, "read_rank")
    assert wrong("table rewind " + "9" * 5000) == (1, "read_number")
    assert wrong("A show 9*99999") == (1, "read_too_many")


# ------------------------------------------------------------------ comments and blank lines


def test_comments_are_skipped() -> None:
    found = record(
        "referee: 1 # a comment\n# a comment\ngame: perite # another\n  # and another\n"
        "seats: A B C#D # three\noption: rounds=1 # one\n\n"
        "# nothing yet\nA lay 4 # four\n   \n\n\tB lay 5\t# five\n"
    )
    assert found.header.seats == ("A", "B", "C#D")
    assert found.header.options == {"rounds": "1"}
    assert [(w.line, w.text) for w in found.entries] == [(9, "A lay 4"), (12, "B lay 5")]


def test_a_comment_line_does_not_end_the_header() -> None:
    assert record("referee: 1\n#\n# x\ngame: perite\n#\nseats: A B C\n").header.game == "perite"


def test_the_first_blank_line_ends_the_header() -> None:
    assert unreadable("referee: 1\ngame: perite\n\nseats: A B C\n") == (3, "read_missing")
    assert unreadable("referee: 1\n\ngame: perite\nseats: A B C\n") == (2, "read_missing")


def test_a_number_sign_inside_double_quotes_is_text() -> None:
    head = 'referee: 1\ngame: perite\nseats: "A #1" "#" C\n\n'
    assert entries('"A #1" lay 4 # four', '"#" lay 5', head=head) == [Lay("A #1", 4), Lay("#", 5)]


def test_free_text_keeps_its_number_signs_and_quotes() -> None:
    found = record(
        'referee: 1\ntitle: the #1 table # really\nnote: 5" cards "so\nplace: #\n'
        "date: 2024-05-01 : noon\ngame: perite\nseats: A\n"
    )
    assert found.header.texts == {
        "title": "the #1 table # really",
        "note": '5" cards "so',
        "place": "#",
        "date": "2024-05-01 : noon",
    }
    assert parse_header("\n".join(print_header(found.header)), GAMES) == found.header


def test_a_comment_after_an_entry_may_hold_a_quote() -> None:
    assert entries('A lay 4 # 5" wide') == [Lay("A", 4)]


# ------------------------------------------------------------------ the header


def test_a_header_without_entries_is_a_record() -> None:
    for text in (PERITE, PERITE.rstrip("\n"), PERITE + "\n\n# nothing\n"):
        assert record(text).entries == ()


def test_header_lines_come_in_any_order_after_the_first() -> None:
    found = record("referee: 1\noption: rounds=2\nseats: A B\nnote: x\ngame: perite\n")
    assert (found.header.game, found.header.seats) == ("perite", ("A", "B"))


@pytest.mark.parametrize(
    "first",
    ["", "game: perite", "referee: 2", "referee: 01", "referee:", "# x\nreferee: 1", "re feree: 1"],
)
def test_the_format_version_is_always_the_first_line(first: str) -> None:
    assert unreadable(f"{first}\ngame: perite\nseats: A\n") == (1, "read_first_line")


def test_an_empty_file() -> None:
    assert unreadable(b"") == (1, "read_first_line")
    assert unreadable(b"\n") == (1, "read_first_line")


@pytest.mark.parametrize("first", ["referee:1", "referee : 1", "referee:\t1", " referee: 1 "])
def test_blanks_around_the_parts_of_a_header_line_do_not_matter(first: str) -> None:
    assert record(f"{first}\ngame:perite\nseats :\tA  B\n").header.seats == ("A", "B")


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("players: 3", "read_unknown_key"),
        ("Game: fancy", "read_unknown_key"),
        ("deck: open", "read_unknown_key"),
        ("words: standard", "read_unknown_key"),
        ("referee: 1", "read_repeated"),
        ("game: perite", "read_repeated"),
        ("tally: perite", "read_repeated"),
        ("seats: A B C", "read_repeated"),
        ("note: again", "read_repeated"),
        ("option: rounds=2", "read_repeated"),
        ("option: rounds", "read_option_form"),
        ("option: wins_needed=2", "read_option"),
        ("option: lead=loser", "read_option_value"),
        ("option: round_starter=11", "read_option_value"),
        ("option: no_winner=VOID", "read_option_value"),
        ("option: lead=", "read_option_value"),
        ("A lay 4", "read_header_line"),
        ("a b: c", "read_header_line"),
    ],
)
def test_header_lines_that_can_not_be_read(line: str, fact: str) -> None:
    text = f"referee: 1\ngame: perite\nseats: A B C\noption: rounds=1\nnote: x\n{line}\n"
    assert unreadable(text) == (6, fact)


@pytest.mark.parametrize("rounds", ["0", "11", "01", "+1", "two", "2.0"])
def test_a_match_has_one_to_ten_deals_or_as_many_as_players(rounds: str) -> None:
    text = "referee: 1\ngame: perite\nseats: A\noption: rounds={}\n"
    assert unreadable(text.format(rounds)) == (4, "read_option_value")
    assert record(text.format("１０")).header.options == {"rounds": "10"}


def test_an_option_of_another_game_is_unreadable() -> None:
    text = "referee: 1\ngame: fancy\nseats: A B C\noption: no_winner=void\n"
    assert unreadable(text) == (4, "read_option")


@pytest.mark.parametrize("name", list(GAMES))
def test_every_option_takes_each_of_its_values(name: str) -> None:
    game = GAMES[name]
    seats = " ".join(f"s{i}x" for i in range(game.SEATS[0]))
    known = Header(name, ("x",) * game.SEATS[0]).table(game).options
    for key, option in known.items():
        for value in option.values:
            text = f"referee: 1\ngame: {name}\nseats: {seats}\noption: {key}={value}\n"
            if name in ("fancy", "perite"):
                assert record(text).header.options == {key: value}


@pytest.mark.parametrize(
    ("game", "count", "right"),
    [
        ("fancy", 2, False),
        ("fancy", 3, True),
        ("fancy", 6, True),
        ("fancy", 7, False),
        ("perite", 0, False),
        ("perite", 1, True),
        ("perite", 6, True),
        ("perite", 100, True),
        ("perite", 101, False),
    ],
)
def test_seats_that_the_game_allows(game: str, count: int, right: bool) -> None:
    text = f"referee: 1\ngame: {game}\nseats: {' '.join(f'S{i}' for i in range(count))}\n"
    if right:
        assert len(record(text).header.seats) == count
    else:
        assert unreadable(text) == (3, "read_seat_count")


@pytest.mark.parametrize(
    ("seats", "fact"),
    [
        ("A B A", "read_seat_twice"),
        ('A "A"', "read_seat_twice"),
        ("A Ａ", "read_seat_twice"),
        ("A table", "read_seat_name"),
        ('A "table"', "read_seat_name"),
        ('A ""', "read_seat_name"),
        ('A "B', "read_quote"),
    ],
)
def test_names_that_can_not_be_seats(seats: str, fact: str) -> None:
    assert unreadable(f"referee: 1\ngame: perite\nseats: {seats}\n") == (3, fact)


def test_what_is_missing_is_reported_at_the_line_where_the_header_ends() -> None:
    assert unreadable("referee: 1\nseats: A\n# x\n\nA lay 4\n") == (4, "read_missing")
    assert unreadable("referee: 1\ngame: perite\n") == (2, "read_missing")
    assert unreadable("referee: 1\ngame: perite\nnote: x") == (3, "read_missing")


def test_an_unknown_game_is_unreadable() -> None:
    assert unreadable("referee: 1\ngame: chess\nseats: A B\n") == (2, "read_game")
    assert unreadable("referee: 1\ntally: chess\nseats: A B\n") == (2, "read_game")


# ------------------------------------------------------------------ entries


def test_a_name_with_blanks_stands_in_double_quotes_also_inside_an_argument() -> None:
    head = 'referee: 1\ngame: perite\nseats: "Anna B" "B  C" D\n\n'
    assert entries('table deal leader="Anna B"', '"Anna B" lay 4', '"B  C" lay 5', head=head) == [
        Deal("Anna B"),
        Lay("Anna B", 4),
        Lay("B  C", 5),
    ]
    assert wrong("table deal leader=Anna B", head=head)[0] == 1
    assert wrong('"B C" lay 5', head=head) == (1, "read_seat")


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("D lay 4", "read_seat"),
        ("a lay 4", "read_seat"),
        ("A", "read_short"),
        ("A capture 6 with 5 J", "read_verb"),
        ("A pass", "read_verb"),
        ("A deal", "read_verb"),
        ("A Lay 4", "read_verb"),
        ("A rewind 1", "read_verb"),
        ("table lay 4", "read_verb"),
        ("table refill 3 3", "read_verb"),
        ("A lay", "read_form"),
        ("A lay 4 5", "read_form"),
        ("A lay 4 4", "read_form"),
        ("A lay Q", "read_rank"),
        ("A lay 日", "read_rank"),
        ("A lay 4x", "read_rank"),
        ("A lay 9*2", "read_one_card"),
        ("A lay 9*0", "read_rank"),
        ("A lay 9*", "read_rank"),
        ("A lay *9", "read_rank"),
        ("A lay 9*1*1", "read_rank"),
        ('A lay "4', "read_quote"),
        ("table deal A", "read_form"),
        ("table deal leader=D", "read_seat"),
        ("table deal leader=", "read_seat"),
        ("table deal leader=A leader=B", "read_form"),
        ("table deal dealer=A", "read_form"),
        ("table rewind", "read_form"),
        ("table rewind 1 2", "read_form"),
        ("table amend 1", "read_form"),
        ("table amend B lay 6", "read_number"),
        ("table amend 1 D lay 6", "read_seat"),
        ("table amend 1 table rewind 0", "read_nested"),
        ("table insert 1 table strike 1", "read_nested"),
        ("table strike 1 2", "read_form"),
        ("table rule 1", "read_form"),
        ("table rule 1 falls", "read_form"),
        ("A show", "read_form"),
        ("table void", "read_form"),
        ("table together", "read_form"),
        ("table together amend 1 A lay 3 ;", "read_part"),
        ("table together amend 1 A lay 3 ; rewind 0", "read_part"),
        ("table together A lay 3", "read_part"),
        ("table contest 1", "read_verb"),
        ("A contest", "read_form"),
        ("A contest 1 as", "read_form"),
        ("A contest 1 as table strike 1", "read_nested"),
        ("A vote 2 maybe", "read_yes_or_no"),
        ("A decide 2 yes", "read_verb"),
        ("table decide 2 yes because", "read_form"),
        ("table decide 2 yes because so", "read_text"),
        ('table decide 2 yes because ""', "read_text"),
        ('table decide 2 yes because "so" "or so"', "read_form"),
    ],
)
def test_entries_that_can_not_be_read(line: str, fact: str) -> None:
    assert wrong("table deal leader=A", line) == (2, fact)


def test_a_factor_of_one_is_one_card() -> None:
    assert entries("A lay 9*1", "A show 9*2 3 4*1") == [Lay("A", 9), Show("A", (9, 9, 3, 4))]


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        ("A lay 11", "deck.1"),
        ("A lay 7", "deck.1"),
        ("A lay 99999999999999999999", "deck.1"),
        ("B lay 4", "turn.1"),
        ("table deal leader=B", "deal.2"),
        ("table strike 9", "log.1"),
        ("table rewind 9", "log.1"),
        ("table rewind 2", "log.1"),
        ("table amend 0 A lay 4", "log.1"),
    ],
)
def test_everything_that_can_be_read_is_judged(line: str, clause: str) -> None:
    verdict = verdicts("table deal leader=A", line)[-1]
    assert isinstance(verdict, Illegal)
    assert verdict.clause == clause


def test_an_entry_before_the_first_deal_and_a_deal_without_leader_are_illegal() -> None:
    found = verdicts("A lay 4", "table deal", "table deal leader=A")
    assert [type(v).__name__ for v in found] == ["Illegal", "Illegal", "Legal"]
    assert [v.clause for v in found] == ["deal.1", "deal.3", "deal.3"]


def test_a_deck_for_fewer_players_lacks_the_high_cards() -> None:
    head = "referee: 1\ngame: perite\nseats: A B C D\n\n"
    found = verdicts("table deal leader=A", "A lay 9", "A lay 8", head=head)
    assert [type(v).__name__ for v in found] == ["Legal", "Illegal", "Legal"]


def test_every_correction() -> None:
    assert entries(
        "table rewind 0",
        "table rewind 12",
        "table amend 7 B lay 6",
        "table amend 1 table deal leader=B",
        "table strike 7",
        "table insert 7 B lay 6",
        "table rule 7 stands",
    ) == [
        Rewind(0),
        Rewind(12),
        Amend(7, Lay("B", 6)),
        Amend(1, Deal("B")),
        Strike(7),
        Insert(7, Lay("B", 6)),
        Rule(7),
    ]


# ------------------------------------------------------------------ parse(print(x)) == x

NAMES = (
    st.text(min_size=1, max_size=8)
    .map(normal)
    .filter(lambda name: name and name != TABLE and '"' not in name and "\n" not in name)
)
HOSTILE = ["#", "# x", "leader=A", "a b", " ", "table ", "lay", "7", "9*5", "A:B", "=", "\t", "｡"]
HOSTILE += [
    "{rank}",
    "\\",
    "'",
    "\u2028",
    "\x85",
    "\x1c",
    "\x00",
    "­",
    "😀",
    "-",
    "option: rounds=1",
]


@st.composite
def headers(draw: Any) -> Header:
    name = draw(st.sampled_from(("fancy", "perite")))
    game = GAMES[name]
    count = draw(st.integers(game.SEATS[0], 6))
    names = st.one_of(NAMES, st.sampled_from([normal(name) for name in HOSTILE]))
    seats = draw(st.lists(names, min_size=count, max_size=count, unique=True))
    known = Header(name, ()).table(game).options
    keys = draw(st.lists(st.sampled_from(list(known)), unique=True))
    options = {key: draw(st.sampled_from(known[key].values)) for key in keys}
    text = st.text().map(lambda t: normal(t.replace("\n", " ")).strip())
    texts = {key: draw(text) for key in draw(st.lists(st.sampled_from(FREE_TEXT), unique=True))}
    tally = draw(st.booleans())
    return Header(name, tuple(seats), options, texts, tally)


def plays(seats: tuple[str, ...]) -> st.SearchStrategy[Any]:
    seat, rank = st.sampled_from(seats), st.integers(1, 10**6)
    return st.one_of(
        st.builds(Deal, st.one_of(st.none(), seat)),
        st.builds(Lay, seat, rank),
        st.builds(Show, seat, st.lists(rank, min_size=1, max_size=6).map(tuple)),
    )


@given(headers(), st.data())
def test_whatever_is_printed_reads_as_what_it_was(header: Header, data: Any) -> None:
    assert parse_header("\n".join(print_header(header)), GAMES) == header
    if header.tally:
        return
    play, number = plays(header.seats), st.integers(0, 10**6)
    anything = st.one_of(
        play,
        st.builds(Rewind, number),
        st.builds(Amend, number, play),
        st.builds(Strike, number),
        st.builds(Insert, number, play),
        st.builds(Rule, number),
    )
    entries = data.draw(st.lists(anything, max_size=12))
    grammar = Grammar(GAMES[header.game], header.seats)
    lines = [grammar.print(entry) for entry in entries]
    assert [grammar.parse(line) for line in lines] == entries
    found = record(write(header, lines))
    assert found.header == header
    assert [written.entry for written in found.entries] == entries
    assert [written.text for written in found.entries] == lines


@pytest.mark.parametrize("game", [fancy, perite])
def test_a_whole_match_reads_as_it_was_written(game: Any) -> None:
    log = played(game, "ABC", seed=4, shows=0.02)
    header, grammar = Header(game.NAME, ("A", "B", "C")), Grammar(game, "ABC")
    found = record(write(header, map(grammar.print, log.entries)))
    assert [written.entry for written in found.entries] == log.entries


WORDS = ["A", "B", "C", "D", "table", "deal", "lay", "show", "rewind", "amend", "strike", "insert"]
WORDS += ["rule", "stands", "leader=A", "leader=", "0", "1", "2", "3", "7", "11", "9*2", "1*1", "*"]
WORDS += ['"', '"A"', "#", " # ", "=", ":", "٣", "", "\t", "trick: A5 B2 C3", "A: 1/3 2", "1/3"]
LINES = ["referee: 1", "game: perite", "tally: fancy", "tally: perite", "seats: A B C", "\x00", ""]
LINES += ["option: rounds=1", "title: x", "table deal leader=A", "A lay 4", "B lay 4", "C lay 6"]


@given(
    st.lists(st.sampled_from(LINES) | st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)),
    st.sampled_from((PERITE, FANCY, PERITE.replace("game", "tally"), "")),
)
def test_any_text_is_read_and_judged_or_unreadable(lines: list[str], head: str) -> None:
    source = (head + "\n".join(lines)).encode()
    answer = answered(source)
    if isinstance(answer, Unreadable):
        assert 1 <= answer.line <= source.count(b"\n") + 1
        assert book("common").says(answer.fact, answer.values, "ja")
    else:
        assert json.loads(json.dumps(answer)) == answer


def answered(source: bytes) -> dict[str, Any] | Unreadable:
    try:
        return report(read(source, GAMES), "ja")
    except Unreadable as fault:
        return fault


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_unreadable(source: bytes) -> None:
    for text in (source, PERITE.encode() + source, b"referee: 1\n" + source):
        answer = answered(text)
        assert isinstance(answer, dict) or answer.line >= 1


# ------------------------------------------------------------------ tally sheets


def tally(text: str) -> tuple[dict[str, int], tuple[str, ...] | None]:
    """Points and winners of a tally sheet."""
    sheet = read(text.encode(), GAMES)
    assert isinstance(sheet, TallyFile)
    game = GAMES[sheet.header.game]
    assert game.HOOKS.tally is not None
    found = game.HOOKS.tally(sheet.header.table(game), sheet.lines, sheet.end, {})
    by_line = dict.fromkeys(sheet.header.seats, 0)
    for line in found.sheet.lines:
        by_line[line.seat] += line.points
    assert by_line == found.sheet.totals
    return by_line, found.outcome.winners if found.outcome else None


FIVE = "referee: 1\ntally: perite\nseats: A B C D E\n\n"


def test_a_tally_of_perite() -> None:
    points, winners = tally(FIVE + "A: 3 3\nB: 1/3 5\nC: 7*2 # two sevens\n\nE: 4 9\nD: 6 4\n")
    assert points == {"A": 16, "B": 8, "C": 24, "D": 10, "E": 13}
    assert winners == ("C",)


def test_a_tally_without_wins_for_somebody() -> None:
    points, winners = tally("referee: 1\ntally: perite\nseats: A B\n\nA:\nB: 2\n")
    assert (points, winners) == ({"A": 0, "B": 2}, ("B",))


def test_a_tied_tally_follows_the_house_rule() -> None:
    sheet = "referee: 1\ntally: perite\nseats: A B\n{}\nA: 3\nB: 3\n"
    assert tally(sheet.format(""))[1] == ("A", "B")
    assert tally(sheet.format("option: final_tie=first_in_seat\n"))[1] == ("A",)
    assert tally(sheet.format("option: final_tie=replay\n"))[1] is None


@pytest.mark.parametrize(
    ("lines", "at", "fact"),
    [
        ("A: 3 3 3\nB:\nC:", 5, "read_tally_wins"),
        ("A: 2 2\nB: 2\nC:", 6, "sheet_copies"),
        ("A: 7\nB:\nC:", 5, "sheet_no_card"),
        ("A: 1\nB:\nC:", 5, "read_tally_one"),
        ("A: 1/4\nB:\nC:", 5, "sheet_trick_size"),
        ("A: 1/0\nB:\nC:", 5, "sheet_trick_size"),
        ("A: 1/2 1/2\nB:\nC:", 5, "sheet_copies"),
        ("A: Q\nB:\nC:", 5, "read_rank"),
        ("A: 03\nB:\nC:", 5, "read_rank"),
        ("A: 3\nB:\nC:\nD: 3", 8, "read_tally_key"),
        ("A: 3\nB:\nC:\nA: 3", 8, "read_repeated"),
        ("A: 3\nB:", 4, "read_missing"),
        ("A 3\nB:\nC:", 5, "read_tally_line"),
    ],
)
def test_a_tally_of_perite_that_can_not_be_read(lines: str, at: int, fact: str) -> None:
    assert unreadable(f"referee: 1\ntally: perite\nseats: A B C\n\n{lines}\n") == (at, fact)


def test_a_tally_of_fancy() -> None:
    head = "referee: 1\ntally: fancy\nseats: A B C D E\n\n"
    points, winners = tally(head + "trick: A5 B2 C4 D5 E9\n")
    assert points == {"A": 1, "B": 2, "C": 2, "D": 0, "E": 4}
    assert winners == ("E",)


def test_eight_tricks_of_fancy_make_a_deal_and_the_next_deal_has_all_cards_again() -> None:
    head = "referee: 1\ntally: fancy\nseats: A B C\n\n"
    rest = "trick: A10 B9 C8\n" * 7
    assert tally(head + ("trick: A1 B2 C3\n" + rest) * 2)[0] == {"A": 16, "B": 16, "C": 114}
    assert unreadable(head + "trick: A1 B2 C3\ntrick: A1 B2 C3\n") == (6, "sheet_copies")


def test_quoted_names_in_tallies() -> None:
    head = 'referee: 1\ntally: fancy\nseats: "Anna B" C D:E\n\n'
    points, _ = tally(head + 'trick: "Anna B"5 C4 D:E3\n')
    assert points == {"Anna B": 1, "C": 1, "D:E": 3}
    head = 'referee: 1\ntally: perite\nseats: "Anna B" "D:E" " F"\n\n'
    points, _ = tally(head + 'Anna B: 3\n"D:E": 2\n" F" : 4\n')
    assert points == {"Anna B": 3, "D:E": 2, " F": 4}


@pytest.mark.parametrize(
    ("lines", "at", "fact"),
    [
        ("trick: A5 B2", 5, "read_tally_trick"),
        ("trick: A5 B2 C4 A6", 5, "read_tally_trick"),
        ("trick: A5 B2 C4\ntrick:", 6, "read_tally_trick"),
        ("trick: A5 B2 D4", 5, "read_tally_card"),
        ("trick: A5 B2 C", 5, "read_tally_card"),
        ("trick: A5 B2 CQ", 5, "read_tally_card"),
        ("trick: A05 B2 C3", 5, "read_rank"),
        ("trick: A0 B2 C3", 5, "read_rank"),
        ("trick: A11 B2 C3", 5, "sheet_no_card"),
        ("trick: A1 B1 C3", 5, "sheet_copies"),
        ("A: 5", 5, "read_tally_key"),
        ("trick: A5 B2 C4\ndeclarer: A", 6, "read_tally_key"),
    ],
)
def test_a_tally_of_fancy_that_can_not_be_read(lines: str, at: int, fact: str) -> None:
    assert unreadable(f"referee: 1\ntally: fancy\nseats: A B C\n\n{lines}\n") == (at, fact)


def test_header_faults_of_a_tally_sheet() -> None:
    assert unreadable("referee: 1\ntally: fancy\nseats: A B\n\n") == (3, "read_seat_count")
    text = "referee: 1\ntally: perite\nseats: A B\noption: method=2\n\n"
    assert unreadable(text) == (4, "read_option")


def test_corrections_made_together_and_reasons_are_written_as_they_are_read() -> None:
    head = 'referee: 1\ngame: perite\nseats: A ";" "C D"\n\n'
    lines = [
        "table deal leader=A",
        'table together amend 1 table deal leader="C D" ; strike 2 ; insert 3 ";" lay 4',
        '"C D" contest 1 as table deal leader=";"',
        '";" vote 3 no',
        'table decide 3 no because "it was # 7; we saw it"',
        "table void 1",
    ]
    found = record(head + "\n".join(lines))
    grammar = Grammar(GAMES["perite"], found.header.seats)
    assert [grammar.print(written.entry) for written in found.entries] == lines
