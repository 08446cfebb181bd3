"""Figures, measured in one run so that their ratios can be compared: ``make bench``."""

import sys
from pathlib import Path

# the benchmarks use the fixtures of the tests: servers, phones, histories
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
