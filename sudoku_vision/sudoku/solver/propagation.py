"""Propagation: all conclusions from a board whose 729 candidates lie in one whole number.

A candidate is a bit: digit d (0..8) in cell (row, column) is bit ``81 * d + 9 * row + column``, so a board is
nine planes of 81 bits, one for each digit.

All units of all digits are looked at together, by shifting the whole board over itself:

* three cells side by side are a *mini-row*, three on top of each other a *mini-column*; three mini-rows make
  a row, and three (one below the other) a box;
* folding the board by threes says which of them hold *some* candidate and which hold *several*;
* a unit without any candidate is a dead end, a unit with one is a *hidden single*, a cell with one is a
  *naked single*, and a unit whose candidates lie in one mini is a *locked candidate*: the rest of the other
  unit through that mini can't hold the digit.

Cheap conclusions come first, dearer ones only where the cheap ones end. The idea of folding bands of
mini-rows is that of the fastest solvers in C (JCZSolve, tdoku).
"""

from collections.abc import Iterator

from sudoku_vision.sudoku.rules import PEERS


def _bits(*positions: int) -> int:
    return sum(1 << position for position in positions)


def _planes(cells: Iterator[int]) -> int:
    """Return the given cells (0..80) in the planes of all nine digits."""
    plane = _bits(*cells)
    return sum(plane << 81 * digit for digit in range(9))


ALL = (1 << 729) - 1  # every candidate: a blank board

CELLS = (1 << 81) - 1  # all cells of one plane

EVERY_DIGIT = _bits(*range(0, 729, 81))  # times a set of cells: all their candidates

_THREE_PLANES = (1 << 243) - 1
_WIDE_PLANE = (1 << 4 * 81) - 1
_VALUES = bytes.maketrans(b"0123456789", bytes(range(10)))

# Where a mini-row, mini-column, row, column or box is noted down: at its first cell.
_MINI_ROW = _planes(cell for cell in range(81) if cell % 3 == 0)
_MINI_COLUMN = _planes(cell for cell in range(81) if cell // 9 % 3 == 0)
_ROW = _planes(cell for cell in range(81) if cell % 9 == 0)
_COLUMN = _planes(cell for cell in range(9))
_BOX = _MINI_ROW & _MINI_COLUMN

# Multiplying a note by one of these repeats it three times: along the row or down the column, cells or minis.
_CELLS_ALONG, _CELLS_DOWN = _bits(0, 1, 2), _bits(0, 9, 18)
_MINIS_ALONG, _MINIS_DOWN = _bits(0, 3, 6), _bits(0, 27, 54)


MATES = tuple(EVERY_DIGIT << cell for cell in range(81))  # for each cell, its nine candidates

_SEEN = tuple(_bits(*peers) for peers in PEERS)  # for each cell, its peers in one plane

STRUCK = tuple(
    _SEEN[cell] << 81 * digit | MATES[cell] ^ 1 << 81 * digit + cell
    for digit in range(9)
    for cell in range(81)
)
"""For each candidate, those that go once it is placed: its digit in the peers, the others in its cell."""

KEPT = tuple(ALL ^ struck for struck in STRUCK)
"""For each candidate, those that stay possible once it is placed."""


def propagate(candidates: int, placed: int) -> tuple[int, int, int]:
    """Draw all conclusions from singles and locked candidates.

    *placed* are the singles whose peers were cleared before. Returns the candidates left (0 at a dead end),
    the singles placed by now, and the cells (81 bits) that still have several candidates.
    """
    while True:
        cells = _naked_singles(candidates)
        if not cells:
            return _DEAD_END
        singles, undecided = cells
        fresh = singles ^ placed  # every placed digit is alone in its cell, or the cell would be empty
        if not fresh:
            if not undecided:
                return candidates, placed, 0
            minis = _lone_minis(candidates)
            if not minis:
                return _DEAD_END
            fresh = candidates & minis[0]
            fresh ^= fresh & placed
            if not fresh:
                gone = candidates & _locked(*minis[1:])
                if not gone:
                    return candidates, placed, undecided
                candidates ^= gone
                continue
        placed |= fresh
        while fresh:
            single = fresh.bit_length() - 1
            fresh ^= 1 << single
            candidates &= KEPT[single]


_DEAD_END = (0, 0, 0)

# Folds: of every three notes some are set where ``either | third`` is, and several where ``first & second |
# either & third`` is. They are written out below, for a call each would cost a third of the time.


def _naked_singles(candidates: int) -> tuple[int, int] | None:
    """Find candidates alone in their cell, and the cells (81 bits) that have several; None at a dead end."""
    second, third = candidates >> 243, candidates >> 486
    either = candidates | second
    trios = (either | third) & _THREE_PLANES
    trios_several = (candidates & second | either & third) & _THREE_PLANES
    second, third = trios >> 81, trios >> 162
    either = trios | second
    if (either | third) & CELLS != CELLS:
        return None
    several = trios & second | either & third | trios_several | trios_several >> 81 | trios_several >> 162
    several &= CELLS
    return candidates & (CELLS ^ several) * EVERY_DIGIT, several


def _lone_minis(candidates: int) -> tuple[int, int, int, int, int] | None:
    """Find minis that hold all that is left of a digit in their row, box, column, and again box.

    None at a dead end. Before the four comes where these minis hold a single candidate: hidden singles.
    """
    second, third = candidates >> 1, candidates >> 2
    either = candidates | second
    rows = (either | third) & _MINI_ROW
    rows_several = (candidates & second | either & third) & _MINI_ROW
    second, third = rows >> 3, rows >> 6
    either = rows | second
    if (either | third) & _ROW != _ROW:
        return None
    lone_in_row = rows & (_ROW ^ (rows & second | either & third) & _ROW) * _MINIS_ALONG
    second, third = rows >> 9, rows >> 18
    either = rows | second
    if (either | third) & _BOX != _BOX:
        return None
    row_lone_in_box = rows & (_BOX ^ (rows & second | either & third) & _BOX) * _CELLS_DOWN

    second, third = candidates >> 9, candidates >> 18
    either = candidates | second
    columns = (either | third) & _MINI_COLUMN
    columns_several = (candidates & second | either & third) & _MINI_COLUMN
    second, third = columns >> 27, columns >> 54
    either = columns | second
    if (either | third) & _COLUMN != _COLUMN:
        return None
    lone_in_column = columns & (_COLUMN ^ (columns & second | either & third) & _COLUMN) * _MINIS_DOWN
    second, third = columns >> 1, columns >> 2
    either = columns | second
    column_lone_in_box = columns & (_BOX ^ (columns & second | either & third) & _BOX) * _CELLS_ALONG

    rows, columns = lone_in_row | row_lone_in_box, lone_in_column | column_lone_in_box
    rows ^= rows & rows_several
    columns ^= columns & columns_several
    singles = rows * _CELLS_ALONG | columns * _CELLS_DOWN
    return singles, lone_in_row, row_lone_in_box, lone_in_column, column_lone_in_box


def _locked(lone_in_row: int, row_lone_in_box: int, lone_in_column: int, column_lone_in_box: int) -> int:
    """Find where a digit, locked into a mini, can't stand: the rest of the other unit through the mini."""
    rows = _others(lone_in_row, 9, _BOX, _CELLS_DOWN) | _others(row_lone_in_box, 3, _ROW, _MINIS_ALONG)
    columns = _others(lone_in_column, 1, _BOX, _CELLS_ALONG)
    columns |= _others(column_lone_in_box, 27, _COLUMN, _MINIS_DOWN)
    return rows * _CELLS_ALONG | columns * _CELLS_DOWN


def _others(minis: int, step: int, unit: int, repeat: int) -> int:
    """Return the other minis of the units (noted at *unit*, minis *step* apart) that *minis* lie in."""
    return ((minis | minis >> step | minis >> 2 * step) & unit) * repeat ^ minis


def digits_of(candidates: int) -> tuple[int, ...]:
    """Return the 81 digits of a board that has one candidate in each cell."""
    # With its bits read as hexadecimal, a board has four bits for each cell of a plane: room for the digit.
    planes = int(f"{candidates:b}", 16)
    cells = 0
    for digit in range(1, 10):
        cells += digit * (planes & _WIDE_PLANE)
        planes >>= 4 * 81
    return tuple(f"{cells:081x}"[::-1].encode().translate(_VALUES))
