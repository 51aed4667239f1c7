"""The loop of live solving: frames in, what was made of them out, what the keys do, and how it ends."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from drawn.film import Film, Moment

from sudoku_vision.errors import CameraError, SaveError
from sudoku_vision.live import session as session_module
from sudoku_vision.live.session import FeedOpener, Session, SessionFrame, unused_name
from sudoku_vision.live.sources.feeds import EveryFrame, FeedState
from sudoku_vision.live.sources.source import CapturedFrame
from sudoku_vision.live.window import Window
from sudoku_vision.sudoku.board import Board
from sudoku_vision.values import Image
from sudoku_vision.vision.digits import CellClassifier
from workshop.rendering import Conditions, Drawing, Optics, Pose

pytestmark = pytest.mark.usefixtures("easily_sure")

RATE = 25

Script = Iterator[str]
"""The keys that a person presses, one each time that the loop asks for a key; empty for none."""


@pytest.fixture(scope="module")
def frames(puzzle: Board) -> list[Image]:
    """A sheet that lies still before a noisy camera."""
    conditions = Conditions(size=(640, 480), optics=Optics(noise=3))
    film = Film([Moment(0, Pose(fill=0.8)), Moment(0.1, Pose(fill=0.8))], [[puzzle]], conditions, seed=3)
    return [frame.pixels for frame in film.frames()]


class FakeFeed(EveryFrame):
    """Gives pictures over and over; after ``count`` of them it is over, or says what ``error`` it has.

    After the first one it is lost for so many calls.
    """

    def __init__(
        self,
        pictures: list[Image],
        count: int | None = None,
        *,
        error: Exception | None = None,
        lost: int = 0,
        state: FeedState = "live",
    ):
        self.pictures, self.count, self.error, self.lost = pictures, count, error, lost
        self.state: FeedState = state
        self.message = ""
        self.given = 0
        self.closed = False

    def next(self, timeout: float = 0.0) -> CapturedFrame | None:
        if self.given == 1 and self.lost:
            self.lost -= 1
            self.message = "camera 0 was unplugged." if self.lost else ""
            return None
        if self.given == self.count:
            if self.error is not None:
                raise self.error
            self.state = "ended"
        if self.state != "live":
            return None
        time.sleep(0.002)
        number = self.given
        self.given += 1
        picture = self.pictures[number % len(self.pictures)]
        return CapturedFrame(picture, number, number / RATE, time.monotonic())

    def close(self) -> None:
        self.closed = True


class Person(Window):
    """Looks at what a window shows, and presses the keys of a script; at the end ``q``."""

    closed = False

    def __init__(self, script: Script | None = None) -> None:
        self.script = script or iter(())
        self.pictures: list[Image] = []
        self._calls = 0

    def show(self, pixels: Image) -> None:
        self.pictures.append(pixels)

    def key(self) -> str:
        self._calls += 1
        assert self._calls < 1500, "what the person waits for does not come"
        return next(self.script, "q")


class Told(list[SessionFrame]):
    def until_sure(self) -> Script:
        while not self or [grid.state for grid in self[-1].grids] != ["sure"]:
            yield ""


Watch = Callable[..., Told]


@pytest.fixture
def watch(frames: list[Image], model: CellClassifier) -> Watch:
    """Let a person watch a feed of the frames, or of others, and return the reports."""

    def watched(
        person: Person,
        *feeds: FeedOpener,
        told: Told | None = None,
        folder: Path | None = None,
    ) -> Told:
        told = Told() if told is None else told
        openers = feeds or [lambda: FakeFeed(frames)]
        with Session(openers, model, person, folder=folder, on_frame=told.append) as session:
            session.run()
        return told

    return watched


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The lines below each picture that is shown."""
    written: list[list[str]] = []

    def write(picture: Image, words: list[str]) -> Image:
        written.append(words)
        return picture

    monkeypatch.setattr(session_module, "write_lines", write)
    return written


def same(one: Image | None, other: Image | None) -> bool:
    assert one is not None and other is not None
    return bool((one == other).all())


# Without a window.


def test_every_frame_is_read_and_reported(drawing: Drawing, model: CellClassifier, solution: Board) -> None:
    feed, told = FakeFeed([drawing.pixels], 4), Told()
    with Session([lambda: feed], model, on_frame=told.append) as session:
        session.run()
    assert feed.closed
    assert [made.frame.number for made in told] == [0, 1, 2, 3]
    (grid,) = told[0].grids
    assert grid.state == "sure" and grid.result is not None and grid.result.solution is not None
    assert (grid.result.solution == solution).all()
    assert not any(same(made.picture, drawing.pixels) for made in told)


@pytest.mark.parametrize(("seconds", "count"), [(0.0, 0), (0.1, 3), (0.12, 3), (1.0, 10)])
def test_it_stops_after_the_given_seconds(
    no_sudoku: Drawing, model: CellClassifier, seconds: float, count: int
) -> None:
    told = Told()
    opener = partial(FakeFeed, [no_sudoku.pixels], 10)
    with Session([opener], model, annotate=False, on_frame=told.append) as session:
        session.run(seconds)
    assert [made.picture for made in told] == [None] * count


def test_a_lost_camera_is_reported_once_and_awaited(no_sudoku: Drawing, model: CellClassifier) -> None:
    messages, told, opener = list[str](), Told(), partial(FakeFeed, [no_sudoku.pixels], 3, lost=5)
    with Session([opener], model, on_frame=told.append, on_message=messages.append) as session:
        session.run()
    assert messages == ["camera 0 was unplugged."]
    assert len(told) == 3


def test_an_error_ends_it_and_closes_the_feed(no_sudoku: Drawing, model: CellClassifier) -> None:
    lost = FakeFeed([no_sudoku.pixels], 2, error=CameraError("camera 0 hangs."))
    for window in (None, Person(iter([""] * 20))):
        with pytest.raises(CameraError), Session([lambda: lost], model, window) as session:
            session.run()
    feed, full = FakeFeed([no_sudoku.pixels], 2), Mock(side_effect=SaveError("the disk is full."))
    with pytest.raises(SaveError), Session([lambda: feed], model, on_frame=full) as session:
        session.run()
    assert lost.closed and feed.closed and feed.given == 1


# With a person at the window.


def test_closing_the_window_ends_it(frames: list[Image], watch: Watch) -> None:
    feed, person = FakeFeed(frames), Person()

    def script() -> Script:
        yield from [""] * 3
        person.closed = True
        yield ""

    person.script = script()
    assert len(watch(person, lambda: feed)) == 4
    assert feed.closed


def test_the_answers_come_up_and_s_saves_them_without_the_lines(
    watch: Watch, solution: Board, tmp_path: Path
) -> None:
    told, kept = Told(), list[Image | None]()

    def script() -> Script:
        yield from told.until_sure()
        kept.append(told[-1].picture)
        yield "s"

    person = Person(script())
    watch(person, told=told, folder=tmp_path)
    grid = told[-1].grids[0].result
    assert grid is not None and grid.solution is not None and (grid.solution == solution).all()
    (path,) = tmp_path.iterdir()
    assert same(np.asarray(cv2.imread(str(path)), np.uint8), kept[0])
    assert not same(person.pictures[-1], told[-1].picture)


def test_a_picture_that_can_not_be_saved_is_named_and_the_keys_are_always_listed(
    watch: Watch, tmp_path: Path, lines: list[list[str]]
) -> None:
    watch(Person(iter(["", "", "s", "t", "", ""])), folder=tmp_path / "gone")
    assert any("does not exist" in line for line in lines[-1])
    assert [written[-1] for written in lines] == [session_module.HELP] * len(lines)
    assert "frames/s" not in lines[0][0] and "frames/s" in lines[-1][0]
    assert all(name in lines[-1][0] for name in ("wait", "track", "draw", "show", "latency"))


def test_space_freezes_and_goes_on(frames: list[Image], watch: Watch) -> None:
    told, feed = Told(), FakeFeed(frames)
    counts: list[int] = []

    def script() -> Script:
        yield from told.until_sure()
        yield " "
        counts.append(feed.given)
        yield from [""] * 3
        counts.append(feed.given)
        yield " "
        yield from [""] * 3

    watch(Person(script()), lambda: feed, told=told)
    assert counts[1] == counts[0] and feed.given > counts[1]


@pytest.mark.parametrize(
    "keys", [["a", "a"], ["h", "", "", "", "h"], ["k", "k"], ["d", "d"], ["a", "h", "k", "a"]]
)
def test_a_key_changes_what_is_drawn_and_goes_back(
    keys: list[str], frames: list[Image], watch: Watch
) -> None:
    told = Told()

    def script() -> Script:
        yield from told.until_sure()
        yield from [" ", *keys]

    person = Person(script())
    watch(person, lambda: FakeFeed(frames[:1]), told=told)
    answers, *_, changed, again = (picture[:420] for picture in person.pictures[-len(keys) - 1 :])
    assert not same(answers, changed) and same(answers, again)


def test_r_reads_afresh(watch: Watch) -> None:
    told, numbers = Told(), list[int]()

    def script() -> Script:
        for key in ("r", "r"):
            yield from told.until_sure()
            numbers.append(told[-1].grids[0].number)
            yield key

    watch(Person(script()), told=told)
    assert numbers[0] != numbers[1]


def test_c_goes_on_to_the_next_camera_that_can_be_opened(
    frames: list[Image], watch: Watch, lines: list[list[str]]
) -> None:
    broken = Mock(side_effect=CameraError("camera 1 can't be opened.", "Close other programs."))
    first, third = FakeFeed(frames), FakeFeed([np.zeros((240, 320, 3), np.uint8)])
    told = watch(Person(iter(["", "c", "", ""])), lambda: first, broken, lambda: third)
    assert first.closed and third.closed and third.given == 3
    assert told[-1].grids == ()
    feed = FakeFeed(frames)
    watch(Person(iter(["", "c", ""])), lambda: feed, broken)
    assert feed.given == 3 and "camera 1 can't be opened." in lines[-1]


def test_the_person_is_told_why_no_picture_comes(
    frames: list[Image], watch: Watch, lines: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "SILENCE", 0.0)
    feed = FakeFeed(frames, lost=3)
    watch(Person(iter([""] * 6)), lambda: feed)
    assert any("camera 0 was unplugged." in shown for shown in lines)
    assert feed.given == 3


def test_keys_before_the_first_picture_do_no_harm(watch: Watch) -> None:
    person = Person(iter(["s", " ", "a", "h", "k", "d", "t", "r", "c", ""]))
    watch(person, lambda: FakeFeed([], state="lost"))
    assert len(person.pictures) == 10


def test_pictures_saved_in_one_second_have_names_of_their_own(tmp_path: Path) -> None:
    for end in ("", "-1", "-2"):
        path = unused_name(tmp_path, datetime(2026, 5, 4, 3, 2, 1))
        path.touch()
        assert path.name == f"sudoku-2026-05-04-030201{end}.png"
