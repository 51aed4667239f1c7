"""The page from another device: a token lets it in once and is not seen again; over https."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from browser.services import RunningService
from browser.visits import OpenVisit

pytestmark = pytest.mark.slow

PHOTO = "newspaper.jpg"


def test_the_token_of_the_address_becomes_a_cookie(
    lan_service: RunningService, open_visit: OpenVisit
) -> None:
    (token,) = parse_qs(urlsplit(lan_service.address).query)["token"]
    visit = open_visit("phone", lan_service.address)
    assert visit.page.url == f"{lan_service.origin}/"
    assert token not in visit.page.content()
    (cookie,) = visit.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    assert visit.page.evaluate("document.cookie") == ""
    visit.read(PHOTO)
    visit.page.reload()
    expect(visit.page.locator("body[data-ready=true]")).to_be_attached()


def test_a_photo_is_read_over_https(https_service: RunningService, open_visit: OpenVisit) -> None:
    visit = open_visit("desktop", https_service.address)
    assert visit.page.evaluate("isSecureContext")
    visit.read(PHOTO)
