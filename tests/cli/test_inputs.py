"""What an argument is, is found out in one place: every command takes every kind as the docs say."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, Run, packed
from PIL import Image as Pillow

from sudoku_vision.cli.inputs import find_inputs, input_kind, looks_like_input
from sudoku_vision.sudoku.formats import link
from workshop.rendering import Drawing

DOCS = Path(__file__).resolve().parents[2] / "docs" / "commands.md"
COMMANDS = ("solve", "check", "hint", "explain", "rate", "convert", "puzzles")
CLASH = "44" + PUZZLE[2:]

pytestmark = pytest.mark.usefixtures("easily_sure")


class Place:
    """A folder with one of everything, made when it is asked for."""

    def __init__(self, folder: Path, drawing: Drawing, no_sudoku: Drawing) -> None:
        self.folder = folder
        self._drawing, self._no_sudoku = drawing, no_sudoku

    def file(self, name: str, data: bytes) -> str:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        return str(path)

    def empty_folder(self) -> str:
        (self.folder / "bare").mkdir()
        return str(self.folder / "bare")

    def folder_of(self, name: str, data: bytes) -> str:
        return str(Path(self.file(f"in/{name}", data)).parent)

    @property
    def picture(self) -> bytes:
        return packed(_pillow(self._drawing), "PNG")

    @property
    def table_top(self) -> bytes:
        return packed(_pillow(self._no_sudoku), "PNG")

    @property
    def document(self) -> bytes:
        page = _pillow(self._drawing)
        return packed(page, "TIFF", save_all=True, append_images=[page])


def _pillow(drawing: Drawing) -> Pillow.Image:
    return Pillow.fromarray(np.ascontiguousarray(drawing.pixels[..., ::-1]))


@pytest.fixture
def place(tmp_path: Path, drawing: Drawing, no_sudoku: Drawing) -> Place:
    return Place(tmp_path, drawing, no_sudoku)


BOARD = f"{PUZZLE}\n".encode()
NOISE = bytes(range(256))
KINDS: dict[str, Callable[[Place], tuple[str, bytes]]] = {
    "81 characters": lambda _: (PUZZLE, b""),
    "82 characters": lambda _: (PUZZLE + "1", b""),
    "a board that clashes": lambda _: (CLASH, b""),
    "an empty text": lambda _: ("", b""),
    "a name of nothing": lambda place: (str(place.folder / "none.txt"), b""),
    "a text file of boards": lambda place: (place.file("two.txt", BOARD + BOARD), b""),
    "a text file without a board": lambda place: (place.file("letter.txt", b"Dear reader\n"), b""),
    "an empty file": lambda place: (place.file("empty.jpg", b""), b""),
    "a file of something else": lambda place: (place.file("noise.jpg", NOISE), b""),
    "a video": lambda place: (place.file("film.mp4", b"\0\0\0\x20ftypisom" + bytes(90)), b""),
    "a link with a board": lambda _: (link(PUZZLE, "f-puzzles.com"), b""),
    "a link to something else": lambda _: ("https://sudokupad.app/abcdef", b""),
    "`-`, a board": lambda _: ("-", BOARD),
    "`-`, a picture": lambda place: ("-", place.picture),
    "`-`, nothing": lambda _: ("-", b""),
    "a picture": lambda place: (place.file("photo.png", place.picture), b""),
    "a picture without a grid": lambda place: (place.file("table.png", place.table_top), b""),
    "half a picture": lambda place: (place.file("cut.png", place.picture[:2000]), b""),
    "a document of several pages": lambda place: (place.file("scan.tif", place.document), b""),
    "a folder of pictures": lambda place: (place.folder_of("a.png", place.picture), b""),
    "a folder of board files": lambda place: (place.folder_of("a.sdm", BOARD), b""),
    "an empty folder": lambda place: (place.empty_folder(), b""),
    "a pattern that files match": lambda place: (f"{place.folder_of('a.txt', BOARD)}/*.t?t", b""),
    "a pattern without a match": lambda place: (f"{place.folder}/*.sdm", b""),
}
"""The kinds of arguments by their names in the docs: the argument, and what comes on standard input."""


def table_rows() -> dict[str, list[str]]:
    """The rows of the table in the docs, by their first cell."""
    table = DOCS.read_text().partition("<!-- inputs -->")[2].partition("<!-- end of inputs -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()]
    assert rows[0] == ["argument", *(f"`{command}`" for command in COMMANDS), "message"]
    return {row[0]: row[1:] for row in rows[2:]}


def test_the_docs_name_every_kind_of_argument() -> None:
    assert set(table_rows()) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_command_takes_an_argument_as_the_docs_say(run: Run, place: Place, kind: str) -> None:
    *statuses, message = table_rows()[kind]
    argument, stdin = KINDS[kind](place)
    messages = set()
    for command, status in zip(COMMANDS, statuses, strict=True):
        ran = run(command, argument, stdin=stdin)
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


def test_an_empty_name_is_no_folder_and_one_too_long_no_fault_of_ours(run: Run) -> None:
    assert input_kind("") == "text"
    ran = run("solve", "x" * 5000)
    assert ran.status == 2  # so many blanks are a board
    ran = run("solve", "y" * 5000)
    assert (ran.status, len(ran.err) < 600) == (3, True)


def test_what_the_program_drew_itself_is_left_out_of_folders_and_said(run: Run, place: Place) -> None:
    folder = place.folder_of("a.png", place.picture)
    (Path(folder) / "b-solved.png").write_bytes(place.picture)  # its source is not here: a person's own name
    first = run("solve", "--json", folder, "-o", folder)
    again = run("solve", "--json", folder, "-o", folder)
    assert [Path(page["source"]).name for page in first.pages] == ["a.png", "b-solved.png"]
    assert [page["source"] for page in again.pages] == [page["source"] for page in first.pages]
    assert "left out" in again.err and "a-solved.png" in again.err
    assert "left out" not in first.err
    named = run("solve", "--json", f"{folder}/a-solved.png")
    assert [page["source"] for page in named.pages] == [f"{folder}/a-solved.png"]


@pytest.mark.parametrize(
    ("argument", "is_input"),
    [
        ("photo.jpg", True),
        (SOLUTION, True),
        ("book.sdm", True),
        ("-", True),
        ("slove", False),
        ("x.doc", False),
    ],
)
def test_what_stands_in_the_place_of_a_command_is_suggested_to_solve(
    run: Run, argument: str, is_input: bool
) -> None:
    assert looks_like_input(argument) == is_input
    ran = run(argument)
    assert (ran.status, ran.out) == (2, "")
    assert (f"sudoku-vision solve {argument}" in ran.err) == is_input


@pytest.mark.parametrize("command", ["solve", "hint", "convert"])
def test_a_run_over_a_folder_ends_with_a_line(run: Run, place: Place, command: str) -> None:
    folder = place.folder_of("a.png", place.picture)
    place.file("in/b.png", place.table_top)
    place.file("in/c.png", b"")
    ran = run(command, folder)
    assert ran.status == 1
    last = ran.err.splitlines()[-1]
    assert re.fullmatch(
        r"sudoku-vision: 3 (pictures|boards): 1 [a-z]+, 1 .+, 1 not opened\. \d+\.\d\d s\.", last
    )


def test_a_link_to_a_picture_is_to_be_downloaded_first(run: Run) -> None:
    ran = run("solve", "https://example.org/photos/puzzle.JPG?size=large")
    assert (ran.status, ran.out) == (3, "")
    assert "Download the picture first" in ran.err
