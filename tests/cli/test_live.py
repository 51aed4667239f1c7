"""``sudoku-vision live``: films in, annotated films and lines out, no camera needed."""

import json
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, Run, started
from drawn.film import Film, Frame, Moment
from films import FakeCamera, played, write_film

from sudoku_vision.live.sources.address import Address
from sudoku_vision.live.sources.source import Camera
from sudoku_vision.sudoku.board import Board
from sudoku_vision.values import Image
from workshop.rendering import Conditions, Pose

SIZE, RATE = (480, 360), 12.5
POSE, ASIDE = Pose(fill=0.8), Pose(fill=0.8, shift=(0.06, 0.02), roll=3)


@pytest.fixture(scope="module")
def frames(puzzle: Board) -> list[Frame]:
    """A page that is moved aside, and the table alone in the last frames."""
    away = Pose(fill=0.8, shift=(3.0, 0.0))
    moments = (Moment(0, POSE), Moment(0.8, ASIDE), Moment(0.81, away), Moment(1.04, away))
    return list(Film(moments, [[puzzle]], Conditions(size=SIZE), rate=RATE, seed=3).frames())


@pytest.fixture(scope="module")
def film(frames: list[Frame], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The frames as a file."""
    path = tmp_path_factory.mktemp("films") / "paper.avi"
    return write_film(path, [frame.pixels for frame in frames], RATE)


@pytest.fixture(scope="module")
def empty_film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of a grey wall."""
    path = tmp_path_factory.mktemp("films") / "wall.avi"
    return write_film(path, [np.full((360, 480, 3), 120, np.uint8)] * 4, RATE)


# Lines for programs.


def test_every_frame_has_a_line(run: Run, film: Path, frames: list[Frame]) -> None:
    ran = run("live", "--source", film, "--headless", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert [line["frame"] for line in ran.pages] == list(range(len(frames)))
    assert [line["seconds"] for line in ran.pages] == pytest.approx(np.arange(len(frames)) / RATE, abs=1e-3)
    for line, frame in zip(ran.pages[:10], frames, strict=False):
        (grid,) = line["grids"]
        assert (grid["status"], grid["puzzle"], grid["solution"]) == ("solved", PUZZLE, SOLUTION)
        assert (line["state"], grid["number"], grid["state"]) == ("sure", 1, "sure")
        assert np.abs(np.array(grid["corners"]) - frame.grids[0].lattice.corners).max() < 2
    assert ran.pages[-1]["state"] in ("looking", "sure")


def test_a_film_without_a_grid_has_the_state_looking(run: Run, empty_film: Path) -> None:
    ran = run("live", "--source", empty_film, "--headless", "--json")
    assert ran.status == 1
    assert [(line["state"], line["grids"]) for line in ran.pages] == [("looking", [])] * 4
    assert ran.err == f"sudoku-vision: {empty_film}: no sudoku was seen.\n"


def test_damaged_frames_are_left_out(run: Run, film: Path, frames: list[Frame], tmp_path: Path) -> None:
    data, damaged = bytearray(film.read_bytes()), tmp_path / "damaged.avi"
    chunks = list(re.compile(b"00dc").finditer(data, data.index(b"movi")))
    for start in (chunks[4].end(), chunks[5].end()):
        length = int.from_bytes(data[start : start + 4], "little")
        data[start + 4 : start + 4 + length] = bytes(length)
    damaged.write_bytes(data)
    ran = run("live", "--source", damaged, "--headless", "--json")
    assert [line["frame"] for line in ran.pages] == [*range(4), *range(6, len(frames))]
    assert (ran.status, ran.err) == (0, f"sudoku-vision: {damaged}: damaged frames that were left out: 2.\n")


# Words for people.


def test_people_are_shown_each_puzzle_once(run: Run, film: Path) -> None:
    ran = run("live", "--source", film, "--headless")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.count("confidence") == 1
    assert f"{film}, 0.0 s: solved" in ran.out
    assert "4 1 7 │ 3 6 9 │ 8 2 5" in ran.out


# Films with the answers drawn in.


@pytest.mark.parametrize("name", ["out.mp4", "out.avi"])
def test_answers_are_recorded(run: Run, film: Path, frames: list[Frame], tmp_path: Path, name: str) -> None:
    ran = run("live", "--source", film, "--record", tmp_path / name, "--headless")
    assert ran.status == 0
    rate, shown = played(tmp_path / name)
    assert rate == RATE
    assert {picture.shape for picture in shown} == {(360, 480, 3)}
    assert len(shown) == len(frames)
    blanks = [cell for cell in range(81) if PUZZLE[cell] == "0"]
    for picture, source, frame in zip(shown[:10], played(film)[1], frames, strict=False):
        crossings = frame.grids[0].lattice.crossings
        centres = (crossings[:-1, :-1] + crossings[1:, 1:]).reshape(81, 2) / 2
        changed = np.abs(picture.astype(int) - source).max(axis=2) > 60
        drawn = [changed[round(y) - 8 : round(y) + 9, round(x) - 8 : round(x) + 9].any() for x, y in centres]
        assert all(drawn[cell] for cell in blanks)
        assert not any(drawn[cell] for cell in set(range(81)) - set(blanks))


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("sent", ["SIGTERM", pytest.param("SIGINT", marks=pytest.mark.slow)])
def test_a_stopped_recording_is_playable(film: Path, frames: list[Frame], tmp_path: Path, sent: str) -> None:
    if signal.getsignal(getattr(signal, sent)) is signal.SIG_IGN:
        pytest.skip(f"{sent} is ignored here, as nohup has it, and so by all that is started")
    long, out = tmp_path / "long.avi", tmp_path / "out.mp4"
    write_film(long, [frame.pixels for frame in frames] * 15, RATE)
    with started("live", "--source", long, "--record", out, "--headless", "--json") as process:
        assert process.stdout and process.stderr
        lines = [process.stdout.readline() for _ in range(5)]
        process.send_signal(getattr(signal, sent))
        lines += process.stdout.readlines()
        assert process.stderr.read() == ""
        assert process.wait(timeout=30) == 128 + getattr(signal, sent)
    answer = [json.loads(line)["frame"] for line in lines]
    assert 5 <= len(answer) < 15 * len(frames)
    assert 0 <= len(answer) - len(played(out)[1]) <= 1


# Cameras and the window, with a capture and a screen in their place.


@pytest.fixture
def cameras(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, frames: list[Frame]) -> list[int]:
    """Cameras 0 and 2, which see the paper; return the numbers of those that are opened."""
    opened: list[int] = []

    def seen() -> Iterator[Image]:
        """The frames, thirty a second, again and again."""
        for frame in cycle(frames[:10]):
            time.sleep(1 / 30)
            yield frame.pixels

    def open_capture(address: Address, size: tuple[int, int] | None) -> FakeCamera:
        assert isinstance(address.location, int)
        opened.append(address.location)
        camera = FakeCamera(rate=30.0)
        camera.script = seen()
        return camera

    for number in (0, 2):
        (tmp_path / f"video{number}").touch()
    there = [Camera(0, "Fake One", (640, 480)), Camera(2, "Fake Two", None, "no permission to use it")]
    monkeypatch.setattr("sudoku_vision.live.sources.address.DEVICES", tmp_path)
    monkeypatch.setattr("sudoku_vision.live.sources.source.open_capture", open_capture)
    monkeypatch.setattr("sudoku_vision.cli.live.list_cameras", lambda **_: there)
    return opened


@pytest.fixture
def press(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Image]]:
    """Have keys pressed in the window, one after every second picture; return the pictures that it shows."""

    def press(*keys: str) -> list[Image]:
        shown: list[Image] = []

        def pressed() -> Iterator[str]:
            for number, key in enumerate(keys, 1):
                while len(shown) < 2 * number:
                    yield ""
                yield key

        window = MagicMock(closed=False)
        window.__enter__.return_value = window
        window.show.side_effect, window.key.side_effect = shown.append, pressed()
        monkeypatch.setattr("sudoku_vision.cli.live.Window", lambda: window)
        return shown

    return press


@pytest.mark.usefixtures("cameras")
def test_a_camera_is_watched_without_a_window(run: Run, tmp_path: Path) -> None:
    ran = run("live", "--headless", "--json", "--seconds", 1, "--record", tmp_path / "out.mp4")
    assert (ran.status, ran.err) == (0, "")
    assert ran.pages[-1]["grids"][0]["solution"] == SOLUTION
    rate, shown = played(tmp_path / "out.mp4")
    assert rate == 30
    assert 15 <= len(shown) <= 60, "a second is played in about a second, however many frames there were"


def test_the_window_shows_what_is_printed_and_recorded(
    run: Run, cameras: list[int], press: Callable[..., list[Image]], tmp_path: Path
) -> None:
    shown = press(*[""] * 15, "q")
    ran = run("live", "--json", "--record", tmp_path / "out.avi")
    assert (ran.status, ran.err) == (0, "")
    assert 5 <= len(ran.pages) <= len(shown)
    assert any(line["state"] == "sure" for line in ran.pages)
    assert played(tmp_path / "out.avi")[1][0].shape == (360, 480, 3)
    assert cameras == [0]


def test_the_window_changes_the_camera(run: Run, cameras: list[int], press: Callable[..., Any]) -> None:
    press("c", "c", "q")
    run("live", "--source", 2)
    assert cameras == [2, 0, 2]


@pytest.mark.usefixtures("cameras")
def test_cameras_are_listed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run("live", "--list")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == ["0  Fake One  640x480", "2  Fake Two  no permission to use it"]
    first, _ = run("live", "--list", "--json").pages
    assert first == {"number": 0, "name": "Fake One", "width": 640, "height": 480, "problem": ""}
    monkeypatch.setattr("sudoku_vision.cli.live.list_cameras", lambda **_: [])
    ran = run("live", "--list")
    assert (ran.status, ran.out) == (3, "")
    assert "--source" in ran.err
