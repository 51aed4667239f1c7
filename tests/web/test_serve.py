"""The command: it starts, says where the page is and who may come, and ends cleanly."""

import contextlib
import hashlib
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from conftest import Run
from handler_samples import SAMPLES
from serving import until
from web_service import HOMES, running_service

from sudoku_vision.cli import serve
from sudoku_vision.web.settings import Settings, own_token


def processes_of_group(group: int) -> list[int]:
    """All processes that were started by a command, dead ones that nobody took note of included."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.getpgid(int(entry.name)) == group:
                found.append(int(entry.name))
        except ProcessLookupError:
            pass
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="processes are counted as Linux lists them")
@pytest.mark.parametrize(
    ("number", "to_group"),
    [(signal.SIGINT, True), pytest.param(signal.SIGTERM, False, marks=pytest.mark.slow)],
)
def test_it_ends_without_a_traceback_and_leaves_no_process(number: signal.Signals, to_group: bool) -> None:
    with running_service() as service:
        process = service.process
        assert httpx.get(f"{service.address}api/health", trust_env=False).json()["status"] == "ok"
        assert len(processes_of_group(process.pid)) >= 2
        (os.killpg if to_group else os.kill)(process.pid, number)
        assert process.wait(15) == 0
        assert service.log.read_text().endswith("sudoku-vision: ended.\n")
        until(lambda: not processes_of_group(process.pid))  # multiprocessing's own helper ends last


@pytest.mark.slow
def test_it_writes_no_file_and_no_name_of_one(tmp_path: Path) -> None:
    places = {name: str(tmp_path) for name in ("TMPDIR", "HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")}
    with running_service(environment=places, folder=tmp_path) as service:
        photo = ("very-private.jpg", (SAMPLES / "newspaper.jpg").read_bytes() + bytes(2_000_000))
        for path in ("solve", "check", "solve.jpg"):
            answer = httpx.post(f"{service.address}api/{path}", files={"photo": photo}, timeout=30)
            assert answer.status_code == 200
        assert [one for one in tmp_path.rglob("*") if one.is_file()] == []
        logged = service.log.read_text()
        assert logged.count("\n") <= 1 and "private" not in logged and "solve" not in logged


def test_a_port_that_is_taken_is_a_sentence(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = run("serve", "--port", port, "--no-open")
    assert ran.status == 2
    assert ran.err.startswith(f"sudoku-vision: Port {port} is taken by another program. Take another")


def test_a_model_that_is_none_is_told_as_everywhere(run: Run, tmp_path: Any) -> None:
    broken = tmp_path / "broken.npz"
    broken.write_bytes(b"no model")
    ran = run("serve", "--port", 0, "--no-open", "--model", broken)
    assert ran.status == 3
    assert "broken.npz" in ran.err and "Traceback" not in ran.err


def test_the_process_that_answers_loads_no_vision() -> None:
    code = "import sys, sudoku_vision.cli.serve, sudoku_vision.web.app, sudoku_vision.web.pools"
    code += "; print({'numpy', 'cv2', 'PIL'} & {*sys.modules})"
    assert subprocess.check_output([sys.executable, "-c", code]) == b"set()\n"


TOKEN = "q3Zk0r9mW1yT7uXb5LsV2A"
EVIL = "https://evil.example"
CAMERA = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
CAMERA |= {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
"""Headers that open a WebSocket."""


@dataclass(frozen=True)
class Shared:
    """A page that was shared with the network: where it is, its token, and its certificate."""

    address: str
    token: str
    fingerprint: str
    context: ssl.SSLContext

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, verify=self.context, trust_env=False)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    home = tmp_path_factory.mktemp("home")
    with running_service("--lan", "--https", environment=dict.fromkeys(HOMES, str(home))) as service:
        output = service.log.read_text()
        fingerprint = re.search(r"fingerprint of the certificate: ([0-9A-F:]{95})", output)
        token = re.search(r"token=([\w-]{22})", output)
        assert fingerprint and token, output
        [kept] = home.rglob("certificate.pem")
        context = ssl.create_default_context(cafile=kept)
        yield Shared(service.origin, token[1], fingerprint[1], context)
        assert service.process.poll() is None


def test_the_certificate_is_the_one_that_was_named(shared: Shared) -> None:
    parts = urlsplit(shared.address)
    with (
        socket.create_connection((parts.hostname, parts.port), timeout=10) as line,
        shared.context.wrap_socket(line, server_hostname="localhost") as safe,
    ):
        held = safe.getpeercert(binary_form=True)
        assert held is not None and safe.version() in ("TLSv1.2", "TLSv1.3")
        assert hashlib.sha256(held).digest().hex(":").upper() == shared.fingerprint


def test_the_token_lets_a_browser_and_its_camera_in_and_nothing_else_does(shared: Shared) -> None:
    with shared.client() as client:
        assert client.get("/api/health").status_code == 401
        assert client.get("/api/live", headers=CAMERA).status_code == 401
        welcome = client.get(f"/?token={shared.token}")
        assert (welcome.status_code, welcome.headers["location"]) == (303, "/")
        assert "secure" in welcome.headers["set-cookie"].lower()
        assert client.get("/api/health").json()["status"] == "ok"
        assert client.get("/api/live", headers=CAMERA | {"Origin": EVIL}).status_code == 403
        assert client.get("/api/health", headers={"Host": "evil.example"}).status_code == 403
        assert client.post("/api/solve", headers={"Origin": EVIL}, content=b"x").status_code == 403


def test_who_forgets_the_s_of_https_is_sent_on(shared: Shared) -> None:
    forgotten = shared.address.replace("https", "http")
    answer = httpx.get(f"{forgotten}/static/main.js?a=b", trust_env=False)
    assert answer.status_code == 307 and answer.headers["cache-control"] == "no-store"
    assert answer.headers["location"] == f"{shared.address}/static/main.js?a=b"
    parts = urlsplit(shared.address)
    for sent, begun in (
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b""),
        (b"POST /api/solve HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody", b"HTTP/1.1 307"),
        (b"GET / HTTP/1.1\r\nHost: a\x00b\r\n\r\n", b"HTTP/1.1 400"),
        (b"GET / HTTP/1.1\r\nHost: elsewhere\r\n\r\n", b"HTTP/1.1 403"),
        (b"GET https://elsewhere/ HTTP/1.1\r\nHost: localhost\r\n\r\n", b"HTTP/1.1 307"),
        (b"A" * 100_000, b"HTTP/1.1 400"),
    ):
        with socket.create_connection((parts.hostname, parts.port), timeout=0.5) as line:
            line.sendall(sent)
            received = b""
            with contextlib.suppress(TimeoutError, ConnectionError):
                while piece := line.recv(1_000):
                    received += piece
            assert received[:12] == begun, sent[:50]
            assert b"location: https://elsewhere" not in received
    with shared.client() as client:
        assert client.get("/api/health").status_code == 401


def invited(monkeypatch: pytest.MonkeyPatch, settings: Settings, *found: str) -> tuple[str, str]:
    """Return what is printed on a machine with these addresses, and the address to open."""
    output: list[str] = []
    monkeypatch.setattr(serve, "lan_addresses", lambda: found)
    opened = serve.invite(settings, 8000, "http://127.0.0.1:8000/", output.append)
    return "\n".join(output), opened


def test_only_this_machine_needs_neither_token_nor_words(monkeypatch: pytest.MonkeyPatch) -> None:
    output = invited(monkeypatch, Settings(), "192.168.1.5")
    assert output == ("the page is at http://127.0.0.1:8000/ (Ctrl-C ends it)", "http://127.0.0.1:8000/")


def test_a_network_is_told_all_addresses_with_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(host="0.0.0.0", lan=True, token=TOKEN)
    output, opened = invited(monkeypatch, settings, "192.168.1.5", "10.0.0.7", "fd00::2")
    assert opened == f"http://127.0.0.1:8000/?token={TOKEN}"
    assert f"http://192.168.1.5:8000/?token={TOKEN}" in output
    assert f"http://10.0.0.7:8000/?token={TOKEN}" in output
    assert "fd00" not in output  # it listens on the others
    assert "in no network" in invited(monkeypatch, settings)[0]


def test_a_token_is_asked_for_where_others_may_come(tmp_path: Path) -> None:
    file = tmp_path / "own" / "token"

    def chosen(host: str, token: str | None = None, lan: bool = False) -> str | None:
        return serve.chosen_token(host, token, file, lan=lan)

    assert chosen("127.0.0.1") is None and chosen("::1") is None and chosen("localhost") is None
    assert chosen("192.168.1.5", TOKEN) == TOKEN and not file.exists()
    made = chosen("127.0.0.1", lan=True)
    assert made and len(made) == 22 and made != TOKEN


@pytest.mark.skipif(os.name != "posix", reason="who may read a file is told as POSIX tells it")
def test_the_token_outlives_the_service_while_it_is_nobody_else_s(tmp_path: Path) -> None:
    file = tmp_path / "own" / "token"
    first = own_token(file)
    assert own_token(file) == first and file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)  # others may have read it
    second = own_token(file)
    assert second != first and file.stat().st_mode & 0o777 == 0o600
    for spoilt in (b"short", b"\xff" * 30, b""):
        file.write_bytes(spoilt)
        assert len(own_token(file)) == 22
    file.unlink()
    file.mkdir()  # it can't be kept
    assert own_token(file) != own_token(file)


def test_the_network_listens_where_it_can_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    def host(*found: str, given: str | None = None, lan: bool = True) -> str:
        monkeypatch.setattr(serve, "lan_addresses", lambda: found)
        return serve.listening_host(given, lan=lan)

    assert host(lan=False) == "127.0.0.1"
    assert host("192.168.1.5", "fd00::2") == host() == "0.0.0.0"
    assert host("fd00::2") == "::"
    assert host("192.168.1.5", given="192.168.1.5") == "192.168.1.5"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--lan", "--host", "localhost"], "no other device can reach that address"),
        (["--token", "guess"], "at least 22"),
        (["--allow-host", "https://sudoku.example.org"], "no name of a host"),
    ],
)
def test_what_makes_no_sense_is_a_sentence(run: Run, arguments: list[str], sentence: str) -> None:
    ran = run("serve", *arguments)
    assert ran.status == 2 and sentence in ran.err
