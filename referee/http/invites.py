"""Invitations: links with 128 random bits, and codes that are read out.

Only their SHA-256 is stored. Their text is computed with a key that is stored beside the database,
so that a page can show the same link again, and a copy of the database alone lets nobody in.
"""

from __future__ import annotations

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from ipaddress import IPv6Address, IPv6Network, ip_address
from pathlib import Path
from typing import NamedTuple

from referee.core.normalised import normalised
from referee.paths import KEY
from referee.store import Doors, Invite

KEY_BYTES = 32
LEAST_KEY = 32
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Characters of codes, without those that are easily confused (0 O, 1 I L)."""
CODE_LENGTH = 6
LIVES = {
    "table": timedelta(hours=24),
    "circle": timedelta(days=7),
    "claim": timedelta(days=1),
    "code": timedelta(minutes=10),
}
FRESH = timedelta(minutes=3)  # an invitation that is shown is valid for at least this long
WINDOW_SECONDS = 600.0
WRONG_HERE, WRONG_IN_ALL = 5, 15
"""Wrong codes in ten minutes, from one address and in all. In an evening of eight hours that makes
720 guesses among 31 ** 6 codes: a table is found with a probability of 8.1e-7.
"""


def _utc() -> datetime:
    return datetime.now(UTC)


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")


class WeakKey(ValueError):
    """A key that could be guessed."""


class Invitation(NamedTuple):
    """The text of an invitation, and until when it is valid."""

    text: str
    until: datetime

    def minutes(self) -> int:
        """For how many more minutes it is valid, at least 1."""
        return max(1, round((self.until - datetime.now(UTC)).total_seconds() / 60))


class Keeper:
    """Creates and verifies invitations."""

    def __init__(self, doors: Doors, key: bytes) -> None:
        self._doors, self._key = doors, key

    def invitation(self, kind: str, circle: str, match: str = "") -> Invitation:
        """The invitation to show: the present one, or a new one if it expires soon."""
        known = self._doors.standing_invite(kind, circle, match)
        if known:
            text, until = self._text(kind, known.nonce), datetime.fromisoformat(known.until)
            fresh = until - datetime.now(UTC) > FRESH
            # otherwise it was made with another key
            if fresh and self._doors.invitation(digest(text)):
                return Invitation(text, until)
        return self._new(kind, circle, match)

    def renew(self, circle: str, match: str = "") -> None:
        """Invalidate every link and code of this table, or this circle."""
        self._doors.withdraw(circle, match, *(("table", "code") if match else ("circle",)))

    def opens(self, text: str) -> Invite | None:
        """The invitation with this secret of a link; None if invalid.

        A "claim" must be used once only: call ``used``.
        """
        found = self._doors.invitation(digest(text))
        return found if found and found.kind != "code" else None

    def used(self, claim: Invite) -> None:
        """Invalidate a claim after its use."""
        self._doors.withdraw(claim.circle, claim.match, claim.kind)

    def answers(self, code: str) -> Invite | None:
        """The invitation with this typed code, in any spelling; None if invalid."""
        found = self._doors.invitation(digest(plain(code)))
        return found if found and found.kind == "code" else None

    def sealed(self, match: str) -> str:
        """The secret with which anybody can see the result of ``match``."""
        mac = hmac.digest(self._key, f"result:{match}".encode(), "sha256")
        return f"{match}.{urlsafe_b64encode(mac[:16]).rstrip(b'=').decode()}"

    def unsealed(self, text: str) -> str:
        """The match of a ``sealed`` secret, or "" if it was not made with this key."""
        match = text.rpartition(".")[0]
        known = hmac.compare_digest(text.encode(), self.sealed(match).encode())
        return match if known else ""

    def nonce(self) -> str:
        """A new value from which the secret of a live page is computed, see ``aired``."""
        return secrets.token_urlsafe(16)

    def aired(self, nonce: str) -> str:
        """The secret of the live page with this nonce."""
        return self._text("live", nonce)

    def _new(self, kind: str, circle: str, match: str) -> Invitation:
        nonce, until = self.nonce(), datetime.now(UTC) + LIVES[kind]
        text = self._text(kind, nonce)
        self._doors.invite(digest(text), Invite(kind, circle, match, nonce, _written(until)))
        return Invitation(text, until)

    def _text(self, kind: str, nonce: str) -> str:
        mac = hmac.digest(self._key, f"{kind}:{nonce}".encode(), "sha256")
        if kind != "code":
            return urlsafe_b64encode(mac[:16]).rstrip(b"=").decode()
        number, text = int.from_bytes(mac, "big"), ""
        for _ in range(CODE_LENGTH):
            number, letter = divmod(number, len(LETTERS))
            text += LETTERS[letter]
        return text


class Guesses:
    """Counts wrong codes, to limit guessing.

    The counts are in the database, so several server processes allow no more guesses than one.
    Addresses are stored as hashes with the key of this installation, and not for long.
    """

    def __init__(self, doors: Doors, key: bytes, clock: Callable[[], datetime] = _utc) -> None:
        self._doors, self._key, self._clock = doors, key, clock

    def begin(self, address: str) -> int | None:
        """Count a code from ``address`` before it is checked; returns the count's number.

        None: too many; the answer must not show whether the code was right. A refusal writes
        nothing, so continued guessing does not use the disk.
        """
        now, seen = self._clock(), f"guess:{network(address)}"
        guesser = hmac.digest(self._key, seen.encode(), "sha256").hex()
        window = timedelta(seconds=WINDOW_SECONDS)
        # another server's clock may be a little ahead; counts that are further ahead had a wrong
        # clock
        since, until = _written(now - window), _written(now + window)
        others = self._doors.guesses(since, until)
        if others.count(guesser) >= WRONG_HERE or len(others) >= WRONG_IN_ALL:
            return None
        return self._doors.guess(guesser, _written(now), since, until, WRONG_HERE, WRONG_IN_ALL)

    def right(self, guess: int) -> None:
        """Remove the count ``guess`` (see ``begin``), because its code was right."""
        self._doors.forget_guess(guess)


def network(address: str) -> str:
    """The key by which an address is counted: of IPv6 the /64, since one client has 2 ** 64
    addresses.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(IPv6Network((int(found), 64), strict=False))
    return address


def digest(text: str) -> str:
    """The stored form of a secret: with 128 bits, or for ten minutes, it needs no salt."""
    return sha256(text.encode()).hexdigest()


def plain(code: str) -> str:
    """A typed code as it was made: capitals and digits, without separators."""
    wide = normalised(code).upper()  # as a Japanese keyboard may enter it
    return "".join(letter for letter in wide if letter in LETTERS)


def key_in(folder: Path) -> bytes:
    """The key of this installation, created if there is none; only its owner can read it.

    Several servers on one database have it from ``REFEREE_KEY``, a random text of at least
    ``LEAST_KEY`` characters; raises ``WeakKey`` for a shorter one.
    """
    given = os.environ.get("REFEREE_KEY", "")
    if given:
        if len(given) < LEAST_KEY:
            raise WeakKey
        return sha256(given.encode()).digest()
    path = folder / KEY
    if not path.exists():
        _make_key(path)
    key = path.read_bytes()
    if len(key) == KEY_BYTES:
        return key
    path.unlink()  # truncated, as older versions could leave it; what it has signed has no value
    return key_in(folder)


def _make_key(path: Path) -> None:
    """Create a key at ``path`` atomically, unless another process is faster."""
    made = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
        try:
            os.link(made, path)
        except FileExistsError:
            pass
        except (OSError, AttributeError):  # a file system, or a platform, without hard links
            made.replace(path)
    finally:
        made.unlink(missing_ok=True)
