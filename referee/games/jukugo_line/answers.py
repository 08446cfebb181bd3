"""What is told of a claim beside its verdict: a counter-example, or the whole proof."""

from __future__ import annotations

from typing import Any

from referee.core.verdict import Illegal
from referee.games.jukugo_line.claims import question, trusting
from referee.games.jukugo_line.evidence import as_json
from referee.games.jukugo_line.judging import judge
from referee.games.jukugo_line.plays import Claim
from referee.games.jukugo_line.state import State, other, side_of
from referee.jukugo import proofs
from referee.jukugo.formations import best
from referee.jukugo.prover import prove


def answered(state: State, play: Any) -> dict[str, Any]:
    """What a record's answer adds for a claim that the cards decide."""
    verdict = judge(state, play)
    if not isinstance(play, Claim) or verdict.clause not in ("claim.4", "claim.5", "claim.6"):
        return {}
    if not isinstance(verdict, Illegal):
        return {"claim": "proven"}
    words = trusting(state, play)
    theirs = side_of(state, other(state, play.seat), play.flag)
    stronger = (
        prove(words, question(state, play.seat, play.flag)).witness
        if theirs.full is None
        else best(words, theirs.cards)
    )
    assert stronger is not None
    told = {"refuted_by": list(stronger.order), "formation": as_json(stronger)}
    return {"claim": told}


def proof(state: State, play: Any) -> dict[str, Any] | None:
    """The proof of a claim as data that ``referee.jukugo.proofs.check`` goes through.

    None where nothing was to be proven: both columns are full, or it is no claim in its turn.
    """
    if not isinstance(play, Claim) or judge(state, play).clause not in ("claim.6", "words.2"):
        return None
    if side_of(state, other(state, play.seat), play.flag).full is not None:
        return None
    words, asked = trusting(state, play), question(state, play.seat, play.flag)
    return proofs.export(words, asked, prove(words, asked))
