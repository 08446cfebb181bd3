"""Checks that an impossible situation is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.core.situation import ImpossibleSituation


def refused(field: str, clause: str, describe: Callable[[], object]) -> None:
    """``describe`` names its ``field``, the ``clause`` that forbids it, and the evidence."""
    with pytest.raises(ImpossibleSituation) as fault:
        describe()
    assert (fault.value.field, fault.value.verdict.clause) == (field, clause)
    assert fault.value.verdict.evidence
