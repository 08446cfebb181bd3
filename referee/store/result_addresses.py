"""Where a group has its results sent, and which results are still to be sent there."""

from __future__ import annotations

from typing import NamedTuple

from referee.store.engine import retried
from referee.store.log import StorePart


class ResultAddress(NamedTuple):
    """The address of a group.

    ``failing``: since when it has answered wrongly (UTC, ISO 8601), "" if it has not. ``off``: it
    was switched off because of that. ``last``: what became of the last message, "" without one.
    """

    circle: str
    address: str
    failing: str
    off: bool
    last: str


class UnsentResult(NamedTuple):
    """A result that is due; ``tries``: how often it was tried."""

    match: str
    tries: int


class ResultAddresses(StorePart):
    """The addresses in ``store``, and the results that wait."""

    def of(self, circle: str) -> ResultAddress | None:
        """The address of a group; None if it has none."""
        return self._one("circle = ?", circle)

    def for_match(self, match: str) -> ResultAddress | None:
        """The address to which the result of a match goes; None if nobody wants it."""
        found = self._one("circle = (SELECT circle FROM matches WHERE id = ?)", match)
        return None if found is None or found.off else found

    @retried
    def name(self, circle: str, address: str) -> None:
        """Let the results of a group be sent to ``address``, as if it never had another."""
        with self._transaction() as db:
            db.execute("DELETE FROM result_addresses WHERE circle = ?", (circle,))
            query = "INSERT INTO result_addresses (circle, address) VALUES (?, ?)"
            db.execute(query, (circle, address))

    @retried
    def drop(self, circle: str) -> None:
        """Send the results of a group nowhere."""
        with self._transaction() as db:
            db.execute("DELETE FROM result_addresses WHERE circle = ?", (circle,))
            db.execute(
                "DELETE FROM results_out WHERE match IN (SELECT id FROM matches WHERE circle = ?)",
                (circle,),
            )

    def answered(self, circle: str, last: str, failing: str = "", *, off: bool = False) -> None:
        """Store what became of a message."""
        self._write(
            "UPDATE result_addresses SET last = ?, failing = ?, off = ? WHERE circle = ?",
            (last, failing, int(off), circle),
        )

    @retried
    def queue(self, match: str, digest: str, due: str) -> bool:
        """Let a result be sent from ``due`` on; False if just this one was sent, or waits."""
        with self._transaction() as db:
            query = "SELECT digest FROM results_out WHERE match = ?"
            found = db.execute(query, (match,)).fetchone()
            if found and found[0] == digest:
                return False
            db.execute("DELETE FROM results_out WHERE match = ?", (match,))
            db.execute("INSERT INTO results_out VALUES (?, ?, 0, ?)", (match, digest, due))
            return True

    def due(self, now: str, most: int = 20) -> list[UnsentResult]:
        """The results that are due, at most ``most``."""
        query = "SELECT match, tries FROM results_out WHERE due != '' AND due <= ? ORDER BY due"
        rows = self._rows(f"{query} LIMIT ?", (now, most))
        return [UnsentResult(*row) for row in rows]

    def take(self, unsent: UnsentResult, again: str) -> bool:
        """Count a try; False if another server has been faster.

        ``again``: when it is due next, in case that this try fails; "": never.
        """
        query = (
            "UPDATE results_out SET tries = tries + 1, due = ?"
            " WHERE match = ? AND tries = ? AND due != ''"
        )
        return bool(self._write(query, (again, *unsent)))

    def sent(self, match: str) -> None:
        """The result of ``match`` has arrived, or nobody wants it any more."""
        self._write("UPDATE results_out SET due = '' WHERE match = ?", (match,))

    def _one(self, where: str, value: str) -> ResultAddress | None:
        rows = self._rows(
            f"SELECT circle, address, failing, off, last FROM result_addresses WHERE {where}",
            (value,),
        )
        if not rows:
            return None
        [(circle, address, failing, off, last)] = rows
        return ResultAddress(circle, address, failing, bool(off), last)
