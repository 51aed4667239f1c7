"""The films that ``live --record`` writes are played by a browser, frames, time and colours."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sudoku_vision.live.record import Recorder

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

pytest.importorskip("av", reason="PyAV is not installed (extra film)")

SIZE, RATE, FRAMES = (160, 120), 25.0, 25
RED, BLUE = (20, 40, 210), (200, 60, 30)
"""What the first and the second half of the film show, BGR."""

PLAY = """async (address) => {
  const video = Object.assign(document.createElement("video"), { muted: true, src: address });
  document.body.append(video);
  const heard = (name) => new Promise((resolve, reject) => {
    video.addEventListener(name, resolve, { once: true });
    video.addEventListener("error", () => reject(new Error(video.error.message)), { once: true });
  });
  const ended = heard("ended");
  await video.play();
  await ended;
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight).getContext("2d");
  const shown = async (seconds) => {
    const there = new Promise((resolve) => {
      const look = (now, frame) => Math.abs(frame.mediaTime - seconds) < 0.1 ? resolve() : ask();
      const ask = () => video.requestVideoFrameCallback(look);
      ask();
    });
    video.currentTime = seconds;
    await there;
    canvas.drawImage(video, 0, 0);
    return [...canvas.getImageData(video.videoWidth / 2, video.videoHeight / 2, 1, 1).data.slice(0, 3)];
  };
  return { size: [video.videoWidth, video.videoHeight], seconds: video.duration,
           early: await shown(0.2), late: await shown(0.8) };
}"""
"""Play a film to its end, then look at the middle of two of its pictures."""


@pytest.mark.parametrize(("name", "kind"), [("film.mp4", "video/mp4"), ("film.webm", "video/webm")])
def test_a_recorded_film_is_played(chromium: Browser, tmp_path: Path, name: str, kind: str) -> None:
    with Recorder(tmp_path / name, SIZE, RATE) as film:
        for number in range(FRAMES):
            film.write(np.full((SIZE[1], SIZE[0], 3), RED if number < FRAMES / 2 else BLUE, np.uint8))
    data = base64.b64encode((tmp_path / name).read_bytes()).decode()
    page = chromium.new_page()
    played = page.evaluate(PLAY, f"data:{kind};base64,{data}")
    page.close()
    assert played["size"] == list(SIZE)
    assert played["seconds"] == pytest.approx(FRAMES / RATE, abs=0.05)
    assert played["early"] == pytest.approx(RED[::-1], abs=10)
    assert played["late"] == pytest.approx(BLUE[::-1], abs=10)
