"""Firefox, the other engine at hand: the page opens, a picture is read, the answers are drawn."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from browser.bidi import Firefox, running_firefox
from browser.conftest import skip
from browser.pictures import clues_of
from browser.services import RunningService
from browser.visits import SAMPLES

PHOTO = "newspaper.jpg"


@pytest.fixture(scope="module")
def firefox() -> Iterator[Firefox]:
    """Firefox without a window; skips where there is none."""
    if shutil.which("firefox-esr") is None:
        skip("there is no firefox-esr on this machine (Debian: apt-get install firefox-esr)")
    with running_firefox() as running:
        yield running


def test_a_photo_is_read_drawn_and_corrected(firefox: Firefox, service: RunningService) -> None:
    blanks = clues_of(PHOTO).count("0")
    firefox.open(service.address)
    firefox.wait_for("document.body.dataset.ready")
    assert firefox.evaluate("document.querySelectorAll('#hero path').length") > 40
    firefox.set_files("#choose-file-input", SAMPLES / PHOTO)
    firefox.wait_for("document.querySelector('#status').dataset.status === 'solved'")
    assert firefox.evaluate("document.querySelectorAll('#layer-ink g[data-cell]').length") == blanks
    height = "one.getBoundingClientRect().height"
    drawn = f"[...document.querySelectorAll('#layer-ink g')].every((one) => {height} > 9)"
    assert firefox.evaluate(drawn)
    firefox.evaluate("document.querySelector('#board .answer').click()")
    firefox.wait_for("!document.querySelector('#pad').hidden")
    firefox.evaluate(
        "document.querySelector('#pad-' + document.querySelector('#board .answer').textContent).click()"
    )
    firefox.wait_for(f"document.querySelectorAll('#layer-ink g[data-cell]').length === {blanks - 1}")
    firefox.evaluate("document.querySelector('#mode-steps').click()")
    firefox.wait_for("document.querySelector('#step-number').textContent.startsWith('Step 1 of')")
    assert [one for one in firefox.log if one.startswith(("error", "warn"))] == []
    own = (service.origin, "data:", "blob:", "about:")
    assert [one for one in firefox.requests if not one.startswith(own)] == []
