"""Downloads of the proof of a claim, and of the protocol of a match."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response, abort, json

from referee.core.record import Record, read
from referee.games import GAMES
from referee.history.records import export, files_beside
from referee.http.current import ledger
from referee.http.downloads import attached
from referee.kit.shipped import beside
from referee.ledger import View
from referee.protocol.document import written
from referee.web.review.entries import existing

bp = Blueprint("proofs", __name__)


@bp.get("/t/<match>/e/<number>/proof.json")
def proof(match: str, number: str) -> Response:
    """The proof, or the refutation, of the claim in an entry, as a JSON file."""
    view = ledger().view(match)
    seq = existing(view, number)
    found = proof_of(view, seq) or abort(404)
    text = json.dumps(found, ensure_ascii=False)
    return attached(text, f"proof-{match[:8]}-{seq}.json", "application/json")


@bp.get("/t/<match>/protocol.json")
def whole(match: str) -> Response:
    """The protocol of the match, which can be checked without this program, as a JSON file."""
    store = ledger().store
    files = files_beside(store, match)
    record = read(export(store, match).encode(), GAMES, files.get, beside)
    assert isinstance(record, Record)
    return attached(written(record), f"protocol-{match[:8]}.json", "application/json")


@bp.app_template_test("proven_or_refuted")
def has_proof(view: View, seq: int) -> bool:
    """Whether the verdict on entry ``seq`` is based on a proof."""
    return proof_of(view, seq) is not None


def proof_of(view: View, seq: int) -> Mapping[str, object] | None:
    """The proof or refutation of entry ``seq``, as JSON data; None where nothing is proven."""
    step = view.step(seq)
    if step is None:
        return None
    return view.game.HOOKS.proof(view.log.before(step), step.play)
