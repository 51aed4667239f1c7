"""Run the fuzzer: ``python -m tests.fuzz --minutes 60``. Every case that fails is saved.

The exit status is 1 if a case failed.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count, islice
from pathlib import Path

from .kinds import KINDS, drawn
from .service import ServiceTrials
from .tally import Tally
from .trials import Trial, Trials, keep, kept_case

REQUESTS = "request"
REQUEST_SHARE = 0.01
"""The share of the cases that are requests to the service."""
REPORT_SECONDS = 10.0
"""Seconds between two lines of progress."""


def main() -> int:
    """Read the arguments and run the fuzzer."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, help="how long it runs (default: 1)")
    length.add_argument("--seconds", type=float, help="the same in seconds")
    length.add_argument("--cases", type=int, help="run so many cases, however long it takes")
    length.add_argument("--case", type=Path, help="try a case that was kept, once more")
    parser.add_argument("--seed", type=int, default=1, help="the first case's number (default: 1)")
    parser.add_argument("--kinds", nargs="+", choices=[*KINDS, REQUESTS], help="cases of these alone")
    parser.add_argument("--failures", type=Path, default=Path("fuzz-failures"), help="folder of what failed")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        if asked.case is not None:
            return _again(asked.case, Path(folder))
        return _run(asked, Path(folder))


def _again(path: Path, folder: Path) -> int:
    """Repeat one saved case and print its outcome."""
    case = kept_case(path)
    with ServiceTrials(folder) if case.kind == REQUESTS else Trials(folder) as trials:
        trial = trials.send(case) if isinstance(trials, ServiceTrials) else trials.attempt(case)
    problem = trial.failure or trial.error
    sys.stdout.write(f"{trial.outcome}, {trial.seconds:.2f} s, {trial.memory / 1e6:.0f} MB\n{problem}\n")
    return int(bool(trial.failure))


def _run(asked: argparse.Namespace, folder: Path) -> int:
    """Draw and try cases until the time is over, and print a table of the outcomes."""
    tally, reported = Tally(), 0.0
    begun = time.monotonic()
    end = begun + (asked.seconds or 60 * (asked.minutes or 1.0)) if asked.cases is None else float("inf")
    try:
        for trial in _trials(asked, folder):
            tally.add(trial)
            if trial.failure and tally.is_news(trial):
                sys.stderr.write(f"\r{keep(trial, asked.failures)}: {trial.brief}\n")
            now = time.monotonic()
            if now > reported + REPORT_SECONDS:
                reported = now
                sys.stderr.write(f"\r{tally.count:,} cases, {tally.count / (now - begun):.0f} a second ")
                sys.stderr.flush()
            if now > end:
                break
    except KeyboardInterrupt:
        sys.stderr.write("\n")
    finally:
        sys.stdout.write(tally.table())
    return int(bool(tally.failures))


def _trials(asked: argparse.Namespace, folder: Path) -> Iterator[Trial]:
    """Yield the trials of cases, from the first seed on."""
    kinds = asked.kinds or [*KINDS, REQUESTS]
    shares = [REQUEST_SHARE if kind == REQUESTS else KINDS[kind].share for kind in kinds]
    service: ServiceTrials | None = None
    with ExitStack() as opened:
        trials = opened.enter_context(Trials(folder))
        for seed in islice(count(asked.seed), asked.cases):
            kind = random.Random(seed).choices(kinds, shares)[0]
            if kind == REQUESTS:
                service = service or opened.enter_context(ServiceTrials(folder))
                yield service.attempt(seed)
            else:
                yield trials.attempt(drawn(kind, seed))
    if service is not None and service.logged_fault:
        sys.stderr.write(f"The service logged an internal error:\n{service.logged_fault[-2000:]}\n")
        raise SystemExit(1)


if __name__ == "__main__":
    sys.exit(main())
