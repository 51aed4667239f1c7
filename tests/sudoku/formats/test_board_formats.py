"""Boards from texts, files and links, and back: every format, every way to break it, and their page."""

import contextlib
import itertools
import json
import random
import re
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from conftest import PUZZLE, SOLUTION
from examples import JIGSAW, REGIONS
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sudoku_vision.cli  # noqa: F401 (registers the commands)
from sudoku_vision.cli.app import app
from sudoku_vision.errors import BoardError, UsageError
from sudoku_vision.sudoku.board import NO_MARKS
from sudoku_vision.sudoku.display import PLAIN, TextStyle, board_lines, print_lines, puzzle_and_solution
from sudoku_vision.sudoku.formats import (
    FORMATS,
    SITES,
    Format,
    NamedBoard,
    find_boards,
    format_named,
    format_of,
    fpuzzles,
    link,
    plain_text,
    read_boards,
    text_of,
    write_board,
    write_boards,
)
from sudoku_vision.sudoku.formats.grids import read_row
from sudoku_vision.sudoku.rules import CLASSIC, PEERS, Rules
from sudoku_vision.sudoku.solver import solve

DOTS = PUZZLE.replace("0", ".")
ROWS = [DOTS[at : at + 9] for at in range(0, 81, 9)]
EVERYTHING = [*FORMATS, *SITES]
A_FIFTH = settings(max_examples=max(10, settings().max_examples // 5))
"""Of the examples, for what is tried with every format."""

cells = st.lists(st.integers(0, 9), min_size=81, max_size=81)
names = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=30)


@st.composite
def named_boards(draw: st.DrawFn) -> NamedBoard:
    """Boards with clues, placed digits, pencil marks and names; digits may clash."""
    digits = np.array(draw(cells), np.int8).reshape(9, 9)
    if draw(st.booleans()):  # few digits, as in a puzzle
        digits = np.where(np.random.default_rng(draw(st.integers(0, 99))).random((9, 9)) < 0.3, digits, 0)
    placed = np.array(draw(st.lists(st.booleans(), min_size=81, max_size=81))).reshape(9, 9)
    blank = np.zeros((9, 9), np.int8)
    # All nine marks are left out: a link to sudokuwiki.org has them in a cell that nobody has marked.
    masks = np.random.default_rng(draw(st.integers(0, 99))).integers(0, 511, 81)
    sets = [frozenset(d for d in range(1, 10) if mask >> (d - 1) & 1) for mask in masks.tolist()]
    few = draw(st.integers(0, 81))
    marks = tuple(
        frozenset[int]() if digit or cell >= few else one
        for cell, (one, digit) in enumerate(zip(sets, digits.flat, strict=True))
    )
    clues, entered = np.where(placed, blank, digits), np.where(placed, digits, blank)
    return NamedBoard(clues, entered, draw(names), marks=marks)


def text(board: NamedBoard) -> str:
    return "".join(map(str, board.clues.flat))


def only(data: str | bytes) -> str:
    (board,) = read_boards(data)
    return text(board)


# Round trips


@pytest.mark.parametrize("form", EVERYTHING)
@A_FIFTH
@given(named_boards())
@example(NamedBoard("0" * 81))
@example(NamedBoard(SOLUTION))
@example(NamedBoard(PUZZLE, name="Q.E.D."))
def test_what_is_written_is_read_again(form: str, board: NamedBoard) -> None:
    keeps = format_named(form).keeps
    (read,) = read_boards(write_board(board, form))
    assert (read.clues == board.clues).all()
    assert (read.placed == (board.placed if "placed" in keeps else 0)).all()
    assert read.marks == (board.marks if "marks" in keeps else NO_MARKS)
    if "name" in keeps:
        assert read.name == board.name


@pytest.mark.parametrize("form", [form for form in EVERYTHING if "regions" in format_named(form).keeps])
def test_the_regions_of_a_jigsaw_are_read_from_its_borders(form: str) -> None:
    jigsaw, classic = NamedBoard(JIGSAW, rules=Rules(regions=REGIONS)), NamedBoard(PUZZLE)
    assert read_boards(write_boards([jigsaw, classic, jigsaw], form)) == [jigsaw, classic, jigsaw]
    open_border = write_board(jigsaw, form).replace("---+", "   +", 1).replace("───┐", "   ┐", 1)
    assert read_boards(open_border)[0].rules == CLASSIC


@pytest.mark.parametrize("form", [form for form in EVERYTHING if format_named(form).several])
@A_FIFTH
@given(st.lists(cells, min_size=2, max_size=5))
def test_several_boards_in_one_text_are_read_again_in_order(form: str, boards: list[list[int]]) -> None:
    read = read_boards(write_boards([NamedBoard(board) for board in boards], form))
    assert [board.clues.reshape(81).tolist() for board in read] == boards


@given(st.text(max_size=400))
@example("aaaaaaaaaaaaaaaaaa")
@example("Grüße, 数独, 🧩")
def test_packing_loses_nothing(plain: str) -> None:
    assert fpuzzles.decompress(fpuzzles.compress(plain)) == plain


def test_packing_is_that_of_javascript() -> None:
    # From the documentation of lz-string and the tests of SudokuPad's tools.
    assert fpuzzles.compress("Hello, World!") == "BIUwNmD2A0AEDqkBOYAmBCIA"
    blank = '{"size":3,"grid":[[{},{},{}],[{},{},{}],[{},{},{}]]}'
    packed = "N4IgzglgXgpiBcBmANCA5gJwgEwQbT2AF9ljSiBdZQks4qm88iiooA=="
    assert fpuzzles.decompress(packed) == blank


def short_form(digits: list[int]) -> str:
    """The clues alone, as SudokuPad writes them: each cell with up to five blanks behind it."""
    marks = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
    packed = re.finditer(r"\d0{0,5}", "".join(map(str, digits)))
    return "".join(marks[int(found[0][0]) + 10 * (len(found[0]) - 1)] for found in packed)


@given(cells)
def test_the_short_form_of_sudokupad_is_read(board: list[int]) -> None:
    read = read_boards(f"https://sudokupad.app/scf{short_form(board)}")[0]
    assert read.clues.reshape(81).tolist() == board


# Nothing but BoardError


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=9)
        | st.dictionaries(st.sampled_from(["puzzle", "grid", "grids", "cells", "size", "name", "a"]), inner)
    ),
)


@given(
    st.text()
    | st.binary()
    | st.text("0123456789.-_*xX|+ \n#[](){},;:'\"/", min_size=1, max_size=1500)
    | json_values.map(json.dumps)
)
def test_any_text_bytes_or_json_make_boards_or_a_board_error(data: str | bytes) -> None:
    try:
        assert read_boards(data)
    except BoardError as error:
        assert error.message and error.remedy


@pytest.mark.parametrize("form", EVERYTHING)
@A_FIFTH
@given(board=named_boards(), seed=st.integers(0, 2**32))
def test_a_damaged_text_makes_boards_or_a_board_error(form: str, board: NamedBoard, seed: int) -> None:
    marks = list(write_board(board, form))
    rng = random.Random(seed)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(marks))
        marks[place : place + rng.randint(0, 3)] = rng.choices(
            "0123456789.[]{}\"'\n |-:=&%", k=rng.randint(0, 3)
        )
    with contextlib.suppress(BoardError):
        assert read_boards("".join(marks) or "x")


@pytest.mark.parametrize(
    "hostile",
    [
        "[" * 100_000,
        '{"puzzle":' * 5_000 + "1" + "}" * 5_000,
        '["' + '\\"' * 50_000,
        "[" + "9" * 10_000 + "]",
        " " * 500_000 + "1",
        "[ " * 20 + " " * 300_000 + "x",
        "5 " * 300_000,
        ":" * 300_000,
        "1" * 1_000_000,
        "<opensudoku>" * 50_000,
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><opensudoku>&b;</opensudoku>',
        "<html><body>Sudoku</body></html>",
        "https://sudokupad.app/" + "a/" * 50_000,
        "https://f-puzzles.com/?load=" + "A" * 60_000,
        "https://f-puzzles.com/?" + "&".join(f"a{n}=1" for n in range(5000)) + "&load=N4Ig",
        "https://[::1",
    ],
    ids=lambda hostile: hostile[:24],
)
def test_hostile_texts_are_refused_at_once(hostile: str) -> None:
    began = time.process_time()
    with pytest.raises(BoardError):
        read_boards(hostile)
    assert time.process_time() - began < 3


def test_a_link_that_unpacks_to_gigabytes_is_refused() -> None:
    bomb = fpuzzles.compress('{"a":"' + "a" * 1_100_000 + '"}')
    assert len(bomb) < 5_000
    with pytest.raises(BoardError, match="more than 1048576 characters"):
        read_boards("https://f-puzzles.com/?load=" + bomb)


# Lines


def test_lines_keep_their_order_number_and_remark() -> None:
    boards = read_boards(f"# three puzzles\n\n{DOTS} # first\n{SOLUTION}\n{PUZZLE}\n")
    assert [(board.line, board.name) for board in boards] == [(3, "first"), (4, ""), (5, "")]
    assert list(map(text, boards)) == [PUZZLE, SOLUTION, PUZZLE]


def test_a_table_is_read_by_the_names_of_its_columns() -> None:
    rows = f'id,solution,quizzes,title\n1,{SOLUTION},{PUZZLE},Easy\n2,{SOLUTION},{SOLUTION},"One, two"\n'
    first, second = read_boards(rows)
    assert (text(first), first.name) == (PUZZLE, "Easy")
    assert (text(second), second.name) == (SOLUTION, "One, two")


def test_a_table_has_the_solution_by_the_rules_of_its_board() -> None:
    rules = Rules(regions=REGIONS)
    _, row = write_boards([NamedBoard(JIGSAW, rules=rules)], "csv").splitlines()
    assert row.split(",")[1] == str(solve(JIGSAW, rules=rules)) != ""


def test_hodoku_marks_placed_digits() -> None:
    cells = "+1" + DOTS[1:]
    (board,) = read_boards(f":0361:4:{cells}:434 441 442:411:r7c39 fr3c3\n")
    assert text(board) == "0" + PUZZLE[1:]
    assert board.placed[0, 0] == 1 and board.placed.sum() == 1
    assert read_boards(cells) == [replace(board, marks=NO_MARKS)]
    assert {cell: marks for cell, marks in enumerate(board.marks) if marks} == {27: {3, 7, 8, 9}}


# Grids


def grid(rows: list[str], between: str = " ", bar: str = " | ", rule: str = "------+-------+------") -> str:
    lines = [bar.join(between.join(row[at : at + 3]) for at in (0, 3, 6)) for row in rows]
    return "\n".join("\n".join(lines[at : at + 3]) + f"\n{rule}" for at in (0, 3, 6))


RULES = ["", "-" * 21, "------+-------+------", "=" * 25, "───┼───┼───", "* * *", "---", "_" * 9]


@pytest.mark.parametrize("between", ["", " ", "  "])
@pytest.mark.parametrize("bar", ["|", " | ", "  | ", " |", " ", "  ", " │ ", "║", "!"])
def test_grids_as_people_print_them(between: str, bar: str) -> None:
    for rule, blank in itertools.product(RULES, "0.x"):
        drawn = grid([row.replace(".", blank) for row in ROWS], between, bar, rule)
        assert only(drawn) == PUZZLE
        assert only(f"{rule}\n{drawn}") == PUZZLE
        assert only(f"My puzzle\n{drawn}\nSolve it, if you can.") == PUZZLE
        boards = read_boards(f"{drawn}\n{drawn}\nAnother:\n{drawn}")
        assert [board.name for board in boards] == ["", "", "Another"]


def test_grids_stand_side_by_side_or_follow_each_other_with_and_without_gaps() -> None:
    one, other = "\n".join(ROWS), PUZZLE[::-1]
    assert len(read_boards(f"{one}\n{one}")) == len(read_boards(f"{one}\n\n\n{one}\n")) == 2
    assert len(read_boards(f"{one}\n{one}\n\nand words\n")) == 2
    lines = [f"{row}   {other[9 * at : 9 * at + 9]}" for at, row in enumerate(ROWS)]
    assert list(map(text, read_boards("\n".join(lines)))) == [PUZZLE, other]


@pytest.mark.parametrize("blank", "-_*")
def test_rows_of_dashes_are_not_taken_for_rules(blank: str) -> None:
    rows = [row.replace(".", blank) for row in ROWS]
    rows[4] = blank * 9
    expected = PUZZLE[:36] + "0" * 9 + PUZZLE[45:]
    assert only("\n".join(rows)) == expected
    assert only(grid(rows, " ", " | ", "------+-------+------")) == expected
    with_rules = "\n".join([*ROWS[:3], "-" * 9, *ROWS[3:6], "_" * 9, *ROWS[6:]])
    assert only(with_rules) == PUZZLE
    assert only("\n".join([blank * 9] * 9)) == "0" * 81


def test_the_program_reads_what_it_prints_itself(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    clues, solution = (np.array(list(map(int, cells))).reshape(9, 9) for cells in (PUZZLE, SOLUTION))
    for text_style in (PLAIN, TextStyle(), TextStyle(colour=True)):
        print_lines(puzzle_and_solution(clues, solution, text_style), text_style)
        printed = capsys.readouterr().out
        assert ("\x1b[1m" in printed) == text_style.colour
        assert only(f"photo.jpg: solved\n\n  solved, confidence 0.998\n  {printed}") == PUZZLE
        assert only("\n".join(board_lines(PUZZLE, unicode=text_style.unicode))) == PUZZLE


def test_a_table_with_every_cell_in_bars() -> None:
    rows = ["|" + "|".join(f" {mark if mark != '.' else ' '} " for mark in row) + "|" for row in ROWS]
    rule = "+" + "---+" * 9
    assert only(f"{rule}\n" + f"\n{rule}\n".join(rows) + f"\n{rule}\n") == PUZZLE
    assert only("\n".join([rows[0], "|" + "---|" * 9, *rows[1:]])) == PUZZLE


def test_rows_with_spaces_for_blanks_are_read_by_their_columns() -> None:
    rows = [row.replace(".", " ") for row in ROWS]
    assert only("\n".join(rows)) == PUZZLE
    drawn = grid(rows)
    assert only(drawn) == PUZZLE
    assert only("\n".join(line.rstrip() for line in drawn.split("\n"))) == PUZZLE
    with pytest.raises(BoardError, match="more than one way"):
        read_boards("\n".join(["1   2   3", "    4", "5   6", "7", "        8", "9", "1", "    2", "3   4"]))


def test_candidates_make_a_board_of_the_single_ones() -> None:
    candidates = ["".join(str(1 + n) for n in range(3)) if mark == "0" else mark for mark in PUZZLE]
    rows = [" ".join(f"{cell:6}" for cell in candidates[at : at + 9]) for at in range(0, 81, 9)]
    drawn = "\n".join(f"| {row[:21]}| {row[21:42]}| {row[42:]}|" for row in rows)
    assert only(f"*{'-' * 40}*\n{drawn}\n") == PUZZLE
    (board,) = read_boards(drawn)
    blank = PUZZLE.index("0")
    assert board.marks[blank] == {1, 2, 3} and not board.marks[PUZZLE.index("5")]


def test_candidates_that_were_struck_out_are_missing_in_the_marks_of_their_cells() -> None:
    struck, marks = [""] * 81, [""] * 81
    blank, marked, clue = PUZZLE.index("0"), PUZZLE.rindex("0"), PUZZLE.index("5")
    struck[blank], struck[marked], struck[clue], marks[marked] = "12", "9", "5", "189"
    (board,) = read_boards(json.dumps({"puzzle": PUZZLE, "marks": marks, "struck": struck}))
    seen = {int(PUZZLE[peer]) for peer in PEERS[blank]}
    assert board.marks[blank] == {*range(1, 10)} - seen - {1, 2}
    assert board.marks[marked] == {1, 8}
    assert sum(map(bool, board.marks)) == 2


# Files of programs


def test_sadman_files_keep_clues_and_placed_digits_apart() -> None:
    state = [SOLUTION[:9], *ROWS[1:]]
    lines = ["#A Somebody", "#D A hard one", "[Puzzle]", *ROWS, "[State]", *state, "[PencilMarks]", "1,2"]
    (board,) = read_boards("\r\n".join(lines))
    assert (text(board), board.name) == (PUZZLE, "A hard one")
    assert (board.digits[0] == list(map(int, SOLUTION[:9]))).all()
    assert (board.placed[0] > 0).sum() == ROWS[0].count(".")


def test_labels_and_opensudoku_in_all_their_versions() -> None:
    rows = [" ".join(PUZZLE[at : at + 9]) for at in range(0, 81, 9)]
    assert only("\n".join(["Telephone 4", "960x1280: 24 JPG", *rows])) == PUZZLE
    game = f'<game data="{PUZZLE}" />'
    for inner in (f"<name>x</name>{game}{game}", f"<folder>{game * 2}</folder>"):
        boards = read_boards(f'<?xml version="1.0"?>\n<opensudoku version="2">{inner}</opensudoku>')
        assert list(map(text, boards)) == [PUZZLE, PUZZLE]


@pytest.mark.parametrize(
    ("version", "keys", "middle"),
    [
        (1, ("data", "note"), ["-", "1,2,", "-"]),
        (2, ("data", "note"), ["0|", "3|", "0|"]),
        (3, ("data", "note"), ["0", "3", "0"]),
        (4, ("cells_data", "user_note"), ["0|0", "3|4", "0|0"]),
        (5, ("cells_data", "user_note"), ["0|0|0", "0|3|7", "0|0|0"]),
    ],
)
def test_saved_games_of_opensudoku_in_all_their_versions(
    version: int, keys: tuple[str, str], middle: list[str]
) -> None:
    clue, marked, placed = middle
    cells = [f"5|{clue}|0|", f"0|{marked}|1|", f"7|{placed}|1|", *[f"0|{clue}|1|"] * 78]
    data, note = keys
    for end in ("&#10;", "\n"):  # which XML makes a space of
        game = f'<game {data}="version: {version}{end}{"".join(cells)}" {note}="On the train" />'
        (board,) = read_boards(f'<opensudoku version="3"><folder name="x">{game}</folder></opensudoku>')
        assert (text(board)[:3], board.placed[0, 2], board.name) == ("500", 7, "On the train")
        assert board.marks == (NO_MARKS[0], frozenset({1, 2}), *NO_MARKS[2:])
    for broken in ("version: 9 5|0|0|", f"version: {version} 5|{clue}|0|", f"version: {version} 5|x|"):
        with pytest.raises(BoardError, match="game 1"):
            read_boards(f'<opensudoku><game data="{broken}" /></opensudoku>')


# Values


def test_json_lines_as_solve_prints_them_give_their_puzzles() -> None:
    page = {
        "source": "a.jpg",
        "grids": [{"status": "uncertain", "puzzle": PUZZLE, "written": "0" * 80 + "9"}],
    }
    nothing: dict[str, Any] = {"source": "b.jpg", "grids": []}
    unread = {"source": "c.jpg", "grids": [{"status": "unreadable", "puzzle": "0" * 81}]}
    (board,) = read_boards("\n".join(map(json.dumps, (page, nothing, unread))))
    assert (text(board), board.placed[8, 8], board.uncertain) == (PUZZLE, 9, True)


# Links


def test_packed_links_survive_what_mail_does_to_them() -> None:
    for number in range(20):
        board = NamedBoard(PUZZLE, name=f"number {number} of ÿÿÿ~~~")
        packed = link(board, "f-puzzles.com").partition("load=")[2]
        for start in ("f-puzzles.com/?load=", "sudokupad.app/fpuzzles", "sudokupad.app/fpuz"):
            assert read_boards(f"https://{start}{packed}")[0] == board
            assert read_boards(f"https://{start}{packed.replace('+', '%2B').replace('/', '%2F')}")[0] == board


def test_a_board_with_candidates_of_sudokuwiki_keeps_clues_and_placed_digits_apart() -> None:
    numbers = [int(mark) for mark in PUZZLE]
    numbers = [number or 18 + 0b101 for number in numbers]
    numbers[1] = 9 + 1
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    packed = "".join(digits[number // 36] + digits[number % 36] for number in numbers)
    board = read_boards(f"https://www.sudokuwiki.org/sudoku.htm?bd=S9B{packed}")[0]
    assert (text(board), board.placed[0, 1], board.placed.sum()) == (PUZZLE, 1, 1)


def test_marks_are_read_as_other_programs_write_them() -> None:
    marks = (*NO_MARKS[:1], frozenset({2, 8}), *NO_MARKS[2:])
    rows: list[list[dict[str, Any]]] = [[{} for _ in range(9)] for _ in range(9)]
    rows[0][0] = {"value": 5, "given": True, "cornerPencilMarks": [1]}
    rows[0][1] = {"centerPencilMarks": ["2", 8], "cornerPencilMarks": [3]}
    board = NamedBoard("5" + "0" * 80, marks=marks)
    assert read_boards(json.dumps({"size": 9, "grid": rows})) == [board]
    rows[0][1] = {"cornerPencilMarks": [8, 2]}
    assert read_boards(json.dumps({"size": 9, "grid": rows})) == [board]
    texts = ["7", "28", *[""] * 79]
    assert read_boards(json.dumps({"puzzle": "5" + "0" * 80, "marks": texts})) == [board]
    assert read_boards(json.dumps({"puzzle": "5" + "0" * 80, "marks": "none"}))[0].marks == NO_MARKS
    with pytest.raises(BoardError, match="both a digit and pencil marks"):
        NamedBoard("05" + "0" * 79, marks=marks)


def test_sudokupads_own_packing_is_read() -> None:
    rows = [
        [{"value": int(mark)} if mark != "0" else {} for mark in PUZZLE[at : at + 9]]
        for at in range(0, 81, 9)
    ]
    packed = fpuzzles.compress(json.dumps({"cells": rows, "cages": [{"value": "title: x"}]}))
    for prefix in ("scl", "ctc"):
        assert text(read_boards(f"https://sudokupad.app/{prefix}{packed}")[0]) == PUZZLE
    cages = [{"cells": [[0, 1], [0, 0]], "value": 12}, {"value": "author: x"}]
    packed = fpuzzles.compress(json.dumps({"cells": [[{}] * 9] * 9, "cages": cages}))
    assert read_boards(f"https://sudokupad.app/scl{packed}")[0].rules == Rules(cages=[(12, (0, 1))])
    short = fpuzzles.compress(
        json.dumps({"p": short_form(list(map(int, PUZZLE))), "n": "Named", "s": "", "m": ""})
    )
    board = read_boards(f"https://sudokupad.svencodes.com/puzzle/{short}")[0]
    assert (text(board), board.name) == (PUZZLE, "Named")


# What is read, and what is refused


NESTED = [[int(mark) for mark in PUZZLE[at : at + 9]] for at in range(0, 81, 9)]
JSON_VALUES: list[Any] = [
    PUZZLE,
    DOTS,
    ROWS,
    {"puzzle": DOTS},
    {"Board": NESTED, "difficulty": "hard"},
    {"data": 1, "grid": {"values": NESTED}},
    {"puzzles": [DOTS]},
    [{"quiz": DOTS, "solution": SOLUTION}],
    {
        "source": "a.jpg",
        "status": "solved",
        "grids": [{"status": "solved", "puzzle": PUZZLE, "solution": SOLUTION}],
    },
]


@pytest.mark.parametrize(
    "text",
    [
        *(PUZZLE.replace("0", blank) for blank in "0_*xX-"),
        f"{DOTS} # from the paper",
        f"0000183b305c {PUZZLE}  1.2",
        f'"{DOTS}"',
        f"{DOTS},{SOLUTION}",
        f"{SOLUTION},{DOTS}",
        f"17,{DOTS},{SOLUTION},28",
        "  " + " ".join(DOTS),
        ", ".join(PUZZLE),
        f"{DOTS}\r\n",
        f"\x1b[1m{DOTS}\x1b[0m",
        repr(NESTED),
        *(repr([[digit or blank for digit in row] for row in NESTED]) for blank in (None, "", ".", 0.0)),
        *(
            json.dumps([digit or blank for row in NESTED for digit in row])
            for blank in (None, "", "0", False)
        ),
        f"board = {NESTED!r}",
        f"grid: list[list[int]] = {NESTED!r}",
        repr(np.array(NESTED, np.int8)),
        str(np.array(NESTED)),
        repr([list(row) for row in ROWS]),
        "[\n" + "".join(f"    {row},\n" for row in NESTED) + "]\n",
        f"http://www.sudokuwiki.org/Sudoku.htm?bd={DOTS}",
        f"sudokuwiki.org/sudoku.htm?bd={PUZZLE}&n=1",
        f"https://sudoku.coach/de/play/{PUZZLE}",
        f"  <https://sudokuexchange.com/play/?s={PUZZLE}&d=3>",
        "https://sudokuexchange.com/play/?s=" + ",".join(PUZZLE),
        f"https://example.org/solver#{PUZZLE}",
        *(json.dumps(value, indent=indent) for value in JSON_VALUES for indent in (None, 2)),
    ],
)
def test_a_board_is_read_whatever_stands_around_it(text: str) -> None:
    assert only(text) == PUZZLE


def packed(value: object, start: str = "https://f-puzzles.com/?load=") -> str:
    return start + fpuzzles.compress(json.dumps(value))


NO_BOARDS: list[tuple[Any, str]] = [
    (NESTED[:8], "8 rows of 9"),
    ([row[:8] for row in NESTED], "9 rows of 8"),
    ([10, *[0] * 80], "r1c1 holds '10'"),
    ([["five", *[0] * 8], *NESTED[1:]], "r1c1 holds 'five'"),
    ({"name": "nothing"}, "without a board"),
    ({"puzzle": 7}, "which is no board"),
    ({"puzzle": PUZZLE, "written": "9" + "0" * 80}, "both a clue and a placed digit"),
]
OTHER_RULES: list[tuple[dict[str, Any], str]] = [
    ({"thermometer": [{"lines": [["R1C1", "R1C2"]]}]}, "further rules: thermometer"),
    ({"thermometer": [1], "antiknight": True}, "further rules: antiknight, thermometer"),
    ({"killercage": [{"cells": ["R1C1"]}]}, "cages without a sum"),
    ({"killercage": [{"cells": ["R1C10"], "value": "3"}]}, "cages without a sum"),
    ({"grid": [[{}] * 6] * 6, "size": 6}, "6 rows of cells"),
    ({"grid": [[{"region": 3}] * 9] * 9}, "region 4 has 81"),
    ({"grid": [[{"value": 12, "given": True}] * 9] * 9}, "r1c1 holds '12'"),
    ({"grid": [[{"region": None}] * 9] * 9}, "without a region"),
    ({"diagonal+": True}, "one diagonal alone"),
    ({"grid": 7}, "no rows of cells"),
]
NO_REGIONS: list[Any] = [[1, [[0, 0]]], [[[[], {}]]], [["ab", None]]]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (DOTS[:-1], "line 1: a board has 81 cells, this one has 80"),
        (DOTS[:-1] + "a", "line 1: 'a' at place 81"),
        (f":0000:x:{DOTS[:-1]}:::", "line 1: a board has 81 cells, this one has 80"),
        ("\n".join(ROWS[:8]), "lines 1 to 8 hold 8 rows"),
        ("\n".join([*ROWS[:4], "4 . . | a . . | 8 . 5", *ROWS[5:]]), "then comes line 5: '4 . . | a"),
        ("\n".join([*ROWS[:8], "", *ROWS, ROWS[0]]), "don't make groups of nine"),
        (
            "\n".join(["4 . . . . . 8 . 5"] * 8 + ["1 . 4 . . . . ."]),
            "line 9: a row has nine cells, this one has 8",
        ),
        (f"{DOTS}\n{DOTS * 2}", "line 2: a board has 81 cells, this one has 162"),
        ("\n".join([*(" ".join(row) for row in ROWS[:8]), *ROWS]), "hold 17 rows"),
        ("hello", "no board in it"),
        ("", "nothing in it"),
        ("GIF89a\x01\x00\x01\x00", "no text: line 1"),
        ("https://sudokupad.app/psxczr0jpr", "number only"),
        ("https://f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT2A", "cut off"),
        ("https://f-puzzles.com/?load=N4Ig!zgl", "'!' does not belong"),
        ("https://f-puzzles.com/", "no board in this link"),
        ("https://sudokupad.app/scf12", "2 cells here"),
        ("https://sudokupad.app/scf1~2", "'~' does not belong"),
        ("https://www.sudokuwiki.org/sudoku.htm?bd=S9B0102", "in 162 characters, here are 4"),
        ("https://www.sudokuwiki.org/X_Wing_Strategy", "no board in this link"),
        ("https://example.org/", "no board in this link"),
        *((json.dumps(value), complaint) for value, complaint in NO_BOARDS),
        *(
            (packed({"size": 9, "grid": [[{}] * 9] * 9, **extra}), complaint)
            for extra, complaint in OTHER_RULES
        ),
        *(
            (
                packed({"cells": [[{}] * 9] * 9, "regions": regions}, "https://sudokupad.app/scl"),
                "A region has nine cells",
            )
            for regions in NO_REGIONS
        ),
    ],
)
def test_what_is_no_board_is_refused_with_a_reason_and_a_remedy(text: str, complaint: str) -> None:
    with pytest.raises(BoardError) as refused:
        read_boards(text)
    assert complaint in str(refused.value) and refused.value.remedy


# Names of formats and sites


def test_formats_go_by_their_endings_too() -> None:
    assert format_of("book.SDM").name == "sdm"
    assert format_named(".ss").name == format_named("SS").name == "ss"
    with pytest.raises(UsageError, match=r"ending '\.xyz'.*\.sdk"):
        format_of("book.xyz")
    with pytest.raises(UsageError, match="no ending"):
        format_of("book")
    with pytest.raises(UsageError, match=r"sudoku\.coach"):
        format_named("morse")
    with pytest.raises(UsageError, match=r"sudoku\.coach"):
        link(PUZZLE, "example.org")


def test_a_named_board_is_checked_and_can_not_be_changed() -> None:
    with pytest.raises(BoardError, match="r1c1 holds both"):
        NamedBoard(PUZZLE, PUZZLE)
    with pytest.raises(BoardError, match="-1 at place 1 is neither a digit"):
        NamedBoard(np.full((9, 9), -1, np.int8))
    board = NamedBoard(PUZZLE, name="two\nlines\x07")
    assert board.name == "two lines"
    with pytest.raises(ValueError, match="read-only"):
        board.clues[0, 0] = 1
    assert len({board, NamedBoard(PUZZLE, name="two lines", line=3)}) == 1
    assert board != PUZZLE


# Limits


SLOW = 2.0  # seconds within which each of these texts is read, even on a machine with much else to do


@pytest.mark.parametrize(
    "line",
    [
        "x(" + 990 * " ",
        "x(" + 990 * ")" + "x",
        "(" + 495 * " )" + "x",
        "a = " + 480 * ": =" + "(",
        ":" + 400 * " :" + "x",
        990 * "'\" ",
        990 * "-",
    ],
)
def test_a_line_takes_time_by_its_length(line: str) -> None:
    started = time.perf_counter()
    for _ in range(100):
        read_row(line)
    assert time.perf_counter() - started < SLOW
    find_boards("\n".join(100 * [line]))
    assert time.perf_counter() - started < 2 * SLOW


def test_more_lines_than_the_limit_are_refused_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_vision.sudoku.formats.cells.MAX_LINES", 100)
    for data in (300 * "\n" + PUZZLE, ("\ufeff" + 300 * "\n" + PUZZLE).encode("utf-16")):
        with pytest.raises(BoardError, match=r"300 lines of text, the limit is 100\. .*puzzles FILE"):
            text_of(data)
    assert len(text_of(100 * "x\r\n" + "y").split("\n")) == 101


def test_a_line_without_end_is_refused() -> None:
    with pytest.raises(BoardError, match=r"line 2 has 100,001 characters, the limit is 100,000"):
        read_boards(f"{PUZZLE}\n{'x' * (plain_text.MAX_LINE + 1)}")


def test_endless_words_without_a_board_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_text, "MAX_WORDS", 1000)
    words = 11 * "all work and no play makes Jack a dull boy, and these are just so many words of his.\n"
    assert len(read_boards(f"{words}\n{PUZZLE}")) == 1
    with pytest.raises(BoardError, match=r"up to line 13 more than 1,000 characters"):
        read_boards(f"{words}{PUZZLE}\n{words}")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "'=1", "plain", "'plain"])
def test_a_name_is_no_formula_in_a_table_and_comes_back(name: str) -> None:
    written = write_board(NamedBoard(PUZZLE, name=name), "csv")
    assert all(cell[0] not in "=+-@" for cell in written.splitlines()[1].split(",") if cell)
    (board,) = read_boards(written)
    assert board.name == name


# The records of formats, and the page about them.


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
