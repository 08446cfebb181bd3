"""With ``REFEREE_TEST_BASE`` set, packages that have no wheels for some machine cannot be imported.

To be imported before anything of the program.
"""

from __future__ import annotations

import os
import sys

BASE = bool(os.environ.get("REFEREE_TEST_BASE"))
WITHOUT_WHEELS = ("cryptography", "httptools", "msgspec", "pysqlite3", "rcssmin", "rjsmin")

if BASE:
    sys.modules.update(dict.fromkeys(WITHOUT_WHEELS))  # type: ignore[arg-type]
