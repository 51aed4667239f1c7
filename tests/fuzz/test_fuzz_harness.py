"""The fuzzer itself: it finds what is planted, its cases are the same every time, and one is tried again."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import seeds
from .__main__ import Tally
from .case_worker import peak_memory
from .kinds import KINDS, Case, drawn
from .trials import Trial, Trials, keep, kept_case

ROOT = Path(__file__).resolve().parents[2]


class FaultyWorker:
    """A worker with planted faults: it fails in the way that the name of a case says."""

    def attempt(self, kind: str, name: str, data: bytes) -> bytes:
        """Crash, hang, use memory or raise, by *name*; *kind* and *data* are ignored."""
        begun, filled = time.process_time(), b""
        if name == "crash":
            os.abort()
        if name == "hang":
            time.sleep(60)
        if name == "foreign":
            raise ZeroDivisionError("planted")
        if name == "glutton":
            filled = b"x" * (4 << 30)
        result = {"outcome": "done", "seconds": time.process_time() - begun, "memory": peak_memory()}
        return json.dumps({**result, "error": str(len(filled))[:0]}).encode()


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trials]:
    with Trials(tmp_path_factory.mktemp("fuzz"), FaultyWorker) as trials:
        yield trials


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("crash", "the process died"),
        ("foreign", "ZeroDivisionError In a worker process: "),
        ("glutton", "wanted more than 3072 MB"),
    ],
)
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded as Linux bounds it")
def test_a_planted_fault_is_found_and_the_next_case_is_tried(faulty: Trials, fault: str, told: str) -> None:
    assert told in faulty.attempt(Case("text", 1, fault, b"")).failure
    assert faulty.attempt(Case("text", 2, "sound", b"")).failure == ""


@pytest.mark.slow
def test_a_case_without_end_is_given_up_and_the_next_is_tried(tmp_path: Path) -> None:
    with Trials(tmp_path, FaultyWorker, hang_seconds=2.0) as trials:
        assert trials.attempt(Case("text", 1, "hang", b"")).failure == "no answer in 2 seconds"
        assert trials.attempt(Case("text", 2, "sound", b"")).failure == ""


def test_a_case_is_held_to_its_limits() -> None:
    case = Case("picture", 1, "a.png", b"")
    assert Trial(case, "done", memory=1_600_000_000).failure == "took 1600 MB"
    assert Trial(case, "refused", "OpenError: empty", 1.0, 100_000_000).failure == ""
    assert Trial(case, "done", seconds=10.5).failure == "took 10.5 seconds"


def test_what_the_package_says_is_no_failure_and_anything_else_is(tmp_path: Path) -> None:
    with Trials(tmp_path) as trials:
        sound = [trials.attempt(Case("text", 1, "board.txt", text.encode())) for text in seeds.texts()[:2]]
        assert [trial.outcome for trial in sound] == ["done", "done"]
        refused = trials.attempt(Case("picture", 1, "a.png", b"\x89PNG\r\n\x1a\n"))
        assert refused.outcome == "refused" and "OpenError" in refused.error and not refused.failure


@pytest.mark.parametrize("kind", KINDS)
def test_a_case_is_the_same_every_time(kind: str) -> None:
    assert drawn(kind, 7) == drawn(kind, 7)
    assert len({drawn(kind, seed).data for seed in range(12)}) > 6


def test_a_failure_is_kept_with_its_seed_and_counted_once_in_three(tmp_path: Path) -> None:
    failed = Trial(drawn("link", 5), "failed", 'Traceback\n  File "a.py", line 1\nKeyError: 3')
    assert kept_case(keep(failed, tmp_path / "new")) == failed.case
    tally = Tally()
    assert [tally.add(failed) for _ in range(5)] == [True] * 3 + [False] * 2
    assert 'KeyError: 3 File "a.py", line 1' in tally.table()
    assert "5 cases, 5 failed" in tally.table()


@pytest.mark.slow
def test_it_runs_by_its_command_and_tries_a_case_again(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz"]
    options = ["--cases", "30", "--kinds", "words", "link", "--failures", str(tmp_path)]
    ran = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0 and "30 cases, 0 failed" in ran.stdout, ran.stderr
    kept = keep(Trial(drawn("link", 5), "failed", "planted"), tmp_path)
    again = subprocess.run(
        [*command, "--case", str(kept)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert again.returncode == 0 and again.stdout.startswith(("done", "refused")), again.stderr
