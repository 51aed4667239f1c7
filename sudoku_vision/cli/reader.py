"""Read the inputs of a command, one after another: pictures page by page, and boards in text."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import TypeVar

from sudoku_vision.cli.inputs import Input, Inputs, open_input
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.pages import InputPage, Retry, board_pages
from sudoku_vision.cli.runs.tasks import ReadingSettings, read_by, told_error
from sudoku_vision.errors import ModelError, OpenError, UsageError
from sudoku_vision.results import Photo

_Item = TypeVar("_Item")


def reading_settings(options: Options, inputs: Inputs) -> ReadingSettings:
    """Return how pictures are to be read, checked before any work.

    Raises :class:`~sudoku_vision.errors.UsageError` for options that can't be, or not for so many inputs.
    """
    from sudoku_vision.vision.decode.overrides import parse_corners, parse_overrides

    overrides = None if options.overrides is None else parse_overrides(options.overrides)
    corners = None if options.corners is None else parse_corners(options.corners)
    if is_for_one_picture(options) and len(inputs.items) != 1:
        what = f"--overrides and --corners are for one picture, these are {len(inputs.items)}."
        raise UsageError(what, "Name one picture at a time.")
    return ReadingSettings(options.max_megapixels, options.model, overrides, corners)


def is_for_one_picture(options: Options) -> bool:
    """Tell whether what the options say can be meant of one picture alone."""
    return options.overrides is not None or options.corners is not None


def refuse_picture_options(options: Options, item: Input) -> None:
    """Raise :class:`~sudoku_vision.errors.UsageError` for options that mean nothing of a board in text."""
    values = {
        "--overrides": options.overrides,
        "--corners": options.corners,
        "--debug-dir": options.debug_dir,
    }
    given = next((name for name, value in values.items() if value is not None), None)
    if given:
        raise UsageError(f"{given} is for pictures, and {item.name} is a board in text.", "Leave it out.")


def refuse_several_pages(options: Options, item: Input) -> None:
    """Raise :class:`~sudoku_vision.errors.UsageError` for options that can't be meant of all pages."""
    if is_for_one_picture(options):
        raise UsageError(f"{item.name}: it has several pages.", "Name the one you mean, as in: --page 1")


def picture_page(item: Input, number: int, *, paged: bool) -> InputPage:
    """Return a page of a picture file that is not read yet; *paged*: its number is told with its name."""
    name = f"{item.name}, page {number}" if paged else item.name
    stem = f"{item.stem}-page{number}" if paged else item.stem
    return InputPage(name, stem, item.path or item.name, number, below=item.below)


def retry_of(command: str, inputs: Inputs, options: Options, item: Input, page: int, *, paged: bool) -> Retry:
    """Return how a page alone is read again by the same command."""
    words = ["sudoku-vision", command, shlex.quote(item.path)] if len(inputs.items) > 1 else []
    words += ["--page", str(page)] if paged else []
    return Retry("".join(f"{word} " for word in words), options.overrides or "")


class PageReader:
    """Reads the inputs of a command right here; what can't be read never stops the rest."""

    def __init__(self, command: str, inputs: Inputs, options: Options) -> None:
        """Check what the *options* say of pictures; errors as for :func:`reading_settings`."""
        self._command, self._inputs, self._options = command, inputs, options
        self._settings = reading_settings(options, inputs)

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
                refuse_picture_options(self._options, item)
                yield from board_pages(item, opened, self._options.page)
        except (UsageError, ModelError):
            raise
        except Exception as error:
            yield InputPage(
                item.name, item.stem, item.name, error=told_error(error, item.name), below=item.below
            )

    def _of_picture(self, item: Input, data: bytes) -> Iterator[InputPage]:
        """Read a picture file, page by page."""
        from sudoku_vision.vision.load import iter_pages

        options = self._options
        opened = iter_pages(data, name=item.path, max_megapixels=options.max_megapixels, only=options.page)
        several, photos = _with_next(opened)
        if several:
            refuse_several_pages(options, item)
        paged = several or options.page is not None
        for number, photo in enumerate(photos, start=options.page or 1):
            page = picture_page(item, number, paged=paged)
            if isinstance(photo, OpenError):
                yield replace(page, source=item.name, error=photo)
            else:
                yield self._read(item, photo, page, paged=paged)

    def _read(self, item: Input, photo: Photo, page: InputPage, *, paged: bool) -> InputPage:
        """Read one photo; what goes wrong inside is said and does not stop the rest."""
        retry = retry_of(self._command, self._inputs, self._options, item, photo.page, paged=paged)
        try:
            return replace(page, photo=photo, reading=read_by(self._settings, photo), retry=retry)
        except (ModelError, UsageError):
            raise
        except Exception as error:
            return replace(page, error=told_error(error, page.name))


def _with_next(items: Iterator[_Item]) -> tuple[bool, Iterator[_Item]]:
    """Tell whether there are several photos, by opening the second beside the first, and give all of them."""
    first = list(islice(items, 2))
    return len(first) > 1, chain(first, items)
