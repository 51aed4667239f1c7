"""Read pencil marks: which cells hold small candidates instead of a digit, and which they are.

A small network tells from the size and place of its ink whether a cell holds a digit or marks
(``mark_features``), and the page has its say: most pages bear no marks at all. Cells of
marks are cut into pieces (``mark_segmentation``), another network tells of each piece
which digit it is, or that it is no single mark; the likeliest way to divide a row into marks is found by
dynamic programming (a Viterbi search, as in the reading of handwritten numbers: O. Matan et al.,
"Multi-digit recognition using a space displacement neural network", 1992).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import DigitScores, Floats
from sudoku_vision.vision.digits.handwriting import StrokeDictionary, describe_shapes
from sudoku_vision.vision.digits.mark_features import describe_kind, is_plainly_unmarked
from sudoku_vision.vision.digits.mark_segmentation import Pieces, cut_pieces
from sudoku_vision.vision.digits.network import Layers, forward, log_softmax
from sudoku_vision.vision.digits.turns import shows_digits

BLANK, DIGIT, MARKS = range(3)  # what a cell may hold, in the order of the outputs of the first network

READ_FROM = 0.05  # probability of marks from which they are read

TOLD_FROM = 0.5
"""Probability from which marks are told of. Where no cell can come to it, whatever were read in it, none is
read: most often a lone crease looks like marks then, and the page would silence it."""

MOST_PIECES = 1000
"""Pieces of ink on a page above which they are no marks but text, or noise: pages full of marks have 200, one
with nine typed marks in each of sixty cells has 800."""

Doubles = NDArray[np.float64]

_EXTENTS = (0.002, 0.03, 0.1, 0.3, 0.6, 0.9)  # shares of the inked cells of a page that may hold marks
_EXTENT_PRIOR = (0.6, 0.08, 0.08, 0.08, 0.08, 0.08)
_TRUST = 0.7  # exponent of the evidence of a cell: those of one page err together
_LEAST = 1e-5  # no cell and no piece alone is surer than this
_LEGIBILITY, _MOST_LEGIBLE = 0.7, 6.0  # exponent of what shapes say against stains, and log-odds at most
_LONE_MARK, _LONE_ENTRY = 0.25, 0.95  # shares of cells of marks, and of entries, in which one digit is read

_DESCENDING = -2.0  # log-odds that a mark is followed by a smaller one in its row: most people sort them
_SKIPPED = -3.0  # log-odds that ink among marks is none itself
_UNREAD = -50.0  # the same where something must be read


@dataclass(frozen=True, eq=False)
class MarkReader:
    """Two trained networks and what they look with.

    ``kind``: from the description of a cell to blank, digit, marks; ``dictionary`` and ``shapes``: from a
    piece of ink to no single mark, 1, ..., 9. Each has its temperature. ``share``: that of marks among the
    inked cells of the training. ``header`` is what the model file says of how it was made.
    """

    kind: Layers
    dictionary: StrokeDictionary
    shapes: Layers
    kind_temperature: float = 1.0
    shape_temperature: float = 1.0
    share: float = 0.3
    header: Mapping[str, Any] = field(default_factory=dict)

    def read(self, cells: Floats, scores: DigitScores, fine: Callable[[], Floats]) -> DigitScores:
        """Return the scores of 81 cells with their pencil marks told from digits, and read.

        *cells* (81, S, S) float32 of clean ink gave the *scores*; *fine* hands the same cells over at
        ``MARK_CELL`` pixels, and is asked only where there are marks.
        """
        if not shows_digits(scores) or is_plainly_unmarked(cells, scores):
            return scores
        features, found = describe_kind(cells, scores)
        kinds = self.kinds(features)
        possible = found & (kinds[:, MARKS] > READ_FROM)
        if not possible.any():
            return scores
        # What would speak most for marks: several in each cell, surely legible.
        plainest = Contents(
            np.zeros((81, 9), np.float32),
            np.where(possible, 2.0, 0.0),
            np.where(possible, _MOST_LEGIBLE, 0.0),
        )
        if on_page(kinds, plainest, found, self.share).max() <= TOLD_FROM:
            return scores
        pieces = cut_pieces(fine(), np.flatnonzero(possible).tolist())
        if len(pieces) > MOST_PIECES:
            return scores
        found_in = self.contents(pieces)
        digits, marks = found_in.digits, on_page(kinds, found_in, found, self.share)
        ink = np.exp(scores.log_probs.astype(np.float64)) * (1 - marks)[:, None]
        ink[:, 0] += marks
        logs = np.log(ink / ink.sum(axis=1, keepdims=True))
        return replace(
            scores,
            log_probs=logs.astype(np.float32),
            marks=marks.astype(np.float32),
            mark_digits=digits.astype(np.float32),
        )

    def kinds(self, features: Floats) -> Doubles:
        """Return the probabilities (N, 3) of blank, digit and marks of cells, each alone."""
        return np.exp(log_softmax(forward(self.kind, features) / self.kind_temperature)).astype(np.float64)

    def shape_logs(self, pieces: Pieces) -> Floats:
        """Return log-probabilities (N, 10) of pieces: no single mark, 1, ..., 9."""
        features = describe_pieces(pieces, self.dictionary)
        return log_softmax(forward(self.shapes, features) / self.shape_temperature)

    def contents(self, pieces: Pieces) -> "Contents":
        """Return what the pieces of 81 cells come to."""
        logs = self.shape_logs(pieces).astype(np.float64) if len(pieces) else np.zeros((0, 10))
        chosen = np.flatnonzero(likeliest_pieces(pieces, logs))
        cells, shares = pieces.cells[chosen], np.exp(logs[chosen, 1:])
        shares /= shares.sum(axis=1, keepdims=True)
        absent = np.ones((81, 9))
        np.multiply.at(absent, cells, 1 - np.minimum(shares, 1 - _LEAST))
        none = np.clip(np.exp(logs[chosen, 0]), _LEAST, 1 - _LEAST)
        odds, count = np.zeros(81), np.zeros(81)
        np.add.at(odds, cells, np.log1p(-none) - np.log(none))
        np.add.at(count, cells, 1)
        return Contents(np.asarray(1 - absent, np.float32), count, odds / np.maximum(count, 1))


class Contents(NamedTuple):
    """What the ink of 81 cells comes to, if it is marks.

    ``digits`` (81, 9) float32: the probability of each digit to be among them; ``pieces`` (81,): how many
    there are; ``legible`` (81,): the mean log-odds by which these pieces of ink are single digits at all.
    """

    digits: Floats
    pieces: Doubles
    legible: Doubles


def on_page(kinds: Doubles, contents: Contents, found: NDArray[np.bool_], share: float) -> Doubles:
    """Return the probability (81,) of marks in each cell, knowing the other cells of the page.

    *kinds* (81, 3): what the network says of each cell alone, having met the *share* of marks among inked
    cells in training; *contents*: what was read in them; *found* (81,): where there is any ink. Ink that is
    no digit is neither marks nor an entry; and where one digit stands in every cell, these are entries in a
    small hand.
    """
    legible = _LEGIBILITY * np.clip(contents.legible, -_MOST_LEGIBLE, _MOST_LEGIBLE)
    blank, digit, marks = np.log(np.clip(kinds, _LEAST, 1)).T
    lone, several = contents.pieces == 1, (contents.pieces > 1) & (legible > 0)
    row = np.log((1 - _LONE_MARK) / (1 - _LONE_ENTRY))
    digit = digit - np.select([lone, several], [np.log(_LONE_MARK / _LONE_ENTRY), row])
    blank = blank - legible - row * several
    odds = marks - np.logaddexp(digit, blank) + np.log((1 - share) / share)
    ratio = np.exp(_TRUST * odds)
    extents = np.array(_EXTENTS)[:, None]
    mixed = extents * ratio + (1 - extents)
    weights = np.log(_EXTENT_PRIOR) + np.log(mixed)[:, found].sum(axis=1)
    weights = np.exp(weights - weights.max())
    weights /= weights.sum()
    return np.asarray(found * (weights @ (extents * ratio / mixed)))


def describe_pieces(pieces: Pieces, dictionary: StrokeDictionary) -> Floats:
    """Return feature vectors (N, F) float32 of pieces: their shapes and their sizes."""
    return np.concatenate([describe_shapes(pieces.images, dictionary), pieces.numbers()], axis=1)


def likeliest_pieces(pieces: Pieces, logs: Doubles) -> NDArray[np.bool_]:
    """Tell which pieces are marks (N,), in the likeliest division of each row; *logs* (N, 10) are theirs.

    Where nothing in a cell looks like a mark, the likeliest guess is taken.
    """
    chosen = np.zeros(len(pieces), np.bool_)
    order = np.argsort(pieces.rows, kind="stable")
    rows = [row for row in np.split(order, np.flatnonzero(np.diff(pieces.rows[order])) + 1) if len(row)]
    for members in rows:
        chosen[_best_path(pieces, logs, members, _SKIPPED)] = True
    read = set(pieces.cells[chosen].tolist())
    for members in rows:
        if int(pieces.cells[members[0]]) not in read:
            chosen[_best_path(pieces, logs, members, _UNREAD)] = True
    return chosen


def _best_path(pieces: Pieces, logs: Doubles, members: NDArray[np.intp], skipped: float) -> list[int]:
    """Return the pieces of the likeliest division of one row into marks, of those in *members*.

    *skipped*: log-odds that ink is no mark.

    The state is the cut that was reached and the digit read last (0: none yet).
    """
    last_cut = pieces.last_cuts[pieces.rows[members[0]]]
    best = np.full((last_cut + 1, 10), -np.inf)
    best[0, 0] = 0.0
    origin: dict[tuple[int, int], tuple[int, int, int]] = {}
    smaller = np.triu(np.full((10, 10), _DESCENDING)).T
    smaller[:, 0] = -np.inf
    for piece in members[np.argsort(pieces.starts[members], kind="stable")]:
        start, end = int(pieces.starts[piece]), int(pieces.ends[piece])
        steps = best[start][:, None] + smaller + logs[piece]
        before = steps.argmax(axis=0)
        for digit in range(1, 10):
            if steps[before[digit], digit] > best[end, digit]:
                best[end, digit] = steps[before[digit], digit]
                origin[end, digit] = (start, int(before[digit]), int(piece))
        if end == start + 1:
            passed = best[start] + logs[piece, 0] + skipped
            for digit in np.flatnonzero(passed > best[end]).tolist():
                best[end, digit] = passed[digit]
                origin[end, digit] = (start, digit, -1)
    path = []
    at = (last_cut, int(best[last_cut].argmax()))
    while at in origin:
        start, digit, piece = origin[at]
        if piece >= 0:
            path.append(piece)
        at = (start, digit)
    return path
