"""The data, the settings and the result of a training."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Inputs:
    """The data for a training.

    A file of handwriting has ``labels`` (N,) and one of these: ``images`` (N, S, S) uint8, white on black, or
    ``points`` (N, P, 2) uint8, the strokes of a pen with x and y from 0 to 100, y upwards.
    """

    photos: Sequence[Path] = ()  # folders with labelled photos
    fonts: Sequence[Path] = ()  # folders with further typefaces
    handwriting: Sequence[Path] = ()  # .npz files
    marks_table: Path | None = None  # a file with the digits of pencil marks
    folds: int = 0  # number of folds for cross-validation; no model is measured on puzzles it has learnt from
    jobs: int | None = None  # number of processes that lay covers over photos; None for one on each core
    command: str = "python -m workshop train"  # the command that the model card names


class Trained(NamedTuple):
    """A model, the number of ``photos`` that it learnt from, and its figures for each set of samples."""

    model: Any
    metrics: dict[str, Any]
    photos: int


@dataclass(frozen=True)
class Hyperparameters:
    """The settings with which one network is fitted."""

    hidden: tuple[int, ...]  # sizes of the hidden layers
    epochs: int  # number of passes through all samples
    averaged: int = 3  # the weights are averaged over this number of epochs at the end
    decay: float = 1e-4  # strength of weight decay


@dataclass(frozen=True)
class Settings:
    """The settings of each training."""

    boards: int = 0  # number of drawn boards to learn from
    held_boards: int = 0  # number of boards to check on; their typefaces and handwriting are held out
    seed: int = 0


@dataclass(frozen=True)
class DigitSettings(Settings):
    """The settings for training the digit classifier. Its second stage reads handwriting."""

    boards: int = 2400
    held_boards: int = 240
    first_stage: Hyperparameters = Hyperparameters((256,), 10)
    members: int = 2  # number of networks of the first stage
    handwriting: Hyperparameters = Hyperparameters((400, 192), 9)
    centres: int = 64  # number of typical pieces of strokes that the second stage knows
    pasted: int = 4  # how many times each digit of the handwriting databases is pasted into a cell
    warped: int = 6  # number of warped copies of each photo's handwriting
    tuning_epochs: int = 5  # number of further epochs in which the second stage also learns from photos
