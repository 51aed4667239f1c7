"""Recording a film, with what each kind of film is packed; and the state of its frames."""

import contextlib
import shutil
import sys
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn_grids import LATTICE
from films import played

from sudoku_vision.errors import SaveError, UsageError
from sudoku_vision.live.accumulation import TrackState
from sudoku_vision.live.record import FILM_ENDINGS, Recorder, check_recording, encoder_note
from sudoku_vision.live.tracker import TrackedGrid, frame_state
from sudoku_vision.values import Image

SIZE = (64, 48)
KEPT = "what stood there before"


def record(path: Path, *frames: Image, rate: float = 30) -> Path:
    """Record *frames*, all of the size of the first."""
    with Recorder(path, frames[0].shape[1::-1], rate) as film:
        for frame in frames:
            film.write(frame)
    return path


def grey(level: int, size: tuple[int, int] = SIZE) -> Image:
    return np.full((size[1], size[0], 3), level, np.uint8)


def levels(path: Path) -> list[int]:
    return [round(float(frame.mean())) for frame in played(path)[1]]


@pytest.mark.parametrize("ending", FILM_ENDINGS)
@pytest.mark.parametrize("rate", [30, 29.97, 12.5])
def test_a_film_keeps_its_frames_their_size_and_their_rate(tmp_path: Path, ending: str, rate: float) -> None:
    path = record(tmp_path / f"film{ending}", *map(grey, range(0, 200, 20)), rate=rate)
    told, frames = played(path)
    assert told == pytest.approx(rate, abs=0.01)
    assert {frame.shape for frame in frames} == {(48, 64, 3)}
    assert levels(path) == pytest.approx(list(range(0, 200, 20)), abs=6)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("name", ["a film.MP4", "größer 数独.avi", "%03d.mp4", "-o.mkv", ".mp4.mov"])
def test_any_name_will_do(tmp_path: Path, name: str) -> None:
    record(tmp_path / name, grey(7))
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


@pytest.mark.parametrize("rate", [0, -1, 90_000, float("nan")])
def test_an_impossible_rate_is_ignored(tmp_path: Path, rate: float) -> None:
    assert played(record(tmp_path / "film.mp4", grey(0), rate=rate))[0] == 30


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


def test_a_film_that_is_not_whole_does_not_replace_another(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_text(KEPT)
    with pytest.raises(SaveError, match="not all of the 3 frames"), Recorder(path, SIZE, 30) as film:
        film.write(grey(0))
        film.frames = 3
    assert path.read_text() == KEPT
    assert len(list(tmp_path.iterdir())) == 1


# What films are packed with, where PyAV is installed and where it isn't.


CODECS = dict.fromkeys(("film.mp4", "film.m4v", "film.mov", "film.mkv"), "h264")
CODECS |= {"film.webm": "vp9", "film.avi": "mjpeg"}
LARGE = (320, 240)


@pytest.fixture
def av() -> Any:
    return pytest.importorskip("av", reason="PyAV is not installed (extra film)")


def red() -> Image:
    """A picture whose colour tells when red and blue are mixed up, or a range of luma is."""
    return np.full((LARGE[1], LARGE[0], 3), (10, 30, 220), np.uint8)


@pytest.mark.parametrize(("name", "codec"), CODECS.items())
def test_each_ending_has_the_codec_that_plays_widest(tmp_path: Path, av: Any, name: str, codec: str) -> None:
    with av.open(record(tmp_path / name, *[red()] * 12)) as film:
        (stream,) = film.streams
        assert stream.codec_context.name == codec
        assert (stream.width, stream.height) == LARGE
        frames = list(film.decode(stream))
    assert len(frames) == 12
    if codec != "mjpeg":
        assert {frame.format.name for frame in frames} == {"yuv420p"}
        assert {(frame.colorspace, frame.color_range) for frame in frames} == {(6, 1)}
    seen = frames[-1].to_ndarray(format="bgr24").reshape(-1, 3).mean(axis=0)
    assert seen == pytest.approx([10, 30, 220], abs=6)


@pytest.mark.usefixtures("av")
def test_a_browser_can_begin_before_it_has_the_whole_film(tmp_path: Path) -> None:
    data = record(tmp_path / "film.mp4", red()).read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")


@pytest.mark.usefixtures("av")
@pytest.mark.parametrize("name", ["film.mp4", "film.webm"])
def test_a_size_that_can_not_be_packed_is_refused_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    with pytest.raises(SaveError, match=r"PyAV can't write .* films of 1 x 1 pixels here\. Try another"):
        Recorder(tmp_path / name, (1, 1), 30)
    assert not list(tmp_path.iterdir())


@contextlib.contextmanager
def small_files() -> Iterator[None]:
    """The system refuses files of more than 2 kB meanwhile, those that pytest writes to included."""
    resource = pytest.importorskip("resource", reason="only Unix bounds the size of files")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("av")
@pytest.mark.parametrize("name", ["film.mp4", "film.webm"])
def test_an_error_of_the_system_is_reported_and_the_older_film_stays(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(KEPT)
    noise = np.random.default_rng(0).integers(0, 256, (LARGE[1], LARGE[0], 3), np.uint8)
    with pytest.raises(SaveError, match=r"can't be written \(file too large\)"), small_files():
        record(path, *[noise] * 60)
    assert path.read_text() == KEPT
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.usefixtures("av")
def test_without_pyav_opencv_writes_some_films_and_others_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "av"]:
        monkeypatch.setitem(sys.modules, name, None)
    note = encoder_note(tmp_path / "film.mp4")
    assert "MPEG-4 part 2" in note and "pip install '.[film]'" in note
    assert encoder_note(tmp_path / "film.avi") == ""
    assert b"mp4v" in record(tmp_path / "film.mp4", red()).read_bytes()
    with pytest.raises(SaveError, match=r"PyAV, which is not installed.*\[film\].*\.mp4"):
        check_recording(tmp_path / "film.webm")


# Reports of frames.


def test_the_state_of_a_frame_is_that_of_its_best_grid() -> None:
    worst_first: list[TrackState] = ["unsolvable", "reading", "sure"]
    grids = [TrackedGrid(1, state, LATTICE, None) for state in worst_first]
    found = [frame_state(grids[:count]) for count in range(4)]
    assert found == ["looking", *worst_first]
