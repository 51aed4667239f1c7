"""The data for decoding a grid again, as a text that a browser stores and sends back.

So the service stores nothing about its clients. The scores of cells are stored without rounding (float32). So
the same corrections give the same grid, whether the state is decoded or the picture is read again.

A state is a line of JSON, followed by the bytes of the grid's line crossings and of the scores. All this is
packed with zlib. The first 16 bytes of the HMAC-SHA256 of the packed bytes are put before these bytes. The
result is written in base64. Only data with the right HMAC are unpacked.
"""

import base64
import hmac
import json
import math
import zlib
from dataclasses import astuple, dataclass, replace
from typing import Any

import numpy as np

from sudoku_vision.errors import StateError
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.sudoku.board import board_text, marks_text, parse_marks
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.vision.decode import grid_status
from sudoku_vision.vision.decode.killer import with_cages
from sudoku_vision.vision.decode.overrides import CellOverrides, apply_overrides, cages_said
from sudoku_vision.vision.decode.roles import resolve_roles
from sudoku_vision.vision.grid import Grid, solved_grid
from sudoku_vision.vision.results import DigitScores, Lattice, Written

_SIGNATURE = 16  # number of bytes of the signature; nobody can guess 128 bits
MAX_TEXT = 24_000  # maximum number of characters of a state; a state with marks in all cells has half as many

_SCORES = {
    "log_probs": (81, 10),
    "written": (81,),
    "marks": (81,),
    "mark_digits": (81, 9),
    "corrected": (81,),
    "hidden": (81,),
}
"""The names of the fields of :class:`DigitScores` that are arrays, and the shapes of the arrays."""


@dataclass(frozen=True, eq=False)
class GridState:
    """The data from which one grid can be decoded and drawn again. A browser stores these data."""

    lattice: Lattice
    size: tuple[int, int]  # width and height of the picture, in pixels
    print_style: PrintStyle
    # For a text: the board that was given. For a picture: the clues according to its ink alone,
    # without a person's corrections.
    board: NamedBoard
    # The probabilities of what each cell holds, in reading order of the upright puzzle. None for a board that
    # was given as text.
    scores: DigitScores | None = None

    def grid(self, overrides: CellOverrides | None = None, rules: Rules | None = None) -> Grid:
        """Decode the grid from this state, with a person's corrections of cells (*overrides*).

        *rules* replace the rules that were read. None keeps the rules that were read.
        """
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
    def in_text(self) -> bool:
        """Whether the board was given as text. The lattice (line crossings) is then that of a drawing."""
        return self.scores is None


def state_of(grid: Grid, size: tuple[int, int], print_style: PrintStyle) -> GridState:
    """Return the state of a *grid* in a picture of this *size* (width, height), in pixels.

    To save space, the state has scores of pencil marks only for cells that probably have pencil marks.
    """
    assert grid.scores is not None and grid.ink_puzzle is not None, "it was read from a picture"
    settled = resolve_roles(grid.scores)
    mark_digits = np.where(settled.marks[:, None] > 0.5, settled.mark_digits, 0).astype(np.float32)
    board = NamedBoard(grid.ink_puzzle, rules=settled.rules)
    return GridState(grid.lattice, size, print_style, board, replace(settled, mark_digits=mark_digits))


def board_with(board: NamedBoard, overrides: CellOverrides) -> NamedBoard:
    """Apply a person's corrections of cells (*overrides*) to a *board* that was given as text."""
    clues, placed, marks = board.clues.copy(), board.placed.copy(), list(board.marks)
    for cell, content in overrides.items():
        # Here, only corrections of single cells are used. A correction with the key "all" says which digits
        # are clues, but a board in text already says this. The corrections of cages are used below.
        if not isinstance(cell, int) or not isinstance(content, int | Written):
            continue
        seen = clues.flat[cell] or placed.flat[cell]
        clues.flat[cell] = 0 if isinstance(content, Written) else content
        placed.flat[cell] = content.digit or seen if isinstance(content, Written) else 0
        if clues.flat[cell] or placed.flat[cell]:
            marks[cell] = frozenset()
    rules = with_cages(board.rules, cages_said(overrides))
    return replace(board, clues=clues, placed=placed, marks=tuple(marks), rules=rules)


def pack(state: GridState, key: bytes) -> str:
    """Return a state as a text of letters, digits, ``-`` and ``_``, which is signed with *key*."""
    packed = zlib.compress(_data_of(state), 9)
    return base64.urlsafe_b64encode(_signature(packed, key) + packed).rstrip(b"=").decode("ascii")


def unpack(text: str, key: bytes) -> GridState:
    """Return the state that :func:`pack` made into *text* with *key*. Raises StateError for other texts."""
    try:
        data = base64.b64decode(text[:MAX_TEXT] + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        data = b""
    signature, packed = data[:_SIGNATURE], data[_SIGNATURE:]
    if not hmac.compare_digest(signature, _signature(packed, key)):
        raise StateError(
            "What was kept of this grid is not from this service, or from before its last start.",
            "Send the picture again.",
        )
    return _state_from(zlib.decompress(packed))  # the signature shows that this service packed it


def _signature(packed: bytes, key: bytes) -> bytes:
    return hmac.digest(key, packed, "sha256")[:_SIGNATURE]


def _data_of(state: GridState) -> bytes:
    board, rules, scores = state.board, state.board.rules, state.scores
    values: dict[str, Any] = {
        "score": state.lattice.score,
        "size": state.size,
        "style": astuple(state.print_style),
        "clues": board_text(board.clues),
        "placed": board_text(board.placed),
        "uncertain": board.uncertain,
        "marks": marks_text(board.marks),
        "rules": (rules.regions, rules.diagonal, rules.cages),
    }
    arrays = [state.lattice.crossings]
    if scores is not None:
        values["rules_probability"], values["divisions"] = scores.rules_probability, scores.divisions
        values["sums"] = [(cell, list(likely.items())) for cell, likely in scores.sums.items()]
        arrays += [getattr(scores, name) for name in _SCORES]
    text = json.dumps(values, default=float)  # some values are numbers of NumPy
    return text.encode() + b"\n" + b"".join(array.astype(np.float32).tobytes() for array in arrays)


def _state_from(data: bytes) -> GridState:
    text, _, packed = data.partition(b"\n")
    values, numbers = json.loads(text), np.frombuffer(packed, np.float32)
    style: list[Any] = [tuple(one) if isinstance(one, list) else one for one in values["style"]]
    lattice = Lattice(numbers[:200].reshape(10, 10, 2), values["score"])
    rules, marks = Rules(*values["rules"]), parse_marks(values["marks"])
    board = NamedBoard(values["clues"], values["placed"], "", 0, values["uncertain"], marks, rules)
    scores = None
    if "sums" in values:
        parts = np.split(numbers, np.cumsum([200, *map(math.prod, _SCORES.values())]))[1:-1]
        arrays: dict[str, Any] = {
            name: part.reshape(shape) for (name, shape), part in zip(_SCORES.items(), parts, strict=True)
        }
        scores = DigitScores(
            **arrays,
            rules=rules,
            rules_probability=values["rules_probability"],
            divisions=[(cost, cages) for cost, cages in values["divisions"]],
            sums={cell: dict(likely) for cell, likely in values["sums"]},
        )
    return GridState(lattice, tuple(values["size"]), PrintStyle(*style), board, scores)
