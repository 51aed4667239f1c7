"""Write: boards in every format that they can be read from."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from sudoku_vision.board import BoardLike
from sudoku_vision.display import board_lines
from sudoku_vision.errors import UsageError
from sudoku_vision.formats.links import SITES
from sudoku_vision.formats.named import NamedBoard
from sudoku_vision.results import Board, board_text


@dataclass(frozen=True)
class Format:
    """A way to write boards down.

    ``write`` takes all boards of one text, with its last line end. ``several`` says whether a text can hold
    more than one, ``keeps_placed`` and ``keeps_name`` what it tells besides the clues, ``endings`` the
    endings of files that are written so where no format is named, and ``about`` what it is.
    """

    name: str
    write: Callable[[Sequence[NamedBoard]], str]
    about: str
    endings: tuple[str, ...] = ()
    several: bool = True
    keeps_placed: bool = False
    keeps_name: bool = False


def write_boards(boards: Iterable[NamedBoard], format: str) -> str:
    """All *boards* in one text, in a format of :data:`FORMATS` or as links to a site.

    Raises :class:`~sudoku_vision.errors.UsageError` for an unknown format, and for several boards in one that
    holds a single one.
    """
    chosen, listed = format_named(format), list(boards)
    if len(listed) > 1 and not chosen.several:
        raise UsageError(
            f"One text in the format {chosen.name} can't hold {len(listed)} boards.",
            "Write one board a file, or choose another format such as sdm.",
        )
    return chosen.write(listed)


def write_board(board: BoardLike | NamedBoard, format: str) -> str:
    """One board in a format of :data:`FORMATS`, or as a link to a site.

    Clues are written, and placed digits and the name where the format keeps them. Raises
    :class:`~sudoku_vision.errors.UsageError` for an unknown format.

    >>> write_board("53" + "." * 79, "sdm")[:5]
    '53000'
    """
    return write_boards([board if isinstance(board, NamedBoard) else NamedBoard(board)], format)


def format_named(name: str) -> Format:
    """The format of that name, or that of a site; raises :class:`~sudoku_vision.errors.UsageError`."""
    wanted = name.strip().lower().lstrip(".")
    if wanted in FORMATS:
        return FORMATS[wanted]
    by_ending = next((form for form in FORMATS.values() if f".{wanted}" in form.endings), None)
    site = next(
        (site for site in SITES.values() if wanted in (site.name, site.name.rpartition(".")[0])), None
    )
    if by_ending or not site:
        if by_ending:
            return by_ending
        raise UsageError(
            f"The format {name!r} is unknown.", f"Use one of {', '.join(FORMATS)}, or {', '.join(SITES)}."
        )
    return Format(
        site.name,
        lambda boards: "".join(f"{site.write(board)}\n" for board in boards),
        f"a link that opens the puzzle at {site.name}",
        keeps_placed=site.keeps_placed,
        keeps_name=site.keeps_name,
    )


def format_of(path: str | Path) -> Format:
    """The format that the ending of *path* stands for; raises :class:`~sudoku_vision.errors.UsageError`."""
    ending = Path(path).suffix.lower()
    for form in FORMATS.values():
        if ending in form.endings:
            return form
    known = ", ".join(ending for form in FORMATS.values() for ending in form.endings)
    what = f"no format goes by the ending {ending!r}" if ending else "the name has no ending"
    raise UsageError(f"{path}: {what}.", f"End it with one of {known}, or name the format with --to.")


def _rows(board: Board, blank: str = ".", between: str = "") -> list[str]:
    return [between.join(str(digit) if digit else blank for digit in row) for row in board.tolist()]


def _lines(boards: Sequence[NamedBoard]) -> str:
    return "".join(f"{board_text(board.clues)}\n" for board in boards)


def _grid(boards: Sequence[NamedBoard]) -> str:
    return "\n".join("".join(f"{line}\n" for line in board_lines(board.clues)) for board in boards)


def _boxes(boards: Sequence[NamedBoard]) -> str:
    lined = (board_lines(board.clues, unicode=True) for board in boards)
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in lined)


def _simple_sudoku(boards: Sequence[NamedBoard]) -> str:
    texts = []
    for board in boards:
        rows = [f"{row[:3]}|{row[3:6]}|{row[6:]}" for row in _rows(board.clues)]
        texts.append("\n-----------\n".join("\n".join(rows[at : at + 3]) for at in (0, 3, 6)) + "\n")
    return "".join(texts)


def _sadman(boards: Sequence[NamedBoard]) -> str:
    lines: list[str] = []
    for board in boards:
        lines += [f"#D {board.name}"] if board.name else []
        lines += ["[Puzzle]", *_rows(board.clues)]
        lines += ["[State]", *_rows(board.digits)] if board.placed.any() else []
    return "".join(f"{line}\n" for line in lines)


def _table(boards: Sequence[NamedBoard]) -> str:
    """A table with the solutions of those puzzles that have exactly one."""
    from sudoku_vision.solver import solve

    named = any(board.name for board in boards)
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["puzzle", "solution", "name"][: 3 if named else 2])
    for board in boards:
        solved = solve(board.clues)
        solution = str(solved) if solved.status == "one" else ""
        table.writerow([board_text(board.clues), solution, board.name][: 3 if named else 2])
    return file.getvalue()


def _cell_table(boards: Sequence[NamedBoard]) -> str:
    return "\n".join("".join(f"{row}\n" for row in _rows(board.clues, "", ",")) for board in boards)


def _json(boards: Sequence[NamedBoard]) -> str:
    """Nine rows of nine numbers, 0 for blank; several boards as a list of them."""
    texts = []
    for board in boards:
        rows = ",\n ".join(json.dumps(row) for row in board.clues.tolist())
        texts.append(f"[{rows}]")
    return f"{texts[0]}\n" if len(texts) == 1 else "[{}]\n".format(",\n".join(texts))


def _json_lines(boards: Sequence[NamedBoard]) -> str:
    lines = []
    for board in boards:
        value = {"name": board.name} if board.name else {}
        value["puzzle"] = board_text(board.clues)
        if board.placed.any():
            value["placed"] = board_text(board.placed)
        lines.append(json.dumps(value) + "\n")
    return "".join(lines)


def _hodoku(boards: Sequence[NamedBoard]) -> str:
    lines = []
    for board in boards:
        cells = zip(board.clues.flat, board.placed.flat, strict=True)
        marks = (str(clue) if clue else f"+{placed}" if placed else "." for clue, placed in cells)
        lines.append(f":0000:x:{''.join(marks)}:::\n")
    return "".join(lines)


def _label(boards: Sequence[NamedBoard]) -> str:
    return "".join(
        "sudoku\nno picture\n" + "\n".join(_rows(board.clues, "0", " ")) + "\n" for board in boards
    )


def _opensudoku(boards: Sequence[NamedBoard]) -> str:
    name = next((board.name for board in boards if board.name), "sudoku")
    games = "".join(f"  <game data={quoteattr(board_text(board.clues))} />\n" for board in boards)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n'
    return f"{head}  <name>{escape(name)}</name>\n{games}</opensudoku>\n"


FORMATS = {
    form.name: form
    for form in (
        Format("line", _lines, "81 digits a line, 0 for blank", (".txt",)),
        Format("grid", _grid, "a grid to read and print, boxes marked"),
        Format("boxes", _boxes, "the same, drawn with line characters"),
        Format("sdk", _sadman, "SadMan Sudoku", (".sdk",), several=False, keeps_placed=True, keeps_name=True),
        Format("sdm", _lines, "a collection, one puzzle a line", (".sdm",)),
        Format("ss", _simple_sudoku, "Simple Sudoku", (".ss",), several=False),
        Format("csv", _table, "a table with the columns puzzle and solution", (".csv",), keeps_name=True),
        Format("cells", _cell_table, "nine rows of nine columns, for a spreadsheet"),
        Format("json", _json, "nested lists, nine rows of nine numbers", (".json",)),
        Format(
            "jsonl",
            _json_lines,
            "an object a line, with puzzle, placed digits and name",
            (".jsonl", ".ndjson"),
            keeps_placed=True,
            keeps_name=True,
        ),
        Format("hodoku", _hodoku, "lines of HoDoKu's library, placed digits behind +", keeps_placed=True),
        Format("dat", _label, "a label of a picture", (".dat",), several=False),
        Format("opensudoku", _opensudoku, "OpenSudoku's XML", (".opensudoku",)),
    )
}
"""The formats of text, by name. Links go by the names of :data:`~sudoku_vision.formats.links.SITES`."""
