"""Findings say all that proves them: what was declared, the cards, the sum and what follows."""

from __future__ import annotations

from referee.core.verdict import Evidence
from referee.games import GAMES
from referee.games.simulation import played
from referee.rulings import book
from referee.rulings.sentences import finding

SEATS = "ABCDE"
CONCLUSIONS = {
    "counting",
    "counting_both",
    "counting_others",
    "held_all_along",
    "more_than_drawn",
    "no_hand_fits",
    "not_both",
}


def test_a_finding_ends_with_what_follows_from_its_cards() -> None:
    convicting = set()
    for name, game in GAMES.items():
        seats = SEATS[: min(5, game.SEATS[-1])]
        for seed in range(3):
            for found in played(game, seats, seed, 0.5, 0.05, most=250).findings():
                first, *_, last = found.evidence
                assert first.fact in ("declares_only", "declares_none")
                assert last.fact in CONCLUSIONS
                adds_up(found.evidence)
                said = [sentence.text for sentence in finding(found, book(name), "ja")]
                assert 3 <= len(said) <= len(found.evidence)
                for fact in found.evidence:  # cards of one seat stand in one sentence
                    assert any(str(fact.values.get("rank", "")) in text for text in said)
                convicting.add(name)
    assert len(convicting) >= 3


def adds_up(facts: tuple[Evidence, ...]) -> None:
    """The numbers of a sum are those of the cards that were listed, and they prove something."""
    values = facts[-1].values
    match facts[-1].fact:
        case "counting" | "counting_others":
            listed = [fact for fact in facts[1:-1] if fact.at is not None]
            assert values["seen"] == len(listed)
            assert values["sum"] == int(str(values["held"])) + len(listed)
            assert int(str(values["sum"])) > int(str(values["copies"]))
        case "more_than_drawn":
            assert values["later"] == sum(
                fact.fact in ("laid_after", "held_then") for fact in facts
            )
            assert int(str(values["rest"])) > 0
    for fact in facts:
        values = fact.values
        match fact.fact:
            case "came_too_late":
                assert values["later"] > values["drawn"]
                assert values["since"] < values["until"]
            case "too_few_exist":
                assert values["sum"] == values["rest"] + values["seen"] > values["copies"]
