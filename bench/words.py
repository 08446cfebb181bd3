"""Costs of the word list: time and memory to load it, time of a query, in a process of its own."""

from __future__ import annotations

import subprocess
import sys

CHILD = """
import time, tracemalloc
from referee.jukugo import library
from referee.jukugo.decks import JOKER

began = time.perf_counter()
listed = library.word_list()
load = time.perf_counter() - began
words, deck = library.words(), library.open_deck()
began = time.perf_counter()
for _ in range(10_000):
    "日本" in words
ask = (time.perf_counter() - began) / 10_000
began = time.perf_counter()
spelt = words.made_of([*deck.by_kanji, JOKER])
made = time.perf_counter() - began
library.word_list.cache_clear()
tracemalloc.start()
again = library.word_list()
held, peak = tracemalloc.get_traced_memory()
print(len(listed), load * 1e3, held / 1e6, peak / 1e6, ask * 1e6, len(spelt), made * 1e3)
"""


def run() -> None:
    """Print the best of three processes."""
    done = min((_measured() for _ in range(3)), key=lambda figures: figures[1])
    size, load, held, peak, ask, spelt, made = done
    print(f"\nWords: {size:,.0f} loaded in {load:.0f} ms; {held:.0f} MB, at the peak {peak:.0f}")
    print(f"  one asked about in {ask:.1f} µs; the {spelt:.0f} of the open deck in {made:.0f} ms")


def _measured() -> list[float]:
    command = [sys.executable, "-c", CHILD]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return [float(figure) for figure in done.stdout.split()]
