"""``sudoku-vision convert``: writes boards in another format, or as pages and pictures to print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sudoku_vision.cli.inputs import paths_of
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import BoardOutput
from sudoku_vision.cli.pages import InputBoard, InputPage, boards_of
from sudoku_vision.cli.reporter import complain
from sudoku_vision.cli.run import Run
from sudoku_vision.errors import UsageError
from sudoku_vision.output.save import make_folder, write_atomically
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
from sudoku_vision.vision.decode.overrides import confirming_overrides

# If the stem of a file is made from the name of a board, it has at most this many characters. The limit keeps
# listings of files readable.
_MAX_STEM = 60


class ConvertRun(Run):
    """A run of ``convert``. It writes all boards at the end."""

    name, doing = "convert", "reading"

    def __init__(self, arguments: Sequence[str], options: Options) -> None:
        super().__init__(arguments, options)
        self._output = output = BoardOutput(options, paths_of(self.inputs))
        self._format = None if output.drawn_ending else _text_format(output, options)
        self._converted: list[tuple[str, NamedBoard]] = []
        """Pairs of a stem and a board. The stem names the board's file if each board has its own file."""

    def take(self, page: InputPage) -> None:
        """Store the boards of a page for :meth:`finish`. Warn about each board that may be misread."""
        for found in boards_of(page):
            if found.error is not None:
                self.reporter.add_error(found.error, found.name)
                continue
            board = found.board
            assert board is not None, "there is an error otherwise"
            if board.uncertain:
                complain(f"{found.name}: {_caution(found)}")
            self.reporter.add("uncertain" if board.uncertain else "converted")
            if self.options.fill_marks:
                board = replace(board, marks=all_candidates(board))
            self._converted.append((_file_stem(board, page), board))

    def finish(self) -> None:
        """Write all boards, as pages, as pictures or as text."""
        if not self._converted:
            return
        if self._format is None:
            self._output.draw(self._converted)
        else:
            self._write_text(self._format)
        if not self._output.is_standard_output:
            self.reporter.add_written(self.options.output)

    def _write_text(self, form: Format) -> None:
        """Write all boards as one text or, in a folder, as a file for each board.

        If a file in a folder can't be written, this is reported, and the other files are written.
        """
        output, boards = self._output, [board for _, board in self._converted]
        _report_losses(boards, form)
        if not output.is_folder:
            output.write(write_boards(boards, form.name).encode())
            return
        make_folder(output.path)
        for stem, board in self._converted:
            with self.reporter.guarded():
                place = output.free(output.path / f"{stem}{(*form.endings, '.txt')[0]}")
                write_atomically(place, write_boards([board], form.name).encode())


def _text_format(output: BoardOutput, options: Options) -> Format:
    by_name = options.to is not None or not output.is_file
    form = format_named(options.to or "line") if by_name else format_of(output.path)
    if options.fill_marks and "marks" not in form.keeps:
        known = ", ".join(name for name in (*FORMATS, *SITES) if "marks" in format_named(name).keeps)
        what = f"The format {form.name} has no place for pencil marks."
        raise UsageError(what, f"Name one with --to that has: {known} or pdf.")
    return form


def _caution(found: InputBoard) -> str:
    """Return a message about a board that may be misread: which cells to check, and how to correct them."""
    if not found.doubts:
        return "it was read from a picture and may be wrong. Look at its clues."
    cells = ", ".join(cell_name(doubt.cell) for doubt in found.doubts)
    call = found.of.call_with(found.number, confirming_overrides(found.doubts))
    return f"the reading may be wrong. Look at {cells}, and say what is printed there, as in: {call}"


def _report_losses(boards: Sequence[NamedBoard], form: Format) -> None:
    no_place = "has no place for them"
    placed = sum(bool(board.placed.any()) for board in boards)
    marked = sum(any(board.marks) for board in boards)
    drawn = "regions" in form.keeps
    ruled = sum(
        board.rules.diagonal
        or (board.rules.is_jigsaw and bool(board.rules.cages))
        or (board.rules != CLASSIC and not drawn)
        for board in boards
    )
    lost: tuple[tuple[Part, int, str, str], ...] = (
        ("placed", placed, "digits placed in", "can't tell them from clues"),
        ("marks", marked, "pencil marks of", no_place),
        ("rules", ruled, "rules of", f"{no_place}, as jsonl and f-puzzles.com have"),
    )
    for part, count, what, why in lost:
        if count and part not in form.keeps:
            of = "one board" if count == 1 else f"{count} boards"
            complain(f"The {what} {of} are left out: {form.name} {why}.")


def _file_stem(board: NamedBoard, page: InputPage) -> str:
    """Return the stem of the file for one board: the board's name or, without a name, its source's stem."""
    kept = "".join(mark if mark.isalnum() or mark in "-_" else " " for mark in board.name)
    source = page.stem.removesuffix(f"-board{page.number}").removesuffix(f"-page{page.number}")
    return "-".join(kept.split())[:_MAX_STEM] or ("sudoku" if source in ("board", "stdin") else source)
