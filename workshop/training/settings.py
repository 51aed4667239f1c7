"""The data, the settings and the result of a training."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Inputs:
    """The data for a training.

    ``photos``: folders with labelled photos. ``fonts``: folders with further typefaces. ``handwriting``:
    ``.npz`` files with ``labels`` (N,) and ``images`` (N, S, S) uint8, white on black, or ``points`` (N, P,
    2) uint8, the strokes of a pen with x and y from 0 to 100, y upwards. ``marks_table``: a file with the
    digits of pencil marks.

    ``folds``: number of models of a cross-validation, each trained without the puzzles on which it is
    measured; 0 for none. ``jobs``: number of processes that lay covers over photos, by default one for each
    core. ``command``: the command that the card names.
    """

    photos: Sequence[Path] = ()
    fonts: Sequence[Path] = ()
    handwriting: Sequence[Path] = ()
    marks_table: Path | None = None
    folds: int = 0
    jobs: int | None = None
    command: str = "python -m workshop train"


class Trained(NamedTuple):
    """A model, its figures by the name of the measured samples, and the number of photos it learnt from."""

    model: Any
    metrics: dict[str, Any]
    photos: int


@dataclass(frozen=True)
class Hyperparameters:
    """The settings with which one network is fitted.

    ``hidden``: sizes of the hidden layers. ``epochs``: number of passes through all samples. ``averaged``:
    number of last epochs over which the weights are averaged. ``decay``: strength of weight decay.
    """

    hidden: tuple[int, ...]
    epochs: int
    averaged: int = 3
    decay: float = 1e-4


@dataclass(frozen=True)
class Settings:
    """The settings of each training.

    ``boards``: number of boards that are drawn to learn from. ``held_boards``: number of boards that are
    drawn for checking, with typefaces and handwriting that are held out.
    """

    boards: int = 0
    held_boards: int = 0
    seed: int = 0


@dataclass(frozen=True)
class DigitSettings(Settings):
    """The settings for training the digit classifier.

    The first stage has ``members`` networks.

    The second stage reads handwriting. ``centres``: number of pieces of strokes in its dictionary.
    ``pasted``: number of copies of each digit of a database. ``warped``: number of warped copies of each
    photo's handwriting. ``tuning_epochs``: epochs with photos.
    """

    boards: int = 2400
    held_boards: int = 240
    first_stage: Hyperparameters = Hyperparameters((256,), 10)
    members: int = 2
    handwriting: Hyperparameters = Hyperparameters((400, 192), 9)
    centres: int = 64
    pasted: int = 4
    warped: int = 6
    tuning_epochs: int = 5
