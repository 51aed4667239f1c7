"""Typefaces: which fonts are at hand, which of them show digits, and which look handwritten.

A *typeface* is one face of one font file; a *family* is the name its designer gave to all its weights.
Holding out data for validation means holding out whole designs (:func:`split_families`): two weights of one
family, or two names of one design, say nearly the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import ImageFont

Mask = NDArray[np.uint8]

BUNDLED_FOLDER = Path(__file__).parent / "fonts"
FONT_SUFFIXES = frozenset({".ttf", ".otf", ".ttc", ".woff", ".woff2"})

_PLAIN_FAMILY = "Arimo"  # as wide as Arial, and with all letters of Western Europe
_MOST_FACES = 32  # of a collection; none is known with more than a dozen or two
_PROBE_SIZE = 40  # font size in pixels at which the digits are looked at
_TEMPLATE_SIZE = 16  # side in pixels of a digit that is compared with others
_MUST_LOOK_RIGHT = 5  # digits of the nine: fancy fonts bend some, a barcode or an icon font bends all
_MUST_LOOK_RIGHT_BY_HAND = 3
_LEAST_INK = 0.015  # of the em square: less is blank

_WEIGHTS = {
    "thin": 100,
    "hairline": 100,
    "extralight": 200,
    "ultralight": 200,
    "light": 300,
    "book": 400,
    "regular": 400,
    "roman": 400,
    "normal": 400,
    "medium": 500,
    "demi": 600,
    "demibold": 600,
    "semibold": 600,
    "bold": 700,
    "extrabold": 800,
    "ultrabold": 800,
    "heavy": 900,
    "black": 900,
}

_STYLE_WORDS = frozenset(_WEIGHTS) | {"italic", "oblique", "extra", "semi", "ultra", "exlight"}
_WIDTH_WORDS = frozenset(
    {"condensed", "narrow", "cond", "compressed", "semicondensed", "extracondensed", "excond"}
)

_HANDWRITING_WORDS = frozenset(
    {"brush", "crayon", "chalk", "cursive", "hand", "handwriting", "marker", "pen", "pencil", "script"}
)
_HANDWRITING_FAMILIES = (
    "amatic annie architects bad breip caveat cedarville chilanka condiment cookie courgette covered "
    "damion dancing delicious delius dkg farsan finger gaegu gloria gochi grand handlee happy homemade "
    "indie itim kalam kaushan licorice liu long ma mansalva marck neucha oooh pacifico patrick permanent "
    "playpen poor reenie rock sacramento satisfy schoolbell shadows shantell short smooch sriracha sue "
    "swanky the twinkle vibur whisper yellowtail yomogi zhi"
)
"""First words of the names of families that look written by hand."""
_PRINT_IN_SPITE_OF_ITS_NAME = frozenset({"grandstander", "poor richard"})

_SAME_DESIGN = {
    "arimo": "liberation sans",
    "tinos": "liberation serif",
    "cousine": "liberation mono",
    "nimbus sans": "freesans",
    "nimbus roman": "freeserif",
    "nimbus mono ps": "freemono",
    "linux libertine display o": "linux libertine o",
    "dejavu sans mono": "dejavu sans",
    "sharetechmono": "share tech",
}
"""Families drawn after one another, by their lower case names."""

_OPTICAL_SIZE = re.compile(r"\d+pt")
_SUBSET = re.compile(r"-([a-z0-9]+|latin-ext)-\d{3}-(normal|italic)$")
"""Fontsource cuts a font into one file an alphabet, named at its end; only the Latin one holds the digits."""


@dataclass(frozen=True, order=True)
class Typeface:
    """One face of a font file: ``index`` counts the faces of a collection, ``weight`` is 100 to 900."""

    family: str
    style: str
    path: Path
    index: int = 0
    weight: int = 400
    handwritten: bool = False

    @property
    def slanted(self) -> bool:
        """Whether the face is an italic or an oblique."""
        return any(word in self.style.lower() for word in ("italic", "oblique", "slanted"))

    @property
    def design(self) -> str:
        """What is held out together: the family's name without its widths, clones under one name."""
        words = [word for word in self.family.lower().split() if word not in _WIDTH_WORDS]
        name = " ".join(words[:2] if words[0] == "noto" else words)
        return _SAME_DESIGN.get(name, name)

    def font(self, size: int) -> ImageFont.FreeTypeFont:
        """Return the face, ready to draw with Pillow at *size* pixels to the em."""
        return _load(self.path, self.index, size)


@lru_cache(maxsize=256)
def _load(path: Path, index: int, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), size, index=index, layout_engine=ImageFont.Layout.BASIC)


def bundled_typefaces() -> list[Typeface]:
    """Return the few free fonts of the package: text, serif, condensed, slab, mono, two by hand."""
    return list(_bundled())


@lru_cache(maxsize=1)
def _bundled() -> tuple[Typeface, ...]:
    faces = (_open(path, 0) for path in sorted(_font_files([BUNDLED_FOLDER])))
    return tuple(sorted(face for face in faces if face is not None))


@lru_cache(maxsize=2)
def plain_typeface(*, bold: bool = False) -> Typeface:
    """Return the plain sans-serif of pages and charts, which comes with the package."""
    faces = [face for face in bundled_typefaces() if face.family == _PLAIN_FAMILY]
    return max(faces, key=lambda face: face.weight if bold else -face.weight)


def find_typefaces(folders: Sequence[Path]) -> list[Typeface]:
    """Find all typefaces in *folders* and below whose ten digits can be told apart and look like digits.

    Symbol, emoji, barcode, blank and broken fonts are left out, and so is a WOFF file where the same font
    lies beside it as WOFF2. The order depends on names alone, not on the file system. A face found twice,
    be it under the same family and style or with exactly the same digits, is kept once.
    """
    faces: dict[tuple[str, str], Typeface] = {}
    seen: set[bytes] = set()
    for path in _font_files(folders):
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


def glyph_mask(face: Typeface, text: str, size: int) -> Mask:
    """Return the ink of *text*, (H, W) uint8, 255 full ink, cut to its box; *size* pixels to the em."""
    drawn = face.font(size).getmask(text, mode="L")
    mask = np.array(drawn, dtype=np.uint8).reshape(drawn.size[::-1])
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return np.zeros((0, 0), np.uint8)
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _font_files(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            suffix = path.suffix.lower()
            subset = _SUBSET.search(path.stem)
            if suffix not in FONT_SUFFIXES or (subset and subset[1] != "latin"):
                continue
            if suffix != ".woff" or not path.with_suffix(".woff2").exists():
                yield path


def _faces(path: Path) -> Iterator[Typeface]:
    """Open the faces of a file: one, or those of a collection; none where the file is broken."""
    count = _MOST_FACES if path.suffix.lower() == ".ttc" else 1
    for index in range(count):
        face = _open(path, index)
        if face is None:
            return
        yield face


def _open(path: Path, index: int) -> Typeface | None:
    try:
        family, style = ImageFont.truetype(str(path), _PROBE_SIZE, index=index).getname()
    except OSError:
        return None
    readable = family is not None and any(letter.isalpha() for letter in family)
    return _named(
        path, index, family if readable and family else _SUBSET.sub("", path.stem), style or "Regular"
    )


def _named(path: Path, index: int, family: str, style: str) -> Typeface:
    """Make a typeface from the name table, weight words moved from the family's name to the style."""
    words = family.split()
    extra: list[str] = []
    while len(words) > 1 and (words[-1].lower() in _STYLE_WORDS or _OPTICAL_SIZE.fullmatch(words[-1])):
        extra.insert(0, words.pop())
    if extra and style.lower() in ("regular", "normal"):
        style = " ".join(extra)
    elif extra:
        style = " ".join([*extra, style])
    family = " ".join(words)
    return Typeface(family, style, path, index, _weight(style), is_handwriting(family))


def _weight(style: str) -> int:
    """Return the weight that the words of a style name, 400 where they name none."""
    joined = re.sub(r"(semi|extra|ultra|demi)[ -]", r"\1", style.lower())
    return max((_WEIGHTS[word] for word in re.split(r"[^a-z]+", joined) if word in _WEIGHTS), default=400)


def is_handwriting(family: str) -> bool:
    """Tell whether a family's name says that its letters look written by hand."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", family).lower().split()
    name = " ".join(words)
    if any(name.startswith(exception) for exception in _PRINT_IN_SPITE_OF_ITS_NAME):
        return False
    return bool(words) and (
        words[0] in _HANDWRITING_FAMILIES.split() or not _HANDWRITING_WORDS.isdisjoint(words)
    )


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
