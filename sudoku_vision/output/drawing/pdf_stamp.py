"""Stamp the pages of a PDF document: lay figures over the pages, whose own content stays unchanged.

PDFium does this in a process that is killed if a document takes too much time or memory.
"""

import importlib
import io
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sudoku_vision.errors import OutOfMemoryError, SaveError, TaskTimeoutError, explained_memory
from sudoku_vision.parallel.worker_process import run_in_process

_ROOM_SECONDS, _PAGE_SECONDS = 20.0, 0.5  # time limit for a document, and what each stamped page adds to it
_MEMORY = 1024 << 20  # memory limit of the process in bytes
_REMEDY = "Name a folder with -o: then each page becomes a picture."


def stamp_pdf(document: Path, stamps: Mapping[int, bytes], name: str) -> bytes:
    """Return the bytes of a PDF *document* with *stamps* on its pages; messages begin with *name*.

    *stamps*: for the numbers of pages, from 1, the bytes of a PDF with one page, which is stretched over the
    upright page. Raises :class:`~sudoku_vision.errors.SaveError` if the document is damaged or too slow.
    """
    seconds = _ROOM_SECONDS + _PAGE_SECONDS * len(stamps)
    try:
        with explained_memory(name):
            stamped: bytes = run_in_process(
                _stamped, str(document.resolve()), dict(stamps), seconds=seconds, memory=_MEMORY
            )
        return stamped
    except TaskTimeoutError:
        what = f"{name}: writing into its pages takes more than {seconds:g} seconds, and was given up."
        raise SaveError(what, _REMEDY) from None
    except OutOfMemoryError:
        raise
    except Exception:
        raise SaveError(f"{name}: its pages can't be written into, the PDF is damaged.", _REMEDY) from None


def _stamped(path: str, stamps: dict[int, bytes]) -> bytes:
    pypdfium2 = importlib.import_module("pypdfium2")  # installed, because a PDF was read before
    document = pypdfium2.PdfDocument(path)
    sizes = [document.get_page_size(place) for place in range(len(document))]
    for number, stamp in stamps.items():
        source, page = pypdfium2.PdfDocument(stamp), document[number - 1]
        laid = source.page_as_xobject(0, document).as_pageobject()
        laid.set_matrix(pypdfium2.PdfMatrix(*_placing(page, source.get_page_size(0))))
        page.insert_obj(laid)
        page.gen_content()
        page.close()
        source.close()
    file = io.BytesIO()
    document.save(file)
    document.close()
    _check(file.getvalue(), sizes)
    return file.getvalue()


def _placing(page: Any, size: tuple[float, float]) -> tuple[float, float, float, float, float, float]:
    """Return the PDF matrix that maps a stamp of a *size* (width, height) in points onto a turned *page*."""
    left, bottom, right, top = page.get_bbox()
    width, height = page.get_size()
    across, up = width / size[0], height / size[1]
    match page.get_rotation():
        case 90:
            return 0, across, -up, 0, right, bottom
        case 180:
            return -across, 0, 0, -up, right, top
        case 270:
            return 0, -across, up, 0, left, top
        case _:
            return across, 0, 0, up, left, bottom


def _check(data: bytes, sizes: list[tuple[float, float]]) -> None:
    """Raise ValueError unless the pages of the PDF *data* have the *sizes* of the original pages."""
    written = importlib.import_module("pypdfium2").PdfDocument(data)
    found = [written.get_page_size(place) for place in range(len(written))]
    written.close()
    same = len(found) == len(sizes) and all(
        math.dist(one, other) < 1 for one, other in zip(found, sizes, strict=True)
    )
    if not same:
        raise ValueError("the pages that were written are not those that were read")
