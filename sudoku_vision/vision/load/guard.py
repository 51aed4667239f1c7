"""Check sizes and page numbers before pixels are unpacked, and turn failures into clear errors."""

import contextlib
import warnings
from collections.abc import Iterator

from sudoku_vision.errors import NoPageError, OpenError, SudokuVisionError, TooLargeError, explained_memory

AGAIN = "Copy or download it again."
CONVERT = "Convert it to JPEG or PNG first."


@contextlib.contextmanager
def plain_errors(name: str, what: str = "picture") -> Iterator[None]:
    """Turn any error that a library raises in the ``with`` block into an :class:`OpenError`.

    Damaged files make libraries raise errors of a dozen kinds. Warnings of the libraries are not shown. The
    message of the error contains *name*, the name of the file, and *what*, the word for the kind of file.
    """
    try:
        with explained_memory(name), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except SudokuVisionError:
        raise
    except Exception as error:
        text = str(error).lower()
        signs = ("truncated", "premature", "eof", "unexpected end of file")
        if isinstance(error, EOFError) or any(sign in text for sign in signs):
            raise truncated(name, what) from None
        raise OpenError(f"{name}: the {what} is damaged and can't be read.", AGAIN) from None


def truncated(name: str, what: str = "picture") -> OpenError:
    """Return the error for a file that ends too early. *name* is its name, *what* the word for its kind."""
    return OpenError(f"{name}: the {what} is truncated, its end is missing.", AGAIN)


def check_size(size: tuple[int, int], name: str, max_megapixels: float) -> None:
    """Raise :class:`TooLargeError` if a picture of *size* (width, height) has more than *max_megapixels*."""
    width, height = size
    megapixels = width * height / 1e6
    if megapixels > max_megapixels:
        raise TooLargeError(
            f"{name}: {width} x {height} pixels are {megapixels:.0f} megapixels, "
            f"the limit is {max_megapixels:g}.",
            "Raise it with --max-megapixels (in Python max_megapixels=) or make the picture smaller.",
        )


def wanted_pages(name: str, pages: int, max_pages: int, only: int | None) -> range:
    """Return the indices, from 0, of the pages to open in a document with this number of *pages*.

    *only*: the number, from 1, of the only page to open. If it is None, the first *max_pages* pages are
    opened. Raises :class:`NoPageError` if the page doesn't exist.
    """
    if only is None:
        return range(min(pages, max_pages))
    if not 1 <= only <= pages:
        raise NoPageError(f"{name}: there is no page {only}, pages here: {pages}.", "Name another page.")
    return range(only - 1, only)


def too_many_pages(name: str, max_pages: int) -> OpenError:
    """Return the error that stands for all pages of a document after its first *max_pages* pages."""
    return OpenError(
        f"{name}: it has more than {max_pages} pages, the rest is left out.",
        "Name a later page with --page, or split the document.",
    )


def page_name(name: str, page: int, pages: int) -> str:
    """Return the name of a page for messages. *name*: the file's name. *pages*: the number of its pages."""
    return name if pages == 1 else f"{name}, page {page}"
