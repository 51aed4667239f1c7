"""Gather what digits are drawn from: typefaces and databases of handwriting, part of either held out."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import UsageError
from sudoku_vision.output.drawing.typefaces import Typeface, bundled_typefaces, find_typefaces, split_families
from sudoku_vision.results import Image

_REMEDY = "Give an .npz file with the arrays images (N, 28, 28) uint8 and labels (N,) from 0 to 9."
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
    fonts: Sequence[Path], handwriting: Path | None, held_share: float, seed: int
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


def read_handwriting(path: Path | None) -> tuple[Image, NDArray[np.int64]]:
    """Return the digits 1 to 9 of a database, (N, 28, 28) uint8, and their labels; none where *path* is None.

    Raises UsageError for a file that can't be read or is not as it should be.
    """
    if path is None:
        return np.zeros((0, 28, 28), np.uint8), np.zeros(0, np.int64)
    try:
        with np.load(path, allow_pickle=False) as file:
            images, labels = file["images"], file["labels"].astype(np.int64)
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise UsageError(f"The handwriting {path} can't be read.", _REMEDY) from error
    fits = images.shape == (len(labels), 28, 28) and images.dtype == np.uint8 and labels.ndim == 1
    if not fits or not np.isin(labels, range(10)).all():
        raise UsageError(f"The arrays of the handwriting {path} are not as they should be.", _REMEDY)
    order = np.random.default_rng(_ORDER_SEED).permutation(np.flatnonzero(labels > 0))
    return images[order], labels[order]
