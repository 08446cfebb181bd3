"""Why a message has not arrived."""

from __future__ import annotations


class NotAccepted(Exception):
    """The message has not arrived.

    The reason is a status, or one word: "private" for an address that this server does not reach,
    "silent" without an answer in time, "certificate" for one that can't be checked.
    """
