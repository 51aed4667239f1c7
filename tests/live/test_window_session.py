"""The loop of live solving: what the keys do, what is shown, and how it ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn.film import Film, Moment

from sudoku_vision.errors import CameraError
from sudoku_vision.live import window_session
from sudoku_vision.live.session import SessionFrame
from sudoku_vision.live.sources import CapturedFrame, FeedState
from sudoku_vision.live.window_session import run_in_window, unused_name
from sudoku_vision.results import Board, Image
from sudoku_vision.vision.digits import CellClassifier, load_model
from sudoku_vision.workshop.rendering import Conditions, Optics, Pose

pytestmark = pytest.mark.usefixtures("easily_sure")

Script = Iterator[str]
"""The keys that a person presses, one whenever the loop minds them; empty for none."""

MOST_CALLS = 1500
"""Times that the loop may mind the keys before a test has failed."""


@pytest.fixture(scope="module")
def model() -> CellClassifier:
    return load_model()


@pytest.fixture(scope="module")
def frames(puzzle: Board) -> list[Image]:
    """A sheet that lies still before a noisy camera."""
    conditions = Conditions(size=(640, 480), optics=Optics(noise=3))
    film = Film([Moment(0, Pose(fill=0.8)), Moment(0.1, Pose(fill=0.8))], [[puzzle]], conditions, seed=3)
    return [frame.pixels for frame in film.frames()]


class FakeFrames:
    """Gives pictures over and over; after ``count`` of them it is over, or says what ``error`` it has."""

    def __init__(
        self, pictures: list[Image], count: int | None = None, error: Exception | None = None
    ) -> None:
        self.pictures, self.count, self.error = pictures, count, error
        self.state: FeedState = "live"
        self.message = ""
        self.given = 0
        self.closed = False

    def next(self, timeout: float) -> CapturedFrame | None:
        if self.given == self.count:
            if self.error is not None:
                raise self.error
            self.state = "ended"
        if self.state != "live":
            return None
        time.sleep(0.002)
        number = self.given
        self.given += 1
        return CapturedFrame(
            self.pictures[number % len(self.pictures)], number, number / 30, time.monotonic()
        )

    def close(self) -> None:
        self.closed = True


class Person:
    """Sits before a screen, sees what is shown, and presses keys as a script has it; in the end ``q``."""

    def __init__(self, script: Script | None = None) -> None:
        self.script = script or iter(())
        self.closed = False
        self.pictures: list[Image] = []
        self._calls = 0

    def show(self, pixels: Image) -> None:
        self.pictures.append(pixels)

    def key(self) -> str:
        self._calls += 1
        assert self._calls < MOST_CALLS, "what the person waits for does not come"
        return next(self.script, "q")


class Told:
    """Keeps what is told of the frames."""

    def __init__(self) -> None:
        self.all: list[SessionFrame] = []

    def __call__(self, shown: SessionFrame) -> None:
        self.all.append(shown)

    @property
    def last(self) -> SessionFrame:
        return self.all[-1]

    @property
    def sure(self) -> bool:
        return bool(self.all) and [grid.state for grid in self.last.grids] == ["sure"]

    @property
    def number(self) -> int:
        return self.last.grids[0].number


def until(condition: Callable[[], bool]) -> Script:
    """Wait."""
    while not condition():
        yield ""


def frames_long(count: int) -> Script:
    """Wait for so many frames."""
    yield from [""] * count


def same(one: Image | None, other: Image | None) -> bool:
    assert one is not None and other is not None
    return bool((one == other).all())


def test_closing_the_window_ends_it(frames: list[Image], model: CellClassifier) -> None:
    source, person, told = FakeFrames(frames), Person(), Told()

    def script() -> Script:
        yield from frames_long(3)
        person.closed = True
        yield ""

    person.script = script()
    run_in_window([lambda: source], model, person, on_frame=told)
    assert source.closed and len(told.all) == 4


def test_it_ends_after_the_seconds_asked_for(frames: list[Image], model: CellClassifier) -> None:
    told = Told()
    run_in_window([lambda: FakeFrames(frames)], model, Person(frames_long(100)), seconds=0.2, on_frame=told)
    assert len(told.all) == 7


def test_the_answers_come_up(frames: list[Image], model: CellClassifier, solution: Board) -> None:
    told, source = Told(), FakeFrames(frames)
    run_in_window([lambda: source], model, Person(until(lambda: told.sure)), on_frame=told)
    grid = told.last.grids[0].result
    assert grid is not None and grid.solution is not None and (grid.solution == solution).all()
    assert not same(told.last.picture, told.last.frame.pixels)


def test_s_saves_the_annotated_picture_without_the_lines_for_the_person(
    frames: list[Image], model: CellClassifier, tmp_path: Path
) -> None:
    told = Told()
    kept: list[Image | None] = []

    def script() -> Script:
        yield from until(lambda: told.sure)
        kept.append(told.last.picture)
        yield "s"

    person = Person(script())
    run_in_window([lambda: FakeFrames(frames)], model, person, folder=tmp_path, on_frame=told)
    (path,) = tmp_path.iterdir()
    assert same(np.asarray(cv2.imread(str(path)), np.uint8), kept[0])
    assert not same(person.pictures[-1], told.last.picture)


def test_a_picture_that_cannot_be_saved_is_no_end(
    frames: list[Image], model: CellClassifier, tmp_path: Path, lines: list[list[str]]
) -> None:
    def script() -> Script:
        yield from ["", "", "s", "", ""]

    run_in_window([lambda: FakeFrames(frames)], model, Person(script()), folder=tmp_path / "gone")
    assert any("does not exist" in line for line in lines[-1])


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The lines below each picture that is shown."""
    written: list[list[str]] = []

    def write(picture: Image, words: list[str]) -> Image:
        written.append(words)
        return picture

    monkeypatch.setattr(window_session, "write_lines", write)
    return written


def test_the_keys_are_always_told(frames: list[Image], model: CellClassifier, lines: list[list[str]]) -> None:
    run_in_window([lambda: FakeFrames(frames)], model, Person(iter(["", "", "t", ""])))
    assert [written[-1] for written in lines] == [window_session.HELP] * len(lines)
    assert "frames/s" not in lines[0][0] and "frames/s" in lines[-1][0]
    assert all(name in lines[-1][0] for name in ("wait", "track", "draw", "show", "latency"))


def test_space_freezes_and_goes_on(frames: list[Image], model: CellClassifier) -> None:
    told, source = Told(), FakeFrames(frames)
    counts: list[int] = []

    def script() -> Script:
        yield from until(lambda: told.sure)
        yield " "
        counts.append(source.given)
        yield from frames_long(3)
        counts.append(source.given)
        yield " "
        yield from frames_long(3)
        counts.append(source.given)

    person = Person(script())
    run_in_window([lambda: source], model, person, on_frame=told)
    assert counts[1] == counts[0] and counts[2] > counts[1]


def pictures_after(keys: list[str], frames: list[Image], model: CellClassifier) -> list[Image]:
    """The annotated pictures after each of the keys, all of the same frame."""
    told = Told()

    def script() -> Script:
        yield from until(lambda: told.sure)
        yield from [" ", *keys]

    person = Person(script())
    run_in_window([lambda: FakeFrames(frames[:1])], model, person, on_frame=told)
    return [picture[:420] for picture in person.pictures[-len(keys) - 1 :]]


@pytest.mark.parametrize("keys", [["a", "a"], ["h", "", "", "", "h"], ["k", "k"], ["d", "d"]])
def test_a_key_changes_what_is_drawn_and_goes_back(
    keys: list[str], frames: list[Image], model: CellClassifier
) -> None:
    answers, *_, changed, again = pictures_after(keys, frames, model)
    assert not same(answers, changed) and same(answers, again)


def test_a_leads_to_all_answers(frames: list[Image], model: CellClassifier) -> None:
    answers, *_, again = pictures_after(["a", "h", "k", "a"], frames, model)
    assert same(answers, again)


def test_r_reads_afresh(frames: list[Image], model: CellClassifier) -> None:
    told = Told()
    numbers: list[int] = []

    def script() -> Script:
        yield from until(lambda: told.sure)
        numbers.append(told.number)
        yield "r"
        yield from until(lambda: told.sure)
        numbers.append(told.number)

    run_in_window([lambda: FakeFrames(frames)], model, Person(script()), on_frame=told)
    assert numbers[0] != numbers[1]


def test_c_goes_on_to_the_next_camera_that_can_be_opened(frames: list[Image], model: CellClassifier) -> None:
    first, third = FakeFrames(frames), FakeFrames([np.zeros((240, 320, 3), np.uint8)])

    def broken() -> FakeFrames:
        raise CameraError("camera 1 can't be opened.")

    told = Told()
    run_in_window(
        [lambda: first, broken, lambda: third], model, Person(iter(["", "c", "", ""])), on_frame=told
    )
    assert first.closed and third.closed and third.given == 3
    assert told.last.grids == ()


def test_c_stays_where_the_others_cannot_be_opened(
    frames: list[Image], model: CellClassifier, lines: list[list[str]]
) -> None:
    def broken() -> FakeFrames:
        raise CameraError("camera 1 can't be opened.", "Close other programs.")

    source = FakeFrames(frames)
    run_in_window([lambda: source, broken], model, Person(iter(["", "c", ""])))
    assert source.given == 3 and "camera 1 can't be opened." in lines[-1]


def test_a_camera_that_was_unplugged_is_told_of_and_waited_for(
    frames: list[Image], model: CellClassifier, lines: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window_session, "SILENCE", 0.0)
    source = FakeFrames(frames)

    def script() -> Script:
        yield from frames_long(2)
        source.state, source.message = "lost", "camera 0 was unplugged. Plug it in again."
        yield from frames_long(2)
        source.state, source.message = "live", ""
        yield from frames_long(2)

    run_in_window([lambda: source], model, Person(script()))
    assert any("camera 0 was unplugged. Plug it in again." in shown for shown in lines)
    assert source.given == 4


def test_a_camera_that_is_lost_for_good_is_an_error_and_closed(
    frames: list[Image], model: CellClassifier
) -> None:
    source = FakeFrames(frames, count=2, error=CameraError("camera 0 hangs."))
    with pytest.raises(CameraError):
        run_in_window([lambda: source], model, Person(frames_long(20)))
    assert source.closed


def test_keys_before_the_first_picture_do_no_harm(model: CellClassifier, lines: list[list[str]]) -> None:
    source = FakeFrames([])
    source.state = "lost"
    person = Person(iter(["s", " ", "a", "h", "k", "d", "t", "r", "c", ""]))
    run_in_window([lambda: source], model, person)
    assert len(person.pictures) == 10


def test_pictures_saved_in_one_second_have_names_of_their_own(tmp_path: Path) -> None:
    now = datetime(2026, 5, 4, 3, 2, 1)
    names = []
    for _ in range(3):
        path = unused_name(tmp_path, now)
        path.touch()
        names.append(path.name)
    assert names == [f"sudoku-2026-05-04-030201{end}.png" for end in ("", "-1", "-2")]
