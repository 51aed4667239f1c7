"""Evaluate: read labelled pictures and compare with their labels."""

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from functools import partial

from sudoku_vision.errors import OpenError, TaskError
from sudoku_vision.parallel import SerialExecutor, map_in_order
from sudoku_vision.results import PageResult, Photo
from sudoku_vision.workshop.evaluation.labels import LabelledPicture
from sudoku_vision.workshop.evaluation.metrics import Evaluation, Outcome, outcomes_of

Reader = Callable[[Photo], PageResult]  # what is measured: reads one photo


def evaluate(
    pictures: Iterable[LabelledPicture],
    read: Reader,
    *,
    executor: Executor | None = None,
    send_files: bool = False,
    step: Callable[[], object] = lambda: None,
) -> Evaluation:
    """Read all *pictures* and compare; *step* is called after each.

    The *executor* reads them, then *read* must be one that can be pickled; None to read them here. With
    *send_files* it is handed the files themselves, and not their paths alone. A picture that can't be opened,
    or that costs the worker that reads it, is counted apart.
    """
    opened: list[LabelledPicture] = []
    outcomes: list[Outcome] = []
    seconds: list[float] = []
    unopened: list[tuple[LabelledPicture, str]] = []
    items = ((picture, _data_of(picture) if send_files else None) for picture in pictures)
    for read_picture in map_in_order(executor or SerialExecutor(), partial(_read, read), items):
        picture, _ = read_picture.item
        try:
            page = read_picture.unwrap()
        except OpenError as error:
            unopened.append((picture, str(error)))
        except TaskError as error:
            unopened.append((picture, f"{picture.path}: {error}"))
        else:
            opened.append(picture)
            outcomes += outcomes_of(picture, page.grids)
            seconds.append(page.seconds)
        step()
    return Evaluation(tuple(opened), tuple(outcomes), tuple(seconds), tuple(unopened))


def _data_of(picture: LabelledPicture) -> bytes | None:
    """Return the file of a picture; None where there is none, as is told when it is to be opened."""
    try:
        return picture.path.read_bytes()
    except OSError:
        return None


def _read(read: Reader, item: tuple[LabelledPicture, bytes | None]) -> PageResult:
    """Open a picture, from the bytes of its file if they came along, and read it."""
    picture, data = item
    return read(picture.open(data))
