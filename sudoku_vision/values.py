"""The base class of all frozen dataclasses with arrays, and the types of their arrays.

The arrays are read-only. Two values are compared by their content, and ``repr`` is short.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture (H, W, 3) uint8, whose channels are blue, green, red; or a mask (H, W) uint8."""
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]

_MAX_SHOWN = 9  # if a tuple has more values, ``repr`` shows only their number


@dataclass(frozen=True, eq=False)
class Value:
    """The base class of dataclasses with read-only arrays; two values are equal if their fields are equal."""

    def __repr__(self) -> str:
        return brief(self)

    def __post_init__(self) -> None:
        """Replace the arrays by read-only views."""
        arrays = [(name, one.view()) for name, one in vars(self).items() if isinstance(one, np.ndarray)]
        for _, array in arrays:
            array.flags.writeable = False
        vars(self).update(arrays)

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        Value.__post_init__(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Value) or fields(self) != fields(other):
            return NotImplemented
        names = [of.name for of in fields(self) if of.compare]
        pairs = ((getattr(self, name), getattr(other, name)) for name in names)
        return all(
            one is two or (np.array_equal(one, two) if np.ndarray in (type(one), type(two)) else one == two)
            for one, two in pairs
        )

    def __hash__(self) -> int:
        """Return a hash of all fields. Of each array, only the first 81 numbers are used."""
        values = [getattr(self, of.name) for of in fields(self) if of.compare and of.hash is not False]
        return hash(tuple(tuple(one.flat[:81]) if isinstance(one, np.ndarray) else one for one in values))


def check_shapes(value: object, **shapes: tuple[int, ...]) -> None:
    """Raise :class:`ValueError` if an array in *value* has a wrong shape.

    *shapes*: the right shape of each array, by the name of its attribute.
    """
    for name, shape in shapes.items():
        if (found := getattr(value, name).shape) != shape:
            raise ValueError(f"{name} must have shape {shape}, got {found}")


def brief(value: Any) -> str:
    """Return a short ``repr`` of a dataclass. Fields that are empty or have the default value are left out.

    Boards are shown as text, and other arrays only by their type and shape.
    """
    shown = [
        f"{field.name}={_brief(one)}"
        for field in fields(value)
        if field.repr and not _says_nothing(field, one := getattr(value, field.name))
    ]
    return f"{type(value).__name__}({', '.join(shown)})"


def _says_nothing(field: Field[Any], value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return False
    return value in (None, "", (), {}) or (field.default is not MISSING and value == field.default)


def _brief(value: Any) -> str:
    if isinstance(value, np.ndarray):
        digits = "".join(map(str, value.ravel()))
        return repr(digits) if value.shape == (9, 9) else f"<{value.dtype} {value.shape}>"
    return f"<{len(value)} values>" if isinstance(value, tuple) and len(value) > _MAX_SHOWN else repr(value)
