"""The page that asks for confirmation of an action that can't be undone."""

from __future__ import annotations

from flask import Response

from referee.http import htmx


def ask(question: str, effect: str, button: str, action: str, back: str, **fields: str) -> Response:
    """The page with ``question`` and its ``effect``; ``button`` posts ``fields`` to ``action``.

    ``back``: the address of the link that does nothing.
    """
    return htmx.fragment(
        "sure.html",
        question=question,
        effect=effect,
        button=button,
        action=action,
        back=back,
        fields=fields,
    )
