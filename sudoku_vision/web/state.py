"""State: what is needed to decode a grid again, as an opaque text that a browser keeps and brings back.

So the service remembers nobody. The text is signed: what was not written here with the same key is refused
before anything of it is unpacked. Of a picture it holds the scores of the cells as they are (float32), so
that a settled grid is just what reading the picture anew with the same overrides gives.

::

    version    1 byte
    signature  16 bytes of HMAC-SHA256 over all the rest
    packed     zlib of: a head of fixed size, texts, arrays byte by byte (first all first bytes, and so on)
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import math
import struct
import zlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.api.board_pages import solved_board
from sudoku_vision.errors import StateError
from sudoku_vision.output.overlay.print import PrintStyle
from sudoku_vision.results import Board, DigitScores, GridResult, Lattice, PageResult
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.vision.decode import grid_status
from sudoku_vision.vision.decode.overrides import (
    ENTRY,
    Overrides,
    apply_overrides,
    check_overrides,
    clues_by_hand,
)
from sudoku_vision.vision.decode.roles import settled_roles

_VERSION = 2
_SIGNATURE = 16
"""Bytes of the signature: 128 bits can't be guessed."""

MAX_TEXT = 24_000
"""Characters of a state that are looked at; a page full of pencil marks makes half of them."""
MAX_UNPACKED = 40_000
"""Bytes that a state unpacks to at most."""
_MAX_SOURCE = 200
"""Bytes of a source's name that are kept."""

_HEAD = struct.Struct("<BIII14dB")
"""Kind, page, width, height; score of the lattice, then print style, of which an entry's ink that is not a
number stands for none; bytes of the source."""

_FOREIGN = "What was kept of this grid is not from this service, or from before its last start."
_REMEDY = "Send the picture again."


@dataclass(frozen=True, eq=False)
class InkContent:
    """What the cells of a grid of a picture show.

    ``scores``: of the upright grid, roles settled; ``puzzle`` (9, 9): the clues that they read as.
    """

    scores: DigitScores
    puzzle: Board

    def read(self, overrides: Overrides, lattice: Lattice) -> GridResult:
        """Decode the scores with a person's word in place of the ink of some cells."""
        reading = apply_overrides(self.scores, overrides, self.puzzle)
        return GridResult(grid_status(reading), lattice, reading)

    @property
    def clues_by_hand(self) -> bool:
        """Whether the clues are written by hand."""
        return clues_by_hand(self.scores, self.puzzle)


@dataclass(frozen=True, eq=False)
class TextContent:
    """What a board in text says: there is no ink, and nothing to doubt."""

    board: NamedBoard

    def read(self, overrides: Overrides, lattice: Lattice) -> GridResult:
        """Solve the board with a person's word for some cells."""
        (grid,) = self.page(overrides).grids
        return replace(grid, lattice=lattice)

    def page(self, overrides: Overrides) -> PageResult:
        """Return the page that the board makes with a person's word for some cells."""
        return solved_board(self.with_overrides(overrides), "board")

    def with_overrides(self, overrides: Overrides) -> NamedBoard:
        """Return the board with a person's word for some cells."""
        clues, placed, marks = self.board.clues.copy(), self.board.placed.copy(), list(self.board.marks)
        for (row, column), said in overrides.items():
            seen = clues[row, column] or placed[row, column]
            clues[row, column] = said if 0 <= said <= 9 else 0
            placed[row, column] = said - ENTRY if said > ENTRY else seen if said < 0 else 0
            if clues[row, column] or placed[row, column]:
                marks[9 * row + column] = frozenset()
        board = self.board
        return NamedBoard(clues, placed, board.name, uncertain=board.uncertain, marks=tuple(marks))

    @property
    def clues_by_hand(self) -> bool:
        """Whether the clues are written by hand: they are typed."""
        return False


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

    def grid(self, overrides: Overrides | None = None) -> GridResult:
        """Return the grid with a person's word in place of the ink of some cells.

        Raises :class:`~sudoku_vision.errors.UsageError` for cells that a board doesn't have.
        """
        check_overrides(overrides or {})
        return self.content.read(overrides or {}, self.lattice)

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
        packed = bytes([_VERSION]) + zlib.compress(_payload(state), 9)
        signed = packed[:1] + self._signature(packed) + packed[1:]
        return base64.urlsafe_b64encode(signed).rstrip(b"=").decode("ascii")

    def unpack(self, text: str) -> GridState:
        """Return the state of a text; raises :class:`~sudoku_vision.errors.StateError` for any other text."""
        if len(text) > MAX_TEXT or not text.isascii():
            raise StateError(_FOREIGN, _REMEDY)
        try:
            data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raise StateError(_FOREIGN, _REMEDY) from None
        signature, packed = data[1 : 1 + _SIGNATURE], data[:1] + data[1 + _SIGNATURE :]
        genuine = hmac.compare_digest(signature, self._signature(packed))
        if not genuine or packed[0] != _VERSION:
            raise StateError(_FOREIGN, _REMEDY)
        return _state(_Reader(_unzipped(packed[1:])))

    def _signature(self, packed: bytes) -> bytes:
        return hmac.new(self._key, packed, hashlib.sha256).digest()[:_SIGNATURE]


def _payload(state: GridState) -> bytes:
    """Write a state as bytes, the most alike side by side."""
    style, source = state.print_style, state.source.encode("utf-8", "replace")[:_MAX_SOURCE]
    colours = (*style.ink, *style.paper, *(style.entry_ink or (math.nan,) * 3))
    numbers = (state.lattice.score, style.height, style.weight, *style.middle, *colours)
    head = _HEAD.pack(int(state.in_text), state.page, *state.size, *numbers, len(source))
    arrays: list[NDArray[Any]] = [state.lattice.crossings]
    if isinstance(state.content, TextContent):
        board = state.content.board
        arrays += [board.clues, board.placed, np.array(list(map(_bits, board.marks)), np.uint16)]
        arrays.append(np.array([board.uncertain], np.uint8))
    else:
        scores = state.content.scores
        arrays += [state.content.puzzle, scores.log_probs, scores.written, scores.marks, scores.mark_digits]
    return head + source + b"".join(map(_planes, arrays))


def _state(reader: _Reader) -> GridState:
    """Read a state from bytes that are known to be ours."""
    in_text, page, width, height, score, *numbers, length = _HEAD.unpack(reader.take(_HEAD.size))
    tall, weight, x, y, *colours = numbers
    ink, paper, entry_ink = ((colours[at], colours[at + 1], colours[at + 2]) for at in (0, 3, 6))
    source = reader.take(length).decode("utf-8", "replace")
    lattice = Lattice(reader.array(np.float32, 10, 10, 2), score)
    content: InkContent | TextContent
    if in_text:
        clues, placed = reader.array(np.int8, 9, 9), reader.array(np.int8, 9, 9)
        marks = tuple(map(_digits, reader.array(np.uint16, 81).tolist()))
        uncertain = bool(reader.array(np.uint8, 1)[0])
        content = TextContent(NamedBoard(clues, placed, uncertain=uncertain, marks=marks))
    else:
        puzzle, log_probs = reader.array(np.int8, 9, 9), reader.array(np.float32, 81, 10)
        written, marked = reader.array(np.float32, 81), reader.array(np.float32, 81)
        scores = DigitScores(log_probs, written, marked, reader.array(np.float32, 81, 9))
        content = InkContent(scores, puzzle)
    style = PrintStyle(tall, weight, (x, y), ink, paper, None if math.isnan(entry_ink[0]) else entry_ink)
    return GridState(content, lattice, style, (width, height), source, page)


class _Reader:
    """Takes arrays off bytes, one after another."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def take(self, count: int) -> bytes:
        """Return the next *count* bytes; raises :class:`StateError` where there are fewer."""
        taken = self._data[self._place : self._place + count]
        if len(taken) != count:
            raise StateError(_FOREIGN, _REMEDY)
        self._place += count
        return taken

    def array(self, kind: type[np.generic], *shape: int) -> NDArray[Any]:
        """Return the next array, as :func:`_planes` wrote it."""
        size = np.dtype(kind).itemsize
        planes = np.frombuffer(self.take(int(np.prod(shape)) * size), np.uint8).reshape(size, -1)
        return np.ascontiguousarray(planes.T).view(kind).reshape(shape)


def _planes(array: NDArray[Any]) -> bytes:
    """Write an array byte by byte: zlib finds more that is alike among bytes of the same place."""
    return np.ascontiguousarray(array).view(np.uint8).reshape(-1, array.itemsize).T.tobytes()


def _unzipped(packed: bytes) -> bytes:
    """Unpack at most :data:`MAX_UNPACKED` bytes."""
    unzip = zlib.decompressobj()
    try:
        data = unzip.decompress(packed, MAX_UNPACKED)
    except zlib.error:
        raise StateError(_FOREIGN, _REMEDY) from None
    if not unzip.eof:
        raise StateError(_FOREIGN, _REMEDY)
    return data


def _bits(digits: frozenset[int]) -> int:
    return sum(1 << digit for digit in digits)


def _digits(bits: int) -> frozenset[int]:
    return frozenset(digit for digit in range(1, 10) if bits >> digit & 1)
