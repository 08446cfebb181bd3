"""The totals of the match on the table of ペリテ, whose plates show the wins of the round."""

from __future__ import annotations

from phones import Phone

from referee.games import GAMES
from referee.games.simulation import played

SEATS = ("A", "B", "C")


def plates(phone: Phone) -> list[str]:
    return [plate.get_text(" ", strip=True) for plate in phone.page().select(".tag .wins")]


def test_from_the_second_round_on_the_plates_show_the_totals(phone: Phone) -> None:
    """They showed the wins of the round alone; the score was a page away."""
    match = played(GAMES["perite"], SEATS, 1).entries
    phone.opens("perite", SEATS, match[0].leader)  # type: ignore[attr-defined]
    ledger = phone.client.application.extensions["ledger"]
    grammar = ledger.view(phone.match).grammar
    lines = [grammar.print(entry) for entry in match]
    second = next(n for n, line in enumerate(lines) if n and line.startswith("table deal"))
    for seq, line in enumerate(lines[: second + 1]):
        if not seq:
            continue  # the deal with which the table opened
        assert not any("計" in plate for plate in plates(phone)), seq
        assert ledger.declare(phone.match, line, seq, f"key-{seq:06}").seq
    totals = ledger.view(phone.match).state.totals
    assert any(totals.values())
    assert plates(phone) == [f"計 {totals[seat]}" for seat in SEATS]
