"""Read pencil marks: small candidate digits that stand in a cell instead of one digit.

* First, cells with marks are found. A small network decides from the size and place of the ink whether a cell
  holds a digit or marks. Most pages have no marks at all, so this result is then revised by the results for
  all cells of the page. On a page with marks, ink has two sizes: that of digits and that of marks. A mixture
  is fitted to find both sizes. Ink that is as large as the digits of the page isn't taken for marks.
* Then the marks are read. The ink of a cell is cut into pieces (``mark_segmentation``). Another network
  classifies each piece as one of the digits, or as something else, for example two marks or half a mark.
  Dynamic programming finds the likeliest division of a row of ink into marks. This Viterbi search is also
  used to read handwritten numbers (O. Matan et al., "Multi-digit recognition using a space displacement
  neural network", 1992). If the marks of a page stand at nine fixed places in a cell (``mark_places``), the
  place of a piece is evidence of its digit, too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.ranks import median, weighted_median
from sudoku_vision.values import Bools, Doubles, Floats
from sudoku_vision.vision.digits.cascade import MIN_PROBABILITY
from sudoku_vision.vision.digits.features import MIN_LENGTH
from sudoku_vision.vision.digits.glyphs import COARSE_RANGE, PEAK_LIMIT
from sudoku_vision.vision.digits.handwriting import DOUBTFUL
from sudoku_vision.vision.digits.ink_measurements import LOG_SPREAD
from sudoku_vision.vision.digits.mark_places import fit_places
from sudoku_vision.vision.digits.mark_segmentation import MIN_AREA, Pieces, cut_pieces
from sudoku_vision.vision.digits.mixture import PAGE_TRUST, fit_two_inks, share_on_page
from sudoku_vision.vision.digits.network import Layers, forward, log_softmax
from sudoku_vision.vision.digits.segmentation import CellInk, find_components, ink_levels, ink_mask
from sudoku_vision.vision.digits.strokes import StrokeDictionary, describe_shapes
from sudoku_vision.vision.digits.turns import shows_digits
from sudoku_vision.vision.rectify.illumination import THINNED
from sudoku_vision.vision.results import DigitScores

BLANK, DIGIT, MARKS = range(3)  # what a cell holds, in the order of the outputs of the first network

VERSION = 1
"""Version number of the networks' inputs. A model file is refused if it was trained with another version.

The inputs are numbers that describe cells and pieces of ink. The version number is raised whenever a change
of the code gives other inputs for the same cells.
"""

READ_FROM = 0.05
"""A cell is searched for marks if the first network's probability of marks is above this."""
REPORTED_FROM = 0.5
"""A cell is reported as a cell with marks if the probability of marks is above this.

Before marks are read, the program assumes the best case, in which all marks are legible. If no cell reaches
this probability even then, no marks are read. Usually this happens if only a crease in the paper looks like
marks.
"""
MAX_PIECES = 4000
"""If a page has more pieces of ink than this, no marks are read.

So many pieces are text or noise, and it would take seconds to read them. Pages full of handwritten marks have
200 pieces. Of 60 screens with candidates in all blank cells, the fullest screen has 1,332 pieces.
"""

_EXTENTS = (0.002, 0.03, 0.1, 0.3, 0.6, 0.9)  # possible shares of cells with marks among the cells with ink
_MAX_LEGIBLE = 6.0  # log-odds that ink is digits, not stains, are clipped to this absolute value
_LONE_MARK, _LONE_ENTRY = 0.25, 0.95
"""Two probabilities that a cell has just one digit: if it holds marks, and if it holds an entry.

An entry is a digit that a person wrote as the answer of the cell.
"""

_DESCENDING = -2.0
"""Log-odds that a mark's digit isn't above that of the mark before. Most people write in ascending order."""
_SKIPPED = -3.0  # log-odds that a piece of ink among marks is no mark

# Numbers for the description of a cell: the feature vector from which a network decides what the cell holds.
_COARSE = 8  # side, in pixels, of the small copy of a cell in its description
KIND_FEATURES = 25 + _COARSE**2  # length of the description: 25 measures and the pixels of the small copy
_MIN_HEIGHT = 0.2  # lower limit for the height of the page's digits, as a share of a cell's side
_SMALL = 0.7  # ink is small if its height is below this share of the height of the page's digits
_MAX_NUMBER = 4.0  # each of the 25 measures in a cell's description is clipped to this absolute value
_PARTS_SCALE, _MAX_PARTS = 3, 9
"""The number of a cell's components is clipped to the second number, then divided by the first number."""

# A page is plainly unmarked if all cells are surely blank or surely printed, and all blank cells are clean.
# Among 1,500 drawn pages and 640 photos, there are 208 pages with marks on which each cell still seems surely
# blank or surely printed. On each of these 208 pages, the strongest spot (3 x 3 pixels) in the blank cells
# has a mean ink of at least 0.21. On three quarters of newspaper photos of VGA size, this mean is below 0.15.
_SPOT = 3  # side of a spot in pixels, if cells have 40 x 40 pixels; strokes of marks are as wide
_CLEAN = 0.15
"""Paper is clean if the mean ink of its strongest spot is below this share of full ink."""


@dataclass(frozen=True, eq=False)
class MarkReader:
    """Two trained networks that read pencil marks.

    * ``kind``: the first network. It classifies the description of a cell as blank, digit or marks.
    * ``shapes``: the second network. It classifies a piece of ink as a digit 1..9, or as something else.
    * ``dictionary``: the pieces of strokes with which the second network's features are computed.
    * ``kind_temperature``, ``shape_temperature``: the outputs of the two networks are divided by these
      numbers, to calibrate the probabilities.
    * ``share``: the number of cells with marks, divided by the number of cells with ink, in the training.
    * ``header``: the header of the model file.
    """

    kind: Layers
    dictionary: StrokeDictionary
    shapes: Layers
    kind_temperature: float = 1.0
    shape_temperature: float = 1.0
    share: float = 0.3
    header: Mapping[str, Any] = field(default_factory=dict)

    def read(self, cells: Floats, scores: DigitScores, fine: Callable[[], Floats]) -> DigitScores:
        """Find and read the pencil marks in 81 cells; return the *scores* with these marks.

        *cells* (81, S, S) float32 are pictures of the cells' clean ink. *fine* returns the same cells with
        ``MARK_CELL`` pixels a side. It is called only if there may be marks.
        """
        if not shows_digits(scores) or is_plainly_unmarked(cells, scores):
            return scores
        features, inked, sizes = describe_kind(cells, scores)
        kinds = self.kinds(features)
        possible = inked & (kinds[:, MARKS] > READ_FROM)
        if not possible.any():
            return scores
        # This is the best case: each possible cell has several marks, and all of its marks are legible.
        best = Contents(
            np.zeros((81, 9), np.float32),
            np.where(possible, 2.0, 0.0),
            np.where(possible, _MAX_LEGIBLE, 0.0),
        )
        if marks_on_page(kinds, best, inked, self.share).max() <= REPORTED_FROM:
            return scores
        pieces = cut_pieces(fine(), np.flatnonzero(possible).tolist())
        if len(pieces) > MAX_PIECES:
            return scores
        contents = self.contents(pieces)
        marks = marks_on_page(kinds, contents, inked, self.share)
        if marks.max() > REPORTED_FROM:
            # Some ink is so small that it can't be found in *cells*. It is searched for in cells with more
            # pixels.
            faint = np.flatnonzero(~inked & (kinds[:, MARKS] > REPORTED_FROM))
            found = self.contents(cut_pieces(fine(), faint.tolist()))
            # A cell may have pieces in *contents* or in *found*, but not in both. A cell without pieces has
            # zeros. So both can be added.
            legible = contents.legible + found.legible
            contents = Contents(contents.digits + found.digits, contents.pieces + found.pieces, legible)
            inked[faint] = found.pieces[faint] > 0
            smaller = size_evidence(sizes, kinds, marks, inked)
            marks = marks_on_page(kinds, contents, inked, self.share, smaller)
        ink = np.exp(scores.log_probs.astype(np.float64)) * (1 - marks)[:, None]
        ink[:, 0] += marks
        logs = np.log(ink / ink.sum(axis=1, keepdims=True))
        return replace(
            scores,
            log_probs=logs.astype(np.float32),
            marks=marks.astype(np.float32),
            mark_digits=contents.digits,
        )

    def kinds(self, features: Floats) -> Doubles:
        """Return the probabilities (N, 3), by the first network, of a blank cell, a digit, or marks.

        *features* (N, KIND_FEATURES) are the descriptions of the cells.
        """
        return np.exp(log_softmax(forward(self.kind, features) / self.kind_temperature)).astype(np.float64)

    def shape_logs(self, pieces: Pieces) -> Floats:
        """Return log-probabilities (N, 10): a piece isn't exactly one mark (column 0), or is a digit 1..9."""
        features = describe_pieces(pieces, self.dictionary)
        return log_softmax(forward(self.shapes, features) / self.shape_temperature)

    def contents(self, pieces: Pieces) -> "Contents":
        """Read the *pieces* of ink of a page as pencil marks; return the marks of each of the 81 cells."""
        logs = self.shape_logs(pieces).astype(np.float64) if len(pieces) else np.zeros((0, 10))
        chosen = np.flatnonzero(likeliest_pieces(pieces, logs))
        middles = (pieces.boxes[:, :2] + pieces.boxes[:, 2:]).astype(np.float64) / 2
        logs[:, 1:] += fit_places(middles[chosen], np.exp(logs[chosen, 1:])).evidence(middles)
        logs = log_softmax(logs.astype(np.float32)).astype(np.float64)
        chosen = np.flatnonzero(likeliest_pieces(pieces, logs))
        cells, shares = pieces.cells[chosen], np.exp(logs[chosen, 1:])
        shares /= shares.sum(axis=1, keepdims=True)
        absent = np.ones((81, 9))
        np.multiply.at(absent, cells, 1 - np.minimum(shares, 1 - MIN_PROBABILITY))
        none = np.clip(np.exp(logs[chosen, 0]), MIN_PROBABILITY, 1 - MIN_PROBABILITY)
        odds, count = np.zeros(81), np.zeros(81)
        np.add.at(odds, cells, np.log1p(-none) - np.log(none))
        np.add.at(count, cells, 1)
        return Contents(np.asarray(1 - absent, np.float32), count, odds / np.maximum(count, 1))


class Contents(NamedTuple):
    """What is read in 81 cells if their ink is taken for pencil marks.

    * ``digits`` (81, 9) float32: for each cell and each digit, the probability that the cell has this mark.
    * ``pieces`` (81,): the number of pieces of ink that were read as marks.
    * ``legible`` (81,): the log-odds that a piece of ink is really a digit, as the mean over a cell's pieces.

    For a cell without pieces of ink, all numbers are 0.
    """

    digits: Floats
    pieces: Doubles
    legible: Doubles


def marks_on_page(
    kinds: Doubles,
    contents: Contents,
    inked: Bools,
    share: float,
    smaller: Doubles | float = 0.0,
) -> Doubles:
    """Return the probability (81,) that each cell holds marks; other cells of the page are used as evidence.

    * *kinds* (81, 3): the probabilities of blank, digit and marks for each cell by itself.
    * *share*: the share of cells with marks among the cells with ink, in the training. This prior is in
      *kinds*, and is removed here.
    * *contents*: the marks that were read. If the ink is illegible, it is probably no mark. A single mark in
      a cell is probably an entry (the answer of the cell) in small handwriting.
    * *inked* (81,): whether a cell has ink.
    * *smaller* (81,): the log-odds of marks by the size of the ink, as :func:`size_evidence` returns them.
    """
    legible = PAGE_TRUST * np.clip(contents.legible, -_MAX_LEGIBLE, _MAX_LEGIBLE)
    blank, digit, marks = np.log(np.clip(kinds, MIN_PROBABILITY, 1)).T
    lone, several = contents.pieces == 1, (contents.pieces > 1) & (legible > 0)
    row = np.log((1 - _LONE_MARK) / (1 - _LONE_ENTRY))
    digit = digit - smaller - np.select([lone, several], [np.log(_LONE_MARK / _LONE_ENTRY), row])
    blank = blank - legible - row * several
    odds = marks - np.logaddexp(digit, blank) + np.log((1 - share) / share)
    return inked * share_on_page(odds, inked, _EXTENTS)[0]


def size_evidence(sizes: Doubles, kinds: Doubles, marks: Doubles, inked: Bools) -> Doubles:
    """Return the log-odds (81,) that a cell holds marks and no digit, by the size of its ink.

    Ink as large as the digits of the page is no mark, so its log-odds are negative. Small ink may be marks or
    an entry in small handwriting, so its log-odds are 0. *sizes* (81, 2) are two logarithms of the ink's
    size, as in :func:`describe_kind`. A mixture of large and small sizes is fitted to them. The fit begins
    with *marks* (81,), the probability that each cell holds marks. *kinds* and *inked* mean the same as in
    :func:`marks_on_page`.
    """
    by_shape = np.log(kinds[inked, MARKS] + MIN_PROBABILITY) - np.log(kinds[inked, DIGIT] + MIN_PROBABILITY)
    spread = np.full((len(by_shape), sizes.shape[1]), LOG_SPREAD)
    small = fit_two_inks(sizes[inked], spread, marks[None, inked], by_shape[None]).second[0]
    small = np.clip(small, MIN_PROBABILITY**2, 1 - MIN_PROBABILITY**2)
    # The log-odds of the fit include the log-odds by shape, and those of the page's share of marks. Both are
    # subtracted, because the caller adds them itself.
    common = np.log(small.sum() + 0.5) - np.log((1 - small).sum() + 0.5)
    evidence = np.zeros(len(inked))
    evidence[inked] = np.minimum(np.log(small) - np.log1p(-small) - by_shape - common, 0)
    return evidence


def describe_pieces(pieces: Pieces, dictionary: StrokeDictionary) -> Floats:
    """Return feature vectors (N, F) float32 that describe the shapes and the sizes of *pieces*."""
    return np.concatenate([describe_shapes(pieces.images, dictionary), pieces.numbers()], axis=1)


def likeliest_pieces(pieces: Pieces, logs: Doubles) -> Bools:
    """Divide each row of ink into marks in the likeliest way; return which pieces (N,) are marks.

    *logs* (N, 10) are the log-probabilities that a piece isn't exactly one mark (column 0), or is a digit
    1..9. In a first search, ink that looks like no mark can be left out. If this leaves no piece of a cell, a
    second search divides all ink of the cell into marks.
    """
    chosen = np.zeros(len(pieces), np.bool_)
    order = np.argsort(pieces.rows, kind="stable")
    rows = [row for row in np.split(order, np.flatnonzero(np.diff(pieces.rows[order])) + 1) if len(row)]
    for members in rows:
        chosen[_best_path(pieces, logs, members, _SKIPPED)] = True
    read = set(pieces.cells[chosen].tolist())
    for members in rows:
        if int(pieces.cells[members[0]]) not in read:
            chosen[_best_path(pieces, logs, members, -np.inf)] = True
    return chosen


def _best_path(pieces: Pieces, logs: Doubles, members: NDArray[np.intp], skipped: float) -> list[int]:
    """Divide one row of ink into marks in the likeliest way; return the numbers of the pieces that are marks.

    *logs* mean the same as in :func:`likeliest_pieces`. *members* are the numbers of all pieces of the row.
    *skipped* are the log-odds that a piece is no mark. The search goes from left to right. Its state is the
    place where the row is cut, and the digit of the last mark before this cut (0 if there is none).
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


def is_plainly_unmarked(cells: Floats, scores: DigitScores) -> bool:
    """Return whether a page surely has no pencil marks, so that they needn't be searched for.

    *cells* and *scores* mean the same as in :func:`describe_kind`.
    """
    digit = 1 - np.exp(scores.log_probs[:, 0])
    blank = digit < DOUBTFUL
    if not (blank | (digit > 1 - DOUBTFUL) & (scores.written < DOUBTFUL)).all():
        return False
    paper = cells[blank].reshape(-1, cells.shape[2])
    return not len(paper) or float(cv2.blur(paper, (_SPOT, _SPOT)).max()) < _CLEAN


def describe_kind(cells: Floats, scores: DigitScores) -> tuple[Floats, Bools, Doubles]:
    """Describe 81 cells by numbers. From these, a network decides whether a cell holds a digit or marks.

    *cells* (81, S, S) float32 are pictures of the cells' clean ink. *scores* come from the digit classifier.
    Return the descriptions (81, KIND_FEATURES) float32, whether each cell holds any ink (81,), and two sizes
    (81, 2) of its ink. The first size is the logarithm of the height of the tallest component (connected area
    of ink). The second size is the logarithm of the square root of the area of the largest component. Before
    logarithms are taken, both lengths are shares of the cell's side.
    """
    count, size = cells.shape[:2]
    levels = ink_levels(cells[:, ::THINNED, ::THINNED])
    _, _, components = find_components(ink_mask(cells, levels.threshold), count, size)
    area = components.area / size**2
    used = (area > MIN_AREA) & ~components.line_remains()  # without specks and remains of lines
    used[0] = False  # component 0 is the background
    ink = components.by_cell(used, count)
    ink = ink._replace(area=ink.area / size**2)
    tallest, largest = np.zeros((2, count))
    np.maximum.at(tallest, components.cell[used], (components.high - components.low)[used, 1])
    np.maximum.at(largest, components.cell[used], area[used])
    digit = 1 - np.exp(scores.log_probs[:, 0].astype(np.float64))
    odds = scores.log_probs[:, 1:].max(axis=1) - scores.log_probs[:, 0]
    numbers = [
        *_sizes(ink, tallest, largest, digit),
        np.minimum(levels.peak, PEAK_LIMIT),
        digit,
        odds,
        scores.written,
    ]
    rows = cells.reshape(count * size, size)
    coarse = cv2.resize(rows, (_COARSE, count * _COARSE), interpolation=cv2.INTER_AREA)
    view = np.clip(coarse.reshape(count, _COARSE**2), *COARSE_RANGE)
    limited = np.clip(np.stack(numbers, axis=1), -_MAX_NUMBER, _MAX_NUMBER)
    sizes = np.log(np.stack([tallest, np.sqrt(largest)], axis=1) + MIN_LENGTH)
    return np.concatenate([limited, view], axis=1).astype(np.float32), ink.number > 0, sizes


def _sizes(ink: CellInk, tallest: Doubles, largest: Doubles, digit: Doubles) -> list[Doubles]:
    """Return 21 arrays (81,): sizes and places of each cell's ink, and six numbers that describe the page.

    Most sizes are divided by the height of the page's digits. The six numbers are the same for all cells.
    *tallest* (81,) is the height of the tallest component of each cell. *largest* (81,) is the area of the
    largest component. *digit* (81,) is the probability that the cell holds a digit.
    """
    page = max(_MIN_HEIGHT, weighted_median(tallest, digit * ink.area, otherwise=_MIN_HEIGHT))
    wide, tall = (ink.high - ink.low).T
    middle = (ink.low + ink.high) / 2 - 0.5
    return [
        *(length / page for length in (tallest, tall, wide, np.sqrt(ink.area), np.sqrt(largest))),
        *ink.low.T,
        *(1 - ink.high).T,
        *middle.T,
        np.minimum(ink.number, _MAX_PARTS) / _PARTS_SCALE,
        wide / (tall + MIN_LENGTH),
        largest / np.maximum(ink.area, MIN_AREA),
        tallest,
        *(np.full(len(digit), number) for number in (page, *_page_numbers(ink, tallest, page))),
    ]


def _page_numbers(ink: CellInk, tallest: Doubles, page: float) -> list[float]:
    """Return five numbers for the whole page: the share of cells with ink, and four numbers about small ink.

    Ink is small if its height is clearly below that of the page's digits. The numbers help to distinguish
    marks from entries (answers) in small handwriting. An entry stands alone in the middle of its cell, and a
    page with entries has few blank cells. *tallest* (81,) is the height of the tallest component of each
    cell. *page* is the height of the page's digits.
    """
    found = ink.number > 0
    small = found & (tallest < _SMALL * page)
    if not small.any():
        return [found.mean(), 0.0, 0.0, 0.0, 0.0]
    middle = ((ink.low + ink.high) / 2 - 0.5)[small]
    several = (ink.high - ink.low)[small, 0] > tallest[small]
    return [
        found.mean(),
        small.sum() / found.sum(),
        several.mean(),
        median(middle[:, 1]),
        median(np.abs(middle).max(axis=1)),
    ]
