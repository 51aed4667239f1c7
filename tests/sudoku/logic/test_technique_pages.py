"""Every technique has a page that shows what the program makes of its example today."""

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

from sudoku_vision.sudoku.logic import TECHNIQUES, Technique

DOCS = Path(__file__).resolve().parents[3] / "docs"
REMEDY = "run: python docs/tools/make_techniques.py"


@pytest.fixture(scope="module")
def tool() -> Any:
    spec = importlib.util.spec_from_file_location("make_techniques", DOCS / "tools" / "make_techniques.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pages_and_drawings_are_what_the_program_makes(tool: Any) -> None:
    files = tool.made()
    assert {path.name for path in files} == {path.name for path in tool.FOLDER.iterdir()}, REMEDY
    for path, text in files.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale; {REMEDY}"


@pytest.mark.parametrize("technique", TECHNIQUES, ids=str)
def test_a_page_explains_each_technique_in_its_own_words(tool: Any, technique: Technique) -> None:
    (page,) = (
        page for page in tool.FOLDER.glob("*.md") if f"<!-- {technique.name} -->" in page.read_text("utf-8")
    )
    title = technique.name[:1].upper() + technique.name[1:]
    text = page.read_text("utf-8")
    section = re.search(rf"## {re.escape(title)}\n\n(.+?)<!-- {re.escape(technique.name)} -->", text, re.S)
    assert section is not None and len(section[1].split()) >= 8, f"{page.name}: say what {title} is"
    assert f"({page.name}#{tool.slug(technique)})" in (tool.FOLDER / "index.md").read_text("utf-8")


def test_no_page_shows_a_technique_that_is_gone(tool: Any) -> None:
    names = {technique.name for technique in TECHNIQUES}
    for page in tool.FOLDER.glob("*.md"):
        shown = set(re.findall(r"<!-- end of (.+?) -->", page.read_text("utf-8")))
        assert shown <= names | {"techniques"}, page.name


def test_what_is_written_by_hand_stays_when_pages_are_made_anew(tool: Any) -> None:
    technique = TECHNIQUES[0]
    old = f"<!-- {technique.name} -->\nold\n<!-- end of {technique.name} -->\n"
    text = f"# A\n\n## B\n\nBy hand.\n\n{old}\nMore.\n"
    made = tool.with_block(text, technique)
    assert "old" not in made and tool.EXAMPLES[technique.name] in made
    assert made.startswith("# A\n\n## B\n\nBy hand.\n\n<!-- ") and made.endswith(" -->\n\nMore.\n")
    assert tool.with_block(made, technique) == made
