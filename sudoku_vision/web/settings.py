"""Settings: the address, the workers and the limits of the service, and the kinds of its jobs."""

from dataclasses import dataclass, field
from typing import Literal

from sudoku_vision.parallel import available_cores

BodyKind = Literal["photo", "text"]
"""Kinds of bodies: the bytes of a picture or a document, or a text with boards."""
BoardQuestion = Literal["solve", "hint", "rate", "explain", "links"]
"""Questions about a board of 81 characters."""
LiveMode = Literal["answers", "hint", "check"]  # what is drawn on grids with a sure answer in a frame


@dataclass(frozen=True)
class Limits:
    """The limits of requests. Sizes are in bytes, times in seconds.

    - ``body``: largest size of a body; phones make photos of 3 to 12 MB. ``bodies``: largest total size of
      all bodies that come in or are being worked on; further bodies wait. ``fields``: largest total size of
      all fields beside a photo. ``json``: largest size of a body in JSON, with a state. ``frame``: largest
      size of one frame of a camera.
    - ``megapixels``: most megapixels of a picture; the largest common phone camera has 50. ``pages``: most
      pages of a document, or boards of a text.
    - ``job_seconds``: longest time for which a request keeps a worker busy. The limit is the same for waiting
      for a worker, and for waiting for room. A photo takes 0.05.
    - ``quarantine``: time until a picture that has killed two workers is tried again.
    - ``slow_body``: longest time for a whole body, such as 20 MB over a slow line. ``head``: longest time for
      the head of a request. ``drain``: longest time for which the rest of a refused body is read, so that the
      client sees the answer.
    - ``send``: longest time for which a client reads nothing of an answer.
    - ``queue``: most requests that wait for a worker; more are refused. ``connections``: most connections
      that are open at the same time; they count even before their TLS handshake. ``address_connections``:
      most open connections from one address.
    - ``live_clients``: most cameras at the same time. ``live_idle``: time until a silent camera is forgotten.
    - ``memory``: most memory of a worker, on Linux. It was measured that 50 megapixels take 0.46 GB as a
      JPEG, and 1.0 GB as a PNG with transparency.
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

    ``lan``: whether other devices in the network may use the page. ``token``: if there is one, every request
    needs it. ``allow_hosts``: further names by which the service is known, for example those of a proxy.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = field(default_factory=available_cores)
    lan: bool = False
    https: bool = False
    token: str | None = None
    allow_hosts: tuple[str, ...] = ()
    limits: Limits = Limits()
