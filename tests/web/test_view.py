"""The page gets what is drawn in pixels of its picture: lines, areas, digits, covers and tags."""

import base64
import json

import cv2
import numpy as np
import pytest
from handler_samples import SAMPLES

from sudoku_vision.output.overlay.answer_drawing import grid_shapes
from sudoku_vision.output.overlay.background_fill import cover_ink
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.output.overlay.shapes import DrawnDigit, DrawnLine, Fade, Tag, Wash
from sudoku_vision.pipeline import read_page
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Doubt, Lattice, Photo, Reading
from sudoku_vision.web.view import cover_dicts, pen_paths, shape_dicts
from workshop.rendering import Drawing

FLAT = Lattice((100.0 * np.stack(np.meshgrid(range(10), range(10)), axis=-1)).astype(np.float32))
SIZE = (1000, 1000)


def test_shapes_lie_in_pixels_of_the_picture() -> None:
    hollow = DrawnDigit(12, 5, PrintStyle(), (205, 80, 0), hollow=True)
    line = DrawnLine(((4.12, 2.86), (4.68, 2.3)), 0.055, (20, 20, 215))
    washes = Wash((0,), (120, 225, 255), 0.5), Wash((1,), (0, 0, 255), 1, dark=True)
    drawn = shape_dicts((hollow, line, Fade(3, 0.5), *washes), FLAT, SIZE)
    digit, *others = json.loads(json.dumps(drawn))
    assert (digit["shape"], digit["cell"], digit["digit"]) == ("digit", 12, 5)
    assert digit["matrix"] == pytest.approx([48, 0, 0, 48, 350, 150], abs=0.01)  # of a height of 0.48 cells
    rim, edges, inside = digit["strokes"]
    assert rim[2:] == ["#f8f8f8", 0.92] and edges[2:] == ["#0050cd", 1] and inside[2:] == ["#f8f8f8", 1]
    assert rim[1] > edges[1] > inside[1] and "5" in pen_paths()
    assert others == [
        {
            "shape": "line",
            "points": [[412, 286], [468, 230]],
            "width": 5.5,
            "colour": "#d71414",
            "closed": False,
        },
        {"shape": "cover", "cell": 3, "strength": 0.5},
        {
            "shape": "area",
            "polygons": [[[0, 0], [100, 0], [100, 100], [0, 100]]],
            "colour": "#fff0bc",
            "blend": "multiply",
        },
        {
            "shape": "area",
            "polygons": [[[100, 0], [200, 0], [200, 100], [100, 100]]],
            "colour": "#660000",
            "blend": "screen",
        },
    ]


def test_a_tag_has_room_for_its_words_in_every_language() -> None:
    english, longest = ("several solutions", "plusieurs solutions")
    tags = [Tag("many_solutions", words, (190, 40, 160)) for words in (english, longest)]
    one, other = (shape_dicts([tag], Lattice(FLAT.crossings + 50), (1000, 1000)) for tag in tags)
    assert one == other
    (tag,) = one
    assert (tag["shape"], tag["status"], tag["ink"]) == ("tag", "many_solutions", "#ffffff")
    assert tag["width"] > 8 * tag["em"]


def test_all_that_is_drawn_of_a_doubtful_grid_is_sent(drawing: Drawing) -> None:
    grid = drawing.grids[0]
    doubts = (Doubt(0, (5, 6), (0.6, 0.4)),)
    reading = Reading(grid.puzzle, 0 * grid.puzzle, grid.solution, 1, 0.9, doubts=doubts)
    shapes = grid_shapes(Grid("uncertain", grid.lattice, reading), PrintStyle())
    sent = shape_dicts(shapes, grid.lattice, (drawing.pixels.shape[1], drawing.pixels.shape[0]))
    assert len(sent) == len(shapes) and {one["shape"] for one in sent} == {"digit", "line", "tag"}


def test_covers_hide_what_the_command_line_hides() -> None:
    photo = Photo(np.ascontiguousarray(cv2.imread(str(SAMPLES / "pencil.jpg")), np.uint8))
    (grid,) = read_page(photo).grids
    marked = [cell for cell, marks in enumerate(grid.marks) if marks]
    covers = cover_dicts(photo, grid.lattice, marked)
    assert set(covers) == {str(cell) for cell in marked}
    ours, theirs = photo.pixels.astype(float), photo.pixels.copy()
    for cell in marked:
        cover_ink(theirs, grid.lattice.cell(*divmod(cell, 9)), 1.0)
        lay(ours, covers[str(cell)]["href"], covers[str(cell)]["box"])
    inked = np.abs(photo.pixels.astype(int) - theirs).max(axis=2) > 30
    assert inked.sum() > 1_000
    assert np.abs(ours - theirs)[inked].mean() < 6


def lay(picture: np.ndarray[tuple[int, ...], np.dtype[np.float64]], href: str, box: list[float]) -> None:
    """Lay a cover on a picture where a browser would."""
    data = np.frombuffer(base64.b64decode(href.removeprefix("data:image/png;base64,")), np.uint8)
    cover = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    assert cover is not None
    left, top, width, height = box
    across, down = width / cover.shape[1], height / cover.shape[0]
    matrix = np.array([[across, 0, left + across / 2], [0, down, top + down / 2]])
    laid = cv2.warpAffine(cover, matrix, picture.shape[1::-1]).astype(float)
    share = laid[:, :, 3:] / 255
    picture[:] = picture * (1 - share) + laid[:, :, :3] * share
