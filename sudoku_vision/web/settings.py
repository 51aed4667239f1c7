"""Settings: what the service is told when it is started, its limits, and the words of its jobs."""

from dataclasses import dataclass, field
from typing import Literal

from sudoku_vision.parallel import available_cores

BodyKind = Literal["photo", "text"]
"""What was sent: the bytes of a picture or a document, or a text with boards."""
BoardQuestion = Literal["solve", "hint", "rate", "explain", "links"]
"""What can be asked about a board of 81 characters."""
LiveMode = Literal["answers", "hint", "check"]  # what is drawn on grids of a camera's frame that are sure


@dataclass(frozen=True)
class Limits:
    """What one request may take. Sizes in bytes, times in seconds.

    - ``body``: of a request; phones make photos of 3 to 12 MB. ``bodies``: of all that are held at once,
      on their way and in work; further ones wait. ``fields``: of all words beside a photo.
      ``json``: of a request in JSON, which brings a state back. ``frame``: of one picture of a camera.
    - ``megapixels``: of a picture, once unpacked; the largest common phone camera has 50. ``pages``: of a
      document, or boards of a text.
    - ``work``: what one request may keep a worker busy, wait for one, or for room; a photo takes 0.05.
    - ``quarantine``: until a picture that has cost two workers is tried again.
    - ``slow_body``: until a body has come in whole, 20 MB over a slow line. ``head``: the same of its head.
      ``drain``: what is left of a body is listened to after it was refused, so that the answer is heard.
    - ``send``: until a client takes some of an answer.
    - ``queue``: requests that wait for a worker, more are sent away. ``connections``: open at once, from
      before their TLS handshake on, and ``address_connections`` of them from one address.
    - ``live_clients``: cameras at once; ``live_idle``: until one that sends nothing is forgotten.
    - ``memory``: of a worker, where the system can hold it to that (Linux): 50
      megapixels were measured to take 0.46 GB as a JPEG, and 1.0 GB as a PNG with transparency.
    """

    body: int = 20_000_000
    bodies: int = 200_000_000
    fields: int = 100_000
    json: int = 300_000
    megapixels: float = 50.0
    pages: int = 20
    work: float = 10.0
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

    ``lan``: whether other devices in the network are invited. ``token``: what everybody needs to come in, if
    there is one. ``allow_hosts``: names by which the service is known beyond its own, as behind a proxy.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = field(default_factory=available_cores)
    lan: bool = False
    https: bool = False
    token: str | None = None
    allow_hosts: tuple[str, ...] = ()
    limits: Limits = Limits()
