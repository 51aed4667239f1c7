"""Every format is one complete record, and the page about formats goes by them."""

import re
from collections import Counter
from pathlib import Path

from click.testing import CliRunner

import sudoku_vision.cli  # noqa: F401 (registers the commands)
from sudoku_vision.cli.app import app
from sudoku_vision.sudoku.formats import FORMATS, SITES, Format

PAGE = Path(__file__).parents[3] / "docs" / "formats.md"
EVERY = [*FORMATS.values(), *SITES.values()]


def test_names_and_endings_belong_to_one_format_each() -> None:
    assert len({form.name for form in EVERY}) == len(EVERY)
    assert max(Counter(ending for form in EVERY for ending in form.endings).values()) == 1


def expected_row(form: Format) -> str:
    """The line of the documented table for one format, with ... for what the format is."""
    endings = ", ".join(f"`{ending}`" for ending in form.endings)
    yes = (form.several, *(part in form.keeps for part in ("placed", "marks", "name", "rules")))
    cells = (f"`{form.name}`", endings, "...", *("yes" if does else "" for does in yes))
    return "".join(f"| {cell} " if cell else "| " for cell in cells) + "|"


def test_the_page_about_formats_lists_every_format() -> None:
    head = "| `--to` | ending | what it is | several boards | placed digits | marks | name | rules |"
    _, _, table = PAGE.read_text(encoding="utf-8").partition(f"{head}\n|---|---|---|---|---|---|---|---|\n")
    rows = table.partition("\n\n")[0].split("\n")
    told = [re.sub(r"^((?:\|[^|]*){2}\| )[^|]+( \|)", r"\1...\2", row) for row in rows]
    assert told == list(map(expected_row, EVERY))


def test_the_help_of_convert_names_every_format() -> None:
    output = CliRunner().invoke(app, ["convert", "--help"], env={"COLUMNS": "1000"}).output
    assert all(form.name in output for form in EVERY)
    assert "{formats}" not in output and "{sites}" not in output
