"""Sniff: what kind of file this is, by its first bytes."""

from __future__ import annotations

from sudoku_vision.errors import NoPictureError, OpenError

SNIFFED_BYTES = 1024
"""Bytes looked at: a PDF may begin with as much of something else."""

_BEGINNINGS = {
    "Jpeg": (b"\xff\xd8\xff",),
    "Png": (b"\x89PNG\r\n\x1a\n",),
    "Gif": (b"GIF8",),
    "Tiff": (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"),
    "Bmp": (b"BM",),
    "Ppm": (b"P1", b"P2", b"P3", b"P4", b"P5", b"P6"),
}
"""What files of each kind begin with, of those that are known by that."""

_AVIF = {b"avif", b"avis"}
_HEIF = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"}
_EITHER = {b"mif1", b"msf1"}
"""Brands of the ISO container (ISO/IEC 23008-12); the last two say no more than that it holds pictures."""


def kind_of(head: bytes, name: str) -> str:
    """Tell the kind of a file that begins with *head*: the name of a Pillow plug-in, ``Heif`` or ``Pdf``.

    Raises :class:`OpenError` with what is to be said if it is none of them.
    """
    if not head:
        raise OpenError(f"{name}: the file is empty.", "Copy or download it again.")
    for kind, beginnings in _BEGINNINGS.items():
        if head.startswith(beginnings):
            return kind
    if head[8:12] == b"WEBP":
        return "WebP"
    if head[4:8] == b"ftyp":
        return _container_kind(head, name)
    if b"%PDF-" in head:
        return "Pdf"
    raise NoPictureError(
        f"{name}: this is not a picture.", "Name a JPEG, PNG, WebP, GIF, TIFF, BMP or PDF file."
    )


def _container_kind(head: bytes, name: str) -> str:
    """Tell HEIC, AVIF and videos apart by the brands in the first box."""
    major = head[8:12]
    end = min(int.from_bytes(head[:4], "big"), len(head))
    brands = {head[at : at + 4] for at in range(16, end - 3, 4)}
    if major in _AVIF or (major in _EITHER and brands & _AVIF):
        return "Avif"
    if major in _HEIF | _EITHER:
        return "Heif"
    raise NoPictureError(f"{name}: videos are not supported.", "Save one frame as JPEG or PNG first.")
