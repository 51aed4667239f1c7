"""Make the model cards: how each model was trained, on which data, and how well it reads."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sudoku_vision.vision.digits.model_files import ModelFile

_TITLES = {
    "held_drawn": "drawn boards, typefaces and hands held out, hardly legible ones among them",
    "held_printed": "of these, the print (typefaces held out)",
    "held_written": "of these, the handwriting (hands held out, and new pens)",
    "photos_unseen": "real photos, no cell of them in training",
    "seen": "photos that it learnt from",
    "photos_folds": "real photos, folds by printed puzzle",
}


def card(file: ModelFile[Any], model: Any, metrics: Mapping[str, Any], size: int) -> str:
    """Return the card of a model as Markdown; its model file has *size* bytes."""
    header, (arrays, numbers) = model.header, file.pack(model)
    networks = (f"{name} {'x'.join(map(str, one.shape))}" for name, one in arrays.items() if one.ndim > 1)
    about = {
        "made by": f"`{header['command']}`",
        "on": f"{header['date']}, seed {header['seed']}",
        "from": header["data"],
        "settings": f"`{header['settings']}`",
        "arrays": ", ".join(networks),
        "numbers": ", ".join(f"{name} {one:.4g}" for name, one in numbers.items() if isinstance(one, float)),
        "size": f"{size:,} bytes",
    }
    text = Path(__file__).with_name(f"{file.name}_card.md").read_text(encoding="utf-8")
    text += f"\n{_figures(metrics)}\n"
    if file.name == "digits":
        rows = [[digit, *counts] for digit, counts in enumerate(metrics["held_drawn"]["confusion"])]
        table = _table(["", *range(10)], rows)
        text += (
            f"\nConfusion on the drawn boards. Rows: what stands there, columns: what was read.\n\n{table}\n"
        )
    return text.replace("{table}", _table(["", ""], about.items()))


def _figures(metrics: Mapping[str, Any]) -> str:
    """Return a table of numbers with a row for each entry of *metrics*, or for each part of an entry."""
    rows: dict[str, Mapping[str, Any]] = {}
    for name, found in metrics.items():
        if all(isinstance(part, Mapping) for part in found.values()):
            rows |= {f"{_TITLES[name]}: {part}": of for part, of in found.items()}
        else:
            rows[_TITLES[name]] = found
    every = dict.fromkeys(key for of in rows.values() for key in of)
    names = [name for name in every if any(isinstance(of.get(name), int | float) for of in rows.values())]
    head = ["measured on", *(name.replace("_", " ") for name in names)]
    return _table(head, ([title, *(of.get(name, "") for name in names)] for title, of in rows.items()))


def _table(head: Sequence[object], rows: Iterable[Iterable[object]]) -> str:
    """Return a table as Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_shown, line))} |" for line in lines)


def _shown(value: object) -> str:
    return (
        f"{value:.4g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
    )
