"""The techniques: each module of this package has a family of them, listed in its ``TECHNIQUES``."""

from importlib import import_module
from pkgutil import iter_modules

from sudoku_vision.sudoku.logic.steps import DIFFICULTIES, Difficulty, Technique

_MODULES = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
TECHNIQUES: tuple[Technique, ...] = tuple(
    sorted((record for module in _MODULES for record in module.TECHNIQUES), key=lambda record: record.order)
)
"""All techniques in the order in which they are tried, easiest first."""


def technique_named(name: str) -> Technique:
    """Return the technique with this name; raises KeyError if there is none.

    >>> technique_named("naked pair").score
    60
    """
    return _BY_NAME[name]


_BY_NAME = {technique.name: technique for technique in TECHNIQUES}


def allowed_techniques(
    *, unique: bool = True, hardest: Difficulty = DIFFICULTIES[-1]
) -> tuple[Technique, ...]:
    """Return the techniques up to the difficulty *hardest* that are valid.

    *unique*: whether the puzzle has exactly one solution. Some techniques are valid only then.
    """
    names = DIFFICULTIES[: DIFFICULTIES.index(hardest) + 1]
    return tuple(
        technique
        for technique in TECHNIQUES
        if technique.difficulty in names and (unique or not technique.needs_unique)
    )
