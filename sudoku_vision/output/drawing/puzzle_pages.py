"""Lay out puzzles on pages of paper, with a title, captions and page numbers. Lengths are in millimetres."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple

from sudoku_vision.errors import UsageError, checked_choice, import_extra
from sudoku_vision.output.drawing.figure import Area, Colour, Element, Figure, Point, Text, box, moved, runs
from sudoku_vision.output.drawing.puzzle_figure import Draw, PrintablePuzzle, puzzle_elements
from sudoku_vision.output.drawing.text_metrics import CAP_HEIGHT, text_width

PaperName = Literal["a4", "letter", "a5"]
PAPERS: dict[PaperName, tuple[float, float]] = {
    "a4": (210.0, 297.0),
    "letter": (215.9, 279.4),
    "a5": (148.0, 210.0),
}
"""Width and height of each paper in mm."""

PER_PAGE = (1, 2, 4, 6, 9)  # possible numbers of puzzles on a page
MAX_GRIDS = 12  # maximum number of grids on a page; pages of solutions hold more grids than pages of puzzles

_MARGIN_SHARE = 1 / 14  # margin, as a share of the page's width; it is wide enough to punch holes into it
_TITLE_HEIGHT, _FOOT_HEIGHT = 14.0, 7.0  # heights of the space for the title and for the page number, in mm
_GAP = 7.0  # gap between two grids, in mm
_CAPTION_HEIGHT = 6.0  # height of the space for a caption above each grid, in mm
_TITLE_SIZE, _CAPTION_SIZE, _FOOT_SIZE = 8.0, 4.2, 3.2  # em of title, captions and page number, in mm
_MAX_CAPTION = 0.07  # largest em of a caption, as a share of the side of its grid
_CAPTION_GAP = 2.0  # minimum gap between the name and the note in a caption, in mm
_MIN_CODE, _CODE_SHARE = 16.0, 0.16  # minimum side of a QR code: in mm, and as a share of its grid's side
_MIN_MODULE = 0.25  # minimum side of the small squares of a QR code, in mm, so that phones can read it
_CODE_GAP = 2.5  # gap between a grid and its QR code, in mm; phones need white around a code

_LAYOUTS = ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4))  # (columns, rows) of grids on a page
_MAX_SOLUTIONS = {1: 4, 2: 6, 4: 12, 6: 12, 9: 12}  # maximum number of solutions on a page, by ``per_page``
_GREY: Colour = (115.0, 115.0, 115.0)


@dataclass(frozen=True)
class PageStyle:
    """How pages look: the paper, the number of puzzles on a page, and the title at the top."""

    paper: PaperName = "a4"
    per_page: int = 1
    title: str = "Sudoku"

    def __post_init__(self) -> None:
        vars(self)["paper"] = checked_choice(self.paper, "paper", PAPERS)
        if self.per_page not in PER_PAGE:
            choices = ", ".join(map(str, PER_PAGE))
            raise UsageError(
                f"{self.per_page!r} puzzles don't fit a page evenly.", f"Choose one of {choices}."
            )

    @property
    def margin(self) -> float:
        """The width of the margin of a page, in mm."""
        return PAPERS[self.paper][0] * _MARGIN_SHARE

    @property
    def room(self) -> tuple[float, float]:
        """The width and the height in mm of the part of a page for grids and their captions."""
        width, height = PAPERS[self.paper]
        return width - 2 * self.margin, height - 2 * self.margin - self.head - _FOOT_HEIGHT

    @property
    def head(self) -> float:
        """The height of the space for the title, in mm; 0 if there is no title."""
        return _TITLE_HEIGHT if self.title else 0.0


class Part(NamedTuple):
    """One grid on a page: the ``name`` and ``note`` above it, and the function that draws it."""

    name: str
    note: str
    draw: Draw


def fitting_layout(count: int, highest: int = MAX_GRIDS) -> int:
    """Return the number of grids in the smallest layout that has room for *count* grids.

    *highest*: maximum number of grids on a page. If *count* is larger, the layout has room for *highest*.
    """
    return next(size for size in (x * y for x, y in _LAYOUTS) if size >= min(count, highest))


def page_figures(
    items: Sequence[PrintablePuzzle], style: PageStyle, *, solutions: bool = False
) -> list[Figure]:
    """Return the pages with the puzzles *items*. With *solutions*, pages with the solved grids follow."""
    kinds = [(style.per_page, False)]
    if solutions:
        kinds.append((fitting_layout(len(items), _MAX_SOLUTIONS[style.per_page]), True))
    code = max((_code_side(item.link, 0.0) for item in items if item.link), default=0.0)
    pages = [
        (items[start : start + size], size, solved)
        for size, solved in kinds
        for start in range(0, len(items), size)
    ]
    return [
        page_of(
            [Part(item.name, item.note, partial(_elements, item, solved=solved)) for item in some],
            replace(style, title=f"{style.title} (solutions)") if solved and style.title else style,
            (number, len(pages)),
            size,
            code=0.0 if solved else code,
        )
        for number, (some, size, solved) in enumerate(pages, start=1)
    ]


def check_codes() -> None:
    """Raise :class:`~sudoku_vision.errors.MissingExtraError` if the package for QR codes is not installed."""
    _qr_code("")


def page_of(
    parts: Sequence[Part], style: PageStyle, number: tuple[int, int], per_page: int, *, code: float = 0.0
) -> Figure:
    """Return one page with the grids *parts*, in the layout for *per_page* grids.

    *number*: the number of this page, and the number of pages. *code*: the side of the largest QR code in mm;
    0 if there is none.
    """
    side, places = _grid_places(style, per_page, code)
    elements: list[Element] = []
    if style.title:
        place = style.margin, style.margin + CAP_HEIGHT * _TITLE_SIZE
        elements.append(_fitting(style.title, place, _TITLE_SIZE, style.room[0]))
    elements += page_number(style, number)
    for part, (left, top) in zip(parts, places, strict=False):
        elements += moved([*caption(part.name, part.note, side), *part.draw(side)], left, top)
    return Figure(*PAPERS[style.paper], elements)


def _elements(item: PrintablePuzzle, side: float, *, solved: bool) -> list[Element]:
    elements = puzzle_elements(item, side, solved=solved)
    if item.link and not solved:
        elements.append(_code(item.link, (side, side + _CODE_GAP), side))
    return elements


def _grid_places(style: PageStyle, per_page: int, code: float) -> tuple[float, list[tuple[float, float]]]:
    """Return the side of the grids on a page, and their top left corners (x, y), row by row."""
    columns, rows = next(layout for layout in _LAYOUTS if layout[0] * layout[1] == per_page)
    width, height = style.room
    across = (width - (columns - 1) * _GAP) / columns
    down = (height - (rows - 1) * _GAP) / rows - _CAPTION_HEIGHT
    side = min(across, down)
    if code:
        side = min(side, down - _CODE_GAP - code, (down - _CODE_GAP) / (1 + _CODE_SHARE))
    top = style.margin + style.head + _CAPTION_HEIGHT
    return side, [
        (
            style.margin + column * (across + _GAP) + (across - side) / 2,
            top + row * (down + _CAPTION_HEIGHT + _GAP),
        )
        for row in range(rows)
        for column in range(columns)
    ]


def page_number(style: PageStyle, number: tuple[int, int]) -> Iterator[Text]:
    """Yield the page number, such as ``2 / 5``; nothing if there is only one page."""
    width, height = PAPERS[style.paper]
    if number[1] > 1:
        place = (width / 2, height - style.margin)
        yield Text(f"{number[0]} / {number[1]}", place, _FOOT_SIZE, _GREY, anchor="middle")


def caption(name: str, note: str, side: float) -> Iterator[Text]:
    """Yield *name* (left) and *note* (right), above a grid at (0, 0). A long name has smaller letters."""
    size = min(_CAPTION_SIZE, _MAX_CAPTION * side)
    if note:
        yield Text(note, (side, -0.35 * size), size, anchor="end")
    room = side - text_width(note, size) - (_CAPTION_GAP if note else 0.0)
    if name and room > 0:
        yield _fitting(name, (0.0, -0.35 * size), size, room)


def _fitting(words: str, place: Point, size: float, room: float) -> Text:
    """Return bold words at *place*. The em is *size*, or smaller if the words would be wider than *room*."""
    width = text_width(words, size, bold=True)
    return Text(words, place, size * min(1.0, room / width) if width else size, bold=True)


def _code(link: str, corner: Point, grid_side: float) -> Area:
    """Return the QR code of a *link*. Its top right corner is *corner* (x, y)."""
    rows, side = _qr_code(link).matrix, _code_side(link, grid_side)
    step, left, top = side / len(rows), corner[0] - side, corner[1]
    return Area(
        [
            box(left + first * step, top + row * step, left + end * step, top + (row + 1) * step)
            for row, dark in enumerate(rows)
            for first, end in runs(dark)
        ]
    )


def _code_side(link: str, grid_side: float) -> float:
    """Return the side of the QR code of a *link*, in mm. *grid_side*: side of the grid above it, in mm."""
    return max(_MIN_CODE, _CODE_SHARE * grid_side, _MIN_MODULE * len(_qr_code(link).matrix))


def _qr_code(text: str) -> Any:
    segno = import_extra("segno", "print", "QR codes need the library segno")
    return segno.make(text or "0", error="l", boost_error=False, micro=False)
