"""The classes that a cell can have, as numbers, and what becomes of them when a picture is turned."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Classes = NDArray[np.int64]

BLANK, WRITTEN, JUNK = 0, 10, 19
"""BLANK, printed d is d, written d is WRITTEN - 1 + d, JUNK."""
