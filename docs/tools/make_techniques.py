"""Draw the examples of all techniques into their pages: ``python docs/tools/make_techniques.py``.

Each family of techniques, a module of ``logic.techniques``, has a page in ``docs/techniques/``. Text written
by hand stays. Between the two comments of a technique, the program writes its difficulty, the drawing of a
step on its example, and the sentence of the step. A new technique gets a section, a new family a page, and
``index.md`` lists all. The files are the same on every machine: only the typeface of the package is measured.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from sudoku_vision.output.drawing.figure import Figure, moved
from sudoku_vision.output.drawing.svg import svg
from sudoku_vision.output.overlay.chain_links import LEGEND
from sudoku_vision.output.overlay.step_sheets import board_elements
from sudoku_vision.sudoku.board import Board
from sudoku_vision.sudoku.formats import read_boards
from sudoku_vision.sudoku.logic import techniques
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.steps import Step, Technique
from sudoku_vision.sudoku.logic.techniques.singles import with_blockers

FOLDER = Path(__file__).resolve().parents[1] / "techniques"
EXAMPLES: dict[str, str] = json.loads(Path(__file__).with_name("technique_examples.json").read_text())
"""For each technique a board on which it is the easiest step: 81 digits, 0 for blank; or a line of HoDoKu's
library, with a plus before each entry, and struck candidates as digit, row, column."""

SIDE = 100.0
"""Of a drawn board, in millimetres: 380 pixels of a page, and a phone's width."""


def made() -> dict[Path, str]:
    """Return the text of every file in the folder, as it is to be."""
    files: dict[Path, str] = {}
    rows: list[tuple[int, str]] = []
    for family, records in families():
        page = FOLDER / f"{family}.md"
        text = page.read_text(encoding="utf-8") if page.exists() else new_page(family)
        for record in records:
            files[FOLDER / f"{slug(record)}.svg"] = drawing(record)
            text = with_block(text, record)
            link = f"[{record.name}]({family}.md#{slug(record)})"
            rows.append((record.order, f"| {link} | {record.difficulty} | {record.score} |\n"))
        files[page] = text
    index = FOLDER / "index.md"
    table = "| technique | difficulty | score |\n|---|---|---|\n" + "".join(row for _, row in sorted(rows))
    text = between(index.read_text(encoding="utf-8"), "links", f"{LEGEND}\n")
    files[index] = between(text, "techniques", f"\n{table}\n")
    return files


def families() -> Iterator[tuple[str, tuple[Technique, ...]]]:
    """Yield the name of each family's page, and its records."""
    for module in iter_modules(techniques.__path__):
        records = import_module(f"{techniques.__name__}.{module.name}").TECHNIQUES
        yield module.name.replace("_", "-"), tuple(sorted(records, key=lambda record: record.order))


def slug(record: Technique) -> str:
    """Return what a technique's drawing and its place on the page are called."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", record.name.lower()))


@cache
def example_of(record: Technique) -> tuple[Candidates, Board, Step]:
    """Return the board of a technique's example, its clues, and the step that the technique finds there."""
    (shown,) = read_boards(EXAMPLES[record.name])
    values, clues = shown.digits.ravel().tolist(), shown.clues.ravel().tolist()
    board = Candidates(values, clues, shown.rules, shown.marks)
    step = record.find(board)
    assert step is not None, f"{record.name} is not on its example"
    return board, shown.clues, with_blockers(board, step)


def drawing(record: Technique) -> str:
    """Return the drawing of a technique's example as SVG."""
    board, clues, step = example_of(record)
    margin = 0.01 * SIDE
    elements = board_elements(board, step, clues, SIDE - 2 * margin)
    figure = Figure(SIDE, SIDE, [*moved(elements, margin, margin)])
    return svg(figure, title=f"{record.name}: an example")


def with_block(text: str, record: Technique) -> str:
    """Return the text of a page with what is made of a technique at its place, or in a new section."""
    if f"<!-- {record.name} -->\n" not in text:
        title = record.title
        text = f"{text.rstrip()}\n\n## {title}\n\n<!-- {record.name} -->\n<!-- end of {record.name} -->\n"
    return between(text, record.name, block_of(record))


def between(text: str, name: str, block: str) -> str:
    """Return *text* with a *block* between the comments that begin and end what is made of *name*."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    before, _, rest = text.partition(begin)
    return before + begin + block + end + rest.partition(end)[2]


def block_of(record: Technique) -> str:
    """Return what is made of a technique: how hard it is, its drawing, and what that says."""
    _, _, step = example_of(record)
    return (
        f"*{record.difficulty}, score {record.score}*\n\n"
        f"![{record.name} on a board]({slug(record)}.svg)\n\n"
        f"> {step.text}\n\n"
        f"`{EXAMPLES[record.name]}`\n"
    )


def new_page(family: str) -> str:
    """Return the beginning of a page, of what its module says of the family."""
    module = import_module(f"{techniques.__name__}.{family.replace('-', '_')}")
    title, _, rest = " ".join((module.__doc__ or "").split("\n\n")[0].split()).partition(": ")
    return f"# {title.rstrip('.')}\n\n{rest[:1].upper()}{rest[1:]}\n" if rest else f"# {title.rstrip('.')}\n"


def main() -> int:
    """Write what has changed, take away what is no longer made, and return the exit status."""
    FOLDER.mkdir(exist_ok=True)
    files = made()
    for path in FOLDER.iterdir():
        if path not in files:
            path.unlink()
    for path, text in files.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
            print(path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
