"""Remove moire: the bands in a photo of a screen. They appear because both screen and sensor are rasters.

Bands are a wave with one direction and one period, so they are one sharp peak in the spectrum of the picture.
The lines of a grid make many peaks of similar height instead.
"""

from __future__ import annotations

import cv2
import numpy as np

from sudoku_vision.values import Doubles, Floats, Image

WORKING_SIDE = 1000  # longest side, in pixels, of the copy that is searched for bands, and for grids
PERIODS = (4.0, 60.0)  # shortest and longest period of bands, in pixels of this copy
PEAK = 4
"""A peak of the spectrum includes this many frequencies on each side of its highest one. Two of the four are
for the window function, which widens the peak. Two are for bands whose period changes over the picture."""
STANDS_OUT = 2.0
"""The highest peak shows bands only if its height is more than this factor times the height of the next peak.

In 105 real pictures without bands, this ratio is at most 1.9. With drawn bands that change the light by 20 %,
it is at least 3.6.
"""
AVERAGED = 4.0
"""The strength of the bands at a place is averaged over this many periods.

Of 12 pages with bands that change the light by 20 %, all are solved with 4 periods, 11 with 8 periods, and 2
if the bands aren't removed.
"""


def without_bands(pixels: Image) -> Image | None:
    """Return a picture (H, W, 3) BGR without its bands, or None if it has no bands.

    The strength and the phase of the bands can change slowly over the picture. So they are measured at each
    place, as in a lock-in amplifier: the picture is multiplied by a wave with the frequency of the bands, and
    the product is averaged around the place.
    """
    height, width = pixels.shape[:2]
    scale = min(1.0, WORKING_SIDE / max(height, width))
    size = max(1, round(scale * width)), max(1, round(scale * height))
    grey = cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    frequency = _bands_of(grey.astype(np.float32))
    if frequency is None:
        return None
    down, across = scale * frequency
    around = (round(AVERAGED / np.hypot(down, across)) | 1,) * 2
    rows, columns = (
        np.exp(2j * np.pi * turns) for turns in (down * np.arange(height), across * np.arange(width))
    )
    wave = np.outer(rows, columns).astype(np.complex64)
    picture = pixels.astype(np.float32)
    waves = picture - cv2.blur(picture, around)
    bands = np.zeros_like(picture)
    for one in (wave.real[..., None], wave.imag[..., None]):
        bands += 2 * one * cv2.blur(cv2.blur(waves * one, around), around)
    return np.asarray(np.clip(picture - bands, 0, 255), np.uint8)


def _bands_of(grey: Floats) -> Doubles | None:
    """Return the frequency (2,) of bands in a *grey* picture, in periods per pixel (down, right), or None."""
    height, width = grey.shape
    longest = round(PERIODS[1]) | 1
    # This window function fades the picture out towards its edges. Sharp edges would make peaks, too.
    faded = np.outer(np.hanning(height), np.hanning(width)).astype(np.float32)
    spectrum = np.abs(np.fft.rfft2((grey - cv2.blur(grey, (longest, longest))) * faded))
    down, across = np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)
    frequency = np.hypot(down, across)
    spectrum[(frequency < 1 / PERIODS[1]) | (frequency > 1 / PERIODS[0])] = 0
    row, column = np.unravel_index(spectrum.argmax(), spectrum.shape)
    highest = spectrum[row, column]
    found = np.array([down[row, 0], across[column]])
    near = (np.abs(down - found[0]) <= PEAK / height) & (np.abs(across - found[1]) <= PEAK / width)
    return found if highest > STANDS_OUT * spectrum[~near].max(initial=0.0) else None
