"""Set lines of words: which glyph of which font goes where, how wide they are, and where they break.

Letters come from the plain typeface of the package; what it lacks, from the fonts of this machine. HarfBuzz
joins and places what a script wants joined. A line that mixes directions is put in order as by the rules of
the Unicode bidirectional algorithm (UAX #9) for text without embeddings: a run of letters from right to left,
numbers within it from left to right.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.figure import Text
from sudoku_vision.output.drawing.installed_fonts import covering_face
from sudoku_vision.output.drawing.outlines import FontFace
from sudoku_vision.output.drawing.typefaces import plain_typeface

_FROM_THE_RIGHT = ("R", "AL")
_NUMBERS = ("EN", "AN")
_GO_WITH_THE_LAST = ("Mn", "Me", "Cf", "Cc")  # categories of accents, joiners and controls


@dataclass(frozen=True)
class SetGlyph:
    """A glyph of a line: its ``place`` (x, y) in em, y upwards; ``advance`` to the next, and what it shows.

    ``characters`` are those that it stands for; of several glyphs for one character the first has it.
    """

    face: FontFace
    glyph: int
    place: tuple[float, float]
    characters: str


@dataclass(frozen=True)
class SetLine:
    """A line of glyphs from left to right, and its ``width`` in em."""

    glyphs: tuple[SetGlyph, ...]
    width: float


@lru_cache(maxsize=4096)
def typeset(words: str, *, bold: bool = False) -> SetLine:
    """Set a line of *words*; a character that no font has becomes the sign of its font for that."""
    glyphs: list[SetGlyph] = []
    at = 0.0
    for run, face, level in _visual_runs(words, bold=bold):
        for glyph, advance in _shaped(run, face, from_right=level % 2 == 1):
            x, y = glyph.place
            glyphs.append(SetGlyph(face, glyph.glyph, (at + x, y), glyph.characters))
            at += advance
    return SetLine(tuple(glyphs), at)


def text_outlines(text: Text) -> list[NDArray[np.float64]]:
    """Return the outlines of the letters of *text* as closed polygons (N, 2), where it stands."""
    line = typeset(text.words, bold=text.bold)
    start = text.place[0] - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * line.width * text.size
    return [
        points * (text.size, -text.size)
        + (start + glyph.place[0] * text.size, text.place[1] - glyph.place[1] * text.size)
        for glyph in line.glyphs
        for points in glyph.face.contours(glyph.glyph)
    ]


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """Return how wide *words* are, *size* to the em, in the unit of *size*."""
    return typeset(words, bold=bold).width * size


def missing_characters(words: str, *, bold: bool = False) -> list[str]:
    """Return the characters of *words* that no font at hand has, each once, in their order."""
    chosen = _faces_for(words, bold=bold)
    return [
        character
        for character, face in dict(zip(words, chosen, strict=True)).items()
        if not (character.isprintable() or unicodedata.category(character) == "Cf")
        or (character != " " and unicodedata.category(character) != "Cf" and not face.has(character))
    ]


def wrapped_words(words: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Break *words* into lines no wider than *width*, in the unit of *size* (the em).

    Lines end at white space; a word that is too wide by itself is broken within.
    """
    lines: list[str] = []
    line = ""
    for word in words.split():
        longer = f"{line} {word}".lstrip()
        if text_width(longer, size, bold=bold) <= width:
            line = longer
            continue
        lines += [line] if line else []
        *full, line = _broken(word, width, size, bold=bold)
        lines += full
    return [*lines, line] if line else lines


def _broken(word: str, width: float, size: float, *, bold: bool) -> list[str]:
    """Break a word into pieces that fit, each of one character at least."""
    pieces = [""]
    for character in word:
        longer = pieces[-1] + character
        if pieces[-1] and text_width(longer, size, bold=bold) > width:
            pieces.append(character)
        else:
            pieces[-1] = longer
    return pieces


def cap_height(*, bold: bool = False) -> float:
    """Return how tall a capital of the plain typeface is, in em; its digits are as tall."""
    face = plain_face(bold=bold)
    (glyph,) = typeset("H", bold=bold).glyphs
    return float(max(points[:, 1].max() for points in face.contours(glyph.glyph)))


@lru_cache(maxsize=2)
def plain_face(*, bold: bool = False) -> FontFace:
    """Return the plain typeface of the package."""
    return FontFace(plain_typeface(bold=bold).path)


def _shaped(run: str, face: FontFace, *, from_right: bool) -> Iterator[tuple[SetGlyph, float]]:
    """Yield the glyphs of a run in one face and direction, placed from where each begins, and its advance."""
    import uharfbuzz

    buffer = uharfbuzz.Buffer()
    buffer.add_str(run)
    buffer.guess_segment_properties()
    buffer.direction = "rtl" if from_right else "ltr"
    uharfbuzz.shape(face.harfbuzz, buffer)
    starts = [*sorted({info.cluster for info in buffer.glyph_infos}), len(run)]
    end_of = dict(pairwise(starts))
    told: set[int] = set()
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        shown = "" if info.cluster in told else run[info.cluster : end_of[info.cluster]]
        told.add(info.cluster)
        place = (position.x_offset / face.upem, position.y_offset / face.upem)
        yield SetGlyph(face, int(info.codepoint), place, shown), position.x_advance / face.upem


def _visual_runs(words: str, *, bold: bool) -> list[tuple[str, FontFace, int]]:
    """Cut *words* into runs of one face and one direction, from left to right as they are seen.

    A run keeps its characters in the order in which they are read; its level is odd where that is from the
    right.
    """
    levels = _levels(words)
    parts = zip(words, _faces_for(words, bold=bold), levels, strict=True)
    runs = [
        ("".join(character for character, _, _ in group), face, level)
        for (face, level), group in groupby(parts, key=lambda part: (part[1], part[2]))
    ]
    for level in range(max(levels, default=0), 0, -1):
        runs = _turned(runs, level)
    return runs


def _turned(runs: Sequence[tuple[str, FontFace, int]], level: int) -> list[tuple[str, FontFace, int]]:
    """Turn round every sequence of *runs* of a *level* or above (rule L2)."""
    turned: list[tuple[str, FontFace, int]] = []
    for above, group in groupby(runs, key=lambda run: run[2] >= level):
        together = list(group)
        turned += reversed(together) if above else together
    return turned


def _levels(words: str) -> list[int]:
    """Return the level of each character: even from the left, odd from the right (rules P2 to I2)."""
    kinds = [unicodedata.bidirectional(character) for character in words]
    strong = [kind for kind in kinds if kind in ("L", *_FROM_THE_RIGHT)]
    if not any(kind in _FROM_THE_RIGHT for kind in strong):
        return [0] * len(words)
    base = int(strong[0] in _FROM_THE_RIGHT)
    return [
        _level(direction, base, is_number=kind in _NUMBERS)
        for direction, kind in zip(_directions(kinds, base), kinds, strict=True)
    ]


def _level(direction: int, base: int, *, is_number: bool) -> int:
    if is_number and direction == 1:
        return 2
    return base if direction == base else base + 1


def _directions(kinds: Sequence[str], base: int) -> list[int]:
    """Return the direction of each character; what has none takes that of its two sides, or the base one."""
    directions: list[int | None] = []
    last = base
    for kind in kinds:
        if kind == "L" or kind in _FROM_THE_RIGHT:
            last = int(kind != "L")
        has_one = kind == "L" or kind in _FROM_THE_RIGHT or kind in _NUMBERS or kind == "NSM"
        directions.append(last if has_one else None)
    settled: list[int] = []
    for place, direction in enumerate(directions):
        after = next((later for later in directions[place + 1 :] if later is not None), base)
        before = settled[-1] if settled else base
        settled.append(direction if direction is not None else before if before == after else base)
    return settled


def _faces_for(words: str, *, bold: bool) -> list[FontFace]:
    """Return the face for each character: ours where it has it, else an installed one, else ours."""
    plain = plain_face(bold=bold)
    lacking = "".join(_unlike(words, plain))
    others = _others(lacking, bold=bold) if lacking else {}
    faces: list[FontFace] = []
    for character in words:
        stays = unicodedata.category(character) in _GO_WITH_THE_LAST and faces
        if stays and (faces[-1].has(character) or unicodedata.category(character) == "Cf"):
            faces.append(faces[-1])
        else:
            faces.append(others.get(character, plain))
    return faces


def _unlike(words: Iterable[str], face: FontFace) -> Iterator[str]:
    """Yield what *face* lacks of the characters, each once."""
    for character in dict.fromkeys(words):
        if not face.has(character) and unicodedata.category(character) != "Cf" and character.isprintable():
            yield character


@lru_cache(maxsize=64)
def _others(characters: str, *, bold: bool) -> dict[str, FontFace]:
    """Return installed faces for *characters*, as few as will do; what none has is left out."""
    chosen: dict[str, FontFace] = {}
    left = characters
    while left:
        face = covering_face(left, bold=bold)
        if face is not None:
            chosen |= {character: face for character in left if face.has(character)}
        left = "".join(character for character in left[1:] if character not in chosen)
    return chosen
