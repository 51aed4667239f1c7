"""Trials: run cases one by one within limits of time and memory, and save those that fail.

A case runs in a worker process. If it takes too long or dies, the process is killed and replaced. Documents
are the exception, because the package itself renders them in a process that it can kill.
"""

import json
import time
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import Any

from hostile_requests import Hostile, HostileService, answer_to, hostile, is_failure, statuses_in

from sudoku_vision.errors import OutOfMemoryError, SudokuVisionError, TaskLostError, TaskTimeoutError
from sudoku_vision.output.save import write_atomically
from sudoku_vision.parallel.worker_process import WorkerProcess
from sudoku_vision.vision.load import iter_pages

from . import seeds
from .case_worker import CaseWorker
from .kinds import Case

MAX_SECONDS = 10.0
"""Processor seconds that a case may take; for a document, seconds until a page or an error."""
MAX_MEMORY = 1_500_000_000
"""Bytes of memory that a case may use."""
HANG_SECONDS = 40.0
"""Seconds after which a case is given up: four times its limit, because the machine may be busy."""
WORKER_MEMORY = 3 << 30
"""Bytes at which the system refuses more memory: twice the limit, to protect the machine."""


@dataclass(frozen=True)
class Trial:
    """The result of a case: ``outcome`` (done, refused or failed), ``error``, seconds and bytes."""

    case: Case
    outcome: str
    error: str = ""
    seconds: float = 0.0
    memory: int = 0

    @property
    def failure(self) -> str:
        """What went wrong; empty if nothing did."""
        if self.outcome == "failed":
            return self.error or "failed"
        if self.seconds > MAX_SECONDS:
            return f"took {self.seconds:.1f} seconds"
        return f"took {self.memory / 1e6:.0f} MB" if self.memory > MAX_MEMORY else ""

    @property
    def brief(self) -> str:
        """The failure in one line: the last line of a traceback, and the last place in it."""
        lines = self.failure.strip().splitlines()
        places = [line.strip() for line in lines if line.strip().startswith('File "')]
        return " ".join([lines[-1][:150], *places[-1:]]) if lines else ""


class Trials(AbstractContextManager["Trials"]):
    """Runs cases; use it in a ``with`` statement."""

    def __init__(
        self, folder: Path, worker: Callable[[], Any] | None = None, hang_seconds: float = HANG_SECONDS
    ) -> None:
        self._make_worker = worker or partial(CaseWorker, str(folder))
        self._hang_seconds = hang_seconds
        self._worker = WorkerProcess(self._make_worker, memory=WORKER_MEMORY)

    def attempt(self, case: Case) -> Trial:
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
        self._worker = WorkerProcess(self._make_worker, memory=WORKER_MEMORY)
        return Trial(case, "failed", what, self._hang_seconds if "no answer" in what else 0.0)

    def close(self) -> None:
        self._worker.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def _document_trial(case: Case) -> Trial:
    """Open the pages of a document as the program does; the time is that of the slowest page."""
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


class ServiceTrials(HostileService):
    """Sends requests to a service in a process of its own; use it in a ``with`` statement.

    The service must answer each, and never with an internal error.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "service.log")
        self._material = self.material(seeds.pictures()["plain.jpg"], HANG_SECONDS)

    def attempt(self, seed: int) -> Trial:
        sent = hostile(seed, self._material)
        return self.send(Case("request", seed, f"{sent.kind}.http", b"".join(sent.pieces)), sent)

    def send(self, case: Case, sent: Hostile | None = None) -> Trial:
        """Send the bytes of a case; *sent* gives the pieces in which to send them."""
        sent = sent or Hostile(case.name.partition(".")[0], (case.data,))
        begun = time.monotonic()
        try:
            answer = answer_to(self.address, sent, HANG_SECONDS)
        except TimeoutError:
            return Trial(case, "failed", f"no answer in {HANG_SECONDS:g} seconds", HANG_SECONDS)
        seconds = time.monotonic() - begun
        if is_failure(answer) or self.process.poll() is not None:
            return Trial(case, "failed", f"answered {answer[:500]!r}", seconds)
        return Trial(case, "done" if 200 in statuses_in(answer) else "refused", "", seconds)


def keep(trial: Trial, folder: Path) -> Path:
    """Write the input of a failed case into *folder*, the failure beside it; return the path."""
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
