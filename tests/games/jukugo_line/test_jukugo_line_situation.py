"""``situation`` of 熟語ライン: what is described is judged card by card, and a fault is named."""

from __future__ import annotations

from collections.abc import Callable

from impossible import refused

from referee.games import jukugo_line
from referee.games.simulation import table
from referee.jukugo.decks import JOKER

Describe = Callable[[], object]

AB = table(jukugo_line, ("A", "B"))
KANJI = [card.kanji for card in AB.kit.deck.cards]  # type: ignore[attr-defined]


def test_what_each_player_can_not_see() -> None:
    columns = {"B": KANJI[:3], "A": KANJI[3:5]}
    flags = jukugo_line.situation(AB, columns, KANJI[5:], ("B",))
    assert jukugo_line.column(flags, "B", 1) == tuple(KANJI[:3])
    assert jukugo_line.unseen(flags, "A") == [JOKER]
    assert jukugo_line.unseen(flags, "B") == []


def test_what_can_not_be_names_its_field_and_its_clause() -> None:
    def described(columns: dict[str, str | list[str]], gone: list[str] | None = None) -> Describe:
        return lambda: jukugo_line.situation(AB, columns, gone or [])

    refused("A", "setup.1", described({"A": "zzz"}))
    refused("B", "setup.1", described({"A": KANJI[:1], "B": KANJI[:1]}))
    refused("A", "joker.2", described({"A": JOKER * 2}))
    refused("A", "place.2", described({"A": KANJI[:4]}))
    refused("gone", "setup.1", described({"A": KANJI[:3]}, KANJI[2:]))
