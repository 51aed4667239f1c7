"""Read pictures, and return pages with the answers: the functions that most programs begin with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_vision.errors import OpenError
from sudoku_vision.output.save import check_output
from sudoku_vision.page import CheckedPage, Page, check_page
from sudoku_vision.pipeline import Corners, read_page
from sudoku_vision.sudoku.rules import RulesLike
from sudoku_vision.vision.decode.overrides import Overrides
from sudoku_vision.vision.digits.model_files import ModelLike
from sudoku_vision.vision.load import MAX_MEGAPIXELS, MAX_PAGES, Channels, Source, iter_pages, load_photo
from sudoku_vision.vision.load.files import name_of

if TYPE_CHECKING:
    from sudoku_vision.output.debug import DebugSink


def solve_photo(
    source: Source,
    output: str | Path | None = None,
    *,
    channels: Channels = "bgr",
    page: int | None = None,
    overrides: Overrides | None = None,
    corners: Corners | None = None,
    rules: RulesLike = None,
    max_megapixels: float = MAX_MEGAPIXELS,
    model: ModelLike = None,
    debug: DebugSink | None = None,
    keep_photo: bool = True,
) -> Page:
    """Find, read and solve every sudoku in one picture.

    If *output* is the name of a file, the picture with the answers is written to it. *source* is one of
    these:

    - a path, or ``"-"`` for standard input; the bytes of a picture file; or a binary file object. A file
      object is read from its current position to its end, and stays open. *page*: the number of the page of
      a PDF or TIFF, from 1;
    - a NumPy array of pixels: (H, W) or (H, W, 1) grey, (H, W, 3) colour, (H, W, 4) with opacity. The order
      of its colours is *channels*. Its numbers are uint8, uint16, bool, whole numbers from 0 to 255, or
      floats from 0 to 1. The array is copied, never changed;
    - a PIL image, which is treated like its file: turned upright, 16 bits scaled to 8, transparent parts made
      white;
    - a :class:`Photo`, which is used as it is.

    A picture without a grid is no error, and no output is written for it. The page keeps the photo, so that
    it can draw and show itself. Programs that collect thousands of pages can set *keep_photo* to False.

    A person can correct the reading. *overrides* ``{cell: digit}`` says what is in some cells of the only
    readable grid. A cell is a :class:`Doubt` or a number, 0 to 80 in reading order. The value is the printed
    digit, 0 for a blank cell, or :class:`Written` for a digit by hand. For several grids, use ``{index:
    {cell: digit}}``, with the index of each grid in ``page.grids``. Overrides can also be a text as on the
    command line: ``"r3c5=8,r4c1=blank"``. *corners* (4, 2): the corners of the only grid, in pixels (x, y),
    clockwise from the puzzle's own top left. *rules*: the rules of the puzzles, for example
    ``Rules(diagonal=True)``. None means that they are read from the lines and colours of the picture.

    *model* reads the digits in the cells. It is a model that :func:`load_model` returns, or a
    :class:`CellClassifier` of your own; None means the model of the package. *debug* is an object that gets a
    picture of every stage.

    Raises :class:`~sudoku_vision.errors.OpenError` if the picture can't be opened. The error is a
    :class:`~sudoku_vision.errors.TooLargeError` if the picture has more than *max_megapixels* million pixels;
    such a picture is not unpacked. It is an :class:`~sudoku_vision.errors.OutOfMemoryError` if there is not
    enough memory. Raises :class:`~sudoku_vision.errors.UsageError` for impossible overrides and corners, for
    a *source* of another type (:class:`~sudoku_vision.errors.SourceError`) and for an array that is no
    picture (:class:`~sudoku_vision.errors.PixelsError`). If the output can't be written,
    :class:`~sudoku_vision.errors.UsageError` or :class:`~sudoku_vision.errors.SaveError` is raised before the
    picture is read.
    """
    if output is not None:
        check_output(output, [name_of(source)])
    photo = load_photo(source, channels=channels, page=page, max_megapixels=max_megapixels)
    read = read_page(photo, model=model, debug=debug, overrides=overrides, corners=corners, rules=rules)
    solved = replace(read, photo=photo)
    if output is not None and solved.grids:
        solved.save(output)
    return solved if keep_photo else solved.without_photo()


def read_pages(
    source: Source,
    *,
    max_pages: int = MAX_PAGES,
    max_megapixels: float = MAX_MEGAPIXELS,
    model: ModelLike = None,
    keep_photo: bool = True,
) -> Iterator[Page]:
    """Yield all pages of a document. Each page is read only when it is requested. A picture has one page.

    At most *max_pages* pages are read. :func:`solve_photo` explains the other arguments. Only one page is in
    memory at a time, unless you keep pages. A page that can't be opened has the status ``error``, and its
    ``message`` says why. If the document has more than *max_pages* pages, one more page with the status
    ``error`` is yielded for all pages that are not read. Raises :class:`~sudoku_vision.errors.OpenError` at
    the first page if no page can be opened.
    """
    opened = iter_pages(source, max_megapixels=max_megapixels, max_pages=max_pages)
    name = name_of(source)
    first = list(islice(opened, 1))
    if first and isinstance(first[0], OpenError):
        first += islice(opened, 1)
        if len(first) == 1:
            raise first[0]
    for number, photo in zip(count(1), chain(first, opened), strict=False):
        try:
            if isinstance(photo, OpenError):
                raise photo
            yield replace(read_page(photo, model=model), photo=photo if keep_photo else None)
        except OpenError as error:
            yield Page(name, number, "error", str(error), (), 0.0)


def check(
    source: Source | Page,
    *,
    channels: Channels = "bgr",
    page: int | None = None,
    overrides: Overrides | None = None,
    corners: Corners | None = None,
    rules: RulesLike = None,
    max_megapixels: float = MAX_MEGAPIXELS,
    model: ModelLike = None,
) -> CheckedPage:
    """Check whether the digits that a person wrote into the sudokus of a picture are right or wrong.

    *source* is any source for :func:`solve_photo`, or a :class:`Page` that it returned. :func:`solve_photo`
    also explains the other arguments. If *source* is a :class:`Page`, only *overrides* and *rules* are used,
    and *rules* are the rules of all its grids. The puzzle is solved from its printed clues alone. A digit
    that can't be read for sure is never called wrong.
    """
    if isinstance(source, Page):
        read = source if rules is None else source.with_rules(rules)
        read = read if overrides is None else read.with_overrides(overrides)
    else:
        photo = load_photo(source, channels=channels, page=page, max_megapixels=max_megapixels)
        read = solve_photo(photo, overrides=overrides, corners=corners, rules=rules, model=model)
    return check_page(read)
