"""A proven foul in one sentence, for every game: who, what, and that it is proven."""

from __future__ import annotations

from referee.core.infractions import just_proven, undecided
from referee.games import GAMES
from referee.games.simulation import played
from referee.rulings import book
from referee.rulings.sentences import accusation

SEATS = "ABCDE"


def test_every_proof_is_said_once_in_both_languages() -> None:
    said = set()
    for name, game in GAMES.items():
        seats = SEATS[: min(5, game.SEATS[-1])]
        for seed in range(3):
            log = played(game, seats, seed, 0.5, 0.05, most=200)
            proofs = [found for seq in range(1, len(log) + 1) for found in just_proven(log, seq)]
            now = {(one.seat, one.at) for one in undecided(log, log.now)}
            assert now <= {(one.seat, one.at) for one in proofs}
            for found in proofs:
                # later cards can show which of two declarations was false; no other proof goes
                either = any(fact.fact == "not_both" for fact in found.evidence)
                assert either or (found.seat, found.at) in now
                ja, en = (accusation(found, None, book(name), lang) for lang in ("ja", "en"))
                assert found.seat in ja
                assert "リボークが確定" in ja
                assert found.seat in en
                assert en.endswith("revoke, proven.")
                said.add(name)
    assert len(said) >= 3
