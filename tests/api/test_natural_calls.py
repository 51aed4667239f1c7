"""Natural calls: what a newcomer tries, from habits with OpenCV, Pillow, NumPy and pandas.

Each works, or says in one plain sentence what is wrong and what to do.
"""

import inspect
import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board
from examples import REGIONS
from PIL import Image as Pillow

import sudoku_vision as sv
from sudoku_vision.errors import SudokuVisionError
from workshop.rendering import Drawing

ROWS = [PUZZLE[start : start + 9] for start in range(0, 81, 9)]


@pytest.fixture(scope="module")
def given(drawing: Drawing, tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """The names that the calls use."""
    path = tmp_path_factory.mktemp("calls") / "photo.png"
    cv2.imwrite(str(path), drawing.pixels)
    left = Pillow.open(path)
    with left:
        pass
    closed = Pillow.open(path)
    closed.close()
    page = sv.solve_photo(path)
    return SimpleNamespace(
        **{name: getattr(sv, name) for name in sv.__all__},
        **{"np": np, "io": io, "Path": Path, "open_image": Pillow.open, "left": left, "closed": closed},
        **{"text": PUZZLE, "rows": ROWS, "array": board(PUZZLE), "lists": board(PUZZLE).tolist()},
        **{"path": path, "pixels": drawing.pixels, "grey": drawing.pixels[..., 1], "regions": REGIONS},
        **{"page": page, "grid": page.grids[0], "pdf": path.parent / "b.pdf", "puzzle": sv.generate(seed=1)},
        **{rules: sv.generate(difficulty="easy", seed=1, rules=rules) for rules in ("jigsaw", "diagonal")},
    )


def call(words: str, given: SimpleNamespace) -> Any:
    """What a call returns."""
    return eval(words, vars(given))


@pytest.mark.parametrize(
    "form",
    [
        "text",
        "text.replace('0', '.')",
        "text.replace('0', ' ')",
        "text.encode()",
        "rows",
        "'\\n'.join(rows)",
        "'\\n'.join(' '.join(row) for row in rows)",
        "str(grid)",
        "array",
        "array.astype(np.uint8)",
        "array.astype(float)",
        "array.astype(object)",
        "array.astype(str)",
        "np.where(array, array, np.nan)",
        "lists",
        "array.ravel().tolist()",
        "iter(array.ravel().tolist())",
        "tuple(map(tuple, lists))",
        "[[digit or None for digit in row] for row in lists]",
        "[[str(digit or '') for digit in row] for row in lists]",
        "[list(row) for row in rows]",
        "grid",
        "grid.to_frame()",
        "__import__('pandas').DataFrame(lists)",
    ],
)
def test_a_board_is_understood_in_every_form(form: str, given: SimpleNamespace) -> None:
    if "frame" in form.lower():
        pytest.importorskip("pandas")
    assert str(call(f"solve({form})", given)) == SOLUTION


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        # What generate returns brings its rules.
        ("solve(puzzle).status", "one"),
        ("solve(diagonal).status", "one"),
        ("[found.status for found in solve_many([puzzle, diagonal, jigsaw, text])]", ["one"] * 4),
        ("is_unique(jigsaw)", True),
        ("rate(diagonal) == diagonal.rating", True),
        ("explain(jigsaw).rules == jigsaw.rules", True),
        ("hint(jigsaw).rules == jigsaw.rules", True),
        ("hint(grid) == page.hint()", True),
        ("print_puzzles([puzzle, diagonal, grid], pdf)", None),
        # Rules.
        ("solve(diagonal.board, rules='Diagonal').status", "one"),
        ("rate(jigsaw.board, rules=jigsaw.rules.regions) == jigsaw.rating", True),
        ("solve(text, rules=None).status", "one"),
        ("generate(seed=1, rules=regions).rules == Rules(regions)", True),
        ("Rules(np.array(list(regions)).reshape(9, 9)) == Rules(regions)", True),
        ("Rules([regions[at:at + 9] for at in range(0, 81, 9)]) == Rules(regions)", True),
        ("grid.with_rules('diagonal').rules.name", "diagonal"),
        ("check(page, rules='diagonal').page.status", "no_solution"),
        ("solve_photo(path, rules='diagonal').grids[0].rules.name", "diagonal"),
        ("solve_photo(path, rules='jigsaw').grids[0].rules.name", "classic"),
        # Pictures.
        ("solve_photo(str(path)) == solve_photo(path)", True),
        ("solve_photo(path.read_bytes()).status", "solved"),
        ("solve_photo(io.BytesIO(path.read_bytes())).status", "solved"),
        ("solve_photo(open_image(path)).status", "solved"),
        ("[read.status for read in read_pages(path)]", ["solved"]),
        ("solve(np.ma.masked_equal(array, 0)).status", "one"),
        ("[found.status for found in solve_many(one for one in (text, array))]", ["one"] * 2),
        ("[found.status for found in solve_many(np.stack([array, array]))]", ["one"] * 2),
        ("page.with_overrides(None) == page", True),
        ("page.image(channels='RGB').shape", (480, 480, 3)),
        ("solve(text, rules='').status", "one"),
        ("solve_photo(pixels[..., ::-1], channels='RGB').status", "solved"),
        ("solve_photo(path, page=np.int64(1)).status", "solved"),
        ("len(solve_photo(path, corners='0,0,479,0,479,479,0,479').grids)", 1),
        ("len(Tracker().update(grey, 0))", 1),
        ("len(Tracker().update(pixels / 255, np.float32(0)))", 1),
        ("len(Tracker().update(open_image(path), 0.0))", 1),
        ("Annotator().annotate(grey, ()).shape", (480, 480, 3)),
        # Models, overrides, choices, marks.
        ("solve_photo(path, model='models/digits.npz').status", "solved"),
        ("load_model('models/digits.npz') is load_model(Path('models/digits.npz'))", True),
        ("page.with_overrides({'r1c2': 1}) == page.with_overrides('r1c2=1')", True),
        ("grid.with_overrides({}).status", "solved"),
        ("generate(difficulty='Easy', symmetry=None, seed=np.int64(1)).rating.name", "easy"),
        ("hint(text, ['12'] * 81).text == hint(text, marks=None).text", True),
        ("page.hint(np.int64(0)) == page.hint()", True),
        # Values.
        ("PrintablePuzzle(text) == PrintablePuzzle(lists)", True),
        ("len({hash(rate(text)), hash(rate(lists))})", 1),
        ("repr(Rules()), repr(Rules(diagonal=True))", ("Rules()", "Rules(diagonal=True)")),
        ("repr(hint(text))[:40]", "Hint(technique=Technique(name='hidden si"),
    ],
)
def test_it_works(
    words: str, expected: object, given: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).resolve().parents[2])
    if words.startswith("print_"):
        pytest.importorskip("typst")
    assert call(words, given) == expected


@pytest.mark.parametrize(
    ("words", "sentences"),
    [
        ("rate('photo.jpg')", "'photo.jpg' is no board, but the name of a file. Read it first: a picture by"),
        ("rate(path)", "expected, this is '.*photo.png'. .*a picture by solve_photo"),
        ("rate(page)", "expected, this is a Page"),
        ("explain(None)", "expected, this is None. Give 81 cells"),
        ("is_unique(12345)", "expected, this is 12345"),
        ("hint({'puzzle': text})", "expected, this is a dict"),
        ("hint(array > 0)", "holds digits, this one holds truth values"),
        ("rate(array[None])", r"has shape \(9, 9\), this one has \(1, 9, 9\)"),
        ("rate(text[:-1] + 'a')", "'a' at place 81 is neither a digit nor a blank"),
        ("rate([[{1, 2}] * 9] * 9)", r"\{1, 2\} at place 1 is neither"),
        ("solve_many(puzzle)", "Several boards are expected, this is a Puzzle. Put it into a list"),
        ("solve_many(None)", "this is None. Put it into a list"),
        ("print_puzzles(text, 'book.pdf')", "Several boards are expected"),
        ("hint(text, [{1, 2}])", "81 sets of digits 1 to 9, a list is something else. Give {2, 8}"),
        ("solve(text, rules='samurai')", "no rules 'samurai'. Choose classic, diagonal, jigsaw or killer"),
        ("solve(text, rules='jigsaw')", "A jigsaw needs its regions. Give 81 cells"),
        ("solve(text, rules=1)", "Regions are given for 81 cells, this is 1"),
        ("Rules([[1] * 9] * 9)", "A region has nine cells, region 1 has 81"),
        ("Rules(None)", "this is None. Give 81 cells"),
        ("Rules('123')", "these are 3"),
        ("solve(text, rules='killer')", "A killer needs its cages"),
        ("Rules(cages=[(18, (0, 1))])", "2 different digits can't add up to 18"),
        ("Rules(cages=[(3, (0, 1)), (4, (1, 2))])", "can't be a cage"),
        ("Rules(cages=[(3, ())])", "can't be a cage"),
        ("Rules(cages=[3])", "A cage is a sum and its cells, this is"),
        ("Rules(cages=[{'sum': 'x', 'cells': [1]}])", "A cage is a sum and its cells, this is"),
        ("solve(text, max_guesses='x')", "The limit of guesses can't be 'x'. Give a whole number, 0 or more"),
        ("count_solutions(text, limit='3')", "The limit of solutions can't be '3'"),
        ("rate(text, limit='foo')", "no difficulty 'foo'. Choose easy, medium"),
        ("explain(text, method='foo')", "no method 'foo'. Choose easiest, rows or crook"),
        ("generate(clues='30')", "The number of clues can't be '30'. Give a whole number"),
        ("generate(seed=1.5)", "The seed can't be 1.5"),
        ("generate(seed=-1)", "0"),
        ("generate(clues=5)", "17"),
        ("generate(clues=81)", "80"),
        ("generate(clues=7, rules='jigsaw')", "8"),
        ("generate(clues=30, symmetry='rotate')", "29 or 32"),
        ("generate(clues=45, minimal=True)", "40"),
        ("generate(symmetry='spiral')", "diagonal"),
        ("generate(difficulty='evil')", "easy, medium"),
        ("solve_many(np.zeros((9, 9)))", "shape"),
        ("solve_many([text], jobs=0)", "1 or more"),
        ("solve_many([text], engine='steam')", "Choose auto"),
        ("solve_many([text], jobs='2')", "The number of jobs can't be '2'. Give a whole number, 1 or more"),
        ("solve_photo(None)", "None is no picture. .*OpenCV returns None for a file that it can't read"),
        ("solve_photo([path, path])", "An object of type list is no picture. Hand over a path"),
        ("solve_photo('https://example.org/a.png')", "nothing is downloaded. Download the picture first"),
        ("solve_photo(path, '')", "not by ''"),
        ("solve_photo(path, io.BytesIO())", "not by a BytesIO"),
        ("solve_photo(path, path)", "this would overwrite the file that is read"),
        ("solve_photo('none.jpg', 'solved.xyz')", "the ending '.xyz' is unknown"),
        ("solve_photo('none.jpg', 'no/such/folder.png')", "its folder does not exist"),
        ("solve_photo(path.parent)", "this is a folder. Name the pictures in it one by one"),
        ("check(grid)", "An object of type Grid is no picture"),
        ("next(read_pages(42))", "PIL image"),
        ("next(read_pages('missing.pdf'))", "no such file"),
        ("page.save('page.txt')", "the ending '.txt' is unknown"),
        ("page.with_overrides({(1, 1): 2})", r"\(1, 1\) is no cell"),
        ("Tracker().update(pixels[:0], 0)", r"an array of shape \(0, 480, 3\) holds no pixels"),
        ("count_solutions(text, limit=None)", "The limit of solutions can't be None"),
        ("print_puzzles([], pdf)", "There are no puzzles to print"),
        ("solve_photo(closed)", "photo.png: this image is closed. Hand it over before it is closed"),
        ("solve_photo(left)", "photo.png: this image is closed"),
        ("solve_photo(pixels.astype('f'))", r"Convert floats up to 255 with array.astype\('uint8'\)"),
        ("solve_photo(path, channels='hsv')", "no order of channels 'hsv'. Choose bgr or rgb"),
        ("solve_photo(path, page='2')", "The number of a page can't be '2'"),
        ("solve_photo(path, max_megapixels='1')", "The limit of megapixels can't be '1'. Give a number, 0"),
        ("list(read_pages(path, max_pages='2'))", "The limit of pages can't be '2'"),
        ("solve_photo(path, overrides=[1])", "cells and what they hold, this is a list. Give {cell: digit}"),
        ("solve_photo(path, overrides=array)", "this is a ndarray. Give {cell: digit}"),
        ("grid.with_overrides({0: '5'})", "'5' can't be in a cell. Give a digit 1 to 9"),
        ("grid.with_overrides({(0, 0): 5})", r"\(0, 0\) is no cell. Name cells .* or as \"r3c5\""),
        ("Written('7')", "A handwritten digit can't be '7'. Give a whole number from 0 to 9"),
        ("solve_photo(path, corners=[[0, 'x']] * 4)", "points of .x, y., these are no numbers. Give the"),
        ("solve_photo(path, model='x.npz')", "The model x.npz can't be read"),
        ("solve_photo(path, model=CellClassifier)", "A model is expected, this is the class CellClassifier"),
        ("load_model(5)", "A file is named by a text or a path, not by 5"),
        ("solve_photo(path, True)", "A file is named by a text or a path, not by True"),
        ("print_puzzles([text], None)", "not by None"),
        ("print_puzzles([text], pdf, per_page='4')", "'4' puzzles don't fit a page evenly. Choose one of 1"),
        ("print_puzzles([text], 'book.txt')", "Give puzzles, and a name that ends in .pdf"),
        ("print_puzzles([text], pdf, qr='nowhere')", "sudoku.coach"),
        ("print_puzzles([text], pdf, paper='b7')", "There is no paper 'b7'. Choose a4, letter or a5"),
        ("Tracker().update(pixels, 'x')", "The time of a frame can't be 'x'. Give a number"),
        ("Tracker(5)", "A model is expected, this is 5. Give the path of a model file"),
        ("page.hint('0')", "The number of a grid can't be '0'"),
        ("page.image(channels='hsv')", "no order of channels 'hsv'"),
    ],
)
def test_it_says_what_to_do(words: str, sentences: str, given: SimpleNamespace) -> None:
    if words.startswith("print_"):
        pytest.importorskip("typst")
    with pytest.raises(SudokuVisionError, match=sentences) as refused:
        call(words, given)
    assert str(refused.value).endswith((".", ")"))


@pytest.mark.parametrize("name", sv.__all__)
def test_signatures_are_short_enough_to_be_read(name: str) -> None:
    public = getattr(sv, name)
    shown = str(inspect.signature(public))
    for unreadable in ("<function", "<lambda", " at 0x", "frozenset({", "regions='1"):
        assert unreadable not in shown
