"""What the guide to game files says of open cards works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.kit.check import check

DOCS = Path(__file__).parents[4] / "docs"
PAGES = ["own-game.md", "own-game.ja.md"]
# What a row of the table needs besides the first game.
SPECIAL = 'deck.special.{0} = {{ copies = 2, ja = "札", en = "card" }}'


def part(page: str) -> str:
    text = (DOCS / page).read_text(encoding="utf-8")
    return text[text.index('`family = "draw_or_stop"`') :].partition("\n## ")[0]


def first_game(page: str) -> list[str]:
    lines = re.findall(r"^    (.*)$", part(page), re.M)
    assert lines[0] == "kit = 1"
    return lines


def faults(lines: list[str]) -> list[str]:
    notes = check("\n".join(lines).encode(), quick=True)[1]
    return [note.wrong.fact for note in notes if not note.only_note]


@pytest.mark.parametrize("page", PAGES)
def test_the_first_game_has_no_faults(page: str) -> None:
    game, notes = check("\n".join(first_game(page)).encode())
    assert game is not None
    assert [note.wrong for note in notes if not note.only_note] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_line_of_the_guide_works_in_the_first_game(page: str) -> None:
    found = re.findall(r"`([a-z]+(?:\.[a-z_]+)+ = [^`]+)`", part(page))
    assert len(found) >= 17
    for line in found:
        key = line.partition(" = ")[0]
        lines = [each for each in first_game(page) if not each.startswith(f"{key} = ")]
        lines = [each.replace("deck = {", "deck = { ") for each in lines]
        cards = {card: SPECIAL.format(card) for card in re.findall(r"\bcard ([A-Z])\b", line)}
        if cards:
            lines = [each for each in lines if not each.startswith("deck = ")]
            lines += ['deck.pack = "french"', *cards.values()]
        if key == "stay.when":
            lines.remove("stay = {}")
        if key == "deal.leader":
            lines = [each.replace("cards = 2", "cards = 1") for each in lines]
        if key == "match.loser":
            lines = [each for each in lines if not each.startswith("match = ")]
            lines.append("match.deals = 4")
        if key == "score.fold" or line.startswith("effect.fold"):
            lines.append('fold.takes = "lowest"')
        assert faults([*lines, line]) == [], line
