"""Find the typefaces of a machine that show digits, and split them into two sets of designs.

Holding out data for validation means holding out whole designs (:func:`split_families`): two weights of one
family, or two names of one design, say nearly the same thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.typefaces import (
    Mask,
    Typeface,
    bundled_typefaces,
    font_files,
    glyph_mask,
    open_typeface,
)

_PROBE_SIZE = 40  # font size in pixels at which the digits are looked at
_MOST_FACES = 32  # of a collection; none is known with more than a dozen or two
_TEMPLATE_SIZE = 16  # side in pixels of a digit that is compared with others
_MUST_LOOK_RIGHT = 5  # digits of the nine: fancy fonts bend some, a barcode or an icon font bends all
_MUST_LOOK_RIGHT_BY_HAND = 3
_LEAST_INK = 0.015  # of the em square: less is blank


def find_typefaces(folders: Sequence[Path]) -> list[Typeface]:
    """Find all typefaces in *folders* and below whose ten digits can be told apart and look like digits.

    Symbol, emoji, barcode, blank and broken fonts are left out, and so is a WOFF file where the same font
    lies beside it as WOFF2. The order depends on names alone, not on the file system. A face found twice,
    be it under the same family and style or with exactly the same digits, is kept once.
    """
    faces: dict[tuple[str, str], Typeface] = {}
    seen: set[bytes] = set()
    for path in font_files(folders):
        for face in _faces(path):
            if (face.family, face.style) in faces or not has_digits(face):
                continue
            drawn = b"".join(mask.tobytes() for mask in _digit_masks(face))
            if drawn not in seen:
                seen.add(drawn)
                faces[face.family, face.style] = face
    return sorted(faces.values())


def split_families(
    typefaces: Sequence[Typeface], share: float, seed: int
) -> tuple[list[Typeface], list[Typeface]]:
    """Split into (kept, held out): *share* in 0..1 of the designs is held out, each with all its faces.

    Printed and handwritten designs are split apart, so that both sides have some of either.
    """
    rng = np.random.default_rng(seed)
    held: set[str] = set()
    for handwritten in (False, True):
        designs = sorted({face.design for face in typefaces if face.handwritten == handwritten})
        held.update(rng.permutation(designs)[: round(share * len(designs))].tolist() if designs else [])
    kept = [face for face in typefaces if face.design not in held]
    return kept, [face for face in typefaces if face.design in held]


def has_digits(face: Typeface) -> bool:
    """Tell whether the ten digits of *face* are there, differ from one another, and look like digits."""
    try:
        masks = _digit_masks(face)
    except OSError:
        return False
    if any(mask.sum() < 255 * _LEAST_INK * _PROBE_SIZE**2 for mask in masks):
        return False
    if len({(mask.shape, mask.tobytes()) for mask in masks}) < 10:
        return False
    least = _MUST_LOOK_RIGHT_BY_HAND if face.handwritten else _MUST_LOOK_RIGHT
    return _right_looking(masks[1:]) >= least


def _digit_masks(face: Typeface) -> list[Mask]:
    return [glyph_mask(face, str(digit), _PROBE_SIZE) for digit in range(10)]


def _faces(path: Path) -> Iterator[Typeface]:
    """Open the faces of a file: one, or those of a collection; none where the file is broken."""
    count = _MOST_FACES if path.suffix.lower() == ".ttc" else 1
    for index in range(count):
        face = open_typeface(path, index)
        if face is None:
            return
        yield face


def _right_looking(masks: Iterable[Mask]) -> int:
    """Count which of nine masks of 1..9 are more like that digit in a bundled font than like another."""
    shapes = np.stack([_shape(mask) for mask in masks])
    likeness = np.einsum("dn,fen->fde", shapes, _templates()).max(axis=0)
    return int((likeness.argmax(axis=1) == np.arange(9)).sum())


@lru_cache(maxsize=1)
def _templates() -> NDArray[np.float64]:
    """Return the digits 1..9 of the bundled fonts, (fonts, 9, n), each of length one."""
    return np.stack(
        [
            [_shape(glyph_mask(face, str(digit), _PROBE_SIZE)) for digit in range(1, 10)]
            for face in bundled_typefaces()
        ]
    )


def _shape(mask: Mask) -> NDArray[np.float64]:
    """Return a glyph stretched to a small square, blurred, mean removed, of length one."""
    square = cv2.resize(mask, (_TEMPLATE_SIZE, _TEMPLATE_SIZE), interpolation=cv2.INTER_AREA)
    flat = cv2.GaussianBlur(square, (0, 0), 1.0).astype(np.float64).ravel()
    flat -= flat.mean()
    return flat / max(float(np.linalg.norm(flat)), 1e-9)
