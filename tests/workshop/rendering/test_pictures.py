"""What is drawn: the truth fits the pixels, ink lands where it should, and the same seed draws the same."""

import csv
import io
from dataclasses import replace

import cv2
import make_samples as tool
import numpy as np
import pytest
from drawn.film import Film, Moment
from drawn.pages import draw_page
from make_samples import FOLDER
from PIL import Image as Pillow
from PIL import ImageOps

from sudoku_vision.output.drawing.figure import BLACK, WHITE
from sudoku_vision.sudoku.board import NO_MARKS, Board, board_array, board_text, parse_board
from sudoku_vision.sudoku.rules import PEERS
from sudoku_vision.sudoku.solver import count_solutions
from sudoku_vision.values import Image
from sudoku_vision.vision.locate import locate
from sudoku_vision.vision.results import Photo
from workshop.evaluation.labels import label_rows
from workshop.rendering import (
    HALF_SOLVED_KINDS,
    KINDS,
    MARK_LAYOUTS,
    Bend,
    Conditions,
    Corrections,
    DrawnGrid,
    GridStyle,
    HalfSolvedKind,
    Kind,
    Light,
    MarkLayout,
    MarkStyle,
    Optics,
    Pose,
    Writing,
    draw,
    random_conditions,
    random_puzzle,
)
from workshop.rendering.canvas import Canvas
from workshop.rendering.hands import Writer, in_typeface, many_hands, new_hand, of_database
from workshop.rendering.kinds import random_close_up
from workshop.rendering.pencil_marks import choose_marks, mark_places
from workshop.rendering.printed_grid import PrintedGrid, print_grid
from workshop.rendering.typefaces import (
    BUNDLED_FOLDERS,
    bundled_typefaces,
    is_handwriting,
    plain_typeface,
)


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def _sub_pixel_crossings(pixels: Image, guesses: np.ndarray) -> np.ndarray:
    """Find the dark cross nearest each guess (N, 2), by the centroid of dark rows and columns."""
    dark = 255.0 - cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    found = []
    for x, y in guesses:
        column, row = round(float(x)), round(float(y))
        part = dark[row - 8 : row + 9, column - 8 : column + 9] ** 2
        steps = np.arange(-8, 9)
        # Away from the crossing itself each line is alone: its own rows (columns) at the patch's edges.
        across = part[[0, 1, -2, -1]].sum(axis=0)
        down = part[:, [0, 1, -2, -1]].sum(axis=1)
        found.append((column + across @ steps / across.sum(), row + down @ steps / down.sum()))
    return np.array(found)


POSES = {
    "straight on": (Pose(), Bend()),
    "steep": (Pose(pitch=25, yaw=-15, fill=0.8), Bend()),
    "on its side": (Pose(quarter_turns=1, roll=2, fill=0.8), Bend()),
    "bow": (Pose(fill=0.8, pitch=10), Bend(arch=0.1, direction=0)),
    "creased and wavy": (Pose(fill=0.8), Bend(waves=0.004, creases=2)),
}


@pytest.mark.parametrize("name", POSES)
def test_truth_lies_on_the_drawn_crossings(name: str) -> None:
    pose, bend = POSES[name]
    style = GridStyle(thin=0.06, thick=0.06, digit_height=0.3)
    drawing = draw(_rng(5), Conditions((900, 900), grid=style, pose=pose, bend=bend, light=Light(relief=0)))
    inner = drawing.grids[0].lattice.crossings[1:-1, 1:-1].reshape(-1, 2)
    found = _sub_pixel_crossings(drawing.pixels, inner)
    # The patches cut slanted lines symmetrically, so their centroid is the crossing up to the slant's noise.
    assert np.abs(np.median(found - inner, axis=0)).max() < 0.15
    assert np.linalg.norm(found - inner, axis=1).max() < 1.2


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_whole_grids_of_well_posed_puzzles(kind: Kind) -> None:
    conditions = random_conditions(_rng(1), kind)
    drawing = draw_page(_rng(1), conditions)
    assert drawing.pixels.shape == (conditions.size[1], conditions.size[0], 3)
    assert drawing.grids
    for grid in drawing.grids:
        assert count_solutions(grid.puzzle) == 1
        assert not np.any((grid.puzzle > 0) & (grid.written > 0))
        assert np.all(grid.lattice.crossings >= 0)
        assert np.all(grid.lattice.crossings <= np.array(conditions.size) - 1)
        across = grid.lattice.crossings[:, 1:] - grid.lattice.crossings[:, :-1]
        down = grid.lattice.crossings[1:] - grid.lattice.crossings[:-1]
        turn = across[:9, :, 0] * down[:, :9, 1] - across[:9, :, 1] * down[:, :9, 0]
        assert np.all(turn > 0), "a lattice is never mirrored nor folded"


@pytest.mark.parametrize("kind", HALF_SOLVED_KINDS)
def test_half_solved_pages_have_entries_and_candidates(kind: HalfSolvedKind) -> None:
    (grid,) = draw_page(_rng(5), random_conditions(_rng(5), kind)).grids
    assert np.count_nonzero(grid.written) > 0
    assert grid.marks != NO_MARKS
    for cell, digits in enumerate(grid.marks):
        assert not digits or grid.puzzle.flat[cell] == grid.written.flat[cell] == 0
        assert not digits or int(grid.solution.flat[cell]) in digits


@pytest.mark.parametrize("seed", range(3))
def test_the_grid_fills_a_close_up_upright_and_the_same_seed_draws_the_same(seed: int) -> None:
    conditions = random_close_up(_rng(seed))
    drawing = draw(_rng(seed), conditions)
    assert np.array_equal(drawing.pixels, draw(_rng(seed), conditions).pixels)
    assert not np.array_equal(drawing.pixels, draw(_rng(seed + 1), conditions).pixels)
    (grid,) = drawing.grids
    assert max(drawing.pixels.shape) < 640
    corners = grid.lattice.corners
    assert (corners[1:3, 0] > corners[[0, 3], 0]).all() and (corners[2:, 1] > corners[:2, 1]).all()
    assert 9 * grid.lattice.cell_size > 0.7 * min(conditions.size)


def test_specks_lie_in_blank_cells_alone() -> None:
    plain = Conditions(size=(420, 420), layout="close_up", surround=0.08, pose=Pose(fill=0.85))
    clean, dirty = (draw(_rng(5), replace(plain, specks=share)) for share in (0.0, 1.0))
    (grid,) = clean.grids
    cells = (grid.lattice.crossings[:-1, :-1] + grid.lattice.crossings[1:, 1:]) / 2
    changed = (clean.pixels != dirty.pixels).any(axis=2)
    blank = 0
    for (row, column), value in np.ndenumerate(grid.puzzle):
        x, y = cells[row, column].astype(int)
        blank += value == 0 and bool(changed[y - 18 : y + 19, x - 18 : x + 19].any())
    assert blank > 40
    assert changed.mean() < 0.05


def test_a_grid_that_is_cut_off_is_named_apart() -> None:
    drawing = draw(_rng(3), Conditions(puzzles=2, pose=Pose(fill=0.9)))
    assert (len(drawing.grids), len(drawing.cut)) == (1, 1)


def test_light_optics_and_turns_do_what_they_say() -> None:
    plain, dim, soft, lying = (
        draw(_rng(1), Conditions(**changes))
        for changes in (
            {},
            {"light": Light(exposure=0.4)},
            {"optics": Optics(blur=3)},
            {"pose": Pose(quarter_turns=1)},
        )
    )
    assert dim.pixels.mean() < 0.5 * plain.pixels.mean()
    assert cv2.Laplacian(soft.pixels, cv2.CV_64F).var() < 0.2 * cv2.Laplacian(plain.pixels, cv2.CV_64F).var()
    assert np.array_equal(plain.grids[0].lattice.crossings, soft.grids[0].lattice.crossings)
    corners = lying.grids[0].lattice.corners
    assert corners[0, 0] > corners[3, 0]  # the puzzle's left side runs from right to left
    assert corners[0, 1] < corners[1, 1]


def test_the_quick_puzzle_keeps_its_stream() -> None:
    """Sample pictures, training data and seeded drawings were made with these very boards."""
    rng = _rng(4)
    puzzle, solution = random_puzzle(rng, 27)
    assert (board_text(puzzle), board_text(solution)) == (
        "900030020040000060002590000080004003690371058700800040000059400020000080060010002",
        "956437821347182965812596374285964713694371258731825649178259436529643187463718592",
    )
    assert rng.integers(1000) == 459


def test_every_frame_of_a_film_knows_where_its_grid_lies(puzzle: Board) -> None:
    still = Pose(fill=0.8)
    turned = replace(still, fill=0.65, roll=12, pitch=15, shift=(0.1, 0.0))
    moments = (Moment(0, still), Moment(1, turned))
    frames = list(Film(moments, [[puzzle]], Conditions(size=(320, 240)), rate=10, seed=3).frames())
    assert len(frames) == 11
    for frame in (frames[0], frames[-1]):
        (found,) = locate(Photo(frame.pixels))
        (truth,) = frame.grids
        assert np.abs(found.crossings - truth.lattice.crossings).mean() < 1
    starts = [frame.grids[0].lattice.crossings[0, 0] for frame in frames]
    steps = np.linalg.norm(np.diff(starts, axis=0), axis=1)
    assert steps.max() > 3 * steps[0], "a movement starts gently"


# The sample pictures: small, labelled, and the same as what the code draws.


def _labels() -> list[dict[str, str]]:
    with (FOLDER / "labels.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_folder_holds_every_sample_and_its_table() -> None:
    assert {row["file"] for row in _labels()} == {sample.file for sample in tool.SAMPLES}
    readme = (FOLDER / "README.md").read_text("utf-8")
    for sample in tool.SAMPLES:
        assert (FOLDER / sample.file).stat().st_size <= tool.MAX_BYTES
        assert f"[{sample.file}]({sample.file})" in readme


def test_labels_are_well_posed_puzzles_and_negatives_have_none() -> None:
    for row in _labels():
        assert ("negative" in row["tags"]) == (row["printed"] == "")
        if row["printed"]:
            assert count_solutions(row["printed"]) == 1
        if row["all"]:
            printed, filled = (board_array(parse_board(row[key])) for key in ("printed", "all"))
            assert np.array_equal(filled[printed > 0], printed[printed > 0])


@pytest.mark.parametrize("name", ["clean_sheet.png", "blurred_vga.jpg", "exif_turned.jpg"])
def test_a_sample_drawn_again_is_the_one_in_the_folder(name: str) -> None:
    number, sample = next(pair for pair in enumerate(tool.SAMPLES, 1) if pair[1].file == name)
    drawing = tool.draw_sample(sample)
    rows = label_rows(f"s{number:02d}", sample.file, sample.tags, drawing.grids, sample.notes)
    assert rows == [row for row in _labels() if row["file"] == name]
    again = Pillow.open(io.BytesIO(tool.encode_sample(sample, drawing.pixels)))
    with Pillow.open(FOLDER / name) as stored:
        difference = np.abs(np.asarray(again.convert("RGB"), int) - np.asarray(stored.convert("RGB"), int))
    assert difference.mean() < 1.5  # codecs and OpenCV versions differ a little


def test_the_turned_sample_is_upright_once_its_tag_is_obeyed() -> None:
    sample = next(sample for sample in tool.SAMPLES if sample.exif)
    with Pillow.open(FOLDER / sample.file) as stored:
        assert stored.size == sample.conditions.size[::-1]
        upright = ImageOps.exif_transpose(stored)
    assert upright.size == sample.conditions.size


# What is printed and written: ink lands where it should, marks and entries are those of the truth.


BLANK, SIZE = np.zeros((9, 9), np.int8), (560, 560)
STYLE = GridStyle(thin=0.05, thick=0.15, border=0.15)
GRID = PrintedGrid(20, 20, 40, BLANK, BLANK, BLANK)


def printed(grid: PrintedGrid, style: GridStyle) -> Image:
    canvas = Canvas.blank(400, 400, WHITE)
    print_grid(canvas, grid, style, plain_typeface(), WHITE, 1.0)
    return canvas.pixels[:, :, 0]


def test_shaded_boxes_and_a_lit_cell_colour_what_they_should() -> None:
    style = replace(STYLE, shaded=(4,), shade=(200, 200, 200), highlight=8, highlight_colour=(150, 150, 150))
    middles = printed(GRID, style)[40:380:40, 40:380:40]
    assert (middles[3:6, 3:6] == 200).all()
    assert (middles[0] == 150).all() and (middles[:, 8] == 150).all() and (middles[:3, 6:] == 150).all()
    assert (middles[6:, :8] == 255).all()


def test_dotted_lines_leave_paper_between_their_dots_and_none_leaves_all() -> None:
    dotted, none = (printed(GRID, replace(STYLE, thin_lines=kind)) for kind in ("dotted", "none"))
    line = slice(30, 50), 60  # of the thin line between the first two columns
    assert 0.3 < (dotted[line] < 128).mean() < 0.7
    assert (none[line] == 255).all()


def test_an_edge_within_a_pixel_covers_it_in_part_and_what_lies_beyond_the_sheet_is_left_out() -> None:
    canvas = Canvas.blank(6, 4, WHITE)
    canvas.rectangle(-9, -9, -1, 99, BLACK)
    canvas.rectangle(1.5, 1, 4, 3, BLACK)
    assert canvas.pixels[1, :, 0].tolist() == [255, 128, 0, 0, 255, 255]
    assert canvas.pixels[0].min() == canvas.pixels[3].min() == 255
    canvas = Canvas.blank(5, 5, WHITE)
    for at in ((7, 7), (3, -4)):
        canvas.ink(np.full((9, 9), 255, np.uint8), *at, BLACK)
    assert (canvas.pixels[:, 3:] == 0).all() and (canvas.pixels[:, :3] == 255).all()


@pytest.mark.parametrize("digit", "1234567890")
def test_a_digit_stands_centred_and_as_tall_as_asked(digit: str) -> None:
    canvas = Canvas.blank(100, 100, WHITE)
    canvas.glyph(digit, 50, 50, 60, plain_typeface(), BLACK)
    rows, columns = (np.flatnonzero((canvas.pixels[:, :, 0] < 128).any(axis=axis)) for axis in (1, 0))
    assert len(rows) == pytest.approx(60, abs=3)
    assert (rows[0] + rows[-1]) / 2 == pytest.approx(49.5, abs=2)
    assert (columns[0] + columns[-1]) / 2 == pytest.approx(49.5, abs=2)


def test_every_bundled_font_comes_with_its_licence() -> None:
    fonts = [font for folder in BUNDLED_FOLDERS for font in folder.glob("*-normal.*")]
    assert len(fonts) == 8
    for font in fonts:
        family = font.name.split("-latin-")[0]
        assert "Open Font License" in font.with_name(f"{family}-LICENSE.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("family", "written"),
    [("Caveat Brush", True), ("Gochi Hand", True), ("DkgHandwriting", True), ("Liberation Sans", False)],
)
def test_handwriting_is_known_by_the_family_name(family: str, written: bool) -> None:
    assert is_handwriting(family) is written


# Handwriting, pencil marks and corrections.


def database() -> Writer:
    """Two bars for each digit, the digit's number of pixels wide."""
    images = np.zeros((18, 28, 28), np.uint8)
    labels = np.tile(np.arange(1, 10), 2)
    for image, label in zip(images, labels, strict=True):
        image[4:24, 8 : 9 + label] = 255
    return of_database(images, labels)


@pytest.mark.parametrize(
    "writer",
    [*map(new_hand, map(np.random.default_rng, range(6))), many_hands(0.1), database()],
)
def test_every_writer_forms_every_digit_as_tall_as_asked(writer: Writer) -> None:
    for one in (writer, in_typeface(bundled_typefaces()[0])):
        for height in (14.0, 40.0):
            masks = [one(digit, height, np.random.default_rng(digit)) for digit in range(1, 10)]
            assert all(mask.dtype == np.uint8 and mask.max() > 150 for mask in masks)
            assert [mask.shape[0] for mask in masks] == pytest.approx([height] * 9, abs=0.15 * height)


def inked(pixels: Image, grid: DrawnGrid, rim: float = 0.1) -> np.ndarray:
    """Return the share of dark pixels of each of the 81 cells, without a rim."""
    first, last = grid.lattice.crossings[:-1, :-1], grid.lattice.crossings[1:, 1:]
    edge = rim * grid.lattice.cell_size
    shares = []
    for (left, top), (right, bottom) in zip(first.reshape(-1, 2), last.reshape(-1, 2), strict=True):
        part = pixels[int(top + edge) : int(bottom - edge), int(left + edge) : int(right - edge)]
        shares.append(float((part.min(axis=2) < 150).mean()))
    return np.array(shares)


@pytest.mark.parametrize("layout", MARK_LAYOUTS)
@pytest.mark.parametrize("height", [0.14, 0.25, 0.45])
def test_marks_stand_inside_their_cell_and_not_on_one_another(layout: MarkLayout, height: float) -> None:
    for count in (1, 4, 9):
        places, tall = mark_places(layout, list(range(1, count + 1)), height)
        assert len(set(places)) == count
        assert 0.08 < tall <= height
        reach = np.abs(places).max(axis=0) + np.array([0.29 * tall, tall / 2])
        assert (reach <= 0.5).all()
        apart = [max(abs(x - u) / 0.5, abs(y - v)) for i, (x, y) in enumerate(places) for u, v in places[:i]]
        assert min(apart, default=1.0) > 0.9 * tall


def test_the_truth_has_the_marks_that_were_drawn_and_they_hide_no_digit() -> None:
    puzzle, _ = random_puzzle(np.random.default_rng(2))
    marks = list(NO_MARKS)
    for cell in np.flatnonzero(puzzle == 0)[:9].tolist():
        marks[cell] = frozenset({2, 8})
    rng, conditions = np.random.default_rng(1), Conditions(SIZE)
    drawing = draw(rng, conditions, puzzles=[puzzle], written=[BLANK], marks=[tuple(marks)])
    (grid,) = drawing.grids
    assert grid.marks == tuple(marks)
    seen = inked(drawing.pixels, grid, 0.06) > 0.003
    assert np.array_equal(seen, (puzzle.ravel() > 0) | np.array([bool(one) for one in marks]))


def test_sensible_marks_are_candidates_and_include_the_right_one() -> None:
    puzzle, solution = random_puzzle(np.random.default_rng(3))
    grid = PrintedGrid(0, 0, 40, puzzle, BLANK, solution)
    marks = choose_marks(grid, MarkStyle(1.0, most=3, sensible=True), np.random.default_rng(4))
    for cell, digits in enumerate(marks):
        assert bool(digits) == (puzzle.flat[cell] == 0)
        assert len(digits) <= 3
        assert not digits & {int(puzzle.flat[peer]) for peer in PEERS[cell]}
        assert not digits or solution.flat[cell] in digits


@pytest.mark.parametrize("kind", ["overwritten", "crossed_out"])
def test_a_corrected_entry_counts_as_its_last_digit(kind: str) -> None:
    puzzle, _ = random_puzzle(np.random.default_rng(6))
    writings = [Writing(share=1.0, corrections=Corrections(**{kind: share})) for share in (0.0, 1.0)]
    drawings = [
        draw(np.random.default_rng(1), Conditions(SIZE, writing=writing), puzzles=[puzzle])
        for writing in writings
    ]
    plain, corrected = (drawing.grids[0] for drawing in drawings)
    assert np.array_equal(corrected.written + puzzle, corrected.solution)
    assert np.array_equal(plain.written, corrected.written)
    more = inked(drawings[1].pixels, corrected) - inked(drawings[0].pixels, plain)
    assert np.median(more[corrected.written.ravel() > 0]) > 0.01
