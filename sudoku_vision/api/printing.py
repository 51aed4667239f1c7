"""Print puzzles on the pages of a book: puzzles that were generated, read from pictures, or given as text."""

import contextlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from sudoku_vision.errors import ImproperError, UsageError, checked_path
from sudoku_vision.output.drawing import puzzle_pages
from sudoku_vision.output.drawing.pdf_files import check_printing, check_title, pdf
from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle
from sudoku_vision.output.save import write_atomically
from sudoku_vision.sudoku.board import Board, BoardLike, check_several
from sudoku_vision.sudoku.formats import Format, NamedBoard, link, site_named
from sudoku_vision.sudoku.generator import Puzzle
from sudoku_vision.sudoku.logic import rate
from sudoku_vision.sudoku.rules import CLASSIC, rules_for
from sudoku_vision.sudoku.solver import solve
from sudoku_vision.texts import visible

_MAX_BY_DEFAULT = 4  # maximum number of puzzles on a page, unless the caller gives a number


def print_puzzles(
    puzzles: Iterable[Puzzle | NamedBoard | BoardLike | PrintablePuzzle],
    output: str | Path,
    *,
    title: str = "Sudoku",
    paper: puzzle_pages.PaperName = "a4",
    per_page: int | None = None,
    solutions: bool = False,
    qr: str | None = None,
) -> None:
    """Print puzzles on pages, and write them to *output*, a name that ends in ``.pdf``.

    *puzzles*: results of :func:`generate`, boards, or :class:`PrintablePuzzle` objects with their own
    captions. *per_page*: the number of puzzles on a page, 1, 2, 4, 6 or 9. By default, it is the largest of
    1, 2 and 4 for which there are enough *puzzles* to fill a page. *solutions*: whether the last pages show
    the solutions. *qr*: a site such as ``"sudoku.coach"``; a QR code below each puzzle opens the puzzle at
    this site.

    Raises :class:`UsageError` for puzzles and options that can't be printed, :class:`MissingExtraError` if
    the extra ``print`` is not installed, and :class:`SaveError` if the file can't be written.

    >>> print_puzzles([generate(seed=seed) for seed in range(8)], "book.pdf")  # doctest: +SKIP
    """
    check_several(puzzles)
    given, path = list(puzzles), checked_path(output)
    numbers = range(1, len(given) + 1) if len(given) > 1 else (0,)
    items = [printable(one, number, solved=solutions) for one, number in zip(given, numbers, strict=False)]
    if not items or path.suffix.lower() != ".pdf":
        what = f"Pages can't be written to {output}." if items else "There are no puzzles to print."
        raise UsageError(what, "Give puzzles, and a name that ends in .pdf.")
    others = any(item.rules != CLASSIC for item in items)
    style, site = checked_layout(
        len(items), title=title, paper=paper, per_page=per_page, qr=qr, other_rules=others
    )
    if site is not None:
        links = (link(NamedBoard(item.puzzle, rules=item.rules), site.name) for item in items)
        items = [replace(item, link=link) for item, link in zip(items, links, strict=True)]
    figures = puzzle_pages.page_figures(items, style, solutions=solutions)
    write_atomically(path, pdf(figures, title=title or "Sudoku"))


def checked_layout(
    count: int,
    *,
    title: str = "Sudoku",
    paper: puzzle_pages.PaperName = "a4",
    per_page: int | None = None,
    qr: str | None = None,
    other_rules: bool = False,
) -> tuple[puzzle_pages.PageStyle, Format | None]:
    """Return the style of pages for *count* puzzles, and the site for QR codes (None without codes).

    *other_rules*: whether some of the puzzles have rules that are not classic. Raises UsageError for
    impossible options, and MissingExtraError if a package for pages or for QR codes is not installed.
    """
    check_printing()
    fitting = max(number for number in puzzle_pages.PER_PAGE if number <= max(1, min(count, _MAX_BY_DEFAULT)))
    if title:
        check_title(title)
    if qr is not None:
        puzzle_pages.check_codes()
    style = puzzle_pages.PageStyle(paper, fitting if per_page is None else per_page, title)
    site = None if qr is None else site_named(qr)
    if site is not None and other_rules and "rules" not in site.keeps:
        what = f"A link to {site.name} has no room for the rules of a puzzle."
        raise UsageError(what, "Name f-puzzles.com or sudokupad.app, whose links have it.")
    return style, site


def printable(
    puzzle: Puzzle | NamedBoard | BoardLike | PrintablePuzzle, number: int = 0, *, solved: bool = False
) -> PrintablePuzzle:
    """Return a *puzzle* with all texts that are printed with it. *number* replaces a missing name."""
    if isinstance(puzzle, PrintablePuzzle):
        return puzzle
    solution: Board | None
    if isinstance(puzzle, Puzzle):
        board = NamedBoard(puzzle.board, rules=puzzle.rules)
        solution, difficulty = puzzle.solution, str(puzzle.rating.name)
    else:
        board = (
            puzzle if isinstance(puzzle, NamedBoard) else NamedBoard(puzzle, rules=rules_for(None, puzzle))
        )
        solution, difficulty = solve(board.clues, rules=board.rules).solution if solved else None, ""
        with contextlib.suppress(ImproperError):  # only a board with exactly one solution has a rating
            difficulty = rate(board.clues, rules=board.rules).name
    begun = bool(board.placed.any()) or any(board.marks)
    return PrintablePuzzle(
        board.clues,
        solution,
        name=visible(board.name) or (str(number) if number else ""),
        note=", ".join(filter(None, (difficulty, f"{np.count_nonzero(board.clues)} clues"))),
        entries=board.placed if begun else None,
        marks=board.marks,
        rules=board.rules,
    )
