"""The loop without a window: frames in, what was made of them out, and how it ends."""

from __future__ import annotations

import pytest

from sudoku_vision.errors import CameraError, SaveError
from sudoku_vision.live.session import Session, SessionFrame
from sudoku_vision.live.sources import CapturedFrame, FeedState
from sudoku_vision.results import Board, Image
from sudoku_vision.vision.digits import CellClassifier, load_model
from sudoku_vision.workshop.rendering import Drawing

RATE = 25


@pytest.fixture(scope="module")
def model() -> CellClassifier:
    return load_model()


class FakeFeed:
    """Gives a picture so many times; meanwhile it may be lost for a few calls."""

    def __init__(self, picture: Image, count: int, lost: int = 0, error: Exception | None = None) -> None:
        self.picture, self.count, self.lost, self.error = picture, count, lost, error
        self.given = 0
        self.closed = False

    @property
    def state(self) -> FeedState:
        return "ended" if self.given == self.count else "live"

    @property
    def message(self) -> str:
        return "camera 0 was unplugged." if self.lost else ""

    def next(self, timeout: float) -> CapturedFrame | None:
        if self.given == 1 and self.lost:
            self.lost -= 1
            return None
        if self.given == self.count:
            if self.error is not None:
                raise self.error
            return None
        number = self.given
        self.given += 1
        return CapturedFrame(self.picture, number, number / RATE)

    def close(self) -> None:
        self.closed = True


@pytest.mark.usefixtures("easily_sure")
def test_every_frame_is_worked_out_and_told(drawing: Drawing, model: CellClassifier, solution: Board) -> None:
    feed, made = FakeFeed(drawing.pixels, 4), list[SessionFrame]()
    with Session(feed, model, on_frame=made.append) as session:
        session.run()
    assert feed.closed
    assert [one.frame.number for one in made] == [0, 1, 2, 3]
    (grid,) = made[0].grids
    assert grid.state == "sure" and grid.result is not None and grid.result.solution is not None
    assert (grid.result.solution == solution).all()
    assert all(one.picture is not None and (one.picture != drawing.pixels).any() for one in made)


def test_no_picture_is_drawn_that_nobody_wants(no_sudoku: Drawing, model: CellClassifier) -> None:
    made = list[SessionFrame]()
    with Session(FakeFeed(no_sudoku.pixels, 2), model, annotate=False, on_frame=made.append) as session:
        session.run()
    assert [one.picture for one in made] == [None, None]


@pytest.mark.parametrize(("seconds", "count"), [(0.0, 0), (0.1, 3), (0.12, 3), (1.0, 10)])
def test_it_takes_the_frames_of_so_many_seconds(
    no_sudoku: Drawing, model: CellClassifier, seconds: float, count: int
) -> None:
    made = list[SessionFrame]()
    with Session(FakeFeed(no_sudoku.pixels, 10), model, on_frame=made.append) as session:
        session.run(seconds)
    assert len(made) == count


def test_a_lost_camera_is_told_of_once_and_waited_for(no_sudoku: Drawing, model: CellClassifier) -> None:
    messages, made = list[str](), list[SessionFrame]()
    feed = FakeFeed(no_sudoku.pixels, 3, lost=5)
    with Session(feed, model, on_frame=made.append, on_message=messages.append) as session:
        session.run()
    assert messages == ["camera 0 was unplugged."]
    assert len(made) == 3


def test_what_goes_wrong_ends_it_and_closes_the_feed(no_sudoku: Drawing, model: CellClassifier) -> None:
    def full(made: SessionFrame) -> None:
        raise SaveError("the disk is full.")

    broken = FakeFeed(no_sudoku.pixels, 2, error=CameraError("camera 0 hangs."))
    with pytest.raises(CameraError), Session(broken, model) as session:
        session.run()
    full_disk = FakeFeed(no_sudoku.pixels, 2)
    with pytest.raises(SaveError), Session(full_disk, model, on_frame=full) as session:
        session.run()
    assert broken.closed and full_disk.closed and full_disk.given == 1
