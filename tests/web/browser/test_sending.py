"""Photos are neither kept nor sent elsewhere, and from another device a token lets a page in once."""

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect
from web_service import running_service

from browser.visits import SAMPLES, OpenVisit, Visit

pytestmark = pytest.mark.slow

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
    desktop.read("newspaper.jpg")
    (key,) = page.evaluate("Object.keys(localStorage)")
    (puzzle,) = page.evaluate("(key) => JSON.parse(localStorage[key])", key)
    assert (set(puzzle), set(puzzle["grid"])) == (
        {"id", "grid", "solving", "seconds", "lines", "units", "corrected"},
        {"status", "puzzle", "written", "marks"},
    )
    desktop.press("settings-open")
    page.locator("#settings-keep").uncheck()
    desktop.press("settings-close", "mode-steps")
    expect(desktop.page.locator("#step-number")).to_be_visible()
    page.wait_for_function("() => navigator.serviceWorker.controller")
    kept = page.evaluate(KEPT)
    assert "grids" not in kept.pop("local")
    files_of_the_page = {"", "manifest.webmanifest", "static", "texts"}
    assert set(kept.pop("caches")) <= files_of_the_page
    assert kept == {"session": "{}", "cookies": "", "databases": [], "workers": 1}
    page.reload()
    expect(page.locator("#start")).to_be_visible()
    expect(page.locator("#resume")).to_be_hidden()


def test_a_photo_is_sent_once_and_to_the_service_alone(desktop: Visit) -> None:
    desktop.read("newspaper.jpg")
    for mode in ("hint", "check", "steps"):
        desktop.press(f"mode-{mode}")
    expect(desktop.page.locator("#step-number")).to_be_visible()
    sizes = [
        (one.url.rpartition("/")[2].rstrip("?"), int(one.all_headers()["content-length"]))
        for one in desktop.requests
        if one.method == "POST"
    ]
    photo = (SAMPLES / "newspaper.jpg").stat().st_size
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
        visit.read("newspaper.jpg")
        assert cookie["expires"] > time.time() + 399 * 86_400
        visit.page.goto(service.origin.replace("https", "http"))  # typed without the s
        assert visit.page.url == f"{service.origin}/"
        expect(visit.page.locator("body[data-ready=true]")).to_be_attached()
        visit.page.wait_for_load_state("networkidle")  # the service must not end before what is asked
