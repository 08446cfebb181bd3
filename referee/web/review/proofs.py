"""The proof of a claim as a file that anybody can check."""

from __future__ import annotations

from flask import Blueprint, Response, abort, json

from referee.desk import View
from referee.games import jukugo_line as game
from referee.web.http.current import desk
from referee.web.review.entries import existing

bp = Blueprint("proofs", __name__)


@bp.get("/t/<match>/e/<number>/proof.json")
def proof(match: str, number: str) -> Response:
    """The proof, or the refutation, of the claim that an entry told."""
    view = desk().view(match)
    step = view.step(existing(view, number))
    if step is None or not has_proof(view, step.seq):
        abort(404)
    told = game.proof(step.before.state if step.before else view.log.start, step.play)
    answer = Response(json.dumps(told, ensure_ascii=False), content_type="application/json")
    name = f"proof-{match[:8]}-{step.seq}.json"
    answer.headers.set("Content-Disposition", "attachment", filename=name)
    return answer


@bp.app_template_test("proven_or_refuted")
def has_proof(view: View, seq: int) -> bool:
    """Whether entry ``seq`` is a claim against an open column, which cards decide."""
    step = view.step(seq)
    if view.game.NAME != game.NAME or step is None or step.before is None:
        return False
    return game.proof(step.before.state, step.play) is not None
