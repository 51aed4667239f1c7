"""Make the model card: what the classifier was trained on, by what command, and how well it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.cascade import DigitModel

_TITLES = {
    "held_drawn": "drawn boards, typefaces and handwriting held out",
    "held_printed": "of these, the print (typefaces held out)",
    "held_written": "of these, the handwriting (hands held out, and new pens)",
    "photos_unseen": "real photos, no cell of them in training",
    "photos_folds": "real photos, folds by printed puzzle",
}

_INTRODUCTION = """
`digits.npz` reads one cell of a rectified grid: blank, printed 1 to 9, written 1 to 9, or junk (a glyph that
is no upright digit). It is a cascade. The first stage, an ensemble of small multi-layer perceptrons on edge
histograms and pixels, reads every cell, in every turn in which the page may lie; the second, a larger
perceptron for handwriting on finer histograms, pixels and a learned dictionary of strokes, is asked where the
ink looks written. Trained with scikit-learn, stored as plain arrays with a JSON header. No pickle.
""".strip().splitlines()

_DATA = """
It is trained on boards drawn in several hundred typefaces and by pen, by the renderer that draws the samples
and the tests (with the light, blur, noise and JPEG of phones), on handwritten digits (MNIST), and, where
labelled photos are given, on their cells: newspaper sudokus of Baptiste Wicht's sudoku_dataset, CC-BY-4.0,
and calendar puzzles filled in with pencil and pen, of Alex Kubiesa's sudoku-scanner, MIT. It is meant for the
cells of sudoku grids alone; a cell of pencil marks counts as blank.
""".strip().splitlines()

CARD_TITLE = "# The digit classifier"
"""The first line of a card, by which it is known again."""


def model_card(model: DigitModel, metrics: Mapping[str, Any], size: int) -> str:
    """Return the card as Markdown, from a model's header, its metrics and its size in bytes."""
    lines = [
        CARD_TITLE,
        "",
        *_INTRODUCTION,
        "",
        *header_rows(model.header),
        f"| first stage | {len(model.layers)} networks, of layers {layer_sizes(model.layers[0])} |",
        f"| temperature | {model.temperature:.3f} |",
        *_second_stage(model),
        f"| size | {size:,} bytes |",
        "",
        *_DATA,
        "",
        "## Figures",
        "",
        "Error: share of cells misread (any digit or blank). Kind: share of digits whose ink was taken for",
        "written instead of printed or the reverse, each cell alone. ECE: expected calibration error.",
        "The drawn boards hold cells that nobody could read: their figures are for comparing models. Where",
        "photos were learnt from, the temperatures were chosen on them before any was.",
        "",
        "| measured on | cells | error | of digits | of blanks | kind | log loss | ECE | boards right |",
        "|---|---|---|---|---|---|---|---|---|",
        *(_row(name, found) for name, found in _flat(metrics)),
        "",
        *_confusions(metrics),
    ]
    return "\n".join(lines).rstrip() + "\n"


def header_rows(header: Mapping[str, Any]) -> list[str]:
    """Return the beginning of a card's table: what the header of a model file says of how it was made."""
    return [
        "| | |",
        "|---|---|",
        f"| made by | `{header.get('command', '')}` |",
        f"| on | {header.get('date', '')}, seed {header.get('seed', '')} |",
        f"| from | {header.get('data', '')} |",
        f"| settings | `{header.get('settings', '')}` |",
    ]


def _second_stage(model: DigitModel) -> list[str]:
    if model.handwriting is None:
        return []
    shape, strokes = layer_sizes(model.handwriting.layers), len(model.handwriting.dictionary.centres)
    return [
        f"| second stage | a network of layers {shape}, {strokes} pieces of strokes |",
        f"| its temperature | {model.handwriting.temperature:.3f} |",
    ]


def layer_sizes(layers: Sequence[tuple[Floats, Floats]]) -> str:
    """Return the sizes of the layers of a network, inputs first."""
    return ", ".join(str(weights.shape[0]) for weights, _ in layers) + f", {layers[-1][0].shape[1]}"


def _flat(metrics: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Names and metrics, those of several folders one by one."""
    found: list[tuple[str, Mapping[str, Any]]] = []
    for name, value in metrics.items():
        title = _TITLES.get(name, name)
        if "cells" in value:
            found.append((title, value))
        else:
            found += [(f"`{folder}`: {title}", part) for folder, part in value.items()]
    return found


def _row(name: str, found: Mapping[str, Any]) -> str:
    boards = f"{found['boards_right']} of {found['boards']}" if "boards" in found else ""
    shares = (found[key] for key in ("error", "digit_error", "blank_error", "kind_error"))
    return (
        f"| {name} | {found['cells']:,} | "
        + " | ".join(f"{100 * share:.3g} %" for share in shares)
        + f" | {found['log_loss']:.4f} | {found['calibration_error']:.4f} | {boards} |"
    )


def _confusions(metrics: Mapping[str, Any]) -> list[str]:
    """The confusion matrices, 0 for blank."""
    lines: list[str] = []
    for name, found in _flat(metrics):
        lines += [
            f"### Confusion: {name}",
            "",
            "Rows: what stands there, columns: what was read, 0 blank.",
            "",
        ]
        lines += ["| | " + " | ".join(map(str, range(10))) + " |", "|---" * 11 + "|"]
        for digit, row in enumerate(found["confusion"]):
            lines.append(f"| **{digit}** | " + " | ".join(str(count or "") for count in row) + " |")
        lines.append("")
    return lines


def card_place(out: Path) -> Path:
    """Return where the card of a model goes: ``README.md`` beside it, unless that is something else's."""
    readme = out.with_name("README.md")
    if readme.exists() and not readme.read_text(encoding="utf-8", errors="replace").startswith(CARD_TITLE):
        return out.with_suffix(".md")
    return readme
