"""The packed app (`referee pack`) beside this one, which phones can use without a server."""

from __future__ import annotations

from flask import current_app, request

from referee.http import access


def packed_app() -> str:
    """The address of the packed app for this phone, or "".

    ``PACKED`` is its address, or the port of this machine that serves it; in the latter case
    browsers run it only over a secure connection, or on the server's own computer.
    """
    packed: str | int = current_app.config["PACKED"]
    if isinstance(packed, str):
        return packed
    host = access.host()
    if not request.is_secure and host not in access.HERE:
        return ""
    return f"{request.scheme}://{f'[{host}]' if ':' in host else host}:{packed}"
