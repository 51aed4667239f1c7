"""Find and open fonts, and recognise their family, style and weight.

A *typeface* is one face of a font file. A *family* is the common name of all weights and styles of a design.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import ImageFont

from sudoku_vision.output.drawing.text_metrics import FONT_FOLDER

Mask = NDArray[np.uint8]

BUNDLED_FOLDERS = (FONT_FOLDER, Path(__file__).parent / "fonts")
FONT_SUFFIXES = frozenset({".ttf", ".otf", ".ttc", ".woff", ".woff2"})

_PLAIN_FAMILY = "Arimo"
_NAMING_SIZE = 40  # a font is opened with this size, in pixels, to read its name; any size gives the name

_WORDS_OF_WEIGHTS = {
    **{100: "thin hairline", 200: "extralight ultralight", 300: "light", 400: "book regular roman normal"},
    **{500: "medium", 600: "demi demibold semibold", 700: "bold", 800: "extrabold ultrabold"},
    900: "heavy black",
}
_WEIGHTS = {word: weight for weight, words in _WORDS_OF_WEIGHTS.items() for word in words.split()}

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
"""First words in the names of families that look handwritten."""
_NO_HANDWRITING = frozenset({"grandstander", "poor richard"})

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
"""Families that copy the design of another family, each with the other family's name, in lower case."""

_OPTICAL_SIZE = re.compile(r"\d+pt")
_SUBSET = re.compile(r"-([a-z0-9]+|latin-ext)-\d{3}-(normal|italic)$")
"""Matches the end of a Fontsource file's name. The first group names the file's only alphabet."""


@dataclass(frozen=True, order=True)
class Typeface:
    """One face of a font file. ``index``: its number in the file. ``weight``: 100 (thin) to 900 (black)."""

    family: str
    style: str
    path: Path
    index: int = 0
    weight: int = 400
    handwritten: bool = False

    @property
    def slanted(self) -> bool:
        """Whether the letters lean to the right."""
        return any(word in self.style.lower() for word in ("italic", "oblique", "slanted"))

    @property
    def design(self) -> str:
        """Name of the design, without words for width. Families with the same design have the same name."""
        words = [word for word in self.family.lower().split() if word not in _WIDTH_WORDS]
        name = " ".join(words[:2] if words[0] == "noto" else words)
        return _SAME_DESIGN.get(name, name)

    def font(self, size: int) -> ImageFont.FreeTypeFont:
        """Return the face as a Pillow font of *size* pixels."""
        return _load(self.path, self.index, size)


@lru_cache(maxsize=256)
def _load(path: Path, index: int, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), size, index=index, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1)
def bundled_typefaces() -> tuple[Typeface, ...]:
    """Return the typefaces that come with this program."""
    faces = (open_typeface(path, 0) for path in sorted(font_files(BUNDLED_FOLDERS)))
    return tuple(sorted(face for face in faces if face is not None))


@lru_cache(maxsize=2)
def plain_typeface(*, bold: bool = False) -> Typeface:
    """Return a face of a plain sans-serif family: the lightest or, if *bold* is true, the boldest."""
    faces = [face for face in bundled_typefaces() if face.family == _PLAIN_FAMILY]
    return max(faces, key=lambda face: face.weight if bold else -face.weight)


@lru_cache(maxsize=32768)
def glyph_mask(face: Typeface, text: str, size: int) -> Mask:
    """Return the ink of *text* in a font size of *size* pixels, as a mask (H, W) uint8 without margins."""
    drawn = face.font(size).getmask(text, mode="L")
    mask = np.array(drawn, dtype=np.uint8).reshape(drawn.size[::-1])
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return np.zeros((0, 0), np.uint8)
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def font_files(folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the font files in *folders* and their subfolders.

    Files for other alphabets are left out. A WOFF file is left out if there is a WOFF2 file of the same name.
    """
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            suffix = path.suffix.lower()
            subset = _SUBSET.search(path.stem)
            if suffix not in FONT_SUFFIXES or (subset and subset[1] != "latin"):
                continue
            if suffix != ".woff" or not path.with_suffix(".woff2").exists():
                yield path


def open_typeface(path: Path, index: int) -> Typeface | None:
    """Return the face with the number *index* in a font file; None if the face can't be opened."""
    try:
        family, style = ImageFont.truetype(str(path), _NAMING_SIZE, index=index).getname()
    except OSError:
        return None
    if family is None or not any(letter.isalpha() for letter in family):
        family = _SUBSET.sub("", path.stem)
    style = style or "Regular"
    words = family.split()  # words for the weight, at the end of the name, are moved to the style
    extra: list[str] = []
    while len(words) > 1 and (words[-1].lower() in _STYLE_WORDS or _OPTICAL_SIZE.fullmatch(words[-1])):
        extra.insert(0, words.pop())
    if extra and style.lower() in ("regular", "normal"):
        style = " ".join(extra)
    elif extra:
        style = " ".join([*extra, style])
    family = " ".join(words)
    joined = re.sub(r"(semi|extra|ultra|demi)[ -]", r"\1", style.lower())
    weight = max((_WEIGHTS[word] for word in re.split(r"[^a-z]+", joined) if word in _WEIGHTS), default=400)
    return Typeface(family, style, path, index, weight, is_handwriting(family))


def is_handwriting(family: str) -> bool:
    """Return whether a family looks handwritten, judged by the words of its name."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", family).lower().split()
    name = " ".join(words)
    if any(name.startswith(exception) for exception in _NO_HANDWRITING):
        return False
    first = words[0] if words else ""
    return first in _HANDWRITING_FAMILIES.split() or not _HANDWRITING_WORDS.isdisjoint(words)
