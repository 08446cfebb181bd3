"""``python -m torture.guided [--seconds N] [--seed N] [--corpus FOLDER]``: fuzzing led by coverage.

Needs atheris (``pip install atheris``, a C library for Linux and macOS). An input that reaches
something new is kept and mutated further, by whole words as well as by bytes, and so gets deeper
than chance would. Three targets share the time: lines for the parser of entries, records for their
reader, and records for the referee, as ``referee judge`` answers them.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

PLAYTHROUGHS = Path(__file__).parent.parent / "tests" / "games"
SHARES = {"lines": 0.2, "records": 0.2, "judge": 0.6}  # of the time
LONGEST = 20_000  # bytes of an input
SLOW_SECONDS, HANGS_SECONDS, MEGABYTES = 5, 60, 2048  # the instrumentation takes some of this time
SEED_LINES = 30  # lines of a seed record, at most: a whole session takes the time of many inputs
BYTEWISE = 0.4  # of all mutations; the others change words
_RUNS = re.compile(r"number_of_executed_units:\s*(\d+)")
_FEATURES = re.compile(r"\bft: (\d+)")


class Report(NamedTuple):
    """The number of inputs; how many features (branches, by how often they were taken) they
    reached; how many inputs reached new ones; the faults found.
    """

    inputs: int
    features: int
    kept: int
    faults: list[str]


class Target(NamedTuple):
    """A fuzz target: its seed inputs, its mutator, and the function under test."""

    seeds: list[bytes]
    mutated: Callable[[bytes, Random], bytes]
    attempt: Callable[[bytes], object]


def run(name: str, folder: Path, seconds: int, seed: int) -> Report:
    """Fuzz one target in a process of its own; inputs with new coverage are kept in ``folder``."""
    corpus, found = folder / name, folder / f"{name}.faults"
    corpus.mkdir(parents=True, exist_ok=True)
    found.unlink(missing_ok=True)
    before = len(list(corpus.iterdir()))
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "torture.guided", "--target", name, "--corpus", str(folder)),
            *("--", f"-max_total_time={seconds}", f"-seed={seed % 2**31 or 1}"),
            *(f"-max_len={LONGEST}", f"-timeout={HANGS_SECONDS}", f"-rss_limit_mb={MEGABYTES}"),
            *("-print_final_stats=1", f"-artifact_prefix={folder}/"),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    faults = found.read_text(encoding="utf-8").splitlines() if found.exists() else []
    if ended.returncode:  # it hung, took too much memory, or did not start
        faults.append(f"{name}: {ended.stderr[-500:]}")
    runs, features = (pattern.findall(ended.stderr) for pattern in (_RUNS, _FEATURES))
    kept = len(list(corpus.iterdir())) - before
    return Report(int(runs[-1]) if runs else 0, int(features[-1]) if features else 0, kept, faults)


def target(name: str) -> Target:
    """The target with that name. It imports the referee, so that a caller can instrument it."""
    from torture import fuzz

    texts = fuzz.seeds(PLAYTHROUGHS)
    if name == "lines":
        plays = fuzz.Lines(texts)

        def line(source: bytes) -> str:
            return source[1:].decode("utf-8", "replace")

        return Target(
            [
                bytes([which]) + text.encode()
                for which, entries in enumerate(plays.texts)
                for text in entries[:20]
            ],
            lambda source, rng: (
                source[:1] + plays.mutated(line(source), rng).encode("utf-8", "replace")
            ),
            lambda source: plays.survives(source[0] % len(plays.grammars), line(source)),
        )
    tokens = fuzz.tokens_of(texts)
    return Target(
        ["\n".join(text.splitlines()[:SEED_LINES]).encode() for text in texts],
        lambda source, rng: fuzz.mutated(source.decode("utf-8", "replace"), tokens, rng),
        fuzz.judged if name == "judge" else fuzz.can_be_read,
    )


def fuzz_here(name: str, folder: Path, options: list[str]) -> None:
    """Fuzz in this process and end it afterwards; ``options`` are those of libFuzzer."""
    import atheris  # type: ignore[import-not-found,unused-ignore]

    with atheris.instrument_imports(include=["referee"]):
        seeds, mutated, attempt = target(name)
    corpus = folder / name
    for number, seed in enumerate(seeds):
        (corpus / f"seed{number:04}").write_bytes(seed)
    known: set[str] = set()

    def report(where: str, what: str, source: bytes) -> None:
        if where not in known:  # each place is reported once, and the search continues
            known.add(where)
            with (folder / f"{name}.faults").open("a", encoding="utf-8") as file:
                file.write(f"{name}: {what} at {where} for {source!r}\n")

    def once(source: bytes) -> None:
        began = time.process_time()
        try:
            if source:
                attempt(source)
        except Exception as fault:
            at = traceback.extract_tb(fault.__traceback__)[-1]
            report(f"{Path(at.filename).name}:{at.lineno}", repr(fault), source)
        if time.process_time() - began > SLOW_SECONDS:
            report("the clock", "slow", source)

    def other(source: bytes, most: int, seed: int) -> bytes:
        rng = Random(seed)
        if rng.random() < BYTEWISE:
            return bytes(atheris.Mutate(source, most))
        return mutated(source, rng)[:most]

    atheris.Setup(["guided", *options, str(corpus)], once, custom_mutator=other)
    atheris.Fuzz()


def main() -> int:
    """Print what was tried and found; 1 if anything was wrong, 2 without atheris."""
    parser = argparse.ArgumentParser(prog="torture.guided", description=__doc__)
    parser.add_argument("--seconds", type=int, default=600, help="for all targets together")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--corpus", type=Path, help="where inputs are kept for the next run")
    parser.add_argument("--target", choices=SHARES, help=argparse.SUPPRESS)
    parser.add_argument("options", nargs="*", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if importlib.util.find_spec("atheris") is None:
        print("this needs atheris: pip install atheris", file=sys.stderr)
        return 2
    if args.target:
        fuzz_here(args.target, args.corpus, args.options)
    print(f"seed {args.seed}", flush=True)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        for each, part in SHARES.items():
            share = round(args.seconds * part)
            report = run(each, args.corpus or Path(name), share, args.seed)
            print(
                f"{each}: {report.inputs:,} inputs in {share} s; features reached:"
                f" {report.features:,}; inputs kept: {report.kept:,}; faults: {len(report.faults)}",
                flush=True,
            )
            wrong += report.faults
    for text in wrong:
        print(f"  !! {text[:2000]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
