"""Caption: words on a strip of paper below a picture, in lines as wide as it, large enough for a phone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from sudoku_vision.output.drawing.canvas import Canvas
from sudoku_vision.output.drawing.colours import INK, WHITE
from sudoku_vision.output.drawing.text_metrics import wrapped_words
from sudoku_vision.output.drawing.typefaces import Typeface, plain_typeface
from sudoku_vision.results import Image
from sudoku_vision.sudoku.logic import Detail, Step
from sudoku_vision.texts import ENGLISH

_EM, _SMALLEST_EM = 1 / 30, 11
"""Size of the letters, of the picture's width: 12 of the 360 pixels of a phone. In pixels at least."""
_LEADING, _MARGIN, _PARAGRAPH = 1.32, 0.9, 0.35
"""From line to line, round the words, and between two paragraphs, in em."""


@dataclass(frozen=True)
class Paragraph:
    """Words that begin a line of their own."""

    words: str
    bold: bool = False


def step_caption(
    step: Step, detail: Detail = "step", *, before: str = "", language: str = ENGLISH
) -> list[Paragraph]:
    """Return what is said of a *step*: its name, with what stands *before* that, and as much as is wanted."""
    place = f" {step.place(language)}" if detail == "place" else ""
    head = Paragraph(f"{before}{step.technique.title_in(language)}{place}", bold=True)
    return [head, Paragraph(step.told(language))] if detail == "step" else [head]


def captioned(pixels: Image, paragraphs: Iterable[Paragraph]) -> Image:
    """Return a picture (H, W, 3) uint8 BGR with *paragraphs* on white below it: (H + strip, W, 3)."""
    width = pixels.shape[1]
    em = max(round(_EM * width), _SMALLEST_EM)
    margin = round(_MARGIN * em)
    lines: list[tuple[float, str, Typeface]] = []
    top = float(margin)
    for paragraph in paragraphs:
        face = plain_typeface(bold=paragraph.bold)
        for line in wrapped_words(paragraph.words, width - 2 * margin, em, bold=paragraph.bold):
            lines.append((top, line, face))
            top += _LEADING * em
        top += _PARAGRAPH * em
    if not lines:
        return pixels
    height = round(top - (_LEADING - 1 + _PARAGRAPH) * em) + margin
    strip = Canvas.blank(width, height, WHITE)
    for at, line, face in lines:
        strip.text(line, margin, at, em, face, INK)
    return np.vstack([pixels, strip.pixels])


def stacked(pictures: Sequence[Image]) -> Image:
    """Return pictures of equal width below one another, (H, W, 3) uint8 BGR."""
    return pictures[0] if len(pictures) == 1 else np.vstack(pictures)
