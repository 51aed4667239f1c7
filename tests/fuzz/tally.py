"""Tally: the outcomes of each kind of case, and its slowest and largest cases."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from .trials import Trial

MAX_ALIKE = 3
"""The number of failures at one place that are saved."""


@dataclass
class Tally:
    """Counts trials; ``failures`` are those that failed, in order."""

    outcomes: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    slowest: dict[str, Trial] = field(default_factory=dict)
    largest: dict[str, Trial] = field(default_factory=dict)
    failures: list[Trial] = field(default_factory=list)
    places: Counter[str] = field(default_factory=Counter)

    @property
    def count(self) -> int:
        """The number of cases."""
        return sum(counter.total() for counter in self.outcomes.values())

    def add(self, trial: Trial) -> None:
        """Count one trial."""
        kind = trial.case.kind
        self.outcomes[kind]["failed" if trial.failure else trial.outcome] += 1
        if kind not in self.slowest or trial.seconds > self.slowest[kind].seconds:
            self.slowest[kind] = trial
        if kind not in self.largest or trial.memory > self.largest[kind].memory:
            self.largest[kind] = trial
        if trial.failure:
            self.failures.append(trial)

    def is_news(self, trial: Trial) -> bool:
        """Return whether a failure is one of the first :data:`MAX_ALIKE` at its place."""
        self.places[trial.brief] += 1
        return self.places[trial.brief] <= MAX_ALIKE

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
        rows.append(f"{self.count:,} cases, {len(self.failures)} failed")
        return "".join(f"{row}\n" for row in rows)
