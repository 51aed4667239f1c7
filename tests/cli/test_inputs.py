"""One module finds out what an argument is: every command takes every kind, as the docs say."""

import re
from pathlib import Path

import numpy as np
import pytest
from conftest import PUZZLE, Run, packed
from PIL import Image as Pillow

from sudoku_vision.cli.inputs import find_inputs
from sudoku_vision.sudoku.formats import link
from workshop.rendering import Drawing

DOCS = Path(__file__).resolve().parents[2] / "docs" / "commands.md"
COMMANDS = ("solve", "check", "hint", "explain", "rate", "convert", "puzzles")
CLASH = "44" + PUZZLE[2:]

pytestmark = pytest.mark.usefixtures("easily_sure")


BOARD = f"{PUZZLE}\n".encode()


@pytest.fixture(autouse=True)
def place(
    tmp_path: Path, drawing: Drawing, no_sudoku: Drawing, monkeypatch: pytest.MonkeyPatch
) -> dict[str, bytes]:
    """Work in a folder with one of everything; return the files by name."""
    page, table = (
        Pillow.fromarray(np.ascontiguousarray(one.pixels[..., ::-1])) for one in (drawing, no_sudoku)
    )
    picture = packed(page, "PNG")
    files = {
        "two.txt": BOARD + BOARD,
        "letter.txt": b"Dear reader\n",
        "empty.jpg": b"",
        "noise.jpg": bytes(range(256)),
        "film.mp4": b"\0\0\0\x20ftypisom" + bytes(90),
        "photo.png": picture,
        "table.png": packed(table, "PNG"),
        "cut.png": picture[:2000],
        "scan.tif": packed(page, "TIFF", save_all=True, append_images=[page]),
        "pictures/a.png": picture,
        "boards/a.sdm": BOARD,
        "texts/a.txt": BOARD,
    }
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "bare").mkdir()
    monkeypatch.chdir(tmp_path)
    return files


KINDS = {
    "81 characters": PUZZLE,
    "82 characters": PUZZLE + "1",
    "a board that clashes": CLASH,
    "an empty text": "",
    "a name of nothing": "none.txt",
    "a text file of boards": "two.txt",
    "a text file without a board": "letter.txt",
    "an empty file": "empty.jpg",
    "a file of something else": "noise.jpg",
    "a film": "film.mp4",
    "a link with a board": link(PUZZLE, "f-puzzles.com"),
    "a link to something else": "https://sudokupad.app/abcdef",
    "`-`, a board": "-",
    "`-`, a picture": "-",
    "`-`, nothing": "-",
    "a picture": "photo.png",
    "a picture without a grid": "table.png",
    "half a picture": "cut.png",
    "a document of several pages": "scan.tif",
    "a folder of pictures": "pictures",
    "a folder of board files": "boards",
    "an empty folder": "bare",
    "a pattern that files match": "texts/*.t?t",
    "a pattern without a match": "*.sdm",
}
"""The arguments by what the docs call their kinds."""
STDIN = {"`-`, a board": "boards/a.sdm", "`-`, a picture": "photo.png"}
"""The files that come on standard input."""


def table_rows() -> dict[str, list[str]]:
    """The rows of the table in the docs, by their first cell."""
    table = DOCS.read_text().partition("<!-- inputs -->")[2].partition("<!-- end of inputs -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()]
    assert rows[0] == ["argument", *(f"`{command}`" for command in COMMANDS), "message"]
    return {row[0]: row[1:] for row in rows[2:]}


def test_the_docs_name_every_kind_of_argument() -> None:
    assert set(table_rows()) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_command_takes_arguments_as_the_docs_say(run: Run, place: dict[str, bytes], kind: str) -> None:
    *statuses, message = table_rows()[kind]
    stdin = place[STDIN[kind]] if kind in STDIN else b""
    messages = set()
    for command, status in zip(COMMANDS, statuses, strict=True):
        ran = run(command, KINDS[kind], stdin=stdin)
        assert (command, ran.status) == (command, int(status)), ran.err
        assert "Traceback" not in ran.err
        if message and command != "puzzles":
            messages.add(ran.err)
            assert message in ran.err, command
    assert len(messages) <= 1, "one argument, one message"


def test_patterns_files_and_standard_input_keep_their_order(tmp_path: Path) -> None:
    for name in ("1.jpg", "2.jpg", "odd[1].jpg"):
        (tmp_path / name).write_bytes(b"x")
    given = ["-", str(tmp_path / "odd[1].jpg"), str(tmp_path / "?.jpg"), "missing.jpg"]
    assert _names(*given) == ["-", "odd[1].jpg", "1.jpg", "2.jpg", "missing.jpg"]


def _names(*arguments: str) -> list[str]:
    return [Path(item.name).name for item in find_inputs(arguments)]


def test_drawings_of_the_program_are_left_out_of_folders(run: Run, place: dict[str, bytes]) -> None:
    folder = "pictures"
    Path("pictures/b-solved.png").write_bytes(place["photo.png"])  # its source is not here: a person's own
    first = run("solve", "--json", folder, "-o", folder)
    again = run("solve", "--json", folder, "-o", folder)
    assert [Path(page["source"]).name for page in first.pages] == ["a.png", "b-solved.png"]
    assert [page["source"] for page in again.pages] == [page["source"] for page in first.pages]
    assert "left out" in again.err and "a-solved.png" in again.err
    assert "left out" not in first.err
    named = run("solve", "--json", f"{folder}/a-solved.png")
    assert [page["source"] for page in named.pages] == [f"{folder}/a-solved.png"]


@pytest.mark.parametrize("command", ["solve", "hint", "convert"])
def test_a_run_over_a_folder_ends_with_a_line(run: Run, place: dict[str, bytes], command: str) -> None:
    Path("pictures/b.png").write_bytes(place["table.png"])
    Path("pictures/c.png").touch()
    ran = run(command, "pictures")
    assert ran.status == 1
    last = ran.err.splitlines()[-1]
    assert re.fullmatch(
        r"sudoku-vision: 3 (pictures|boards): 1 [a-z]+, 1 .+, 1 not opened\. \d+\.\d\d s\.", last
    )
