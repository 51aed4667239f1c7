"""Tasks: some pages of an input, to be read and drawn, here or in another process.

A task is plain values, and so is what comes back: the same pages, with what was read of them, and the bytes
of the pictures that are to be written. The pixels of a photo travel only where they are kept on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_vision.cli.drawings import Drawing, printed
from sudoku_vision.cli.inputs import Input
from sudoku_vision.cli.pages import InputPage, picture_of
from sudoku_vision.cli.provenance import digest
from sudoku_vision.errors import (
    ModelError,
    OpenError,
    SaveError,
    SudokuVisionError,
    UsageError,
    explained_memory,
)
from sudoku_vision.results import GridResult, Photo
from sudoku_vision.vision.digits.model import load_model

if TYPE_CHECKING:
    from sudoku_vision.output.debug import DebugSink
    from sudoku_vision.vision.digits.cascade import DigitModel


@dataclass(frozen=True)
class ReadingSettings:
    """How pictures are to be read: the limit on pixels, the model's file, and what a person ``said``."""

    max_megapixels: float
    model: Path | None
    said: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class PageTask:
    """Pages of one input that are read together: a picture, some pages of a document, or a board in text.

    ``settings`` None: all is there already. A picture is read by the path of its *item* or as ``data``; of
    a document (``paged``) the successive ``pages`` alone. ``digest`` stands for the bytes of the file where
    that is known. ``drawing`` makes the pictures. ``debug`` gives what takes the pictures of the stages of a
    photo, and keeps a task in this process, as ``keep_photo`` does, which leaves the photo on its page.
    """

    item: Input
    pages: tuple[InputPage, ...]
    settings: ReadingSettings | None = None
    data: bytes | None = None
    digest: str = ""
    paged: bool = False
    drawing: Drawing | None = None
    keep_photo: bool = False
    debug: Callable[[Photo], DebugSink | None] | None = None


def read_pages(task: PageTask) -> tuple[InputPage, ...]:
    """Return the pages of a task, read and drawn, or with the error that says why not.

    They are fewer where a document is given up. Raises :class:`UsageError` and :class:`ModelError`.
    """
    if task.settings is None:  # boards in text, or pictures that are there already
        return tuple(_drawn_board(task, page) for page in task.pages)
    from sudoku_vision.vision.load import iter_pages
    from sudoku_vision.vision.load.files import opened

    try:
        source = opened(task.item.path) if task.data is None else task.data
    except OpenError as error:
        return tuple(replace(page, error=error) for page in task.pages)
    numbers = range(task.pages[0].number, task.pages[-1].number + 1) if task.paged else None
    photos = iter_pages(
        source, name=task.item.path, max_megapixels=task.settings.max_megapixels, only=numbers
    )
    return tuple(map(partial(_read, task, source), task.pages, photos))


def _read(task: PageTask, source: bytes | Path, page: InputPage, photo: Photo | OpenError) -> InputPage:
    """Read one photo, and draw into it; *source* is its file, or the bytes of that."""
    if isinstance(photo, OpenError):
        return replace(page, error=photo)
    assert task.settings is not None
    from sudoku_vision import pipeline

    try:
        debug = None if task.debug is None else task.debug(photo)
        model = named_model(task.settings.model)
        reading = pipeline.read_photo(photo, model=model, debug=debug, **task.settings.said)
        page = replace(page, reading=reading, photo=photo if task.keep_photo else None)
        if task.drawing is None or not reading.grids:
            return page
        picture = drawn(task.drawing, page.name, photo, reading.grids)
        return replace(page, picture=picture, digest=task.digest or digest(source))
    except (UsageError, ModelError):
        raise
    except Exception as error:
        return replace(page, error=explained_error(error, page.name))


def _drawn_board(task: PageTask, page: InputPage) -> InputPage:
    """Draw a board in text, as a print or on a plain drawing of it."""
    if task.drawing is None or page.board is None:
        return page
    page = replace(page, reading=page.page)
    photo, grids = (None, page.page.grids) if task.drawing.make is printed else picture_of(page)
    return replace(page, picture=drawn(task.drawing, page.name, photo, grids))


def named_model(path: Path | None) -> DigitModel:
    """Load the model of ``--model``, or the one that comes along; raises :class:`ModelError`."""
    try:
        return load_model(path)
    except ModelError as error:
        if path is None:
            raise
        remedy = "Name one made by `sudoku-vision train`, or leave --model out."
        raise ModelError(error.message, remedy) from None


def drawn(
    drawing: Drawing, name: str, photo: Photo | None, grids: tuple[GridResult, ...]
) -> bytes | SudokuVisionError:
    """Return the file of the picture that is drawn, or what is wrong; the page is called *name*."""
    try:
        return drawing.make(photo, grids, drawing.ending, name)
    except Exception as error:
        return explained_error(error, name, "drawing")


def explained_error(error: Exception, name: str, what: str = "reading") -> SudokuVisionError:
    """Return what is said of an input that an error ended: what one file holds must not cost the others."""
    try:
        with explained_memory(name):
            raise error
    except SudokuVisionError as explained:
        return explained
    except Exception as fault:
        kind = SaveError if what == "drawing" else SudokuVisionError
        return kind(
            f"{name}: {what} failed inside ({type(fault).__name__}: {fault}).", "Please report this file."
        )
