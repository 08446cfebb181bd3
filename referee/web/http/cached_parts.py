"""Parts of a page that come again and again: each is drawn once for every look it can have."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import render_template
from markupsafe import Markup

KEPT = 8192  # some hundred bytes each


@lru_cache(maxsize=KEPT)
def piece(tongue: str, template: str, *of: Any) -> Markup:
    """``template`` in the language of this request, ``tongue``.

    What it depends on besides stands in ``of``, which the template takes apart; all of it hashable.
    """
    return Markup(render_template(template, of=of).strip())
