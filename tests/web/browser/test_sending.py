"""Photos are sent once and small, and kept nowhere; in the address a token becomes a cookie."""

import re
import time
from io import BytesIO
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image as Pillow
from playwright.sync_api import Route, expect
from web_service import running_service

from browser.pictures import clues_of, sample
from browser.visits import SAMPLES, OpenVisit, Visit

pytestmark = pytest.mark.slow

PHOTO = "newspaper.jpg"
SIZE = (4000, 3000)

KEPT = """async () => ({
  local: JSON.stringify(localStorage), session: JSON.stringify(sessionStorage), cookies: document.cookie,
  caches: (await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys())))
    .flat().map(({ url }) => new URL(url).pathname.split("/")[1]),
  databases: (await indexedDB.databases()).map((one) => one.name),
  workers: (await navigator.serviceWorker.getRegistrations()).length,
})"""


def test_nothing_of_a_photo_is_kept_in_the_browser(open_visit: OpenVisit) -> None:
    desktop = open_visit("desktop", service_workers="allow")
    page = desktop.page
    desktop.read(PHOTO)
    (key,) = page.evaluate("Object.keys(localStorage)")
    (puzzle,) = page.evaluate("(key) => JSON.parse(localStorage[key])", key)
    assert (set(puzzle), set(puzzle["grid"])) == (
        {"id", "grid", "solving", "seconds", "lines", "units", "corrected"},
        {"status", "puzzle", "written", "marks"},
    )
    desktop.press("settings-open")
    desktop.find("#settings-keep").uncheck()
    desktop.press("settings-close", "mode-steps")
    expect(desktop.find("#step-number")).to_be_visible()
    page.wait_for_function("() => navigator.serviceWorker.controller")
    kept = page.evaluate(KEPT)
    assert "grids" not in kept.pop("local")
    files_of_the_page = {"", "manifest.webmanifest", "static", "texts"}
    assert set(kept.pop("caches")) <= files_of_the_page
    assert kept == {"session": "{}", "cookies": "", "databases": [], "workers": 1}
    page.reload()
    expect(desktop.find("#start")).to_be_visible()
    expect(desktop.find("#resume")).to_be_hidden()


def test_a_photo_is_sent_once_and_to_the_service_alone(desktop: Visit) -> None:
    desktop.read(PHOTO)
    for mode in ("hint", "check", "steps"):
        desktop.press(f"mode-{mode}")
    expect(desktop.find("#step-number")).to_be_visible()
    sizes = [
        (one.url.rpartition("/")[2].rstrip("?"), int(one.all_headers()["content-length"]))
        for one in desktop.requests
        if one.method == "POST"
    ]
    photo = (SAMPLES / PHOTO).stat().st_size
    assert [(name, size) for name, size in sizes if size > 50_000] == [("solve", photo)]
    assert all(one.url.startswith((desktop.origin, "data:", "blob:")) for one in desktop.requests)


def test_over_https_the_token_of_the_address_becomes_a_cookie(open_visit: OpenVisit) -> None:
    with running_service("--lan", "--https") as service:
        (token,) = parse_qs(urlsplit(service.address).query)["token"]
        visit = open_visit("phone", service.address)
        assert visit.page.url == f"{service.origin}/"
        assert token not in visit.page.content()
        (cookie,) = visit.context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"], cookie["secure"]) == (True, "Strict", True)
        assert visit.page.evaluate("[document.cookie, isSecureContext]") == ["", True]
        visit.read(PHOTO)
        assert cookie["expires"] > time.time() + 399 * 86_400
        visit.page.goto(service.origin.replace("https", "http"))  # typed without the s
        assert visit.page.url == f"{service.origin}/"
        expect(visit.find("body[data-ready=true]")).to_be_attached()
        visit.page.wait_for_load_state("networkidle")  # the service must not end before what is asked


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A sample as large as phones take photos, on its side but for what its EXIF says."""
    path = tmp_path / "large.jpg"
    exif = Pillow.Exif()
    exif[0x0112] = 6  # to be turned clockwise
    sample(PHOTO).transpose(Pillow.Transpose.ROTATE_90).resize(SIZE).save(path, exif=exif)
    return path


def test_a_large_photo_is_made_smaller_and_saved_as_large_as_it_is(phone: Visit, large: Path) -> None:
    phone.read(large)
    phone.expect_clues(clues_of(PHOTO))
    phone.expect_drawn(clues_of(PHOTO).count("0"))
    box = phone.find("#layer-ink").get_attribute("viewBox")
    assert box is not None and max(map(float, box.split())) == 2500
    with phone.page.expect_download() as download:
        phone.press("save-picture")
    expect(phone.find("#toast")).to_have_text("The picture is saved.")
    with Pillow.open(BytesIO(Path(download.value.path()).read_bytes())) as saved:
        assert saved.size == SIZE[::-1]
        assert saved.getexif().get(0x0112, 1) == 1


def test_a_slow_line_is_told_as_such(open_visit: OpenVisit, large: Path) -> None:
    patient = open_visit("phone")
    patient.page.route(f"{patient.origin}/", with_little_patience)
    patient.page.reload()
    expect(patient.find("body[data-ready=true]")).to_be_attached()
    patient.page.route("**/api/solve*", lambda _: None)  # nothing of the photo is taken
    patient.choose(large)
    expect(patient.find("#reading-title")).to_have_text("Sending your photo")
    expect(patient.find("#reading-sent")).to_be_visible()
    expect(patient.find("#problem")).to_have_attribute("data-code", "slow_body")
    expect(patient.find("#problem-message")).to_have_text(re.compile("The connection is slow"))
    expect(patient.find("#problem-remedy")).to_have_text(re.compile("router"))


def with_little_patience(route: Route) -> None:
    page = route.fetch()
    route.fulfill(response=page, body=re.sub(r"(seconds&quot;:)[\d.]+", r"\g<1>4", page.text()))
