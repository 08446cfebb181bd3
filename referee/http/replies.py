"""What became of an entry, in a header of the answer, by which static/js/taps goes on."""

from __future__ import annotations

from enum import StrEnum

from flask import Response

HEADER = "X-Reply"


class Reply(StrEnum):
    """``REFUSED``: with the reason; ``ASKS``: with a question; ``STALE``: another phone was faster.

    ``NEVER``: this server's refusal for good, which is not sent again. A login page of a network,
    or a proxy without its server, uses the same statuses.
    """

    RECORDED = "recorded"
    REFUSED = "refused"
    ASKS = "asks"
    STALE = "stale"
    NEVER = "never"


def replying(response: Response, reply: Reply) -> Response:
    """``response``, marked with ``reply``."""
    response.headers[HEADER] = reply
    return response
