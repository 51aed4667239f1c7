"""Train the digit classifier, the readers of pencil marks and of sums, and the occlusion model.

A training gathers typefaces and handwriting (:mod:`.sources`), draws boards (:mod:`.boards`), cuts labelled
photos (:mod:`.photos`), fits networks, measures them on samples that they have not learnt from, and writes
the model file and its card. The same seed gives the same model.
"""

import datetime
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sudoku_vision.errors import UsageError
from sudoku_vision.output.save import check_place, write_atomically
from sudoku_vision.parallel import open_executor
from sudoku_vision.values import Floats
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.mark_reader import MarkReader
from sudoku_vision.vision.digits.model_files import (
    DIGIT_MODELS,
    MARK_READERS,
    OCCLUSION_MODELS,
    SUM_READERS,
    ModelFile,
    load_model,
)
from sudoku_vision.vision.digits.occlusion import OcclusionModel
from sudoku_vision.vision.digits.sum_reader import SumReader
from workshop.training.card import digit_card, mark_card, occlusion_card, sum_card
from workshop.training.digits import (
    board_metrics,
    calibrated,
    class_probabilities,
    draw_training_set,
    measure_held,
)
from workshop.training.marks import drawn_mark_boards, fit_mark_reader, labelled_mark_boards, measure_marks
from workshop.training.occlusion import draw_covers, fit_occlusion_model, measure_occlusion
from workshop.training.photos import RealBoard, cut_boards, find_boards, folds_by_source, labelled_pictures
from workshop.training.samples import described, joined, written_share
from workshop.training.settings import (
    MarkSettings,
    OcclusionSettings,
    Settings,
    Steps,
    SumSettings,
    silent_steps,
)
from workshop.training.sources import gather_sources
from workshop.training.sums import drawn_sum_boards, fit_sum_reader, measure_sums

Metrics = dict[str, Any]  # for each set of samples by its name, the figures that were measured on it


@dataclass(frozen=True)
class Inputs:
    """The data for a training, and settings for measuring the model and for showing the progress.

    ``photos``: folders with labelled photos. ``fonts``: folders with further typefaces. ``handwriting``:
    ``.npz`` files with ``labels`` (N,) and ``images`` (N, S, S) uint8, white on black, or ``points`` (N, P,
    2) uint8, the strokes of a pen with x and y from 0 to 100, y upwards. ``marks_table``: a file with the
    digits of pencil marks.

    ``folds``: number of models of a cross-validation; 0 for no cross-validation. Each of these models is
    measured on puzzles with which it was not trained. ``jobs``: number of processes that lay covers over
    photos, by default one for each core. ``command``: the command that the card names.
    """

    photos: Sequence[Path] = ()
    fonts: Sequence[Path] = ()
    handwriting: Sequence[Path] = ()
    marks_table: Path | None = None
    folds: int = 0
    jobs: int | None = None
    command: str = "python -m workshop train"
    steps: Steps = silent_steps


def train(
    part: str, out: Path, inputs: Inputs, settings: Settings | MarkSettings | OcclusionSettings
) -> tuple[Any, Metrics]:
    """Train the model of one of the :data:`PARTS`. Write it to *out*, and its card beside it.

    Returns the model as it is read from its file, and its metrics.

    Raises SaveError if *out* can't be written, and UsageError if an input doesn't exist or is broken.
    """
    check_place(out)
    recipe = PARTS[part]
    model, metrics, photos = recipe.fit(inputs, settings)
    drawn = "" if isinstance(settings, OcclusionSettings) else f"{settings.boards} drawn boards, "
    header = {
        "command": inputs.command,
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "seed": settings.seed,
        "settings": repr(settings),
        "data": f"{drawn}{photos} labelled photos",
    }
    data = recipe.file.to_bytes(replace(model, header=header | model.header))
    model = recipe.file.from_bytes(data)
    write_atomically(out, data)
    write_atomically(out.with_suffix(".md"), recipe.card(model, metrics, len(data)).encode())
    return model, metrics


def _fit_digits(inputs: Inputs, settings: Settings) -> tuple[DigitModel, Metrics, int]:
    """Return a digit classifier, its metrics, and the number of photos that were used."""
    folds, steps = inputs.folds, inputs.steps
    pictures = labelled_pictures(inputs.photos)
    sources = gather_sources(inputs.fonts, inputs.handwriting, settings.held_share, settings.seed)
    training_set = draw_training_set(*sources, settings, steps)
    header = {"written_share": written_share(training_set.drawn)}
    plain = training_set.fit_plain(settings, steps, "Learning from drawn boards")
    boards = cut_boards(find_boards(pictures, plain, steps), settings.warped, settings.seed, steps)
    if not boards:
        return replace(plain, header=header), measure_held(plain, training_set.check), 0
    # Boards with random digits would give another temperature than puzzles, so they are left out here.
    puzzles = [board for board in boards if board.is_puzzle] or boards
    plain = calibrated(plain, joined([described(board.glyphs, board.classes) for board in puzzles]))
    unseen = {"photos_unseen": board_metrics({board: class_probabilities(plain, board) for board in boards})}
    if folds:
        fewer = replace(settings, members=settings.fold_members)
        answers: dict[RealBoard, Floats] = {}
        for number, (seen, held) in enumerate(folds_by_source(boards, folds, settings.seed), start=1):
            model = training_set.fit(plain, seen, fewer, steps, f"Fold {number} of {folds}")
            answers |= {board: class_probabilities(model, board) for board in held}
        unseen["photos_folds"] = board_metrics({board: answers[board] for board in boards})
    model = training_set.fit(plain, boards, settings, steps, "Learning from everything")
    metrics = measure_held(model, training_set.check) | unseen
    return replace(model, header=header), metrics, len(boards)


def _fit_marks(inputs: Inputs, settings: MarkSettings) -> tuple[MarkReader, Metrics, int]:
    """Return a reader of pencil marks, its metrics, and the number of photos that were used.

    Raises UsageError if no photo has labelled marks.
    """
    labelled = labelled_pictures(inputs.photos, inputs.marks_table)
    pictures = [picture for picture in labelled if picture.labels[0].marks is not None]
    if inputs.photos and not pictures:
        raise UsageError(
            "The labels of these photos have no places of pencil marks.",
            "It takes images/NAME.jpg and labels/NAME.txt, or a labels.csv with marks.",
        )
    model, seed, steps = load_model(), settings.seed, inputs.steps
    kept, held = gather_sources(inputs.fonts, inputs.handwriting, settings.held_share, seed)
    drawn = drawn_mark_boards(kept, settings.boards, model, [seed, 0], steps, "Drawing boards with marks")
    check = drawn_mark_boards(
        held, settings.held_boards, model, [seed, 1], steps, "Drawing boards to check on"
    )
    real = labelled_mark_boards(find_boards(pictures, model, steps), model)
    by_folds: Counter[str] = Counter()
    for seen, unseen in folds_by_source(real, inputs.folds, seed):
        by_folds.update(measure_marks(fit_mark_reader(drawn, check, seen, seed, steps), unseen))
    reader = fit_mark_reader(drawn, check, real, seed, steps)
    metrics = {"held_drawn": measure_marks(reader, check)}
    if by_folds:
        metrics["photos_folds"] = dict(by_folds)
    return reader, metrics, len(real)


def _fit_sums(inputs: Inputs, settings: SumSettings) -> tuple[SumReader, Metrics, int]:
    """Return a reader of the sums of killers, its metrics, and 0, because it learns without photos."""
    seed, steps = settings.seed, inputs.steps
    kept, held = gather_sources(inputs.fonts, (), settings.held_share, seed)
    drawn = drawn_sum_boards(kept, settings.boards, [seed, 0], steps, "Drawing killers", varied=True)
    check = drawn_sum_boards(held, settings.held_boards, [seed, 1], steps, "Drawing killers to check on")
    reader = fit_sum_reader(drawn, check, settings, steps)
    return reader, {"held_drawn": measure_sums(reader, check)}, 0


def _fit_occlusion(inputs: Inputs, settings: OcclusionSettings) -> tuple[OcclusionModel, Metrics, int]:
    """Return an occlusion model, its metrics, and the number of photos that were used.

    Raises UsageError if no photo shows a grid to cover.
    """
    steps = inputs.steps
    boards = find_boards(labelled_pictures(inputs.photos), load_model(), steps)
    if not boards:
        raise UsageError("There is no labelled photo of a grid to learn from.", "Give folders with --photos.")
    with open_executor(inputs.jobs, task_seconds=None) as executor:
        samples = draw_covers(boards, settings, executor, steps)
    by_folds: dict[str, Counter[str]] = {}
    for seen, unseen in folds_by_source(samples, inputs.folds, settings.seed):
        found = measure_occlusion(fit_occlusion_model(seen, settings, steps), unseen)
        for name, counts in found.items():
            by_folds.setdefault(name, Counter()).update(counts)
    model = fit_occlusion_model(samples, settings, steps)
    metrics = {"photos_folds": by_folds} if by_folds else {"seen": measure_occlusion(model, samples)}
    return model, metrics, len(boards)


@dataclass(frozen=True)
class Recipe:
    """How one model is trained. ``settings``: class of its settings. ``quick``: settings for a short test."""

    file: ModelFile[Any]
    fit: Callable[[Inputs, Any], tuple[Any, Metrics, int]]
    card: Callable[[Any, Any, int], str]
    settings: Callable[..., Settings | MarkSettings | OcclusionSettings]
    quick: Mapping[str, int]


_FEW = {"boards": 60, "held_boards": 15}
_QUICK = {"boards": 120, "held_boards": 24, "members": 1, "pasted": 1, "warped": 1, "tuning_epochs": 1}
PARTS = {
    "digits": Recipe(DIGIT_MODELS, _fit_digits, digit_card, Settings, _QUICK),
    "marks": Recipe(MARK_READERS, _fit_marks, mark_card, MarkSettings, _FEW),
    "sums": Recipe(SUM_READERS, _fit_sums, sum_card, SumSettings, _FEW),
    "occlusion": Recipe(OCCLUSION_MODELS, _fit_occlusion, occlusion_card, OcclusionSettings, {}),
}
"""How each model is trained, by the name of its part."""
