"""Write and read addresses that open a puzzle on another site. Nothing is ever downloaded."""

import re
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

from sudoku_vision.errors import BoardError, UsageError
from sudoku_vision.sudoku.board import BLANKS, BoardLike, board_text
from sudoku_vision.sudoku.formats.fpuzzles import MAX_PACKED, pack_fpuzzle, unpack_fpuzzle, unpack_sudokupad
from sudoku_vision.sudoku.formats.named_board import Format, NamedBoard, Part, each

_REMEDY = "Copy the whole link, or give the board itself."
_ADDRESS = re.compile(
    r"(?:https?://|(?:www\.|app\.|beta\.)?"
    r"(?:sudokuwiki\.org|sudoku\.coach|sudokuexchange\.com|f-puzzles\.com|sudokupad\.app)/)\S+",
    re.IGNORECASE,
)
_DIGITS_81 = re.compile(rf"(?<![0-9.])[1-9{re.escape(BLANKS)}]{{81}}(?![0-9.])")


def link(board: BoardLike | NamedBoard, site: str) -> str:
    """Return the address that opens *board* at *site*, a name of :data:`SITES`.

    The address has the clues. It also has placed digits, marks, name and rules if the site can read them.

    >>> link("53" + "0" * 79, "sudoku.coach")[:35]
    'https://sudoku.coach/en/play/530000'
    """
    one = board if isinstance(board, NamedBoard) else NamedBoard(board)
    return site_named(site).write([one]).removesuffix("\n")


def site_named(name: str) -> Format:
    """Return the format of links to the site *name*, such as ``f-puzzles``; raises UsageError for others."""
    wanted = name.strip().lower().removeprefix("https://").removeprefix("www.").rstrip("/")
    for site in SITES.values():
        if wanted in (site.name, site.name.rpartition(".")[0]):
            return site
    raise UsageError(f"{name!r} is no site that puzzles can be opened at.", f"Use one of {', '.join(SITES)}.")


def is_link(text: str) -> bool:
    """Return whether *text* is one address and nothing else."""
    return bool(_ADDRESS.fullmatch(text.strip()))


def find_in_link(address: str) -> NamedBoard | None:
    """Return the board in an address, or None; raises BoardError if the address is damaged or too long."""
    text = address.strip()
    if len(text) > MAX_PACKED:
        raise BoardError(f"This link is longer than {MAX_PACKED} characters.", _REMEDY)
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        host = (parts.hostname or "").removeprefix("www.").removeprefix("beta.")
    except ValueError:
        raise BoardError("This link is broken.", _REMEDY) from None
    return _READERS.get(host, _digits_in)(parts)


def read_links(text: str) -> list[NamedBoard] | None:
    """Return the boards in those lines of a text that are addresses.

    If there is no board: raises BoardError if all lines are addresses, and otherwise returns None.
    """
    lines = [line.strip().strip("<>\"'`") for line in text.split("\n")]
    addresses = [(number, line) for number, line in enumerate(lines, start=1) if _ADDRESS.fullmatch(line)]
    found = ((number, find_in_link(line)) for number, line in addresses)
    boards = [replace(board, line=number) for number, board in found if board is not None]
    if not boards and len(addresses) == sum(bool(line) for line in lines) > 0:
        raise BoardError("There is no board in this link.", _REMEDY)
    return boards or None


def _digits_in(parts: SplitResult) -> NamedBoard | None:
    """Return the board whose 81 cells stand side by side in an address; None if there is none."""
    found = _DIGITS_81.search(unquote(f"{parts.path}?{parts.query}#{parts.fragment}").replace(",", ""))
    return NamedBoard(found.group()) if found else None


def _argument(parts: SplitResult, name: str) -> str:
    for source in (parts.query, parts.fragment):
        try:
            values = parse_qs(source.replace("+", "%2B"), max_num_fields=50)  # a plus is no space here
        except ValueError:
            continue
        if values.get(name):
            return values[name][0]
    return ""


def _read_wiki(parts: SplitResult) -> NamedBoard | None:
    packed = _argument(parts, "bd")
    if not packed.upper().startswith("S9B"):
        return _digits_in(parts)
    cells = packed[3:]
    if len(cells) != 2 * 81 or not (cells.isascii() and cells.isalnum()):
        raise BoardError(f"sudokuwiki.org packs a board in 162 characters, here are {len(cells)}.", _REMEDY)
    numbers = [int(cells[at : at + 2], 36) for at in range(0, 162, 2)]
    digits = [(number - 1) % 9 + 1 if 1 <= number <= 18 else 0 for number in numbers]
    masks = [mask if 0 < (mask := number - 18) < _ALL_NINE else 0 for number in numbers]  # all 9: no marks
    marks = tuple(frozenset(digit for digit in range(1, 10) if mask >> digit - 1 & 1) for mask in masks)
    return NamedBoard.from_digits(digits, (number < 10 for number in numbers), marks=marks)


_ALL_NINE = (1 << 9) - 1  # the mask of all nine digits: it stands for a cell without marks
_BASE_36 = "0123456789abcdefghijklmnopqrstuvwxyz"


def _packed_wiki(board: NamedBoard) -> str:
    """Return a board as sudokuwiki.org packs it: 81 digits if it has only clues, else 81 pairs of characters.

    A pair of characters is a number in base 36: 1 to 9 for a clue, 10 to 18 for a placed digit, or 18 plus a
    mask of nine bits for candidates. The lowest bit of the mask stands for the digit 1.
    """
    if not board.placed.any() and not any(board.marks):
        return board_text(board.clues)
    masks = [sum(1 << (digit - 1) for digit in marks) or _ALL_NINE for marks in board.marks]
    digits = zip(board.clues.flat, board.placed.flat, masks, strict=True)
    numbers = [int(clue) or (9 + int(placed) if placed else 18 + mask) for clue, placed, mask in digits]
    return "S9B" + "".join(_BASE_36[number // 36] + _BASE_36[number % 36] for number in numbers)


def _read_fpuzzles(parts: SplitResult) -> NamedBoard | None:
    packed = _argument(parts, "load")
    return unpack_fpuzzle(packed) if packed else None


def _read_sudokupad(parts: SplitResult) -> NamedBoard | None:
    if board := _read_fpuzzles(parts):
        return board
    path = parts.path.strip("/")
    for folder in ("puzzle/", "sudoku/"):
        path = path.removeprefix(folder)
    puzzle_id = _argument(parts, "puzzleid") or path
    return unpack_sudokupad(puzzle_id) if puzzle_id else None


_READERS = {
    "sudokuwiki.org": _read_wiki,
    "f-puzzles.com": _read_fpuzzles,
    **dict.fromkeys(
        ("sudokupad.app", "sudokupad.svencodes.com", "app.crackingthecryptic.com"), _read_sudokupad
    ),
}
"""For each host whose addresses have a form of their own, the function that reads the board in an address.
The function returns None if there is no board."""


def _site(start: str, packed: Callable[[NamedBoard], str], keeps: tuple[Part, ...] = ()) -> Format:
    """Return the format of links to a site: *start*, then the text that *packed* returns for a board."""
    name = start.partition("/")[0].removeprefix("www.")
    return Format(name, read_links, each(lambda board: f"https://{start}{packed(board)}\n"), keeps=keeps)


_EVERYTHING: tuple[Part, ...] = ("placed", "marks", "name", "rules")
_SITES = (
    _site("www.sudokuwiki.org/sudoku.htm?bd=", _packed_wiki, ("placed", "marks")),
    _site("sudoku.coach/en/play/", lambda board: board_text(board.clues)),
    _site("sudokuexchange.com/play/?s=", lambda board: board_text(board.clues)),
    _site("f-puzzles.com/?load=", pack_fpuzzle, _EVERYTHING),
    _site("sudokupad.app/?puzzleid=fpuzzles", lambda board: quote(pack_fpuzzle(board), safe=""), _EVERYTHING),
)
SITES = {site.name: site for site in _SITES}
"""For the name of each site, the format of its links."""
