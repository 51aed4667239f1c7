"""The live camera of the page, before a film whose every frame is known."""

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn.film import Film, Moment
from playwright.sync_api import Browser, Playwright, WebSocketRoute, expect
from web_service import RunningService, running_service

from browser.camera_films import RATE, WATCH, CameraFilm, camera_film
from browser.conftest import launch_chromium
from browser.visits import OpenVisit, Visit
from workshop.rendering.conditions import Conditions, Optics, Pose
from workshop.rendering.picture import DrawnGrid

PUZZLES = (
    "070800020080045700020007000017008200008402100002900360000600050004710080060004070",
    "400000805030000000000700000020000060000080400000010000000603070500200000104000000",
)
"""What lies before the camera, the one and then the other."""
ELSEWHERE = "sudoku.test"
"""A name of this machine to which no camera is given over http, as to other machines."""
LENGTH = 12
"""Frames of each puzzle, one and a half seconds."""
PLACE, FARTHEST = 0.05, 0.2
"""Cells that the answers of a frame may lie beside their places in it, in the mean and at most."""
FIRST_ANSWER = 60_000
"""Milliseconds until the first answer must be drawn; on an idle machine it takes 500."""

OpenCamera = Callable[..., Visit]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> CameraFilm:
    """Two puzzles, the one and the other before a camera in a hand, over and over."""
    held, near = Pose(fill=0.65), Pose(fill=0.72, roll=8, shift=(0.05, 0.03))
    boards = [np.array([int(digit) for digit in board], np.int8).reshape(9, 9) for board in PUZZLES]
    seconds = LENGTH / RATE
    moments = [
        Moment(seconds * (page + share), pose, page=page)
        for page in (0, 1)
        for share, pose in ((0, held), (0.6, near), (1 - 1e-3, held))
    ]
    conditions = Conditions(size=(1280, 720), optics=Optics(noise=3))
    made = Film(moments, [[board] for board in boards], conditions, rate=RATE, seed=1)
    return camera_film(made, tmp_path_factory.mktemp("films") / "two_puzzles.y4m")


@pytest.fixture(scope="module")
def cameras(playwright: Playwright, film: CameraFilm) -> Iterator[Browser]:
    """A Chromium whose camera sees the film."""
    elsewhere = f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1"
    browser = launch_chromium(playwright, *film.arguments, elsewhere)
    yield browser
    browser.close()


@pytest.fixture
def open_camera(open_visit: OpenVisit, cameras: Browser) -> OpenCamera:
    """Open the page, and its live camera unless *live* is false."""

    def open_one(
        device: str = "desktop", address: str = "", *, script: str = "", live: bool = True, **options: Any
    ) -> Visit:
        options = {"browser": cameras, "permissions": ["camera"], "script": WATCH + script, **options}
        visit: Visit = open_visit(device, address, **options)
        if live:
            visit.press("live-camera")
        return visit

    return open_one


def frames_drawn(visit: Visit, count: int, *, digits: int = 1, of: int | None = None) -> list[dict[str, Any]]:
    """Wait for *count* more frames with so many *digits*, perhaps *of* one puzzle; return all."""
    enough = """([begin, count, digits, first, last]) => drawnFrames.slice(begin).filter((one) =>
        one.digits.length >= digits && one.frame >= first && one.frame < last).length >= count"""
    first, last = (0, 2 * LENGTH) if of is None else (LENGTH * of, LENGTH * of + LENGTH)
    begin = visit.page.evaluate("drawnFrames.length")
    visit.page.wait_for_function(enough, arg=[begin, count, digits, first, last])
    frames: list[dict[str, Any]] = visit.page.evaluate("(begin) => drawnFrames.slice(begin)", begin)
    return frames


def check_answers(frames: list[dict[str, Any]], film: CameraFilm) -> None:
    """Hold every digit that is drawn on a frame against the truth about that very frame."""
    for drawn in frames:
        if drawn["digits"]:
            seen = film.frames[drawn["frame"]]
            check_frame(drawn, (*seen.grids, *seen.cut)[0])


def check_frame(drawn: dict[str, Any], truth: DrawnGrid) -> None:
    crossings = (truth.lattice.crossings + 0.5) * drawn["scale"] - 0.5
    side = np.sqrt(np.abs(np.linalg.det(crossings[[0, 9], [9, 0]] - crossings[0, 0]))) / 9
    away = []
    for cell, digit, (*_, x, y) in drawn["digits"]:
        row, column = divmod(cell, 9)
        assert truth.puzzle[row, column] == 0
        assert digit == truth.solution[row, column], drawn["frame"]
        middle = crossings[row : row + 2, column : column + 2].reshape(4, 2).mean(axis=0)
        away.append(float(np.linalg.norm(np.array([x, y]) - middle)) / side)
    assert np.mean(away) < PLACE and max(away) < FARTHEST, drawn["frame"]


def state(visit: Visit) -> str | None:
    return visit.page.locator("#camera-status").get_attribute("data-state")


@pytest.mark.slow
def test_answers_are_drawn_on_the_very_frame_that_was_read(open_camera: OpenCamera, film: CameraFilm) -> None:
    visit = open_camera("phone")
    visit.page.wait_for_function("() => drawnFrames.some((one) => one.digits.length)", timeout=FIRST_ANSWER)
    frames = [*frames_drawn(visit, 6, of=0), *frames_drawn(visit, 6, of=1)]
    check_answers(visit.page.evaluate("drawnFrames"), film)
    solved = {drawn["frame"] // LENGTH for drawn in frames if len(drawn["digits"]) > 40}
    assert solved == {0, 1}
    expect(visit.page.locator("#camera-live")).to_have_text(
        re.compile(r"Solved\. \d\d answers are drawn in\.")
    )


@pytest.mark.slow
def test_a_websocket_that_breaks_off_is_opened_anew(open_camera: OpenCamera, film: CameraFilm) -> None:
    sockets: list[WebSocketRoute] = []

    def passed_on(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    visit = open_camera(live=False)
    visit.page.route_web_socket("**/api/live", passed_on)
    visit.press("live-camera")
    frames_drawn(visit, 2)
    sockets[0].close()
    check_answers(frames_drawn(visit, 3), film)
    assert len(sockets) == 2


@pytest.mark.slow
def test_one_hint_and_the_answers_again(open_camera: OpenCamera) -> None:
    visit = open_camera()
    frames_drawn(visit, 1, digits=40)
    visit.press("camera-mode-hint")
    expect(visit.page.locator("#camera-mode-hint")).to_have_attribute("aria-pressed", "true")
    assert visit.page.locator("#camera-ink > g > *").count() <= 12  # at once: the answers give more away
    visit.page.locator("#camera-multiply path").first.wait_for(state="attached")
    expect(visit.page.locator("#camera-words")).to_contain_text(re.compile(r"r\dc\d"))  # in words, too
    visit.press("camera-mode-check")
    expect(visit.page.locator("#camera-words")).to_have_text("Nothing is written in yet.")
    assert all(not drawn["digits"] for drawn in frames_drawn(visit, 3, digits=0)[1:])
    visit.press("camera-mode-answers")
    frames_drawn(visit, 1, digits=40)


@pytest.mark.slow
def test_the_space_bar_freezes_the_frame_and_it_is_a_photo(open_camera: OpenCamera, film: CameraFilm) -> None:
    visit = open_camera()
    frames_drawn(visit, 2, of=0)
    visit.page.keyboard.press("Space")
    visit.expect_status("solved")
    expect(visit.page.locator("#camera")).to_be_hidden()
    assert visit.page.evaluate("document.getElementById('photo').naturalWidth") == 1280
    frozen = visit.page.evaluate("drawnFrames.findLast((one) => one.digits.length)")
    (truth,) = film.frames[frozen["frame"]].grids
    visit.expect_drawn(int(np.count_nonzero(truth.puzzle == 0)))
    visit.cell(1, 1).click()  # it can be corrected as any other
    expect(visit.page.locator("#pad")).to_be_visible()


@pytest.mark.slow
def test_a_frame_frozen_in_a_hint_gives_no_answers_away(open_camera: OpenCamera) -> None:
    visit = open_camera()
    visit.press("camera-mode-hint")
    expect(visit.page.locator("#camera-words")).to_contain_text(re.compile(r"r\dc\d"))
    visit.press("camera-freeze")
    expect(visit.page.locator("#hint-next")).to_be_visible()
    expect(visit.page.locator("#board .answer")).to_have_count(0)


@pytest.mark.slow
def test_without_the_right_to_the_camera(open_camera: OpenCamera) -> None:
    visit = open_camera("phone", permissions=["clipboard-read"], locale="de-DE")
    expect(visit.page.locator("#camera-trouble-title")).to_have_text("Die Kamera ist nicht erlaubt.")
    expect(visit.page.locator("#camera-trouble-remedy")).to_contain_text("Erlaube dieser Seite die Kamera")
    visit.context.grant_permissions(["camera"])
    visit.page.get_by_role("button", name="Noch einmal").click()
    frames_drawn(visit, 1, digits=0)


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """The address of a service under another name; it ends after the windows at it are closed."""
    with running_service("--allow-host", ELSEWHERE) as service:
        yield service.address.replace("127.0.0.1", ELSEWHERE)


@pytest.mark.slow
def test_at_an_insecure_address_a_photo_is_offered(elsewhere: str, open_camera: OpenCamera) -> None:
    visit = open_camera("phone", elsewhere)
    expect(visit.page.locator("#camera-trouble-remedy")).to_contain_text("https")
    expect(visit.page.get_by_role("button", name="Try again")).to_be_hidden()
    with visit.page.expect_file_chooser():
        visit.press("camera-photo")
    expect(visit.page.locator("#camera")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are listed as Linux lists them")
def test_goes_on_when_its_worker_is_killed(
    open_camera: OpenCamera, service: RunningService, film: CameraFilm
) -> None:
    visit = open_camera()
    frames_drawn(visit, 2)
    os.kill(youngest_child(service.process.pid), signal.SIGKILL)  # workers of cameras start last
    frames_drawn(visit, 1, digits=0)
    check_answers(frames_drawn(visit, 3), film)


def youngest_child(process: int) -> int:
    """Return the process that *process* started last."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    children = [int(child) for task in tasks for child in task.read_text().split()]
    stats = {child: Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split() for child in children}
    return max(children, key=lambda child: int(stats[child][19]))  # ticks until it was started


@pytest.mark.slow
def test_a_service_that_is_gone_is_told_and_tried_again(open_camera: OpenCamera, film: CameraFilm) -> None:
    visit = open_camera(live=False)
    visit.allow("ERR_FAILED")
    tries: list[WebSocketRoute] = []

    def refused_at_first(socket: WebSocketRoute) -> None:
        tries.append(socket)
        socket.close() if len(tries) <= 2 else socket.connect_to_server()

    visit.page.route_web_socket("**/api/live", refused_at_first)
    visit.press("live-camera")
    expect(visit.page.locator("#camera-words")).to_have_text("The service doesn't answer. Trying again.")
    check_answers(frames_drawn(visit, 3), film)


HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.mark.slow
def test_nothing_is_sent_while_the_page_is_hidden(open_camera: OpenCamera) -> None:
    visit = open_camera()
    frames_drawn(visit, 2)
    visit.page.evaluate(HIDE, True)
    visit.page.wait_for_timeout(600)  # what was under way has come
    before = visit.page.evaluate("drawnFrames.length")
    visit.page.wait_for_timeout(600)
    assert visit.page.evaluate("drawnFrames.length") == before
    visit.page.evaluate(HIDE, False)
    frames_drawn(visit, 2)


def test_a_full_page_is_told_by_its_entries_and_a_side_that_is_cut_off(desktop: Visit) -> None:
    """The page's own words about frames."""
    crossings = [[[x, y] for x in range(10)] for y in range(10)]
    clues, full = "1" * 29 + "0" * 52, "1" * 81
    sure = {"state": "sure", "puzzle": clues, "solution": full, "crossings": crossings}

    def words(size: list[int], **grid: Any) -> str:
        one = {**sure, **grid}
        answer = {"state": one["state"], "size": size, "grids": [one]}
        found: str = desktop.page.evaluate(
            """async (answer) => {
              await (await import("/static/language.js")).chooseLanguage("en");
              return (await import("/static/live.js")).sentenceOfAnswer(answer, "answers");
            }""",
            answer,
        )
        return found

    written = "0" * 29 + "1" * 52
    assert words([20, 20], written=written) == "52 entries, all right."
    assert words([20, 20], written=written[:-2] + "25") == "52 entries, 2 of them wrong."
    assert words([20, 20], written="0" * 81) == "Solved. 52 answers are drawn in."
    assert (
        words([9, 20], written="0" * 81, state="reading") == "Show the whole grid: a side of it is cut off."
    )
    assert words([20, 20], written="0" * 81, state="reading") == "Reading. Hold still for a moment."
