"""Read PDF pages; each is rendered in a process that is killed if a page takes too much time or memory.

A few kilobytes of PDF can abort PDFium, keep it busy for hours, or use all memory. Only the page that does
this is lost, and the error names this page. After a page, the process waits for the next page, because
starting a process takes longer than rendering most pages. A worker process of the program renders its pages
itself, because it is killed, too, if it takes too long.
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
"""Limit, in seconds, for opening a document and rendering one page; a full page takes a thirtieth of this."""
ROOM_SECONDS, USUAL_SECONDS = 30.0, 1.0
"""Limit for the time of a whole document: the first number, plus the second number for each page, in seconds.

Drawn pages take 0.3 seconds, and the finest scans take 1 second. If a document takes longer than the limit,
its remaining pages are left out; otherwise a thousand slow pages could take hours.
"""
MAX_MEMORY = 1024 << 20
"""Limit for the memory of the renderer, in bytes; 16 megapixels take 300 MB.

It works only on systems that can limit the memory of a process.
"""

DPI = 200.0
"""Resolution of a rendered page; cells of a 5 cm grid get 44 pixels, an A4 page gets 4 megapixels."""
MIN_SIDE, MAX_SIDE = 1600, 4000
"""Lower and upper limit for the longer side of a rendered page, in pixels.

Scanning programs write pages of any size, because some of them make each pixel one point wide. So a page may
claim the size of a stamp or of a poster.
"""
MAX_SCAN_SIDE = 7200  # longest side of a scanned page, in pixels: A4 at 600 dots per inch, 36 megapixels
SCAN_SHARE = 0.9
"""A page is a scan if pictures cover at least this share of it; they may leave out white margins."""
MIN_PICTURE_SHARE = 0.05
"""A picture is used to find the resolution of a page if it covers at least this share; stamps cover less."""
MAX_PICTURES = 1000  # limit for the pictures of a page that are examined; a scan in strips has some hundreds

_NEEDS = "reading PDF documents needs pypdfium2"
_AS_PICTURE = "Save the page as a picture, for example PNG, and name that."
_PDFIUM = threading.RLock()  # PDFium allows one call at a time in a process, even for different documents
_idle: queue.Queue[WorkerProcess] = queue.Queue(1)  # the process that waits for the next page


def read_pdf(
    data: bytes | Path, name: str, max_megapixels: float, max_pages: int, wanted: range | None
) -> Iterator[Photo | OpenError]:
    """Yield a photo for each page of a PDF, or the error that says why the page has none.

    A page is rendered only when it is asked for. Its resolution is about 200 dots per inch; a finer scan is
    rendered at its own resolution. The resolution is changed where the limits of this module or
    *max_megapixels* need it. Raises :class:`OpenError` if the document can't be opened.
    """
    pages = pdf_page_count(data, name)
    if not pages:
        raise OpenError(f"{name}: the PDF has no pages that can be read.", AGAIN)
    spent, room = 0.0, ROOM_SECONDS
    for number in wanted_pages(name, pages, max_pages, wanted):
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
    if wanted is None and pages > max_pages:
        yield too_many_pages(name, max_pages)


def pdf_page_count(data: bytes | Path, name: str) -> int:
    """Return the number of pages of a PDF; raises :class:`OpenError` if it can't be opened."""
    import_extra("pypdfium2", "formats", f"{name}: {_NEEDS}")
    return int(_in_process(_count_pages, data, name, name))


def _in_process(job: Callable[..., Any], data: bytes | Path, name: str, title: str, *more: Any) -> Any:
    """Run ``job(document, name, *more)`` in the process that renders, and return its result.

    *data* is the document: its bytes, or the path of its file. *title* names the page in errors.
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


# The functions from here on run in the process that renders. The document is opened again for each page. This
# takes milliseconds. If the document stayed open, PDFium would keep all pages in memory that it has read.


def _count_pages(document: bytes | str, name: str) -> int:
    with _opened(document, name) as pdf:
        return len(pdf)


def _render_page(document: bytes | str, name: str, number: int, title: str, max_megapixels: float) -> Image:
    """Return the pixels of page *number*, counted from 0: (H, W, 3) uint8 BGR; *title* names it in errors."""
    with _opened(document, name) as pdf, plain_errors(title, "page"):
        page = pdf[number]
        scale = _scale(page.get_size(), max_megapixels, _scan_resolution(page))
        return np.array(page.render(scale=scale).to_numpy()[..., :3], np.uint8, order="C")


@contextlib.contextmanager
def _opened(document: bytes | str, name: str) -> Iterator[Any]:
    """Open a document and its form, and close it after the ``with`` block.

    *document* is the bytes of a PDF, or the path of its file. Only the parts of the file that are needed are
    read. Raises :class:`OpenError` if the document can't be opened or has a password.
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
            with contextlib.suppress(pdfium.PdfiumError):  # without its form, a page can still be rendered
                pdf.init_forms()
            yield pdf
        finally:
            pdf.close()


def _scan_resolution(page: Any) -> float:
    """Return the resolution of a scanned page: how many pixels its finest picture has in a point (1/72 inch).

    If the page is no scan, the result is 0. A scan is rendered at this resolution, so that each pixel of its
    picture becomes one pixel of the result.
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
    """Return how many pixels a page is rendered with in a point (1/72 inch).

    *size* is the (width, height) of the page in points. *scan* is what :func:`_scan_resolution` returns for
    the page.
    """
    width, height = size
    longest = max(width, height)
    if not (math.isfinite(longest) and min(width, height) > 0):
        raise ValueError(f"page size must be positive, got {size}")
    scale = min(max(DPI / 72, MIN_SIDE / longest), MAX_SIDE / longest)
    # Sizes in points are rounded. So the scale is slightly lowered; otherwise a scan could get a pixel more.
    scale = max(scale, min(scan * (1 - 1e-5), MAX_SCAN_SIDE / longest))
    scale = min(scale, math.sqrt(max_megapixels * 1e6 / (width * height)))
    # PDFium rounds both sides up. Even then the picture must not exceed the limit.
    while scale > 1 / longest and math.ceil(width * scale) * math.ceil(height * scale) > max_megapixels * 1e6:
        scale *= 0.99
    return scale
