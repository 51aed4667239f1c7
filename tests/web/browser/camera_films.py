"""Films for Chromium's fake camera: each frame tells its number, so that a test knows the truth about it.

The number stands in a strip of squares in a corner of the picture, black and white for its bits.
"""

from dataclasses import dataclass
from pathlib import Path

import cv2
from drawn.film import Film, Frame

from sudoku_vision.values import Image

BITS = 6
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


@dataclass(frozen=True)
class CameraFilm:
    """A film in a file that Chromium plays for ever, and the truth about its frames."""

    path: Path
    frames: tuple[Frame, ...]

    @property
    def arguments(self) -> tuple[str, ...]:
        """Return what Chromium is started with: a camera, which the page still needs the right to."""
        return (
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={self.path}",
        )


def camera_film(film: Film, path: Path) -> CameraFilm:
    """Draw a film and write it to *path*, as YUV4MPEG2, which is what Chromium reads."""
    width, height = film.conditions.size
    assert film.count < 2**BITS
    frames = tuple(film.frames())
    with path.open("wb") as file:
        file.write(b"YUV4MPEG2 W%d H%d F%d:1 Ip A1:1 C420jpeg\n" % (width, height, film.rate))
        for number, frame in enumerate(frames):
            pixels = _numbered(frame.pixels, number)
            file.write(b"FRAME\n" + cv2.cvtColor(pixels, cv2.COLOR_BGR2YUV_I420).tobytes())
    return CameraFilm(path, frames)


def _numbered(pixels: Image, number: int) -> Image:
    """Return a frame with its number in the lower left corner."""
    pixels = pixels.copy()
    for bit in range(BITS):
        pixels[-SQUARE:, bit * SQUARE : (bit + 1) * SQUARE] = 255 * (number >> bit & 1)
    return pixels
