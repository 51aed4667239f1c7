"""Read what was named on the command line: pictures page by page, and boards in text as pictures of them.

A board in text becomes a page with one grid, so that every command works on it as on a picture of it.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

from sudoku_vision.cli.inputs import Input, Inputs, open_input
from sudoku_vision.cli.options import Options
from sudoku_vision.errors import (
    ImproperError,
    ModelError,
    OpenError,
    SudokuVisionError,
    UsageError,
    explained_memory,
)
from sudoku_vision.formats import NamedBoard
from sudoku_vision.questions.board_pages import board_of, drawn_board, solved_board
from sudoku_vision.results import GridResult, PageResult, Photo

if TYPE_CHECKING:
    from sudoku_vision.debug import DebugSink
    from sudoku_vision.digits import CellClassifier

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Retry:
    """How one page alone is read again, with a person's word for its cells.

    ``call`` is what goes before the options, empty where the page is alone already; ``said`` are the
    overrides of this call.
    """

    call: str = ""
    said: str = ""

    def with_overrides(self, number: int, cells: str) -> str:
        """Return the call that says what *cells* of grid *number* hold, besides what was said before."""
        said = f"{number}:{self.said}" if number and self.said and ":" not in self.said else self.said
        cells = f"{number}:{cells}" if number else cells
        return f'{self.call}--overrides "{",".join(filter(None, (said, cells)))}"'


@dataclass(frozen=True, eq=False)
class InputPage:
    """One page of an input, read, or the ``error`` that says why it is not.

    ``name`` is what it goes by in messages, ``stem`` in the names of files. ``number`` is that of the page,
    or of the ``board`` in a text, from 1. A picture comes with its ``photo``. ``retry`` is how cells in doubt
    can be settled.
    """

    name: str
    stem: str
    source: str
    number: int = 1
    error: SudokuVisionError | None = None
    photo: Photo | None = None
    board: NamedBoard | None = None
    reading: PageResult | None = None
    retry: Retry = Retry()

    @cached_property
    def page(self) -> PageResult:
        """Return what was read and solved; a board in text is solved when this is first asked for."""
        if self.error is not None:
            return PageResult(self.source, self.number, "error", str(self.error), (), 0.0)
        if self.board is not None:
            return solved_board(self.board, self.source, self.number)
        assert self.reading is not None
        return self.reading

    @property
    def title(self) -> str:
        """Return the name, with that of the board."""
        return f"{self.name} ({self.board.name})" if self.board is not None and self.board.name else self.name


@dataclass(frozen=True, eq=False)
class InputBoard:
    """One board of a page, or the ``error`` that says why there is none.

    ``number`` counts the grids of a picture that has several, from 1, else 0.
    """

    name: str
    of: InputPage
    board: NamedBoard | None = None
    error: SudokuVisionError | None = None
    place: int = 0
    number: int = 0

    @property
    def grid(self) -> GridResult | None:
        """Return what was read and solved of it, if anything was."""
        grids = self.of.page.grids
        return grids[self.place] if self.place < len(grids) else None


def picture_of(one: InputPage) -> tuple[Photo, tuple[GridResult, ...]]:
    """Return the photo of a page and its grids; of a board in text, a plain drawing and its grid in that."""
    if one.photo is not None:
        return one.photo, one.page.grids
    pixels, grid = drawn_board(one.page.grids[0])
    return Photo(pixels, one.source, one.number), (grid,)


class PageReader:
    """Reads the inputs of a command, one after another; what can't be read never stops the rest."""

    def __init__(
        self,
        command: str,
        inputs: Inputs,
        options: Options,
        debug: Callable[[Photo, str, bool], DebugSink | None] = lambda *_: None,
    ) -> None:
        """Check what the *options* say of pictures, before any work.

        *debug* gives what takes the pictures of the stages of a photo, if they are wanted; it is told what
        files that are made from it are called, and whether it is one page of several. Raises
        :class:`~sudoku_vision.errors.UsageError` for options that can't be, or can't be for so many inputs.
        """
        from sudoku_vision.decode.overrides import parse_corners, parse_overrides

        self._command, self._inputs, self._options, self._debug = command, inputs, options, debug
        said, corners = options.overrides, options.corners
        self._overrides = None if said is None else parse_overrides(said)
        self._corners = None if corners is None else parse_corners(corners)
        if self._for_one_picture and len(inputs.items) != 1:
            what = f"--overrides and --corners are for one picture, these are {len(inputs.items)}."
            raise UsageError(what, "Name one picture at a time.")

    @property
    def _for_one_picture(self) -> bool:
        return self._overrides is not None or self._corners is not None

    @cached_property
    def _model(self) -> CellClassifier:
        """The digit model, loaded with the first picture."""
        from sudoku_vision.cli.model import named_model

        return named_model(self._options.model)

    def pages(self, item: Input) -> Iterator[InputPage]:
        """Read one input, page by page; in place of a page that can't be read, one with its error.

        Raises :class:`~sudoku_vision.errors.UsageError` for options that don't fit, and
        :class:`~sudoku_vision.errors.ModelError`.
        """
        try:
            opened = open_input(item)
            if isinstance(opened, bytes):
                yield from self._of_picture(item, opened)
            else:
                yield from self._of_boards(item, opened)
        except (UsageError, ModelError):
            raise
        except Exception as error:
            yield InputPage(item.name, item.stem, item.name, error=_told(error, item.name))

    def _of_boards(self, item: Input, boards: list[NamedBoard]) -> Iterator[InputPage]:
        """The boards of a text as pages."""
        self._refuse_picture_options(item)
        only, several = self._options.page, len(boards) > 1
        if only is not None and only > len(boards):
            what = f"{item.name}: there is no board {only}, boards here: {len(boards)}."
            raise OpenError(what, "Choose another one with --page.")
        for number, board in enumerate(boards, start=1):
            if only in (None, number):
                name = f"{item.name}, board {number}" if several else item.name
                stem = f"{item.stem}-board{number}" if several else item.stem
                yield InputPage(name, stem, item.name, number, board=board)

    def _refuse_picture_options(self, item: Input) -> None:
        options = self._options
        values = {
            "--overrides": options.overrides,
            "--corners": options.corners,
            "--debug-dir": options.debug_dir,
        }
        given = next((name for name, value in values.items() if value is not None), None)
        if given:
            raise UsageError(f"{given} is for pictures, and {item.name} is a board in text.", "Leave it out.")

    def _of_picture(self, item: Input, data: bytes) -> Iterator[InputPage]:
        """Read a picture file, page by page."""
        from sudoku_vision.load import iter_pages

        options = self._options
        opened = iter_pages(data, name=item.path, max_megapixels=options.max_megapixels, only=options.page)
        several, photos = _with_next(opened)
        if several and self._for_one_picture:
            raise UsageError(f"{item.name}: it has several pages.", "Name the one you mean, as in: --page 1")
        paged = several or options.page is not None
        for number, photo in enumerate(photos, start=options.page or 1):
            name = f"{item.name}, page {number}" if paged else item.name
            stem = f"{item.stem}-page{number}" if paged else item.stem
            if isinstance(photo, OpenError):
                yield InputPage(name, stem, item.name, number, error=photo)
            else:
                yield self._read(photo, name, stem, paged=paged)

    def _read(self, photo: Photo, name: str, stem: str, *, paged: bool) -> InputPage:
        """Read one photo; what goes wrong inside is said and does not stop the rest."""
        from sudoku_vision import pipeline

        words = (
            ["sudoku-vision", self._command, shlex.quote(photo.source)] if len(self._inputs.items) > 1 else []
        )
        words += ["--page", str(photo.page)] if paged else []
        retry = Retry("".join(f"{word} " for word in words), self._options.overrides or "")
        try:
            sink = self._debug(photo, stem, paged)
            page = pipeline.read_photo(
                photo, model=self._model, debug=sink, overrides=self._overrides, corners=self._corners
            )
        except (ModelError, UsageError):
            raise
        except Exception as error:
            return InputPage(name, stem, photo.source, photo.page, error=_told(error, name))
        return InputPage(name, stem, photo.source, photo.page, photo=photo, reading=page, retry=retry)


def _told(error: Exception, name: str) -> SudokuVisionError:
    """Return what is said of an input that an error ended: what one file holds must not cost the others."""
    try:
        with explained_memory(name):
            raise error
    except SudokuVisionError as told:
        return told
    except Exception as fault:
        what = f"{name}: reading failed inside ({type(fault).__name__}: {fault})."
        return SudokuVisionError(what, "Please report this file.")


def boards_of(page: InputPage) -> Iterator[InputBoard]:
    """Yield the boards of a page: what was written out, or the puzzles of its grids."""
    if page.error is not None:
        yield InputBoard(page.name, page, error=page.error)
    elif page.board is not None:
        yield InputBoard(page.name, page, page.board)
    else:
        yield from _grids_of(page)


def _grids_of(page: InputPage) -> Iterator[InputBoard]:
    """The puzzles of a picture."""
    from sudoku_vision.pipeline import MESSAGES

    grids = page.page.grids
    if not grids:
        error = ImproperError(f"{page.name}: {page.page.message}", status=page.page.status)
        yield InputBoard(page.name, page, error=error)
    for place, grid in enumerate(grids):
        number = place + 1 if len(grids) > 1 else 0
        name = f"{page.name}, grid {number}" if number else page.name
        if grid.status == "unreadable":
            unreadable = ImproperError(f"{name}: {MESSAGES['unreadable']}", status=grid.status)
            yield InputBoard(name, page, None, unreadable, place, number)
        else:
            yield InputBoard(name, page, board_of(grid), None, place, number)


def _with_next(items: Iterator[_Item]) -> tuple[bool, Iterator[_Item]]:
    """Tell whether there are several photos, by opening the second beside the first, and give all of them."""
    first = list(islice(items, 2))
    return len(first) > 1, chain(first, items)
