"""PDF pages, rendered one at a time in a process that is killed when a page takes too much of it.

A few kilobytes of PDF can abort PDFium, keep it busy for hours, or take all memory. What does so costs its
page alone, and is named; the process is started anew for the next. It waits for the next document when it is
done with one, as starting takes longer than most pages. In a worker process of ours, which is killed itself
when it takes too long, pages are rendered right there.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sudoku_vision.errors import OpenError, TaskLostError, TaskTimeoutError, explained_memory
from sudoku_vision.parallel.worker_process import WorkerProcess
from sudoku_vision.results import Image
from sudoku_vision.vision.load.guard import AGAIN, Wanted, extra, page_name, too_many_pages, wanted_pages
from sudoku_vision.vision.load.pdf_renderer import PdfRenderer, pixels_of

PAGE_SECONDS = 8.0
"""What a page may take to be rendered, or a document to be opened: thirty times what a full one takes."""
ROOM_SECONDS = 60.0
"""What the pages of one document may take to be rendered together, besides ..."""
USUAL_SECONDS = 1.0
"""... so much for each: drawn ones take 0.3, the finest scans 1. A document that takes more has the rest of
its pages left out, so that the time that a thousand of them may cost is bounded, too."""
MOST_LOST = 2
"""Pages in a row that may each cost a process: after that the rest is left out."""
MEMORY = 1024 << 20
"""Bytes that the process may take, where the system can hold it to that: 16 megapixels take 300 MB."""

_AS_PICTURE = "Save the page as a picture, such as PNG, and name that."


def pdf_pages(
    data: bytes | Path, name: str, max_megapixels: float, max_pages: int, only: Wanted = None
) -> Iterator[Image | OpenError]:
    """Render the pages of a PDF, each when it is asked for: pixels (H, W, 3) uint8 BGR, or what is wrong.

    *data* is its bytes or its file. About 200 dots per inch, a scan at its own resolution, within bounds and
    *max_megapixels*; turned as the page says, with its filled form fields. With *only*, that page or those
    pages alone. A page that takes more than :data:`PAGE_SECONDS` or :data:`MEMORY` is given up. Raises
    :class:`OpenError` if the document or the page can't be opened.
    """
    extra("pypdfium2", "pypdfium2", "PDF documents", name)
    document = _Document(data, name)
    try:
        pages = document.open()
        if not pages:
            raise OpenError(f"{name}: the PDF has no pages that can be read.", AGAIN)
        for page in wanted_pages(name, pages, max_pages, only):
            if document.is_spent:
                yield _left_out(name)
                return
            document.pages += 1
            document.title = page_name(name, page + 1, pages)
            result: Image | OpenError
            try:
                result = _render(document, page, max_megapixels)
            except OpenError as error:
                result = error
            yield result
        if only is None and pages > max_pages:
            yield too_many_pages(name, max_pages)
    finally:
        document.close()


def pdf_page_count(data: bytes | Path, name: str) -> int:
    """Return the number of pages of a PDF; raises :class:`OpenError` if it can't be opened."""
    extra("pypdfium2", "pypdfium2", "PDF documents", name)
    document = _Document(data, name)
    try:
        return document.open()
    finally:
        document.close()


def _render(document: _Document, number: int, max_megapixels: float) -> Image:
    """Render one page, counted from 0."""
    return pixels_of(document.ask(PdfRenderer.render, number, document.title, max_megapixels))


class _Document:
    """A document that is open in a process; over a page that costs it, the next one gets another process."""

    def __init__(self, data: bytes | Path, name: str) -> None:
        self.title = name
        """What messages call the page that is asked for."""
        self.pages = 0
        """How many have been asked for."""
        self._document, self._name = str(data.resolve()) if isinstance(data, Path) else data, name
        self._lost, self._seconds = 0, 0.0
        self._worker = _idle.pop() if _idle else WorkerProcess(PdfRenderer, memory=MEMORY)
        self._opened_in: int | None = None

    @property
    def is_spent(self) -> bool:
        """Whether the document has had what it may cost."""
        return self._lost >= MOST_LOST or self._seconds > ROOM_SECONDS + USUAL_SECONDS * self.pages

    def open(self) -> int:
        """Open the document and return the number of its pages."""
        pages = int(self._answer(PdfRenderer.open, self._document, self._name))
        self._opened_in = self._worker.id
        return pages

    def ask(self, job: Callable[..., bytes], *arguments: Any) -> bytes:
        """Return what the renderer answers; raises :class:`OpenError`."""
        if self._worker.id is None or self._worker.id != self._opened_in:
            self.open()
        answer = self._answer(job, *arguments)
        self._lost = 0
        return answer

    def close(self) -> None:
        """Close the document, and leave the process to the next one; one that waits is enough."""
        if self._opened_in is not None and self._worker.id == self._opened_in:
            with contextlib.suppress(TaskLostError, TaskTimeoutError):
                self._worker.call(PdfRenderer.close, seconds=PAGE_SECONDS)
        if _idle:
            self._worker.close()
        else:
            _idle.append(self._worker)

    def _answer(self, job: Callable[..., bytes], *arguments: Any) -> bytes:
        begun = time.monotonic()
        try:
            with explained_memory(self.title):
                answer: bytes = self._worker.call(job, *arguments, seconds=PAGE_SECONDS)
            return answer
        except TaskTimeoutError:
            self._lost += 1
            what = f"{self.title}: it takes more than {PAGE_SECONDS:g} seconds to render, and was given up."
            raise OpenError(what, _AS_PICTURE) from None
        except TaskLostError:
            self._lost += 1
            what = f"{self.title}: it takes too much memory to render, or makes the renderer fail."
            raise OpenError(what, _AS_PICTURE) from None
        finally:
            self._seconds += time.monotonic() - begun


def _left_out(name: str) -> OpenError:
    return OpenError(
        f"{name}: its pages take too much to render, the rest is left out.",
        "Name a later page with --page, or split the document.",
    )


_idle: list[WorkerProcess] = []
"""The process that waits for a document."""
