"""The benchmarks spoil pictures as they say, count what happened, and check every answer."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bench
import covers
import negatives
import numpy as np
import pytest
import solver as benchmark
import stress
import web
from conftest import PUZZLE
from examples import PROPER
from labelled_examples import dat
from web_service import Answer

from sudoku_vision.output.save import save
from sudoku_vision.page import Page, solved_board
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.sudoku.solver import solve
from sudoku_vision.vision.digits import load_model
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Doubt, Lattice, Photo, Reading
from workshop.evaluation.labels import find_labels
from workshop.rendering import Drawing


def page_of(status: Any, puzzle: str = PUZZLE) -> Page:
    page = solved_board(NamedBoard(puzzle), "")
    grids = () if status == "no_grid" else (replace(page.grids[0], status=status),)
    return replace(page, status=status, grids=grids)


def test_claims_are_counted_by_kind() -> None:
    pages = map(page_of, ("no_grid", "solved", "unreadable", "no_grid"))
    readings = list(negatives.read_pages(("chessboard", "text"), 2, lambda _: next(pages)))
    assert [negatives.is_claimed(page) for *_, page in readings] == [False, True, False, False]
    assert [line.split()[:3] for line in negatives.table(readings).splitlines()[1:]] == [
        ["chessboard", "2", "1"],
        ["text", "2", "0"],
        ["all", "4", "1"],
    ]


def test_saying_that_there_is_no_grid_is_compared_with_a_hit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(negatives, "SIZES", [(320, 240)])
    negatives.main(["--only", "blank"])
    sudoku, blank = capsys.readouterr().out.splitlines()[-2:]
    assert sudoku.startswith("sudoku")
    assert blank.startswith("blank")
    assert blank.endswith("of a hit  no_grid")


def test_each_cover_of_a_solved_picture_is_counted_once(tmp_path: Path, drawing: Drawing) -> None:
    save(tmp_path / "page.png", drawing.pixels)
    (tmp_path / "page.dat").write_text(dat(PUZZLE))
    (picture,) = find_labels(tmp_path)
    counts = covers.read_covered(["stain", "stroke"], 2, 1, None, picture)
    assert {kind: of.pop("pictures") for kind, of in counts.items()} == {"stain": 2, "stroke": 2}
    assert {outcome for of in counts.values() for outcome in of} <= set(covers.OUTCOMES)
    assert [sum(of.values()) for of in counts.values()] == [2, 2]


def test_the_outcome_of_a_grid_depends_on_place_and_solution(drawing: Drawing) -> None:
    (grid,) = read_page(Photo(drawing.pixels)).grids
    assert covers.outcome_of(grid, [grid]) == "solved"
    assert grid.solution is not None
    other = replace(grid, reading=replace(grid.reading, solution=np.roll(grid.solution, 1)))
    assert covers.outcome_of(grid, [other]) == "wrong"
    assert covers.outcome_of(grid, [replace(grid, status="uncertain")]) == "uncertain"
    far = replace(grid, lattice=Lattice(grid.lattice.crossings + 500))
    assert covers.outcome_of(grid, [far]) == "not found"


def test_levels_are_counted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A reader that reads bright pictures, misreads dim ones, and finds nothing in dark ones."""
    truth = stress.drawn(0, None, 0.0).grids[0]

    def read(photo: Any, model: Any) -> Page:
        light = photo.pixels.mean()
        reading = Reading(truth.puzzle, 0 * truth.puzzle, truth.solution, 1, 0.9)
        if light < 100:
            reading = replace(reading, puzzle=0 * truth.puzzle, solution=0 * truth.puzzle)
        grid = Grid("solved", truth.lattice, reading)
        return Page("", 1, "solved", "", (grid,) if light > 30 else (), 0.0)

    monkeypatch.setattr(stress, "read_page", read)
    stress.main(["--count", "1", "--only", "exposure"])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[1] == ["clean", "1", "1", "1", "1", "0", "0"]
    assert lines[2] == ["exposure", "0.5", "1", "1", "1", "1", "0", "0"]
    assert ["exposure", "0.03", "1", "0", "0", "0", "0", "0"] in lines
    assert lines[-1][:4] == ["exposure", "12", "%", "0.5"]
    assert int(lines[-1][4]) > 0


def test_a_lost_clue_is_not_wrong_if_the_answer_is_right_but_it_must_be_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawing = stress.drawn(0, None, 0.0)
    truth = drawing.grids[0]
    lost = int(np.flatnonzero(truth.puzzle)[0])
    puzzle = np.where(np.arange(81).reshape(9, 9) == lost, 0, truth.puzzle).astype(np.int8)
    doubt = Doubt(lost, (0, 5), (0.6, 0.4), kind="role")

    def counts(*doubts: Doubt) -> set[str]:
        reading = Reading(puzzle, 0 * puzzle, truth.solution, 1, 0.999, doubts=doubts)
        grids = (Grid("solved", truth.lattice, reading),)
        monkeypatch.setattr(stress, "read_page", lambda *_, **__: Page("", 1, "solved", "", grids, 0.0))
        return {name for name, holds in stress.counted(drawing, load_model()).items() if holds}

    assert counts() == {"found", "solved", "unnamed"}
    assert counts(doubt) == {"found", "solved"}


def test_it_runs_and_counts_wrong_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = benchmark.norvig()
    assert [answer(puzzle) for puzzle in PROPER] == [str(solve(puzzle)) for puzzle in PROPER]
    assert answer("12345678" + "." * 9 + "9" + "." * 63) == ""
    monkeypatch.setattr(bench, "DATA", tmp_path)
    (tmp_path / "puzzles").mkdir()
    for name in benchmark.LISTS:
        (tmp_path / "puzzles" / name).write_text("\n".join(PROPER))
    for wrong in (0, 1):
        benchmark.main(["--rounds", "2", "--count", "4"])
        _, *rows = [line.split() for line in capsys.readouterr().out.splitlines()]
        assert [row[0] for row in rows] == list(benchmark.LISTS)
        assert all(row[1] == "4" and float(row[4]) > 1 for row in rows)
        assert {int(row[-1]) > 0 for row in rows} == {bool(wrong)}
        monkeypatch.setattr(benchmark, "solve", lambda _: "1" * 81)


def test_a_refusal_says_when_to_come_again_and_anything_else_is_lost() -> None:
    answers = [Answer(200, 0.1), Answer(200, 0.2), Answer(503, 0.01, "1"), Answer(0, 60.0)]
    name, *counts = web.waits_row("all", answers)[:4]
    assert (name, counts) == ("all", ["2", "1", "1"])
    assert not Answer(503, 0.01).is_refusal


def test_a_solution_is_wrong_where_another_puzzle_lies() -> None:
    def grid(place: float, digit: int) -> Any:
        crossings = np.full((10, 10, 2), place, np.float32)
        return SimpleNamespace(lattice=SimpleNamespace(crossings=crossings), solution=np.full((9, 9), digit))

    frame = web.FilmFrame(b"", (grid(100, 1), grid(300, 2)))
    near_first = [[[110.0, 90.0]] * 10] * 10
    assert frame.wrong([{"solution": "1" * 81, "crossings": near_first}]) == 0
    assert frame.wrong([{"solution": "2" * 81, "crossings": near_first}]) == 1
    assert frame.wrong([{"solution": None, "crossings": near_first}]) == 0
