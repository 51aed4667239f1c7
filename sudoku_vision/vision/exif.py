"""EXIF: what a photo says of itself, kept in the pictures that are made from it, but for what must not be.

Kept are date, camera, lens, exposure, names and descriptions, entry by entry as they were. Left out are

* the place where the photo was taken: nobody who passes on a solved puzzle means to tell where they live;
* a camera maker's own notes, which nobody but the maker can read: they may hold the place as well;
* other blocks within the block (XMP, IPTC, Photoshop's), for the same reason;
* the orientation and the layout of the pixels, as these are upright now, and packed anew;
* the thumbnail, which shows the puzzle unsolved.

EXIF is a TIFF without pixels (CIPA DC-008; Adobe, TIFF 6.0, 1992): directories of entries, each with a tag, a
kind, a count, and its values or where they are.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from sudoku_vision.vision.containers import (
    JPEG_APP1,
    jpeg_segments,
    png_chunks,
    put_in_jpeg,
    put_in_png,
    put_in_webp,
    webp_chunks,
)

MOST_BYTES = 60_000
"""Of a block that is kept: a segment of JPEG holds 65,535; of a camera's a thousand or two are kept."""

_MOST_ENTRIES = 250
"""Entries of one directory; cameras write sixty."""

_MOST_PIECES = 20_000
"""Segments or chunks of a file that are searched; large PNG have some thousand."""

_BYTES_OF_KIND = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}
_BYTES_OF_NUMBER = _BYTES_OF_KIND | {5: 4, 10: 4}
"""Bytes of a value, and of each of the numbers that it consists of."""

_LONG = 4
_DETAILS, _INTEROPERABILITY = 0x8769, 0xA005
"""Tags that lead to other directories: details of the exposure, and a note on the format of the file."""

_WIDTH, _HEIGHT = 0xA002, 0xA003
"""What is said of the size of the picture, in pixels."""

_MAKERS_NOTES = 0x927C

_OF_PIXELS = {
    *(0x0112, 0x00FE, 0x00FF, *range(0x0100, 0x0104), 0x0106, 0x010A, 0x0111, *range(0x0115, 0x011A)),
    *(0x011C, *range(0x0120, 0x0126), 0x012D, 0x013D, *range(0x013E, 0x0146), 0x014A, 0x0152, 0x0153),
    *(0x015B, *range(0x0200, 0x020A), *range(0x0211, 0x0215), 0x02BC),
}
"""Entries of the first directory that are about pixels as they were packed, and the block of XMP."""

_PRIVATE, _KNOWN = 0x8000, {0x8298, *range(0x9C9B, 0x9CA0)}
"""Where the tags of companies begin, and those of them that say who, and what: copyright, what Windows adds.
Others hold places (GPS, GeoTIFF), or blocks with more in them."""


def _is_left_out_first(tag: int) -> bool:
    """Tell whether an entry of the first directory is left out."""
    return tag in _OF_PIXELS or (tag >= _PRIVATE and tag not in _KNOWN)


class _Entry(NamedTuple):
    """One entry of a directory; ``data`` is its values with the least byte first."""

    tag: int
    kind: int
    values: int
    data: bytes


_Directory = list[_Entry]
_Block = dict[int, _Directory]
"""Directories by the tags that lead to them; 0 is the first one."""


def kept_exif(block: bytes) -> bytes:
    """Return what is kept of an EXIF block, which begins as a TIFF; empty where there is nothing."""
    try:
        directories = _read_block(block.removeprefix(_EXIF_HEAD))
        packed = _packed(directories) if any(directories.values()) else b""
    except (struct.error, ValueError, IndexError):
        return b""
    return packed if len(packed) <= MOST_BYTES else b""


def find_exif(data: bytes, kind: str) -> bytes:
    """Return the EXIF block of a picture file of a *kind* that Pillow names, as it is; empty without one."""
    find = _FIND.get(kind)
    try:
        return b"" if find is None else find(data)
    except (struct.error, IndexError):
        return b""


def with_exif(picture: bytes, ending: str, block: bytes, size: tuple[int, int]) -> bytes:
    """Return a picture file of our own with a kept EXIF *block*; as it is where its format has no room.

    *size*: its width and height, which the block says then. *ending* as in ``.jpg``.
    """
    put = _PUT.get(ending.lower())
    if put is None or not block:
        return picture
    directories = _read_block(block)
    sizes = {_WIDTH: size[0], _HEIGHT: size[1]}
    directories[_DETAILS] = [
        _Entry(one.tag, _LONG, 1, struct.pack("<I", sizes[one.tag])) if one.tag in sizes else one
        for one in directories.get(_DETAILS, [])
    ]
    return put(picture, directories)


# The block


def _read_block(block: bytes) -> _Block:
    """Read what is kept of a block; raises struct.error or ValueError where it is damaged."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(block[:4])
    if order is None:
        raise ValueError("no TIFF of 32 bits")
    (start,) = struct.unpack_from(order + "I", block, 4)
    first, leads = _read_directory(block, start, order, _is_left_out_first)
    found: _Block = {0: first}
    if _DETAILS in leads:
        found[_DETAILS], within = _read_directory(
            block, leads[_DETAILS], order, lambda tag: tag == _MAKERS_NOTES
        )
        if _INTEROPERABILITY in within:
            found[_INTEROPERABILITY], _ = _read_directory(
                block, within[_INTEROPERABILITY], order, lambda _: False
            )
    return found


def _read_directory(
    block: bytes, at: int, order: str, is_left_out: Callable[[int], bool]
) -> tuple[_Directory, Mapping[int, int]]:
    """Read the entries of a directory but those that are left out, and where those that lead to others do."""
    (count,) = struct.unpack_from(order + "H", block, at)
    if count > _MOST_ENTRIES:
        raise ValueError("too many entries")
    entries, leads = _Directory(), dict[int, int]()
    table = range(at + 2, at + 2 + 12 * count, 12)
    rows = struct.iter_unpack(order + "HHII", memoryview(block)[table.start : table.stop])
    for place, (tag, kind, values, offset) in zip(table, rows, strict=True):
        if tag in (_DETAILS, _INTEROPERABILITY):
            leads[tag] = offset
            continue
        size = values * _BYTES_OF_KIND.get(kind, 0)
        if is_left_out(tag) or not 0 < size <= MOST_BYTES:
            continue
        start = place + 8 if size <= 4 else offset
        data = block[start : start + size]
        if len(data) == size:
            entries.append(_Entry(tag, kind, values, _turned(data, kind) if order == ">" else data))
    return entries, leads


def _turned(data: bytes, kind: int) -> bytes:
    """Return values with the bytes of each number in the other order."""
    size = _BYTES_OF_NUMBER[kind]
    return b"".join(data[at : at + size][::-1] for at in range(0, len(data), size))


def _packed(directories: _Block) -> bytes:
    """Return the directories as a block of their own."""
    head = b"II*\0" + struct.pack("<I", 8)
    return head + _packed_directories(directories, len(head))


def _packed_directories(directories: _Block, start: int, entries: Sequence[bytes] = ()) -> bytes:
    """Return directories as they stand at *start*; *entries* of 12 bytes join the first one."""
    packed = b""
    leads: dict[int, int] = {}
    inner_first = [tag for tag in (_INTEROPERABILITY, _DETAILS) if directories.get(tag)]
    # The first directory comes first: how long it is is known, whatever the others turn out to be.
    first = list(directories.get(0, []))
    first += [_Entry(_DETAILS, _LONG, 1, bytes(4))] if _DETAILS in inner_first else []
    at = start + _length(first, len(entries))
    for tag in inner_first:
        details = list(directories[tag])
        if tag == _DETAILS and _INTEROPERABILITY in leads:
            details.append(_lead(_INTEROPERABILITY, leads))
        leads[tag] = at
        one = _packed_directory(details, at)
        packed += one
        at += len(one)
    first = [_lead(_DETAILS, leads) if one.tag == _DETAILS else one for one in first]
    return _packed_directory(first, start, entries) + packed


def _lead(tag: int, leads: Mapping[int, int]) -> _Entry:
    return _Entry(tag, _LONG, 1, struct.pack("<I", leads[tag]))


def _length(entries: _Directory, more: int) -> int:
    """Return the bytes of a directory with *more* entries besides, and of the values beyond it."""
    beyond = sum(len(one.data) + len(one.data) % 2 for one in entries if len(one.data) > 4)
    return 2 + 12 * (len(entries) + more) + 4 + beyond


def _packed_directory(directory: _Directory, at: int, entries: Sequence[bytes] = ()) -> bytes:
    """Return a directory as it stands at *at*, in the order of its tags, then the longer values."""
    beyond, rows = b"", list(entries)
    end = at + 2 + 12 * (len(directory) + len(entries)) + 4
    for one in directory:
        row = struct.pack("<HHI", one.tag, one.kind, one.values)
        if len(one.data) <= 4:
            rows.append(row + one.data.ljust(4, b"\0"))
        else:
            rows.append(row + struct.pack("<I", end + len(beyond)))
            beyond += one.data + bytes(len(one.data) % 2)
    rows.sort(key=lambda row: struct.unpack_from("<H", row))
    return struct.pack("<H", len(rows)) + b"".join(rows) + bytes(4) + beyond


# Where it is in files

_EXIF_HEAD = b"Exif\0\0"
_PNG_EXIF, _WEBP_EXIF = b"eXIf", b"EXIF"
_WEBP_HAS_EXIF = 0x08


def _find_in_jpeg(data: bytes) -> bytes:
    found = (data[at:end] for mark, at, end in islice(jpeg_segments(data), _MOST_PIECES) if mark == JPEG_APP1)
    return next((one.removeprefix(_EXIF_HEAD) for one in found if one.startswith(_EXIF_HEAD)), b"")


def _find_in_png(data: bytes) -> bytes:
    return next(
        (data[at:end] for name, at, end in islice(png_chunks(data), _MOST_PIECES) if name == _PNG_EXIF), b""
    )


def _find_in_webp(data: bytes) -> bytes:
    return next(
        (data[at:end] for name, at, end in islice(webp_chunks(data), _MOST_PIECES) if name == _WEBP_EXIF), b""
    )


_FIND: dict[str, Callable[[bytes], bytes]] = {
    "Jpeg": _find_in_jpeg,
    "Png": _find_in_png,
    "WebP": _find_in_webp,
    "Tiff": lambda data: data,
}
"""A TIFF is a block itself, with the pixels of its first page besides."""


def _put_in_jpeg(picture: bytes, directories: _Block) -> bytes:
    return put_in_jpeg(picture, JPEG_APP1, _EXIF_HEAD + _packed(directories))


def _put_in_png(picture: bytes, directories: _Block) -> bytes:
    return put_in_png(picture, _PNG_EXIF, _packed(directories))


def _put_in_webp(picture: bytes, directories: _Block) -> bytes:
    return put_in_webp(picture, _WEBP_EXIF, _packed(directories), flag=_WEBP_HAS_EXIF)


def _put_in_tiff(picture: bytes, directories: _Block) -> bytes:
    """Let the entries join those of the first directory, which is written anew at the end."""
    if picture[:4] != b"II*\0":
        return picture
    (at,) = struct.unpack_from("<I", picture, 4)
    (count,) = struct.unpack_from("<H", picture, at)
    rows = [picture[place : place + 12] for place in range(at + 2, at + 2 + 12 * count, 12)]
    taken = {struct.unpack_from("<H", row)[0] for row in rows}
    joined = directories | {0: [one for one in directories[0] if one.tag not in taken]}
    picture += bytes(len(picture) % 2)
    return (
        picture[:4]
        + struct.pack("<I", len(picture))
        + picture[8:]
        + _packed_directories(joined, len(picture), rows)
    )


_PUT: dict[str, Callable[[bytes, _Block], bytes]] = {
    ".jpg": _put_in_jpeg,
    ".jpeg": _put_in_jpeg,
    ".png": _put_in_png,
    ".webp": _put_in_webp,
    ".tif": _put_in_tiff,
    ".tiff": _put_in_tiff,
}
