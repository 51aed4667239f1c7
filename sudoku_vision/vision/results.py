"""The values that one stage of reading passes to the next: photo, lattice, scores, reading.

Conventions used everywhere:

* a *board* is a (9, 9) ``int8`` array, in which 0 is a blank cell; as text, it is 81 digits in reading order;
* *cells* are numbered 0..80 in reading order;
* *points* are (x, y) in photo pixels, and the centre of the top left pixel is (0, 0);
* a *lattice* is a (10, 10, 2) array of line crossings. The first index counts the horizontal lines from the
  top, the second counts the vertical lines from the left. Once the program knows which side of the puzzle is
  the top, top and left mean those of the upright puzzle, even if the puzzle lies turned in the photo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from sudoku_vision.errors import checked_number
from sudoku_vision.sudoku.board import NO_MARKS, Board, Marks, place_dict
from sudoku_vision.sudoku.rules import CLASSIC, Cage, Rules
from sudoku_vision.values import Floats, Image, Value, check_shapes

GridStatus = Literal["solved", "uncertain", "many_solutions", "no_solution", "unreadable"]

DoubtKind = Literal["cage", "clue", "role", "entry"]
"""What is in doubt in a cell; :class:`Doubt` says what each kind means."""

Division = tuple[float, Sequence[Sequence[int]]]
"""One way to divide the cells into cages: its cost, and the cells (0..80) of each cage. The cost is in nats;
it is high if the picture makes the division unlikely."""


def page_name(source: str, page: int) -> str:
    """Return a short name of a page: its *source*, and the number of the *page* if this is 2 or more."""
    return repr(source) if page == 1 else f"{source!r}, page {page}"


@dataclass(frozen=True, eq=False)
class Photo(Value):
    """An upright picture: ``pixels`` (H, W, 3) uint8 in BGR order.

    ``source`` is the name of the picture's file. ``page`` is the number of the page in this file. ``exif`` is
    the EXIF block of the file; ``save`` copies only the date, the camera and the lens from this block.
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
        """The width and the height in pixels."""
        return self.pixels.shape[1], self.pixels.shape[0]

    @property
    def reduced(self) -> ReducedCopy | None:
        """A smaller copy of the photo, or None. Only the subclass for large JPEGs has such a copy."""
        return None

    def __repr__(self) -> str:
        """Return a short text with the photo's name and size, without its pixels."""
        width, height = self.size
        return f"Photo({page_name(self.source, self.page)}, {width} x {height})"


@dataclass(frozen=True, eq=False)
class ReducedCopy(Value):
    """A copy of a photo whose width and height are divided by ``factor``: ``pixels`` (h, w, 3) uint8 BGR.

    If the width or the height of the photo is no multiple of ``factor``, the content of the copy may be
    shifted by up to one pixel of the copy.
    """

    pixels: Image
    factor: int

    def to_photo(self, lattice: Lattice) -> Lattice:
        """Convert the crossings of a *lattice* from pixels of this copy to pixels of the photo."""
        crossings = (lattice.crossings + 0.5) * self.factor - 0.5
        return replace(lattice, crossings=crossings.astype(np.float32))

    def from_photo(self, lattice: Lattice) -> Lattice:
        """Convert the crossings of a *lattice* from pixels of the photo to pixels of this copy."""
        crossings = (lattice.crossings + 0.5) / self.factor - 0.5
        return replace(lattice, crossings=crossings.astype(np.float32))


@dataclass(frozen=True, eq=False)
class Lattice(Value):
    """The line crossings of one grid: ``crossings`` (10, 10, 2) float32, (x, y) in photo pixels.

    ``score`` in 0..1 is the share of the grid's lines that was seen. At first, row 0 of ``crossings`` may lie
    on any side of the grid, because only the digits show which side is the top; then :meth:`turned` corrects
    the order. A lattice is never mirrored.
    """

    crossings: Floats
    score: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_shapes(self, crossings=(10, 10, 2))

    def __repr__(self) -> str:
        """Return a short text with the outer corners, in whole pixels, and the score."""
        corners = " ".join(f"({x:.0f}, {y:.0f})" for x, y in self.corners)
        return f"Lattice({corners}, score {self.score:.2f})"

    @property
    def corners(self) -> Floats:
        """The outer corners (4, 2), clockwise. The first one is the top left corner of the puzzle."""
        return self.crossings[[0, 0, 9, 9], [0, 9, 9, 0]]

    def cell(self, row: int, column: int) -> Floats:
        """Return the corners (4, 2) of the cell at *row* and *column* (0..8), clockwise from its top left."""
        return self.crossings[[row, row, row + 1, row + 1], [column, column + 1, column + 1, column]]

    @property
    def cell_size(self) -> float:
        """The mean side of a cell in photo pixels."""
        # This import loads OpenCV. So it isn't at the top of the file: boards given as text need no OpenCV.
        from sudoku_vision.geometry import mean_spacing

        return mean_spacing(self.crossings)

    def turned(self, quarter_turns: int) -> Lattice:
        """Return the lattice of this grid, turned counter-clockwise by a number of *quarter_turns*.

        The crossings keep their places in the photo. Only the order of the crossings changes.
        """
        return replace(self, crossings=np.ascontiguousarray(np.rot90(self.crossings, quarter_turns)))


@dataclass(frozen=True, eq=False)
class RoleHypothesis(Value):
    """A hypothesis about which digits of a page are clues, and which ones were entered later.

    ``log_weight`` is the log-likelihood of the ink if the hypothesis is true, up to a constant that is the
    same for all hypotheses of a page. ``written`` (81,) float32 is the probability, if the hypothesis is
    true, that the digit in each cell is an entry.
    """

    log_weight: float
    written: Floats


@dataclass(frozen=True, eq=False, repr=False)
class DigitScores(Value):
    """The probabilities of what each of the 81 cells holds, before decoding; arrays are float32.

    * ``log_probs`` (81, 10): natural logarithms of calibrated probabilities. Column 0 is "no digit" (blank,
      or pencil marks), 1..9 are the digits. The probabilities of a row sum to one.
    * ``written`` (81,): the probability that the digit of the cell, if it has one, is an entry: handwriting,
      or a digit that a person typed.
    * ``marks`` (81,): the probability that the cell holds pencil marks (small candidates), not a digit.
    * ``mark_digits`` (81, 9): for each digit 1..9, the probability that it is among the pencil marks.
    * ``corrected`` (81,): the probability that an entry was written over or scribbled out.
    * ``hidden`` (81,): the probability that the cell is misread because it can't be seen.
    * ``roles``: the likely hypotheses about which digits are clues and which are entries. It is empty if the
      ink alone decides this. Otherwise, ``written`` is the weighted mean of all hypotheses.
    * ``rules``: the rules that the lines and colours of the puzzle show. ``rules_probability`` in 0..1 is the
      probability of these rules.
    * ``sums``: for the first cell of each cage of a killer, the probabilities of the likely sums of the cage,
      from the ink alone.
    * ``divisions``: the likely divisions of a killer into cages, the likeliest first.
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
    sums: Mapping[int, Mapping[int, float]] = field(default_factory=dict, hash=False)
    divisions: Sequence[Division] = field(default=(), hash=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_shapes(self, log_probs=(81, 10), mark_digits=(81, 9))
        check_shapes(self, written=(81,), marks=(81,), corrected=(81,), hidden=(81,))


@dataclass(frozen=True)
class Doubt:
    """A cell (0..80) that may be misread.

    ``kind`` says what is in doubt:

    * *cage*: which cage the cell is in, or the sum of its cage. The answer is in doubt, too.
    * *clue*: which clue the cell has. The answer is in doubt, too.
    * *role*: whether the digit of the cell is a clue or an entry, or whether the cell has a digit at all. The
      answer is the same in all these cases.
    * *entry*: which digit a person wrote.

    ``digits`` are the likely digits, the likeliest first, and ``probabilities`` are their probabilities. The
    digit 0 means "no entry" if the kind is *entry*, and "no clue" otherwise. If the kind is *cage*, there are
    no ``digits``, and the probabilities are those of the likely ``cages``.

    ``entry`` is the digit that was read as the entry of the cell, or 0 if the cell has no entry. If the kind
    is *entry*, ``entry`` is instead the digit that the ink alone looks like. This digit comes first in
    ``digits``, or it comes second, after the digit of the answer.
    """

    cell: int
    digits: tuple[int, ...]
    probabilities: tuple[float, ...]
    entry: int = 0
    kind: DoubtKind = "clue"
    cages: tuple[Cage, ...] = ()

    def __post_init__(self) -> None:
        options = self.cages or self.digits
        if len(options) != len(self.probabilities):
            raise ValueError(f"{len(options)} options but {len(self.probabilities)} probabilities")

    @property
    def is_of_cells(self) -> bool:
        """Whether it is in doubt which cells belong to the cage; False if only the sum is in doubt."""
        return len({cage.cells for cage in self.cages}) > 1

    @property
    def row(self) -> int:
        """The row of the cell, 1..9 from the top."""
        return self.cell // 9 + 1

    @property
    def column(self) -> int:
        """The column of the cell, 1..9 from the left."""
        return self.cell % 9 + 1

    def to_dict(self) -> dict[str, Any]:
        """Return the doubt as a dictionary for JSON; rows and columns count from 1."""
        return place_dict(self.cell) | {
            "kind": self.kind,
            "digits": list(self.digits),
            "probabilities": [round(probability, 4) for probability in self.probabilities],
            **({"cages": [cage.to_dict() for cage in self.cages]} if self.cages else {}),
        }


@dataclass(frozen=True)
class Written:
    """A user's correction: the cell holds a handwritten ``digit``, not a clue.

    If ``digit`` is 0, the program reads the digit from the ink.
    """

    digit: int = 0

    def __post_init__(self) -> None:
        vars(self)["digit"] = checked_number(self.digit, "A handwritten digit", 0, 9)


@dataclass(frozen=True, eq=False)
class Reading(Value):
    """The decoded board: clues, entries, the solution, and how sure all of this is. Cells are numbers 0..80.

    * ``puzzle``, ``written`` (9, 9) int8: clues and entries, 0 for blank; a cell never has both.
    * ``solution`` (9, 9) int8: the completed ``puzzle``, or None.
    * ``solutions``: the number of solutions of the puzzle: 0, 1, or 2 for "two or more". It is -1 if the
      search for solutions was given up.
    * ``confidence``: the probability in 0..1 that ``solution`` is the answer.
    * ``repaired``: the cells that were read as another digit than their ink shows, because of the rules.
    * ``log_probability``: the log-probability of ``puzzle`` given its ink alone, without the rules.
    * ``doubts``: the cells that a person should compare with the picture, because they may be misread.
    * ``unclear``: the cells whose entry may be misread.
    * ``marks``: the pencil marks of the 81 cells, as sets of digits. ``possible_marks``: for each cell, the
      set of further digits that may be among its marks.
    * ``entry_confidence`` (81,) float32: the probability that an entry is read right. It is 0 for cells
      without an entry, and for all cells if it was not computed.
    * ``clashes``: the cells of clues that clash: a row, column, region or other unit has their digit twice.
    * ``hidden``: cells that could not be seen: something covers them, or they are too bright or too dark.
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
        """Check the shapes of all arrays. Check that no cell holds both a digit and marks."""
        super().__post_init__()
        check_shapes(self, puzzle=(9, 9), written=(9, 9), entry_confidence=(81,))
        if len(self.marks) != 81:
            raise ValueError(f"marks must be 81 sets, got {len(self.marks)}")
        if self.marks is NO_MARKS:
            return
        digits = (self.puzzle + self.written).ravel()
        if any(marks and digit for marks, digit in zip(self.marks, digits, strict=True)):
            raise ValueError("a cell with marks must be 0 in puzzle and in written")

    def __repr__(self) -> str:
        """Return a short text with the numbers of clues, entries and solutions, and the confidence."""
        counts = f"{np.count_nonzero(self.puzzle)} clues, {np.count_nonzero(self.written)} written"
        return f"Reading({counts}, {self.solutions_in_words}, confidence {self.confidence:.3f})"

    @property
    def solutions_in_words(self) -> str:
        """How many solutions the puzzle has, in words."""
        return ("no solution", "one solution", "several solutions", "search given up")[self.solutions]
