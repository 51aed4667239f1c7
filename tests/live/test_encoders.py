"""What films are packed with, where PyAV is installed and where it isn't."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from sudoku_vision.errors import SaveError
from sudoku_vision.live.record import Recorder, check_recording
from sudoku_vision.values import Image

av = pytest.importorskip("av", reason="PyAV is not installed (extra film)")

SIZE = (320, 240)


def red() -> Image:
    """A picture whose colour tells when red and blue are mixed up, or a range of luma is."""
    return np.full((SIZE[1], SIZE[0], 3), (10, 30, 220), np.uint8)


def record(path: Path, frames: int = 12, size: tuple[int, int] = SIZE, rate: float = 30.0) -> Path:
    with Recorder(path, size, rate) as film:
        for _ in range(frames):
            film.write(red())
    return path


CODECS = dict.fromkeys(("film.mp4", "film.m4v", "film.mov", "film.mkv"), "h264")
CODECS |= {"film.webm": "vp9", "film.avi": "mjpeg"}


@pytest.mark.parametrize(("name", "codec"), CODECS.items())
def test_each_ending_has_the_codec_that_plays_widest(tmp_path: Path, name: str, codec: str) -> None:
    with av.open(record(tmp_path / name)) as film:
        (stream,) = film.streams
        assert stream.codec_context.name == codec
        assert (stream.width, stream.height) == SIZE
        frames = list(film.decode(stream))
    assert len(frames) == 12
    if codec != "mjpeg":
        assert {frame.format.name for frame in frames} == {"yuv420p"}
        assert {(frame.colorspace, frame.color_range) for frame in frames} == {(6, 1)}
    seen = frames[-1].to_ndarray(format="bgr24").reshape(-1, 3).mean(axis=0)
    assert seen == pytest.approx([10, 30, 220], abs=6)


def test_a_browser_can_begin_before_it_has_the_whole_film(tmp_path: Path) -> None:
    data = record(tmp_path / "film.mp4").read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")


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


@pytest.mark.parametrize("name", ["film.mp4", "film.webm"])
def test_an_error_of_the_system_is_reported_and_the_older_film_stays(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("what stood there before")
    noise = np.random.default_rng(0).integers(0, 256, (SIZE[1], SIZE[0], 3), np.uint8)
    with (
        pytest.raises(SaveError, match=r"can't be written \(file too large\)"),
        small_files(),
        Recorder(path, SIZE, 30) as film,
    ):
        for _ in range(60):
            film.write(noise)
    assert path.read_text() == "what stood there before"
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_without_pyav_opencv_writes_some_films_and_others_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "av"]:
        monkeypatch.setitem(sys.modules, name, None)
    note = check_recording(tmp_path / "film.mp4")
    assert "MPEG-4 part 2" in note and "pip install '.[film]'" in note
    assert check_recording(tmp_path / "film.avi") == ""
    assert b"mp4v" in record(tmp_path / "film.mp4").read_bytes()
    with pytest.raises(SaveError, match=r"PyAV, which is not installed.*\[film\].*\.mp4"):
        check_recording(tmp_path / "film.webm")
