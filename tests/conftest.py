"""Hypothesis draws the same examples every time; the profile ``explore`` draws new ones."""

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("honest", "table_talk", "years")

settings.register_profile("table", deadline=None, derandomize=True, database=None)
settings.register_profile("explore", deadline=None, max_examples=500, print_blob=True)
settings.load_profile("table")
