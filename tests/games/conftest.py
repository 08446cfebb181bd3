"""Makes pytest rewrite the assertions of the helpers in this folder, so that failures show
values.
"""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("counted_again", "dealt_again", "dealt_how", "impossible")
