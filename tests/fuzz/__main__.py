"""Run the fuzzer: ``python -m tests.fuzz --minutes 60``. Every case that fails is saved.

The exit status is 1 if a case failed.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

from .kinds import KINDS, drawn
from .trials import ServiceTrials, Trial, Trials, keep, kept_case

REQUESTS = "request"
REQUEST_SHARE = 0.01
"""The share of the cases that are requests to the service."""
REPORT_SECONDS = 10.0
"""Seconds between two lines of progress."""
MAX_ALIKE = 3
"""The number of failures at one place that are saved."""


@dataclass
class Tally:
    """Counts the outcomes of each kind of case, and the failures at each place; keeps the costliest cases."""

    outcomes: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    slowest: dict[str, Trial] = field(default_factory=dict)
    largest: dict[str, Trial] = field(default_factory=dict)
    places: Counter[str] = field(default_factory=Counter)
    count = 0

    def add(self, trial: Trial) -> bool:
        """Count one trial; return whether it is one of the first :data:`MAX_ALIKE` failures at its place."""
        kind = trial.case.kind
        self.count += 1
        self.outcomes[kind]["failed" if trial.failure else trial.outcome] += 1
        self.slowest[kind] = max(self.slowest.get(kind, trial), trial, key=lambda one: one.seconds)
        self.largest[kind] = max(self.largest.get(kind, trial), trial, key=lambda one: one.memory)
        self.places.update([trial.brief] if trial.failure else [])
        return bool(trial.failure) and self.places[trial.brief] <= MAX_ALIKE

    def table(self) -> str:
        """Return a table with one line a kind, with the seeds of its slowest and its largest case."""
        rows = ["kind         cases     done  refused   failed   slowest (seed)      largest (seed)"]
        for kind, counter in sorted(self.outcomes.items()):
            slowest, largest = self.slowest[kind], self.largest[kind]
            counts = "".join(f"{counter[name]:9,}" for name in ("done", "refused", "failed"))
            rows.append(
                f"{kind:9}{counter.total():9,}{counts}{slowest.seconds:8.2f} s ({slowest.case.seed})"
                f"{largest.memory / 1e6:10,.0f} MB ({largest.case.seed})"
            )
        rows += [f"{times:5} x {brief}" for brief, times in self.places.most_common()]
        rows.append(f"{self.count:,} cases, {self.places.total()} failed")
        return "".join(f"{row}\n" for row in rows)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, default=1.0, help="how long it runs (default: 1)")
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
    end = begun + 60 * asked.minutes if asked.cases is None else float("inf")
    try:
        for trial in _trials(asked, folder):
            if tally.add(trial):
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
    return int(bool(tally.places))


def _trials(asked: argparse.Namespace, folder: Path) -> Iterator[Trial]:
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
