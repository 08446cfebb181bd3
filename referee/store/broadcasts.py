"""Live pages: matches that everybody who has a secret address may watch, and how late."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from referee.store.engine import retried
from referee.store.log import StorePart


class Broadcast(NamedTuple):
    """The live page of a match.

    ``nonce``: its secret is computed from this and the key of the installation. ``delay``: by how
    many seconds onlookers see everything later.
    """

    match: str
    nonce: str
    delay: int


class Broadcasts(StorePart):
    """The live pages in ``store``; of their secrets only the SHA-256 is stored."""

    def of(self, match: str) -> Broadcast | None:
        """The live page of a match; None while it is off."""
        return self._one("match", match)

    def with_secret(self, secret: str) -> Broadcast | None:
        """The live page with this secret; None for one that was never valid, or is no longer."""
        return self._one("hash", hashed(secret))

    @retried
    def begin(self, secret: str, broadcast: Broadcast) -> None:
        """Switch the live page of a match on; an earlier secret of it becomes invalid."""
        with self._transaction() as db:
            db.execute("DELETE FROM broadcasts WHERE match = ?", (broadcast.match,))
            db.execute(
                "INSERT INTO broadcasts (hash, match, nonce, delay) VALUES (?, ?, ?, ?)",
                (hashed(secret), *broadcast),
            )

    def delay(self, match: str, seconds: int) -> None:
        """Let onlookers see everything ``seconds`` later."""
        self._write("UPDATE broadcasts SET delay = ? WHERE match = ?", (seconds, match))

    def end(self, match: str) -> None:
        """Switch the live page of a match off; its secret becomes invalid."""
        self._write("DELETE FROM broadcasts WHERE match = ?", (match,))

    def _one(self, column: str, value: str) -> Broadcast | None:
        rows = self._rows(
            f"SELECT match, nonce, delay FROM broadcasts WHERE {column} = ?", (value,)
        )
        return Broadcast(*rows[0]) if rows else None


def hashed(secret: str) -> str:
    """The stored form of a secret, which has 128 random bits, so that no salt is needed."""
    return sha256(secret.encode()).hexdigest()
