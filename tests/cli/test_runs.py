"""Runs over many pictures: subfolders, several processes, reports, and going on where a run ended."""

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from conftest import PUZZLE, Run, packed, started
from PIL import Image as Pillow

from sudoku_vision.cli.inputs import search_folder
from sudoku_vision.cli.report import ReportFile, ReportRow, read_report
from sudoku_vision.errors import SaveError
from workshop.rendering import Drawing

pytestmark = pytest.mark.usefixtures("easily_sure")


@pytest.fixture
def album(tmp_path: Path, photo_file: Path, no_sudoku: Drawing) -> Path:
    """A folder with a solvable photo, one without a grid, a broken one, and subfolders with more."""
    folder = tmp_path / "album"
    small = packed(Pillow.fromarray(np.ascontiguousarray(no_sudoku.pixels[:64, :64, ::-1])), "PNG")
    photo = photo_file.read_bytes()
    for name, data in {
        "photo2.jpg": photo,
        "photo10.jpg": photo[: len(photo) // 2],
        "table.png": small,
        "b/photo2.jpg": photo,
        "b/c/photo2.jpg": photo,
        "a/empty.png": b"",
        ".hidden/photo.jpg": photo,
        "b/.thumb.jpg": photo,
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def files_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def contents_below(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in files_below(folder)}


def without_times(text: str) -> list[Any]:
    return [{**json.loads(line), "seconds": None} for line in text.splitlines()]


# Subfolders


def test_a_folder_is_searched_with_its_subfolders_in_natural_order(album: Path) -> None:
    (album / "b" / "loop").symlink_to(album)
    (album / "z").symlink_to(album / "b")
    (album / "nowhere").symlink_to(album / "nowhere")
    found = search_folder(str(album), recursive=True)
    names = [str(Path(one.path).relative_to(album)) for one in found]
    own = ["photo2.jpg", "photo10.jpg", "table.png"]
    assert names == [*own, "a/empty.png", "b/photo2.jpg", "b/c/photo2.jpg"]
    assert [Path(one.below).as_posix() for one in found] == [".", ".", ".", "a", "b", "b/c"]
    assert [Path(one.path).name for one in search_folder(str(album))] == own


def test_pictures_go_into_the_folders_of_their_sources_and_are_not_read(run: Run, album: Path) -> None:
    out = album / "out"
    first = run("solve", "-r", album, "-o", out, "--json")
    assert files_below(out) == ["b/c/photo2-solved.jpg", "b/photo2-solved.jpg", "photo2-solved.jpg"]
    again = run("solve", "-r", album, "-o", out, "--json")
    assert without_times(again.out) == without_times(first.out)
    written = [str(out / folder / "photo2-solved.jpg") for folder in (".", "b", "b/c")]
    assert [page["output"] for page in first.pages] == [written[0], None, None, None, *written[1:]]


# Several processes


CRASHING = """
import os, sys

def _watch(event, arguments):
    is_worker = "multiprocessing" in str(sys.orig_argv)
    if event == "open" and is_worker and str(arguments[0]).endswith(("table.png", "table.tif")):
        os._exit(1)

sys.addaudithook(_watch)
"""
"""What makes a process die as soon as it opens a picture with a certain name."""


def test_several_processes_give_the_same_as_one(run: Run, album: Path, tmp_path: Path) -> None:
    scan = packed(Pillow.open(album / "photo2.jpg"), "TIFF", save_all=True)
    (album / "scan.tif").write_bytes(scan)
    outcomes = []
    for jobs in (1, 2):
        out = tmp_path / "out"
        call = ["solve", "-r", album, PUZZLE, "-o", out, "--report", tmp_path / "run.jsonl", "-j", jobs]
        ran = run(*call, "--json")
        answer = (ran.status, without_times(ran.out), re.sub(r"[\d.]+ s\.$", "", ran.err.strip()))
        report = without_times((tmp_path / "run.jsonl").read_text())
        outcomes.append((answer, report, contents_below(out)))
        shutil.rmtree(out)
    for of_one, of_two in zip(*outcomes, strict=True):
        assert of_one == of_two


def test_a_picture_that_kills_its_process_loses_itself_alone(album: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(CRASHING)
    scan, page = album / "table.tif", Pillow.open(album / "photo2.jpg")
    scan.write_bytes(packed(page, "TIFF", save_all=True, append_images=[page] * 5))
    pictures = [album / "photo2.jpg", album / "table.png", scan, scan, album / "b/photo2.jpg"]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    ran = started("solve", *pictures, "-j", 2, "--json", env=variables)
    out, err = ran.communicate()
    found = [(page["page"], page["status"]) for page in map(json.loads, out.splitlines())]
    lost = [(1, "error"), (2, "error")]  # after two of its pages, a document is left out
    assert found == [(1, "solved"), (1, "error"), *lost, *lost, (1, "solved")]
    assert (ran.returncode, err.count("\n")) == (1, 5)
    assert f"{album / 'table.png'}: the process" in err and "--jobs 1" in err


def test_the_pages_of_a_document_come_in_order(run: Run, photo_file: Path, tmp_path: Path) -> None:
    page = Pillow.open(photo_file)
    scan = tmp_path / "scan.tif"
    scan.write_bytes(packed(page, "TIFF", save_all=True, append_images=[page] * 5))
    ran = run("solve", scan, "--json", "-o", tmp_path / "out")
    assert [page["page"] for page in ran.pages] == [1, 2, 3, 4, 5, 6]
    names = [Path(page["output"]).name for page in ran.pages]
    assert names == [f"scan-page{number}-solved.png" for number in range(1, 7)]
    only = run("solve", scan, "--json", "--page", 5, "-o", tmp_path / "only")
    assert files_below(tmp_path / "only") == ["scan-page5-solved.png"]
    assert (tmp_path / "only" / names[4]).read_bytes() == (tmp_path / "out" / names[4]).read_bytes()
    assert only.pages[0]["source"] == str(scan)


# Reports


@pytest.mark.parametrize("name", ["run.csv", "run.jsonl"])
def test_failures_are_read_again_from_a_report(run: Run, album: Path, tmp_path: Path, name: str) -> None:
    report, out = tmp_path / name, tmp_path / "out"
    ran = run("solve", "-r", album, "-o", out, "--report", report, "--json")
    rows = read_report(str(report))
    assert [(row.source, row.status, row.output) for row in rows] == [
        (page["source"], page["status"], page["output"] or "") for page in ran.pages
    ]
    assert [row.below for row in rows] == ["", "", "", "a", "b", str(Path("b/c"))]
    assert rows[1].message.endswith("its end is missing.") and rows[1].remedy
    assert (rows[0].grids, rows[0].command, rows[1].confidence) == (1, "solve", None)
    (album / "a/empty.png").write_bytes((album / "photo2.jpg").read_bytes())
    again = run("solve", "--resume", "--report", report, "-o", out, "--json")
    assert again.states == {"photo10.jpg": "error", "table.png": "no_grid", "empty.png": "solved"}
    assert (out / "a" / "empty-solved.png").is_file()
    new = read_report(str(report))[len(rows) :]
    assert {Path(row.source).name: row.status for row in new} == again.states and len(new) == 3
    rest = run("solve", "--resume", "--report", report, "--json")
    assert [*rest.states] == ["photo10.jpg", "table.png"]


def test_only_failed_pages_are_reread(run: Run, photo_file: Path, no_sudoku: Drawing, tmp_path: Path) -> None:
    page = Pillow.open(photo_file)
    table = Pillow.new("RGB", (60, 60), "grey")
    scan, report, out = tmp_path / "scan.tif", tmp_path / "run.csv", tmp_path / "out"
    scan.write_bytes(packed(page, "TIFF", save_all=True, append_images=[table]))
    assert run("solve", scan, "-o", out, "--report", report).status == 1
    scan.write_bytes(packed(table, "TIFF", save_all=True, append_images=[page]))
    before = contents_below(out)
    again = run("solve", "--resume", "--report", report, "-o", out, "--json")
    assert [(page["page"], page["status"]) for page in again.pages] == [(2, "solved")]
    assert {name: contents_below(out)[name] for name in before} == before
    done = run("solve", "--resume", "--report", report)
    assert (done.status, "all pages in it are done" in done.err) == (0, True)


def test_a_picture_has_one_line_if_asked_or_from_eleven(run: Run, tmp_path: Path, photo_file: Path) -> None:
    message = run("solve", "-q", photo_file, "-o", tmp_path / "out")
    assert message.out == f"{photo_file}: solved -> {tmp_path / 'out' / photo_file.stem}-solved.jpg\n"
    assert run("check", "--quiet", photo_file).out.startswith(f"{photo_file}: nothing written: ")
    boards = [PUZZLE] * 11
    assert run("solve", *boards).out.splitlines() == [f"{PUZZLE}: solved"] * 11
    assert run("solve", "--no-quiet", *boards).out == 11 * run("solve", "--no-quiet", PUZZLE).out


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "source,page,status\nx,y,z\n", "\0\xff"])
def test_files_that_are_no_reports_are_refused(run: Run, tmp_path: Path, text: str) -> None:
    for name in ("run.csv", "run.jsonl"):
        (tmp_path / name).write_text(text)
        ran = run("solve", "--resume", "--report", tmp_path / name)
        assert ran.status in (2, 3) and ran.err.count("\n") == 1
    again = ("solve", "--resume", "--report")
    assert "is no report of a run" in run(*again, tmp_path / "run.csv").err
    assert "there is no such file" in run(*again, tmp_path / "none.csv").err


def full_disk(patch: pytest.MonkeyPatch, name: str = "os.fsync") -> None:
    patch.setattr(name, Mock(side_effect=OSError(errno.ENOSPC, "No space left on device")))


@pytest.mark.parametrize("kind", ["pictures", "document"])
def test_what_was_not_written_is_not_done(
    run: Run, photo_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The pages of a document are done only when it is written."""
    report, out = tmp_path / "run.csv", tmp_path / "out"
    sources = [photo_file, photo_file.with_name("photo2.jpg")]
    sources[1].write_bytes(photo_file.read_bytes())
    if kind == "document":
        for extra in ("pypdfium2", "typst"):
            pytest.importorskip(extra, reason=f"{extra} is not installed")
        page, sources, out = Pillow.open(photo_file), [tmp_path / "scan.pdf"], tmp_path / "out.pdf"
        sources[0].write_bytes(packed(page, "PDF", save_all=True, append_images=[page]))
    with monkeypatch.context() as full:
        full_disk(full)
        ran = run("solve", *sources, "-o", out, "--report", report, "--json")
    assert ran.status == 1 and "no space left" in ran.err
    assert [row.status for row in read_report(str(report))] == ["error", "error"]
    if kind == "pictures":
        assert [page["status"] for page in ran.pages] == ["solved", "solved"]
        assert all("no space left" in page["message"] for page in ran.pages)
        assert [line.endswith("Choose another place.") for line in ran.err.splitlines()] == [True, True]
        again = run("solve", "--resume", "--report", report, "-o", out)
        assert (again.status, len(files_below(out))) == (0, 2)


def test_a_report_that_ended_on_a_full_disk_is_recognised(
    run: Run, photo_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report, ended = tmp_path / "run.csv", ReportFile(str(tmp_path / "run.csv"))
    ended.add(ReportRow(str(photo_file), 1, "solved"))
    with monkeypatch.context() as full, pytest.raises(SaveError, match="no space left"):
        full_disk(full, "sudoku_vision.cli.report.write_all")
        ended.add(ReportRow("more.jpg", 1, "solved"))
    ended.close()
    ran = run("solve", "--resume", "--report", report)
    assert ran.status == 3 and "breaks off" in ran.err


@pytest.mark.skipif(os.name == "nt", reason="there are no such locks there")
def test_two_runs_do_not_write_one_report(run: Run, tmp_path: Path) -> None:
    report = tmp_path / "run.csv"
    first = ReportFile(str(report))
    first.add(ReportRow("photo.jpg", 1, "solved"))
    ran = run("solve", PUZZLE, "--report", report)
    assert (ran.status, ran.out) == (1, "") and "another run" in ran.err
    first.close()
    assert [row.source for row in read_report(str(report))] == ["photo.jpg"]
    assert run("solve", PUZZLE, "--report", report).status == 0
    assert len(read_report(str(report))) == 1


ODD = ("=1+1\u00e9,\n\udc80.png", "a\rb.png", "\r\n.png") if sys.platform == "linux" else ()


@pytest.mark.parametrize("name", ["=1+1.png", *ODD])
def test_names_are_no_formulas(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(b"")
    run("solve", name, "--report", "run.csv")
    assert b"\n=" not in Path("run.csv").read_bytes() and b'"=' not in Path("run.csv").read_bytes()
    assert [row.source for row in read_report("run.csv")] == [name]


# Going on


def test_pages_that_are_done_are_not_reread(run: Run, album: Path, photo_file: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "out", tmp_path / "run.csv"
    call = ("solve", "-r", album, "-o", out, "--resume", "--report", report, "--json")
    first = run(*call)  # there is no report yet, so all is read
    whole, rows = contents_below(out), read_report(str(report))
    (out / "b/photo2-solved.jpg").write_bytes(b"a person's own")
    (album / "new.jpg").write_bytes(photo_file.read_bytes())
    with report.open("a") as broken_off:
        broken_off.write("half a li")
    ran = run(*call)
    assert [*ran.states] == ["new.jpg", "photo10.jpg", "table.png", "empty.png"]
    assert ran.err.splitlines()[-1].endswith(" s. 3 of 7 were done already.")
    assert ran.status == first.status
    new = {"b/photo2-solved.jpg": b"a person's own", "new-solved.jpg": whole["photo2-solved.jpg"]}
    assert contents_below(out) == whole | new
    assert read_report(str(report))[: len(rows)] == rows
    assert len(read_report(str(report))) == len(rows) + len(ran.pages)


def test_ctrl_c_and_resuming_lose_nothing(run: Run, album: Path, photo_file: Path, tmp_path: Path) -> None:
    """A run that was ended by Ctrl-C and resumed leaves the same files as an uninterrupted run."""
    for number in range(12):
        (album / f"more{number}.jpg").write_bytes(photo_file.read_bytes())
    report, out = tmp_path / "run.csv", tmp_path / "out"
    assert run("solve", "-r", album, "-o", tmp_path / "whole").status == 1
    call = ("solve", "-r", album, "-j", 2, "-o", out, "--report", report)
    begun = started(*call, stdout=subprocess.DEVNULL)
    while begun.poll() is None and (not report.exists() or report.read_bytes().count(b"\n") < 4):
        time.sleep(0.01)
    os.killpg(begun.pid, signal.SIGINT)
    _, message = begun.communicate(timeout=20)
    done = contents_below(out)
    assert begun.returncode == 130
    assert re.search(r"interrupted after \d+ pictures: ", message) and "Traceback" not in message
    assert len(done) < len(contents_below(tmp_path / "whole"))
    noted = {str(Path(row.output).relative_to(out)) for row in read_report(str(report)) if row.output}
    assert noted <= set(done) and len(done) <= len(noted) + 1  # one may be written, but not reported yet
    resumed = run("solve", "-r", album, "-o", out, "--resume", "--report", report)
    assert contents_below(out) == contents_below(tmp_path / "whole")
    assert re.search(rf"{len(noted)} of 18 (was|were) done already\.", resumed.err)
    assert resumed.status == 1
