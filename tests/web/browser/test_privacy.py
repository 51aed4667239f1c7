"""Photos are neither kept nor sent elsewhere: not by the page, not by the service."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.services import running_service
from browser.visits import SAMPLES, OpenVisit, Visit

pytestmark = pytest.mark.slow

KEPT = """async () => ({
  local: JSON.stringify(localStorage), session: JSON.stringify(sessionStorage), cookies: document.cookie,
  caches: await caches.keys(), databases: (await indexedDB.databases()).map((one) => one.name),
  workers: (await navigator.serviceWorker.getRegistrations()).length,
})"""


def test_nothing_of_a_photo_is_kept_in_the_browser(desktop: Visit) -> None:
    desktop.read("newspaper.jpg")
    desktop.page.locator("#mode-steps").click()
    expect(desktop.page.locator("#step-number")).to_be_visible()
    kept = desktop.page.evaluate(KEPT)
    assert kept == {
        "local": "{}",
        "session": "{}",
        "cookies": "",
        "caches": [],
        "databases": [],
        "workers": 0,
    }
    desktop.page.reload()
    expect(desktop.page.locator("#start")).to_be_visible()


def test_a_photo_is_sent_once_and_to_the_service_alone(desktop: Visit) -> None:
    desktop.read("newspaper.jpg")
    for mode in ("hint", "check", "steps"):
        desktop.page.locator(f"#mode-{mode}").click()
    expect(desktop.page.locator("#step-number")).to_be_visible()
    sizes = [
        (one.url.rpartition("/")[2].rstrip("?"), int(one.all_headers()["content-length"]))
        for one in desktop.requests
        if one.method == "POST"
    ]
    photo = (SAMPLES / "newspaper.jpg").stat().st_size
    assert [(name, size) for name, size in sizes if size > 50_000] == [("solve", photo)]
    assert all(one.url.startswith((desktop.origin, "data:", "blob:")) for one in desktop.requests)


@pytest.mark.parametrize("option", ["--workers=2"])
def test_the_service_writes_no_file_and_no_name_of_one(
    option: str, open_visit: OpenVisit, tmp_path: Path
) -> None:
    folder = tmp_path / "machine"
    folder.mkdir()
    photo = tmp_path / "very-private.jpg"
    photo.write_bytes((SAMPLES / "newspaper.jpg").read_bytes())
    places = {name: str(folder) for name in ("TMPDIR", "HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")}
    with running_service(option, environment=places, folder=folder) as service:
        visit = open_visit("desktop", service.address)
        visit.read(photo)
        visit.page.locator("#mode-check").click()
        expect(visit.page.locator("#status-text")).to_have_text(
            "Nothing is written in yet. 51 cells are left."
        )
        assert [one for one in folder.rglob("*") if one.is_file()] == []
        told = service.log.read_text()
        assert told.count("\n") <= 1 and "private" not in told and "solve" not in told
