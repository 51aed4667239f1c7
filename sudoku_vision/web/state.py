"""State: what is needed to decode a grid again, as an opaque text that a browser keeps and sends back.

So the service keeps nothing about its clients. The text is signed: a text without the right signature is
refused before it is unpacked. A state of a picture holds the scores of the cells as they are (float32), so
that a grid decoded again with overrides equals the grid that reading the picture again with them gives.

A state is one record of fixed size, packed with zlib. A signature stands before the packed bytes: the first
16 bytes of their HMAC-SHA256. Both together are written in base64.
"""

import base64
import hashlib
import hmac
import math
import zlib
from dataclasses import dataclass, replace

import numpy as np

from sudoku_vision.errors import StateError
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.vision.decode import grid_status
from sudoku_vision.vision.decode.overrides import CellOverrides, apply_overrides, clues_by_hand
from sudoku_vision.vision.decode.roles import resolve_roles
from sudoku_vision.vision.grid import Grid, solved_grid
from sudoku_vision.vision.results import DigitScores, Lattice, Written

_SIGNATURE = 16  # bytes of the signature: nobody can guess 128 bits
MAX_TEXT = 24_000  # most characters of a state that are read; a grid full of pencil marks has half as many

_SCORES = ("log_probs", "written", "marks", "mark_digits", "corrected", "hidden")
_RECORD = np.dtype(
    [
        ("crossings", "f4", (10, 10, 2)),
        ("score", "f8"),
        ("size", "i4", 2),
        ("print_style", "f8", 13),  # NaN stands for an ink that is None
        ("clues", "i1", (9, 9)),
        ("placed", "i1", (9, 9)),
        ("candidates", "?", (81, 10)),
        ("uncertain", "?"),
        ("regions", "S81"),
        ("diagonal", "?"),
        ("in_text", "?"),
        # only of a grid in a picture
        ("rules_probability", "f8"),
        ("log_probs", "f4", (81, 10)),
        ("written", "f4", 81),
        ("marks", "f4", 81),
        ("mark_digits", "f4", (81, 9)),
        ("corrected", "f4", 81),
        ("hidden", "f4", 81),
    ]
)
"""The layout of a state. Values that a grid doesn't have are zero, and take hardly any room when packed."""


@dataclass(frozen=True, eq=False)
class GridState:
    """What is kept of one grid: its place, its style of print, and the data for decoding it again.

    ``size``: width and height of the picture, in pixels. For a board in text, ``board`` is this board. A grid
    in a picture has ``scores``, of the upright puzzle and with a decision on what is printed and what is
    written by hand; its ``board`` holds the clues as the ink alone shows them.
    """

    lattice: Lattice
    size: tuple[int, int]
    print_style: PrintStyle
    board: NamedBoard
    scores: DigitScores | None = None

    def grid(self, overrides: CellOverrides | None = None, rules: Rules | None = None) -> Grid:
        """Return the grid with *overrides* in place of the ink of some cells, and with *rules*, if given."""
        if self.scores is None:
            board = replace(self.board, rules=rules or self.board.rules)
            grid, _ = solved_grid(board_with(board, overrides or {}))
            return replace(grid, lattice=self.lattice)
        scores = self.scores if rules is None else replace(self.scores, rules=rules, rules_probability=1.0)
        reading = apply_overrides(scores, overrides or {}, self.board.clues)
        return Grid(grid_status(reading), self.lattice, reading)

    @property
    def clues_by_hand(self) -> bool:
        """Whether the clues are written by hand; those of a text are typed."""
        return self.scores is not None and clues_by_hand(self.scores, self.board.clues)

    @property
    def in_text(self) -> bool:
        """Whether this is a board in text; its lattice then lies in a drawing of the board."""
        return self.scores is None


def state_of(grid: Grid, size: tuple[int, int], print_style: PrintStyle) -> GridState:
    """Return the state of a *grid* in a picture of a *size* (width, height).

    Scores of pencil marks are kept only for cells that probably hold marks.
    """
    assert grid.scores is not None and grid.ink_puzzle is not None, "it was read from a picture"
    settled = resolve_roles(grid.scores)
    mark_digits = np.where(settled.marks[:, None] > 0.5, settled.mark_digits, 0).astype(np.float32)
    board = NamedBoard(grid.ink_puzzle, rules=settled.rules)
    return GridState(grid.lattice, size, print_style, board, replace(settled, mark_digits=mark_digits))


def board_with(board: NamedBoard, overrides: CellOverrides) -> NamedBoard:
    """Return the *board* of a text with a person's *overrides* of some cells."""
    clues, placed, marks = board.clues.copy(), board.placed.copy(), list(board.marks)
    for cell, content in overrides.items():
        # An override of all cells, or of print, is ignored: a text says itself which digits are clues.
        if isinstance(cell, str) or isinstance(content, str):
            continue
        seen = clues.flat[cell] or placed.flat[cell]
        clues.flat[cell] = 0 if isinstance(content, Written) else content
        placed.flat[cell] = content.digit or seen if isinstance(content, Written) else 0
        if clues.flat[cell] or placed.flat[cell]:
            marks[cell] = frozenset()
    return replace(board, clues=clues, placed=placed, marks=tuple(marks))


class StateCodec:
    """Packs states with a secret *key*, and unpacks those that were packed with it."""

    def __init__(self, key: bytes) -> None:
        """Keep the *key*, which should be random, and the same for as long as the service runs."""
        self._key = key

    def pack(self, state: GridState) -> str:
        """Return a state as text of letters, digits, ``-`` and ``_``."""
        packed = zlib.compress(_record_of(state), 9)
        return base64.urlsafe_b64encode(self._signature(packed) + packed).rstrip(b"=").decode("ascii")

    def unpack(self, text: str) -> GridState:
        """Return the state of a text; raises :class:`~sudoku_vision.errors.StateError` for any other text."""
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
    """Return a state as the bytes of one record."""
    record = np.zeros(1, _RECORD)
    row, style, board = record[0], state.print_style, state.board
    row["crossings"], row["score"] = state.lattice.crossings, state.lattice.score
    row["size"] = state.size
    entry_ink = style.entry_ink or (math.nan,) * 3
    row["print_style"] = (style.height, style.weight, *style.middle, *style.ink, *style.paper, *entry_ink)
    row["clues"], row["placed"], row["uncertain"] = board.clues, board.placed, board.uncertain
    row["candidates"] = [[digit in marks for digit in range(10)] for marks in board.marks]
    row["regions"], row["diagonal"] = board.rules.regions.encode(), board.rules.diagonal
    row["in_text"] = state.in_text
    if state.scores is not None:
        row["rules_probability"] = state.scores.rules_probability
        for name in _SCORES:
            row[name] = getattr(state.scores, name)
    return record.tobytes()


def _state_from(data: bytes) -> GridState:
    """Return the state of a record."""
    row = np.frombuffer(data, _RECORD)[0]
    height, weight, x, y, *colours = row["print_style"].tolist()
    ink, paper, entry_ink = tuple(colours[:3]), tuple(colours[3:6]), tuple(colours[6:])
    style = PrintStyle(height, weight, (x, y), ink, paper, None if math.isnan(entry_ink[0]) else entry_ink)
    lattice, (width, tall) = Lattice(row["crossings"].copy(), float(row["score"])), row["size"].tolist()
    rules = Rules(row["regions"].decode(), bool(row["diagonal"]))
    marks = tuple(frozenset(np.flatnonzero(digits).tolist()) for digits in row["candidates"])
    uncertain = bool(row["uncertain"])
    board = NamedBoard(row["clues"], row["placed"], uncertain=uncertain, marks=marks, rules=rules)
    if row["in_text"]:
        return GridState(lattice, (width, tall), style, board)
    scores = DigitScores(*(row[name].copy() for name in _SCORES))
    scores = replace(scores, rules=rules, rules_probability=float(row["rules_probability"]))
    return GridState(lattice, (width, tall), style, board, scores)
