"""The work of ``sudoku-vision convert``: boards in, the same boards in another format out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sudoku_vision.cli.boards import BoardFinder, FoundBoard
from sudoku_vision.cli.output import Names
from sudoku_vision.cli.settings import Options
from sudoku_vision.cli.show import complain
from sudoku_vision.errors import SudokuVisionError, UsageError
from sudoku_vision.formats import Format, NamedBoard, format_named, format_of, write_boards
from sudoku_vision.load import STDIN
from sudoku_vision.save import check_folder, check_place, make_folder, write_atomically

DONE, NOT_ALL = 0, 1
"""Exit statuses, besides those of the errors."""

DEFAULT = "line"
"""The format where neither ``--to`` nor the output's name says one."""


@dataclass
class _Tally:
    """What came of the boards so far."""

    boards: list[NamedBoard] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    """The files that they come from."""
    unsure: int = 0
    failed: list[int] = field(default_factory=list)
    """The exit codes of what could not be read."""

    @property
    def exit_status(self) -> int:
        """0 all is converted and sure, 1 some is not; that of the error if nothing could be read."""
        if not self.boards and self.failed:
            return self.failed[0] if len(set(self.failed)) == 1 else NOT_ALL
        return NOT_ALL if self.failed or self.unsure else DONE


def convert_all(arguments: Sequence[str], options: Options, to: str | None) -> int:
    """Read the boards that *arguments* name, write them in the format *to*, and give the exit status.

    Raises :class:`UsageError` for an unknown format and an output that can't be right, before any work.
    """
    folder = _is_folder(options.output)
    form = _format(options.output, to, folder)
    _check_output(options.output, arguments, folder)
    tally = _Tally()
    for found in BoardFinder("convert", options).find(arguments):
        _take(found, tally)
    _tell_what_is_lost(tally.boards, form)
    if tally.boards:
        _write(tally, form, options.output, folder)
    return tally.exit_status


def _is_folder(output: str | None) -> bool:
    return output is not None and (output.endswith(("/", os.sep)) or os.path.isdir(output))  # noqa: PTH112


def _format(output: str | None, to: str | None, folder: bool) -> Format:
    if to is not None:
        return format_named(to)
    return format_named(DEFAULT) if output is None or folder else format_of(output)


def _check_output(output: str | None, arguments: Sequence[str], folder: bool) -> None:
    """Raise now the error that writing would meet after the work."""
    if output is None:
        return
    if folder:
        check_folder(output)
        return
    check_place(output)
    place = os.path.realpath(output)
    if any(argument != STDIN and os.path.realpath(argument) == place for argument in arguments):
        raise UsageError(f"{output}: this would overwrite what is read.", "Choose another name.")


def _take(found: FoundBoard, tally: _Tally) -> None:
    """Count one board, or say why there is none; and say it where a board may be read wrongly."""
    if found.board is None:
        assert found.error is not None
        message = str(found.error)
        complain(message if message.startswith(found.source) else f"{found.source}: {message}")
        tally.failed.append(found.error.exit_code)
        return
    if found.board.uncertain:
        tally.unsure += 1
        complain(f"{found.source}: {_caution(found)}")
    tally.boards.append(found.board)
    tally.paths.append(found.path)


def _caution(found: FoundBoard) -> str:
    """What to look at, where a board may be read wrongly."""
    doubts = found.grid.doubts if found.grid else ()
    if not doubts:
        return "it was read from a picture and may be wrong. Look at its clues."
    cells = ", ".join(f"r{doubt.row}c{doubt.column}" for doubt in doubts)
    digits = ",".join(f"r{doubt.row}c{doubt.column}={doubt.digits[0] or 'blank'}" for doubt in doubts[:2])
    return f"the reading may be wrong. Look at {cells}, and say what is printed there, as in: " + (
        found.call.settling(found.number, digits)
    )


def _tell_what_is_lost(boards: Sequence[NamedBoard], form: Format) -> None:
    """Say that placed digits are left out, where the format can't tell them from clues."""
    count = sum(bool(board.placed.any()) for board in boards)
    if count and not form.keeps_placed:
        whose = "one board" if count == 1 else f"{count} boards"
        complain(f"The digits placed in {whose} are left out: {form.name} can't tell them from clues.")


def _write(tally: _Tally, form: Format, output: str | None, folder: bool) -> None:
    """Print the boards, or write them to one file, or to one each."""
    if output is None:
        print(write_boards(tally.boards, form.name), end="", flush=True)  # noqa: T201
        return
    if not folder:
        write_atomically(output, write_boards(tally.boards, form.name).encode())
        return
    make_folder(output)
    names = Names([])
    for board, path in zip(tally.boards, tally.paths, strict=True):
        place = names.free(Path(output) / f"{_stem(board, path)}{_ending(form)}")
        try:
            write_atomically(place, write_boards([board], form.name).encode())
        except SudokuVisionError as error:
            complain(error)
            tally.failed.append(error.exit_code)


def _stem(board: NamedBoard, path: str) -> str:
    """What the file of one board is called: by its name, or after the file that it comes from."""
    stem = Path(path).stem if path not in ("", STDIN) else "sudoku"
    kept = "".join(mark if mark.isalnum() or mark in "-_" else " " for mark in board.name)
    return "-".join(kept.split())[:60] or stem


def _ending(form: Format) -> str:
    return form.endings[0] if form.endings else ".txt"
