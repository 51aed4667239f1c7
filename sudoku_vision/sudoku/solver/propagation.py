"""Place singles and remove candidates until nothing more is certain. A board is one integer.

The 729 candidates of a board are the bits of the integer. The candidate of digit d (0..8) in the cell (row,
column) is bit ``81 * d + 9 * row + column``. So a board is nine planes of 81 bits, one plane for each digit.

All rows, columns and boxes are examined at once for all digits: the integer is combined with shifted copies
of itself.

* three cells of a row in one box are a *mini-row*, and three cells of a column in one box a *mini-column*.
  Both are called *minis*.
* bits are combined in threes (*folded*). This finds the minis that hold *some* candidate of a digit, and the
  minis that hold *several*. The idea comes from the fastest solvers in C (JCZSolve, tdoku).
* each mini lies in two units: a box, and a row or column. If all candidates of a digit in one of these units
  lie in the mini, they are *locked candidates*: the digit is ruled out in the rest of the other unit.
"""

from collections.abc import Iterator

from sudoku_vision.sudoku.rules import PEERS


def _bits(*positions: int) -> int:
    return sum(1 << position for position in positions)


def _planes(cells: Iterator[int]) -> int:
    """Return the candidates of all nine digits in *cells* (0..80) as bits."""
    plane = _bits(*cells)
    return sum(plane << 81 * digit for digit in range(9))


ALL = (1 << 729) - 1  # the candidates of a blank board
CELLS = (1 << 81) - 1  # all cells, as the plane of one digit
EVERY_DIGIT = _bits(*range(0, 729, 81))  # a set of cells (81 bits) times this: all candidates in the cells

_THREE_PLANES = (1 << 243) - 1
_WIDE_PLANE = (1 << 4 * 81) - 1
_VALUES = bytes.maketrans(b"0123456789", bytes(range(10)))

# The result for a mini-row, mini-column, row, column or box is stored in the bit of its first cell.
_MINI_ROW = _planes(cell for cell in range(81) if cell % 3 == 0)
_MINI_COLUMN = _planes(cell for cell in range(81) if cell // 9 % 3 == 0)
_ROW = _planes(cell for cell in range(81) if cell % 9 == 0)
_COLUMN = _planes(cell for cell in range(9))
_BOX = _MINI_ROW & _MINI_COLUMN

# Multiplying by one of these numbers copies a result to three cells, or minis, along a row or down a column.
_CELLS_ALONG, _CELLS_DOWN = _bits(0, 1, 2), _bits(0, 9, 18)
_MINIS_ALONG, _MINIS_DOWN = _bits(0, 3, 6), _bits(0, 27, 54)

MATES = tuple(EVERY_DIGIT << cell for cell in range(81))  # for each cell, its own nine candidates as bits
_SEEN = tuple(_bits(*peers) for peers in PEERS)  # for each cell, its peers as 81 bits
STRUCK = tuple(
    _SEEN[cell] << 81 * digit | MATES[cell] ^ 1 << 81 * digit + cell
    for digit in range(9)
    for cell in range(81)
)
"""For each candidate, the candidates that are removed when it is placed."""
KEPT = tuple(ALL ^ struck for struck in STRUCK)  # for each candidate, those that are kept when it is placed


def propagate(left: int, placed: int) -> tuple[int, int]:
    """Place all singles, and remove the candidates that singles and locked candidates exclude.

    *left*: all candidates that are left. *placed*: the candidates whose digits stand in their cells already;
    the digits have been removed from the peers of the cells. Returns both sets after all deductions. They are
    0 if there is a contradiction, and equal if the board is solved.
    """
    while True:
        singles = _naked_singles(left)
        if singles is None:
            return _DEAD_END
        fresh = singles ^ placed  # every cell has a candidate here, so all placed digits are singles
        if not fresh:
            if left == placed:
                return left, placed
            minis = _lone_minis(left)
            if not minis:
                return _DEAD_END
            fresh = left & minis[0]
            fresh ^= fresh & placed
            if not fresh:
                gone = left & _locked(*minis[1:])
                if not gone:
                    return left, placed
                left ^= gone
                continue
        placed |= fresh
        while fresh:
            single = fresh.bit_length() - 1
            fresh ^= 1 << single
            left &= KEPT[single]


_DEAD_END = (0, 0)

# A fold combines three bits: ``first``, ``second`` and ``third``. ``either`` is ``first | second``. At least
# one bit is set if ``either | third`` is set. At least two are set if ``first & second | either & third`` is.
# Folds are written out here, because function calls would take a third longer.


def _naked_singles(candidates: int) -> int | None:
    """Return the candidates that are alone in their cells; None if a cell has no candidate at all."""
    second, third = candidates >> 243, candidates >> 486
    either = candidates | second
    trios = (either | third) & _THREE_PLANES
    trios_several = (candidates & second | either & third) & _THREE_PLANES
    second, third = trios >> 81, trios >> 162
    either = trios | second
    if (either | third) & CELLS != CELLS:
        return None
    several = trios & second | either & third | trios_several | trios_several >> 81 | trios_several >> 162
    return candidates & (CELLS ^ several & CELLS) * EVERY_DIGIT


def _lone_minis(candidates: int) -> tuple[int, int, int, int, int] | None:
    """Find minis that hold all candidates of a digit in a unit; None if a unit has no candidate of a digit.

    Returns five sets as bits. The first has the cells of those minis that hold only one candidate, a hidden
    single. The second has the mini-rows that hold all candidates of their row, and the third the mini-rows
    that hold all candidates of their box. The fourth and fifth have the mini-columns that hold all candidates
    of their column, and of their box.
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
    """Return the candidates that locked candidates exclude; the arguments come from :func:`_lone_minis`."""
    rows = _others(lone_in_row, 9, _BOX, _CELLS_DOWN) | _others(row_lone_in_box, 3, _ROW, _MINIS_ALONG)
    columns = _others(lone_in_column, 1, _BOX, _CELLS_ALONG)
    columns |= _others(column_lone_in_box, 27, _COLUMN, _MINIS_DOWN)
    return rows * _CELLS_ALONG | columns * _CELLS_DOWN


def _others(minis: int, step: int, unit: int, repeat: int) -> int:
    """Return the other two minis in the *unit* of each of *minis*. Minis of a unit are *step* bits apart."""
    return ((minis | minis >> step | minis >> 2 * step) & unit) * repeat ^ minis


def digits_of(left: int) -> tuple[int, ...]:
    """Return the 81 digits of a board that has one candidate in each cell."""
    # The bits of *left* are read as hexadecimal digits, so that each cell gets four bits: room for its digit.
    planes = int(f"{left:b}", 16)
    cells = 0
    for digit in range(1, 10):
        cells += digit * (planes & _WIDE_PLANE)
        planes >>= 4 * 81
    return tuple(f"{cells:081x}"[::-1].encode().translate(_VALUES))
