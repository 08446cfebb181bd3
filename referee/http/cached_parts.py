"""Parts of pages that occur again and again: each is rendered once for each set of values."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from flask import current_app
from markupsafe import Markup

from referee.http import language

KEPT = 8192  # parts, some hundred bytes each


@lru_cache(maxsize=KEPT)
def piece(tongue: str, template: str, *of: Hashable) -> Markup:
    """``template`` rendered in the language ``tongue``.

    ``of``: all other values that it depends on; the template unpacks them as ``of``. They must be
    hashable, since the result is cached.
    """
    found = current_app.jinja_env.get_template(template)
    return Markup(found.render(lang=tongue, _=language.gettext_in(tongue), of=of).strip())
