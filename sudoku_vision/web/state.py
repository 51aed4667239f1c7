"""State: what is needed to decode a grid again, as an opaque text that a browser keeps and brings back.

So the service remembers nobody. The text is signed: what was not written here with the same key is refused
before anything of it is unpacked. Of a picture it holds the scores of the cells as they are (float32), so
that a settled grid is just what reading the picture anew with the same overrides gives.

A state is one record of fixed size, packed with zlib after 16 bytes of HMAC-SHA256 over what is packed.
"""

import base64
import hashlib
import hmac
import math
import zlib
from dataclasses import dataclass, replace

import numpy as np

from sudoku_vision.api.board_pages import solved_board
from sudoku_vision.errors import StateError
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.results import Board, DigitScores, GridResult, Lattice, PageResult, Written
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.vision.decode import grid_status
from sudoku_vision.vision.decode.overrides import Said, apply_overrides, clues_by_hand
from sudoku_vision.vision.decode.roles import settled_roles

_SIGNATURE = 16  # bytes of the signature: 128 bits can't be guessed
MAX_TEXT = 24_000  # characters of a state that are looked at; a page full of pencil marks makes half of them

_SCORES = ("log_probs", "written", "marks", "mark_digits", "corrected", "hidden")
_RECORD = np.dtype(
    [
        ("source", "S200"),
        ("page", "u4"),
        ("size", "u4", 2),
        ("crossings", "f4", (10, 10, 2)),
        ("score", "f8"),
        ("print_style", "f8", 13),  # an ink that is not a number stands for none
        ("in_text", "?"),
        ("clues", "i1", (9, 9)),
        ("regions", "S81"),
        ("diagonal", "?"),
        ("rules_probability", "f8"),
        # of a board in text
        ("placed", "i1", (9, 9)),
        ("candidates", "?", (81, 10)),
        ("uncertain", "?"),
        # of a picture
        ("log_probs", "f4", (81, 10)),
        ("written", "f4", 81),
        ("marks", "f4", 81),
        ("mark_digits", "f4", (81, 9)),
        ("corrected", "f4", 81),
        ("hidden", "f4", 81),
    ]
)
"""A state as bytes of fixed size; what a grid doesn't have is zero, and packs to nothing."""


@dataclass(frozen=True, eq=False)
class InkContent:
    """What the cells of a grid of a picture show.

    ``scores``: of the upright grid, roles settled; ``puzzle`` (9, 9): the clues that they read as.
    """

    scores: DigitScores
    puzzle: Board

    def read(self, said: Said, lattice: Lattice, rules: Rules | None) -> GridResult:
        """Decode the scores with a person's word in place of the ink of some cells."""
        scores = self.scores if rules is None else replace(self.scores, rules=rules, rules_probability=1.0)
        reading = apply_overrides(scores, said, self.puzzle)
        return GridResult(grid_status(reading), lattice, reading)


@dataclass(frozen=True, eq=False)
class TextContent:
    """What a board in text says: there is no ink, and nothing to doubt."""

    board: NamedBoard

    def read(self, said: Said, lattice: Lattice, rules: Rules | None) -> GridResult:
        """Solve the board with a person's word for some cells."""
        (grid,) = TextContent(replace(self.board, rules=rules or self.board.rules)).page(said).grids
        return replace(grid, lattice=lattice)

    def page(self, said: Said) -> PageResult:
        """Return the page that the board makes with a person's word for some cells."""
        return solved_board(self.with_overrides(said), "board")

    def with_overrides(self, said: Said) -> NamedBoard:
        """Return the board with a person's word for some cells."""
        clues, placed, marks = self.board.clues.copy(), self.board.placed.copy(), list(self.board.marks)
        for cell, content in said.items():
            if isinstance(cell, str) or isinstance(content, str):  # a text says which of its digits are clues
                continue
            seen = clues.flat[cell] or placed.flat[cell]
            clues.flat[cell] = 0 if isinstance(content, Written) else content
            placed.flat[cell] = content.digit or seen if isinstance(content, Written) else 0
            if clues.flat[cell] or placed.flat[cell]:
                marks[cell] = frozenset()
        return replace(self.board, clues=clues, placed=placed, marks=tuple(marks))


@dataclass(frozen=True, eq=False)
class GridState:
    """What is kept of one grid: where it lies, how it is printed, and what can be decoded again.

    ``size``: width and height of the picture, in pixels; ``lattice`` lies upright in it. ``source`` and
    ``page``: what the picture was called.
    """

    content: InkContent | TextContent
    lattice: Lattice
    print_style: PrintStyle
    size: tuple[int, int]
    source: str = ""
    page: int = 1

    def grid(self, said: Said | None = None, rules: Rules | None = None) -> GridResult:
        """Return the grid with a person's word in place of the ink of some cells, and of its rules."""
        return self.content.read(said or {}, self.lattice, rules)

    @property
    def clues_by_hand(self) -> bool:
        """Whether the clues are written by hand; those of a board in text are typed."""
        ink = self.content
        return isinstance(ink, InkContent) and clues_by_hand(ink.scores, ink.puzzle)

    @property
    def in_text(self) -> bool:
        """Whether it is a board in text, which lies in a drawing of it."""
        return isinstance(self.content, TextContent)


def ink_content(scores: DigitScores, puzzle: Board) -> InkContent:
    """Return what is kept of *scores* that read as *puzzle*: only marks that are likely to be there."""
    settled = settled_roles(scores)
    marked = settled.marks > 0.5
    mark_digits = np.where(marked[:, None], settled.mark_digits, 0).astype(np.float32)
    return InkContent(replace(settled, mark_digits=mark_digits), puzzle)


class StateCodec:
    """Packs states with a secret *key*, and unpacks those that were packed with it."""

    def __init__(self, key: bytes) -> None:
        """Keep the *key*, which should be random and as long as the service runs."""
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
        return _state_of(zlib.decompress(packed))  # our own from here on

    def _signature(self, packed: bytes) -> bytes:
        return hmac.new(self._key, packed, hashlib.sha256).digest()[:_SIGNATURE]


def _record_of(state: GridState) -> bytes:
    """Return a state as the bytes of one record."""
    record = np.zeros(1, _RECORD)
    row = record[0]
    row["source"], row["page"], row["size"] = state.source.encode()[:200], state.page, state.size
    row["crossings"], row["score"] = state.lattice.crossings, state.lattice.score
    style = state.print_style
    entry_ink = style.entry_ink or (math.nan,) * 3
    row["print_style"] = (style.height, style.weight, *style.middle, *style.ink, *style.paper, *entry_ink)
    if isinstance(state.content, TextContent):
        board = state.content.board
        row["in_text"], row["clues"] = True, board.clues
        row["placed"], row["uncertain"] = board.placed, board.uncertain
        row["candidates"] = [[digit in marks for digit in range(10)] for marks in board.marks]
        rules = board.rules
    else:
        row["clues"] = state.content.puzzle
        rules, row["rules_probability"] = state.content.scores.rules, state.content.scores.rules_probability
        for name in _SCORES:
            row[name] = getattr(state.content.scores, name)
    row["regions"], row["diagonal"] = rules.regions.encode(), rules.diagonal
    return record.tobytes()


def _state_of(data: bytes) -> GridState:
    """Return the state of a record."""
    row = np.frombuffer(data, _RECORD)[0]
    content: InkContent | TextContent
    rules = Rules(row["regions"].decode(), bool(row["diagonal"]))
    if row["in_text"]:
        marks = tuple(frozenset(np.flatnonzero(digits).tolist()) for digits in row["candidates"])
        uncertain = bool(row["uncertain"])
        board = NamedBoard(row["clues"], row["placed"], uncertain=uncertain, marks=marks, rules=rules)
        content = TextContent(board)
    else:
        scores = DigitScores(*(row[name].copy() for name in _SCORES))
        scores = replace(scores, rules=rules, rules_probability=float(row["rules_probability"]))
        content = InkContent(scores, row["clues"].copy())
    height, weight, x, y, *colours = row["print_style"].tolist()
    ink, paper, entry_ink = tuple(colours[:3]), tuple(colours[3:6]), tuple(colours[6:])
    style = PrintStyle(height, weight, (x, y), ink, paper, None if math.isnan(entry_ink[0]) else entry_ink)
    lattice = Lattice(row["crossings"].copy(), float(row["score"]))
    width, tall = row["size"].tolist()
    return GridState(content, lattice, style, (width, tall), row["source"].decode(), int(row["page"]))
