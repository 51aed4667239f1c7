"""Hostile requests: raw bytes that someone may send to the service, drawn from a seeded chance."""

from __future__ import annotations

import base64
import json
import random
import socket
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

JSON_PATHS = ("/api/settle", "/api/check", "/api/hint", "/api/explain")
PHOTO_PATHS = ("/api/solve", "/api/solve.jpg", "/api/check", "/api/live?session=" + "ab" * 16)


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
    """Return the hostile request of a number."""
    chance = random.Random(seed)
    made = chance.choice(_KINDS)(chance, material)
    return replace(made, leaves=chance.random() < 0.05)


def request(material: Material, method: str, path: str, body: bytes = b"", /, **headers: str) -> bytes:
    """Return a request with its headers; ``Host`` and ``Content_Length`` are right unless they are given."""
    values = {"Host": material.host, "Content-Length": str(len(body)), "Connection": "close"}
    values |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [
        f"{method} {path} HTTP/1.1",
        *(f"{name}: {value}" for name, value in values.items() if value != "-"),
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def noise(chance: random.Random, most: int) -> bytes:
    """Return up to so many random bytes."""
    return chance.randbytes(chance.randrange(most))


def spoilt(chance: random.Random, data: bytes) -> bytes:
    """Return data with some bytes changed, or cut off."""
    spoilt = bytearray(data)
    for _ in range(chance.choice((1, 10, 200))):
        spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
    return bytes(spoilt[: chance.choice((len(spoilt), chance.randrange(1, len(spoilt))))])


METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "BREW", "get", "")
PATHS = (
    "/", "/api/solve", "/api/solve.jpg", "/api/live", "/api/health", "/openapi.json", "/pen-paths.json",
    "/static/../app.py", "/..", "/static/%2e%2e%2fapp.py", "/static/%00", "/%ff%fe", "/api/board/1/solve",
    "//", "*", "http://elsewhere/", "/api/board/" + "." * 81 + "/hint", "/api/solve?page=" + "9" * 500,
)  # fmt: skip
LENGTHS = ("0", "-1", "99999999999999999999", "1e3", "0x10", "5, 6", "", "7", "2000001", " 12 ")
QUERIES = ("", "corners=0,0,1e9,0,nan,5,1,1", "corners=" + "1," * 5_000, "overrides=r1c1=%ff", "page=-1")
HEADERS: dict[str, tuple[str, ...]] = {
    "Host": (
        "elsewhere.example", "", "localhost:99999", "[::1", "a" * 300, "127.0.0.1@evil", "\xff", "-",
    ),
    "Origin": ("null", "https://evil.example", "http://localhost.evil.example", "", "\xff\xfe", "-"),
    "Sec_Fetch_Site": ("cross-site", "same-origin", "?", "-"),
    "Cookie": ("-", "a" * 4_000, "=;=;;=" * 100, "\xff=\xfe"),
    "Authorization": ("-", "Bearer ", "Basic !!", "Bearer " + "x" * 3_000),
}  # fmt: skip
ODD_JSON = (
    b"[" * 50_000, b'{"a":' * 10_000, b'{"state": NaN}', b'{"state": 1e999, "overrides": Infinity}',
    b'{"state": "\xff\xfe\xed\xa0\x80"}', b"\xef\xbb\xbf{}", b'{"state": "' + b"a" * 200_000 + b'"}',
    b'{"state": ' + b"9" * 50_000 + b"}", b'{"state": "s", "overrides": {}, "marks": 7, "filled": []}',
)  # fmt: skip
FORGED = ("", "\ud800", base64.b64encode(zlib.compress(bytes(3_000_000))).decode())
SAID: dict[str, tuple[str, ...]] = {
    "overrides": ("", "r1c1=5", "r1c1=1,r1c1=2", "2:r1c1=1", "9" * 500, "r9c9=w9," * 300),
    "filled": ("", "1" * 81, "x" * 81, "\u0661" * 81),
}


def _odd_request(chance: random.Random, material: Material) -> Hostile:
    """A request that is right but for one thing: its method, length, host, JSON, state or photo."""
    kind = chance.choice(("method", "length", "host", "json", "state", "photo"))
    if chance.random() < 0.02:  # what never comes in whole takes a second
        whole = request(material, "POST", "/api/solve", b"x" * 500)
        return Hostile("slow", (whole[: chance.randrange(1, len(whole))],))
    method, path, body, headers = "POST", chance.choice(PHOTO_PATHS), material.photo, {}
    if kind == "method":
        method, path, body = chance.choice(METHODS), chance.choice(PATHS), noise(chance, 100)
    elif kind == "length":
        body, headers = noise(chance, 300), {"Content_Length": chance.choice(LENGTHS)}
    elif kind == "host":
        headers = {name: chance.choice(values) for name, values in HEADERS.items()}
        headers |= {"Host": material.host} if chance.random() < 0.3 else {}
    elif kind == "photo":
        path += ("&" if "?" in path else "?") + chance.choice(QUERIES)
        body = spoilt(chance, body)
    else:
        changed = spoilt(chance, material.state.encode()).decode("latin-1")
        said = {name: chance.choice(values) for name, values in SAID.items()}
        said["state"] = chance.choice((*FORGED, changed, material.state + "=A.", material.state))
        path, headers = chance.choice(JSON_PATHS), {"Content_Type": "application/json"}
        body = json.dumps(said).encode() if kind == "state" else chance.choice(ODD_JSON)
    return Hostile(kind, (request(material, method, path, body, **headers),))


def _broken_form(chance: random.Random, material: Material) -> Hostile:
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="../../a"\r\n\r\n'
    bodies = (
        spoilt(chance, head + b"photo" * 50 + b"\r\n--x--\r\n"),
        head * 100 + b"--x--",
        b"--x\r\n" + b"A: " + b"b" * 50_000 + b"\r\n\r\n--x--\r\n",
        b"--x\r\nContent-Disposition: form-data\r\n\r\nnameless\r\n--x--\r\n",
        b"--x\r\n" * 2_000,
        b"\r\n--x" + b"\r" * 20_000,
        noise(chance, 2_000),
        b"",
    )
    kind = chance.choice(
        ('multipart/form-data; boundary="x"', "multipart/form-data", "multipart/form-data; boundary=")
    )
    return Hostile(
        "form", (request(material, "POST", "/api/solve", chance.choice(bodies), Content_Type=kind),)
    )


def _odd_chunks(chance: random.Random, material: Material) -> Hostile:
    bodies = (
        b"5\r\nab",
        b"zz\r\nab\r\n0\r\n\r\n",
        b"ffffffffffffffffff\r\n",
        b"-5\r\nhello\r\n0\r\n\r\n",
        b"1\r\na\r\n" * 3_000 + b"0\r\n\r\n",
        b"3;" + b"x" * 20_000 + b"\r\nabc\r\n0\r\n\r\n",
        b"0\r\n" + b"Trailer: x\r\n" * 500 + b"\r\n",
    )
    coding = chance.choice(("chunked", "gzip, chunked", "identity"))
    headers = {"Transfer_Encoding": coding, "Content_Length": chance.choice(("-", "5"))}
    sent = request(material, "POST", "/api/solve", b"", **headers) + chance.choice(bodies)
    return Hostile("chunks", (sent,))


def png(width: int, height: int, pixels: bytes) -> bytes:
    """Return a grey PNG with packed *pixels*, whatever they are."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


_ZEROS = zlib.compress(bytes(16_004_000), 9)
"""4000 x 4000 grey pixels in 16 kB."""


_PICTURES = (
    png(2**31 - 1, 2**31 - 1, b""),
    png(100_000, 100, _ZEROS),
    png(100, 100, _ZEROS),
    png(4_000, 4_000, _ZEROS),
    b"GIF89a\xff\xff\xff\xff\x80\x00\x00" + bytes(50),
    b"BM" + struct.pack("<IHHIIiiHH", 99, 0, 0, 54, 40, 2**30, 2**30, 1, 24) + bytes(24),
    b"%PDF-1.4\n1 0 obj<</Pages 1 0 R/Kids[1 0 R]/Count 9999>>endobj\ntrailer<</Root 1 0 R>>",
    b"II*\x00\x08\x00\x00\x00\xff\xff" + bytes(200),
    zlib.compress(bytes(5_000_000)),
)
_TEXTS = (
    b"https://f-puzzles.com/?load=" + b"N4IgzglgXgpiBcBOANCA5gJwgEwQbT2A" * 300,
    b"1" * 1_500_000,
    b"[" * 100_000,
    b"<!DOCTYPE a [<!ENTITY a 'aaaaaaaa'><!ENTITY b '&a;&a;'>]><opensudoku>&b;</opensudoku>",
    (".........\n" * 9 + "\n").encode() * 400,
)


def _bomb(chance: random.Random, material: Material) -> Hostile:
    if chance.random() < 0.5:
        body, headers = chance.choice(_PICTURES), {"Content_Type": "image/png"}
    else:
        body, headers = chance.choice(_TEXTS), {"Content_Type": "text/plain"}
    if chance.random() < 0.1:
        headers["Content_Encoding"] = "gzip"
    return Hostile("bomb", (request(material, "POST", chance.choice(PHOTO_PATHS[:3]), body, **headers),))


def _header_flood(chance: random.Random, material: Material) -> Hostile:
    floods = (
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000,
        b"GET / HTTP/1.1\r\nX: " + b"y" * 200_000,
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\n folded: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nbad header\r\n\r\n",
        b"GET / HTTP/1.1\nHost: localhost\n\n",
        b"\r\n" * 5_000,
        b"\x00" * 1_000,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + noise(chance, 500),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        noise(chance, 3_000),
        request(material, "GET", "/api/health", b"", **{f"X-{number}": "y" for number in range(300)}),
        request(material, "GET", "/api/health", Upgrade="h2c", Connection="Upgrade"),
        request(
            material, "GET", "/static/main.js", Range="bytes=0-,5-1,99999999-", If_None_Match='"' * 5_000
        ),
        request(
            material, "GET", "/api/health", Accept_Encoding="gzip;q=x,,;;*;q=0" * 50, Expect="100-continue"
        ),
    )
    return Hostile("headers", (chance.choice(floods),))


def _socket_garbage(chance: random.Random, material: Material) -> Hostile:
    key = chance.choice(("dGhlIHNhbXBsZSBub25jZQ==", "short", "-"))
    version = chance.choice(("13", "13", "13", "8", "-"))
    origin = chance.choice(("-", f"http://{material.host}", "https://evil.example"))
    headers = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec_WebSocket_Key": key,
        "Content_Length": "-",
    }
    headers |= {"Sec_WebSocket_Version": version, "Origin": origin}
    path = chance.choice(("/api/live", "/api/live", "/", "/api/solve", "/nowhere"))
    start = request(material, chance.choice(("GET", "GET", "GET", "POST")), path, b"", **headers)
    frames = (
        frame(chance, 2, spoilt(chance, material.photo)),
        frame(chance, 2, material.photo) * 3,
        frame(chance, 1, b'{"mode": "hint"}') + frame(chance, 1, b"\xff\xfe"),
        frame(chance, 1, b"[" * 5_000),
        frame(chance, 3, b"reserved"),
        frame(chance, 9, b"ping") * 50,
        frame(chance, 8, b"\x03"),
        b"\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff" + noise(chance, 100),
        b"\x82\x05hello",
        b"\x02\x85" + chance.randbytes(9),
        noise(chance, 1_000),
    )
    return Hostile("socket", (start, chance.choice(frames)))


def frame(chance: random.Random, kind: int, data: bytes) -> bytes:
    """Return one masked frame of a WebSocket."""
    mask = chance.randbytes(4)
    length = len(data)
    size = bytes([0x80 | length]) if length < 126 else b"\xfe" + struct.pack(">H", min(length, 65_535))
    if length > 65_535:
        size = b"\xff" + struct.pack(">Q", length)
    return bytes([0x80 | kind]) + size + mask + bytes(one ^ mask[place % 4] for place, one in enumerate(data))


_KINDS: tuple[Callable[[random.Random, Material], Hostile], ...] = (
    *(_broken_form, _odd_chunks, _bomb, _header_flood, _socket_garbage) * 3,
    *[_odd_request] * 18,
)
"""All kinds, each as often as the others."""


SILENCE = 0.5
"""Seconds until a client goes to whom nothing more is said."""


def answer_to(address: str, sent: Hostile, patience: float) -> bytes:
    """Send a request; what comes back, an end without a word counts as nothing.

    Raises TimeoutError where nothing is said at all for so many seconds.
    """
    to, answer = urlsplit(address), b""
    try:
        with socket.create_connection((to.hostname or "", to.port or 0), timeout=patience) as connection:
            for piece in sent.pieces:
                connection.sendall(piece)
            if sent.kind == "socket":
                connection.settimeout(SILENCE)
            while not sent.leaves and (piece := connection.recv(65_536)):
                answer += piece
                connection.settimeout(SILENCE)
    except TimeoutError:
        if not answer and sent.kind != "socket":
            raise
    except ConnectionError:
        pass
    return answer
