"""Lists of puzzles as people have them are read line by line, however they come."""

import io
from pathlib import Path

import numpy as np
import pytest
from examples import EASY, SOLVED
from hypothesis import given
from hypothesis import strategies as st

from sudoku_vision.errors import OpenError
from sudoku_vision.sudoku.board import parse_board
from sudoku_vision.sudoku.bulk import lists
from sudoku_vision.sudoku.bulk.lists import Chunk, read_list

CLASH = "55" + EASY[2:]
MANY = EASY[:9] + "0" * 72


def read(text: str | bytes, folder: Path) -> list[Chunk]:
    """The chunks of a list with this text."""
    path = folder / "list.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(read_list(str(path)))


@pytest.mark.parametrize(
    "line",
    [
        *(EASY.replace("0", blank) for blank in "0._*xX "),
        *(EASY + rest for rest in (f",{SOLVED}", " an easy one", "\t17;x", ";3.2", "\r")),
        *(f"  {EASY}", f'"{EASY}","{SOLVED}"', f"\ufeff{EASY}"),
    ],
)
def test_lines_as_people_have_them_are_puzzles(line: str, tmp_path: Path) -> None:
    for end in ("", "\n", f"\n{EASY}\n\n"):
        (chunk,) = read(line + end, tmp_path)
        assert chunk.well_formed.all()
        assert chunk.numbers.tolist() == list(range(1, len(chunk.numbers) + 1))
        assert {tuple(values) for values in chunk.values.tolist()} == {parse_board(EASY)}


def test_digits_set_apart_by_spaces_are_not_taken_for_a_board_with_blanks(tmp_path: Path) -> None:
    (chunk,) = read(" ".join(SOLVED) + "\n", tmp_path)
    assert not chunk.well_formed.any()


@given(st.lists(st.sampled_from([EASY, CLASH, "bad", "", "# note", f"{MANY} etc", "\u00e4" * 81, "7" * 90])))
def test_chunks_hold_every_line_once_whatever_their_size(lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines).encode()
    expected = [(number, line) for number, line in enumerate(lines, 1) if line and line[0] != "#"]
    for size in (1, 7, 1 << 18):
        chunks = [
            portion
            for piece in lists._whole_lines(Trickle(text, size), "")
            for portion in [lists._parse(piece, "", 1)[0]]
        ]
        good = [tuple(values) for chunk in chunks for values in chunk.values[chunk.well_formed].tolist()]
        assert good == [
            parse_board(line[:81]) for _, line in expected if line in (EASY, CLASH) or "etc" in line
        ]
        assert sum(len(chunk.numbers) for chunk in chunks) == len(expected)
        for chunk in chunks:
            parts = list(chunk.portions(2))
            assert [n for part in parts for n in part.numbers] == chunk.numbers.tolist()
            assert [good for part in parts for good in part.well_formed] == chunk.well_formed.tolist()
            assert [row for part in parts for row in part.values.tolist()] == chunk.values.tolist()


class Trickle(io.BytesIO):
    """Bytes that come a few at a time, as through a pipe."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self._size = size

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(self._size)


def test_a_line_without_end_is_given_up_and_takes_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MAX_UNENDED", 100_000)
    endless = Trickle(b"1" * 300_000, 10_000)
    with pytest.raises(OpenError, match="no line ends"):
        list(lists._whole_lines(endless, ""))
    long = Trickle(b"1" * 90_000 + b"\n" + EASY.encode(), 10_000)
    pieces = b"".join(lists._whole_lines(long, "")).splitlines()
    assert pieces == [b"1" * lists.MAX_LINE, EASY.encode()]


def test_every_listed_line_is_read_as_it_is_counted(shared_data: Path) -> None:
    counts = {"sudoku17_49158": 49158, "magictour_top1465": 1465, "tdoku_test_puzzles": 43}
    for name, count in counts.items():
        chunks = list(read_list(str(shared_data / "puzzles" / f"{name}.txt")))
        assert sum(len(chunk.values) for chunk in chunks) == count
        assert all(chunk.values.dtype == np.uint8 and chunk.values.max() <= 9 for chunk in chunks)
