"""Puzzles on paper: the pages of a book, from puzzles that were generated, read, or written out."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from sudoku_vision.errors import ImproperError, UsageError
from sudoku_vision.escape_control import visible
from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle
from sudoku_vision.output.drawing.puzzle_pages import (
    PER_PAGE,
    PageStyle,
    PaperName,
    check_codes,
    page_figures,
)
from sudoku_vision.output.drawing.typst_pdf import check_printing, check_title, pdf
from sudoku_vision.output.save import write_atomically
from sudoku_vision.results import Board
from sudoku_vision.sudoku.board import BoardLike
from sudoku_vision.sudoku.formats import NamedBoard, Site, site_named
from sudoku_vision.sudoku.generator import Puzzle
from sudoku_vision.sudoku.logic import rate
from sudoku_vision.sudoku.solver import solve

_MOST_BY_ITSELF = 4  # puzzles on a page where nothing was said


def print_puzzles(
    puzzles: Iterable[Puzzle | NamedBoard | BoardLike | PrintablePuzzle],
    output: str | Path,
    *,
    title: str = "Sudoku",
    paper: PaperName = "a4",
    per_page: int | None = None,
    solutions: bool = False,
    qr: str | None = None,
) -> None:
    """Print puzzles on pages, and write these to *output*, a name that ends in ``.pdf``.

    *puzzles*: those of :func:`generate`, boards, or :class:`PrintablePuzzle`, which has captions of its own.
    *per_page*: 1, 2, 4, 6 or 9; as many as there are, up to 4, where it is None. With *solutions* these stand
    on the last pages. *qr*: a site such as ``"sudoku.coach"`` at which a code below each puzzle opens it.

    Raises :class:`UsageError` for what can't be printed, :class:`MissingExtraError` without the extra
    ``print``, and :class:`SaveError`.

    >>> print_puzzles([generate(seed=seed) for seed in range(8)], "book.pdf")  # doctest: +SKIP
    """
    given = list(puzzles)
    if not given or Path(output).suffix.lower() != ".pdf":
        what = f"Pages can't be written to {output}." if given else "There are no puzzles to print."
        raise UsageError(what, "Give puzzles, and a name that ends in .pdf.")
    style, site = page_style(len(given), title, paper, per_page), code_site(qr)
    items = [
        printable(one, number if len(given) > 1 else 0, site, solved=solutions)
        for number, one in enumerate(given, start=1)
    ]
    write_pages(output, items, style, solutions=solutions)


def page_style(
    count: int, title: str = "Sudoku", paper: PaperName = "a4", per_page: int | None = None
) -> PageStyle:
    """Return what pages of *count* puzzles look like.

    Raises UsageError for what can't be printed, and MissingExtraError where no pages can be.
    """
    check_printing()
    fitting = max(number for number in PER_PAGE if number <= max(1, min(count, _MOST_BY_ITSELF)))
    if title:
        check_title(title)
    return PageStyle(paper, fitting if per_page is None else per_page, title)


def code_site(name: str | None) -> Site | None:
    """Return the site that QR codes lead to, None for no codes.

    Raises UsageError for one that is not known, and MissingExtraError where codes can't be drawn.
    """
    if name is None:
        return None
    site = site_named(name)
    check_codes()
    return site


def printable(
    puzzle: Puzzle | NamedBoard | BoardLike | PrintablePuzzle,
    number: int = 0,
    site: Site | None = None,
    *,
    solved: bool = False,
) -> PrintablePuzzle:
    """Return a *puzzle* as it is printed, with its *number* where it has no name, and the code of a *site*.

    *solved*: its solution is wanted, too.
    """
    if isinstance(puzzle, PrintablePuzzle):
        return puzzle
    solution: Board | None
    difficulty: str
    if isinstance(puzzle, Puzzle):
        board, solution, difficulty = NamedBoard(puzzle.board), puzzle.solution, puzzle.rating.name
    else:
        board = puzzle if isinstance(puzzle, NamedBoard) else NamedBoard(puzzle)
        solution, difficulty = solve(board.clues, rules=board.rules).solution if solved else None, ""
        with contextlib.suppress(ImproperError):  # one without one solution is not rated
            difficulty = rate(board.clues).name
    begun = bool(board.placed.any()) or any(board.marks)
    return PrintablePuzzle(
        board.clues,
        solution,
        name=visible(board.name) or (str(number) if number else ""),
        note=", ".join(filter(None, (difficulty, f"{np.count_nonzero(board.clues)} clues"))),
        entries=board.placed if begun else None,
        marks=board.marks,
        link="" if site is None else site.write(NamedBoard(board.clues, rules=board.rules)),
        rules=board.rules,
    )


def write_pages(
    path: str | Path, items: Sequence[PrintablePuzzle], style: PageStyle, *, solutions: bool = False
) -> None:
    """Write pages of puzzles to a file; raises :class:`~sudoku_vision.errors.SaveError`."""
    figures = page_figures(items, style, solutions=solutions)
    write_atomically(path, pdf(figures, title=style.title or "Sudoku"))
