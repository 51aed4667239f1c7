"""A photo is sent as small as reading allows, and saved as large as it is; a slow line is reported."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image as Pillow
from playwright.sync_api import Route, expect

from browser.pictures import clues_of, sample
from browser.visits import OpenVisit, Visit

pytestmark = pytest.mark.slow

NAME = "newspaper.jpg"
SIZE = (4000, 3000)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A sample as large as phones take photos, on its side but for what its EXIF says."""
    path = tmp_path / "large.jpg"
    exif = Pillow.Exif()
    exif[0x0112] = 6  # to be turned clockwise
    sample(NAME).transpose(Pillow.Transpose.ROTATE_90).resize(SIZE).save(path, exif=exif)
    return path


def test_a_large_photo_is_made_smaller_and_saved_as_large_as_it_is(phone: Visit, large: Path) -> None:
    phone.read(large)
    phone.expect_clues(clues_of(NAME))
    phone.expect_drawn(clues_of(NAME).count("0"))
    page = phone.page
    box = page.locator("#layer-ink").get_attribute("viewBox")
    assert box is not None and max(map(float, box.split())) == 2500
    with page.expect_download() as download:
        phone.press("save-picture")
    expect(page.locator("#toast")).to_have_text("The picture is saved.")
    with Pillow.open(BytesIO(Path(download.value.path()).read_bytes())) as saved:
        assert saved.size == SIZE[::-1]
        assert saved.getexif().get(0x0112, 1) == 1


def test_a_slow_line_is_told_as_such(open_visit: OpenVisit, large: Path) -> None:
    patient = open_visit("phone")
    patient.page.route(f"{patient.origin}/", with_little_patience)
    patient.page.reload()
    expect(patient.page.locator("body[data-ready=true]")).to_be_attached()
    patient.page.route("**/api/solve*", lambda _: None)  # nothing of the photo is taken
    patient.choose(large)
    page = patient.page
    expect(page.locator("#reading-title")).to_have_text("Sending your photo")
    expect(page.locator("#reading-sent")).to_be_visible()
    expect(page.locator("#problem")).to_have_attribute("data-code", "slow_body")
    expect(page.locator("#problem-message")).to_have_text(re.compile("The connection is slow"))
    expect(page.locator("#problem-remedy")).to_have_text(re.compile("router"))


def with_little_patience(route: Route) -> None:
    page = route.fetch()
    route.fulfill(response=page, body=re.sub(r"(seconds&quot;:)[\d.]+", r"\g<1>4", page.text()))
