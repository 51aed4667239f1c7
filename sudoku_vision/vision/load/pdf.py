"""PDF pages, rendered one at a time in a process that is killed when a page takes too much of it.

A few kilobytes of PDF can abort PDFium, keep it busy for hours, or take all memory. What does so costs its
page alone, and is named. The process waits for the next page, as starting takes longer than most; in a worker
process of ours, which is killed itself when it takes too long, pages are rendered right there.
"""

import queue
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sudoku_vision.errors import OpenError, TaskLostError, TaskTimeoutError, explained_memory, import_extra
from sudoku_vision.parallel.worker_process import WorkerProcess
from sudoku_vision.results import Photo
from sudoku_vision.vision.load.guard import AGAIN, page_name, too_many_pages, wanted_pages
from sudoku_vision.vision.load.pdf_renderer import PDF_NEEDS, count_pages, render_page

PAGE_SECONDS = 8.0
"""What a page may take to be rendered, or a document to be opened: thirty times what a full one takes."""
ROOM_SECONDS = 30.0
"""What the pages of one document may take to be rendered together, besides ..."""
USUAL_SECONDS = 1.0
"""... so much for each: drawn ones take 0.3, the finest scans 1. A document that takes more has the rest of
its pages left out, so that the time that a thousand of them may cost is bounded, too."""
MEMORY = 1024 << 20
"""Bytes that the process may take, where the system can hold it to that: 16 megapixels take 300 MB."""

_AS_PICTURE = "Save the page as a picture, such as PNG, and name that."


def read_pdf(
    data: bytes | Path, name: str, max_megapixels: float, max_pages: int, wanted: range | None
) -> Iterator[Photo | OpenError]:
    """Render the pages of a PDF, each when it is asked for: its photo, or what is wrong with it.

    About 200 dots per inch, a finer scan at its own resolution, within bounds and *max_megapixels*. A page
    that takes more than :data:`PAGE_SECONDS` or :data:`MEMORY` is given up. Raises :class:`OpenError` if the
    document can't be opened.
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
            pixels = _ask(render_page, data, name, title, number, title, max_megapixels)
            result = Photo(pixels, name, number + 1)
        except OpenError as error:
            result = error
        spent, room = spent + time.monotonic() - begun, room + USUAL_SECONDS
        yield result
    if wanted is None and pages > max_pages:
        yield too_many_pages(name, max_pages)


def pdf_page_count(data: bytes | Path, name: str) -> int:
    """Return the number of pages of a PDF; raises :class:`OpenError` if it can't be opened."""
    import_extra("pypdfium2", "formats", f"{name}: {PDF_NEEDS}")
    return int(_ask(count_pages, data, name, name))


def _ask(job: Callable[..., Any], data: bytes | Path, name: str, called: str, *more: Any) -> Any:
    """Return what a function of the renderer gives; raises :class:`OpenError`, about what is *called* so."""
    document = str(data.resolve()) if isinstance(data, Path) else data
    try:
        worker = _idle.get_nowait()
    except queue.Empty:
        worker = WorkerProcess(memory=MEMORY)
    try:
        with explained_memory(called):
            return worker.call(job, document, name, *more, seconds=PAGE_SECONDS)
    except TaskTimeoutError:
        what = f"{called}: it takes more than {PAGE_SECONDS:g} seconds to render, and was given up."
        raise OpenError(what, _AS_PICTURE) from None
    except TaskLostError:
        what = f"{called}: it takes too much memory to render, or makes the renderer fail."
        raise OpenError(what, _AS_PICTURE) from None
    finally:
        try:
            _idle.put_nowait(worker)
        except queue.Full:
            worker.close()


_idle: queue.Queue[WorkerProcess] = queue.Queue(1)  # the process that waits for a page; one is enough
