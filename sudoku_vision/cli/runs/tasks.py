"""Tasks: a picture, or some pages of a document, to read and to draw: here, or in another process.

A task is plain values, and so is what comes back: what was read, and the bytes of the picture that is to be
written. The pixels of a photo never travel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_vision.cli.runs.provenance import digest
from sudoku_vision.errors import (
    ModelError,
    OpenError,
    SaveError,
    SudokuVisionError,
    UsageError,
    explained_memory,
)
from sudoku_vision.results import Floats, GridResult, PageResult, Photo

if TYPE_CHECKING:
    from sudoku_vision.output.debug import DebugSink
    from sudoku_vision.vision.decode.overrides import Overrides, OverridesByGrid


@dataclass(frozen=True)
class ReadingSettings:
    """How pictures are to be read: the limit on pixels, the model's file, and a person's word for one."""

    max_megapixels: float
    model: Path | None = None
    overrides: Overrides | OverridesByGrid | None = None
    corners: Floats | None = None


Make = Callable[[Photo | None, tuple[GridResult, ...], str, str], bytes]
"""What makes the file that is written of a page, of its photo, its grids, an ending and the page's name.

A board in text that is printed has no photo."""


@dataclass(frozen=True)
class Drawing:
    """What makes the pictures that are written, and the ``ending`` of the format that they are packed in."""

    make: Make
    ending: str


@dataclass(frozen=True)
class PictureTask:
    """A picture file to read, by its path or its ``data``; of a document, the ``pages``, from 1.

    ``digest`` stands for the bytes of the file where that is known. ``debug`` gives what takes the pictures
    of the stages of a photo: it keeps a task in this process.
    """

    name: str
    path: str
    settings: ReadingSettings
    data: bytes | None = None
    digest: str = ""
    pages: range | None = None
    drawing: Drawing | None = None
    debug: Callable[[Photo], DebugSink | None] | None = None

    def page_name(self, number: int) -> str:
        """Return what a page goes by in messages."""
        return self.name if self.pages is None else f"{self.name}, page {number}"


@dataclass(frozen=True, eq=False)
class ReadPicture:
    """A picture that was read, and the bytes of the one that was drawn, or why that can't be had.

    ``digest`` stands for the bytes of the file that was read.
    """

    result: PageResult
    picture: bytes | SudokuVisionError | None = None
    digest: str = ""


ReadPages = tuple[ReadPicture | SudokuVisionError, ...]
"""What came of each page of a task."""


def read_pictures(task: PictureTask | None) -> ReadPages:
    """Read the picture of a task, or its pages: for each, what was read or why it can't be; None for nothing.

    Raises :class:`~sudoku_vision.errors.UsageError` for what is said of a picture and can't be, and
    :class:`~sudoku_vision.errors.ModelError`.
    """
    if task is None:
        return ()
    from sudoku_vision.vision.load import iter_pages
    from sudoku_vision.vision.load.paths import opened

    try:
        source = opened(task.path) if task.data is None else task.data
    except OpenError as error:
        return (error,) * len(task.pages or (1,))
    limit = task.settings.max_megapixels
    photos = iter_pages(source, name=task.path, max_megapixels=limit, only=task.pages)
    return tuple(photo if isinstance(photo, OpenError) else _read(task, source, photo) for photo in photos)


def _read(task: PictureTask, source: bytes | Path, photo: Photo) -> ReadPicture | SudokuVisionError:
    """Read one photo, and draw into it; *source* is its file, or the bytes of that."""
    name = task.page_name(photo.page)
    try:
        page = read_by(task.settings, photo, None if task.debug is None else task.debug(photo))
        if task.drawing is None or not page.grids:
            return ReadPicture(page)
        picture = drawn(task.drawing, name, photo, page.grids)
        return ReadPicture(page, picture, task.digest or digest(source))
    except (UsageError, ModelError):
        raise
    except Exception as error:
        return told_error(error, name)


def read_by(settings: ReadingSettings, photo: Photo, debug: DebugSink | None = None) -> PageResult:
    """Read a photo as the *settings* say."""
    from sudoku_vision import pipeline
    from sudoku_vision.cli.runs.model import named_model

    model = named_model(settings.model)
    return pipeline.read_photo(
        photo, model=model, debug=debug, overrides=settings.overrides, corners=settings.corners
    )


def drawn(
    drawing: Drawing, name: str, photo: Photo | None, grids: tuple[GridResult, ...]
) -> bytes | SudokuVisionError:
    """Return the file of the picture that is drawn, or what is wrong; the page is called *name*."""
    try:
        with explained_memory(name):
            return drawing.make(photo, grids, drawing.ending, name)
    except SudokuVisionError as error:
        return error
    except Exception as error:  # a fault of ours in one picture must not take the others with it
        return SaveError(f"{name}: it can't be drawn: {error!r}.", "Please report this.")


def told_error(error: Exception, name: str) -> SudokuVisionError:
    """Return what is said of an input that an error ended: what one file holds must not cost the others."""
    try:
        with explained_memory(name):
            raise error
    except SudokuVisionError as told:
        return told
    except Exception as fault:
        what = f"{name}: reading failed inside ({type(fault).__name__}: {fault})."
        return SudokuVisionError(what, "Please report this file.")
