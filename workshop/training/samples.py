"""Samples: features and classes of single cells, and warped copies of handwritten digits.

A warped copy is slanted, rotated, stretched, bent, and made thicker or thinner (P. Simard and others, "Best
practices for convolutional neural networks applied to visual document analysis", 2003).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.features import describe
from sudoku_vision.vision.digits.glyphs import Glyphs
from workshop.rendering.hands import rotation

Classes = NDArray[np.int64]

BLANK, WRITTEN, JUNK = 0, 10, 19
"""Classes of cells. A blank cell is BLANK, a printed digit d is d, a written digit d is WRITTEN - 1 + d. JUNK
is a glyph that is no upright digit."""
_LOOK_ALIKE = {1: (8,), 2: (1, 2, 5, 8), 3: (8,)}
"""For each number of quarter turns, the digits that can look like an upright digit after these turns."""

_BLANK_SHARE, _TURNED_SHARE = 0.5, 0.3
"""Share of the blank cells that become samples, and share of the digits that also give a turned sample."""

_TURN, _STRETCH, _SLANT, _BEND = 6.0, 0.08, 0.11, 0.018
"""Standard deviations for warped digits: of the rotation in degrees, of the logarithm of the scale factors,
of the slant as a share of the height, and of the bending in cells."""
_BEND_FIELD = 4  # the bending of a digit is random at 4x4 points, and interpolated elsewhere
_PRESSED = 0.35  # share of warped digits that are made thicker or thinner
_ROUND = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))

_PASTED_CELL = 40  # side of a cell into which a digit of a database is pasted, in pixels
_SIZES = (0.6, 1.25)  # range of the scale of a pasted digit
_PLACE_SPREAD = 1.5  # standard deviation of a pasted digit's offset from the middle of its cell, in pixels
_BLURS, _MIN_BLUR = (0.0, 1.2), 0.3  # range of the blur, and smallest blur that is applied, in pixels
_STRENGTHS, _NOISE = (0.7, 1.1), 0.02
"""Range of the strength of ink, and standard deviation of noise, as shares of the full strength of ink."""


def is_printed(classes: Classes) -> NDArray[np.bool_]:
    """Return where *classes* (N,) are printed digits, (N,) bool."""
    return np.asarray((classes > BLANK) & (classes < WRITTEN))


def is_written(classes: Classes) -> NDArray[np.bool_]:
    """Return where *classes* (N,) are written digits, (N,) bool."""
    return np.asarray((classes >= WRITTEN) & (classes < JUNK))


def digits_of(classes: Classes) -> Classes:
    """Return the digit of each class, 0..9; blank and junk give 0."""
    return np.where(classes == JUNK, 0, np.where(classes >= WRITTEN, classes - WRITTEN + 1, classes))


def turned_classes(classes: Classes, quarter_turns: int) -> Classes:
    """Return the classes (N,) of cells after quarter turns.

    Most digits become JUNK, because they are no longer upright. After a half turn, a 6 becomes a 9, and a
    9 becomes a 6. Other digits that can look upright after the turns get the class -1 (uncertain).
    """
    digit = digits_of(classes)
    result = np.full(len(classes), JUNK, np.int64)
    result[digit == 0] = BLANK
    result[np.isin(digit, _LOOK_ALIKE[quarter_turns])] = -1
    if quarter_turns == 2:
        result[digit == 6] = classes[digit == 6] + 3
        result[digit == 9] = classes[digit == 9] - 3
    return result


def ten_answers(probabilities: Floats) -> Floats:
    """Return the probabilities (N, 10) of blank and of 1 to 9, computed from those of the classes (N, 20)."""
    answers = np.concatenate([probabilities[:, :1], probabilities[:, 1:10] + probabilities[:, 10:19]], axis=1)
    return np.asarray(answers + probabilities[:, 19:] / 10, np.float32)


@dataclass(frozen=True, eq=False)
class Samples:
    """Cells for training or measuring."""

    features: Floats  # (N, FEATURES) float32
    classes: Classes  # (N,) int64
    images: Image  # (N, 28, 28) uint8, glyphs with bright ink

    def __len__(self) -> int:
        return len(self.classes)

    def select(self, index: NDArray[np.bool_] | NDArray[np.integer]) -> "Samples":
        """Return the samples at *index*."""
        return Samples(self.features[index], self.classes[index], self.images[index])

    @property
    def glyphs(self) -> Floats:
        """The images as float32, 0..1."""
        return self.images.astype(np.float32) / np.float32(255)


def joined(parts: Sequence[Samples]) -> Samples:
    """Return the samples of all *parts* as one object."""
    return Samples(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.classes for part in parts]),
        np.concatenate([part.images for part in parts]),
    )


def described(glyphs: Glyphs, classes: Classes) -> Samples:
    """Return samples of *glyphs* with their features and *classes* (N,)."""
    return Samples(describe(glyphs), classes, np.round(255 * glyphs.images).astype(np.uint8))


def turned(glyphs: Glyphs, quarter_turns: int) -> Glyphs:
    """Return all glyphs in the same order, each turned counter-clockwise by *quarter_turns*."""
    box = glyphs.box
    for _ in range(quarter_turns):
        left, top, right, bottom = box.T
        box = np.stack([top, 1 - right, bottom, 1 - left], axis=1)
    return replace(
        glyphs,
        images=np.rot90(glyphs.images, quarter_turns, axes=(1, 2)),
        coarse=np.rot90(glyphs.coarse, quarter_turns, axes=(1, 2)),
        box=box,
        typical=glyphs.typical[:, ::-1] if quarter_turns % 2 else glyphs.typical,
    )


def board_samples(glyphs: Glyphs, classes: Classes, rng: Generator) -> Samples:
    """Return samples of one board: all digits, some blank cells, and turned copies of some digits."""
    used = (classes != BLANK) | (rng.random(len(classes)) < _BLANK_SHARE)
    upright = described(glyphs.select(used), classes[used])
    inked = np.flatnonzero((classes != BLANK) & glyphs.found)
    turn = int(rng.integers(1, 4))
    target = turned_classes(classes[inked], turn)
    chosen = (rng.random(len(inked)) < _TURNED_SHARE) & (target >= 0)
    if not chosen.any():
        return upright
    return joined([upright, described(turned(glyphs.select(inked[chosen]), turn), target[chosen])])


def legible(samples: Samples, model: DigitModel, hidden: float) -> Samples:
    """Return *samples* without those digits that *model* takes for blank with a probability above *hidden*.

    Nobody could read such digits. A model that learnt from them would doubt every blank cell.
    """
    lost = (samples.classes != BLANK) & (model.first_stage(samples.features)[:, BLANK] > hidden)
    return samples.select(~lost)


def written_share(samples: Samples) -> float:
    """Return the share of written digits among all digits, rounded to four places."""
    written, printed = is_written(samples.classes).sum(), is_printed(samples.classes).sum()
    return round(float(written / max(1, written + printed)), 4)


def warped(cells: Floats, rng: Generator) -> Floats:
    """Return warped copies of *cells* (N, S, S)."""
    size = cells.shape[1]
    y, x = (grid.astype(np.float32) - size / 2 + 0.5 for grid in np.mgrid[0:size, 0:size])
    result = np.empty_like(cells)
    for index, cell in enumerate(cells):
        matrix = rotation(np.deg2rad(rng.normal(0, _TURN)))
        matrix = matrix @ np.array([[1, rng.normal(0, _SLANT)], [0, 1]])
        matrix = matrix @ np.diag(np.exp(rng.normal(0, _STRETCH, 2)))
        coarse = rng.normal(0, _BEND * size, (_BEND_FIELD, _BEND_FIELD, 2)).astype(np.float32)
        bend = cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC) + (size - 1) / 2
        map_x, map_y = (
            (row[0] * x + row[1] * y + bend[..., way]).astype(np.float32) for way, row in enumerate(matrix)
        )
        moved = cv2.remap(cell, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        kind = rng.random()
        if kind <= _PRESSED:
            change = cv2.dilate if kind < _PRESSED / 2 else cv2.erode
            share = np.float32(rng.uniform(0.2, 0.8))
            moved = share * change(moved, _ROUND) + (1 - share) * moved
        result[index] = moved
    return result


def pasted(strokes: Image, rng: Generator) -> Floats:
    """Return cells (N, 40, 40), each with a handwritten digit of *strokes* (N, 28, 28) uint8."""
    cells = np.empty((len(strokes), _PASTED_CELL, _PASTED_CELL), np.float32)
    for index, image in enumerate(strokes):
        ink = image.astype(np.float32) / 255
        step = rng.uniform(*_SIZES)
        if step < 1:
            ink = np.asarray(cv2.GaussianBlur(ink, (0, 0), 0.35 / step), np.float32)
        place = _PASTED_CELL / 2 - 0.5 - 13.5 * step + rng.normal(0, _PLACE_SPREAD, 2)
        matrix = np.array([[step, 0, place[0]], [0, step, place[1]]], np.float32)
        cell = cv2.warpAffine(ink, matrix, (_PASTED_CELL, _PASTED_CELL))
        blur = rng.uniform(*_BLURS)
        if blur > _MIN_BLUR:
            cell = cv2.GaussianBlur(cell, (0, 0), blur)
        cells[index] = cell * rng.uniform(*_STRENGTHS) + rng.normal(0, _NOISE, cell.shape)
    return warped(cells, rng)
