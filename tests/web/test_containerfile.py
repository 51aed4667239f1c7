"""The container, as far as that is possible without building it: what it runs and what it installs."""

import json
import re
import tomllib
from pathlib import Path

from conftest import Run

TOP = Path(__file__).resolve().parents[2]
TEXT = (TOP / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "")


def words_after(instruction: str) -> list[str]:
    """The list of words that an instruction has in its form for programs."""
    found = re.search(rf"^{instruction}.*?(\[.*\])$", TEXT, re.MULTILINE)
    assert found
    words: list[str] = json.loads(found[1])
    return words


def test_it_runs_a_call_that_the_program_understands(run: Run) -> None:
    name, *arguments = words_after("ENTRYPOINT")
    assert name == "sudoku-vision"
    assert run(*arguments, "--help").status == 0


def test_it_installs_what_the_package_offers_and_copies_what_it_needs() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = re.search(r'"\.\[([\w,]+)\]"', TEXT)
    assert extras and set(extras[1].split(",")) <= set(project["optional-dependencies"])
    opencv = next(one for one in project["dependencies"] if one.startswith("opencv-python"))
    assert opencv.replace("opencv-python", "opencv-python-headless") in TEXT
    let_in = (TOP / ".dockerignore").read_text(encoding="utf-8")
    for line in re.findall(r"^COPY (?!--)(.*)$", TEXT, re.MULTILINE):
        for name in line.split()[:-1]:
            assert (TOP / name).exists() and f"!{name}\n" in let_in
