"""Byte code is kept beside the code, even where the shell wants none.

Without it every process that a test starts compiles the program, which is half of its start, and
every worker compiles all tests. To be imported before anything of the program.
"""

from __future__ import annotations

import os
import sys

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
