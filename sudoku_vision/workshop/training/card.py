"""Make the model cards: what each model was trained on, by what command, and how well it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.mark_reader import MarkReader

_DIGITS = """
# The digit classifier

`digits.npz` reads one cell of a rectified grid: blank, printed 1 to 9, written 1 to 9, or junk (a glyph that
is no upright digit). It is a cascade. The first stage, an ensemble of small multi-layer perceptrons on edge
histograms and pixels, reads every cell, in every turn in which the page may lie; the second, a larger
perceptron for handwriting on finer histograms, pixels and a learned dictionary of strokes, is asked where the
ink looks written. Trained with scikit-learn, stored as plain arrays with a JSON header. No pickle.

{table}

It is trained on boards drawn in several hundred typefaces and by pen, by the renderer that draws the samples
and the tests (with the light, blur, noise and JPEG of phones), on handwritten digits (MNIST), and, where
labelled photos are given, on their cells: newspaper sudokus of Baptiste Wicht's sudoku_dataset, CC-BY-4.0,
and calendar puzzles filled in with pencil and pen, of Alex Kubiesa's sudoku-scanner, MIT. It is meant for the
cells of sudoku grids alone; a cell of pencil marks counts as blank.

## Figures

Error: share of cells misread (any digit or blank). Kind: share of digits whose ink was taken for
written instead of printed or the reverse, each cell alone. ECE: expected calibration error.
The drawn boards hold cells that nobody could read: their figures are for comparing models. Where
photos were learnt from, the temperatures were chosen on them before any was.

| measured on | cells | error | of digits | of blanks | kind | log loss | ECE | boards right |
|---|---|---|---|---|---|---|---|---|
{figures}

Confusion on the drawn boards. Rows: what stands there, columns: what was read, 0 blank.

{confusion}
"""

_MARKS = """
# The reader of pencil marks

`marks.npz` tells cells of pencil marks (small candidates in a cell that is not solved yet) from digits and
blanks, and reads which digits the marks are. One small multi-layer perceptron judges the size, place and
parts of the ink of a cell against its page; another tells of each piece of ink in a cell of marks which digit
it is, or that it is no single mark. Trained with scikit-learn, stored as plain arrays with a JSON header. No
pickle.

{table}

It is trained on half-solved pages drawn in several hundred typefaces and by pen, by the renderer that draws
the samples and the tests, on handwritten digits (MNIST) and, where labelled photos are given, on the marks in
them: calendar pages filled in by hand, of AlexKubiesa's sudoku-scanner (MIT). Each figure is of cells and
pieces alone; the program also weighs the whole page.

## Figures

Digits taken for marks, and marks for digits: of cells with ink, each alone. Digits right: of those
in cells of marks; false: read there, but not noted.

| measured on | cells of marks | told as marks | digits taken for marks | read whole | digits right | false |
|---|---|---|---|---|---|---|
{figures}
"""

_TITLES = {
    "held_drawn": "drawn boards, typefaces and hands held out, hardly legible ones among them",
    "held_printed": "of these, the print (typefaces held out)",
    "held_written": "of these, the handwriting (hands held out, and new pens)",
    "photos_unseen": "real photos, no cell of them in training",
    "photos_folds": "real photos, folds by printed puzzle",
}


def digit_card(model: DigitModel, metrics: Mapping[str, Any], size: int) -> str:
    """Return the card of the digit classifier as Markdown; *size* is that of its file in bytes."""
    about = {
        "first stage": f"{len(model.layers)} networks, of layers {_layers(model.layers[0])}",
        "temperature": f"{model.temperature:.3f}",
    }
    if model.handwriting is not None:
        strokes = len(model.handwriting.dictionary.centres)
        about["second stage"] = (
            f"a network of layers {_layers(model.handwriting.layers)}, {strokes} pieces of strokes"
        )
        about["its temperature"] = f"{model.handwriting.temperature:.3f}"
    rows = []
    for name, found in metrics.items():
        folders = {"": found} if "cells" in found else found
        rows += [
            _digit_row(f"`{folder}`: {_TITLES[name]}" if folder else _TITLES[name], part)
            for folder, part in folders.items()
        ]
    head = ["| | " + " | ".join(map(str, range(10))) + " |", "|---" * 11 + "|"]
    confusion = [
        f"| **{digit}** | " + " | ".join(str(count or "") for count in counts) + " |"
        for digit, counts in enumerate(metrics["held_drawn"]["confusion"])
    ]
    return _DIGITS.lstrip().format(
        table=_table(model.header, about, size),
        figures="\n".join(rows),
        confusion="\n".join(head + confusion),
    )


def _digit_row(title: str, found: Mapping[str, Any]) -> str:
    boards = f"{found['boards_right']} of {found['boards']}" if "boards" in found else ""
    errors = (found[key] for key in ("error", "digit_error", "blank_error", "kind_error"))
    shares = " | ".join(f"{100 * error:.3g} %" for error in errors)
    rest = f"{found['log_loss']:.4f} | {found['calibration_error']:.4f} | {boards}"
    return f"| {title} | {found['cells']:,} | {shares} | {rest} |"


def mark_card(reader: MarkReader, metrics: Mapping[str, Mapping[str, int]], size: int) -> str:
    """Return the card of the reader of pencil marks as Markdown; *size* is that of its file in bytes."""
    about = {
        "marks or digit": f"layers {_layers(reader.kind)}, temperature {reader.kind_temperature:.3f}",
        "which digit": f"layers {_layers(reader.shapes)}, temperature {reader.shape_temperature:.3f}",
    }
    rows = [
        f"| {_TITLES[name]} | {of['cells']} | {_share(of['found'], of['cells'])} "
        f"| {of['digits_as_marks']} of {of['digit_cells']:,} | {_share(of['whole'], of['noted'])} "
        f"| {_share(of['digits_read'], of['digits'])} | {of['digits_extra']} |"
        for name, of in metrics.items()
    ]
    table = _table(reader.header, about, size)
    return _MARKS.lstrip().format(table=table, figures="\n".join(rows))


def _table(header: Mapping[str, Any], about: Mapping[str, str], size: int) -> str:
    """Return the table at the top of a card: how the model was made, and what it is *about*."""
    rows = {
        "": "",
        "---": "---",
        "made by": f"`{header.get('command', '')}`",
        "on": f"{header.get('date', '')}, seed {header.get('seed', '')}",
        "from": str(header.get("data", "")),
        "settings": f"`{header.get('settings', '')}`",
        **about,
        "size": f"{size:,} bytes",
    }
    return "\n".join(f"| {name} | {value} |" for name, value in rows.items())


def _layers(layers: Sequence[tuple[Floats, Floats]]) -> str:
    """Return the sizes of the layers of a network, inputs first."""
    return ", ".join(str(weights.shape[0]) for weights, _ in layers) + f", {layers[-1][0].shape[1]}"


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({part / max(1, whole):.1%})"
