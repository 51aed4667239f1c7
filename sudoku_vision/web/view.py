"""Makes the data with which a browser draws the content of grids over the picture that was read.

Only the web page of this program needs these data.
"""

import base64
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sudoku_vision.output.drawing.figure import BLACK, Area, Line, hex_colour
from sudoku_vision.output.drawing.puzzle_figure import lines
from sudoku_vision.output.drawing.svg import FAMILIES, svg_element
from sudoku_vision.output.drawing.text_metrics import CAP_HEIGHT, text_width
from sudoku_vision.output.overlay.answer_drawing import answer_colour
from sudoku_vision.output.overlay.background_fill import ink_cover
from sudoku_vision.output.overlay.flatten import (
    LETTERS,
    RIM,
    Cover,
    Label,
    PenDigit,
    Primitive,
    flatten,
    ink_corners,
    laid_colour,
    letter_colour,
)
from sudoku_vision.output.overlay.hint_drawing import step_style, steps_shapes
from sudoku_vision.output.overlay.print_style import PrintStyle, on_dark_paper
from sudoku_vision.output.overlay.shapes import DrawnDigit, Shape, Shapes, Stroke, Tag
from sudoku_vision.output.overlay.stroke_font import PEN_PATHS, WIDTH, Path2D
from sudoku_vision.output.save import encode, reduced
from sudoku_vision.sudoku.board import Board, Marks, area_names, board_text
from sudoku_vision.sudoku.logic.steps import Step
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.texts import Sentence, language_names, say
from sudoku_vision.values import Image
from sudoku_vision.vision.decode.overrides import clues_by_hand
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Lattice, Photo
from sudoku_vision.web.state import GridState

PREVIEW_SIDE = 1600
"""Longer side of a preview, in pixels. Such a picture is sharp on a large screen, and has a few hundred
kilobytes."""
COVER_SIDE = 48
"""Covers (pictures of paper that hide ink) are made from a reduced copy of the photo. The cells of the copy
have at most this side, in pixels. This is enough, because paper is smooth."""


def grid_view(
    grid: Grid, kept: GridState, state: str, shapes: Shapes, photo: Photo | None = None
) -> dict[str, Any]:
    """Return what a browser needs to draw a *grid* with *shapes* on it, as a JSON object.

    *kept* is the state from which the grid was decoded, and *state* is its signed text. If *photo* is
    given, the result also has pictures of paper that cover the ink.
    """
    shown = grid.answers if grid.status in ("solved", "uncertain") else None
    doubtful = {doubt.cell for doubt in grid.doubts}
    inked = [cell for cell in range(81) if grid.marks[cell] or grid.written.flat[cell] or cell in doubtful]
    return {
        "crossings": crossings_list(grid.lattice),
        "answers": board_text(np.zeros((9, 9), np.int8) if shown is None else shown),
        "unclear": list(grid.reading.unclear),
        "hidden": area_names(grid.hidden),
        "clues_by_hand": kept.scores is not None and clues_by_hand(kept.scores, kept.board.clues),
        "look": _look(kept.print_style, grid),
        "lines": board_lines(grid.rules),
        "units": {str(number): list(cells) for number, cells in grid.rules.units.items()},
        "shapes": shape_dicts(shapes, grid.lattice, kept.size),
        "covers": cover_dicts(photo, grid.lattice, inked, grid.rules) if photo else {},
        "state": state,
    }


def board_lines(rules: Rules) -> str:
    """Return the lines and cages of a flat board as SVG. The length unit is the side of a cell."""
    cell = 8.0  # in millimetres, as on paper
    drawn = "".join(map(svg_element, lines(cell, rules)))
    box = f'viewBox="0 0 {9 * cell:g} {9 * cell:g}" width="9" height="9" overflow="visible"'
    style = f'fill="none" stroke="none" stroke-linecap="round" font-family="{FAMILIES}"'
    return f'<svg {box} aria-hidden="true"><g {style}>{drawn}</g></svg>'


def _look(style: PrintStyle, grid: Grid) -> dict[str, Any]:
    """Return how a browser must draw a digit so that it looks like an answer.

    The unit of length is the side of a cell.
    """
    full = DrawnDigit(0, 1, style, BLACK, halo=True).strokes(1 / grid.lattice.cell_size)
    height = style.height - style.weight
    return {
        "height": round(height, 4),
        "middle": [round(place, 4) for place in style.middle],
        "strokes": [[round(stroke.width / height, 4), stroke.strength] for stroke in full],
        "paper": hex_colour(style.paper),
        "colour": hex_colour(answer_colour(grid, style)),
        "dark": on_dark_paper(style),
    }


def shape_dicts(shapes: Iterable[Shape], lattice: Lattice, size: tuple[int, int]) -> list[dict[str, Any]]:
    """Return *shapes* on a grid for JSON, each with its SVG text and its ``layer``.

    The unit of length in the SVG is a pixel of the picture. *size*: width and height of the picture. A shape
    in a single cell has the key ``cell``. The SVG contains placeholders in braces, which the page replaces.
    ``{paper}`` becomes the colour of the paper in the cell, and ``{cover}`` the picture that covers the cell.
    ``{tag.uncertain}`` and similar names become words in the language of the page. Each tag is wide enough
    for its words in any language.
    """
    roomy = (replace(one, words=_longest_words(one)) if isinstance(one, Tag) else one for one in shapes)
    return [one for flat in flatten(roomy, lattice, pixel=1.0, room=size) for one in _drawn(flat)]


def _drawn(primitive: Primitive) -> Iterator[dict[str, Any]]:
    match primitive:
        case Line():
            wide = replace(primitive, width=max(primitive.width, 1.0))
            yield {"layer": "ink", "svg": svg_element(wide)}
        case Area():
            laid = replace(primitive, colour=laid_colour(primitive), opacity=1.0)
            yield {"layer": primitive.blend, "svg": svg_element(laid)}
        case Cover(cell, _, strength):
            yield {"layer": "cover", "cell": cell, "svg": f'<g opacity="{strength}">{{cover}}</g>'}
        case PenDigit():
            names = {"cell": primitive.shape.cell, "digit": primitive.shape.digit}
            # The pale rim of a digit lies below the ink of all digits.
            for layer, is_rim in (("cover", True), ("ink", False)):
                if strokes := [one for one in primitive.strokes if (one.strength < 1) == is_rim]:
                    yield {"layer": layer, **names, "svg": _pen_strokes(primitive, strokes)}
        case Label():
            yield {"layer": "ink", "svg": _tag(primitive)}


def _pen_strokes(digit: PenDigit, strokes: Iterable[Stroke]) -> str:
    """Return *strokes* of a digit as SVG. The SVG refers to the paths of :func:`pen_paths` in the page."""
    drawn = "".join(
        f'<use href="#pen-{digit.shape.digit}" '
        f'stroke="{hex_colour(one.colour) if one.colour else "{paper}"}" '
        f'stroke-width="{one.width:.4g}" stroke-opacity="{one.strength:g}"/>'
        for one in strokes
    )
    names = f'data-cell="{digit.shape.cell}" data-digit="{digit.shape.digit}"'
    return f'<g transform="matrix({_affine(digit)})" {names}>{drawn}</g>'


def _tag(label: Label) -> str:
    """Return the SVG of a label. The page fills in the words for the status of the grid."""
    tag = label.tag
    fill, letters = hex_colour(tag.colour), hex_colour(letter_colour(tag.colour))
    em, rim = LETTERS * label.height, RIM * label.height
    x, y = label.width / 2, (label.height + CAP_HEIGHT * em) / 2
    return (
        f'<g transform="matrix({_numbers((*label.along, *label.down, *label.corner), 4)})" class="tag">'
        f'<path d="M0 0H{label.width:.2f}V{label.height:.2f}H0Z" fill="{fill}" stroke="{letters}" '
        f'stroke-width="{rim:.2f}"/><text x="{x:.2f}" y="{y:.2f}" font-size="{em:.2f}" font-weight="700" '
        f'font-family="{FAMILIES}" text-anchor="middle" fill="{letters}">{{tag.{tag.status}}}</text></g>'
    )


def _affine(digit: PenDigit) -> str:
    """Return the affine map, as SVG's six numbers, that replaces a digit's perspective matrix (3, 3).

    SVG has only affine maps. The map is the first-order approximation of the matrix at the digit's middle. In
    a single cell, perspective is hardly visible.
    """
    (a, b, c), (d, e, f), (g, h, i) = digit.matrix.tolist()
    x, y = WIDTH / 2, 0.5
    depth = g * x + h * y + i
    u, v = (a * x + b * y + c) / depth, (d * x + e * y + f) / depth
    along, down = ((a - u * g) / depth, (d - v * g) / depth), ((b - u * h) / depth, (e - v * h) / depth)
    return _numbers((*along, *down, u, v), 3)


def _numbers(values: Iterable[float], decimals: int) -> str:
    return " ".join(f"{value:.{decimals}f}" for value in values)


def pen_paths() -> dict[str, str]:
    """Return the path of each digit as SVG text. A digit is 1 unit high, and its middle is at (0, 0)."""

    def path(line: Path2D) -> str:
        return "M" + "L".join(f"{x - WIDTH / 2:.3f} {y - 0.5:.3f}" for x, y in line)

    return {str(digit): "".join(map(path, lines)) for digit, lines in PEN_PATHS.items()}


def _longest_words(tag: Tag) -> str:
    words = (say(Sentence(f"tag.{tag.status}"), language) for language in language_names())
    return max(words, key=lambda one: text_width(one, 1, bold=True))


def cover_dicts(
    photo: Photo, lattice: Lattice, cells: Iterable[int], rules: Rules = CLASSIC
) -> dict[str, dict[str, Any]]:
    """Return for each cell (0..80) an SVG image of paper that covers the ink, and the paper's colour.

    An SVG image contains a PNG in a ``data:`` address. The PNG is transparent where there is no ink. Cells
    without ink are left out.
    """
    copy, longest = photo.reduced, max(photo.size)
    pixels = photo.pixels if copy is None else copy.pixels
    pixels, _ = reduced(pixels, round(longest * min(1, COVER_SIDE / lattice.cell_size)))
    scale = max(pixels.shape) / longest
    covers = {}
    for cell in cells:
        cover = ink_cover(pixels, (ink_corners(lattice, cell, rules) + 0.5) * scale - 0.5)
        if cover is None:
            continue
        height, width = cover.share.shape
        picture = np.dstack([cover.paper, np.rint(255 * cover.share).astype(np.uint8)])
        picture[cover.share == 0] = 0
        x, y = cover.left / scale - 0.5, cover.top / scale - 0.5
        covers[str(cell)] = {
            "svg": f'<image x="{x:.2f}" y="{y:.2f}" width="{width / scale:.2f}" '
            f'height="{height / scale:.2f}" preserveAspectRatio="none" '
            f'href="{_data_address(picture, ".png")}"/>',
            "paper": hex_colour(cover.paper[height // 2, width // 2]),
        }
    return covers


def step_views(
    grid: Grid, board: Board, steps: Sequence[Step], kept: GridState, marks: Marks, notes: Sequence[str]
) -> list[tuple[Board, dict[str, Any]]]:
    """Return a pair for each of *steps*: the board (9, 9) before the step, and the step's view as JSON.

    *board* and *marks* are the board and the candidates before the first step. *notes* are the texts of the
    pencil marks in the 81 cells on the page. A view has two lists: ``shapes`` explain the step, and
    ``placed`` shows the digits that the step fills in, as they look during later steps.
    """
    noted = [cell for cell, text in enumerate(notes) if text]
    style = step_style(grid, kept.print_style, noted)
    views = []
    for before, *shapes in steps_shapes(board, steps, style, grid.rules, marks):
        drawn = (shape_dicts(some, grid.lattice, kept.size) for some in shapes)
        views.append((before, dict(zip(("shapes", "placed"), drawn, strict=True))))
    return views


def names_of(step: Step, language: str) -> dict[str, str]:
    """Return the name of a step's technique, and the place on the board to look at, both in a *language*."""
    return {"name": step.technique.title_in(language), "place": step.place(language)}


def preview_of(pixels: Image) -> str:
    """Return a picture (H, W, 3) uint8 BGR as a JPEG in a ``data:`` address. A large picture is reduced."""
    return _data_address(reduced(pixels, PREVIEW_SIDE)[0], ".jpg")


def _data_address(pixels: Image, ending: str) -> str:
    kind = {".jpg": "jpeg", ".png": "png"}[ending]
    return f"data:image/{kind};base64,{base64.b64encode(encode(pixels, ending)).decode('ascii')}"


def crossings_list(lattice: Lattice) -> list[list[list[float]]]:
    """Return the crossings of a lattice as lists: 10 row lines of 10 points (x, y), in pixels."""
    crossings: list[list[list[float]]] = np.round(lattice.crossings.astype(np.float64), 2).tolist()
    return crossings
