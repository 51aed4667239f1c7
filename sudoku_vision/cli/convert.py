"""The work of ``sudoku-vision convert``: boards in, the same boards in another format out, or printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_vision.cli import drawings as printing
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import FreeNames, Target, find_target
from sudoku_vision.cli.pages import InputBoard, InputPage, boards_of
from sudoku_vision.cli.progress import complain
from sudoku_vision.cli.reader import Reader
from sudoku_vision.cli.reporter import Reporter
from sudoku_vision.cli.search import find_inputs
from sudoku_vision.errors import ExitCode, UsageError
from sudoku_vision.output.save import make_folder, write_atomically
from sudoku_vision.parallel import open_executor
from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.formats import (
    FORMATS,
    SITES,
    Format,
    NamedBoard,
    Part,
    all_candidates,
    format_named,
    format_of,
    write_boards,
)
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.vision.decode.overrides import settling

if TYPE_CHECKING:
    from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle

_LONGEST_STEM = 60
"""Characters of a board's name that go into the name of its file: what fits a line of a listing."""

_Converted = tuple[str, NamedBoard]  # a board, and before it the stem of a file that is made of it alone


def run_convert(arguments: Sequence[str], options: Options) -> ExitCode:
    """Read the boards that *arguments* lead to, write them in another format, and return the exit status.

    Raises :class:`~sudoku_vision.errors.UsageError` for an unknown format and an output that can't be right,
    before any work.
    """
    inputs = find_inputs(arguments)
    target = find_target(options.output, inputs.paths)
    ending = _print_ending(target, options.to)
    pages = printing.page_options(options, ending or (target.path.suffix if target.is_file else None))
    if not ending:
        by_name = options.to is not None or not target.is_file
        form = format_named(options.to or "line") if by_name else format_of(target.path)
        if options.fill_marks and "marks" not in form.keeps:
            known = ", ".join(name for name in (*FORMATS, *SITES) if "marks" in format_named(name).keeps)
            what = f"The format {form.name} has no place for pencil marks."
            raise UsageError(what, f"Name one with --to that has: {known} or pdf.")
    reader = Reader("convert", inputs, options)
    converted: list[_Converted] = []
    reporter = Reporter("board")
    with reporter.progress(len(inputs.items), "reading"), open_executor(1) as executor:
        for page in reader.pages(executor, reporter.bar.advance):
            for found in boards_of(page):
                board = found.board
                if board is None:
                    assert found.error is not None
                    reporter.add_error(found.error, found.name)
                    continue
                if board.uncertain:
                    complain(f"{found.name}: {_caution(found)}")
                reporter.add("uncertain" if board.uncertain else "converted", done=not board.uncertain)
                if options.fill_marks:
                    board = replace(board, marks=all_candidates(board))
                converted.append((_file_stem(board, page), board))
    if ending:
        _print(converted, target, ending, inputs.paths, pages)
    elif converted:
        _tell_what_is_lost([board for _, board in converted], form)
        _write(converted, form, target, inputs.paths, reporter)
    return reporter.close(searched=inputs.searched)


def _print_ending(target: Target, to: str | None) -> str | None:
    """Return the ending of what is printed, None for text; raises UsageError without a file for it."""
    named = target.path.suffix if to is None and target.is_file else f".{(to or '').strip().lstrip('.')}"
    ending = named.lower()
    if ending not in (printing.PAGES_ENDING, *printing.PICTURE_ENDINGS):
        return None
    if target.is_file or target.is_folder:
        return ending
    what = f"Pages and pictures ({ending[1:]}) are written to files."
    raise UsageError(what, f"Name one with -o, as in: -o page{ending}")


def _print(
    converted: Sequence[_Converted],
    target: Target,
    ending: str,
    sources: Sequence[str],
    pages: dict[str, Any],
) -> None:
    """Print boards: on the *pages* of a PDF, or as pictures, numbered where they are several.

    In a folder each has a file of its own; *sources* are never overwritten. Raises
    :class:`~sudoku_vision.errors.SaveError`.
    """
    from sudoku_vision.api.printing import print_puzzles, printable

    several = len(converted) > 1
    items = [printable(board, number if several else 0) for number, (_, board) in enumerate(converted, 1)]
    path = target.path
    files: list[tuple[Path, list[PrintablePuzzle]]]
    if target.is_folder:
        make_folder(path)
        files = [(path / f"{stem}{ending}", [item]) for (stem, _), item in zip(converted, items, strict=True)]
    elif ending == printing.PAGES_ENDING or not several:
        files = [(path, items)] if items else []
    else:
        digits = len(str(len(items)))
        files = [
            (path.with_stem(f"{path.stem}-{number:0{digits}d}"), [item])
            for number, item in enumerate(items, 1)
        ]
    names = FreeNames(sources)
    for place, on_it in files:
        if ending == printing.PAGES_ENDING:
            print_puzzles(on_it, names.free(place), **pages)
        else:
            printing.write_picture(names.free(place), on_it[0], ending=ending)


def _caution(found: InputBoard) -> str:
    """What to look at, where a board may be read wrongly."""
    doubts = found.grid.doubts if found.of.is_picture and found.grid else ()
    if not doubts:
        return "it was read from a picture and may be wrong. Look at its clues."
    cells = ", ".join(cell_name(doubt.cell) for doubt in doubts)
    call = found.of.retry.with_overrides(found.number, settling(doubts))
    return f"the reading may be wrong. Look at {cells}, and say what is printed there, as in: {call}"


def _tell_what_is_lost(boards: Sequence[NamedBoard], form: Format) -> None:
    """Say what is left out of the boards, where the format has no place for it."""
    no_place = "has no place for them"
    placed = sum(bool(board.placed.any()) for board in boards)
    marked = sum(any(board.marks) for board in boards)
    ruled = sum(board.rules != CLASSIC for board in boards)
    lost: tuple[tuple[Part, int, str, str], ...] = (
        ("placed", placed, "digits placed in", "can't tell them from clues"),
        ("marks", marked, "pencil marks of", no_place),
        ("rules", ruled, "rules of", f"{no_place}, as jsonl and f-puzzles.com have"),
    )
    for part, count, what, why in lost:
        if count and part not in form.keeps:
            of = "one board" if count == 1 else f"{count} boards"
            complain(f"The {what} {of} are left out: {form.name} {why}.")


def _write(
    converted: Sequence[_Converted], form: Format, target: Target, sources: Sequence[str], reporter: Reporter
) -> None:
    """Print the boards, or write them to one file, or to one each; what fails there is said and counted.

    *sources* are never overwritten.
    """
    if not target.is_folder:
        target.write(write_boards([board for _, board in converted], form.name).encode())
        return
    make_folder(target.path)
    names = FreeNames(sources)
    ending = form.endings[0] if form.endings else ".txt"
    for stem, board in converted:
        with reporter.guarded():
            place = names.free(target.path / f"{stem}{ending}")
            write_atomically(place, write_boards([board], form.name).encode())


def _file_stem(board: NamedBoard, page: InputPage) -> str:
    """What the file of one board is called: by its name, or after the file that it comes from."""
    kept = "".join(mark if mark.isalnum() or mark in "-_" else " " for mark in board.name)
    source = page.stem.removesuffix(f"-board{page.number}").removesuffix(f"-page{page.number}")
    return "-".join(kept.split())[:_LONGEST_STEM] or ("sudoku" if source in ("board", "stdin") else source)
