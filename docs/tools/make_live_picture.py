"""Draw the moving picture of live.md: a page held before a camera, and the answers lying on it.

python docs/tools/make_live_picture.py [OUT.webp]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pictures

from sudoku_vision.live.draw import Annotator
from sudoku_vision.live.tracker import Tracker
from sudoku_vision.values import Image
from sudoku_vision.vision.digits import load_model
from workshop.rendering import Conditions, Light, Optics, Pose
from workshop.rendering.boards import random_puzzle

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

from drawn.film import Film, Moment

SIZE, SHOWN = (960, 540), (480, 270)
"""Width and height of the film and of the moving picture, in pixels."""
RATE = 15.0
SEED = 11


def main(arguments: list[str]) -> int:
    """Write the moving picture; gives the exit status."""
    out = Path(arguments[0] if arguments else "docs/live.webp")
    pictures = [
        Pictures.fromarray(cv2.cvtColor(small(frame), cv2.COLOR_BGR2RGB)) for frame in annotated(film())
    ]
    first, *others = pictures
    first.save(
        out, save_all=True, append_images=others, duration=round(1000 / RATE), loop=0, quality=55, method=4
    )
    print(f"{out}: {len(pictures)} frames, {out.stat().st_size / 1e6:.2f} MB")
    return 0


def film() -> Film:
    """A page comes into view, is turned and tilted, has a hand over it, and is swapped for another."""
    rng = np.random.default_rng(SEED)
    still = Pose(fill=0.82)
    moments = (
        Moment(0.0, Pose(fill=0.7, shift=(1.1, 0.1), roll=-12)),
        Moment(0.7, Pose(fill=0.78, shift=(0.05, 0.0), roll=-4)),
        Moment(1.5, Pose(fill=0.75, pitch=24, yaw=-14, roll=7)),
        Moment(2.2, Pose(fill=0.8, pitch=5, yaw=16, roll=-9, shift=(-0.04, 0.0))),
        Moment(2.8, still),
        Moment(3.3, still, hand=0.9),
        Moment(3.9, still),
        Moment(4.4, Pose(fill=0.8, shift=(-1.1, 0.0), roll=8)),
        Moment(4.5, Pose(fill=0.8, shift=(1.1, 0.0), roll=8), page=1),
        Moment(5.1, still, page=1),
        Moment(6.0, Pose(fill=0.86, roll=-6, pitch=10), page=1),
    )
    conditions = Conditions(size=SIZE, light=Light(gradient=0.15), optics=Optics(noise=2.0))
    return Film(moments, [[random_puzzle(rng, 28)[0]] for _ in range(2)], conditions, RATE, SEED)


def annotated(shown: Film) -> Iterator[Image]:
    """The frames of a film as the window shows them."""
    tracker, annotator = Tracker(load_model()), Annotator()
    for frame in shown.frames():
        yield annotator.annotate(frame.pixels, tracker.update(frame.pixels, frame.time))


def small(pixels: Image) -> Image:
    """A frame at the size of the moving picture."""
    return np.asarray(cv2.resize(pixels, SHOWN, interpolation=cv2.INTER_AREA), np.uint8)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
