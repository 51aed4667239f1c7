"""Caption: words on a white strip below a picture."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sudoku_vision.output.drawing.colours import INK
from sudoku_vision.output.drawing.figure import Figure, Text
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.drawing.text_metrics import CAP_HEIGHT, wrapped_words
from sudoku_vision.sudoku.logic import Detail, Step
from sudoku_vision.texts import ENGLISH
from sudoku_vision.values import Image

_EM, _MIN_EM = 1 / 30, 11  # size of the letters: as a share of the picture's width, and least in pixels
_LEADING, _MARGIN, _PARAGRAPH = 1.32, 0.9, 0.35
"""Distance from line to line, width of the margin, and gap between two paragraphs, in em."""


@dataclass(frozen=True)
class Paragraph:
    """Words of a caption that begin on a new line."""

    words: str
    bold: bool = False


def step_caption(
    step: Step, detail: Detail = "step", *, before: str = "", language: str = ENGLISH
) -> list[Paragraph]:
    """Return the caption of a step: the words *before*, its technique, and what *detail* asks for."""
    place = f" {step.place(language)}" if detail == "place" else ""
    head = Paragraph(f"{before}{step.technique.title_in(language)}{place}", bold=True)
    return [head, Paragraph(step.text_in(language))] if detail == "step" else [head]


def captioned(pixels: Image, paragraphs: Iterable[Paragraph]) -> Image:
    """Return *pixels* (H, W, 3) uint8 BGR with *paragraphs* below, as a higher picture."""
    width = pixels.shape[1]
    em = max(round(_EM * width), _MIN_EM)
    margin = round(_MARGIN * em)
    lines: list[Text] = []
    top = float(margin)
    for paragraph in paragraphs:
        for words in wrapped_words(paragraph.words, width - 2 * margin, em, bold=paragraph.bold):
            lines.append(Text(words, (margin, top + CAP_HEIGHT * em), em, INK, paragraph.bold))
            top += _LEADING * em
        top += _PARAGRAPH * em
    if not lines:
        return pixels
    height = round(top - (_LEADING - 1 + _PARAGRAPH) * em) + margin
    return np.vstack([pixels, raster(Figure(width, height, lines))])
