"""The page from another device: a token lets it in once and is not seen again; over https."""

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect
from web_service import running_service

from browser.visits import OpenVisit

pytestmark = pytest.mark.slow


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
