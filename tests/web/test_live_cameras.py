"""Frames of cameras are answered one by one, each camera by itself, and old ones are forgotten."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION
from drawn_grids import draw_jigsaw
from examples import REGIONS
from handler_samples import KEY

from sudoku_vision.live.draw import STATE_COLOURS
from sudoku_vision.output.drawing.figure import hex_colour
from sudoku_vision.output.save import encode
from sudoku_vision.vision.digits import load_model
from sudoku_vision.web.job_handler import JobHandler
from sudoku_vision.web.settings import Limits
from workshop.rendering import Drawing


@pytest.fixture
def live() -> Iterator[JobHandler]:
    """A handler that follows two cameras at most."""
    made = JobHandler(load_model(), KEY, Limits(live_clients=2))
    yield made
    made._tracking.shutdown(cancel_futures=True)


@pytest.fixture(scope="module")
def frame(drawing: Drawing) -> bytes:
    """A frame with a grid in it."""
    return encode(drawing.pixels, ".jpg")


def followed(live: JobHandler, camera: str, frame: bytes, state: str) -> dict[str, Any]:
    """The first answer in that *state*; searching goes on beside the frames."""
    for _ in range(100):
        answer = live.live(camera, frame)
        if answer["state"] == state:
            return answer
        time.sleep(0.03)
    raise AssertionError(f"no frame was {state}")


def test_a_grid_is_found_read_and_answered(live: JobHandler, frame: bytes, drawing: Drawing) -> None:
    answer = followed(live, "one", frame, "sure")
    assert answer["size"] == [480, 480] and answer["frame"] > 0
    (grid,) = answer["grids"]
    assert (grid["status"], grid["puzzle"], grid["solution"]) == ("solved", PUZZLE, SOLUTION)
    assert grid["written"] == "0" * 81
    away = np.abs(np.array(grid["crossings"]) - drawing.grids[0].lattice.crossings)
    assert away.max() < 0.1 * drawing.grids[0].lattice.cell_size
    digits = [shape for shape in grid["shapes"] if "digit" in shape and shape["layer"] == "ink"]
    assert len(digits) == PUZZLE.count("0")
    assert f'stroke="{hex_colour(STATE_COLOURS["sure"])}"' in grid["shapes"][-1]["svg"]
    checked = live.live("one", frame, "check")["grids"][0]
    assert not [shape for shape in checked["shapes"] if "digit" in shape] and checked["words"]
    assert checked["check"] == {"right": 0, "wrong": 0, "unclear": 0, "left": PUZZLE.count("0")}


def test_a_jigsaw_tells_its_rules_and_hints_go_by_them(live: JobHandler) -> None:
    frame = encode(draw_jigsaw(), ".jpg")
    (grid,) = followed(live, "one", frame, "sure")["grids"]
    assert grid["rules"] == {"name": "jigsaw", "regions": REGIONS}
    for _ in range(100):
        (grid,) = live.live("one", frame, "hint")["grids"]
        if grid.get("hint"):
            break
        time.sleep(0.03)
    assert grid["hint"]["placements"] and max(grid["hint"]["units"], default=0) not in range(18, 27)
    assert grid["hint"]["name"] and grid["hint"]["place"] and grid["hint"]["text"] in grid["words"][0]


def test_cameras_know_nothing_of_one_another_and_the_oldest_go(live: JobHandler, frame: bytes) -> None:
    numbers = [live.live(camera, frame)["frame"] for camera in ("one", "one", "two", "one", "three")]
    assert numbers == [0, 1, 0, 2, 0] and len(live._cameras) == 2
    assert live.live("one", frame)["frame"] == 3, "the one that was seen last stays"
    assert live.live("two", frame)["frame"] == 0
    for camera in ("two", "never begun"):
        live.forget(camera)
    assert len(live._cameras) == 1
