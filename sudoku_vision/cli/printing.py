"""Print puzzles: on pages as PDF, or alone in a picture, of lines (SVG) or of pixels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_vision.cli.options import Options
from sudoku_vision.errors import UsageError
from sudoku_vision.output.save import SAVE_ENDINGS, write_atomically
from sudoku_vision.sudoku.formats import NamedBoard, Site, site_named

if TYPE_CHECKING:
    from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle
    from sudoku_vision.output.drawing.puzzle_pages import PageStyle

PAGES_ENDING = ".pdf"
PICTURE_ENDINGS = (".svg", *(ending for ending in SAVE_ENDINGS if ending != PAGES_ENDING))
"""Endings of one puzzle alone in a picture."""

_MOST_BY_ITSELF = 4  # puzzles on a page where nothing was said


def check_page_options(options: Options, ending: str | None) -> None:
    """Raise UsageError for what was said of pages where none are made: where no file has their *ending*."""
    for name in ("per_page", "paper", "title", "qr") if ending != PAGES_ENDING else ():
        if getattr(options, name) is not None:
            remedy = (
                "Name them with -o, ending in .pdf." if ending is None else "End the output's name with .pdf."
            )
            raise UsageError(f"--{name.replace('_', '-')} is for pages to print.", remedy)


def page_style(options: Options, count: int) -> PageStyle:
    """Return what pages of *count* puzzles look like.

    Raises UsageError for what can't be printed, and MissingExtraError where no pages can be.
    """
    from sudoku_vision.output.drawing.puzzle_pages import PER_PAGE, PageStyle
    from sudoku_vision.output.drawing.typst_pdf import check_printing, check_title

    check_printing()

    fitting = max(number for number in PER_PAGE if number <= max(1, min(count, _MOST_BY_ITSELF)))
    per_page = fitting if options.per_page is None else options.per_page
    if options.title:
        check_title(options.title)
    title = "Sudoku" if options.title is None else options.title
    return PageStyle(options.paper or "a4", per_page, title)


def code_site(options: Options) -> Site | None:
    """Return the site that QR codes lead to, None for no codes.

    Raises UsageError for one that is not known, and MissingExtraError where codes can't be drawn.
    """
    if options.qr is None:
        return None
    from sudoku_vision.output.drawing.puzzle_pages import check_codes

    site = site_named(options.qr)
    check_codes()
    return site


def code_link(site: Site | None, board: NamedBoard) -> str:
    """Return the address that a board's QR code leads to, "" for none."""
    return "" if site is None else site.write(NamedBoard(board.clues, rules=board.rules))


def write_pages(
    path: str | Path, items: Sequence[PrintablePuzzle], style: PageStyle, *, solutions: bool = False
) -> None:
    """Write pages of puzzles to a file; raises :class:`~sudoku_vision.errors.SaveError`."""
    from sudoku_vision.output.drawing.puzzle_pages import page_figures
    from sudoku_vision.output.drawing.typst_pdf import pdf

    figures = page_figures(items, style, solutions=solutions)
    write_atomically(path, pdf(figures, title=style.title or "Sudoku"))


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
