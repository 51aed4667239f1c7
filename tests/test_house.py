"""The house as a whole: what its tests and its metadata promise."""

import ast
import graphlib
import re
import tomllib
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from types import SimpleNamespace
from typing import Any

import conftest
import pytest
import yaml

TESTS = Path(__file__).resolve().parent
PACKAGE = TESTS.parent / "sudoku_vision"
ARCHITECTURE = TESTS.parent / "docs" / "architecture.md"


@pytest.mark.parametrize(
    ("at_hand", "fixture", "outcome"),
    [
        (True, "shared_data", "failed"),
        (True, "tmp_path", "skipped"),
        (False, "shared_data", "skipped"),
    ],
)
def test_tests_of_real_photos_may_only_be_skipped_where_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_hand: bool, fixture: str, outcome: str
) -> None:
    monkeypatch.setenv("SUDOKU_VISION_DATA", str(tmp_path if at_hand else tmp_path / "nowhere"))
    item: Any = SimpleNamespace(nodeid="test_photos", fixturenames=(fixture,))
    hook = conftest.pytest_runtest_makereport(item)
    next(hook)
    report = pytest.TestReport("test_photos", ("", 1, ""), {}, "skipped", ("", 1, "not here"), "call")
    with pytest.raises(StopIteration) as ended:
        hook.send(report)
    assert ended.value.value.outcome == outcome


def drawn_wings() -> dict[str, int]:
    """Read the place of each wing from the drawing in the documentation: 0 is the leftmost, the floor."""
    text = ARCHITECTURE.read_text(encoding="utf-8")
    drawing = re.search(r"^ {4}floor \((.+?)\) <- (.+)$", text, re.MULTILINE)
    assert drawing
    wings = [drawing[1], *drawing[2].split(" <- ")]
    return {name: place for place, names in enumerate(wings) for name in names.split(", ")}


@cache
def imported_names(path: Path) -> set[str]:
    """The full names of all that a file imports, at its top or within functions."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    found = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    return found | {f"{node.module}.{name.name}" for node in froms for name in node.names}


def imported_modules(path: Path) -> set[str]:
    """The modules of the package among them, each with a name in it."""
    return {
        name for name in imported_names(path) if name.startswith("sudoku_vision.") and name.count(".") > 1
    }


def test_what_decides_is_where_the_documentation_says() -> None:
    text = ARCHITECTURE.read_text(encoding="utf-8")
    table = text.split("## Where it is decided")[1].split("\n## ")[0]
    names = re.findall(r"`([\w/]+)\.([\w.]+)`", table)
    assert len(names) > 50
    for module, name in names:
        if name in ("js", "py"):
            assert (PACKAGE / f"{module}.{name}").is_file(), module
        else:
            assert resolve_name(f"sudoku_vision.{module.replace('/', '.')}:{name}") is not None


def test_a_wing_imports_only_wings_to_its_left() -> None:
    places, against = drawn_wings(), []
    entrances = {PACKAGE / "__init__.py", PACKAGE / "__main__.py"}
    paths = [path for path in PACKAGE.rglob("*.py") if path not in entrances]
    wings = {path: path.relative_to(PACKAGE).with_suffix("").parts[0] for path in paths}
    assert set(places) == set(wings.values())
    for path, wing in wings.items():
        for module in imported_modules(path):
            other = module.split(".")[1]
            if other != wing and places[other] > places[wing]:
                against.append(f"{path.relative_to(PACKAGE)} imports {module}")
    assert not against


def test_no_modules_import_one_another_in_a_circle() -> None:
    names = {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in PACKAGE.rglob("*.py")
    }
    imports = {
        name: {module if module in names else module.rpartition(".")[0] for module in imported_modules(path)}
        for name, path in names.items()
    }
    assert imports["sudoku_vision.pipeline"]
    sorter = graphlib.TopologicalSorter({name: below - {name} for name, below in imports.items()})
    sorter.prepare()  # raises CycleError, which names the circle


def test_the_package_neither_imports_the_workshop_nor_needs_what_only_training_needs() -> None:
    kept_out = {"workshop", "sklearn", "scipy", "joblib"}
    for path in PACKAGE.rglob("*.py"):
        assert not {name.split(".")[0] for name in imported_names(path)} & kept_out, path
    settings = tomllib.loads((TESTS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    assert "scikit-learn" not in " ".join(settings["project"]["dependencies"])
    assert settings["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["sudoku_vision"]


def test_what_stands_around_the_package_says_what_its_metadata_say() -> None:
    top = TESTS.parent
    project = tomllib.loads((top / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((top / "CITATION.cff").read_text(encoding="utf-8"))
    for name, own in (("version", "version"), ("license", "license"), ("abstract", "description")):
        assert citation[name] == project[own]
    assert citation["authors"] == project["authors"] and citation["keywords"] == project["keywords"]
    workflows = {
        path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
        for path in (top / ".github" / "workflows").iterdir()
    }
    pythons = [line.split(" :: ")[-1] for line in project["classifiers"] if "Python :: 3." in line]
    assert workflows["tests"]["jobs"]["tests"]["strategy"]["matrix"]["python"] == pythons
    for workflow in workflows.values():
        assert workflow["permissions"] == {"contents": "read"}
        steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
        for step in steps:
            assert re.search(r"@(release/)?v\d+$", step.get("uses", "@v0"))
    runs = " ".join(step.get("run", "") for step in workflows["release"]["jobs"]["build"]["steps"])
    assert ".ci/run" in runs
    readme = (top / "README.md").read_text(encoding="utf-8")
    assert workflows["tests"]["jobs"]["tests"]["steps"][-1]["run"] in readme


def test_ci_names_tests_that_exist() -> None:
    named = re.findall(r"\btests/[\w/]+(?:\.py)?(?!\w)", (TESTS.parent / ".ci/run").read_text("utf-8"))
    assert len(named) > 5
    assert [name for name in named if not (TESTS.parent / name).exists()] == []
