"""Sources: cameras, films and streams; only the latest frame counts, and problems are explained plainly."""

import functools
import http.server
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from films import FakeCamera as Fake
from films import write_film

from sudoku_vision.errors import CameraError, UsageError
from sudoku_vision.live.sources.address import Address
from sudoku_vision.live.sources.feeds import EveryFrame, LatestFrame
from sudoku_vision.live.sources.source import Camera, CapturedFrame, Source, list_cameras, open_capture
from sudoku_vision.values import Image

RATE, FRAMES = 25, 10
WIDTH, HEIGHT = 64, 48
linux = pytest.mark.skipif(sys.platform != "linux", reason="cameras are files on Linux alone")


def frame(level: int) -> Image:
    """A frame of one grey, darker to the left, so that frames and their sides can be told apart."""
    pixels = np.full((HEIGHT, WIDTH, 3), level, np.uint8)
    pixels[:, : WIDTH // 2] = level // 2
    return pixels


def film(path: Path, code: str = "MJPG") -> Path:
    """A film whose n-th frame has the level 20 n."""
    return write_film(path, [frame(20 * number) for number in range(FRAMES)], RATE, code)


@pytest.fixture
def devices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for /dev, with two cameras."""
    monkeypatch.setattr("sudoku_vision.live.sources.address.DEVICES", tmp_path)
    for number in (0, 2):
        (tmp_path / f"video{number}").touch()
    return tmp_path


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Mock]:
    """Let OpenCV open one fake after another, and closed ones when there are no more."""

    def placed(*fakes: Fake) -> Mock:
        left = iter(fakes)
        opening = Mock(side_effect=lambda *_: next(left, None) or Fake(opened=False))
        monkeypatch.setattr("sudoku_vision.live.sources.source.open_capture", opening)
        return opening

    return placed


@pytest.fixture
def camera(devices: Path, bench: Callable[..., Mock]) -> Callable[..., Source]:
    """Open a camera whose reads follow a script; the fakes *then* come if it is opened again."""

    def opened(*script: Any, then: Iterable[Fake] = ()) -> Source:
        bench(Fake(*script), *then)
        return Source(0)

    return opened


def until(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Wait until a thread makes the *condition* true; return whether it has."""
    end = time.monotonic() + seconds
    while not (true := condition()) and time.monotonic() < end:
        time.sleep(0.002)
    return true


def every(source: Source) -> Iterator[CapturedFrame]:
    return iter(EveryFrame(source).next, None)


# films


@pytest.mark.parametrize(("name", "code"), [("film.avi", "MJPG"), ("film.mp4", "mp4v")])
def test_every_frame_of_a_film_comes_once_in_order_and_at_its_time(
    tmp_path: Path, name: str, code: str
) -> None:
    with Source(film(tmp_path / name, code)) as source:
        known = source.kind, source.size, source.rate, source.count
        grabs = list(every(source))
    assert known == ("file", (WIDTH, HEIGHT), RATE, FRAMES)
    assert [grab.number for grab in grabs] == list(range(FRAMES))
    assert [grab.seconds for grab in grabs] == pytest.approx([n / RATE for n in range(FRAMES)], abs=1e-3)
    levels = [grab.pixels[:, -8:].mean() for grab in grabs]
    assert levels == pytest.approx([20 * n for n in range(FRAMES)], abs=6)


def test_a_mirrored_source_has_left_and_right_swapped(tmp_path: Path) -> None:
    path = film(tmp_path / "film.avi")
    with Source(path) as plain, Source(str(path), mirror=True) as mirrored:
        for one, other in zip(every(plain), every(mirrored), strict=True):
            assert np.array_equal(one.pixels, other.pixels[:, ::-1])
    with pytest.raises(UsageError, match="size"):
        Source(path, size=(640, 480))


def test_a_film_as_if_live_runs_at_its_own_speed_and_ends(tmp_path: Path) -> None:
    with LatestFrame(Source(film(tmp_path / "film.avi"))) as latest:
        grabs = []
        while latest.state != "ended":
            grab = latest.next(0.5)
            if grab is not None:
                grabs.append(grab)
        assert grabs[-1].number == FRAMES - 1
        assert grabs[-1].captured_at - grabs[0].captured_at == pytest.approx((FRAMES - 1) / RATE, abs=0.1)
        assert latest.next(5.0) is None, "after the end there is nothing to wait for"


@pytest.fixture
def no_films(tmp_path: Path) -> dict[str, Path]:
    """Files that are no films, by what is wrong with them."""
    found = {name: tmp_path / f"{name}.mp4" for name in ("missing", "empty", "text2", "broken")}
    found["empty"].touch()
    found["text2"].write_text("no film at all " * 100)
    found["broken"].write_bytes(film(tmp_path / "whole.mp4", "mp4v").read_bytes()[:600])
    cv2.imwrite(str(tmp_path / "photo1.png"), frame(100))
    return found | {"folder": tmp_path, "picture": tmp_path / "photo1.png"}


def test_files_that_are_no_films_are_refused(no_films: dict[str, Path]) -> None:
    said = {"missing": "no such file", "folder": "folder", "empty": "empty"}
    said |= {"text2": "no film", "broken": "no film", "picture": "sudoku-vision solve"}
    for kind, words in said.items():
        with pytest.raises(CameraError, match=words) as caught:
            Source(no_films[kind])
        assert caught.value.exit_code == 3 and caught.value.remedy


@pytest.mark.parametrize("name", ["a\0b", "file://[", "file:///a\0b"])
def test_impossible_names_are_wrong_usage(name: str) -> None:
    with pytest.raises(UsageError, match="can't be the name of a file"):
        Source(name)


def test_libraries_print_no_messages_of_their_own(no_films: dict[str, Path]) -> None:
    places = [str(no_films["text2"]), str(no_films["broken"]), "http://127.0.0.1:9/film", "7"]
    program = f"""
from sudoku_vision.errors import CameraError
from sudoku_vision.live.sources.source import Source
for place in {places}:
    try:
        Source(place)
    except CameraError:
        print("told")
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["told"] * len(places)
    assert ran.stderr == ""


# streams


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address at which the files of ``tmp_path`` are served."""

    class Silent(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    handler = functools.partial(Silent, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as serving:
        thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://someone:secret@127.0.0.1:{serving.server_port}"
        serving.shutdown()
        thread.join()


def test_a_film_from_a_network_is_read_like_a_file_and_its_password_is_kept_secret(
    tmp_path: Path, server: str
) -> None:
    film(tmp_path / "film.avi")
    with Source(f"{server}/film.avi") as source:
        assert source.kind == "stream"
        assert "secret" not in source.name
        assert [grab.number for grab in every(source)] == list(range(FRAMES))
    with pytest.raises(CameraError, match="can't be opened") as caught:
        Source(f"{server}/nothing.mjpg")
    assert "secret" not in str(caught.value)


def test_a_stream_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_vision.live.sources.source.STREAM_TIMEOUT", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as mute, pytest.raises(CameraError, match="can't be opened"):
        Source(f"http://127.0.0.1:{mute.getsockname()[1]}/film")


def test_a_stream_that_breaks_off_says_so(bench: Callable[..., Mock]) -> None:
    bench(Fake(frame(1), frame(2)))
    frames = every(Source("rtsp://camera/1"))
    assert [next(frames).number, next(frames).number] == [0, 1]
    with pytest.raises(CameraError, match="broke off"):
        next(frames)


# cameras


@pytest.mark.parametrize("where", [2, "2", "DEVICES/video2"])
def test_a_camera_is_named_by_its_number_or_its_device(
    devices: Path, bench: Callable[..., Mock], where: int | str
) -> None:
    opened = bench(Fake(frame(1)))
    source = Source(str(where).replace("DEVICES", str(devices)))
    assert (source.kind, source.name, source.count) == ("camera", "camera 2", None)
    opened.assert_called_once_with(Address("camera", 2, "camera 2"), (1280, 720))
    with pytest.raises(UsageError, match="111: there is no camera"):
        Address.of("1" * 5000)


@pytest.mark.usefixtures("devices")
def test_a_camera_is_asked_for_the_wished_size_and_its_real_size_is_used(bench: Callable[..., Mock]) -> None:
    opened = bench(Fake(frame(1), rate=90000.0))
    source = Source(0, size=(1920, 1080))
    assert opened.call_args.args[1] == (1920, 1080)
    assert source.size == (WIDTH, HEIGHT)
    assert source.rate == 30, "the ticks of a clock are no frame rate"
    with pytest.raises(UsageError, match="0x480"):
        Source(0, size=(0, 480))


@pytest.mark.parametrize("shape", [(HEIGHT, WIDTH), (HEIGHT, WIDTH, 1), (HEIGHT, WIDTH, 4)])
def test_frames_are_bgr_whatever_the_camera_gives(
    camera: Callable[..., Source], shape: tuple[int, ...]
) -> None:
    grab = camera(np.full(shape, 7, np.uint8)).read()
    assert grab is not None
    assert grab.pixels.shape == (HEIGHT, WIDTH, 3) and grab.pixels.flags.c_contiguous


@linux
def test_a_camera_that_is_missing_locked_or_in_use(
    bench: Callable[..., Mock],
    devices: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    bench()
    with pytest.raises(CameraError, match=r"There is no camera 1.*sudoku-vision live --list"):
        Source(1)
    with pytest.raises(CameraError, match="lose other programs"):
        Source(0)
    monkeypatch.setattr("sudoku_vision.live.sources.address.os.access", lambda *_: False)
    with pytest.raises(CameraError, match=r"no permission.*usermod"):
        Source(0)
    assert capfd.readouterr().err == ""


def test_a_camera_that_never_gives_a_frame_is_given_up_and_given_back(
    devices: Path, bench: Callable[..., Mock], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_vision.live.sources.source.FIRST_FRAME_TIMEOUT", 0.05)
    go_on = threading.Event()
    bench(fake := Fake(lambda: go_on.wait(5) and None))
    with pytest.raises(CameraError, match="no picture"):
        Source(0)
    assert not fake.released.is_set(), "a capture that is being read must not be closed"
    go_on.set()
    assert fake.released.wait(5)


# the latest frame


def test_only_the_newest_frame_is_kept(camera: Callable[..., Source]) -> None:
    wait, all_read = threading.Event(), threading.Event()
    frames = [frame(level) for level in range(5)]

    def hold() -> None:
        all_read.set()
        wait.wait(5)

    with LatestFrame(camera(*frames, hold)) as latest:
        assert all_read.wait(5)
        grab = latest.next()
        assert grab is not None
        assert (grab.number, grab.pixels.max()) == (4, 4)
        assert latest.next(0.01) is None, "no frame is given twice"
        wait.set()


@pytest.mark.usefixtures("devices")
def test_a_camera_that_is_plugged_in_again_goes_on(
    bench: Callable[..., Mock], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_vision.live.sources.feeds.REOPEN_PAUSES", (0.02,))
    first = Fake(frame(1), frame(2))

    def slow() -> Image:
        time.sleep(0.01)
        return frame(3)

    back = Fake(*[slow] * 500)
    bench(first, Fake(opened=False), Fake(opened=True), back)
    with LatestFrame(Source(0)) as latest:
        states, last = set(), None
        while last is None or last.pixels.max() != 3:
            last = latest.next(0.005) or last
            states.add(latest.state)
            if latest.state == "lost":
                assert "lug it in again" in latest.message
        assert states == {"live", "lost"}
        assert latest.message == ""
        assert first.released.is_set()
        assert last.number >= 2, "numbers go on"
        assert last.seconds > 0


@linux
def test_an_unplugged_camera_is_distinguished_from_one_that_fails(
    devices: Path, camera: Callable[..., Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_vision.live.sources.feeds.REOPEN_PAUSES", (0.01,))
    back = [Fake(frame(2)) for _ in range(500)]  # it may be back before it is unplugged
    with LatestFrame(camera(frame(1), then=back)) as latest:
        (devices / "video0").unlink()
        assert until(lambda: latest.next(0.01) is None and latest.state == "lost")
        assert "was unplugged" in latest.message
        (devices / "video0").touch()
        assert until(lambda: latest.next(0.01) is not None)


def test_a_source_that_hangs_is_reported(
    camera: Callable[..., Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_vision.live.sources.feeds.SILENT_AFTER", 0.03)
    monkeypatch.setattr("sudoku_vision.live.sources.feeds.HANG_AFTER", 0.2)
    wait = threading.Event()
    with LatestFrame(camera(frame(1), lambda: wait.wait(5) and None)) as latest:
        assert latest.next() is not None
        assert until(lambda: latest.state == "lost")
        assert "no picture" in latest.message
        with pytest.raises(CameraError, match="no picture"):
            until(lambda: latest.next(0.01) is not None)
        wait.set()


def test_errors_of_the_thread_are_raised_to_the_caller(camera: Callable[..., Source]) -> None:
    def fail() -> Image:
        raise MemoryError("no room for a frame")

    with LatestFrame(camera(frame(1), fail)) as latest, pytest.raises(MemoryError):
        until(lambda: latest.next(0.01) is None and latest.state == "ended" and latest.next(0.01) is not None)


def test_closing_does_not_wait_for_a_lost_camera_or_a_slow_film(
    camera: Callable[..., Source], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_vision.live.sources.feeds.REOPEN_PAUSES", (30.0,))
    lost = LatestFrame(camera(frame(1)))
    assert until(lambda: lost.next(0.01) is None and lost.state == "lost")
    began = time.monotonic()
    lost.close()
    monkeypatch.setattr("sudoku_vision.live.sources.source.open_capture", open_capture)
    LatestFrame(Source(film(tmp_path / "film.avi"))).close()
    assert time.monotonic() - began < 20


# which cameras there are


def test_cameras_are_listed_by_their_names_and_opened_for_their_sizes(
    devices: Path, bench: Callable[..., Mock], monkeypatch: pytest.MonkeyPatch
) -> None:
    named = ((2, "Old Webcam"), (0, "HD Webcam"), (3, "Locked"))
    found = [SimpleNamespace(index=index, name=name) for index, name in named]
    monkeypatch.setattr("cv2_enumerate_cameras.enumerate_cameras", lambda backend: found)
    monkeypatch.setattr("cv2_enumerate_cameras.supported_backends", (cv2.CAP_V4L2,))
    monkeypatch.setattr("cv2.videoio_registry.getCameraBackends", lambda: (cv2.CAP_FFMPEG, cv2.CAP_V4L2))
    opened = bench(fake := Fake())
    names = [(0, "HD Webcam"), (2, "Old Webcam"), (3, "Locked")]
    assert [(one.number, one.name) for one in list_cameras()] == names and not opened.called
    monkeypatch.setattr("os.access", lambda path, _: not str(path).endswith("3"))
    first, second, third = list_cameras(sizes=True)
    assert first == Camera(0, "HD Webcam", (WIDTH, HEIGHT)) and fake.released.is_set()
    assert "another program" in second.problem and second.size is None
    assert third.problem.startswith("no permission") or sys.platform != "linux"


def test_without_names_the_first_few_numbers_are_tried(
    bench: Callable[..., Mock], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cv2_enumerate_cameras", None)
    monkeypatch.setattr("os.access", lambda *_: True)
    fakes = [Fake(), Fake(opened=False), Fake()]
    opened = bench(*fakes)
    found = list_cameras()
    assert found == [Camera(0, "camera 0", (WIDTH, HEIGHT)), Camera(2, "camera 2", (WIDTH, HEIGHT))]
    assert opened.call_count == 8
    assert all(fake.released.is_set() for fake in fakes)


def test_a_film_of_gigantic_frames_is_refused_by_its_header(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_vision.live.sources.source.MAX_FRAME_PIXELS", WIDTH * HEIGHT - 1)
    with pytest.raises(CameraError, match=rf"film\.avi: its frames of {WIDTH} x {HEIGHT} pixels"):
        Source(film(tmp_path / "film.avi", "MJPG"))
