"""The command for a whole network: by https, with a token, and what it tells a person."""

from __future__ import annotations

import hashlib
import os
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest
from conftest import Run

from sudoku_vision.cli import serve
from sudoku_vision.web.settings import Settings

COMMAND = [sys.executable, "-m", "sudoku_vision", "serve", "--port", "0", "--workers", "1", "--no-open"]
TOKEN = "q3Zk0r9mW1yT7uXb5LsV2A"


@dataclass(frozen=True)
class Shared:
    """A page that was shared with the network: where it is, its token, and its certificate."""

    port: int
    token: str
    fingerprint: str
    context: ssl.SSLContext
    process: subprocess.Popen[str]

    @property
    def address(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, verify=self.context, trust_env=False)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    home = tmp_path_factory.mktemp("home")
    environment = os.environ | {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "APPDATA": str(home)}
    process = subprocess.Popen(
        [*COMMAND, "--lan", "--https"], stderr=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert process.stderr is not None
        said = ""
        while "the page is at" not in said:
            line = process.stderr.readline()
            assert line, said
            said += line
        found = re.search(r"https://127\.0\.0\.1:(\d+)/\?token=([\w-]{22})", said)
        fingerprint = re.search(r"fingerprint of the certificate: ([0-9A-F:]{95})", said)
        assert found and fingerprint, said
        [kept] = home.rglob("certificate.pem")
        context = ssl.create_default_context(cafile=kept)
        yield Shared(int(found[1]), found[2], fingerprint[1], context, process)
    finally:
        process.kill()
        process.communicate()


def test_the_certificate_is_the_one_that_was_named(shared: Shared) -> None:
    for name in ("localhost", "127.0.0.1"):
        with (
            socket.create_connection(("127.0.0.1", shared.port), timeout=10) as line,
            shared.context.wrap_socket(line, server_hostname=name) as safe,
        ):
            held = safe.getpeercert(binary_form=True)
            assert held is not None and safe.version() in ("TLSv1.2", "TLSv1.3")
            assert hashlib.sha256(held).digest().hex(":").upper() == shared.fingerprint


def test_the_token_lets_a_browser_in_and_nothing_else_does(shared: Shared) -> None:
    with shared.client() as client:
        refused = client.get("/api/health")
        assert (refused.status_code, refused.json()["error"]["code"]) == (401, "no_token")
        page = client.get("/", headers={"Accept": "text/html"})
        assert page.status_code == 401 and "Scan the code" in page.text
        welcome = client.get(f"/?token={shared.token}")
        assert (welcome.status_code, welcome.headers["location"]) == (303, "/")
        assert "secure" in welcome.headers["set-cookie"].lower()
        answer = client.get("/api/health")
        assert answer.json()["status"] == "ok"
        assert answer.headers["content-security-policy"].startswith("default-src 'self'")
        assert "server" not in answer.headers
        rebound = client.get("/api/health", headers={"Host": "evil.example"})
        assert rebound.json()["error"]["code"] == "foreign_host"
        foreign = client.post("/api/solve", headers={"Origin": "https://evil.example"}, content=b"x")
        assert foreign.json()["error"]["code"] == "foreign_origin"


def invited(monkeypatch: pytest.MonkeyPatch, settings: Settings, *found: str) -> tuple[str, str]:
    """What is said of these settings on a machine with these addresses, and the address to open."""
    said: list[str] = []
    monkeypatch.setattr(serve, "lan_addresses", lambda: found)
    opened = serve.invite(settings, 8000, "http://127.0.0.1:8000/", said.append)
    return "\n".join(said), opened


def test_only_this_machine_needs_neither_token_nor_words(monkeypatch: pytest.MonkeyPatch) -> None:
    said = invited(monkeypatch, Settings(), "192.168.1.5")
    assert said == ("the page is at http://127.0.0.1:8000/ (Ctrl-C ends it)", "http://127.0.0.1:8000/")


def test_a_network_is_told_all_addresses_with_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(host="0.0.0.0", lan=True, token=TOKEN)
    said, opened = invited(monkeypatch, settings, "192.168.1.5", "10.0.0.7", "fd00::2")
    assert opened == f"http://127.0.0.1:8000/?token={TOKEN}"
    assert f"http://192.168.1.5:8000/?token={TOKEN}" in said
    assert f"http://10.0.0.7:8000/?token={TOKEN}" in said
    assert "fd00" not in said  # it listens on the others
    assert "--https" in said
    assert "\x1b" not in said


def test_without_a_network_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    said, _ = invited(monkeypatch, Settings(host="0.0.0.0", lan=True, token=TOKEN))
    assert "in no network" in said


def test_a_token_is_asked_for_where_others_may_come() -> None:
    def chosen(host: str, token: str | None = None, lan: bool = False) -> str | None:
        return serve.chosen_token(host, token, lan=lan)

    assert chosen("127.0.0.1") is None and chosen("::1") is None and chosen("localhost") is None
    for host in ("0.0.0.0", "::", "192.168.1.5", "sudoku.example.org"):
        made = chosen(host)
        assert made and len(made) == 22 and made != chosen(host)
    assert chosen("127.0.0.1", lan=True)
    assert chosen("127.0.0.1", TOKEN) == TOKEN


def test_the_network_listens_where_it_can_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    def host(*found: str, given: str | None = None, lan: bool = True) -> str:
        monkeypatch.setattr(serve, "lan_addresses", lambda: found)
        return serve.listening_host(given, lan=lan)

    assert host(lan=False) == "127.0.0.1"
    assert host("192.168.1.5", "fd00::2") == host() == "0.0.0.0"
    assert host("fd00::2") == "::"
    assert host("192.168.1.5", given="192.168.1.5") == "192.168.1.5"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--lan", "--host", "localhost"], "nobody else reaches that address"),
        (["--token", "guess"], "at least 22"),
        (["--allow-host", "https://sudoku.example.org"], "no name of a host"),
    ],
)
def test_what_makes_no_sense_is_a_sentence(run: Run, arguments: list[str], said: str) -> None:
    ran = run("serve", *arguments)
    assert ran.status == 2 and said in ran.err
