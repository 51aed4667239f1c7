"""The values that travel down the road: photo, lattice, scores, reading, results.

Conventions used everywhere:

* a *board* is a (9, 9) ``int8`` array, 0 for blank; as text, 81 digits in reading order;
* a *cell* is numbered 0..80 in reading order; *points* are (x, y) in photo pixels, the centre of the top left
  pixel being (0, 0);
* a *lattice* is a (10, 10, 2) array of line crossings, first index the row line from the puzzle's own top,
  second index the column line from its left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.sudoku.rules import CLASSIC, Rules

Board = NDArray[np.int8]
"""A board: (9, 9) int8, 0 for blank."""
Image = NDArray[np.uint8]
"""A picture: (H, W, 3) uint8, BGR."""
Floats = NDArray[np.float32]
Marks = tuple[frozenset[int], ...]
"""The digits 1..9 of the pencil marks of each of 81 cells, empty where there are none."""


class _NoMarks(tuple[frozenset[int], ...]):
    """81 empty sets, shown and pickled by their name: the default of many arguments."""

    def __repr__(self) -> str:
        return "NO_MARKS"

    __reduce__ = __repr__


NO_MARKS: Marks = _NoMarks([frozenset()] * 81)  # a board without any pencil marks

GridStatus = Literal["solved", "uncertain", "many_solutions", "no_solution", "unreadable"]
PageStatus = Literal["solved", "uncertain", "many_solutions", "no_solution", "unreadable", "no_grid", "error"]

DoubtKind = Literal["clue", "role", "entry"]
"""What is in doubt of a cell: the clue, and with it the answer; only whether a digit was given or entered; or
which digit a person wrote."""

STATUS_ORDER: tuple[PageStatus, ...] = get_args(PageStatus)  # from the surest to the least sure


def least_sure_status(statuses: Iterable[GridStatus]) -> PageStatus:
    """Return the status of a page with grids of these *statuses*: that of its least sure grid.

    ``unreadable`` counts only where no other grid was read: what merely looks like a grid must not hide that
    the puzzle beside it is solved. Without any grid it is ``no_grid``.

    >>> least_sure_status(["solved", "many_solutions", "unreadable"])
    'many_solutions'
    """
    found = set(statuses)
    read = found - {"unreadable"}
    return max(read or found, key=STATUS_ORDER.index, default="no_grid")


def board_text(board: Board) -> str:
    """Write a (9, 9) board as 81 digits in reading order, 0 for blank."""
    return (np.asarray(board).reshape(81).astype(np.uint8) + ord("0")).tobytes().decode("ascii")


def place_dict(cell: int) -> dict[str, Any]:
    """Return where a cell (0..80) lies, for JSON; rows and columns count from 1."""
    return {"cell": cell, "row": cell // 9 + 1, "column": cell % 9 + 1}


def marks_text(marks: Marks) -> list[str]:
    """Write the pencil marks of 81 cells as texts of ascending digits, such as ``"28"``; empty for none."""
    return ["".join(map(str, sorted(digits))) if digits else "" for digits in marks]


def brief(value: Any) -> str:
    """Return how a dataclass shows itself: boards as text, arrays and long tuples by size, nothing usual."""
    values = ((of.name, getattr(value, of.name)) for of in fields(value) if of.repr)
    told = (
        f"{name}={_brief(one)}" for name, one in values if isinstance(one, np.ndarray) or one not in _USUAL
    )
    return f"{type(value).__name__}({', '.join(told)})"


def _brief(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return repr(board_text(value)) if value.shape == (9, 9) else f"<{value.dtype} {value.shape}>"
    return f"<{len(value)} values>" if isinstance(value, tuple) and len(value) > _FEW else repr(value)


_USUAL: tuple[object, ...] = (None, "", (), {}, NO_MARKS, CLASSIC)  # values that are not worth showing
_FEW = 9  # values of a tuple that are shown one by one


def _check_shapes(value: object, **shapes: tuple[int, ...]) -> None:
    """Raise :class:`ValueError` where an array of *value* has another shape."""
    for name, shape in shapes.items():
        if (found := getattr(value, name).shape) != shape:
            raise ValueError(f"{name} must have shape {shape}, got {found}")


@dataclass(frozen=True, eq=False)
class Value:
    """What dataclasses inherit to be values: their arrays can't be written to, and equals are equal."""

    def __post_init__(self) -> None:
        """Take read-only views of the arrays; whoever handed one over may go on writing to it."""
        arrays = [(name, one.view()) for name, one in vars(self).items() if isinstance(one, np.ndarray)]
        for _, array in arrays:
            array.flags.writeable = False
        vars(self).update(arrays)

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        Value.__post_init__(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Value) or fields(self) != fields(other):
            return NotImplemented
        names = [of.name for of in fields(self) if of.compare]
        pairs = ((getattr(self, name), getattr(other, name)) for name in names)
        return all(
            one is two or (np.array_equal(one, two) if np.ndarray in (type(one), type(two)) else one == two)
            for one, two in pairs
        )

    def __hash__(self) -> int:
        """Hash what can be hashed; of an array the first values do."""
        values = [getattr(self, of.name) for of in fields(self) if of.compare and of.hash is not False]
        return hash(tuple(tuple(one.flat[:81]) if isinstance(one, np.ndarray) else one for one in values))


def _page_name(source: str, page: int) -> str:
    """Return what short texts call a page of a source."""
    return repr(source) if page == 1 else f"{source!r}, page {page}"


@dataclass(frozen=True, eq=False)
class Photo(Value):
    """A picture as it is seen upright: ``pixels`` (H, W, 3) uint8 in BGR order.

    ``exif``: what its file says of it, as a block of EXIF, of which ``save`` passes only some on.
    """

    pixels: Image
    source: str = ""
    page: int = 1
    exif: bytes = b""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pixels.ndim != 3 or self.pixels.shape[2] != 3 or self.pixels.dtype != np.uint8:
            raise ValueError(f"pixels must be (H, W, 3) uint8, got {self.pixels.shape} {self.pixels.dtype}")

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height in pixels."""
        return self.pixels.shape[1], self.pixels.shape[0]

    @property
    def reduced(self) -> ReducedCopy | None:
        """Return the smaller copy that came with a large photo, None where there is none."""
        return None

    def __repr__(self) -> str:
        """Name the photo and its size, pixels left out."""
        width, height = self.size
        return f"Photo({_page_name(self.source, self.page)}, {width} x {height})"


@dataclass(frozen=True, eq=False)
class ReducedCopy(Value):
    """A copy of a photo at 1 / ``factor`` of its size: ``pixels`` (h, w, 3) uint8 BGR.

    Where the sides of the photo are no multiples of ``factor``, it may lie off by a pixel of its own.
    """

    pixels: Image
    factor: int

    def to_photo(self, lattice: Lattice) -> Lattice:
        """Return a *lattice* of this copy in the pixels of the photo."""
        crossings = (lattice.crossings + 0.5) * self.factor - 0.5
        return replace(lattice, crossings=crossings.astype(np.float32))

    def from_photo(self, lattice: Lattice) -> Lattice:
        """Return a *lattice* of the photo in the pixels of this copy."""
        crossings = (lattice.crossings + 0.5) / self.factor - 0.5
        return replace(lattice, crossings=crossings.astype(np.float32))


@dataclass(frozen=True, eq=False)
class Lattice(Value):
    """The line crossings of one grid: ``crossings`` (10, 10, 2) float32, (x, y) in photo pixels.

    ``score`` in 0..1 says how much of the lines was seen. Rows run down and columns run right for a viewer
    of the puzzle, so a lattice is never mirrored; which of its four turns is upright is settled later by
    what is read (:meth:`turned`).
    """

    crossings: Floats
    score: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_shapes(self, crossings=(10, 10, 2))

    def __repr__(self) -> str:
        """Give the outer corners in whole pixels, and the score."""
        corners = " ".join(f"({x:.0f}, {y:.0f})" for x, y in self.corners)
        return f"Lattice({corners}, score {self.score:.2f})"

    @property
    def corners(self) -> Floats:
        """The outer corners (4, 2), clockwise from the top left of the puzzle."""
        return self.crossings[[0, 0, 9, 9], [0, 9, 9, 0]]

    def cell(self, row: int, column: int) -> Floats:
        """Return the corners (4, 2) of a cell (0..8 each), clockwise from its top left."""
        return self.crossings[[row, row, row + 1, row + 1], [column, column + 1, column + 1, column]]

    @property
    def cell_size(self) -> float:
        """Mean side of a cell in photo pixels."""
        # Imported here, as it brings OpenCV along, which boards in text do without.
        from sudoku_vision.geometry import mean_spacing

        return mean_spacing(self.crossings)

    def turned(self, quarter_turns: int) -> Lattice:
        """Return the lattice as read after so many quarter turns of the picture, counter-clockwise."""
        return replace(self, crossings=np.ascontiguousarray(np.rot90(self.crossings, quarter_turns)))


@dataclass(frozen=True, eq=False)
class RoleHypothesis(Value):
    """One hypothesis of which digits of a page were given, and which were entered later.

    ``log_weight``: how likely the ink makes it, as a natural logarithm up to what all of the page share.
    ``written`` (81,) float32: the probability that the ink of each cell was entered, if it is true.
    """

    log_weight: float
    written: Floats


@dataclass(frozen=True, eq=False)
class DigitScores(Value):
    """What the classifier says of 81 cells.

    ``log_probs`` (81, 10) float32: natural logarithms of calibrated probabilities, column 0 no digit (blank,
    or pencil marks), 1..9 the digits, each row summing to one. ``written`` (81,) float32: the probability
    that the ink of the cell, if there is any, was written by hand and not printed. ``marks`` (81,) float32:
    the probability that the cell holds pencil marks, small candidates, instead of a digit. ``mark_digits``
    (81, 9) float32: the probability of each digit 1..9 to be among them. ``corrected`` (81,) float32: the
    probability that what is written was written over or scribbled out, so that its ink is not that of one
    digit. ``hidden`` (81,) float32: the probability that something covers the cell, so that its ink says
    nothing. ``roles``: the hypotheses of given and entered digits that ``written`` is the mean of, where the
    ink leaves it to the rules of sudoku which one is true. ``rules``: those of the puzzle, as far as its
    lines and colours show, and ``rules_probability`` in 0..1 how likely they are.
    """

    log_probs: Floats
    written: Floats
    marks: Floats = field(default_factory=lambda: np.zeros(81, np.float32))
    mark_digits: Floats = field(default_factory=lambda: np.zeros((81, 9), np.float32))
    corrected: Floats = field(default_factory=lambda: np.zeros(81, np.float32))
    hidden: Floats = field(default_factory=lambda: np.zeros(81, np.float32))
    roles: tuple[RoleHypothesis, ...] = ()
    rules: Rules = CLASSIC
    rules_probability: float = 1.0

    __repr__ = brief

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_shapes(self, log_probs=(81, 10), mark_digits=(81, 9))
        _check_shapes(self, written=(81,), marks=(81,), corrected=(81,), hidden=(81,))


@dataclass(frozen=True)
class Doubt:
    """A cell (0..80) that may be read wrongly.

    ``kind`` says what hangs on it: of a *clue* the answer; of a *role* only whether the digit was given or
    entered, or whether one stands there at all; of an *entry* which digit a person wrote. Its likely
    ``digits`` and their ``probabilities``, likeliest first, of an entry what it looks like at least second:
    of an entry 0 stands for none, else for no clue.
    ``entry`` is the digit that stands there as an entry if it is no clue, 0 for none; of an entry it is what
    its ink alone looks like, and where it is not the first of the digits, that is the answer's.
    """

    cell: int
    digits: tuple[int, ...]
    probabilities: tuple[float, ...]
    entry: int = 0
    kind: DoubtKind = "clue"

    def __post_init__(self) -> None:
        if len(self.digits) != len(self.probabilities):
            raise ValueError(f"{len(self.digits)} digits but {len(self.probabilities)} probabilities")

    @property
    def row(self) -> int:
        """The cell's row, 1..9 from the top."""
        return self.cell // 9 + 1

    @property
    def column(self) -> int:
        """The cell's column, 1..9 from the left."""
        return self.cell % 9 + 1

    def to_dict(self) -> dict[str, Any]:
        """Return the doubt as the JSON promise has it; rows and columns count from 1."""
        return place_dict(self.cell) | {
            "kind": self.kind,
            "digits": list(self.digits),
            "probabilities": [round(probability, 4) for probability in self.probabilities],
        }


@dataclass(frozen=True)
class Written:
    """What a person says of a cell: its ``digit`` was written, and is no clue; 0 for whichever is seen."""

    digit: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.digit <= 9:
            raise ValueError(f"a digit is 1 to 9, or 0 for whichever is seen, got {self.digit}")


@dataclass(frozen=True, eq=False)
class Reading(Value):
    """The decoded board: printed clues, written digits, and how sure that is.

    ``puzzle`` and ``written`` are (9, 9) int8 with 0 for blank, and never both set in one cell. ``solution``
    is the (9, 9) completion of ``puzzle``, or None. ``solutions`` counts those of the puzzle: 0, 1, or 2 for
    "two or more"; -1 where the search for them was given up. ``confidence`` is the probability in 0..1 that
    ``solution`` is the answer. ``repaired`` lists cells whose likeliest digit the rules overruled, ``doubts``
    the cells to look at where the reading is not sure, ``unclear`` the written cells whose digit may well be
    another one. ``marks`` are the 81 sets of candidates that stand in cells without any digit,
    ``possible_marks`` further digits that may be among them. ``entry_confidence`` (81,) float32 is the
    probability that a written cell is read right; 0 where nothing is written, or where nobody weighed it.
    ``clashes`` are the cells (0..80) of clues whose digit stands twice in a unit of the ``rules``. ``hidden``
    are cells that could not be seen: something covers them, or they are too bright or too dark.
    """

    puzzle: Board
    written: Board
    solution: Board | None
    solutions: int
    confidence: float
    repaired: tuple[int, ...] = ()
    log_probability: float = 0.0
    doubts: tuple[Doubt, ...] = ()
    unclear: tuple[int, ...] = ()
    marks: Marks = NO_MARKS
    possible_marks: Marks = NO_MARKS
    entry_confidence: Floats = field(default_factory=lambda: np.zeros(81, np.float32))
    clashes: tuple[int, ...] = ()
    hidden: tuple[int, ...] = ()
    rules: Rules = CLASSIC

    def __post_init__(self) -> None:
        """Check the shapes, and that no cell holds both a digit and marks."""
        super().__post_init__()
        _check_shapes(self, puzzle=(9, 9), written=(9, 9), entry_confidence=(81,))
        if len(self.marks) != 81:
            raise ValueError(f"marks must be 81 sets, got {len(self.marks)}")
        if self.marks is NO_MARKS:
            return
        digits = (self.puzzle + self.written).ravel()
        if any(marks and digit for marks, digit in zip(self.marks, digits, strict=True)):
            raise ValueError("a cell with marks must be 0 in puzzle and in written")

    def __repr__(self) -> str:
        """Count what was read and its solutions, and say how sure that is."""
        counts = f"{np.count_nonzero(self.puzzle)} clues, {np.count_nonzero(self.written)} written"
        return f"Reading({counts}, {self.solutions_in_words}, confidence {self.confidence:.3f})"

    @property
    def solutions_in_words(self) -> str:
        """How many solutions the puzzle has, in words."""
        return ("no solution", "one solution", "several solutions", "search given up")[self.solutions]


@dataclass(frozen=True, eq=False)
class GridResult(Value):
    """One grid of a picture: where it lies, what it says, and its answer."""

    status: GridStatus
    lattice: Lattice
    reading: Reading

    def __repr__(self) -> str:
        """Give the status, the number of clues, and how sure they are."""
        clues = np.count_nonzero(self.puzzle)
        return f"{type(self).__name__}({self.status}, {clues} clues, confidence {self.confidence:.3f})"

    @property
    def puzzle(self) -> Board:
        """The printed clues, (9, 9) int8."""
        return self.reading.puzzle

    @property
    def written(self) -> Board:
        """What a person wrote into blank cells, (9, 9) int8."""
        return self.reading.written

    @property
    def marks(self) -> Marks:
        """The pencil marks of the 81 cells: sets of digits, empty where there are none."""
        return self.reading.marks

    @property
    def solution(self) -> Board | None:
        """The completed board, (9, 9) int8, or None."""
        return self.reading.solution

    @property
    def answers(self) -> Board | None:
        """The solution's digits for the cells without any ink, (9, 9) int8, 0 elsewhere; None without one."""
        if self.solution is None:
            return None
        return np.where((self.puzzle == 0) & (self.written == 0), self.solution, 0).astype(np.int8)

    @property
    def rules(self) -> Rules:
        """The rules of the puzzle: classic, unless lines, colours or a person say otherwise."""
        return self.reading.rules

    @property
    def confidence(self) -> float:
        """Probability that the puzzle was read right."""
        return self.reading.confidence

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The cells in doubt: clues, roles, then entries, the most doubtful first; no clue where solved."""
        if self.status == "unreadable":
            return ()
        return tuple(one for one in self.reading.doubts if self.status != "solved" or one.kind != "clue")

    @property
    def clashes(self) -> tuple[int, ...]:
        """The cells (0..80) of clues that contradict one another; none where they can't be read."""
        return () if self.status == "unreadable" else self.reading.clashes

    @property
    def hidden(self) -> tuple[int, ...]:
        """The cells (0..80) that could not be seen, where the answer depends on them."""
        return self.reading.hidden if self.status == "uncertain" else ()

    @property
    def is_empty(self) -> bool:
        """Whether no digit and no mark stands in the grid, as far as can be seen: not all is unreadable."""
        blank = not (self.puzzle.any() or self.written.any() or any(self.marks))
        return self.status == "unreadable" and blank and self.confidence > 0.5

    def to_dict(self) -> dict[str, Any]:
        """Return the grid as the JSON promise has it; entries are those whose confidence is known."""
        named = {"hidden": self.hidden, "clashes": self.clashes}
        return {
            "status": self.status,
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in self.lattice.corners],
            "puzzle": board_text(self.puzzle),
            "written": board_text(self.written),
            "solution": None if self.solution is None else board_text(self.solution),
            "marks": marks_text(self.marks),
            "confidence": round(float(self.confidence), 6),
            "entries": [
                place_dict(cell)
                | {
                    "digit": int(self.written.flat[cell]),
                    "confidence": round(float(self.reading.entry_confidence[cell]), 4),
                }
                for cell in np.flatnonzero(self.written.ravel() * self.reading.entry_confidence > 0).tolist()
            ],
            "repaired": list(self.reading.repaired),
            "doubts": [doubt.to_dict() for doubt in self.doubts],
            **{name: list(cells) for name, cells in named.items() if cells},
            **self.rules.to_dict(),
        }


def is_empty(grids: Sequence[GridResult]) -> bool:
    """Tell whether there are *grids*, and no digit stands in any."""
    return bool(grids) and all(grid.is_empty for grid in grids)


@dataclass(frozen=True, eq=False)
class PageResult(Value):
    """One picture or page: its grids in reading order, its status, and the time it took.

    ``other``: what it shows instead of a sudoku of 9 x 9 cells: "killer", "samurai", "6x6" and the like.
    """

    source: str
    page: int
    status: PageStatus
    message: str
    grids: tuple[GridResult, ...]
    seconds: float = field(compare=False)
    other: str = ""

    def __repr__(self) -> str:
        """Give the page's name, its status, how many grids it has, and the time that it took."""
        name = _page_name(self.source, self.page)
        grids = "1 grid" if len(self.grids) == 1 else f"{len(self.grids)} grids"
        return f"{type(self).__name__}({name}, {self.status}, {grids}, {self.seconds:.2f} s)"

    def to_dict(self) -> dict[str, Any]:
        """Return the page as the JSON promise has it."""
        return {
            "source": self.source,
            "page": self.page,
            "status": self.status,
            "message": self.message,
            "grids": [grid.to_dict() for grid in self.grids],
            "seconds": round(self.seconds, 4),
            **({"other": self.other} if self.other else {}),
        }
