"""Documentation: pages name all that is public and every technique, links lead somewhere, code in it runs."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import make_techniques as pages
import numpy as np
import pytest
from check_links import broken_links
from conftest import PUZZLE
from films import write_film

import sudoku_vision
from sudoku_vision.sudoku.logic.steps import Technique
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES
from sudoku_vision.vision.load import load_photo

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
REMEDY = "run: python docs/tools/make_techniques.py"


def test_the_api_page_has_every_public_name_once() -> None:
    told = re.findall(r"^::: sudoku_vision\.(\w+)$", (DOCS / "api.md").read_text(encoding="utf-8"), re.M)
    assert sorted(told) == sorted(sudoku_vision.__all__)
    for name in told:
        assert getattr(sudoku_vision, name).__doc__, f"{name} has no docstring"


def test_every_page_stands_in_the_contents_of_the_site() -> None:
    listed = re.findall(r"^ +- (?:.+: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


def test_links_between_the_files_of_the_project_lead_somewhere() -> None:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")):
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.S)
        for link in re.findall(r"\]\(([^)\s#]+)", text):
            if "://" not in link and not link.startswith("mailto:"):
                assert (page.parent / link).exists(), f"{page.name}: {link}"


def python_in(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)


PAGES = {page.stem: page for page in (ROOT / "README.md", *DOCS.rglob("*.md")) if python_in(page)}
"""The pages with blocks of Python."""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("README", ("solved", "+-------+")),
        ("programs", ("solved", "+-------+", "many")),
        ("formats", ("sudokupad.app",)),
        ("logic", ("hidden single", "In box 4")),
        ("parallel", ("Page('photo.jpg', solved", "there is no such file")),
    ],
)
def test_python_in_the_documentation_runs(
    name: str, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    shutil.copy(ROOT / "sample_images" / "app_light.png", tmp_path / "photo.jpg")
    (tmp_path / "puzzles.sdk").write_text(f"{PUZZLE}\n{PUZZLE}\n")
    write_film(tmp_path / "film.avi", [load_photo(tmp_path / "photo.jpg").pixels] * 3, 10)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in python_in(PAGES[name]):
        exec(compile(block, name, "exec"), names)
    printed = capsys.readouterr().out
    assert [word for word in words if word not in printed] == []
    assert (tmp_path / "solved.png").exists() == ("solved.png" in PAGES[name].read_text("utf-8"))
    if name == "programs":
        assert np.array_equal(names["answers"][0], names["page"].grids[0].solution)


@pytest.mark.slow
def test_all_python_in_the_documentation_has_right_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    assert len(PAGES) == 5  # all of them are run above
    for name, page in PAGES.items():
        for number, block in enumerate(python_in(page)):
            (tmp_path / f"{name}_{number}.py").write_text(block)
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", *tmp_path.glob("*.py")],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout


def test_broken_links_of_the_site_are_found(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "index.html").write_text('<h1 id="top">A</h1><a href="../#here"></a><img src="no.png">')
    (tmp_path / "index.html").write_text(
        '<p id="here"></p><a href="a/#top"></a><a href="a/#nowhere"></a><a href="gone/"></a>'
        '<a href="https://example.org/x"></a><a href="#here"></a>'
    )
    assert sorted(broken_links(tmp_path)) == [
        "a/index.html: no.png is not there",
        "index.html: a/#nowhere has no such place",
        "index.html: gone/ is not there",
    ]


def test_roles_become_links_where_the_api_page_tells_the_name() -> None:
    pytest.importorskip("griffe", reason="the extra docs is not installed")
    import griffe_roles as roles

    told = SimpleNamespace(docstring="...")
    page = SimpleNamespace(members={"image": told, "seconds": SimpleNamespace(docstring=None)})
    homes = {"sudoku_vision.api.page.Page": ("sudoku_vision.Page", page)}

    def resolve(name: str) -> str:
        return {"image": "sudoku_vision.api.page.Page.image"}.get(name, f"elsewhere.{name}")

    of = SimpleNamespace(resolve=resolve)
    for text, becomes in [
        (":class:`~sudoku_vision.api.page.Page`", "[`Page`][sudoku_vision.Page]"),
        (":class:`Page`", "[`Page`][sudoku_vision.Page]"),
        (":meth:`Page.image`", "[`Page.image`][sudoku_vision.Page.image]"),
        (":meth:`image`", "[`image`][sudoku_vision.Page.image]"),
        (":attr:`Page.seconds`", "`Page.seconds`"),
        (":func:`~sudoku_vision.vision.load.read`", "`read`"),
        ("Solved:\n\n>>> 1 + 1\n2\n\nMore.", "Solved:\n\n```pycon\n>>> 1 + 1\n2\n```\n\nMore."),
    ]:
        assert roles.markdown(text, of, homes) == becomes


def test_pages_and_drawings_are_what_the_program_makes() -> None:
    files = pages.made()
    assert {path.name for path in files} == {path.name for path in pages.FOLDER.iterdir()}, REMEDY
    for path, text in files.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale; {REMEDY}"


@pytest.mark.parametrize("technique", TECHNIQUES, ids=str)
def test_a_page_explains_each_technique_in_its_own_words(technique: Technique) -> None:
    (page,) = (
        page for page in pages.FOLDER.glob("*.md") if f"<!-- {technique.name} -->" in page.read_text("utf-8")
    )
    title = technique.name[:1].upper() + technique.name[1:]
    text = page.read_text("utf-8")
    section = re.search(rf"## {re.escape(title)}\n\n(.+?)<!-- {re.escape(technique.name)} -->", text, re.S)
    assert section is not None and len(section[1].split()) >= 8, f"{page.name}: say what {title} is"
    assert f"({page.name}#{pages.slug(technique)})" in (pages.FOLDER / "index.md").read_text("utf-8")


def test_no_page_shows_a_technique_that_is_gone() -> None:
    names = {technique.name for technique in TECHNIQUES}
    for page in pages.FOLDER.glob("*.md"):
        shown = set(re.findall(r"<!-- end of (.+?) -->", page.read_text("utf-8")))
        assert shown <= names | {"techniques", "links"}, page.name


def test_what_is_written_by_hand_stays_when_pages_are_made_anew() -> None:
    technique = TECHNIQUES[0]
    old = f"<!-- {technique.name} -->\nold\n<!-- end of {technique.name} -->\n"
    text = f"# A\n\n## B\n\nBy hand.\n\n{old}\nMore.\n"
    made = pages.with_block(text, technique)
    assert "old" not in made and pages.EXAMPLES[technique.name] in made
    assert made.startswith("# A\n\n## B\n\nBy hand.\n\n<!-- ") and made.endswith(" -->\n\nMore.\n")
    assert pages.with_block(made, technique) == made
