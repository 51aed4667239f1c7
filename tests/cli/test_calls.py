"""Calls that people try: each works, or one line says what to do, before any work, and nothing is written.

The habits are those of ffmpeg, ImageMagick, OCRmyPDF, pandoc, tesseract, git, pip and ripgrep.
"""

import gzip
import io
import os
import shlex
import threading
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from conftest import PUZZLE, Run, packed
from PIL import Image as Pillow

from workshop.rendering import Drawing

pytestmark = pytest.mark.usefixtures("easily_sure")

CALLS: dict[str, tuple[int, str]] = {
    # What is read.
    "solve photo.weird": (0, "photo.weird: solved"),
    "solve photo.jp2": (0, "photo.jp2: solved"),
    "solve file://HERE/odd%20name.png": (0, "odd name.png: solved"),
    "solve pipe": (0, "pipe: solved"),
    "solve -- -photo.png": (0, "-photo.png: solved"),
    "solve pipe_of_text": (0, "pipe_of_text: solved"),
    "puzzles pipe_of_text": (0, "417369825"),
    "solve film.webm": (3, "this is a film, not a picture. Use `sudoku-vision live --source FILE`"),
    "solve https://example.org/photos/puzzle.JPG?size=large": (3, "Download the picture first"),
    "solve closed": (3, "closed: the folder can't be read (permission denied)."),
    "solve PHOTO.PNG -q": (0, "PHOTO.PNG: solved"),
    "solve ñandú.png -q": (0, "ñandú.png: solved"),
    "solve LIST.SDM -q": (0, "LIST.SDM: solved"),
    "solve '**/a.*' -q": (0, "photos/a.png: solved"),
    "solve . -q": (0, "photo.jpg: solved"),
    "solve list.sdm.gz": (3, "this is a packed file, not a picture. Unpack it first. Lists that are packed"),
    "solve photos.zip": (3, "photos.zip: this is a packed file"),
    "puzzles list.sdm.gz": (0, "417369825"),
    "convert - --to line": (0, PUZZLE),
    "solve @list.txt": (3, "@list.txt: there is no such file"),
    "solve /dev/null": (3, "/dev/null: the file is empty."),
    # What is written.
    "solve photo.jpg -o out.png": (0, "Written: out.png\n"),
    "solve photo.jpg -o out.pdf": (0, "Written: out.pdf\n"),
    "solve photo.jpg -o out": (0, "Written: out/photo-solved.jpg\n"),
    "check photo.jpg -o out/": (0, "Written: out/photo-checked.jpg\n"),
    "hint photo.jpg -o photos": (0, "Written: photos/photo-hint.jpg\n"),
    "convert photo.jpg -o out.csv": (0, "Written: out.csv\n"),
    "convert photo.jpg -o out": (0, "Written: out\n"),
    "generate --seed 1 -o out.svg": (0, "Written: out.svg\n"),
    "generate --seed 1 -n 2 -o out": (0, "Written: out\n"),
    "puzzles list.sdm -o out": (0, "Written: out\n"),
    "solve photo.jpg -o out.JPG": (0, "Written: out.JPG\n"),
    "solve photo.jpg -oout.gif": (0, "Written: out.gif\n"),
    "convert list.sdm -o -": (0, PUZZLE),
    "convert photo.jpg out.csv": (1, "What is to be written is named with -o."),
    "solve photo.jpg -o ''": (2, "A file is named by a text or a path, not by ''."),
    "solve photo.jpg -o": (2, "Option '-o' requires an argument. See: sudoku-vision solve --help"),
    # Commands, and help in odd places.
    "": (2, "Usage: sudoku-vision [OPTIONS] COMMAND"),
    "-h": (0, "Usage: sudoku-vision [OPTIONS] COMMAND"),
    "--version": (0, "sudoku-vision 0."),
    "help": (0, "Usage: sudoku-vision [OPTIONS] COMMAND"),
    "help solve": (0, "Usage: sudoku-vision solve"),
    "version": (0, "sudoku-vision 0."),
    "-V": (0, "sudoku-vision 0."),
    "--help solve": (0, "Usage: sudoku-vision"),
    "solve photo.jpg --help": (0, "Usage: sudoku-vision solve"),
    "photo.jpg": (2, "To solve it: sudoku-vision solve photo.jpg"),
    "list.sdm": (2, "To solve it: sudoku-vision solve list.sdm"),
    "-": (2, "To solve it: sudoku-vision solve -"),
    "BOARD": (2, "To solve it: sudoku-vision solve 4"),
    "slove photo.jpg": (2, "No such command 'slove'."),
    "x.doc": (2, "No such command 'x.doc'."),
    "solve": (2, "Missing argument 'INPUT'. See: sudoku-vision solve --help"),
    "generate 5": (2, "unexpected extra argument (5). See: sudoku-vision generate --help"),
    # Options and their values.
    "solve photo.jpg --out x.png": (2, "--output"),
    "solve photo.jpg --force": (2, "--force"),
    "solve photo.jpg --lang de": (2, "--language"),
    "convert photo.jpg --to SDM": (0, PUZZLE),
    "solve photo.jpg --rules Classic": (0, "solved"),
    "solve photo.jpg --rules samurai": (2, "'samurai' is not one of 'classic', 'diagonal', 'jigsaw',"),
    "solve photo.jpg --rules jigsaw": (1, "uncertain"),
    "hint BOARD --language DE": (0, "In Block 4 passt die 4 nur in Z6S2"),
    "hint BOARD --language fr --json": (0, '"text": "Dans le bloc 4'),
    "explain BOARD --language es --method rows": (0, "Pasada 1, la fila 6:"),
    "solve photo.jpg --model film.avi --report run.csv": (3, "or leave --model out."),
    "solve photo.jpg --model none.npz": (3, "made by `python -m workshop train`"),
    "check photo.jpg --resume --report solved.csv": (2, "this is a report of solve, not of check."),
    "solve photo.jpg --link foo": (2, "Use one of sudokuwiki.org"),
    "generate -d Easy --seed 1": (0, "00"),
}
"""Calls by their exit status and words of their output: on standard error if that is above 1."""

USAGE = {
    # Values and options that don't exist.
    "solve x --page 0": "Invalid value for '--page'",
    "solve x --jobs 1.5": "See: sudoku-vision solve --help",
    "solve x --max-megapixels many": "Invalid value for '--max-megapixels'",
    "hint BOARD --tell all": "'all' is not one of 'name', 'place', 'step'.",
    "hint BOARD --next 0": "--next",
    "hint BOARD --language tlh": "'tlh' is not one of 'de', 'en', 'es', 'fr'.",
    "explain BOARD --method guess": "'guess' is not one of",
    "convert x --to morse": "morse",
    "generate -d evil": "expert",
    "generate --count 0": "--count",
    "generate --seed -1": "--seed",
    "puzzles --jobs 0 list.sdm": "--jobs",
    # No input.
    "puzzles": "FILE",
    "solve photo.jpg --resume": "--resume --report run.csv",
    # Options that exclude each other.
    "generate --cluster tcp://localhost:1 --jobs 2": "can't both be",
    "solve photo.jpg --cluster tcp://localhost:1 --debug-dir d": "can't both be",
    "puzzles --json --csv list.sdm": "Choose one",
    "generate --solutions": "--json",
    # Options for one picture.
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
    # Impossible outputs.
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


@pytest.fixture(scope="module")
def files(drawing: Drawing) -> dict[str, bytes]:
    """What newcomers have in their folder: the bytes of files by name."""
    one = np.ascontiguousarray(drawing.pixels[..., ::-1])
    picture, two = Pillow.fromarray(one), Pillow.fromarray(np.concatenate([one, one], axis=1))
    png, board, packed_photos = packed(picture, "PNG"), f"{PUZZLE}\n".encode(), io.BytesIO()
    with ZipFile(packed_photos, "w") as archive:
        archive.writestr("a.png", png)
    pictures = ("photo.weird", "odd name.png", "PHOTO.PNG", "ñandú.png", "-photo.png")
    return {
        **dict.fromkeys((*pictures, "photos/a.png", "closed/a.png"), png),
        **dict.fromkeys(("list.sdm", "LIST.SDM"), board),
        **dict.fromkeys(("in_the_way", "film.avi"), b"a file"),
        "photo.jp2": packed(picture, "JPEG2000"),
        "pages.tif": packed(picture, "TIFF", save_all=True, append_images=[two]),
        "film.webm": b"\x1aE\xdf\xa3" + bytes(90),
        "list.sdm.gz": gzip.compress(board),
        "photos.zip": packed_photos.getvalue(),
        "solved.csv": b"source,page,status,command\nphoto.jpg,1,solved,solve\n",
    }


@pytest.fixture(autouse=True)
def place(files: dict[str, bytes], photo_file: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Work in a folder with these files; return what comes through pipes."""
    monkeypatch.chdir(photo_file.parent)
    for name, data in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(data)
    scan = os.scandir

    def scandir(folder: str) -> object:  # the superuser can read every folder
        if Path(folder).name == "closed":
            raise PermissionError(13, "Permission denied", str(folder))
        return scan(folder)

    monkeypatch.setattr("sudoku_vision.cli.inputs.os.scandir", scandir)
    return {"pipe": files["PHOTO.PNG"], "pipe_of_text": files["list.sdm"], "-": files["PHOTO.PNG"]}


def contents() -> dict[Path, bytes]:
    """All files of the folder."""
    return {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}


@pytest.mark.parametrize("call", [*CALLS, *USAGE, *UNWRITABLE])
def test_a_call_works_or_is_refused_before_any_work(run: Run, place: dict[str, bytes], call: str) -> None:
    words = shlex.split(call.replace("HERE", Path.cwd().as_posix()).replace("BOARD", PUZZLE))
    for name in {*words} & {"pipe", "pipe_of_text"}:
        mkfifo = getattr(os, "mkfifo", None) or pytest.skip("no pipe has a name here")
        mkfifo(name)
        threading.Thread(target=Path(name).write_bytes, args=[place[name]], daemon=True).start()
    before = contents()
    ran = run(*words, stdin=place["-"])
    if call in CALLS:
        status, said = CALLS[call]
    else:
        status, said = (2, USAGE[call]) if call in USAGE else (1, UNWRITABLE[call])
    assert ran.status == status, ran.err
    refused = status > 1 or call in UNWRITABLE
    assert said in (ran.err if refused else ran.out + ran.err)
    if refused and call:
        assert (ran.out, ran.err.count("\n"), contents()) == ("", 1, before)


@pytest.mark.parametrize(
    ("variables", "call", "said"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "hint BOARD", "Singleton caché"),
        ({"LC_ALL": "es", "LANG": "fr_FR.UTF-8"}, "hint BOARD", "Único oculto"),
        ({"LANG": "fr_FR.UTF-8"}, "hint BOARD --language en", "Hidden single"),
        ({"LANG": "xx"}, "hint BOARD", "Hidden single"),
        ({"LANG": "fr_FR.UTF-8"}, "hint BOARD --json", "In box 4, the digit 4"),
        ({"LANG": "de"}, "solve photo.jpg -o out.png", "gelöst, Sicherheit 1.000"),
        ({"LANG": "de"}, "solve photo.jpg -o out.png", "Geschrieben: out.png"),
        ({"LANG": "de"}, "solve photo.jpg --json", '"status": "solved", "message": "",'),
        ({"LANG": "de"}, "solve MANY", "mehrere Lösungen. Es gibt mehrere Lösungen. Es fehlen Vorgaben"),
        ({"LANG": "de"}, "solve MANY --json", "There are several solutions."),
        ({"LANG": "fr"}, "check photo.jpg", "rien de rempli"),
        ({"LANG": "es"}, "check photo.jpg -q", "nada escrito: quedan 64 celdas"),
        ({"LANG": "fr"}, "rate BOARD", "moyen, score"),
        ({"LANG": "de"}, "generate --seed 1 -o out.svg", "Geschrieben: out.svg"),
        ({"LANG": "de"}, "solve nothing.jpg", "nothing.jpg: there is no such file"),
    ],
)
def test_the_language_is_that_of_the_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], call: str, said: str
) -> None:
    monkeypatch.delenv("LC_ALL")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    ran = run(*shlex.split(call.replace("BOARD", PUZZLE).replace("MANY", "1" + "0" * 80)))
    assert said in ran.out + ran.err
