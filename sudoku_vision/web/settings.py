"""Settings: the address, the workers and the limits of the service, and the kinds of its jobs."""

from dataclasses import dataclass, field
from typing import Literal

from sudoku_vision.parallel import available_cores

BodyKind = Literal["photo", "text"]
"""Kinds of bodies: the bytes of a picture or a document, or a text with boards."""
BoardQuestion = Literal["solve", "hint", "rate", "explain", "links"]
"""Questions about a board of 81 characters."""
LiveMode = Literal["answers", "hint", "check"]  # what is drawn on the sure grids of a camera's frame


@dataclass(frozen=True)
class Limits:
    """The limits of requests. Sizes are in bytes, times in seconds.

    - ``body``: size of a body; phones make photos of 3 to 12 MB. ``bodies``: size of all bodies on their way
      and in work; further ones wait. ``fields``: size of all fields beside a photo. ``json``: size of a body
      in JSON, with a state. ``frame``: size of one frame of a camera.
    - ``megapixels``: of an unpacked picture; the largest common phone camera has 50. ``pages``: of a
      document, or boards of a text.
    - ``job_seconds``: time in which a request may keep a worker busy, wait for one, or wait for room; a
      photo takes 0.05.
    - ``quarantine``: time until a picture that has killed two workers is tried again.
    - ``slow_body``: time for a whole body, 20 MB over a slow line. ``head``: time for the head of a request.
      ``drain``: time in which the rest of a refused body is read, so that the client sees the answer.
    - ``send``: time until a client reads some of an answer.
    - ``queue``: requests that wait for a worker; more are refused. ``connections``: open at once, counted
      from before their TLS handshake. ``address_connections``: those of one address.
    - ``live_clients``: cameras at once. ``live_idle``: time until a silent camera is forgotten.
    - ``memory``: of a worker, on Linux. 50 megapixels take 0.46 GB as a JPEG, 1.0 GB as a PNG with
      transparency, both measured.
    """

    body: int = 20_000_000
    bodies: int = 200_000_000
    fields: int = 100_000
    json: int = 300_000
    megapixels: float = 50.0
    pages: int = 20
    job_seconds: float = 10.0
    quarantine: float = 300.0
    slow_body: float = 30.0
    head: float = 10.0
    drain: float = 5.0
    send: float = 10.0
    queue: int = 16
    frame: int = 4_000_000
    live_clients: int = 8
    live_idle: float = 60.0
    connections: int = 256
    address_connections: int = 64
    memory: int = 2_000_000_000


@dataclass(frozen=True)
class Settings:
    """Where the service listens, for whom, and with how many workers.

    ``lan``: whether other devices in the network are invited. ``token``: everybody needs it, if there is one.
    ``allow_hosts``: further names of the service, those of a proxy for example.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = field(default_factory=available_cores)
    lan: bool = False
    https: bool = False
    token: str | None = None
    allow_hosts: tuple[str, ...] = ()
    limits: Limits = Limits()
