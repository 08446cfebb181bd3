"""What a refused entry of a game file says: what is due instead, and what is known of a hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit_deals import game_of
from table_talk import recorded

from referee.rulings.report import report

BIDS = ("B bid 0", "C bid 1", "A bid 1")


def said(game: str, *lines: str) -> tuple[str, str]:
    """The sentences about the last of ``lines``, in Japanese and in English."""
    seats = "A B C D" if game == "hearts" else "A B C"
    text = "\n".join(
        ("referee: 1", f"game: {game}", f"seats: {seats}", f"kit: {game_of(game).hash}", "", *lines)
    )
    ja, en = (report(recorded(text + "\n"), lang)["entries"][-1] for lang in ("ja", "en"))
    assert ja["verdict"] == en["verdict"] == "illegal"
    return ja["says"], en["says"]


@pytest.mark.parametrize(
    ("game", "lines", "ja", "en"),
    [
        (
            "hearts",
            ("table deal", "A lay C2"),
            "先にカードを渡します。",
            "First the cards have to be passed.",
        ),
        (
            "oh_hell",
            ("table deal leader=B turn=SQ", "B bid 0", "B lay H2"),
            "先にCがビッドします。",
            "First C must bid.",
        ),
        (
            "zimbabwe",
            ("table deal leader=B", "B bid 0", "B lay 2"),
            "先にC・Aがビッドします。",
            "First C and A must bid.",
        ),
        (
            "magi",
            ("table deal leader=B turn=W", "B lay H2"),
            "先にAが切り札を決めます。",
            "First A must name the trump suit.",
        ),
        (
            "magi",
            ("table deal leader=B turn=W", "B bid 0"),
            "いまは、ビッドするときではありません。",
            "No bids are made now.",
        ),
        (
            "hearts",
            ("table deal", "table passed", "table passed"),
            "いまは、カードを渡すときではありません。",
            "No cards are passed now.",
        ),
        (
            "magi",
            ("table deal leader=B turn=SQ", "A trump S"),
            "いまは、切り札を決めるときではありません。",
            "The trump suit is not named now.",
        ),
        (
            "oh_hell",
            ("table deal leader=B turn=SQ", *BIDS, "A show H2", "A show H3"),
            "Aは手札を公開済み。残りは♥2で、♥3ではありません。",
            "A has already shown this hand; what is left of it is ♥2, not ♥3.",
        ),
    ],
)
def test_a_refusal_says_what_is_due(game: str, lines: tuple[str, ...], ja: str, en: str) -> None:
    assert said(game, *lines) == (ja, en)


def test_an_empty_hand_is_called_empty() -> None:
    lines = ("table deal leader=B turn=SQ", *BIDS, "B lay S2", "B show S2")
    ja, en = said("oh_hell", *lines)
    assert (ja, en) == (
        "Bの手札は0枚のはずですが、公開したのは1枚。",
        "B should hold 0 cards but showed 1.",
    )
    ja, en = said("oh_hell", *lines[:-2], "B show S2", "B lay S2", "B show S2")
    assert (ja, en) == ("Bの手札はもうありません。", "B has no card left.")


@pytest.mark.parametrize(
    ("entry", "ja", "en"),
    [
        # C may not discard a heart or ♠Q in the first trick: what is left is the shorter list
        (
            5,
            "Cは「手札は♥と♠Qだけ」と申告しました。",
            "C declared holding only ♥ and ♠Q.",
        ),
        # five players have no ♣2 and no ♦2 in the deck, so nothing is missing from a suit
        (
            17,
            "Eは「手札に♣は1枚もない」と申告しました。",
            "E declared holding no ♣.",
        ),
    ],
)
def test_a_declaration_names_what_is_said_in_fewer_words(entry: int, ja: str, en: str) -> None:
    path = Path(__file__).parent / "playthroughs" / "hearts-five_players.txt"
    played = recorded(
        path.read_text("utf-8").replace("kit: shipped", f"kit: {game_of('hearts').hash}")
    )
    for lang, says in (("ja", ja), ("en", en)):
        assert says in report(played, lang)["entries"][entry - 1]["says"]
