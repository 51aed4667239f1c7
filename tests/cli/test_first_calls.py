"""Calls that a newcomer tries, from the habits of other programs: each works, or one line says what to do.

The habits are those of ffmpeg, ImageMagick, OCRmyPDF, pandoc, tesseract, git, pip and ripgrep. :data:`CALLS`
maps each call to its exit status and to words of its output: on standard output if it works, else on standard
error.
"""

import gzip
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
    "solve photo.jpg": (0, "photo.jpg: solved"),
    "solve photo.weird": (0, "photo.weird: solved"),
    "solve photo.jp2": (0, "photo.jp2: solved"),
    "solve file://HERE/odd%20name.png": (0, "odd name.png: solved"),
    "solve pipe": (0, "pipe: solved"),
    "solve -": (0, "-: solved"),
    "solve -- -photo.png": (0, "-photo.png: solved"),
    "solve photos/": (0, "a.png: solved"),
    "solve 'photos/*.png'": (0, "photos/a.png: solved"),
    "solve pipe_of_text": (0, "pipe_of_text: solved"),
    "puzzles pipe_of_text": (0, "417369825"),
    "solve film.webm": (3, "this is a film, not a picture. Use `sudoku-vision live --source FILE`"),
    "solve photo.jpeg": (3, "photo.jpeg: there is no such file"),
    "solve '*.jpeg'": (3, "no file matches this pattern"),
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
    "solve photo.jpg -o": (2, "Option '-o' requires an argument."),
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
    "slove photo.jpg": (2, "'solve'"),
    "solve": (2, "Missing argument 'INPUT'. See: sudoku-vision solve --help"),
    "generate 5": (2, "unexpected extra argument (5). See: sudoku-vision generate --help"),
    # Options and their values.
    "solve photo.jpg --out x.png": (2, "No such option '--out'. Did you mean '--output'?"),
    "solve photo.jpg --force": (2, "No such option '--force'. See: sudoku-vision solve --help"),
    "solve photo.jpg --lang de": (2, "No such option '--lang'. Did you mean '--language'?"),
    "convert photo.jpg --to": (2, "Option '--to' requires an argument. See: sudoku-vision convert --help"),
    "convert photo.jpg --to SDM": (0, PUZZLE),
    "solve photo.jpg --rules Classic": (0, "solved"),
    "solve photo.jpg --rules samurai": (
        2,
        "'samurai' is not one of 'classic', 'diagonal', 'jigsaw', 'killer'.",
    ),
    "solve photo.jpg --rules jigsaw": (1, "uncertain"),
    "hint BOARD --language DE": (0, "In Block 4 passt die 4 nur in Z6S2"),
    "check photo.jpg --resume --report solved.csv": (2, "this is a report of solve, not of check."),
    "solve photo.jpg --link foo": (2, "Use one of sudokuwiki.org"),
    "generate -d Easy --seed 1": (0, "00"),
}


@pytest.fixture(autouse=True)
def place(
    tmp_path: Path, drawing: Drawing, photo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, bytes]:
    """Work in a folder with what newcomers have; gives what comes through pipes."""
    picture = Pillow.fromarray(np.ascontiguousarray(drawing.pixels[..., ::-1]))
    png = packed(picture, "PNG")
    monkeypatch.chdir(photo_file.parent)
    for name in ("photos", "closed"):
        Path(name).mkdir()
    for name in (
        "photo.weird",
        "odd name.png",
        "PHOTO.PNG",
        "ñandú.png",
        "-photo.png",
        "photos/a.png",
        "closed/a.png",
    ):
        Path(name).write_bytes(png)
    picture.save("photo.jp2")
    Path("film.webm").write_bytes(b"\x1aE\xdf\xa3" + bytes(90))
    for name in ("list.sdm", "LIST.SDM"):
        Path(name).write_text(f"{PUZZLE}\n")
    Path("list.sdm.gz").write_bytes(gzip.compress(f"{PUZZLE}\n".encode()))
    with ZipFile("photos.zip", "w") as packed_photos:
        packed_photos.writestr("a.png", png)
    Path("solved.csv").write_text("source,page,status,command\nphoto.jpg,1,solved,solve\n")
    scan = os.scandir

    def scandir(folder: str) -> object:  # a folder is closed to nobody who has all rights
        if Path(folder).name == "closed":
            raise PermissionError(13, "Permission denied", str(folder))
        return scan(folder)

    monkeypatch.setattr("sudoku_vision.cli.inputs.os.scandir", scandir)
    return {"pipe": png, "pipe_of_text": f"{PUZZLE}\n".encode(), "-": png}


@pytest.mark.parametrize("call", CALLS)
def test_the_first_calls_of_a_newcomer_work_or_say_what_to_do(
    run: Run, place: dict[str, bytes], call: str
) -> None:
    words = shlex.split(call.replace("HERE", Path.cwd().as_posix()).replace("BOARD", PUZZLE))
    for name in {*words} & {"pipe", "pipe_of_text"}:
        mkfifo = getattr(os, "mkfifo", None) or pytest.skip("no pipe has a name here")
        mkfifo(name)
        threading.Thread(target=Path(name).write_bytes, args=[place[name]], daemon=True).start()
    ran = run(*words, stdin=place["-"])
    status, said = CALLS[call]
    assert ran.status == status, ran.err
    assert said in (ran.err if status > 1 else ran.out + ran.err)
    assert status < 2 or (ran.out == "" and ran.err.count("\n") == 1) or not call


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
