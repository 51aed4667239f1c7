"""``puzzles`` answers every line of every list in order, or says why there is no answer."""

import gzip
import os
import signal
import time
from pathlib import Path

import pytest
from conftest import Run, packed, started
from examples import EASY as PUZZLE
from examples import SOLVED
from PIL import Image as Pillow
from test_answers import CLASH, MANY, NONE

from sudoku_vision.cli import puzzles

MIXED = [PUZZLE, "puzzle", CLASH, MANY, "12345", NONE, PUZZLE]
WORDS = [SOLVED, "malformed", "clash", "many", "malformed", "none", SOLVED]
STATUSES = ["one", *WORDS[1:-1], "one"]


def put(folder: Path, *lines: str, name: str = "list.txt") -> Path:
    """Write a list of puzzles."""
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_where_there_is_no_solution_a_word_says_why_and_bad_lines_are_named(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path, *MIXED)
    ran = run("puzzles", path)
    assert ran.out.splitlines() == WORDS
    many = run("puzzles", put(tmp_path, *["bad"] * 500, name="bad")).err
    assert many.count("neither a digit") == puzzles.MAX_COMPLAINTS and "500 malformed" in many
    assert ran.status == 1
    assert f"{path}, line 2: 'p' at place 1" in ran.err
    assert f"{path}, line 5: A board has 81 cells, this one has 5." in ran.err
    assert "7 puzzles: 2 one, 1 many, 1 none, 1 clash, 2 malformed" in ran.err


def test_json_has_an_object_for_every_line(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path, "# a note", "", *MIXED)
    pages = run("puzzles", "--json", path).pages
    assert [page["status"] for page in pages] == STATUSES
    assert [page["line"] for page in pages] == list(range(3, 10))
    assert {page["source"] for page in pages} == {str(path)}
    assert all(list(page) == list(puzzles.FIELDS) for page in pages)
    one, malformed, clash, many = pages[:4]
    assert (one["puzzle"], one["solution"], one["second"], one["message"]) == (PUZZLE, SOLVED, None, "")
    assert malformed["puzzle"] == "puzzle"
    assert "neither a digit nor a blank" in malformed["message"]
    assert clash["solution"] is None
    assert "r1c1" in clash["message"]
    assert many["solution"] != many["second"]
    assert len(many["solution"]) == len(many["second"]) == 81
    assert all(page["message"] for page in pages[1:6])


def test_the_puzzles_of_a_table_are_in_the_column_that_its_header_names(run: Run, tmp_path: Path) -> None:
    plain, answers = put(tmp_path, *MIXED), tmp_path / "answers.csv"
    ran = run("puzzles", "--csv", "-o", answers, plain)
    assert (ran.status, ran.out) == (1, f"Written: {answers}\n")
    head, row = answers.read_text().splitlines()[:2]
    assert head == "source,line,status,puzzle,solution,second,message" and f"one,{PUZZLE},{SOLVED},," in row
    for source in (answers, "-"):
        found = run("puzzles", "--json", source, stdin=answers.read_bytes())
        assert [page["status"] for page in found.pages] == STATUSES
        assert [page["line"] for page in found.pages] == list(range(2, 2 + len(MIXED)))
    rows = ("# a note", "", "name;quiz", f'"One; two";{PUZZLE}', f"x;{MANY}", "short")
    named = run("puzzles", put(tmp_path, *rows, name="named"))
    assert named.out.splitlines() == [SOLVED, "many", "malformed"]


def test_lists_come_from_files_gz_and_standard_input_in_the_order_named(run: Run, tmp_path: Path) -> None:
    first = put(tmp_path, PUZZLE, MANY)
    second = tmp_path / "packed, whatever its name"
    second.write_bytes(gzip.compress(f"{NONE}\n".encode()))
    ran = run("puzzles", first, "-", second, stdin=f"{CLASH}\n".encode())
    assert ran.out.splitlines() == [SOLVED, "many", "clash", "none"]
    assert run("puzzles", "-", stdin=gzip.compress(PUZZLE.encode())).out == f"{SOLVED}\n"


def test_for_other_formats_it_names_the_command_that_reads_them(run: Run, tmp_path: Path) -> None:
    rows = [PUZZLE[row : row + 9] for row in range(0, 81, 9)]
    assert "sudoku-vision convert" in run("puzzles", put(tmp_path, *rows)).err
    assert "convert" not in run("puzzles", put(tmp_path, *rows, PUZZLE)).err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no puzzle in it"),
        (b"# only a note\n\n", "no puzzle in it"),
        (bytes(range(256)), "no text"),
        (PUZZLE.encode("utf-16"), "no text"),
        (packed(Pillow.new("RGB", (9, 9)), "PNG"), "sudoku-vision solve"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "sudoku-vision solve"),
        (gzip.compress(bytes(1000), mtime=0), "no text"),
    ],
)
def test_files_that_are_no_lists_stop_nothing(run: Run, tmp_path: Path, content: bytes, words: str) -> None:
    strange = tmp_path / "strange"
    strange.write_bytes(content)
    alone = run("puzzles", strange)
    assert (alone.status, alone.out) == (3, "")
    assert words in alone.err
    beside = run("puzzles", strange, put(tmp_path, PUZZLE))
    assert (beside.status, beside.out) == (1, f"{SOLVED}\n")


def test_lines_before_a_damaged_place_of_a_gz_are_solved(run: Run, tmp_path: Path) -> None:
    whole = "".join(f"{SOLVED[shift:]}{SOLVED[:shift]}\n" for shift in range(0, 81, 9)) * 500
    path = tmp_path / "half.gz"
    path.write_bytes(gzip.compress(whole.encode())[:-20])
    ran = run("puzzles", path)
    assert ran.status == 1
    assert "damaged" in ran.err
    assert 0 < len(ran.out.splitlines()) <= 4500


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another thing there")
def test_a_typed_puzzle_is_answered_at_once_and_ctrl_c_leaves_what_was_solved() -> None:
    with started("puzzles", "-") as process:
        assert process.stdin and process.stdout and process.stderr
        for _ in range(3):
            process.stdin.write(f"{PUZZLE}\n")
            process.stdin.flush()
            assert process.stdout.readline() == f"{SOLVED}\n"
        time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait() == 130
        message = process.stderr.read()
        assert "interrupted after 3 puzzles: 3 one" in message and "Traceback" not in message


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_a_signal_leaves_the_old_file_and_the_solved_puzzles_beside_it(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    out.write_text("earlier\n")
    with started("puzzles", "-", "-o", out) as process:
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write(f"{PUZZLE}\n")
        process.stdin.flush()
        while not any(entry.stat().st_size for entry in tmp_path.glob(".sudoku-vision-*.part")):
            time.sleep(0.02)
        time.sleep(0.1)
        process.terminate()
        assert process.wait() == 143
        message = process.stderr.read()
        assert "interrupted after 1 puzzle: 1 one" in message
        assert f"What came of them is in {out}.part" in message
    assert out.read_text() == "earlier\n"
    assert Path(f"{out}.part").read_text() == f"{SOLVED}\n"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["out.txt", "out.txt.part"]


@pytest.mark.parametrize("form", [(), ("--csv",), ("--json",)])
@pytest.mark.parametrize("cut", [0, 1, 4, 6, 7])
def test_an_interrupted_run_continues(run: Run, tmp_path: Path, form: tuple[str, ...], cut: int) -> None:
    call, out = ("puzzles", put(tmp_path, *MIXED), *form, "-o", tmp_path / "out.txt"), tmp_path / "out.txt"
    whole, part = run(*call), Path(f"{out}.part")
    lines = out.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join(lines[: cut + (form == ("--csv",))]) + b"401")
    before = out.read_bytes()
    ran = run(*call, "--resume")
    assert (ran.status, out.read_bytes()) == (whole.status, before)
    assert ran.err.splitlines()[-1].startswith("sudoku-vision: 7 puzzles: 2 one, 1 many, 1 none, 1 clash")
    assert (f" {cut - 1:,} of 7 w" in ran.err) == (cut > 1)
    assert not part.exists()


@pytest.mark.parametrize(
    ("lines", "form"),
    [
        ([SOLVED, WORDS[2]], ()),
        ([SOLVED] * 8, ()),
        (["{}", "{}"], ()),
        ([SOLVED] * 2, ("--csv",)),
        (["7"] * 2, ("--json",)),
    ],
)
def test_only_own_lists_are_resumed(
    run: Run, tmp_path: Path, lines: list[str], form: tuple[str, ...]
) -> None:
    part = put(tmp_path, *lines, name="out.txt.part")
    ran = run("puzzles", put(tmp_path, *MIXED), *form, "-o", tmp_path / "out.txt", "--resume")
    assert ran.status == 2 and "out.txt.part: these are no answers to these lists" in ran.err
    assert part.read_text().split() == lines and not (tmp_path / "out.txt").exists()
    assert "--resume goes on with an output" in run("puzzles", PUZZLE, "--resume").err


def test_an_older_file_stays_if_no_list_can_be_opened(run: Run, tmp_path: Path) -> None:
    out = put(tmp_path, "earlier", name="out.txt")
    for more in ((), ("--resume",)):
        assert run("puzzles", tmp_path / "none.txt", "-o", out, *more).status == 3
        assert out.read_text() == "earlier\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes close otherwise there")
def test_a_closed_pipe_ends_the_work_without_a_traceback(tmp_path: Path) -> None:
    path = put(tmp_path, *[PUZZLE] * 20_000)
    with started("puzzles", path) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == f"{SOLVED}\n"
        process.stdout.close()
        assert process.wait() == 1
        assert "Traceback" not in process.stderr.read()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_is_one_line(run: Run, tmp_path: Path) -> None:
    ran = run("puzzles", put(tmp_path, PUZZLE), "-o", "/dev/full")
    assert ran.status == 1
    assert "no space left" in ran.err
