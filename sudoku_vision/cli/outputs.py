"""Where what is made goes: what ``-o`` says, checked before any work is done, and the names of files.

=====================  ======================================================================================
``-o -``               standard output
``-o FOLDER/``         a folder, made if need be; so is one that is there and, for pictures, a bare name
``-o NAME.ENDING``     a file
=====================  ======================================================================================
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_vision.cli.inputs import Inputs, picture_kind
from sudoku_vision.cli.options import Options
from sudoku_vision.errors import SaveError, SudokuVisionError, UsageError
from sudoku_vision.output.save import (
    PHOTO_ENDINGS,
    check_folder,
    check_output,
    check_place,
    check_print,
    clear_parts,
    file_key,
    make_folder,
    write_atomically,
)
from sudoku_vision.results import Photo
from sudoku_vision.vision.load import STDIN

if TYPE_CHECKING:
    from sudoku_vision.cli.pages import InputPage
    from sudoku_vision.output.debug import DebugFolder


@dataclass(frozen=True)
class Target:
    """Where what is made goes, as ``-o`` says: one of these, or nowhere."""

    path: Path = Path()
    is_file: bool = False
    is_folder: bool = False
    is_standard_output: bool = False

    @property
    def is_wanted(self) -> bool:
        """Tell whether anything goes anywhere but into the text."""
        return self.is_file or self.is_folder or self.is_standard_output

    def write(self, data: bytes) -> None:
        """Write all that goes to a file or to standard output."""
        if self.is_file:
            write_atomically(self.path, data)
        else:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    def check_beside_json(self, options: Options, what: str) -> None:
        """Raise :class:`UsageError` where *what* is made and JSON would both go to standard output."""
        if options.as_json and self.is_standard_output:
            raise UsageError(f"Standard output can't take both {what} and JSON.", "Name a file with -o.")


def find_target(
    out: str | None,
    sources: Iterable[str] = (),
    *,
    folders: bool = True,
    bare_is_folder: bool = False,
    check_file: Callable[[str, Iterable[str]], None] = check_place,
) -> Target:
    """Find out what *out* means, and check that it can be written before any work is done.

    *sources* are the files that are read, which are never overwritten. It may be a folder where *folders*
    will do, with *bare_is_folder* by a name without an ending, too. Raises :class:`UsageError` if it can't be
    right, :class:`SaveError` if it can't be written, and what *check_file* does.
    """
    if out is None:
        return Target()
    if out == STDIN:
        return Target(is_standard_output=True)
    if names_folder(out) or (bare_is_folder and not Path(out).suffix):
        if not folders:
            raise SaveError(f"{out}: this is a folder.", "Name a file in it.")
        check_folder(out)
        clear_parts(Path(out))
        return Target(Path(out), is_folder=True)
    check_file(out, sources)
    clear_parts(Path(os.path.realpath(out)).parent)
    return Target(Path(out), is_file=True)


def names_folder(out: str) -> bool:
    """Tell whether *out* can only be a folder: it is one, or is spelt like one."""
    return out.endswith(("/", os.sep)) or os.path.isdir(out)  # noqa: PTH112 (takes any name)


class PictureOutput:
    """Where the annotated pictures go: one file, a folder, standard output, or nowhere."""

    def __init__(self, options: Options, inputs: Inputs, suffix: str, *, prints: bool = False) -> None:
        """Check ``-o`` before any work is done; *suffix* ends the names of pictures in a folder.

        With *prints*, it may end in ``.svg``, too, and where both it and what is read are a PDF, all goes
        onto the pages of that. Errors as for :func:`find_target`.
        """
        out = options.output
        check = check_print if prints else check_output
        self.target = find_target(out, inputs.paths, bare_is_folder=True, check_file=check)
        for below in {item.below for item in inputs.items} if self.target.is_folder else ():
            clear_parts(self.target.path / below)
        count = len(inputs.items)
        if count > 1 and self.target.is_wanted and not self.target.is_folder:
            raise UsageError(f"{out}: one file can't hold {count} pictures.", "Name a folder with -o.")
        self.target.check_beside_json(options, "the picture")
        self._suffix = suffix
        self._names = FreeNames([*inputs.paths, *inputs.kept])
        self._written = 0
        self.document: Path | None = None
        """The one document that is read, where all goes onto its pages."""
        self._stamps: dict[int, bytes] = {}
        if prints and self.target.path.suffix.lower() == ".pdf":
            from sudoku_vision.output.drawing.typst_pdf import check_printing

            check_printing()
            item = inputs.items[0]
            self.document = Path(item.path) if count == 1 and picture_kind(item) == "Pdf" else None

    def ending(self, page: InputPage) -> str:
        """Return the ending of the format in which the picture of a page is packed."""
        if not self.target.is_folder:
            return self.target.path.suffix.lower() if self.target.is_file else ".png"
        ending = Path(page.source).suffix.lower() if page.is_picture else ""
        return ending if ending in PHOTO_ENDINGS else ".png"

    def place(self, page: InputPage) -> Path:
        """Return the name to write the picture of a page under, which no other page gets.

        In a folder it lies where its source does in the folder that was searched.
        """
        if self.document is not None:
            return self.target.path
        if not self.target.is_folder:
            return self._names.free(self.target.path)
        name = f"{page.stem}-{self._suffix}{self.ending(page)}"
        return self._names.free(self.target.path / page.below / name)

    def write(self, page: InputPage, picture: bytes | SudokuVisionError) -> str | None:
        """Write the *picture* of a page, or raise why there is none; return the path, if it has one."""
        if isinstance(picture, SudokuVisionError):
            raise picture
        self._written += 1
        if self.target.is_standard_output:
            if self._written > 1:
                raise SaveError(f"{page.name}: standard output takes one picture.", "Name a folder with -o.")
            self.target.write(picture)
            return None
        assert page.place is not None
        if self.document is not None:
            self._stamps[page.number] = picture
        else:
            if self.target.is_folder:
                make_folder(page.place.parent)
            write_atomically(page.place, picture)
        return str(page.place)

    def close(self) -> None:
        """Write the document, where all goes onto its pages; raises :class:`SaveError`."""
        if self.document is not None and self._stamps:
            from sudoku_vision.output.drawing.pdf_stamp import stamp_pdf

            write_atomically(self.target.path, stamp_pdf(self.document, self._stamps, str(self.document)))


class DebugFolders:
    """Where the pictures of the stages go: straight into a folder, or into one a picture within it."""

    def __init__(
        self, folder: Path, inputs: Inputs, guarded: Callable[[], AbstractContextManager[None]]
    ) -> None:
        """Nothing is made before it is needed; what can't be made is *guarded*, and then there is no more."""
        self._folder: Path | None = folder
        self._guarded = guarded
        self._names, self._sources = FreeNames(), inputs.paths
        self._several = len(inputs.items) > 1

    def sink(self, pages: Sequence[InputPage], paged: bool, photo: Photo) -> DebugFolder | None:
        """Return what takes the pictures of the *photo* of one of *pages*, or None.

        They go into a folder of their own where there are several, or it is one of a document (*paged*).
        """
        if self._folder is None:
            return None
        from sudoku_vision.output.debug import DebugFolder, draw_photo

        with self._guarded():
            is_alone = not (self._several or paged)
            stem = next(page.stem for page in pages if page.number == photo.page)
            folder = self._folder if is_alone else self._names.free(self._folder / stem)
            sink = DebugFolder(folder, self._sources)
            sink.add("photo", draw_photo(photo))
            return sink
        self._folder = None
        return None


class FreeNames:
    """Finds names for files that are made: each of its own, and none that of a file that is read."""

    def __init__(self, sources: Iterable[str] = ()) -> None:
        """Keep clear of *sources*."""
        self._sources = {file_key(source) for source in sources}
        self._given: set[Path] = set()

    def free(self, path: Path) -> Path:
        """Return *path*, or the same with a number before its ending if that is taken."""
        candidate, number = path, 2
        while candidate in self._given or file_key(candidate) in self._sources:
            candidate = path.with_name(f"{path.stem}-{number}{path.suffix}")
            number += 1
        self._given.add(candidate)
        return candidate
