"""Where pictures go: the names of what is written, checked before any work is done."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_vision.cli.show import complain
from sudoku_vision.errors import SaveError, UsageError
from sudoku_vision.load import STDIN
from sudoku_vision.results import Image, Photo
from sudoku_vision.save import PHOTO_ENDINGS, check_folder, check_output, make_folder

if TYPE_CHECKING:
    from sudoku_vision.debug import DebugFolder


class Output:
    """Where the annotated pictures go: one file, a folder, or nowhere.

    What can't be written is said on standard error and counted in ``failed``.
    """

    def __init__(self, out: str | None, sources: Sequence[str], done: str) -> None:
        """Check *out* before any work is done; *done* ends the names of pictures in a folder.

        Raises :class:`UsageError` if it can't be right and :class:`SaveError` if it can't be written.
        """
        self.failed = 0
        self._out = None if out is None else Path(out)
        self._done = done
        self._names = Names(sources)
        if out is None:
            self._is_folder = False
            return
        nameless = len(sources) > 1 and not Path(out).suffix
        self._is_folder = nameless or out.endswith(("/", os.sep)) or os.path.isdir(out)  # noqa: PTH112 (takes any name)
        if self._is_folder:
            check_folder(out)
            return
        if len(sources) > 1:
            raise UsageError(f"{out}: one file can't hold {len(sources)} pictures.", "Name a folder with -o.")
        check_output(out)
        if _same(out) in {_same(source) for source in sources if source != STDIN}:
            raise UsageError(f"{out}: this would overwrite the photo itself.", "Choose another name.")

    def write(self, photo: Photo, draw: Callable[[], Image]) -> None:
        """Write what *draw* makes of a photo, (H, W, 3) uint8 BGR; not called where nothing is wanted."""
        if self._out is None:
            return
        from sudoku_vision.save import save

        try:
            save(self._place(photo), draw())
        except SaveError as error:
            self.failed += 1
            complain(error)
        except Exception as error:  # a fault of ours in one picture must not take the others with it
            self.failed += 1
            complain(SaveError(f"{photo.source}: it can't be drawn: {error!r}.", "Please report this."))

    def _place(self, photo: Photo) -> Path:
        """The name to write under."""
        assert self._out is not None
        if not self._is_folder:
            return self._names.free(self._out)
        make_folder(self._out)
        ending = Path(photo.source).suffix
        ending = ending if ending.lower() in PHOTO_ENDINGS else ".png"
        return self._names.free(self._out / f"{_stem(photo)}-{self._done}{ending}")


class DebugFolders:
    """Where the pictures of the stages go: straight into a folder, or into one a picture within it."""

    def __init__(self, folder: Path | None, sources: Sequence[str]) -> None:
        """Nothing is made before it is needed."""
        self.failed = 0
        self._folder = folder
        self._names = Names([])
        self._several = len(sources) > 1

    def sink(self, photo: Photo) -> DebugFolder | None:
        """What takes the pictures of one photo, or None if there are none to be kept."""
        if self._folder is None:
            return None
        from sudoku_vision.debug import DebugFolder, draw_photo

        several = self._several or photo.page > 1
        try:
            sink = DebugFolder(self._names.free(self._folder / _stem(photo)) if several else self._folder)
            sink.add("photo", draw_photo(photo))
        except SaveError as error:
            self.failed += 1
            self._folder = None
            complain(error)
            return None
        return sink


class Names:
    """Names for files that are made: each of its own, and none that of a picture that is read."""

    def __init__(self, sources: Sequence[str]) -> None:
        """Keep clear of *sources*."""
        self._taken = {_same(source) for source in sources}

    def free(self, path: Path) -> Path:
        """*path*, or with a number before its ending if that is taken."""
        candidate, number = path, 2
        while _same(candidate) in self._taken:
            candidate = path.with_name(f"{path.stem}-{number}{path.suffix}")
            number += 1
        self._taken.add(_same(candidate))
        return candidate


def _stem(photo: Photo) -> str:
    """What a photo's files are called."""
    stem = "stdin" if photo.source == STDIN else Path(photo.source).stem
    return stem if photo.page == 1 else f"{stem}-page{photo.page}"


def _same(path: str | Path) -> str:
    """One spelling for all the ways to name a file."""
    return os.path.normcase(os.path.realpath(path))
