"""Gather what digits are drawn from: typefaces and databases of handwriting, part of either held out."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import UsageError
from sudoku_vision.output.drawing.typefaces import Typeface, bundled_typefaces
from sudoku_vision.results import Image
from sudoku_vision.workshop.rendering.hands import draw_stroke
from sudoku_vision.workshop.training.font_search import find_typefaces, split_families

_REMEDY = (
    "Give an .npz file with the arrays images (N, S, S) or points (N, P, 2) uint8, and labels (N,), 0 to 9."
)
_SIDE, _INK_SIDE = 28, 20  # pixels: of a digit, and of the box in its middle that its ink fills
_SINGLE_STROKE = (1, 2, 3, 6, 8, 9)
"""Of strokes whose lifts are not marked, digits that are written in one: others would be joined falsely."""
_DRAWN_MOST = 500  # of one digit given by its strokes: these databases are large, and of few writers
_PENS = (6, 16)  # hundredths of the height of a digit
_STRETCHED = 0.95  # share of digits that touch both sides, from which a database fills its squares
_WIDTH_OF_1, _WIDTHS = (0.25, 0.65), (0.5, 0.9)  # of the height: digits from a database that fills squares
_ORDER_SEED = 1  # of the order of the database, so that the same digits are held out by every seed


@dataclass(frozen=True, eq=False)
class Sources:
    """What digits are drawn from.

    ``print_faces`` and ``hand_faces`` are typefaces, those of one design together, so that a design in
    twenty weights is met no more often than a design in one; ``strokes`` (N, 28, 28) uint8 are handwritten
    digits, white on black, and ``labels`` (N,) say which.
    """

    print_faces: Sequence[Sequence[Typeface]]
    hand_faces: Sequence[Sequence[Typeface]]
    strokes: Image
    labels: NDArray[np.integer]


def gather_sources(
    fonts: Sequence[Path], handwriting: Sequence[Path], held_share: float, seed: int
) -> tuple[Sources, Sources]:
    """Return typefaces and handwriting to learn from, and those held out (*held_share* of each).

    Where so few typefaces are at hand that no print would be held out, all are used on either side. Raises
    UsageError for a file of handwriting that can't be read or is not as it should be.
    """
    for folder in fonts:
        if not folder.is_dir():
            raise UsageError(f"{folder} is not a folder.", "Name folders of fonts.")
    faces = sorted({*bundled_typefaces(), *find_typefaces(list(fonts))})
    kept, held = split_families(faces, held_share, seed)
    if all(face.handwritten for face in held):
        held = kept
    images, labels = read_handwriting(handwriting)
    cut = round(len(labels) * (1 - held_share))
    return (
        Sources(*_by_kind(kept), images[:cut], labels[:cut]),
        Sources(*_by_kind(held), images[cut:], labels[cut:]),
    )


def _by_kind(faces: Sequence[Typeface]) -> tuple[list[list[Typeface]], list[list[Typeface]]]:
    """Printed and handwritten typefaces, those of one design together."""
    groups: tuple[dict[str, list[Typeface]], dict[str, list[Typeface]]] = ({}, {})
    for face in faces:
        groups[face.handwritten].setdefault(face.design, []).append(face)
    return list(groups[0].values()), list(groups[1].values())


def read_handwriting(paths: Sequence[Path]) -> tuple[Image, NDArray[np.int64]]:
    """Return the digits 1 to 9 of databases, (N, 28, 28) uint8, white on black, and their labels (N,).

    Raises UsageError for a file that can't be read or is not as it should be.
    """
    found = [_read_database(path) for path in paths]
    images = np.concatenate([np.zeros((0, _SIDE, _SIDE), np.uint8), *(images for images, _ in found)])
    labels = np.concatenate([np.zeros(0, np.int64), *(labels for _, labels in found)])
    order = np.random.default_rng(_ORDER_SEED).permutation(np.flatnonzero(labels > 0))
    return images[order], labels[order]


def _read_database(path: Path) -> tuple[Image, NDArray[np.int64]]:
    rng = np.random.default_rng(_ORDER_SEED)
    try:
        with np.load(path, allow_pickle=False) as file:
            labels = file["labels"].astype(np.int64)
            given = file["images"] if "images" in file else file["points"]
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise UsageError(f"The handwriting {path} can't be read.", _REMEDY) from error
    pictures = given.shape[1:] == given.shape[1:2] * 2 and given.ndim == 3 and given.shape[1] > 2
    fits = pictures or (given.ndim == 3 and given.shape[2] == 2)
    if (
        not fits
        or given.dtype != np.uint8
        or given.shape[:1] != labels.shape
        or not np.isin(labels, range(10)).all()
    ):
        raise UsageError(f"The arrays of the handwriting {path} are not as they should be.", _REMEDY)
    if not pictures:
        chosen = np.concatenate([np.flatnonzero(labels == digit)[:_DRAWN_MOST] for digit in _SINGLE_STROKE])
        given, labels = np.stack([_drawn(points, rng) for points in given[chosen]]), labels[chosen]
    elif given.shape[1] == _SIDE:
        return given, labels
    stretched = not pictures or (given[:, :, [0, -1]].max(axis=1) > 0).mean() > _STRETCHED
    ratios = [_proportion(digit, rng) if stretched else 1.0 for digit in labels.tolist()]
    return np.stack([_fitted(image, ratio) for image, ratio in zip(given, ratios, strict=True)]), labels


def _drawn(points: NDArray[np.uint8], rng: np.random.Generator) -> Image:
    """Draw the stroke of a digit, points (N, 2) of 0 to 100 with y upwards, with some pen: (120, 120)."""
    canvas = np.zeros((120, 120), np.uint8)
    draw_stroke(
        canvas, np.stack([points[:, 0] + 10.0, 110.0 - points[:, 1]], axis=1), int(rng.integers(*_PENS))
    )
    return canvas


def _fitted(image: Image, ratio: float) -> Image:
    """Bring a digit (S, S), its width multiplied by *ratio*, into the middle of (28, 28)."""
    width = max(2, round(_INK_SIDE * ratio))
    ink = np.asarray(cv2.resize(image, (width, _INK_SIDE), interpolation=cv2.INTER_AREA), np.uint8)
    left, top = (_SIDE - width) // 2, (_SIDE - _INK_SIDE) // 2
    return np.pad(ink, ((top, _SIDE - _INK_SIDE - top), (left, _SIDE - width - left)))


def _proportion(digit: int, rng: np.random.Generator) -> float:
    """How wide a digit is for its height, as hands have it."""
    return float(rng.uniform(*(_WIDTH_OF_1 if digit == 1 else _WIDTHS)))
