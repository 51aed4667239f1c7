"""Print puzzles: on pages as PDF, or alone in a picture, of lines (SVG) or of pixels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_vision.cli.options import Options
from sudoku_vision.errors import UsageError
from sudoku_vision.output.save import SAVE_ENDINGS, write_atomically

if TYPE_CHECKING:
    from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle
    from sudoku_vision.output.drawing.puzzle_pages import PageStyle

PAGES_ENDING = ".pdf"
PICTURE_ENDINGS = (".svg", *(ending for ending in SAVE_ENDINGS if ending != PAGES_ENDING))
"""Endings of one puzzle alone in a picture."""


def check_page_options(options: Options, ending: str | None) -> None:
    """Raise UsageError for what was said of pages where none are made: where no file has their *ending*."""
    for name in ("per_page", "paper", "title", "qr") if ending != PAGES_ENDING else ():
        if getattr(options, name) is not None:
            remedy = (
                "Name them with -o, ending in .pdf." if ending is None else "End the output's name with .pdf."
            )
            raise UsageError(f"--{name.replace('_', '-')} is for pages to print.", remedy)


def page_style(options: Options, count: int) -> PageStyle:
    """Return what pages of *count* puzzles look like; raises UsageError and MissingExtraError."""
    from sudoku_vision.api.printing import page_style

    title = "Sudoku" if options.title is None else options.title
    return page_style(count, title, options.paper or "a4", options.per_page)


def write_picture(
    path: Path, item: PrintablePuzzle, *, ending: str | None = None, solved: bool = False
) -> None:
    """Write the picture of one puzzle, in the format of its *ending* or another; *solved* with its answers.

    Raises :class:`~sudoku_vision.errors.SaveError`.
    """
    from sudoku_vision.output.drawing.puzzle_figure import draw_puzzle, puzzle_figure
    from sudoku_vision.output.drawing.svg import svg
    from sudoku_vision.output.save import encode

    ending = ending or path.suffix.lower()
    if ending == ".svg":
        data = svg(puzzle_figure(item, solved=solved), title=item.name or "Sudoku").encode()
    else:
        data = encode(draw_puzzle(item, solved=solved), ending, name=str(path))
    write_atomically(path, data)
