"""``situation`` of each game: what is described is judged card by card, and a fault is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.core.situation import ImpossibleSituation
from referee.games import fancy, jukugo_line, pairs_daifugo, perite, three_kings, trumps
from referee.games.simulation import table

AB, ABC = ("A", "B"), ("A", "B", "C")
KANJI = [card.kanji for card in table(jukugo_line, AB).kit.deck.cards]
JOKER = "々"


def test_a_state_like_that_of_a_match() -> None:
    trick = perite.situation(table(perite, ABC), [4, 4])
    assert [(card.rank, card.out) for card in trick.trick] == [(4, True), (4, True)]
    assert perite.to_act(trick) == ("C",)
    over = fancy.situation(table(fancy, ABC), [5, 2, 4])
    assert over.last is not None
    assert over.last.winner == "B"
    plays = [trumps.Lay("A", (6,)), trumps.Lay("C", (2, 2))]  # B is skipped
    assert trumps.situation(table(trumps, ABC), plays).ranking == ("C", "A", "B")
    lies = pairs_daifugo.situation(table(pairs_daifugo, ABC), [6] * 4, revolution=True, passed=True)
    assert (lies.due, lies.reversed) == ("C", False)
    seven = three_kings.situation(table(three_kings, AB), ["5", "J"], ["6"], 1)
    assert three_kings.to_act(seven) == ("A",)
    columns = {"B": KANJI[:3], "A": KANJI[3:5]}
    flags = jukugo_line.situation(table(jukugo_line, AB), columns, KANJI[5:], ("B",))
    assert jukugo_line.column(flags, "B", 1) == tuple(KANJI[:3])
    assert jukugo_line.unseen(flags, "A") == [JOKER]
    assert jukugo_line.unseen(flags, "B") == []


Describe = Callable[[], Any]

IMPOSSIBLE: list[tuple[str, str, Describe]] = [
    ("cards", "deck.2", lambda: perite.situation(table(perite, ABC), [2, 2, 2])),
    ("cards", "deck.1", lambda: perite.situation(table(perite, ABC), [7])),
    ("cards", "turn.1", lambda: fancy.situation(table(fancy, ABC), [1, 2, 3, 4])),
    (
        "B",
        "play.2",
        lambda: trumps.situation(
            table(trumps, AB), [trumps.Lay("A", (6,)), trumps.Lay("B", (6, 6))]
        ),
    ),
    ("A", "cover.3", lambda: trumps.situation(table(trumps, AB), [trumps.Cover("A", 3)])),
    ("lies", "cards.1", lambda: pairs_daifugo.situation(table(pairs_daifugo, ABC), [7, 8])),
    (
        "passed",
        "lead.1",
        lambda: pairs_daifugo.situation(table(pairs_daifugo, ABC), [], passed=True),
    ),
    (
        "tableau",
        "deck.2",
        lambda: three_kings.situation(table(three_kings, AB), ["5"] * 4, ["5"], 1),
    ),
    ("A", "setup.1", lambda: jukugo_line.situation(table(jukugo_line, AB), {"A": "zzz"})),
    (
        "B",
        "setup.1",
        lambda: jukugo_line.situation(table(jukugo_line, AB), {"A": KANJI[:1], "B": KANJI[:1]}),
    ),
    ("A", "joker.2", lambda: jukugo_line.situation(table(jukugo_line, AB), {"A": JOKER * 2})),
    ("A", "place.2", lambda: jukugo_line.situation(table(jukugo_line, AB), {"A": KANJI[:4]})),
    (
        "gone",
        "setup.1",
        lambda: jukugo_line.situation(table(jukugo_line, AB), {"A": KANJI[:3]}, KANJI[2:]),
    ),
]


@pytest.mark.parametrize(("field", "clause", "describe"), IMPOSSIBLE)
def test_what_can_not_be_names_its_field_and_its_clause(
    field: str, clause: str, describe: Describe
) -> None:
    with pytest.raises(ImpossibleSituation) as fault:
        describe()
    assert (fault.value.field, fault.value.verdict.clause) == (field, clause)
    assert fault.value.verdict.evidence
