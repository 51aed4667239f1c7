"""Settings: the address, the workers and the limits of the service, and names that several modules use."""

from dataclasses import dataclass, field
from typing import Literal

from sudoku_vision.parallel import available_cores

BodyKind = Literal["photo", "text"]
"""Kinds of bodies. ``photo``: the bytes of a picture or a document. ``text``: boards in text."""
BoardQuestion = Literal["solve", "hint", "rate", "explain", "links"]
"""Questions that the service answers about a board of 81 characters in the address."""
LiveMode = Literal["answers", "hint", "check"]  # what is drawn into a camera's frame, on grids that are sure


@dataclass(frozen=True)
class Limits:
    """The limits of requests. Sizes are in bytes, times are in seconds.

    - ``body``: largest size of a body; phones make photos of 3 to 12 MB. ``bodies``: largest total size of
      all bodies that are arriving or being worked on; further bodies wait. ``fields``: largest total size of
      all fields of a form besides the photo. ``json``: largest size of a JSON body, which has a state.
      ``frame``: largest size of one frame of a camera.
    - ``megapixels``: largest number of megapixels of a picture; common phone cameras have at most 50.
      ``pages``: largest number of pages of a document, or of boards in a text.
    - ``job_seconds``: longest time for which a request keeps a worker busy; a photo takes 0.05. It is also
      the longest time of waiting for a worker, and of waiting for room in memory.
    - ``quarantine``: time for which a picture that has killed two workers is refused.
    - ``slow_body``: longest time until a whole body has arrived, for example 20 MB over a slow line.
      ``head``: longest time until the head of a request has arrived. ``drain``: longest time for which the
      rest of a refused body is read; it must be read so that the client sees the answer.
    - ``send``: longest time in which a client reads nothing of an answer.
    - ``queue``: largest number of requests that wait for a worker; more requests are refused.
      ``connections``: largest number of open connections, which count even before their TLS handshake.
      ``address_connections``: largest number of open connections from one address.
    - ``live_clients``: largest number of cameras at the same time. ``live_idle``: time after which a camera
      that sends nothing is forgotten.
    - ``memory``: largest amount of memory that a worker may use, on Linux. Reading 50 megapixels was measured
      to take 0.46 GB from a JPEG, and 1.0 GB from a PNG with transparency.
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
    """The address of the service, who may use it, and its number of workers.

    ``lan``: whether other devices in the network may use the page. ``token``: if it is not None, each request
    needs this token. ``allow_hosts``: further host names that requests may use, for example those of a proxy.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = field(default_factory=available_cores)
    lan: bool = False
    https: bool = False
    token: str | None = None
    allow_hosts: tuple[str, ...] = ()
    limits: Limits = Limits()
