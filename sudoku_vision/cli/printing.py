"""Print puzzles: on pages as PDF, or alone in a picture, of lines (SVG) or of pixels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_vision.cli.drawings import packed
from sudoku_vision.cli.options import PRINTING, Options
from sudoku_vision.errors import UsageError
from sudoku_vision.output.save import SAVE_ENDINGS, write_atomically

if TYPE_CHECKING:
    from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle

PAGES_ENDING = ".pdf"
PICTURE_ENDINGS = (".svg", *(ending for ending in SAVE_ENDINGS if ending != PAGES_ENDING))
"""Endings of one puzzle alone in a picture."""


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
