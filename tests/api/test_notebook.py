"""Notebooks: the example runs in a real kernel, and pages, hints, grids and photos show themselves there."""

import base64
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from sudoku_vision import Page, hint, solve_photo
from sudoku_vision.output.save import NOTEBOOK_SIDE, html_figure
from workshop.rendering import Drawing

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "example.ipynb"


def shown(cell: Any) -> dict[str, Any]:
    """What a cell shows, by its kind."""
    return {kind: data for output in cell.outputs for kind, data in output.get("data", {}).items()}


def test_the_example_runs_in_a_real_kernel_and_shows_what_is_stored_in_it() -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbclient and ipykernel are not installed")
    pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    import make_notebook

    kept, ran = (nbformat.read(EXAMPLE, as_version=4) for _ in range(2))
    make_notebook.run(ran, EXAMPLE.parent)  # raises where a cell fails
    cells = [(old, new) for old, new in zip(kept.cells, ran.cells, strict=True) if new.cell_type == "code"]
    shows = [shown(new).get("text/html", "") for _, new in cells]
    assert sum('<img style="' in text and "<figcaption>" in text for text in shows) == 3  # page, check, hint
    make_notebook.tidy(ran)
    for old, new in cells:
        assert old.source == new.source
        assert set(shown(old)) == set(shown(new)), old.source
    assert any("<pre>" in shown(new).get("text/html", "") for _, new in cells)


def test_the_example_is_small_and_has_been_run() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert len(text) < 500_000
    assert "/home/" not in text and "/tmp/" not in text
    assert '"output_type": "error"' not in text


def picture_in(text: str) -> Pillow.Image:
    """The picture that HTML holds."""
    found = re.search('base64,([^"]+)', text)
    assert found is not None
    return Pillow.open(io.BytesIO(base64.b64decode(found[1])))


@pytest.mark.parametrize("shape", [(480, 480, 3), (2400, 900, 3), (3, 9000, 3)])
def test_pictures_in_notebooks_are_bounded(shape: tuple[int, int, int]) -> None:
    size = picture_in(html_figure(np.zeros(shape, np.uint8), [])).size
    assert max(size) == min(NOTEBOOK_SIDE, max(shape))


def test_texts_about_a_picture_are_escaped(drawing: Drawing) -> None:
    assert "<script" not in html_figure(drawing.pixels, ['"><script>', "<b>"])
    page = Page('<script>alert("1")</script>', 1, "error", "<i>", (), 0.0)
    assert "<script" not in page._repr_html_() and "<i>" not in page._repr_html_()


def test_hints_for_boards_and_photos_are_drawn(drawing: Drawing) -> None:
    page = solve_photo(drawing.pixels)
    step = hint(page.grids[0].puzzle)
    assert step is not None and step == page.hint()
    assert picture_in(step._repr_html_()).size == (NOTEBOOK_SIDE, NOTEBOOK_SIDE)
    assert step.text in step._repr_html_()
    marks = tuple(frozenset({1, 2}) for _ in range(81))
    marked = hint(page.grids[0].puzzle, marks)
    assert marked is not None and marked.image(channels="rgb", caption=False).shape == (1008, 1008, 3)
