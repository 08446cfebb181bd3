"""Helpers of the games' tests lie in this folder; their assertions say what they compare."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("counted_again", "dealt_again", "dealt_how", "impossible")
