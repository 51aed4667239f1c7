"""Trials: cases are tried one by one within limits of time and memory, and what failed is kept.

A case is tried in a worker process that is killed, and replaced, when it takes too long or dies. Documents
are the exception: the package itself renders them in a process that it kills, and that is what is tried.
"""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from operator import methodcaller
from pathlib import Path
from types import TracebackType
from typing import Any

from sudoku_vision.errors import OutOfMemoryError, SudokuVisionError, TaskLostError, TaskTimeoutError
from sudoku_vision.output.save import write_atomically
from sudoku_vision.parallel.worker_process import WorkerProcess
from sudoku_vision.vision.load import iter_pages

from .desk import Desk
from .kinds import Case

MOST_SECONDS = 10.0
"""Seconds of the processor that a case may take; of a document, seconds until a page or its refusal."""
MOST_MEMORY = 1_500_000_000
"""Bytes that a process may have at most in a case."""
HANG_SECONDS = 40.0
"""Seconds after which a case is given up: four times its limit, for the machine may have more to do."""
WORKER_MEMORY = 3 << 30
"""Bytes at which the system refuses the worker more: twice the limit, so that no case takes all there are."""


@dataclass(frozen=True)
class Trial:
    """How a case went: ``outcome`` is done, refused or failed, ``error`` what was said; seconds and bytes."""

    case: Case
    outcome: str
    error: str = ""
    seconds: float = 0.0
    memory: int = 0

    @property
    def failure(self) -> str:
        """What is wrong, or nothing."""
        if self.outcome == "failed":
            return self.error or "failed"
        if self.seconds > MOST_SECONDS:
            return f"took {self.seconds:.1f} seconds"
        return f"took {self.memory / 1e6:.0f} MB" if self.memory > MOST_MEMORY else ""

    @property
    def brief(self) -> str:
        """What is wrong in a line: of a traceback its last line, and the last place in it."""
        lines = self.failure.strip().splitlines()
        places = [line.strip() for line in lines if line.strip().startswith('File "')]
        return " ".join([lines[-1][:150], *places[-1:]]) if lines else ""


class Trials:
    """Tries cases; use it in a ``with`` statement."""

    def __init__(
        self, folder: Path, desk: Callable[[], Any] | None = None, hang_seconds: float = HANG_SECONDS
    ) -> None:
        """Let the *desk* do what is done with cases, with *folder* for its files."""
        self._desk = desk or partial(Desk, str(folder))
        self._hang_seconds = hang_seconds
        self._worker = WorkerProcess(self._desk, memory=WORKER_MEMORY)

    def attempt(self, case: Case) -> Trial:
        """Try one case."""
        if case.kind == "document":
            return _document_trial(case)
        job = methodcaller("attempt", case.kind, case.name, case.data)
        try:
            return Trial(case, **json.loads(self._worker.call(job, seconds=self._hang_seconds)))
        except TaskTimeoutError:
            what = f"no answer in {self._hang_seconds:g} seconds"
        except TaskLostError:
            what = "the process died"
        except MemoryError:
            what = f"wanted more than {WORKER_MEMORY >> 20} MB"
        except Exception as error:
            what = f"{type(error).__name__} {error.__notes__[-1]}"
        self._worker.close()
        self._worker = WorkerProcess(self._desk, memory=WORKER_MEMORY)
        return Trial(case, "failed", what, self._hang_seconds if "no answer" in what else 0.0)

    def close(self) -> None:
        """End the worker process."""
        self._worker.close()

    def __enter__(self) -> Trials:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _document_trial(case: Case) -> Trial:
    """Open the pages of a document as the program does; what counts is the page that takes longest."""
    slowest, begun, refusal = 0.0, time.monotonic(), ""
    try:
        for page in iter_pages(case.data, name=case.name):
            slowest, begun = max(slowest, time.monotonic() - begun), time.monotonic()
            if isinstance(page, OutOfMemoryError):
                return Trial(case, "failed", str(page), slowest)
            refusal = str(page) if isinstance(page, SudokuVisionError) else refusal
    except Exception:
        return Trial(case, "failed", traceback.format_exc(), slowest)
    return Trial(case, "refused" if refusal else "done", refusal, max(slowest, time.monotonic() - begun))


def keep(trial: Trial, folder: Path) -> Path:
    """Write the input of a case that failed into *folder*, and what failed beside it; return its place."""
    folder.mkdir(parents=True, exist_ok=True)
    case = trial.case
    path = folder / f"{case.kind}-{case.seed}-{case.name}"
    write_atomically(path, case.data)
    write_atomically(path.with_name(f"{path.name}.failure.txt"), trial.failure.encode())
    return path


def kept_case(path: Path) -> Case:
    """Return the case that :func:`keep` wrote; raises ValueError for a file of another name."""
    kind, seed, name = path.name.split("-", 2)
    return Case(kind, int(seed), name, path.read_bytes())
