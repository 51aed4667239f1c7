"""Hostile requests: proper ones, bent by a seeded chance, and some that are made to take all there is."""

import json
import random
import re
import socket
import struct
import subprocess
import sys
import urllib.request
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from conftest import png_chunk
from fuzz.mutations import mutated

JSON_PATHS = ("/api/settle", "/api/check", "/api/hint", "/api/explain")
PHOTO_PATHS = ("/api/solve", "/api/solve.jpg", "/api/check")
FORM = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n%s\r\n--x--\r\n'
SILENCE = 0.5
"""Seconds without an answer after which a client goes."""


@dataclass(frozen=True)
class Material:
    """What is bent into hostile requests: where the service is, a photo and a state that it signed."""

    host: str
    photo: bytes
    state: str


@dataclass(frozen=True)
class Hostile:
    """What is sent, in pieces; who ``leaves`` doesn't wait for the answer."""

    kind: str
    pieces: tuple[bytes, ...]
    leaves: bool = False


def hostile(seed: int, material: Material) -> Hostile:
    """Return the hostile request of a number: its head is bent, or its body."""
    chance = random.Random(seed)
    made = chance.choice((_photo, _photo, _state, _form, _chunks, _socket, _bomb, _get))
    start, headers, body = made(chance, material)
    bends_head = chance.random() < 0.5
    if made is not _bomb and not bends_head:
        body = bent(chance, body)
    headers = {"Host": material.host, "Content-Length": str(len(body)), "Connection": "close"} | headers
    lines = [start, *(f"{name}: {value}" for name, value in headers.items() if value)]
    head = "\r\n".join([*lines, "", ""]).encode()
    pieces = (bent(chance, head) if bends_head else head, body)
    leaves = chance.random() < 0.05
    return Hostile(made.__name__, pieces if made is _socket else (b"".join(pieces),), leaves)


Request = tuple[str, dict[str, str], bytes]
"""First line, headers and body."""


def _photo(chance: random.Random, material: Material) -> Request:
    path = chance.choice(PHOTO_PATHS)
    options = "?corners=10,12,410,9,415,402,8,400&overrides=r1c1=5&page=1"
    return f"POST {path}{options} HTTP/1.1", {"Content-Type": "image/jpeg"}, material.photo


def _state(chance: random.Random, material: Material) -> Request:
    question = {"state": material.state, "overrides": "r1c1=5,r1c2=w9", "filled": "1" * 81, "marks": True}
    kind = {"Content-Type": "application/json"}
    return f"POST {chance.choice(JSON_PATHS)} HTTP/1.1", kind, json.dumps(question).encode()


def _form(_: random.Random, material: Material) -> Request:
    kind = {"Content-Type": 'multipart/form-data; boundary="x"'}
    return "POST /api/solve HTTP/1.1", kind, FORM % material.photo[:2_000]


def _chunks(_: random.Random, __: Material) -> Request:
    coding = {"Transfer-Encoding": "chunked", "Content-Length": ""}
    return "POST /api/solve HTTP/1.1", coding, b"5;x=y\r\nphoto\r\n3\r\nabc\r\n0\r\nTrailer: x\r\n\r\n"


def _socket(chance: random.Random, material: Material) -> Request:
    headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Content-Length": ""}
    headers |= {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13"}
    frames = [(2, material.photo), (1, b'{"mode": "hint"}'), (3, b"reserved"), (9, b"ping"), (8, b"\x03")]
    chance.shuffle(frames)
    return "GET /api/live HTTP/1.1", headers, b"".join(_frame(chance, *one) for one in frames)


def _get(chance: random.Random, _: Material) -> Request:
    paths = ("/", "/static/main.js", "/api/health", "/openapi.json", f"/api/board/{'.' * 81}/hint")
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin", "Cookie": "a=b; c=d"}
    headers |= {"Authorization": "Bearer x", "Accept-Encoding": "gzip;q=1", "Range": "bytes=0-5"}
    return f"{chance.choice(('GET', 'HEAD'))} {chance.choice(paths)} HTTP/1.1", headers, b""


def _bomb(chance: random.Random, _: Material) -> Request:
    kind = {"Content-Type": chance.choice(("image/png", "text/plain", "application/json"))}
    return f"POST {chance.choice(PHOTO_PATHS)} HTTP/1.1", kind, chance.choice(_BOMBS)


def _png(width: int, height: int, pixels: bytes) -> bytes:
    """Return a grey PNG with packed *pixels*, whatever they are."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", pixels), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(png_chunk(*one) for one in chunks)


_ZEROS = zlib.compress(bytes(16_004_000), 9)
"""4000 x 4000 grey pixels in 16 kB."""
_BOMBS = (
    *(_png(*size, _ZEROS) for size in ((2**31 - 1, 2**31 - 1), (100_000, 100), (100, 100), (4_000, 4_000))),
    b"BM" + struct.pack("<IHHIIiiHH", 99, 0, 0, 54, 40, 2**30, 2**30, 1, 24) + bytes(24),
    b"%PDF-1.4\n1 0 obj<</Pages 1 0 R/Kids[1 0 R]/Count 9999>>endobj\ntrailer<</Root 1 0 R>>",
    b"https://f-puzzles.com/?load=" + b"N4IgzglgXgpiBcBOANCA5gJwgEwQbT2A" * 300,
    b"1" * 1_500_000,
    b"<!DOCTYPE a [<!ENTITY a 'aaaaaaaa'><!ENTITY b '&a;&a;'>]><opensudoku>&b;</opensudoku>",
    (".........\n" * 9 + "\n").encode() * 400,
)


def _frame(chance: random.Random, kind: int, data: bytes) -> bytes:
    """Return one masked frame of a WebSocket."""
    mask = chance.randbytes(4)
    length = len(data)
    size = bytes([0x80 | length]) if length < 126 else b"\xfe" + struct.pack(">H", min(length, 65_535))
    return bytes([0x80 | kind]) + size + mask + bytes(one ^ mask[place % 4] for place, one in enumerate(data))


def bent(chance: random.Random, data: bytes) -> bytes:
    """Return damaged bytes, or an odd value in place of a plain one."""
    return _odd_value(chance, data) if chance.random() < 0.5 else mutated(chance, data)


_ODD = [b"", b"-1", b"9" * 500, b"1e999", b"nan", b"null", b"\x00", b"\xff\xfe", b"../..", b"\r\n", b"%ff"]
_ODD += [b"[" * 50_000, b'{"a":' * 10_000, b"a" * 200_000, b"elsewhere.example", b"127.0.0.1@evil"]


def _odd_value(chance: random.Random, data: bytes) -> bytes:
    start, end = chance.choice([one.span() for one in re.finditer(rb"[\w.]+", data)] or [(0, 0)])
    return data[:start] + chance.choice(_ODD) + data[end:]


def answer_to(address: str, sent: Hostile, patience: float) -> bytes:
    """Send a request; what comes back, an end without a word counts as nothing.

    Raises TimeoutError if nothing comes for *patience* seconds.
    """
    to, answer = urlsplit(address), b""
    try:
        with socket.create_connection((to.hostname or "", to.port or 0), timeout=patience) as connection:
            for piece in sent.pieces:
                connection.sendall(piece)
            if sent.kind == "_socket":
                connection.settimeout(SILENCE)
            while not sent.leaves and (piece := connection.recv(65_536)):
                answer += piece
                connection.settimeout(SILENCE)
    except TimeoutError:
        if not answer and sent.kind != "_socket":
            raise
    except ConnectionError:
        pass
    return answer


_STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
_TOO_BUSY = {503, 504}
"""Statuses from 500 on that are no failures: too busy, too slow."""


def statuses_in(answer: bytes) -> list[int]:
    """Return the statuses of all answers of a connection."""
    return [int(status) for status in _STATUS.findall(answer)]


def is_failure(answer: bytes) -> bool:
    """Return whether an answer is an internal error, or shows a traceback."""
    failed = {status for status in statuses_in(answer) if status >= 500} - _TOO_BUSY
    return bool(failed) or b"Traceback" in answer or b".py" in answer


class HostileService:
    """A service in a process of its own with short limits, ``serve_alone.py``; its address, id and log."""

    def __init__(self, log: Path) -> None:
        """Start it; what it logs goes to the file *log*."""
        self._log = log
        command, pipe = [sys.executable, str(Path(__file__).with_name("serve_alone.py"))], subprocess.PIPE
        with log.open("wb") as file:
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=file, text=True)
        assert self.process.stdout is not None
        self.address, server = self.process.stdout.readline().split()
        self.server = int(server)  # the id of its process

    def material(self, photo: bytes, patience: float) -> Material:
        """Return what requests are bent from; *photo* shows a puzzle."""
        request = urllib.request.Request(f"{self.address}/api/solve", photo)
        with urllib.request.urlopen(request, timeout=patience) as answer:
            state = json.load(answer)["view"]["grids"][0]["state"]
        return Material(urlsplit(self.address).netloc, photo, state)

    @property
    def logged_fault(self) -> str:
        """What was logged, if an internal error is in it."""
        log = self._log.read_text(errors="replace")
        return log if "Traceback" in log or "internal" in log else ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.process.communicate(timeout=20)  # it ends when its standard input does
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
