"""PDF pages, rendered one at a time in a process that is killed when a page takes too much of it.

A few kilobytes of PDF can abort PDFium, keep it busy for hours, or take all memory. What does so costs its
page alone, and is named; the process is started anew for the next. It waits for the next document when it is
done with one, as starting takes longer than most pages. In a worker process of ours, which is killed itself
when it takes too long, pages are rendered right there.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sudoku_vision.errors import OpenError, explained_memory
from sudoku_vision.parallel.worker_process import (
    START_SECONDS,
    Factory,
    JobFailedError,
    WorkerLostError,
    WorkerProcess,
    is_within_worker,
)
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
    job = {"number": number, "title": document.title, "max_megapixels": max_megapixels}
    return pixels_of(document.ask("render", **job))


class _Document:
    """A document that is open in a process; over a page that costs it, the next one gets another process."""

    def __init__(self, data: bytes | Path, name: str) -> None:
        self.title = name
        """What messages call the page that is asked for."""
        self.pages = 0
        """How many have been asked for."""
        self._document, self._name = str(data.resolve()) if isinstance(data, Path) else data, name
        self._lost, self._seconds = 0, 0.0
        self._worker: WorkerProcess | None = None
        self._here = PdfRenderer() if is_within_worker() else None

    @property
    def is_spent(self) -> bool:
        """Whether the document has had what it may cost."""
        return self._lost >= MOST_LOST or self._seconds > ROOM_SECONDS + USUAL_SECONDS * self.pages

    def open(self) -> int:
        """Open the document and return the number of its pages."""
        return int(self._answer("open", document=self._document, name=self._name))

    def ask(self, job: str, **arguments: Any) -> bytes:
        """Return what the renderer answers; raises :class:`OpenError`."""
        if self._here is None and self._worker is None:
            self.open()
        return self._answer(job, **arguments)

    def close(self) -> None:
        """Close the document, and leave the process to the next one."""
        if self._here is not None:
            self._here.close()
        worker, self._worker = self._worker, None
        if worker is not None:
            try:
                worker.call("close", {}, PAGE_SECONDS)
            except Exception:
                worker.kill()
            else:
                _leave(worker)

    def _answer(self, job: str, **arguments: Any) -> bytes:
        if self._here is not None:
            rendered: bytes = getattr(self._here, job)(**arguments)
            return rendered
        begun = time.monotonic()
        try:
            if self._worker is None:
                self._worker = _worker(self.title)
            with explained_memory(self.title):
                answer = self._worker.call(job, arguments, PAGE_SECONDS)
            if job == "render":
                self._lost = 0
            return answer
        except (OpenError, JobFailedError):
            raise
        except TimeoutError:
            self._lose()
            what = f"{self.title}: it takes more than {PAGE_SECONDS:g} seconds to render, and was given up."
            raise OpenError(what, _AS_PICTURE) from None
        except WorkerLostError:
            self._lose()
            what = f"{self.title}: it takes too much memory to render, or makes the renderer fail."
            raise OpenError(what, _AS_PICTURE) from None
        except BaseException:  # Ctrl-C: its answer would be taken for that to the next job
            self._lose()
            raise
        finally:
            self._seconds += time.monotonic() - begun

    def _lose(self) -> None:
        """End the process."""
        self._lost += 1
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.kill()


def _left_out(name: str) -> OpenError:
    return OpenError(
        f"{name}: its pages take too much to render, the rest is left out.",
        "Name a later page with --page, or split the document.",
    )


_idle: list[tuple[int, WorkerProcess]] = []
"""The process that waits for a document, with the id of the one that started it: what was forked has none."""


def _worker(title: str) -> WorkerProcess:
    """Return a process that renders: the one that waits, or a new one; raises :class:`OpenError`."""
    while _idle:
        owner, worker = _idle.pop()
        if owner == os.getpid() and worker.id is not None:
            return worker
    worker = WorkerProcess(Factory(PdfRenderer.__module__, PdfRenderer.__name__), MEMORY)
    try:
        worker.start(START_SECONDS)
    except Exception as error:
        worker.kill()
        what = f"{title}: no process could be started to render it ({type(error).__name__})."
        raise OpenError(what, "Close other programs, or save the page as a picture.") from None
    return worker


def _leave(worker: WorkerProcess) -> None:
    """Let a process wait for the next document; one is enough."""
    if _idle:
        worker.kill()
    else:
        _idle.append((os.getpid(), worker))
