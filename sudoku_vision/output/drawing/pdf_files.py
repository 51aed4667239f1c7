"""Write figures as pages of a PDF, with Typst. Lay such pages over the pages of another PDF, with PDFium."""

import contextlib
import importlib
import io
import json
import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from sudoku_vision.errors import (
    OutOfMemoryError,
    SaveError,
    TaskTimeoutError,
    UsageError,
    explained_memory,
    import_extra,
)
from sudoku_vision.output.drawing.figure import Figure, Text
from sudoku_vision.output.drawing.text_metrics import FONT_FOLDER
from sudoku_vision.parallel.worker_process import WorkerProcess

_TEMPLATE = Path(__file__).with_name("figures.typ")
_ROOM_SECONDS, _PAGE_SECONDS = 20.0, 0.5  # time limit of stamping: basic time, further time for each page
_MEMORY = 1024 << 20  # memory limit of the process that changes a PDF, in bytes
_REMEDY = "Name a folder with -o: then each page becomes a picture."


def pdf(figures: Iterable[Figure], *, title: str = "Sudoku") -> bytes:
    """Return the bytes of a PDF with a page for each of *figures*. Equal figures make equal files.

    Raises :class:`~sudoku_vision.errors.MissingExtraError` if Typst is not installed.
    """
    return _compiled(figures, title, pdf_tags=False)


def check_printing() -> None:
    """Raise :class:`~sudoku_vision.errors.MissingExtraError` if Typst is not installed."""
    _typst()


def check_title(title: str) -> None:
    """Raise :class:`~sudoku_vision.errors.UsageError` if *title* has a letter that no font contains."""
    typst = _typst()
    try:
        # For PDF/A-2u, Typst raises an error if a letter can't be shown.
        _compiled([Figure(99, 9, [Text(title, (0, 9), 9)])], title, dated=True, pdf_standards="a-2u")
    except typst.TypstError as error:
        found = re.search(r'the text `"(.*?)"', str(error))
        what = f"The title can't be printed: no font here has '{found[1]}'." if found else str(error)
        raise UsageError(what, "Install a font that has it, or write the title with other letters.") from None


def _compiled(figures: Iterable[Figure], title: str, *, dated: bool = False, **how: Any) -> bytes:
    pages = [
        vars(figure) | {"elements": [{"kind": type(one).__name__, **vars(one)} for one in figure.elements]}
        for figure in figures
    ]
    inputs = {"data": json.dumps({"title": title, "dated": dated, "figures": pages})}
    return bytes(_typst().compile(_TEMPLATE, format="pdf", font_paths=_fonts(), sys_inputs=inputs, **how))


@lru_cache(maxsize=1)
def _fonts() -> Any:
    """Return the fonts of the package and of the system. The search for fonts is slow, so it is done once."""
    return _typst().Fonts(font_paths=[FONT_FOLDER])


def _typst() -> Any:
    return import_extra("typst", "print", "Pages to print (PDF) need the library typst")


def stamp_pdf(document: Path, stamps: Mapping[int, bytes], name: str) -> bytes:
    """Return the bytes of a PDF *document* with *stamps* on its pages; all other content stays unchanged.

    *stamps* maps the number of a page, from 1, to the bytes of a PDF with one page. This stamp is stretched
    over the page of the document, and rotated like that page. Another process does the work. It is killed if
    it needs too much time or memory. Raises :class:`~sudoku_vision.errors.SaveError`, with *name* in its
    message, if the document is damaged, or if the work takes too long.
    """
    seconds = _ROOM_SECONDS + _PAGE_SECONDS * len(stamps)
    try:
        with explained_memory(name), contextlib.closing(WorkerProcess(memory=_MEMORY)) as worker:
            stamped: bytes = worker.call(_stamped, str(document.resolve()), dict(stamps), seconds=seconds)
        return stamped
    except TaskTimeoutError:
        what = f"{name}: writing into its pages takes more than {seconds:g} seconds, and was given up."
        raise SaveError(what, _REMEDY) from None
    except OutOfMemoryError:
        raise
    except Exception:
        raise SaveError(f"{name}: its pages can't be written into, the PDF is damaged.", _REMEDY) from None


def _stamped(path: str, stamps: dict[int, bytes]) -> bytes:
    pypdfium2 = importlib.import_module("pypdfium2")  # it is installed: this PDF was read with it
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
    """Return the PDF matrix that maps a stamp onto a *page*, even onto a page that is rotated.

    *size*: width and height of the stamp, in points.
    """
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
