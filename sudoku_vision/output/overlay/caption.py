"""Caption: words on a white strip below a picture."""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np

from sudoku_vision.output.drawing.figure import INK, Figure, Text
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.drawing.text_metrics import CAP_HEIGHT, wrapped_words
from sudoku_vision.sudoku.logic import Detail, Step
from sudoku_vision.texts import ENGLISH
from sudoku_vision.values import Image

_EM, _MIN_EM = 1 / 30, 11  # size of the letters: as a share of the picture's width, and the minimum in pixels
_LEADING, _MARGIN, _PARAGRAPH = 1.32, 0.9, 0.35
"""Distance from line to line, width of the margin, and gap between two paragraphs, in em."""


Paragraph: TypeAlias = tuple[str, bool]  # words of a caption on a new line, and whether they are bold


def step_caption(
    step: Step, detail: Detail = "step", *, before: str = "", language: str = ENGLISH
) -> list[Paragraph]:
    """Return the caption of a step: the words *before*, its technique, and as much as *detail* allows."""
    place = f" {step.place(language)}" if detail == "place" else ""
    head = f"{before}{step.technique.title_in(language)}{place}"
    return [(head, True), (step.text_in(language), False)] if detail == "step" else [(head, True)]


def captioned(pixels: Image, paragraphs: Iterable[Paragraph]) -> Image:
    """Return *pixels* (H, W, 3) uint8 BGR with *paragraphs* below, as a higher picture."""
    width = pixels.shape[1]
    em = max(round(_EM * width), _MIN_EM)
    margin = round(_MARGIN * em)
    lines: list[Text] = []
    top = float(margin)
    for paragraph, bold in paragraphs:
        for words in wrapped_words(paragraph, width - 2 * margin, em, bold=bold):
            lines.append(Text(words, (margin, top + CAP_HEIGHT * em), em, INK, bold))
            top += _LEADING * em
        top += _PARAGRAPH * em
    if not lines:
        return pixels
    height = round(top - (_LEADING - 1 + _PARAGRAPH) * em) + margin
    return np.vstack([pixels, raster(Figure(width, height, lines))])
