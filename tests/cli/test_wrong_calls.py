"""A wrong call is one line that says what to do; it is refused before any work, and writes nothing."""

import shlex
from pathlib import Path

import numpy as np
import pytest
from conftest import PUZZLE, Run
from PIL import Image as Pillow

from workshop.rendering import Drawing

USAGE = {
    # A value or an option that there is not.
    "solve x --page 0": "Invalid value for '--page'",
    "solve x --jobs 1.5": "See: sudoku-vision solve --help",
    "solve x --max-megapixels many": "Invalid value for '--max-megapixels'",
    "solve x --jason": "--json",
    "hint BOARD --tell all": "'all' is not one of 'name', 'place', 'step'.",
    "hint BOARD --next 0": "--next",
    "explain BOARD --method guess": "'guess' is not one of",
    "convert x --to morse": "morse",
    "generate -d evil": "expert",
    "generate --count 0": "--count",
    "generate --seed -1": "--seed",
    "puzzles --jobs 0 list.sdm": "--jobs",
    # No input.
    "rate": "Missing argument 'INPUT",
    "puzzles": "FILE",
    "solve photo.jpg --resume": "--resume --report run.csv",
    # Options that can't be together.
    "generate --cluster tcp://localhost:1 --jobs 2": "can't both be",
    "solve photo.jpg --cluster tcp://localhost:1 --debug-dir d": "can't both be",
    "puzzles --json --csv list.sdm": "Choose one",
    "generate --solutions": "--json",
    # What is for one picture.
    "solve pages.tif --overrides r1c1=4": "several pages. Name the one you mean, as in: --page 1",
    "check pages.tif --page 2 --overrides r1c1=4": "say which one is meant.",
    "solve pages.tif --page 2 --overrides 3:r1c1=4": "there is no number 3.",
    "check photo.jpg photo.jpg --overrides r1c1=4": "these are 2",
    "convert BOARD BOARD --overrides r1c1=4": "these are 2",
    "solve photo.jpg --overrides r3c5": "r3c5=8,r4c1=blank",
    "solve photo.jpg --overrides r3c5=8,r3c5=9": "given twice",
    "solve photo.jpg --corners 1,2,3": "x,y,x,y,x,y,x,y",
    "check photo.jpg --corners 0,0,0,400,400,400,400,0": "clockwise",
    "solve photo.jpg --corners 0,0,4000,0,4000,4000,0,4000": "480 x 480 pixels",
    "solve BOARD --overrides r1c1=4": "--overrides is for pictures",
    "solve BOARD --corners 0,0,9,0,9,9,0,9": "--corners is for pictures",
    "solve BOARD --debug-dir stages": "--debug-dir is for pictures",
    # Rules.
    "solve BOARD --regions 123": "81 cells, these are 3",
    "solve BOARD --rules jigsaw": "needs its regions",
    "generate --technique x-wings": "There is no technique 'x-wings'. Choose full house,",
    "generate --technique X-wing -d easy": "A puzzle that needs the X-wing is hard, not easy.",
    "generate --clues 5": "17 is the fewest",
    "generate --clues 30 --symmetry rotate": "29 or 32",
    "generate --clues 50 --minimal": "40",
    # Outputs that can't be.
    "solve photo.jpg -o solved.xyz": ".jpg, .jpeg, .png, .webp",
    "check photo.jpg photo.jpg -o out.png": "Name a folder",
    "solve photo.jpg photo.jpg -o -": "Name a folder",
    "solve photo.jpg -o - --json": "can't take both",
    "explain BOARD -o - --json": "can't take both",
    "explain BOARD -o steps.doc": "the ending '.doc' is unknown",
    "explain photo.jpg -o photo.jpg": "overwrite the file that is read",
    "convert list.sdm -o list.sdm": "overwrite",
    "puzzles list.sdm -o list.sdm": "overwrite the file that is read",
    "convert x -o a.xyz": ".xyz",
    "convert BOARD --fill-marks": "line has no place for pencil marks",
    "convert BOARD --to pdf": "-o page.pdf",
    "convert BOARD --to svg -o -": "-o page.svg",
    "generate -o p.doc": ".jpg, .jpeg",
    "generate -o p.png -n 2": "folder",
    "generate -o p.sdk -n 2": ".sdm",
    "generate -o p.txt --solutions": ".csv",
    "generate -o p.sdm --rules diagonal": ".jsonl",
    "solve BOARD --report run.txt": "End its name with .csv",
    "live --source film.avi --headless --record out.xyz": "the ending '.xyz' is unknown",
    "live --source film.avi --headless --record film.avi": "overwrite",
    "live --source film.avi --headless --size large": "1280x720",
    # Pages to print.
    "convert BOARD -o x.svg --per-page 2": "--per-page is for pages",
    "convert BOARD --title Mine": "-o, ending in .pdf",
    "convert BOARD -o x.pdf --per-page 5": "1, 2, 4, 6, 9",
    "convert BOARD -o x.pdf --qr nowhere": "sudoku.coach",
    "generate --per-page 2": ".pdf",
    "generate -o p.svg --qr sudoku.coach": ".pdf",
    "generate -o p.pdf --title a\ufffeb": "no font here has '\\u{fffe}'",
    "generate -o p.pdf --rules jigsaw --qr sudoku.coach": "f-puzzles",
}
"""Wrong calls by what they say; their exit status is 2."""

UNWRITABLE = {
    "solve photo.jpg -o in_the_way/out.png": "in_the_way is a file",
    "check photo.jpg -o none/out.png --json": "its folder does not exist",
    "solve photo.jpg -o in_the_way/folder/": "in_the_way is a file",
    "check photo.jpg --debug-dir in_the_way/debug": "in_the_way is a file",
    "hint BOARD -o none/hint.png": "its folder does not exist",
    "explain BOARD -o none/steps.pdf": "its folder does not exist",
    "convert BOARD -o none/x.pdf": "its folder does not exist",
    "generate -o none/p.txt": "its folder does not exist",
    "generate -o none/p.png": "its folder does not exist",
    "generate -o in_the_way/folder/": "in_the_way is a file",
    "live --source film.avi --headless --record none/out.mp4": "its folder does not exist",
    "puzzles list.sdm -o .": "this is a folder",
    "puzzles list.sdm -o none/out": "does not exist",
}
"""Calls with outputs that can't be written; their exit status is 1."""


@pytest.mark.parametrize("call", [*USAGE, *UNWRITABLE])
def test_a_wrong_call_is_refused_before_any_work(
    run: Run, photo_file: Path, drawing: Drawing, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    folder = photo_file.parent
    monkeypatch.chdir(folder)
    if "pages.tif" in call:
        one = np.ascontiguousarray(drawing.pixels[..., ::-1])
        two = Pillow.fromarray(np.concatenate([one, one], axis=1))
        Pillow.fromarray(one).save(folder / "pages.tif", save_all=True, append_images=[two])
    (folder / "list.sdm").write_text(f"{PUZZLE}\n")
    for name in ("in_the_way", "film.avi"):
        (folder / name).write_bytes(b"a file")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    ran = run(*shlex.split(call.replace("BOARD", PUZZLE)))
    assert (ran.status, ran.out) == (2 if call in USAGE else 1, "")
    assert (USAGE | UNWRITABLE)[call] in ran.err and ran.err.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
