"""The packed app (`referee pack`) beside this one: phones take it along and need no server then."""

from __future__ import annotations

from flask import current_app, request

from referee.web.http import access


def packed_app() -> str:
    """The address at which this phone can use the packed app, or "".

    ``PACKED`` is its address, or the port of this machine that serves it: there browsers run it
    only if the connection is secure, or their own computer's.
    """
    packed: str | int = current_app.config["PACKED"]
    if isinstance(packed, str):
        return packed
    host = access.host()
    if not request.is_secure and host not in access.HERE:
        return ""
    return f"{request.scheme}://{f'[{host}]' if ':' in host else host}:{packed}"
