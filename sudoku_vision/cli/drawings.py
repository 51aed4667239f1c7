"""Drawings: what commands draw into a photo or print of its grids, and how they print puzzles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_vision.cli.options import PRINTING, Options
from sudoku_vision.errors import UsageError
from sudoku_vision.output.save import SAVE_ENDINGS, write_atomically
from sudoku_vision.results import GridResult, Image, Photo

if TYPE_CHECKING:
    from sudoku_vision.output.drawing.figure import Figure
    from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle

Grids = tuple[GridResult, ...]

Draw = Callable[[Photo, Grids], Image]
"""What is drawn into a photo: its pixels with what was read drawn in, (H, W, 3) uint8 BGR."""

PRINTED_ENDINGS = (".pdf", ".svg")
"""Endings of formats of lines and letters, in which grids are printed afresh."""


Make = Callable[[Photo | None, Grids, str, str], bytes]
"""What makes the file that is written of a page, of its photo, its grids, an ending and the page's name.

A board in text that is printed has no photo. Raises :class:`~sudoku_vision.errors.SaveError`."""

PAGES_ENDING = ".pdf"
PICTURE_ENDINGS = (".svg", *(ending for ending in SAVE_ENDINGS if ending != PAGES_ENDING))
"""Endings of one puzzle alone in a picture."""


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


def page_options(options: Options, ending: str | None) -> dict[str, Any]:
    """Return what was said of pages, as :func:`~sudoku_vision.print_puzzles` takes it.

    Raises UsageError for what can't be printed, and where no file has the *ending* of pages, and
    MissingExtraError where no pages can be.
    """
    said = {name: getattr(options, name) for name in PRINTING if getattr(options, name) is not None}
    if ending == PAGES_ENDING:
        from sudoku_vision.api.printing import checked_layout

        checked_layout(1, other_rules=options.other_rules, **said)
    elif said:
        name = next(iter(said)).replace("_", "-")
        remedy = (
            "Name them with -o, ending in .pdf." if ending is None else "End the output's name with .pdf."
        )
        raise UsageError(f"--{name} is for pages to print.", remedy)
    return said


def write_picture(
    path: Path, item: PrintablePuzzle, *, ending: str | None = None, solved: bool = False
) -> None:
    """Write the picture of one puzzle, in the format of its *ending* or another; *solved* with its answers.

    Raises :class:`~sudoku_vision.errors.SaveError`.
    """
    from sudoku_vision.output.drawing.puzzle_figure import PICTURE_DPI, puzzle_figure

    figure, ending = puzzle_figure(item, solved=solved), ending or path.suffix.lower()
    data = packed(figure, ending, PICTURE_DPI, name=str(path), title=item.name or "Sudoku")
    write_atomically(path, data)
