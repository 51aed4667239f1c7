"""Find the typefaces and the databases of handwriting with which digits are drawn.

A part of them is held out for checking. Of each design, either all typefaces are held out, or none.
"""

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sudoku_vision.errors import UsageError
from sudoku_vision.values import Image
from workshop.rendering.hands import draw_stroke
from workshop.rendering.typefaces import (
    Mask,
    Typeface,
    bundled_typefaces,
    font_files,
    glyph_mask,
    open_typeface,
)

_PROBE_SIZE = 40  # font size in pixels at which the digits of a typeface are checked
_MAX_FACES = 32  # at most this number of faces is opened in a font collection
_TEMPLATE_SIZE = 16  # side of the square to which digits are scaled for comparison, in pixels
_MIN_RIGHT, _MIN_RIGHT_BY_HAND = 5, 3
"""A typeface is used only if at least this number of its digits 1..9 look right: the first number for printed
typefaces, the second for handwritten ones. Both are low, because fancy fonts have some unusual digits."""
_MIN_INK = 0.015  # a digit with less ink than this share of the squared font size counts as blank

_REMEDY = (
    "Give an .npz file with the arrays images (N, S, S) or points (N, P, 2) uint8, and labels (N,), 0 to 9."
)
_SIDE, _INK_SIDE = 28, 20  # sides in pixels: of a digit's picture, and of the box for ink in its centre
_SINGLE_STROKE = (1, 2, 3, 6, 8, 9)
"""Digits that people write in one stroke. A database of strokes doesn't mark where the pen is lifted. So only
these digits are taken from it."""
_MAX_DRAWN = 500  # from a database of strokes, at most this number of samples of each digit is used
_PENS = (6, 16)  # range of the width of the pen, in hundredths of the height of a digit
_STRETCHED = 0.95
"""If ink touches more than this share of all left and right edges of a database's pictures, the digits count
as stretched to the width of the pictures."""
_WIDTH_OF_1, _WIDTHS = (0.25, 0.65), (0.5, 0.9)
"""Ranges of the ratio width / height to which stretched digits are scaled: for a 1, and for other digits."""
_HELD_SHARE = 0.1  # share of typefaces and of handwriting that is held out
_ORDER_SEED = 1  # fixed seed for the order of handwritten digits: each training holds out the same digits


@dataclass(frozen=True, eq=False)
class Sources:
    """The typefaces and the handwriting with which digits are drawn.

    Typefaces are grouped by design: a design is chosen first, so all designs are equally frequent.
    """

    print_faces: Sequence[Sequence[Typeface]]
    hand_faces: Sequence[Sequence[Typeface]]
    strokes: Image  # (N, 28, 28) uint8: handwritten digits, white on black
    labels: NDArray[np.integer]  # (N,): which digits they are


def gather_sources(fonts: Sequence[Path], handwriting: Sequence[Path], seed: int) -> tuple[Sources, Sources]:
    """Return the sources to learn from, and the sources that are held out for checking.

    If no printed typeface is held out, the second result has the typefaces of the first. Raises UsageError
    for a folder without fonts, and for a file of handwriting without the expected arrays.
    """
    for folder in fonts:
        if not folder.is_dir():
            raise UsageError(f"{folder} is not a folder.", "Name folders of fonts.")
        if not any(font_files([folder])):
            raise UsageError(f"{folder}: there are no fonts in it.", "Name folders of fonts.")
    faces = sorted({*bundled_typefaces(), *find_typefaces(list(fonts))})
    kept, held = split_families(faces, _HELD_SHARE, seed)
    if all(face.handwritten for face in held):
        held = kept
    images, labels = read_handwriting(handwriting)
    cut = round(len(labels) * (1 - _HELD_SHARE))
    return (
        Sources(*_by_kind(kept), images[:cut], labels[:cut]),
        Sources(*_by_kind(held), images[cut:], labels[cut:]),
    )


def find_typefaces(folders: Sequence[Path]) -> list[Typeface]:
    """Return all usable typefaces in *folders* and their subfolders.

    In a usable typeface, the ten digits differ, and enough of them look like digits. A face is left out if an
    earlier face has the same family and style, or exactly the same digits.
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
    """Return the kept typefaces and the held out typefaces.

    Of all printed designs and of all handwritten designs, a *share* (0..1) is held out.
    """
    rng = np.random.default_rng(seed)
    held: set[str] = set()
    for handwritten in (False, True):
        designs = sorted({face.design for face in typefaces if face.handwritten == handwritten})
        held.update(rng.permutation(designs)[: round(share * len(designs))].tolist() if designs else [])
    kept = [face for face in typefaces if face.design not in held]
    return kept, [face for face in typefaces if face.design in held]


def has_digits(face: Typeface) -> bool:
    """Return whether *face* has ten different digits, and enough of them look right."""
    try:
        masks = _digit_masks(face)
    except OSError:
        return False
    if any(mask.sum() < 255 * _MIN_INK * _PROBE_SIZE**2 for mask in masks):
        return False
    if len({(mask.shape, mask.tobytes()) for mask in masks}) < 10:
        return False
    return _right_looking(masks[1:]) >= (_MIN_RIGHT_BY_HAND if face.handwritten else _MIN_RIGHT)


def _digit_masks(face: Typeface) -> list[Mask]:
    return [glyph_mask(face, str(digit), _PROBE_SIZE) for digit in range(10)]


def _faces(path: Path) -> Iterator[Typeface]:
    """Yield the faces of a font file; none if the file is broken."""
    count = _MAX_FACES if path.suffix.lower() == ".ttc" else 1
    for index in range(count):
        face = open_typeface(path, index)
        if face is None:
            return
        yield face


def _right_looking(masks: Iterable[Mask]) -> int:
    """Return how many of nine *masks*, for 1..9, look right.

    A mask looks right if the most similar digit in the bundled fonts is the same digit.
    """
    shapes = np.stack([_shape(mask) for mask in masks])
    likeness = np.einsum("dn,fen->fde", shapes, _templates()).max(axis=0)
    return int((likeness.argmax(axis=1) == np.arange(9)).sum())


@lru_cache(maxsize=1)
def _templates() -> NDArray[np.float64]:
    """Return the :func:`_shape` (n,) of each digit 1..9 in each bundled font, (fonts, 9, n)."""
    return np.stack([[_shape(mask) for mask in _digit_masks(face)[1:]] for face in bundled_typefaces()])


def _shape(mask: Mask) -> NDArray[np.float64]:
    """Scale a glyph to a small square, and blur it. Return its pixels (n,) with mean 0 and norm 1."""
    square = cv2.resize(mask, (_TEMPLATE_SIZE, _TEMPLATE_SIZE), interpolation=cv2.INTER_AREA)
    flat = cv2.GaussianBlur(square, (0, 0), 1.0).astype(np.float64).ravel()
    flat -= flat.mean()
    return flat / max(float(np.linalg.norm(flat)), 1e-9)


def _by_kind(faces: Sequence[Typeface]) -> tuple[list[list[Typeface]], list[list[Typeface]]]:
    """Return the printed typefaces and the handwritten typefaces, both grouped by design."""
    groups: tuple[dict[str, list[Typeface]], dict[str, list[Typeface]]] = ({}, {})
    for face in faces:
        groups[face.handwritten].setdefault(face.design, []).append(face)
    return list(groups[0].values()), list(groups[1].values())


def read_handwriting(paths: Sequence[Path]) -> tuple[Image, NDArray[np.int64]]:
    """Return the digits (N, 28, 28) uint8 of databases, white on black, and their labels (N,) 1 to 9.

    Raises UsageError for a file that can't be read or doesn't have the expected arrays.
    """
    found = [_read_database(path) for path in paths]
    images = np.concatenate([np.zeros((0, _SIDE, _SIDE), np.uint8), *(images for images, _ in found)])
    labels = np.concatenate([np.zeros(0, np.int64), *(labels for _, labels in found)])
    order = np.random.default_rng(_ORDER_SEED).permutation(np.flatnonzero(labels > 0))
    return images[order], labels[order]


def _read_database(path: Path) -> tuple[Image, NDArray[np.int64]]:
    """Return the digits (N, 28, 28) of a database and their labels (N,); stretched digits become narrower."""
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
        chosen = np.concatenate([np.flatnonzero(labels == digit)[:_MAX_DRAWN] for digit in _SINGLE_STROKE])
        given, labels = np.stack([_drawn(points, rng) for points in given[chosen]]), labels[chosen]
    elif given.shape[1] == _SIDE:
        return given, labels
    stretched = not pictures or (given[:, :, [0, -1]].max(axis=1) > 0).mean() > _STRETCHED
    widths = (_WIDTH_OF_1 if digit == 1 else _WIDTHS for digit in labels.tolist())
    ratios = [float(rng.uniform(*width)) if stretched else 1.0 for width in widths]
    return np.stack([_fitted(image, ratio) for image, ratio in zip(given, ratios, strict=True)]), labels


def _drawn(points: NDArray[np.uint8], rng: Generator) -> Image:
    """Return a picture (120, 120) of a stroke through *points* (N, 2): x and y in 0..100, y upwards."""
    canvas, pen = np.zeros((120, 120), np.uint8), int(rng.integers(*_PENS))
    draw_stroke(canvas, np.stack([points[:, 0] + 10.0, 110.0 - points[:, 1]], axis=1), pen)
    return canvas


def _fitted(image: Image, ratio: float) -> Image:
    """Return the digit *image* (S, S) as a picture (28, 28). *ratio*: width / height of the scaled digit."""
    width = max(2, round(_INK_SIDE * ratio))
    ink = np.asarray(cv2.resize(image, (width, _INK_SIDE), interpolation=cv2.INTER_AREA), np.uint8)
    left, top = (_SIDE - width) // 2, (_SIDE - _INK_SIDE) // 2
    return np.pad(ink, ((top, _SIDE - _INK_SIDE - top), (left, _SIDE - width - left)))
