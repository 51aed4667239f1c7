"""Read PDF pages. A separate process renders each page, and is killed if this takes too much time or memory.

A few kilobytes of PDF can abort PDFium, keep it busy for hours, or use all memory. Only the page that does
this is lost, and the error names this page. After a page, the process waits for the next page, because
starting a process takes longer than rendering most pages. If the program itself runs in a worker process, no
other process is started: then this worker process is killed if its whole task takes too long.
"""

import contextlib
import math
import queue
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_vision.errors import OpenError, TaskLostError, TaskTimeoutError, explained_memory, import_extra
from sudoku_vision.parallel.worker_process import WorkerProcess
from sudoku_vision.values import Image
from sudoku_vision.vision.load.guard import AGAIN, page_name, plain_errors, too_many_pages, wanted_pages
from sudoku_vision.vision.results import Photo

PAGE_SECONDS = 8.0
"""A page is left out if opening the document and rendering the page take more seconds than this. A page full
of content takes a thirtieth of this time."""
ROOM_SECONDS, USUAL_SECONDS = 30.0, 1.0
"""Time limit for a document, in seconds: ``ROOM_SECONDS``, plus ``USUAL_SECONDS`` for each page read so far.

Drawn pages take 0.3 seconds, and the finest scans take 1 second. If a document takes longer than the limit,
its remaining pages are left out, because a thousand slow pages could take hours.
"""
MAX_MEMORY = 1024 << 20
"""The process that renders may use at most this many bytes of memory. A page of 16 megapixels takes 300 MB.

The limit works only on systems that can limit the memory of a process.
"""

DPI = 200.0
"""Resolution of a rendered page, in dots per inch. A cell of a 5 cm grid is 44 pixels wide. An A4 page has
4 megapixels."""
MIN_SIDE, MAX_SIDE = 1600, 4000
"""The longer side of a rendered page has at least and at most this many pixels.

The size of a page in a PDF can't be trusted. Some scanning programs make each pixel one point wide. So a page
can claim the size of a stamp or of a poster.
"""
MAX_SCAN_SIDE = 7200  # longest side of a scanned page, in pixels: A4 at 600 dots per inch, 36 megapixels
SCAN_SHARE = 0.9
"""A page is a scan if pictures cover at least this share of the page. The rest can be white margins."""
MIN_PICTURE_SHARE = 0.05
"""A picture shows the resolution of a scan only if it covers at least this share of the page.

Stamps cover less."""
MAX_PICTURES = 1000  # at most this many pictures of a page are examined; a scan in strips has some hundreds

_NEEDS = "reading PDF documents needs pypdfium2"
_AS_PICTURE = "Save the page as a picture, for example PNG, and name that."
_PDFIUM = threading.RLock()  # PDFium allows one call at a time in a process, even for different documents
_idle: queue.Queue[WorkerProcess] = queue.Queue(1)  # holds the process that waits for the next page


def read_pdf(
    data: bytes | Path, name: str, max_megapixels: float, max_pages: int, only: int | None
) -> Iterator[Photo | OpenError]:
    """Yield a photo for each page of a PDF, or the error that says why there is no photo.

    A page is rendered only when it is asked for. The resolution is about 200 dots per inch. A finer scan is
    rendered at its own resolution. If the picture would be too small or too large for the limits of this
    module, or larger than *max_megapixels*, the resolution is changed. Raises :class:`OpenError` if the
    document can't be opened.
    """
    pages = pdf_page_count(data, name)
    if not pages:
        raise OpenError(f"{name}: the PDF has no pages that can be read.", AGAIN)
    spent, room = 0.0, ROOM_SECONDS
    for number in wanted_pages(name, pages, max_pages, only):
        if spent > room:
            yield OpenError(
                f"{name}: its pages take too much to render, the rest is left out.",
                "Name a later page with --page, or split the document.",
            )
            return
        title, begun = page_name(name, number + 1, pages), time.monotonic()
        result: Photo | OpenError
        try:
            pixels = _in_process(_render_page, data, name, title, number, title, max_megapixels)
            result = Photo(pixels, name, number + 1)
        except OpenError as error:
            result = error
        spent, room = spent + time.monotonic() - begun, room + USUAL_SECONDS
        yield result
    if only is None and pages > max_pages:
        yield too_many_pages(name, max_pages)


def pdf_page_count(data: bytes | Path, name: str) -> int:
    """Return the number of pages of a PDF; raises :class:`OpenError` if it can't be opened."""
    import_extra("pypdfium2", "formats", f"{name}: {_NEEDS}")
    return int(_in_process(_count_pages, data, name, name))


def _in_process(job: Callable[..., Any], data: bytes | Path, name: str, title: str, *more: Any) -> Any:
    """Run ``job(document, name, *more)`` in the process that renders pages, and return the result.

    *data*: the bytes of the document, or the path of its file. *title*: the name of the page in errors.
    """
    document = str(data.resolve()) if isinstance(data, Path) else data
    try:
        worker = _idle.get_nowait()
    except queue.Empty:
        worker = WorkerProcess(memory=MAX_MEMORY)
    try:
        with explained_memory(title):
            return worker.call(job, document, name, *more, seconds=PAGE_SECONDS)
    except TaskTimeoutError:
        what = f"{title}: it takes more than {PAGE_SECONDS:g} seconds to render, and was given up."
        raise OpenError(what, _AS_PICTURE) from None
    except TaskLostError:
        what = f"{title}: it takes too much memory to render, or makes the renderer fail."
        raise OpenError(what, _AS_PICTURE) from None
    finally:
        try:
            _idle.put_nowait(worker)
        except queue.Full:
            worker.close()


# The functions below run in the process that renders pages. They open the document again for each page,
# because PDFium keeps each used page in memory while the document is open. Opening takes milliseconds.


def _count_pages(document: bytes | str, name: str) -> int:
    with _opened(document, name) as pdf:
        return len(pdf)


def _render_page(document: bytes | str, name: str, number: int, title: str, max_megapixels: float) -> Image:
    """Return page *number*, counted from 0, as pixels (H, W, 3) uint8 BGR. *title*: its name in errors."""
    with _opened(document, name) as pdf, plain_errors(title, "page"):
        page = pdf[number]
        scale = _scale(page.get_size(), max_megapixels, _scan_resolution(page))
        return np.array(page.render(scale=scale).to_numpy()[..., :3], np.uint8, order="C")


@contextlib.contextmanager
def _opened(document: bytes | str, name: str) -> Iterator[Any]:
    """Open a PDF, with its fields for input, for the ``with`` block. Close it after the block.

    *document*: the bytes of the PDF, or the path of its file. Only the needed parts of the file are read.
    Raises :class:`OpenError` if the document can't be opened or has a password.
    """
    pdfium = import_extra("pypdfium2", "formats", f"{name}: {_NEEDS}")
    with _PDFIUM:
        with plain_errors(name, "PDF"):
            try:
                pdf = pdfium.PdfDocument(document)
            except pdfium.PdfiumError as error:
                if "password" not in str(error).lower():
                    raise
                what = f"{name}: the PDF is locked with a password."
                raise OpenError(what, "Save a copy of it without the password first.") from None
        try:
            with contextlib.suppress(pdfium.PdfiumError):  # a page can be rendered even without its form
                pdf.init_forms()
            yield pdf
        finally:
            pdf.close()


def _scan_resolution(page: Any) -> float:
    """Return the resolution of a scanned page, in pixels per point (1/72 inch); 0 if the page is no scan.

    It is the resolution of the finest picture on the page. If a scan is rendered at this resolution, each
    pixel of this picture becomes one pixel of the result.
    """
    room, covered, finest = math.prod(page.get_size()), 0.0, 0.0
    raw = import_extra("pypdfium2.raw", "formats", _NEEDS)
    for picture in islice(page.get_objects([raw.FPDF_PAGEOBJ_IMAGE], max_depth=1), MAX_PICTURES):
        left, bottom, right, top = picture.get_bounds()
        sides = sorted((right - left, top - bottom))
        covered += math.prod(sides)
        if math.prod(sides) >= MIN_PICTURE_SHARE * room > 0:
            pixels = sorted(picture.get_px_size())
            finest = max(finest, min(pixels[0] / sides[0], pixels[1] / sides[1]))
    return finest if covered >= SCAN_SHARE * room else 0.0


def _scale(size: tuple[float, float], max_megapixels: float, scan: float) -> float:
    """Return the resolution at which a page is rendered, in pixels per point (1/72 inch).

    *size* is the (width, height) of the page in points. *scan* is the result of :func:`_scan_resolution` for
    the page.
    """
    width, height = size
    longest = max(width, height)
    if not (math.isfinite(longest) and min(width, height) > 0):
        raise ValueError(f"page size must be positive, got {size}")
    scale = min(max(DPI / 72, MIN_SIDE / longest), MAX_SIDE / longest)
    # Page sizes are rounded, so a scan could get one pixel too many. So the scale is lowered a little.
    scale = max(scale, min(scan * (1 - 1e-5), MAX_SCAN_SIDE / longest))
    scale = min(scale, math.sqrt(max_megapixels * 1e6 / (width * height)))
    # PDFium rounds width and height up. The rounded size must not exceed the limit, either.
    while scale > 1 / longest and math.ceil(width * scale) * math.ceil(height * scale) > max_megapixels * 1e6:
        scale *= 0.99
    return scale
