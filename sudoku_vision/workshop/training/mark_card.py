"""Make the model card of the reader of pencil marks."""

from __future__ import annotations

from collections.abc import Mapping

from sudoku_vision.vision.digits.mark_reader import MarkReader
from sudoku_vision.workshop.training.card import header_rows, layer_sizes
from sudoku_vision.workshop.training.marks import MarkFigures

_TITLES = {
    "held_drawn": "drawn boards, typefaces and hands held out, hardly legible ones among them",
    "photos_folds": "real photos of half-solved pages, folds by puzzle",
}

_INTRODUCTION = """
# The reader of pencil marks

`marks.npz` tells cells of pencil marks (small candidates in a cell that is not solved yet) from digits and
blanks, and reads which digits the marks are. One small multi-layer perceptron judges the size, place and
parts of the ink of a cell against its page; another tells of each piece of ink in a cell of marks which digit
it is, or that it is no single mark. Trained with scikit-learn, stored as plain arrays with a JSON header. No
pickle.
""".strip().splitlines()

_DATA = """
It is trained on half-solved pages drawn in several hundred typefaces and by pen, by the renderer that draws
the samples and the tests, on handwritten digits (MNIST) and, where labelled photos are given, on the marks in
them: calendar pages filled in by hand, of AlexKubiesa's sudoku-scanner (MIT). Each figure is of cells and
pieces alone; the program also weighs the whole page.
""".strip().splitlines()


def mark_card(reader: MarkReader, figures: Mapping[str, MarkFigures], size: int) -> str:
    """Return the card as Markdown, from a reader's header, its figures and its size in bytes."""
    lines = [
        *_INTRODUCTION,
        "",
        *header_rows(reader.header),
        f"| marks or digit | layers {layer_sizes(reader.kind)}, temperature {reader.kind_temperature:.3f} |",
        f"| which digit | layers {layer_sizes(reader.shapes)}, temperature {reader.shape_temperature:.3f} |",
        f"| size | {size:,} bytes |",
        "",
        *_DATA,
        "",
        "## Figures",
        "",
        "Digits taken for marks, and marks for digits: of cells with ink, each alone. Digits right: of those",
        "in cells of marks; false: read there, but not noted.",
        "",
        "| measured on | cells of marks | told as marks | digits taken for marks | read whole "
        "| digits right | false |",
        "|---|---|---|---|---|---|---|",
        *(_row(_TITLES.get(name, name), found) for name, found in figures.items()),
    ]
    return "\n".join(lines) + "\n"


def _row(title: str, found: MarkFigures) -> str:
    marks, digits = found.kinds[2], found.kinds[1]
    return (
        f"| {title} | {marks.sum()} | {_share(marks[2], marks.sum())} | {digits[2]} of {digits.sum():,} "
        f"| {_share(found.whole, found.cells)} | {_share(found.right, found.digits)} | {found.false} |"
    )


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({part / max(1, whole):.1%})"
