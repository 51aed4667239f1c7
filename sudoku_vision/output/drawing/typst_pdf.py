"""Write figures as pages of a PDF with Typst."""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from sudoku_vision.errors import UsageError, import_extra
from sudoku_vision.output.drawing.figure import Figure, Text
from sudoku_vision.output.drawing.text_metrics import FONT_FOLDER

_TEMPLATE = Path(__file__).with_name("figures.typ")


def pdf(figures: Iterable[Figure], *, title: str = "Sudoku") -> bytes:
    """Return the bytes of a PDF with a page for each of *figures*; equal figures make equal files.

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
        {
            "width": figure.width,
            "height": figure.height,
            "elements": [{"kind": type(element).__name__, **vars(element)} for element in figure.elements],
        }
        for figure in figures
    ]
    data = json.dumps({"title": title, "dated": dated, "figures": pages})
    return bytes(
        _typst().compile(_TEMPLATE, format="pdf", font_paths=_fonts(), sys_inputs={"data": data}, **how)
    )


@lru_cache(maxsize=1)
def _fonts() -> Any:
    """Return the fonts of the package and of the system; the search takes longer than writing a page."""
    return _typst().Fonts(font_paths=[FONT_FOLDER])


def _typst() -> Any:
    return import_extra("typst", "print", "Pages to print (PDF) need the library typst")
