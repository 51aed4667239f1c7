"""The page gets what is drawn in pixels of its picture: lines, areas, digits, covers and tags."""

import base64
import json
import re

import cv2
import numpy as np
import pytest
from handler_samples import SAMPLES

from sudoku_vision.output.drawing.figure import Line
from sudoku_vision.output.drawing.text_metrics import text_width
from sudoku_vision.output.overlay.answer_drawing import grid_shapes
from sudoku_vision.output.overlay.background_fill import cover_ink
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.output.overlay.shapes import DrawnDigit, Fade, Tag, Wash
from sudoku_vision.pipeline import read_page
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Doubt, Lattice, Photo, Reading
from sudoku_vision.web.app import STATIC
from sudoku_vision.web.view import cover_dicts, pen_paths, shape_dicts
from workshop.rendering import Drawing

FLAT = Lattice((100.0 * np.stack(np.meshgrid(range(10), range(10)), axis=-1)).astype(np.float32))
SIZE = (1000, 1000)


def test_shapes_lie_in_pixels_of_the_picture() -> None:
    hollow = DrawnDigit(12, 5, PrintStyle(), (205, 80, 0), hollow=True)
    line = Line(((4.12, 2.86), (4.68, 2.3)), 0.055, (20, 20, 215))
    washes = Wash((0,), (120, 225, 255), 0.5), Wash((1,), (0, 0, 255), 1, dark=True)
    drawn = shape_dicts((hollow, line, Fade(3, 0.5), *washes), FLAT, SIZE)
    rim, digit, *others = json.loads(json.dumps(drawn))
    names = {"cell": 12, "digit": 5}
    assert rim | {"svg": ""} == {"layer": "cover", **names, "svg": ""}
    assert digit | {"svg": ""} == {"layer": "ink", **names, "svg": ""}
    (matrix,) = re.findall(r"matrix\(([^)]+)\)", digit["svg"])
    placed = [48, 0, 0, 48, 350, 150]  # 0.48 cells high
    assert [*map(float, matrix.split())] == pytest.approx(placed, abs=0.01)
    (pale,), (edges, inside) = (re.findall(r"<use ([^>]+)/>", one["svg"]) for one in (rim, digit))
    widths = [float(re.findall('stroke-width="([^"]+)"', one)[0]) for one in (pale, edges, inside)]
    assert widths == sorted(widths, reverse=True)
    assert 'stroke="#f8f8f8"' in pale and 'stroke-opacity="0.92"' in pale
    assert 'stroke="#0050cd"' in edges and 'stroke="#f8f8f8"' in inside and 'href="#pen-5"' in inside
    assert others == [
        {"layer": "ink", "svg": '<path d="M412 286L468 230" stroke="#d71414" stroke-width="5.5"/>'},
        {"layer": "cover", "cell": 3, "svg": '<g opacity="0.5">{cover}</g>'},
        {"layer": "multiply", "svg": '<path d="M0 0L100 0L100 100L0 100z" fill="#fff0bc"/>'},
        {"layer": "screen", "svg": '<path d="M100 0L200 0L200 100L100 100z" fill="#660000"/>'},
    ]


def test_the_page_has_the_pens_that_the_service_names() -> None:
    paths = re.findall(r'<path id="pen-(\d)" d="([^"]+)"/>', (STATIC / "hero.svg").read_text("utf-8"))
    for digit, path in pen_paths().items():
        drawn, own = (re.findall(r"-?[\d.]+", one) for one in (dict(paths)[digit], path))
        assert [*map(float, drawn)] == pytest.approx([*map(float, own)], abs=0.001)


def test_a_tag_has_room_for_its_words_in_every_language() -> None:
    english, longest = ("several solutions", "plusieurs solutions")
    tags = [Tag("many_solutions", words, (190, 40, 160)) for words in (english, longest)]
    one, other = (shape_dicts([tag], Lattice(FLAT.crossings + 50), (1000, 1000)) for tag in tags)
    assert one == other
    (tag,) = one
    assert tag["layer"] == "ink" and "{tag.many_solutions}</text>" in tag["svg"]
    ((width, letters),) = re.findall(r'd="M0 0H([\d.]+)V.* font-size="([\d.]+)"', tag["svg"])
    assert float(width) > text_width(longest, float(letters), bold=True)


def test_all_that_is_drawn_of_a_doubtful_grid_is_sent(drawing: Drawing) -> None:
    grid = drawing.grids[0]
    doubts = (Doubt(0, (5, 6), (0.6, 0.4)),)
    reading = Reading(grid.puzzle, 0 * grid.puzzle, grid.solution, 1, 0.9, doubts=doubts)
    shapes = grid_shapes(Grid("uncertain", grid.lattice, reading), PrintStyle())
    sent = shape_dicts(shapes, grid.lattice, (drawing.pixels.shape[1], drawing.pixels.shape[0]))
    ink = [one["svg"] for one in sent if one["layer"] == "ink"]
    assert [any(sign in one for one in ink) for sign in ("<use", "<path", "<text")] == [True] * 3
    assert len(ink) == len(shapes)


def test_covers_hide_what_the_command_line_hides() -> None:
    photo = Photo(np.ascontiguousarray(cv2.imread(str(SAMPLES / "pencil.jpg")), np.uint8))
    (grid,) = read_page(photo).grids
    marked = [cell for cell, marks in enumerate(grid.marks) if marks]
    covers = cover_dicts(photo, grid.lattice, marked)
    assert set(covers) == {str(cell) for cell in marked}
    ours, theirs = photo.pixels.astype(float), photo.pixels.copy()
    for cell in marked:
        cover_ink(theirs, grid.lattice.cell(*divmod(cell, 9)), 1.0)
        lay(ours, covers[str(cell)]["svg"])
    inked = np.abs(photo.pixels.astype(int) - theirs).max(axis=2) > 30
    assert inked.sum() > 1_000
    assert np.abs(ours - theirs)[inked].mean() < 6


def lay(picture: np.ndarray[tuple[int, ...], np.dtype[np.float64]], svg: str) -> None:
    """Lay a cover on a picture where a browser would."""
    (packed,) = re.findall('href="data:image/png;base64,([^"]+)"', svg)
    data = np.frombuffer(base64.b64decode(packed), np.uint8)
    cover = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    assert cover is not None
    sizes = (re.findall(f' {name}="([^"]+)"', svg)[0] for name in ("x", "y", "width", "height"))
    left, top, width, height = map(float, sizes)
    across, down = width / cover.shape[1], height / cover.shape[0]
    matrix = np.array([[across, 0, left + across / 2], [0, down, top + down / 2]])
    laid = cv2.warpAffine(cover, matrix, picture.shape[1::-1]).astype(float)
    share = laid[:, :, 3:] / 255
    picture[:] = picture * (1 - share) + laid[:, :, :3] * share
