"""Read and write boards in plain text, as people and programs write them, with notes and titles between them.

The content of a line decides what it is:

* a whole *board*: 81 cells, with or without separators. A number, a rating or the solution may stand before
  or after the cells. A line of HoDoKu's library is a board, too.
* a *row*: nine cells, or eighteen cells of two boards side by side. Bars, brackets, commas, quotes and spaces
  between the cells are skipped.
* a *rule*, which is a line drawn between rows; or a *gap*, which is an empty line.
* a *note* (``#``) or any other line: it is a title if it stands right above a board, otherwise it is skipped.

A line of nine dashes is a row only if it completes nine rows, and if another row has dashes for blanks. But
nine lines of nine dashes alone are a blank board. Blanks can be spaces, if the digits fit into nine columns
in exactly one way. If the second of two boards on a line is the solution of the first, the second board is
left out. A cell with one candidate (``1567 3 1567 | ...``) holds that digit.

Rows that don't make boards of nine rows are an error, and so is a line that is almost a board. They are not
skipped, because a person probably meant them as boards. A *table* has a header with the names of its columns,
and then a line for each puzzle.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.board import BLANKS, board_text
from sudoku_vision.sudoku.display import board_lines
from sudoku_vision.sudoku.formats.cells import BOARD_81, CELL_CHARACTERS, DIGITS, REMEDY, digit_of, is_cell
from sudoku_vision.sudoku.formats.grids import DRAWN_LINES, RowGroup, drawn_rules, is_loose, is_rule, read_row
from sudoku_vision.sudoku.formats.named_board import Format, NamedBoard, digit_rows, each, solves
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.sudoku.solver import solve

_COLUMNS = "puzzle puzzles quiz quizzes board boards sudoku clues givens grid"
PUZZLE_COLUMNS = tuple(_COLUMNS.split())
"""Names of columns with puzzles; if a table has several of them, the first in this order is read."""
NAME_COLUMNS = ("name", "title")  # possible names of the column with the names of the puzzles


@dataclass(frozen=True)
class Table:
    """A table of puzzles: the separator of its fields, and the columns (from 0) with puzzles and names."""

    separator: str
    puzzles: int
    names: int | None

    @classmethod
    def of_header(cls, line: str) -> "Table | None":
        """Return the table with this header; None if *line* names no column with puzzles."""
        separator = max(",;\t", key=line.count)
        columns = [name.strip().strip("\"'").lower() for name in line.split(separator)]
        puzzles, names = (
            next((columns.index(name) for name in wanted if name in columns), None)
            for wanted in (PUZZLE_COLUMNS, NAME_COLUMNS)
        )
        return None if puzzles is None else cls(separator, puzzles, names)

    def pick(self, line: str) -> tuple[str, str] | None:
        """Return the puzzle and its name (or "") from a line of the table; None if there is no puzzle."""
        puzzle = self.field(line, self.puzzles)
        if puzzle is None or not BOARD_81.fullmatch(puzzle):
            return None
        name = None if self.names is None else self.field(line, self.names)
        return puzzle, original_cell(name or "")

    def field(self, line: str, column: int) -> str | None:
        """Return the field in a *column* of a line; None if the line has no such field."""
        try:
            fields = next(csv.reader([line], delimiter=self.separator), [])
        except csv.Error:
            return None
        return fields[column].strip() if column < len(fields) else None


def inert_cell(text: str) -> str:
    """Return *text*, with ``'`` before it if a spreadsheet would run it as a formula (CSV injection)."""
    return f"'{text}" if text.lstrip("'").startswith(_FORMULA_BEGINS) else text


def original_cell(cell: str) -> str:
    """Return the text from which :func:`inert_cell` made this *cell*."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(_FORMULA_BEGINS) else cell


_FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r")


def written_table(boards: Sequence[NamedBoard]) -> str:
    """Return a CSV table: each puzzle, its solution if there is only one, and names if any board has one."""
    columns = 3 if any(board.name for board in boards) else 2
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["puzzle", "solution", "name"][:columns])
    for board in boards:
        solved = solve(board.clues, rules=board.rules)
        solution = str(solved) if solved.status == "one" else ""
        table.writerow([board_text(board.clues), solution, inert_cell(board.name)][:columns])
    return file.getvalue()


MAX_LINE = 100_000  # maximum number of characters in a line; a board with long remarks has 10,000
MAX_WORDS = 4_000_000  # maximum number of characters outside of boards; to read so many takes some seconds

_SPLIT = re.compile(r"[\s,;|\"']+")
_PARTED = re.compile(r"[\s,;|\[\](){}\"']+")
_CELL = r"[1-9" + re.escape(BLANKS) + r"]"
_HODOKU = re.compile(r":[^:]*:[^:]*:(?P<cells>[^:]+):(?P<struck>[^:]*)(?::[^:]*){0,4}")
_PLUSES = re.compile(rf"(?:{_CELL}|\+[1-9]){{81}}")

# A word with a digit is refused as a malformed board in two cases. It has more than _TWO_ROWS characters, and
# all of them are digits or blanks. Or its length is in _BOARDLIKE, and digits and blanks make up at least the
# share _MIN_CELLS of its characters.
_MIN_CELLS = 0.9
_BOARDLIKE = range(60, 110)
_TWO_ROWS = 18
_ROWLIKE = (7, 8, 10, 11)  # a line with one of these numbers of cells is refused as a malformed row
_NOTE = re.compile(r"\s*(?:#|//|%)\s?(.*)")
_DESCRIPTION = re.compile(r"\s*#D(?:\s+|(?=[^a-z\s]))(.*)")
"""Matches a title in the files of SadMan Sudoku, such as ``#D Title``, but not a note such as ``#Daily``."""


def read_plain_text(text: str, first_line: int = 1) -> list[NamedBoard]:
    """Return the boards of a text, in order; the list is empty if there is nothing like a board.

    *first_line* is the number of the first line. Raises :class:`~sudoku_vision.errors.BoardError` for lines
    that are meant as a board but have a mistake.
    """
    reader, lines = _Reader(), text.split("\n")
    for number, line in enumerate(lines, start=first_line):
        reader.take(number, line)
    reader.close(None)
    for at, board in enumerate(reader.boards):
        start = max(0, board.line - first_line - 1)
        if (rules := drawn_rules(lines[start : start + DRAWN_LINES])) != CLASSIC:
            reader.boards[at] = replace(board, rules=rules)
    return reader.boards


class _Reader:
    """Collects the boards of a text, line by line; after the last line, ``close`` must be called."""

    def __init__(self) -> None:
        self.boards: list[NamedBoard] = []
        self._group = RowGroup()
        self._table: Table | None = None
        self._title = ""
        self._description = ""
        self._words_seen = 0

    def take(self, number: int, line: str) -> None:
        """Read the next line, and decide what it is."""
        if len(line) > MAX_LINE:
            what = f"line {number} has {len(line):,} characters, the limit is {MAX_LINE:,}."
            raise BoardError(what, "Give each board lines of its own.")
        if BOARD_81.fullmatch(line):  # checked first, because nearly all lines of a long list are like this
            self._add(NamedBoard(line, line=number))
        elif not line.strip():
            self._group.parted = True
            self._title = ""
        elif note := _NOTE.match(line):
            self._note(line, note[1])
        elif row := read_row(line, number):
            self._begun_group().add(number, line, row)
        elif board := _board_of_line(line, number, self._table):
            self._add(board)
        elif is_rule(line):
            self._group.rule(number, line)
        elif is_loose(line) and (self._group or not line.strip().isdigit()):
            self._begun_group().add(number, line, None)
        else:
            self.close((number, line))
            self._words(number, line)

    def close(self, by: tuple[int, str] | None) -> None:
        """End the group of rows, and keep its boards. *by*: number and text of the next line, or None."""
        self.boards += self._group.boards(by)
        self._group = RowGroup()

    def _add(self, board: NamedBoard) -> None:
        """Add a board that is written on one line, with the title above it as its name."""
        self.close((board.line, "a board of its own"))
        heading = self._heading()
        self.boards.append(replace(board, name=heading) if heading and not board.name else board)

    def _begun_group(self) -> RowGroup:
        """Return the current group of rows. An empty group gets the title above the next line as its name."""
        if not self._group:
            self._group = RowGroup(self._heading())
        return self._group

    def _heading(self) -> str:
        """Return the title above the next line, and forget it."""
        name = self._description or self._title
        self._title = self._description = ""
        return name

    def _note(self, line: str, words: str) -> None:
        """Remember *words*, the text of a note, as a title. Skip a note between the rows of a board."""
        if self._group.unfinished:
            return
        self.close(None)
        described = _DESCRIPTION.match(line)
        if described:
            self._description = described[1]
        else:
            self._title = words

    def _words(self, number: int, line: str) -> None:
        """Remember a line outside of boards as a title, or as the header of a table."""
        self._words_seen += len(line)
        if self._words_seen > MAX_WORDS:
            what = f"up to line {number} more than {MAX_WORDS:,} characters belong to no board."
            raise BoardError(what, "Leave out the text between the boards.")
        table = Table.of_header(line)
        self._table = table or self._table
        self._title = "" if table or line[0].isspace() else line.strip().rstrip(":")


def _board_of_line(line: str, number: int, table: Table | None) -> NamedBoard | None:
    """Return the board on a line, or None; raises BoardError for a line that is almost a board or a row."""
    hodoku = _HODOKU.fullmatch(line.strip())
    if hodoku:
        board = _with_placed(hodoku["cells"], number)
        struck = [""] * 81
        for digit, row, column in re.findall(r"\b([1-9])([1-9])([1-9])\b", hodoku["struck"]):
            struck[9 * int(row) + int(column) - 10] += digit
        return board.without(struck)
    words = [word for word in _SPLIT.split(line) if word]
    boards = [word for word in words if BOARD_81.fullmatch(word)]
    if boards:
        first, *others = boards
        solution_first = bool(others) and solves(first, others[0])
        picked = table.pick(line) if table else None
        puzzle, name = picked or (others[0] if solution_first else first, "")
        return NamedBoard(puzzle, name=name or line.partition("#")[2].strip(), line=number)
    placed = next((word for word in words if _PLUSES.fullmatch(word)), None)
    if placed:
        return _with_placed(placed, number)
    if len(line) == 81 and not line.strip("0123456789 ") and DIGITS & set(line):
        return NamedBoard(line, line=number)
    cells = _PARTED.sub(" ", line).split()
    if len(cells) == 81 and all(is_cell(cell) for cell in cells):
        return NamedBoard([digit_of(cell) for cell in cells], line=number)
    for word in words:
        _refuse_almost(word, number)
    if len(cells) in _ROWLIKE and set(cells) <= CELL_CHARACTERS and DIGITS & set(cells):
        raise BoardError(f"line {number}: a row has nine cells, this one has {len(cells)}.", REMEDY)
    return None


def _with_placed(cells: str, line: int) -> NamedBoard:
    """Return the board of 81 *cells* with ``+`` before placed digits. Raise BoardError if there aren't 81."""
    found = re.findall(rf"\+?{_CELL}", cells)
    if "".join(found) != cells or len(found) != 81:
        what = f"line {line}: a board has 81 cells, this one has {len(cells.replace('+', ''))}."
        raise BoardError(what, REMEDY)
    digits = (digit_of(cell[-1]) for cell in found)
    return NamedBoard.from_digits(digits, (cell[0] != "+" for cell in found), line=line)


def _refuse_almost(word: str, line: int) -> None:
    """Raise BoardError for a word that is almost a board: its length or a character is wrong."""
    wrong = [place for place, character in enumerate(word, 1) if character not in CELL_CHARACTERS]
    only_cells = not wrong and len(word) > _TWO_ROWS
    if not only_cells and (len(word) not in _BOARDLIKE or len(word) - len(wrong) < _MIN_CELLS * len(word)):
        return
    if DIGITS.isdisjoint(word):
        return  # the word is a line between rows, drawn with uncommon characters
    if len(word) == 81 and wrong:
        what = f"{word[wrong[0] - 1]!r} at place {wrong[0]} is neither a digit nor a blank."
        raise BoardError(f"line {line}: {what}", REMEDY)
    raise BoardError(f"line {line}: a board has 81 cells, this one has {len(word)}.", REMEDY)


def _lined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _simple_sudoku(board: NamedBoard) -> str:
    rows = [f"{row[:3]}|{row[3:6]}|{row[6:]}" for row in digit_rows(board.clues)]
    return "\n-----------\n".join("\n".join(rows[at : at + 3]) for at in (0, 3, 6)) + "\n"


def _hodoku_line(board: NamedBoard) -> str:
    cells = zip(board.clues.flat, board.placed.flat, strict=True)
    digits = (str(clue) if clue else f"+{placed}" if placed else "." for clue, placed in cells)
    return f":0000:x:{''.join(digits)}:::\n"


_LINES = each(lambda board: f"{board_text(board.clues)}\n")
_GRIDS = each(lambda board: _lined(board_lines(board.clues, rules=board.rules)), between="\n")
_BOXES = each(lambda board: _lined(board_lines(board.clues, unicode=True, rules=board.rules)), between="\n")
_CELLS = each(lambda board: _lined(digit_rows(board.clues, "", ",")), between="\n")

FORMATS = (
    Format("line", read_plain_text, _LINES, (".txt",)),
    Format("grid", read_plain_text, _GRIDS, keeps=("regions",)),
    Format("boxes", read_plain_text, _BOXES, keeps=("regions",)),
    Format("sdm", read_plain_text, _LINES, (".sdm",)),
    Format("ss", read_plain_text, each(_simple_sudoku), (".ss",), several=False),
    Format("csv", read_plain_text, written_table, (".csv",), keeps=("name",)),
    Format("cells", read_plain_text, _CELLS),
    Format("hodoku", read_plain_text, each(_hodoku_line), keeps=("placed",)),
)
