"""Make the model cards: how each model was trained, on which data, and how well it reads."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sudoku_vision.values import Floats
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.mark_reader import MarkReader
from sudoku_vision.vision.digits.occlusion import OcclusionModel
from sudoku_vision.vision.digits.sum_reader import SumReader

_TITLES = {
    "held_drawn": "drawn boards, typefaces and hands held out, hardly legible ones among them",
    "held_printed": "of these, the print (typefaces held out)",
    "held_written": "of these, the handwriting (hands held out, and new pens)",
    "photos_unseen": "real photos, no cell of them in training",
    "seen": "photos that it learnt from",
    "photos_folds": "real photos, folds by printed puzzle",
}


def digit_card(model: DigitModel, metrics: Mapping[str, Any], size: int) -> str:
    """Return the card of the digit classifier as Markdown; its model file has *size* bytes."""
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
    return _card("digits", model, about, size, rows, confusion="\n".join(head + confusion))


def _digit_row(title: str, found: Mapping[str, Any]) -> str:
    boards = f"{found['boards_right']} of {found['boards']}" if "boards" in found else ""
    errors = (found[key] for key in ("error", "digit_error", "blank_error", "kind_error"))
    shares = " | ".join(f"{100 * error:.3g} %" for error in errors)
    rest = f"{found['log_loss']:.4f} | {found['calibration_error']:.4f} | {boards}"
    return f"| {title} | {found['cells']:,} | {shares} | {rest} |"


def mark_card(reader: MarkReader, metrics: Mapping[str, Mapping[str, int]], size: int) -> str:
    """Return the card of the reader of pencil marks as Markdown; its model file has *size* bytes."""
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
    return _card("marks", reader, about, size, rows)


def sum_card(reader: SumReader, metrics: Mapping[str, Mapping[str, int]], size: int) -> str:
    """Return the model card of the reader of sums as Markdown. Its model file has *size* bytes."""
    numbers = f"temperature {reader.temperature:.3f}, sharpening {reader.sharpening:.2f}"
    about = {"network": f"layers {_layers(reader.layers)}, {numbers}"}
    rows = [
        f"| {_TITLES[name]} | {of['sums']:,} | {_share(of['right'], of['sums'])} | {of['surely wrong']} | "
        f"{_share(of['taken'], of['cells'])} |"
        for name, of in metrics.items()
    ]
    return _card("sums", reader, about, size, rows)


def occlusion_card(
    model: OcclusionModel, metrics: Mapping[str, Mapping[str, Mapping[str, int]]], size: int
) -> str:
    """Return the card of the occlusion model as Markdown; its model file has *size* bytes."""
    about = {"network": f"layers {_layers(model.layers)}"}
    rows = [
        f"| {_TITLES[name]} | {kind} | {of['cells']:,} | {_share(of['above 0.01'], of['cells'])} "
        f"| {_share(of['above 0.2'], of['cells'])} |"
        for name, kinds in metrics.items()
        for kind, of in kinds.items()
    ]
    return _card("occlusion", model, about, size, rows)


def _card(
    name: str,
    model: DigitModel | MarkReader | SumReader | OcclusionModel,
    about: Mapping[str, str],
    size: int,
    figures: Sequence[str],
    **more: str,
) -> str:
    """Fill in the template of a card. *about*: rows for the table at its top. *figures*: rows below it."""
    header = model.header
    rows = {
        "": "",
        "---": "---",
        "made by": f"`{header['command']}`",
        "on": f"{header['date']}, seed {header['seed']}",
        "from": header["data"],
        "settings": f"`{header['settings']}`",
        **about,
        "size": f"{size:,} bytes",
    }
    table = "\n".join(f"| {name} | {value} |" for name, value in rows.items())
    template = Path(__file__).with_name(f"{name}_card.md").read_text(encoding="utf-8")
    return template.format(table=table, figures="\n".join(figures), **more)


def _layers(layers: Sequence[tuple[Floats, Floats]]) -> str:
    """Return the sizes of the layers of a network, from the inputs to the outputs."""
    return ", ".join(str(weights.shape[0]) for weights, _ in layers) + f", {layers[-1][0].shape[1]}"


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({part / max(1, whole):.1%})"
