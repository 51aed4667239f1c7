"""The page's own files: each problem has its words, and all comes from here."""

import json
import re
from pathlib import Path

import pytest

import sudoku_vision.web
from sudoku_vision import texts
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES
from sudoku_vision.web import problems
from sudoku_vision.web.docs_pages import TECHNIQUE_FOLDER, technique_pages
from sudoku_vision.web.problems import Problem, body_too_large, timed_out

STATIC = Path(sudoku_vision.web.__file__).parent / "static"
SCRIPTS = sorted(STATIC.glob("*.js"))


def keys_of(language: str) -> set[str]:
    """Return the keys of the texts in a language."""
    return set(json.loads((texts.FOLDER / f"{language}.json").read_text("utf-8")))


def test_every_problem_has_a_sentence_and_a_remedy() -> None:
    """The codes of the service, those that a person can meet on the page."""
    fixed = [one for one in vars(problems).values() if isinstance(one, Problem)]
    codes = {one.code for one in (*fixed, body_too_large(1), timed_out(1))} | set(problems.OWN_MESSAGE)
    codes -= {"bad_request", "not_found", "method_not_allowed"}
    assert len(codes) > 15
    keys = keys_of("en")
    assert {code for code in codes if f"problem.{code}" not in keys} == set()
    named = {key.removeprefix("problem.") for key in keys if key.startswith("problem.")}
    assert named == {key.removeprefix("remedy.") for key in keys if key.startswith("remedy.")}


def test_every_technique_has_a_page_with_its_picture() -> None:
    pages = technique_pages()
    assert set(pages) == {record.name for record in TECHNIQUES}
    for page in pages.values():
        (picture,) = re.findall('src="/techniques/([^"]+)"', page)
        assert (TECHNIQUE_FOLDER / picture).is_file()


def test_all_texts_that_the_page_names_are_there() -> None:
    page = (STATIC / "index.html").read_text("utf-8")
    named = set(re.findall(r'data-(?:text|label)="([^"]+)"', page))
    for script in SCRIPTS:
        named |= set(re.findall(r'\bt\("([\w.]+)"[,)]', script.read_text("utf-8")))
    keys = keys_of("en")
    counted = {key.rpartition(".")[0] for key in keys if key.endswith((".one", ".other"))}
    assert named - keys - counted == set()


def test_every_text_is_asked_for_somewhere() -> None:
    """By its whole key or by a template, such as `status.${status}`; of units from parts."""
    sources = [*SCRIPTS, STATIC / "index.html", *STATIC.parents[1].rglob("*.py")]
    source = "\n".join(path.read_text("utf-8") for path in sources)
    whole = set(re.findall(r"""["']([\w.]+)["']""", source))
    templates = re.findall(r"""[`"']([a-z]+\.[\w.]*)\$?\{[^}]*\}([\w.]*)[`"'{$]""", source)
    asked = [re.compile(re.escape(start) + r".+" + re.escape(end)) for start, end in templates]
    forgotten = {
        key
        for key in keys_of("en")
        for stem in [re.sub(r"\.(one|other|several)$", "", key)]
        if not key.startswith(("unit.", "in."))
        and not {key, stem} & whole
        and not any(template.fullmatch(key) for template in asked)
    }
    assert forgotten == set()


@pytest.mark.parametrize(
    "path", [*SCRIPTS, *STATIC.glob("*.css"), STATIC / "index.html"], ids=lambda path: path.name
)
def test_files_are_plain_and_ask_no_other_host(path: Path) -> None:
    """No script or style stands in the page itself, and what is fetched comes from the service."""
    text = path.read_text("utf-8")
    assert text.count("\n") <= 350
    if path.suffix == ".js":
        assert not re.search(r"""(?:fetch|import)\s*\(?\s*["'`]https?:""", text)
    if path.suffix == ".css":
        assert "url(" not in text and "@import" not in text
    if path.suffix == ".html":
        assert not re.search(r'\sstyle="|\son\w+="|<style|<script(?!( type="module")? src="/static/)', text)
        assert not re.search(r'(?:src|href)="(?!/|#)', text)
