"""How the tests import the program; must be imported before any part of it.

With ``REFEREE_TEST_BASE`` set, packages that have no wheels for some machines cannot be imported.

Byte code is kept, even if the shell disables it. Without it every process that a test starts
compiles the program, which is half of its start, and every worker compiles all tests.
"""

from __future__ import annotations

import os
import sys

BASE = bool(os.environ.get("REFEREE_TEST_BASE"))
WITHOUT_WHEELS = ("cryptography", "httptools", "msgspec", "pysqlite3", "rcssmin", "rjsmin")

if BASE:
    sys.modules.update(dict.fromkeys(WITHOUT_WHEELS))  # type: ignore[arg-type]

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
