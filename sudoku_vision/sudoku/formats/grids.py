"""Boards in text, written row by row.

A *rule* is a line drawn between rows, a *gap* is an empty line between rows, and a *bar* is an upright stroke
between cells. If blank cells are written as spaces, the position of a digit in its line shows its column.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.formats.cells import CELL_CHARACTERS, DIGITS, REMEDY, cell_of, digit_of, is_cell
from sudoku_vision.sudoku.formats.named_board import NamedBoard, solves
from sudoku_vision.sudoku.rules import CLASSIC, Rules

_BARS = "|│║┃┆┇┊┋╎╏!:"
_RULE = re.compile(r"[-=+~#|:.,'`*_ ─-╿—–¯‾]+")
_SUM = re.compile(r"(?<=[+─-╿])\d{1,2}(?=[-─])")  # the sum of a cage, in the line above its first cell
_ASSIGNED = re.compile(r"^\s*[\w.]+\s*(?::[^=]*)?=\s*(?=[\[({])")
_LISTED = str.maketrans(dict.fromkeys("[](){}'\"", " "))
_MAX_ROW = 1000  # maximum number of characters in a row; two boards side by side with all candidates have 200
_MAX_LOOSE = 60  # a loose line (see RowGroup) has fewer characters than this
_COLUMNS_REMEDY = "Write blanks as dots, so that every row has nine cells."
_PITCHES = range(1, 5)  # if blanks are spaces: possible distances between two columns, in characters
_GAPS = range(7)  # possible numbers of extra characters between two boxes, if blanks are spaces
DRAWN_LINES = 19  # number of lines of a board that is drawn with the borders of its regions
_SPACES = "".join(filter(str.isspace, map(chr, range(0x3001))))  # all white space of Unicode


class Row(NamedTuple):
    """One row of a board, or of two boards side by side.

    ``cells``: its 9 or 18 digits, 0 for blank. ``dashed``: whether a blank is written as ``-``, ``_`` or
    ``*``. ``only_dashes``: whether all cells are ``-``, all are ``_`` or all are ``*``. Such a row can also
    be a line between rows. ``candidates``: the texts of the nine cells if the row lists candidates.
    ``parted``: whether an empty or a drawn line comes before the row.
    """

    line: int
    cells: tuple[int, ...]
    dashed: bool = False
    only_dashes: bool = False
    candidates: tuple[str, ...] = ()
    parted: bool = False


@dataclass
class RowGroup:
    """Successive rows of a text, of one board or several.

    ``rows``: the rows, and lines of nine dashes that may be rows or rules. ``raw``: the number and the text
    of each line that is not a rule or a gap. If blanks are spaces, these lines are read again. ``parted``:
    whether a gap or a rule comes before the next row. ``loose``: whether there are lines that are rows only
    if blanks are written as spaces.
    """

    name: str = ""
    rows: list[Row] = field(default_factory=list)
    raw: list[tuple[int, str]] = field(default_factory=list)
    parted: bool = False
    loose: bool = False

    def __bool__(self) -> bool:
        return bool(self.rows or self.raw)

    @property
    def unfinished(self) -> bool:
        """Whether the rows so far don't make complete boards."""
        return self.loose or len(self.rows) % 9 > 0

    def add(self, number: int, line: str, row: Row | None) -> None:
        """Add a line that is not a rule or a gap. *row* is None for a loose line."""
        self.raw.append((number, line))
        if row:
            self._append(row)
        else:
            self.loose = True

    def _append(self, row: Row) -> None:
        self.rows.append(row._replace(parted=True) if self.parted else row)
        self.parted = False

    def rule(self, number: int, line: str) -> None:
        """Add a line that is a rule, or a row of nine dashes: :meth:`boards` decides which."""
        row = _dashed_row(line, number)
        if row and not self.loose:
            self._append(row)
        else:
            self.parted = True
        if not line.strip(_BARS + " "):
            self.raw.append((number, line))

    def boards(self, by: tuple[int, str] | None) -> list[NamedBoard]:
        """Return the boards of this group; raises BoardError if the rows don't make boards of nine rows.

        *by*: the number and the text of the line after the group, or None. The error message names this line.
        """
        if self.loose and not self._complete_below_loose():
            return [_board_of_columns(self.raw, self.name)]
        rows = self._without_rules()
        if not rows:
            return []
        parted = any(row.parted for row in rows[1:])
        if len(rows) % 9 or (parted and not all(row.parted for row in rows[9::9])):
            raise _uneven(rows, by)
        boards = [board for at in range(0, len(rows), 9) for board in _boards_of_rows(rows[at : at + 9])]
        return [replace(boards[0], name=self.name), *boards[1:]]

    def _complete_below_loose(self) -> bool:
        """Return whether all loose lines stand above complete boards. If so, the loose lines are notes."""
        lines = [row.line for row in self.rows]
        above = [number for number, _ in self.raw if number not in lines]
        return bool(lines) and len(lines) % 9 == 0 and max(above) < lines[0]

    def _without_rules(self) -> list[Row]:
        """Return the rows. Leave out lines of dashes that are rules.

        Lines of dashes are rows if two things hold. Together with the other rows, they make boards of nine
        rows. And one of the other rows has dashes for blanks, or there are no other rows.
        """
        sure = [row for row in self.rows if not row.only_dashes]
        completes = len(self.rows) % 9 == 0 and (any(row.dashed for row in sure) or not sure)
        if completes or len(sure) == len(self.rows):
            return self.rows
        return [
            row._replace(parted=row.parted or before.only_dashes)
            for before, row in pairwise([self.rows[0], *self.rows])
            if not row.only_dashes
        ]


def read_row(line: str, number: int = 0) -> Row | None:
    """Read a line as a row of 9 or 18 cells; return None if it is no row."""
    if len(line) > _MAX_ROW:
        return None
    text = _ASSIGNED.sub("", line)
    for bar in _BARS[1:]:
        text = text.replace(bar, "|")
    fields = _fields(text)
    if fields:
        return Row(number, tuple(digit_of(cell) for cell in fields), _is_dashed(fields))
    if is_rule(line) and set(line) - set(_BARS) - set(" ") != {"."}:  # dots alone are a row of blanks
        return None
    return _joined_row(text, number)


def _fields(text: str) -> list[str]:
    """Return the nine cells of a line with separators, such as commas; [] for any other line."""
    bare = _without_brackets(text) if "[" in text or "(" in text else text
    for separator in ",;\t":
        cells = [cell.strip().strip("'\"") for cell in bare.split(separator)]
        if len(cells) == 10 and not cells[9]:
            cells.pop()
        if len(cells) == 9 and all(is_cell(cell) for cell in cells):
            return cells
    cells = [cell.strip() for cell in text.strip().strip("|").split("|")]
    if text.count("|") in (8, 10) and len(cells) == 9 and all(is_cell(cell) for cell in cells):
        return cells if any(cell for cell in cells) else []
    return []


def _without_brackets(text: str) -> str:
    """Return a row without the brackets around it, and without a comma after them."""
    # A regular expression would take a time that grows with the cube of the number of spaces.
    bare = text.lstrip(_SPACES + "[(").rstrip()
    if bare.endswith(",") and (bare[-2:-1] in ("]", ")") or bare[-2:-1].isspace()):
        bare = bare[:-1]
    return bare.rstrip(_SPACES + "])")


def _joined_row(text: str, number: int) -> Row | None:
    """Read a row: words of one, three or nine cells, or nine candidate lists. Return None for other lines."""
    words = text.translate(_LISTED).replace("|", " ").replace(",", " ").split()
    cells = [cell_of(word) if is_cell(word) else word for word in words]
    joined = "".join(cells)
    lengths = {len(cell) for cell in cells}
    if len(joined) in (9, 18) and lengths in ({1}, {3}, {9}) and set(joined) <= CELL_CHARACTERS:
        return Row(number, tuple(map(digit_of, joined)), _is_dashed(cells))
    if len(cells) == 9 and all(_is_candidates(cell) for cell in cells):
        return Row(number, tuple(map(digit_of, cells)), candidates=tuple(cells))
    return None


def _is_candidates(cell: str) -> bool:
    """Return whether *cell* is a digit, a blank, or candidates in ascending order."""
    return is_cell(cell) or (cell.isascii() and cell.isdigit() and cell == "".join(sorted({*cell} - {"0"})))


def is_rule(line: str) -> bool:
    """Return whether a line has only characters that draw lines between rows."""
    return bool(_RULE.fullmatch(_SUM.sub("-", line)))


def _dashed_row(line: str, number: int) -> Row | None:
    """Return a line of nine equal dashes, underscores or stars as a row of blanks; None for other lines."""
    if set(line) - set(_BARS) - set(" ") not in ({"-"}, {"_"}, {"*"}):
        return None
    row = _joined_row("".join(" " if character in _BARS else character for character in line), number)
    return None if row is None else row._replace(dashed=True, only_dashes=True)


def is_loose(line: str) -> bool:
    """Return whether a line is short, and has one to eight digits and otherwise only spaces and bars."""
    count = sum(character in DIGITS for character in line)
    only_digits = set(line) - set(_BARS) - set(" ") <= DIGITS
    return only_digits and 0 < count < 9 and len(line.strip()) < _MAX_LOOSE


def _is_dashed(cells: Sequence[str]) -> bool:
    return any(character in "-_*" for cell in cells for character in cell)


def _boards_of_rows(rows: Sequence[Row]) -> list[NamedBoard]:
    """Return the board in nine rows, or two boards that stand side by side in the rows.

    The second board is left out if it is the solution of the first.
    """
    widths = {len(row.cells) for row in rows}
    if len(widths) > 1:
        odd = next(row for row in rows if len(row.cells) != len(rows[0].cells))
        what = f"line {odd.line}: {len(odd.cells)} cells, unlike the row above it."
        raise BoardError(what, REMEDY)
    cells = np.array([row.cells for row in rows], np.int8)
    boards = [NamedBoard(cells[:, at : at + 9], line=rows[0].line) for at in range(0, cells.shape[1], 9)]
    if all(row.candidates for row in rows):
        texts = (cell if len(cell) > 1 else "" for row in rows for cell in row.candidates)
        return [boards[0].with_marks(texts)]
    if len(boards) == 2 and solves(*("".join(map(str, board.clues.flat)) for board in boards[::-1])):
        return boards[:1]
    return boards


def drawn_rules(lines: Sequence[str]) -> Rules:
    """Return the rules of a board that is drawn in *lines* with the borders of its regions or cages.

    The rules are classic if the lines don't have the form that
    :func:`~sudoku_vision.sudoku.display.board_lines` draws.
    """
    top = lines[0].rstrip() if len(lines) == DRAWN_LINES else ""
    indent = len(top) - len(top.lstrip())
    drawn = [line[indent:].ljust(37) for line in lines]
    borders = "".join(_SUM.sub("-", line) for line in drawn[::2])
    if len(top) - indent < 37 or " " in drawn[0][:37] or any(map(str.isdigit, borders)):
        return CLASSIC
    regions = list(range(81))
    for cell in range(81):
        row, column = divmod(cell, 9)
        right = column < 8 and drawn[2 * row + 1][4 * column + 4] == " "
        below = row < 8 and drawn[2 * row + 2][4 * column + 2] == " "
        for other in [cell + 1] * right + [cell + 9] * below:
            regions = [regions[cell] if region == regions[other] else region for region in regions]
    cages = [
        (int(found[0]), [cell for cell in range(81) if regions[cell] == regions[first]])
        for first in range(81)
        if (found := _SUM.search(drawn[first // 9 * 2][: first % 9 * 4 + 4], first % 9 * 4))
    ]
    if cages:
        return Rules(cages=cages)
    return CLASSIC if any(regions.count(region) != 9 for region in regions) else Rules(regions)


def _uneven(rows: Sequence[Row], by: tuple[int, str] | None) -> BoardError:
    what = f"lines {rows[0].line} to {rows[-1].line} hold {len(rows)} rows of a board"
    if len(rows) == 1:
        what = f"line {rows[0].line} holds a single row of a board"
    if by and by[0]:
        what += f", then comes line {by[0]}: {by[1].strip()[:40]!r}"
    if len(rows) % 9 == 0:
        what += ", and the gaps between them don't make groups of nine"
    return BoardError(f"{what}.", REMEDY)


def _board_of_columns(lines: Sequence[tuple[int, str]], name: str = "") -> NamedBoard:
    """Return the board in nine *lines* (number, text) in which blanks are spaces.

    Raises BoardError unless the digits fit into nine evenly spaced columns in exactly one way.
    """
    first, last = lines[0][0], lines[-1][0]
    if len(lines) != 9:
        what = f"lines {first} to {last} hold {len(lines)} rows with spaces in them, a board has nine."
        raise BoardError(what, _COLUMNS_REMEDY)
    texts = [text for _, text in lines]
    layouts = _layouts(texts)
    boards = {tuple(digit_of(text[at : at + 1]) for text in texts for at in columns) for columns in layouts}
    if len(boards) != 1:
        what = "fit into no nine columns" if not boards else "fit into columns in more than one way"
        raise BoardError(f"The digits of lines {first} to {last} {what}.", _COLUMNS_REMEDY)
    return NamedBoard(boards.pop(), name=name, line=first)


def _layouts(texts: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """Yield all positions of nine columns such that all digits are in columns, and no bar is inside a box."""
    digits = {at for text in texts for at, character in enumerate(text) if character.isdigit()}
    bars = {at for text in texts for at, mark in enumerate(text) if not mark.isdigit() and mark != " "}
    for start, pitch, gap in product(range(min(digits) + 1), _PITCHES, _GAPS):
        columns = tuple(start + pitch * cell + gap * (cell // 3) for cell in range(9))
        inside = {at for box in (0, 3, 6) for at in range(columns[box], columns[box + 2] + 1)}
        if digits <= set(columns) and not bars & inside:
            yield columns
