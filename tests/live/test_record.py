"""Recording a film, and reporting its frames to other programs."""

import shutil
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest
from drawn_grids import LATTICE
from films import played

from sudoku_vision.errors import SaveError, UsageError
from sudoku_vision.live.accumulation import TrackState
from sudoku_vision.live.record import FILM_ENDINGS, Recorder, check_recording
from sudoku_vision.live.tracker import TrackedGrid, frame_state
from sudoku_vision.values import Image

SIZE = (64, 48)
KEPT = "what stood there before"


def grey(level: int, size: tuple[int, int] = SIZE) -> Image:
    return np.full((size[1], size[0], 3), level, np.uint8)


def levels(path: Path) -> list[int]:
    return [round(float(frame.mean())) for frame in played(path)[1]]


@pytest.mark.parametrize("ending", FILM_ENDINGS)
@pytest.mark.parametrize("rate", [30, 29.97, 12.5])
def test_a_film_keeps_its_frames_their_size_and_their_rate(tmp_path: Path, ending: str, rate: float) -> None:
    path = tmp_path / f"film{ending}"
    with Recorder(path, SIZE, rate) as film:
        for level in range(0, 200, 20):
            film.write(grey(level))
    told, frames = played(path)
    assert told == pytest.approx(rate, abs=0.01)
    assert {frame.shape for frame in frames} == {(48, 64, 3)}
    assert levels(path) == pytest.approx(list(range(0, 200, 20)), abs=6)
    assert film.frames == 10
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("name", ["a film.MP4", "größer 数独.avi", "%03d.mp4", "-o.mkv", ".mp4.mov"])
def test_any_name_will_do(tmp_path: Path, name: str) -> None:
    with Recorder(tmp_path / name, SIZE, 30) as film:
        film.write(grey(7))
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SaveError, MemoryError])
def test_an_interrupted_film_can_be_played(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "film.mp4"
    with pytest.raises(error), Recorder(path, SIZE, 25) as film:
        film.write(grey(50))
        film.write(grey(90))
        raise error("enough")
    assert levels(path) == pytest.approx([50, 90], abs=4)


def test_an_older_file_stays_until_the_film_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_text(KEPT)
    with Recorder(path, SIZE, 25):
        pass
    assert path.read_text() == KEPT
    assert len(list(tmp_path.iterdir())) == 1
    with Recorder(path, SIZE, 25) as film:
        film.write(grey(0))
        assert path.read_text() == KEPT
    assert len(played(path)[1]) == 1


def test_uneven_frames_of_any_size_are_played_as_fast_as_they_came(tmp_path: Path) -> None:
    times = iter((7.0, 7.0, 7.1, 7.12, 7.5, 7.61))
    with Recorder(tmp_path / "film.avi", SIZE, 10, lambda: next(times)) as film:
        for level in (0, 60, 120, 180, 240):
            film.write(grey(level, (128, 100) if level == 60 else SIZE))
    assert levels(tmp_path / "film.avi") == pytest.approx([0, 60, 60, 60, 60, 180, 240], abs=4)


def test_an_impossible_film_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "folder.mp4").mkdir()
    wrong: list[tuple[str, type[Exception], str]] = [
        *((name, UsageError, r"\.mp4, .*\.avi") for name in ("film.xyz", "film", "film.jpg")),
        ("none/film.mp4", SaveError, "does not exist"),
        ("folder.mp4", SaveError, "is a folder"),
    ]
    for name, error, words in wrong:
        for attempt in (check_recording, lambda path: Recorder(path, SIZE, 30)):
            with pytest.raises(error, match=words):
                attempt(tmp_path / name)


def test_a_film_is_not_written_over_itself(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.touch()
    with pytest.raises(UsageError, match="overwrite"):
        check_recording(path, str(path))
    check_recording(path, str(tmp_path / "other.mp4"))
    check_recording(path, "rtsp://camera/film.mp4")


def test_a_disk_that_fills_up_ends_the_film_while_it_can_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    left = iter([1 << 20, 1 << 40, 1 << 40, 1 << 20])
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(0, 0, next(left)))
    path = tmp_path / "film.mp4"
    with pytest.raises(SaveError, match="the disk is full\\."):
        Recorder(path, SIZE, 30)
    assert not list(tmp_path.iterdir())
    with pytest.raises(SaveError, match="disk is full after 30 frames"), Recorder(path, SIZE, 30) as film:
        for _ in range(100):
            film.write(grey(0))
    assert len(played(path)[1]) == 30


def test_a_film_that_is_not_whole_does_not_replace_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "film.mp4"
    path.write_text(KEPT)
    with pytest.raises(SaveError, match="not all of the 3 frames"), Recorder(path, SIZE, 30) as film:
        film.write(grey(0))
        monkeypatch.setattr(film, "frames", 3)
    assert path.read_text() == KEPT
    assert len(list(tmp_path.iterdir())) == 1


# Reports of frames.


def test_the_state_of_a_frame_is_that_of_its_best_grid() -> None:
    worst_first: list[TrackState] = ["unsolvable", "reading", "sure"]
    grids = [TrackedGrid(1, state, LATTICE, None) for state in worst_first]
    found = [frame_state(grids[:count]) for count in range(4)]
    assert found == ["looking", *worst_first]
