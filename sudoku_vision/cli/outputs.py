"""Draws the results of pages, and writes them to the output ``-o``.

The output is checked before any work is done. It has one of these forms:

=====================  ======================================================================================
``-o -``               standard output
``-o FOLDER``          a folder: it exists, or its name ends in ``/`` or has no ending
``-o NAME.ENDING``     a file; the ending decides the format
=====================  ======================================================================================

If another option decides the format, such as ``--to``, a name without an ending is a file, unless a folder
with this name exists.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_vision.cli.inputs import Input, paths_of, picture_kind
from sudoku_vision.cli.options import PRINTING, Options
from sudoku_vision.cli.pages import InputPage
from sudoku_vision.cli.reporter import progress
from sudoku_vision.errors import SaveError, SudokuVisionError, UsageError, checked_path
from sudoku_vision.output.save import (
    PHOTO_ENDINGS,
    SAVE_ENDINGS,
    check_folder,
    check_output,
    check_place,
    check_print,
    clear_parts,
    encode,
    file_key,
    make_folder,
    write_atomically,
)
from sudoku_vision.values import Image
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.load.files import STDIN
from sudoku_vision.vision.results import Photo

if TYPE_CHECKING:
    from sudoku_vision.output.drawing.figure import Figure
    from sudoku_vision.sudoku.formats import NamedBoard
    from sudoku_vision.sudoku.generator import Puzzle

Grids = tuple[Grid, ...]

PAGES_ENDING = ".pdf"
PICTURE_ENDINGS = (".svg", *(ending for ending in SAVE_ENDINGS if ending != PAGES_ENDING))
"""Endings of picture files. Such a file shows one puzzle, while a PDF can show many."""


class Output:
    """The output ``-o``: a file, a folder, standard output, or none."""

    def __init__(
        self,
        out: str | None,
        sources: Iterable[str] = (),
        *,
        kept: Iterable[str] = (),
        bare_is_folder: bool = True,
        check_file: Callable[[str, Iterable[str]], None] = check_place,
    ) -> None:
        """Find out what *out* means, and check that it can be written, before any work is done.

        *sources* are the files that are read. *kept* are files of an earlier run. No file in either list is
        ever overwritten. *bare_is_folder*: whether a name without an ending means a folder. If *out* is a
        file, *check_file* is called with *out* and *sources*.
        """
        self.path = Path() if out is None else checked_path(out)
        self.is_wanted = out is not None
        self.is_standard_output = out == STDIN
        self.is_named = out is not None and out != STDIN
        # os.path is used because pathlib raises an error for a name that is too long.
        spelt = str(out).endswith(("/", os.sep)) or os.path.isdir(str(out))  # noqa: PTH112
        bare = bare_is_folder and not self.path.suffix
        self.is_folder = self.is_named and (spelt or bare)
        self.is_file = self.is_named and not self.is_folder
        self._sources = {file_key(name) for name in (*sources, *kept)}
        self._given: set[Path] = set()
        if self.is_folder:
            check_folder(self.path)
            clear_parts(self.path)
        elif self.is_file:
            check_file(str(out), sources)
            clear_parts(Path(os.path.realpath(self.path)).parent)

    @property
    def ending(self) -> str:
        """The ending of the file in lower case; "" if the output isn't a file."""
        return self.path.suffix.lower() if self.is_file else ""

    def free(self, path: Path) -> Path:
        """Return *path* or, if it is in use, a path with a number before its ending.

        A path is in use if this method has returned it before, or if it is a source or in *kept* (see
        :class:`Output`).
        """
        candidate, number = path, 2
        while candidate in self._given or file_key(candidate) in self._sources:
            candidate = path.with_name(f"{path.stem}-{number}{path.suffix}")
            number += 1
        self._given.add(candidate)
        return candidate

    def write(self, data: bytes) -> None:
        """Write *data* to the file or, if the output isn't a file, to standard output."""
        if self.is_file:
            write_atomically(self.path, data)
        else:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()


class PictureOutput(Output):
    """The output for pictures of pages: a file, a folder, standard output, or one PDF of all pages."""

    def __init__(
        self,
        options: Options,
        inputs: Sequence[Input],
        suffix: str,
        *,
        kept: Iterable[str] = (),
        prints: bool = False,
    ) -> None:
        """Check ``-o`` before any work is done.

        *suffix*: the end of the names of pictures in a folder. *kept*: paths of files that must not be
        overwritten, like the inputs. *prints*: whether the output can also be an SVG file, or a copy of the
        input PDF with the answers on its pages.
        """
        sources = paths_of(inputs)
        check = check_print if prints else check_output
        super().__init__(options.output, sources, kept=kept, check_file=check)
        for below in {item.below for item in inputs} if self.is_folder else ():
            clear_parts(self.path / below)
        if len(inputs) > 1 and self.is_wanted and not self.is_folder:
            what = f"{options.output}: one file can't hold {len(inputs)} pictures."
            raise UsageError(what, "Name a folder with -o.")
        self._suffix = suffix
        self.picture_ending = "" if self.is_folder else self.ending or ".png"
        """The ending of all pictures; "" for a folder, where :func:`ending_for` chooses each ending."""
        self._is_written = False
        self.document: Path | None = None
        """The PDF that is read, if the answers are drawn onto its pages; else None."""
        self._stamps: dict[int, bytes] = {}
        for item in inputs if prints and self.ending == PAGES_ENDING else ():
            kind = picture_kind(item)
            if kind in (None, "Pdf"):
                from sudoku_vision.output.drawing.pdf_files import check_printing

                check_printing()
            if kind == "Pdf":
                self.document = Path(item.path)

    def write_page(self, page: InputPage) -> str | None:
        """Write the picture of a page, and return the path of the file, if there is one.

        If the page has no picture, its path stays reserved: no later page gets this path. If the source was
        found in a subfolder, the picture goes into the same subfolder of the output folder. If drawing
        failed, the error is raised.
        """
        picture, place = page.picture, self.path
        if self.is_folder:
            name = f"{page.stem}-{self._suffix}{ending_for(page, self.picture_ending)}"
            place = self.free(self.path / page.item.below / name)
        elif self.is_file and self.document is None:
            place = self.free(self.path)
        if picture is None:
            return None
        if isinstance(picture, SudokuVisionError):
            raise picture
        if self.is_standard_output:
            if self._is_written:
                raise SaveError(f"{page.name}: standard output takes one picture.", "Name a folder with -o.")
            self._is_written = True
            self.write(picture)
            return None
        if self.document is not None:
            self._stamps[page.number] = picture
        else:
            make_folder(place.parent)
            write_atomically(place, picture)
        return str(place)

    def close(self) -> None:
        """Write the output PDF, if it is a copy of the input PDF with answers on its pages."""
        if self.document is not None and self._stamps:
            from sudoku_vision.output.drawing.pdf_files import stamp_pdf

            self.write(stamp_pdf(self.document, self._stamps, str(self.document)))


class BoardOutput(Output):
    """The output of ``convert`` and ``generate``: boards as text, as pictures, or as pages to print."""

    def __init__(self, options: Options, sources: Iterable[str] = (), *, folder_ending: str = "") -> None:
        """Check ``-o``, ``--to`` and the options for pages before any work is done.

        *folder_ending*: the ending of the files in a folder, if ``--to`` names no format; "" means text.
        """
        super().__init__(options.output, sources, bare_is_folder=options.to is None)
        ending = folder_ending if self.is_folder else self.ending
        if options.to is not None:
            ending = f".{options.to.strip().lstrip('.')}".lower()
        self.drawn_ending = ending if ending in (PAGES_ENDING, *PICTURE_ENDINGS) else ""
        """The ending of files with pages or pictures; empty if the output is text."""
        if self.drawn_ending and not self.is_named:
            what = f"Pages and pictures ({ending[1:]}) are written to files."
            raise UsageError(what, f"Name one with -o, as in: -o page{ending}")
        self._pages = {
            name: getattr(options, name) for name in PRINTING if getattr(options, name) is not None
        }
        """The options for pages that the user gave, as arguments of ``print_puzzles``."""
        if ending == PAGES_ENDING:
            from sudoku_vision.api.printing import checked_layout

            checked_layout(1, other_rules=options.other_rules, **self._pages)
        elif self._pages:
            name = next(iter(self._pages)).replace("_", "-")
            raise UsageError(f"--{name} is for pages to print.", "Name them with -o, ending in .pdf.")

    def draw(self, named: Sequence[tuple[str, Puzzle | NamedBoard]], *, solutions: bool = False) -> None:
        """Write puzzles as pages to print, or as pictures.

        *named* holds pairs: a stem and a puzzle. If the output is a folder, the stem names the puzzle's file.
        If the output is a file and there are several pictures, the name of each picture gets a number.
        *solutions*: whether to add the solutions: on the last pages of a PDF, or as one more picture for each
        puzzle.
        """
        from sudoku_vision.api.printing import print_puzzles, printable
        from sudoku_vision.output.drawing.puzzle_figure import PICTURE_DPI, puzzle_figure

        several, path, ending = len(named) > 1, self.path, self.drawn_ending
        items = [printable(one, number if several else 0) for number, (_, one) in enumerate(named, start=1)]
        if ending == PAGES_ENDING and self.is_file:
            print_puzzles(items, self.free(path), solutions=solutions, **self._pages)
            return
        if self.is_folder:
            make_folder(path)
        with progress(len(items), "drawing") as bar:
            for number, (item, (stem, _)) in enumerate(zip(items, named, strict=True), start=1):
                bar.advance()
                numbered = path.with_stem(f"{path.stem}-{number:0{len(str(len(items)))}d}")
                place = path / f"{stem}{ending}" if self.is_folder else numbered if several else path
                place = self.free(place)
                if ending == PAGES_ENDING:
                    print_puzzles([item], place, **self._pages)
                    continue
                for solved in (False, True) if solutions else (False,):
                    place = place.with_stem(f"{place.stem}-solution") if solved else place
                    figure, title = puzzle_figure(item, solved=solved), item.name or "Sudoku"
                    data = packed(figure, ending, PICTURE_DPI, name=str(place), title=title)
                    write_atomically(place, data)


# The functions below make the output files of pages.


def page_file(
    draw: Callable[[Photo, Grids, Options], Image],
    options: Options,
    ending: str,
    page: InputPage,
    photo: Photo | None,
    *,
    printed: bool,
    stamped: bool,
) -> bytes:
    """Return the bytes of the output file for a *page*; *photo* is None for a board in text.

    *draw* is a function that draws into the grids of a photo. For a board in text, *draw* gets a plain
    drawing of the board instead of a photo. If *printed* is true, *draw* isn't used in two cases: the page is
    a board in text, or the file is an SVG. Then the grids are drawn as printed puzzles, without a photo.
    *stamped*: whether to return only the answers, as a PDF page that is laid over the page of the input PDF.
    """
    grids, ending, language = page.page.grids, ending_for(page, ending), options.text_language
    if stamped:
        from sudoku_vision.output.drawing.pdf_files import pdf
        from sudoku_vision.output.overlay.printed_answers import page_stamp

        assert photo is not None
        return pdf([page_stamp(photo, grids, language)])
    if printed and (not page.is_picture or ending == ".svg"):
        return _printed(grids, ending, page.name, language)
    if photo is None:
        photo, grids = plain_drawing(grids[0], page.name)
    return encode(draw(photo, grids, options), ending, name=page.name, exif=photo.exif)


def ending_for(page: InputPage, ending: str) -> str:
    """Return *ending*; if it is "", return the ending of the photo's file, by default ``.png``.

    The default is used if there is no photo, or if this program can't write the photo's format.
    """
    if not ending and page.is_picture:
        ending = Path(page.item.path).suffix.lower()
        ending = ending if ending in PHOTO_ENDINGS else ""
    return ending or ".png"


def plain_drawing(grid: Grid, name: str) -> tuple[Photo, Grids]:
    """Return a plain drawing of a board as a photo, and the grid with its place in the drawing."""
    from sudoku_vision.output.drawing.puzzle_figure import draw_grid

    pixels, drawn = draw_grid(grid)
    return Photo(pixels, name), (drawn,)


def _printed(grids: Grids, ending: str, name: str, language: str) -> bytes:
    """Return the bytes of a file with *grids* and their answers, without a photo: a PDF, an SVG or a picture.

    A PDF has as many pages as needed. An SVG or a picture shows the only grid. If there are several grids,
    it shows what a PDF has on its first page.
    """
    from sudoku_vision.output.drawing.pdf_files import pdf
    from sudoku_vision.output.drawing.puzzle_figure import PICTURE_DPI
    from sudoku_vision.output.overlay.printed_answers import answer_figure, answer_pages

    if ending == PAGES_ENDING:
        return pdf(answer_pages(grids, language))
    figure = answer_figure(grids[0], language) if len(grids) == 1 else answer_pages(grids, language)[0]
    return packed(figure, ending, PICTURE_DPI, name=name)


def packed(figure: Figure, ending: str, dpi: float, *, name: str, title: str = "Sudoku") -> bytes:
    """Return the bytes of the file *name*: a *figure* as SVG with a *title*, or as a picture with *dpi*."""
    from sudoku_vision.output.drawing.raster import raster
    from sudoku_vision.output.drawing.svg import svg

    if ending == ".svg":
        return svg(figure, title=title).encode()
    return encode(raster(figure, dpi), ending, name=name)
