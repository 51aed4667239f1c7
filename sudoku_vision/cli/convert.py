"""The work of ``sudoku-vision convert``: boards in, the same boards in another format out, or printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import FreeNames, Target, find_target
from sudoku_vision.cli.pages import InputBoard, InputPage, boards_of
from sudoku_vision.cli.printing import (
    PAGES_ENDING,
    PICTURE_ENDINGS,
    check_page_options,
    code_link,
    code_site,
    page_style,
    write_pages,
    write_picture,
)
from sudoku_vision.cli.progress import complain
from sudoku_vision.cli.reader import Reader
from sudoku_vision.cli.reporter import Reporter
from sudoku_vision.cli.search import find_inputs, say_left_out
from sudoku_vision.errors import ExitCode, ImproperError, SudokuVisionError, UsageError
from sudoku_vision.escape_control import visible
from sudoku_vision.output.save import make_folder, write_atomically
from sudoku_vision.parallel import open_executor
from sudoku_vision.sudoku.formats import Format, NamedBoard, format_named, format_of, write_boards
from sudoku_vision.vision.decode.overrides import settling

if TYPE_CHECKING:
    from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle

DEFAULT = "line"
"""The format where neither ``--to`` nor the output's name says one."""

_LONGEST_STEM = 60
"""Characters of a board's name that go into the name of its file: what fits a line of a listing."""


@dataclass
class _Converted:
    """The boards so far, and the ``stems`` of files that are made of them alone."""

    boards: list[NamedBoard] = field(default_factory=list)
    stems: list[str] = field(default_factory=list)
    reporter: Reporter = field(default_factory=lambda: Reporter("board"))

    def add(self, found: InputBoard) -> None:
        """Take in and count one board, or say why there is none; and say it where it may be read wrongly."""
        board = found.board
        if board is None:
            assert found.error is not None
            self.reporter.add_error(found.error, found.name)
            return
        if board.uncertain:
            complain(f"{found.name}: {_caution(found)}")
        self.reporter.add("uncertain" if board.uncertain else "converted", done=not board.uncertain)
        self.boards.append(board)
        self.stems.append(_file_stem(board, found.of))


def run_convert(arguments: Sequence[str], options: Options) -> ExitCode:
    """Read the boards that *arguments* lead to, write them in another format, and return the exit status.

    Raises :class:`~sudoku_vision.errors.UsageError` for an unknown format and an output that can't be right,
    before any work.
    """
    inputs = find_inputs(arguments)
    target = find_target(options.output, inputs.paths)
    ending = _print_ending(target, options.to)
    check_page_options(options, ending or (target.path.suffix if target.is_file else None))
    form = None if ending else _format(target, options.to)
    printer = _Printer(target, ending, inputs.paths, options) if ending else None
    reader = Reader("convert", inputs, options)
    say_left_out(inputs)
    converted = _Converted()
    reporter = converted.reporter
    with reporter.progress(len(inputs.items), "reading"), open_executor(1) as executor:
        for page in reader.pages(executor, reporter.bar.advance):
            for board in boards_of(page):
                converted.add(board)
    if printer is not None:
        printer.write(converted)
    elif form is not None:
        _tell_what_is_lost(converted.boards, form)
        if converted.boards:
            _write(converted, form, target)
    return reporter.close(searched=inputs.searched)


def _format(target: Target, to: str | None) -> Format:
    if to is not None:
        return format_named(to)
    return format_of(target.path) if target.is_file else format_named(DEFAULT)


def _print_ending(target: Target, to: str | None) -> str | None:
    """Return the ending of what is printed, None for text; raises UsageError without a file for it."""
    named = target.path.suffix if to is None and target.is_file else f".{(to or '').strip().lstrip('.')}"
    ending = named.lower()
    if ending not in (PAGES_ENDING, *PICTURE_ENDINGS):
        return None
    if target.is_file or target.is_folder:
        return ending
    what = f"Pages and pictures ({ending[1:]}) are written to files."
    raise UsageError(what, f"Name one with -o, as in: -o page{ending}")


class _Printer:
    """Prints boards: on the pages of a PDF, or as pictures, numbered where they are several.

    In a folder each board has a file of its own.
    """

    def __init__(self, target: Target, ending: str, sources: Sequence[str], options: Options) -> None:
        """Check what was said of pages; *sources* are files that are read, which are never overwritten."""
        self._target, self._ending, self._options = target, ending, options
        self._site = code_site(options)
        self._names = FreeNames(sources)
        page_style(options, 1)

    def write(self, converted: _Converted) -> None:
        """Write all boards; raises :class:`~sudoku_vision.errors.SaveError`."""
        boards, path = converted.boards, self._target.path
        several = len(boards) > 1
        items = [self._item(board, number if several else 0) for number, board in enumerate(boards, 1)]
        if self._target.is_folder:
            make_folder(path)
            for stem, item in zip(converted.stems, items, strict=True):
                self._write(path / f"{stem}{self._ending}", [item])
        elif self._ending == PAGES_ENDING and items:
            self._write(path, items)
        else:
            for number, item in enumerate(items, 1):
                numbered = path.with_stem(f"{path.stem}-{number:0{len(str(len(items)))}d}")
                self._write(numbered if several else path, [item])

    def _write(self, path: Path, items: Sequence[PrintablePuzzle]) -> None:
        """Write a file of one board, or pages of several."""
        place = self._names.free(path)
        if self._ending == PAGES_ENDING:
            write_pages(place, items, page_style(self._options, len(items)))
        else:
            write_picture(place, items[0], ending=self._ending)

    def _item(self, board: NamedBoard, number: int) -> PrintablePuzzle:
        from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle

        begun = bool(board.placed.any()) or any(board.marks)
        return PrintablePuzzle(
            board.clues,
            name=visible(board.name) or (str(number) if number else ""),
            note=_note(board),
            entries=board.placed if begun else None,
            marks=board.marks,
            link=code_link(self._site, board),
        )


def _note(board: NamedBoard) -> str:
    """Say how hard a puzzle is, where it has one solution, and how many clues it has."""
    from sudoku_vision.sudoku.logic import rate

    clues = f"{np.count_nonzero(board.clues)} clues"
    try:
        return f"{rate(board.clues).name}, {clues}"
    except ImproperError:
        return clues


def _caution(found: InputBoard) -> str:
    """What to look at, where a board may be read wrongly."""
    doubts = found.grid.doubts if found.of.is_picture and found.grid else ()
    if not doubts:
        return "it was read from a picture and may be wrong. Look at its clues."
    cells = ", ".join(f"r{doubt.row}c{doubt.column}" for doubt in doubts)
    call = found.of.retry.with_overrides(found.number, settling(doubts))
    return f"the reading may be wrong. Look at {cells}, and say what is printed there, as in: {call}"


def _tell_what_is_lost(boards: Sequence[NamedBoard], form: Format) -> None:
    """Say that placed digits or pencil marks are left out, where the format has no place for them."""
    placed = sum(bool(board.placed.any()) for board in boards)
    marked = sum(any(board.marks) for board in boards)
    if placed and not form.keeps_placed:
        of = _count(placed)
        complain(f"The digits placed in {of} are left out: {form.name} can't tell them from clues.")
    if marked and not form.keeps_marks:
        complain(f"The pencil marks of {_count(marked)} are left out: {form.name} has no place for them.")


def _count(boards: int) -> str:
    return "one board" if boards == 1 else f"{boards} boards"


def _write(converted: _Converted, form: Format, target: Target) -> None:
    """Print the boards, or write them to one file, or to one each; what fails there is said and counted."""
    if not target.is_folder:
        target.write(write_boards(converted.boards, form.name).encode())
        return
    make_folder(target.path)
    names = FreeNames()
    ending = form.endings[0] if form.endings else ".txt"
    for board, stem in zip(converted.boards, converted.stems, strict=True):
        try:
            place = names.free(target.path / f"{stem}{ending}")
            write_atomically(place, write_boards([board], form.name).encode())
        except SudokuVisionError as error:
            complain(error)
            converted.reporter.add_failure()


def _file_stem(board: NamedBoard, page: InputPage) -> str:
    """What the file of one board is called: by its name, or after the file that it comes from."""
    kept = "".join(mark if mark.isalnum() or mark in "-_" else " " for mark in board.name)
    source = page.stem.removesuffix(f"-board{page.number}").removesuffix(f"-page{page.number}")
    return "-".join(kept.split())[:_LONGEST_STEM] or ("sudoku" if source in ("board", "stdin") else source)
