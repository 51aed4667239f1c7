"""The live camera of the page, before a film whose every frame is known."""

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from conftest import PUZZLE, board
from drawn.film import Film, Frame, Moment
from playwright.sync_api import Browser, Playwright, WebSocketRoute, expect
from web_service import RunningService, running_service

from browser.conftest import launch_chromium
from browser.visits import OpenVisit, Visit
from workshop.rendering.conditions import Conditions, Optics, Pose
from workshop.rendering.picture import DrawnGrid

pytestmark = pytest.mark.slow

PUZZLES = ("070800020080045700020007000017008200008402100002900360000600050004710080060004070", PUZZLE)
"""What lies before the camera, the one and then the other."""
ELSEWHERE = "sudoku.test"
"""A name of this machine to which no camera is given over http, as to other machines."""
SIZE = (1280, 720)
LENGTH = 12
"""Frames of each puzzle, one and a half seconds."""
PLACE, FARTHEST = 0.05, 0.2
"""Cells that the answers of a frame may lie beside their places in it, in the mean and at most."""
FIRST_ANSWER = 60_000
"""Milliseconds until the first answer must be drawn; on an idle machine it takes 500."""


BITS = 6
"""Bits of the number of each frame, black and white squares in its lower left corner."""
SQUARE = 16
"""Side of a square in pixels: larger than what JPEG smears."""
RATE = 8
"""Frames a second: few, as playing them costs the machine that the browser and the service share."""

WATCH = """
(() => {
  const drawn = (window.drawnFrames = []);
  const strip = Object.assign(document.createElement("canvas"), { width: BITS, height: 1 });
  const pen = strip.getContext("2d", { willReadFrequently: true });
  const numberOf = (picture) => {
    const side = SQUARE;
    for (let bit = 0; bit < strip.width; bit += 1) {
      pen.drawImage(picture, (bit + 0.5) * side, picture.height - side / 2, 1, 1, bit, 0, 1, 1);
    }
    const { data } = pen.getImageData(0, 0, strip.width, 1);
    return Array.from(data).filter((_, at) => at % 4 === 1)
      .reduce((sum, light, bit) => sum + (light > 127 ? 2 ** bit : 0), 0);
  };
  const note = () => {
    const picture = document.getElementById("camera-picture");
    const ink = document.getElementById("camera-ink");
    const digits = [...ink.querySelectorAll("g[data-cell]")].map((digit) => [
      Number(digit.dataset.cell), Number(digit.dataset.digit),
      digit.getAttribute("transform").match(/-?[\\d.]+(e-?\\d+)?/g).map(Number)]);
    const width = ink.viewBox.baseVal.width;
    drawn.push({ at: performance.now(), frame: numberOf(picture), digits, scale: width / picture.width });
  };
  addEventListener("DOMContentLoaded", () =>
    new MutationObserver(note).observe(document.getElementById("camera-ink"), { childList: true }));
})();
""".replace("BITS", str(BITS)).replace("SQUARE", str(SQUARE))
"""Script that notes what is drawn on each frame that the page shows, with the number of that frame."""

OpenCamera = Callable[..., Visit]
Frames = tuple[Frame, ...]


@pytest.fixture(scope="module")
def film() -> Frames:
    """Two puzzles, the one and the other before a camera in a hand, over and over; each frame is numbered."""
    held, near = Pose(fill=0.65), Pose(fill=0.72, roll=8, shift=(0.05, 0.03))
    moments = [
        Moment(LENGTH / RATE * (page + share), pose, page=page)
        for page in (0, 1)
        for share, pose in ((0, held), (0.6, near), (1 - 1e-3, held))
    ]
    conditions = Conditions(size=SIZE, optics=Optics(noise=3))
    frames = Film(moments, [[board(puzzle)] for puzzle in PUZZLES], conditions, rate=RATE, seed=1).frames()
    numbered = []
    for number, frame in enumerate(frames):
        pixels = frame.pixels.copy()
        for bit in range(BITS):
            pixels[-SQUARE:, bit * SQUARE : (bit + 1) * SQUARE] = 255 * (number >> bit & 1)
        numbered.append(replace(frame, pixels=pixels))
    return tuple(numbered)


@pytest.fixture(scope="module")
def cameras(
    playwright: Playwright, film: Frames, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """A Chromium whose camera sees the film, in the form that it reads: YUV4MPEG2."""
    path = tmp_path_factory.mktemp("films") / "two_puzzles.y4m"
    with path.open("wb") as file:
        file.write(b"YUV4MPEG2 W%d H%d F%d:1 Ip A1:1 C420jpeg\n" % (*SIZE, RATE))
        for frame in film:
            file.write(b"FRAME\n" + cv2.cvtColor(frame.pixels, cv2.COLOR_BGR2YUV_I420).tobytes())
    browser = launch_chromium(
        playwright,
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={path}",
        f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
    )
    yield browser
    browser.close()


@pytest.fixture
def open_camera(open_visit: OpenVisit, cameras: Browser) -> OpenCamera:
    """Open the page, and its live camera unless *live* is false."""

    def open_one(device: str = "desktop", address: str = "", *, live: bool = True, **options: Any) -> Visit:
        options = {"browser": cameras, "permissions": ["camera"], "script": WATCH, **options}
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


def check_answers(frames: list[dict[str, Any]], film: Frames) -> None:
    """Hold every digit that is drawn on a frame against the truth about that very frame."""
    for drawn in frames:
        if drawn["digits"]:
            seen = film[drawn["frame"]]
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


def test_answers_are_drawn_on_the_very_frame_that_was_read(open_camera: OpenCamera, film: Frames) -> None:
    visit = open_camera("phone")
    visit.page.wait_for_function("() => drawnFrames.some((one) => one.digits.length)", timeout=FIRST_ANSWER)
    frames = [*frames_drawn(visit, 6, of=0), *frames_drawn(visit, 6, of=1)]
    check_answers(visit.page.evaluate("drawnFrames"), film)
    solved = {drawn["frame"] // LENGTH for drawn in frames if len(drawn["digits"]) > 40}
    assert solved == {0, 1}
    expect(visit.find("#camera-live")).to_have_text(re.compile(r"Solved\. \d\d answers are drawn in\."))


def test_one_hint_and_the_answers_again_and_a_frame_frozen_in_a_hint(open_camera: OpenCamera) -> None:
    visit = open_camera()
    frames_drawn(visit, 1, digits=40)
    visit.press("camera-mode-hint")
    expect(visit.find("#camera-mode-hint")).to_have_attribute("aria-pressed", "true")
    assert visit.find("#camera-ink > g > *").count() <= 12  # at once: the answers give more away
    visit.find("#camera-multiply path").first.wait_for(state="attached")
    expect(visit.find("#camera-words")).to_contain_text(re.compile(r"r\dc\d"))  # in words, too
    visit.press("camera-mode-check")
    expect(visit.find("#camera-words")).to_have_text("Nothing is written in yet.")
    assert all(not drawn["digits"] for drawn in frames_drawn(visit, 3, digits=0)[1:])
    visit.press("camera-mode-answers")
    frames_drawn(visit, 1, digits=40)
    visit.press("camera-mode-hint")
    expect(visit.find("#camera-words")).to_contain_text(re.compile(r"r\dc\d"))
    visit.press("camera-freeze")
    expect(visit.find("#hint-next")).to_be_visible()
    expect(visit.find("#board .answer")).to_have_count(0)


def test_the_space_bar_freezes_the_frame_and_it_is_a_photo(open_camera: OpenCamera, film: Frames) -> None:
    visit = open_camera()
    frames_drawn(visit, 2, of=0)
    visit.page.keyboard.press("Space")
    visit.expect_status("solved")
    expect(visit.find("#camera")).to_be_hidden()
    assert visit.page.evaluate("document.getElementById('photo').naturalWidth") == 1280
    frozen = visit.page.evaluate("drawnFrames.findLast((one) => one.digits.length)")
    (truth,) = film[frozen["frame"]].grids
    visit.expect_drawn(int(np.count_nonzero(truth.puzzle == 0)))
    visit.cell(1, 1).click()  # it can be corrected as any other
    expect(visit.find("#pad")).to_be_visible()


def test_without_the_right_to_the_camera(open_camera: OpenCamera) -> None:
    visit = open_camera("phone", permissions=["clipboard-read"], locale="de-DE")
    expect(visit.find("#camera-trouble-title")).to_have_text("Die Kamera ist nicht erlaubt.")
    expect(visit.find("#camera-trouble-remedy")).to_contain_text("Erlaube dieser Seite die Kamera")
    visit.context.grant_permissions(["camera"])
    visit.page.get_by_role("button", name="Noch einmal").click()
    frames_drawn(visit, 1, digits=0)


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """The address of a service under another name; it ends after the windows at it are closed."""
    with running_service("--allow-host", ELSEWHERE) as service:
        yield service.address.replace("127.0.0.1", ELSEWHERE)


def test_at_an_insecure_address_a_photo_is_offered(elsewhere: str, open_camera: OpenCamera) -> None:
    visit = open_camera("phone", elsewhere)
    expect(visit.find("#camera-trouble-remedy")).to_contain_text("https")
    expect(visit.page.get_by_role("button", name="Try again")).to_be_hidden()
    with visit.page.expect_file_chooser():
        visit.press("camera-photo")
    expect(visit.find("#camera")).to_be_hidden()


@pytest.mark.skipif(sys.platform != "linux", reason="processes are listed as Linux lists them")
def test_goes_on_when_its_worker_dies(open_camera: OpenCamera, service: RunningService, film: Frames) -> None:
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


def test_a_service_that_is_gone_or_breaks_off_is_tried_again(open_camera: OpenCamera, film: Frames) -> None:
    visit = open_camera(live=False)
    visit.allow("ERR_FAILED")
    tries: list[WebSocketRoute] = []

    def refused_at_first(socket: WebSocketRoute) -> None:
        tries.append(socket)
        socket.close() if len(tries) <= 2 else socket.connect_to_server()

    visit.page.route_web_socket("**/api/live", refused_at_first)
    visit.press("live-camera")
    expect(visit.find("#camera-words")).to_have_text("The service doesn't answer. Trying again.")
    check_answers(frames_drawn(visit, 3), film)
    tries[-1].close()
    check_answers(frames_drawn(visit, 3), film)
    assert len(tries) == 4


HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


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
