"""Pictures of results, drawn by phones; messengers show them beside a link.

A phone has fonts that a server may lack. Only the newest picture of a match is kept, and it is
served only as long as neither the log nor a name has changed since.
"""

from __future__ import annotations

from base64 import b64decode, b64encode

from referee.store.log import Extent, StorePart


class Pictures(StorePart):
    """The pictures in ``store``."""

    def keep(self, match: str, of: Extent, jpeg: bytes) -> None:
        """Store the picture of a match as it stood at ``of``; it replaces an older one."""
        self._write(
            "INSERT INTO result_pictures VALUES (?, ?, ?, ?) ON CONFLICT (match) DO UPDATE"
            " SET tail = excluded.tail, named = excluded.named, base64 = excluded.base64",
            (match, of.tail, of.names_version, b64encode(jpeg).decode()),
        )

    def get(self, match: str) -> bytes | None:
        """The picture of a match as it stands now; None if there is none."""
        rows = self._rows(
            "SELECT tail, named, base64 FROM result_pictures WHERE match = ?", (match,)
        )
        extent = self._store.extent(match)
        if not rows or extent is None or rows[0][:2] != extent[:2]:
            return None
        return b64decode(rows[0][2])
