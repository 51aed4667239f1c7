"""Drawings: what commands draw into a photo or print of its grids, named so that any process finds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_vision.results import GridResult, Image, Photo

if TYPE_CHECKING:
    from sudoku_vision.output.drawing.figure import Figure

Grids = tuple[GridResult, ...]

Draw = Callable[[Photo, Grids], Image]
"""What is drawn into a photo: its pixels with what was read drawn in, (H, W, 3) uint8 BGR."""

PRINTED_ENDINGS = (".pdf", ".svg")
"""Endings of formats of lines and letters, in which grids are printed afresh."""


Make = Callable[[Photo | None, Grids, str, str], bytes]
"""What makes the file that is written of a page, of its photo, its grids, an ending and the page's name.

A board in text that is printed has no photo. Raises :class:`~sudoku_vision.errors.SaveError`."""


@dataclass(frozen=True)
class Drawing:
    """What makes the pictures that are written, and the ``ending`` of the format that they are packed in."""

    make: Make
    ending: str


def annotated(draw: Draw, photo: Photo | None, grids: Grids, ending: str, name: str) -> bytes:
    """Return the picture file of a photo that was drawn into."""
    from sudoku_vision.output.save import encode

    assert photo is not None
    return encode(draw(photo, grids), ending, name=name, exif=photo.exif)


def printed(_photo: Photo | None, grids: Grids, ending: str, name: str) -> bytes:
    """Return a file with *grids* printed afresh with their answers: a PDF, an SVG or a picture.

    Of several, a PDF has pages; a picture holds one page, or one grid alone on a sheet of its size.
    """
    from sudoku_vision.output.drawing.puzzle_figure import PICTURE_DPI
    from sudoku_vision.output.drawing.typst_pdf import pdf
    from sudoku_vision.output.overlay.printed_answers import answer_figure, answer_pages

    if ending == ".pdf":
        return pdf(answer_pages(grids))
    figure = answer_figure(grids[0]) if len(grids) == 1 else answer_pages(grids)[0]
    return packed(figure, ending, PICTURE_DPI, name=name)


def packed(figure: Figure, ending: str, dpi: float, *, name: str, title: str = "Sudoku") -> bytes:
    """Return the file of a *figure*, of lines (.svg) or of pixels; *name* is for what goes wrong."""
    from sudoku_vision.output.drawing.raster import raster
    from sudoku_vision.output.drawing.svg import svg
    from sudoku_vision.output.save import encode

    if ending == ".svg":
        return svg(figure, title=title).encode()
    return encode(raster(figure, dpi), ending, name=name)


def stamped(photo: Photo | None, grids: Grids, _ending: str, _name: str) -> bytes:
    """Return the PDF of a page to be laid over the one that was read, with the answers of its *grids*."""
    from sudoku_vision.output.drawing.typst_pdf import pdf
    from sudoku_vision.output.overlay.printed_answers import page_stamp

    assert photo is not None
    return pdf([page_stamp(photo, grids)])


def draw_answers(photo: Photo, grids: Grids) -> Image:
    """Draw the answers of the *grids* into their photo."""
    from sudoku_vision.output.overlay import overlay

    return overlay(photo, grids)


def draw_verdicts(photo: Photo, grids: Grids, *, answers: bool, marks: bool) -> Image:
    """Draw which entries are right; the right *answers* beside wrong ones, and *marks* that lost theirs."""
    from sudoku_vision.output.overlay import overlay_check
    from sudoku_vision.sudoku.verdicts import check

    return overlay_check(photo, [check(grid) for grid in grids], answers=answers, marks=marks)
