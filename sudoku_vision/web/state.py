"""The data for decoding a grid again, as a text that a browser stores and sends back.

So the service doesn't have to store anything about its clients. The scores of cells are stored without
rounding (float32), so decoding the state with overrides gives the same grid as reading the picture with them.

A state is one record of fixed size, and JSON with what was read about cages, packed with zlib. The first 16
bytes of the HMAC-SHA256 of these bytes stand before them, and all is written in base64. Only signed data are
unpacked.
"""

import base64
import hashlib
import hmac
import json
import math
import zlib
from dataclasses import dataclass, replace

import numpy as np

from sudoku_vision.errors import StateError
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.vision.decode import grid_status
from sudoku_vision.vision.decode.killer import with_cages
from sudoku_vision.vision.decode.overrides import CellOverrides, apply_overrides, cages_said, clues_by_hand
from sudoku_vision.vision.decode.roles import resolve_roles
from sudoku_vision.vision.grid import Grid, solved_grid
from sudoku_vision.vision.results import DigitScores, Lattice, Written

_SIGNATURE = 16  # number of bytes of the signature; nobody can guess 128 bits
MAX_TEXT = 24_000  # maximum number of characters of a state; a state with marks in all cells has half as many

_SCORES = ("log_probs", "written", "marks", "mark_digits", "corrected", "hidden")
_RECORD = np.dtype(
    [
        ("crossings", "f4", (10, 10, 2)),
        ("score", "f8"),
        ("size", "i4", 2),
        ("print_style", "f8", 13),  # if the ink of entries is None, NaN stands for it
        ("clues", "i1", (9, 9)),
        ("placed", "i1", (9, 9)),
        ("candidates", "?", (81, 10)),
        ("uncertain", "?"),
        ("regions", "S81"),
        ("diagonal", "?"),
        ("cage", "i1", 81),  # for each cell the number of its cage, from 1; 0 if it has none
        ("sum", "i1", 82),  # for each number of a cage, its sum
        ("in_text", "?"),
        # The following fields are used only for a grid in a picture.
        ("rules_probability", "f8"),
        ("log_probs", "f4", (81, 10)),
        ("written", "f4", 81),
        ("marks", "f4", 81),
        ("mark_digits", "f4", (81, 9)),
        ("corrected", "f4", 81),
        ("hidden", "f4", 81),
    ]
)
"""The layout of a state. Fields that are not used are zero, and take nearly no space when packed."""


@dataclass(frozen=True, eq=False)
class GridState:
    """The data about one grid that a browser stores, with which the grid can be decoded and drawn again."""

    lattice: Lattice
    size: tuple[int, int]  # width and height of the picture, in pixels
    print_style: PrintStyle
    board: NamedBoard  # a board in text; for a picture, the clues that its ink alone shows
    scores: DigitScores | None = None  # those of the upright puzzle; None for a board in text

    def grid(self, overrides: CellOverrides | None = None, rules: Rules | None = None) -> Grid:
        """Return the decoded grid; *overrides* replace the reading of some cells, *rules* its rules."""
        if self.scores is None:
            board = replace(self.board, rules=rules or self.board.rules)
            grid, _ = solved_grid(board_with(board, overrides or {}))
            return replace(grid, lattice=self.lattice)
        scores = self.scores
        if rules is not None:
            scores = replace(scores, rules=rules, rules_probability=1.0, divisions=())
        reading = apply_overrides(scores, overrides or {}, self.board.clues)
        return Grid(grid_status(reading), self.lattice, reading)

    @property
    def clues_by_hand(self) -> bool:
        """Whether the clues are handwritten; False for a board in text."""
        return self.scores is not None and clues_by_hand(self.scores, self.board.clues)

    @property
    def in_text(self) -> bool:
        """Whether this is a board in text; then its lattice is that of a drawing."""
        return self.scores is None


def state_of(grid: Grid, size: tuple[int, int], print_style: PrintStyle) -> GridState:
    """Return the state of a *grid* in a picture of this *size* (width, height), in pixels.

    To save space, it has scores of pencil marks only for cells that probably have marks.
    """
    assert grid.scores is not None and grid.ink_puzzle is not None, "it was read from a picture"
    settled = resolve_roles(grid.scores)
    mark_digits = np.where(settled.marks[:, None] > 0.5, settled.mark_digits, 0).astype(np.float32)
    board = NamedBoard(grid.ink_puzzle, rules=settled.rules)
    return GridState(grid.lattice, size, print_style, board, replace(settled, mark_digits=mark_digits))


def board_with(board: NamedBoard, overrides: CellOverrides) -> NamedBoard:
    """Return a *board* of a text, changed by a person's *overrides* of some cells."""
    clues, placed, marks = board.clues.copy(), board.placed.copy(), list(board.marks)
    for cell, content in overrides.items():
        # An override for all cells, or one with the content "printed", is ignored, because a text itself says
        # which digits are clues.
        if not isinstance(cell, int) or not isinstance(content, int | Written):
            continue
        seen = clues.flat[cell] or placed.flat[cell]
        clues.flat[cell] = 0 if isinstance(content, Written) else content
        placed.flat[cell] = content.digit or seen if isinstance(content, Written) else 0
        if clues.flat[cell] or placed.flat[cell]:
            marks[cell] = frozenset()
    rules = with_cages(board.rules, cages_said(overrides))
    return replace(board, clues=clues, placed=placed, marks=tuple(marks), rules=rules)


class StateCodec:
    """Packs states as signed texts, and unpacks the texts that were signed with the same key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def pack(self, state: GridState) -> str:
        """Return a state as a signed text of letters, digits, ``-`` and ``_``."""
        packed = zlib.compress(_record_of(state), 9)
        return base64.urlsafe_b64encode(self._signature(packed) + packed).rstrip(b"=").decode("ascii")

    def unpack(self, text: str) -> GridState:
        """Return the state in a text from :meth:`pack`; raises StateError for any other text."""
        try:
            data = base64.b64decode(text[:MAX_TEXT] + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except ValueError:
            data = b""
        signature, packed = data[:_SIGNATURE], data[_SIGNATURE:]
        if not hmac.compare_digest(signature, self._signature(packed)):
            raise StateError(
                "What was kept of this grid is not from this service, or from before its last start.",
                "Send the picture again.",
            )
        return _state_from(zlib.decompress(packed))  # the signature shows that we made it ourselves

    def _signature(self, packed: bytes) -> bytes:
        return hmac.new(self._key, packed, hashlib.sha256).digest()[:_SIGNATURE]


def _record_of(state: GridState) -> bytes:
    record = np.zeros(1, _RECORD)
    row, style, board = record[0], state.print_style, state.board
    row["crossings"], row["score"] = state.lattice.crossings, state.lattice.score
    row["size"] = state.size
    entry_ink = style.entry_ink or (math.nan,) * 3
    row["print_style"] = (style.height, style.weight, *style.middle, *style.ink, *style.paper, *entry_ink)
    row["clues"], row["placed"], row["uncertain"] = board.clues, board.placed, board.uncertain
    row["candidates"] = [[digit in marks for digit in range(10)] for marks in board.marks]
    row["regions"], row["diagonal"] = board.rules.regions.encode(), board.rules.diagonal
    for number, (total, cells) in enumerate(board.rules.cages, start=1):
        row["cage"][[*cells]], row["sum"][number] = number, total
    row["in_text"] = state.in_text
    if state.scores is not None:
        row["rules_probability"] = state.scores.rules_probability
        for name in _SCORES:
            row[name] = getattr(state.scores, name)
    divisions, sums = ((), {}) if state.scores is None else (state.scores.divisions, state.scores.sums)
    sums_read = [(cell, list(likely.items())) for cell, likely in sums.items()]
    return record.tobytes() + json.dumps((divisions, sums_read)).encode()


def _state_from(data: bytes) -> GridState:
    row = np.frombuffer(data, _RECORD, count=1)[0]
    divisions, sums_read = json.loads(data[_RECORD.itemsize :])
    height, weight, x, y, *colours = row["print_style"].tolist()
    ink, paper, entry_ink = tuple(colours[:3]), tuple(colours[3:6]), tuple(colours[6:])
    style = PrintStyle(height, weight, (x, y), ink, paper, None if math.isnan(entry_ink[0]) else entry_ink)
    lattice, (width, tall) = Lattice(row["crossings"].copy(), float(row["score"])), row["size"].tolist()
    cage_of, sums = row["cage"], row["sum"].tolist()
    cages = [
        (sums[number], np.flatnonzero(cage_of == number).tolist()) for number in range(1, 1 + cage_of.max())
    ]
    rules = Rules(row["regions"].decode(), bool(row["diagonal"]), cages)
    marks = tuple(frozenset(np.flatnonzero(digits).tolist()) for digits in row["candidates"])
    uncertain = bool(row["uncertain"])
    board = NamedBoard(row["clues"], row["placed"], uncertain=uncertain, marks=marks, rules=rules)
    if row["in_text"]:
        return GridState(lattice, (width, tall), style, board)
    scores = DigitScores(*(row[name].copy() for name in _SCORES))
    scores = replace(
        scores,
        rules=rules,
        rules_probability=float(row["rules_probability"]),
        divisions=[(cost, cages) for cost, cages in divisions],
        sums={cell: dict(likely) for cell, likely in sums_read},
    )
    return GridState(lattice, (width, tall), style, board, scores)
