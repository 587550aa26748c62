"""One request, only when it was asked for; a bad answer is silence, or one sentence when asked."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from app.updates import News, Updates, UpdateSettings, may_ask, newer_than

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot


@dataclass
class Site:
    """A server on this machine: what it answers and what it was asked."""

    status: int = 200
    body: bytes = b'{"version": "0.9.0", "page": "https://example.org/new"}'
    headers: dict[str, str] = field(default_factory=dict[str, str])
    requests: list[tuple[str, dict[str, str]]] = field(
        default_factory=list[tuple[str, dict[str, str]]]
    )
    address: str = ""


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.requests.append((self.path, dict(self.headers)))
            self.send_response(site.status)
            for name, value in site.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(site.body)

        @override
        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    site.address = f"http://127.0.0.1:{server.server_port}/news.json?a=b"
    yield site
    server.shutdown()
    server.server_close()
    thread.join()


class Heard:
    """An application of version 0.2.0 and what it said."""

    def __init__(self, qtbot: QtBot) -> None:
        self.updates = Updates("0.2.0")
        self.told: list[object] = []
        self.updates.newer.connect(self.told.append)
        self.updates.told.connect(self.told.append)
        self._qtbot = qtbot

    def wait(self) -> None:
        """Wait until the question is answered."""
        self._qtbot.waitUntil(lambda: not self.updates._running)


@pytest.fixture
def heard(qtbot: QtBot) -> Heard:
    return Heard(qtbot)


def test_a_newer_version_is_told_after_one_request(site: Site, heard: Heard) -> None:
    heard.updates.at_start(UpdateSettings(enabled=True, address=site.address))
    heard.wait()
    assert heard.told == [News("0.9.0", "https://example.org/new")]
    ((path, headers),) = site.requests
    assert path == "/news.json?a=b"
    # Nothing about the user, the system or the version goes out.
    assert set(headers) == {"Accept", "Accept-Encoding", "User-Agent", "Host", "Connection"} - (
        {"Accept-Encoding"} - set(headers)
    )
    assert headers["User-Agent"] == "Cutaway"


def test_nothing_is_sent_unless_it_was_switched_on(site: Site, heard: Heard) -> None:
    assert not UpdateSettings().enabled
    heard.updates.at_start(UpdateSettings(address=site.address))
    heard.updates.at_start(UpdateSettings(enabled=True))
    heard.updates.at_start(UpdateSettings(enabled=True, address=site.address, offline=True))
    assert not heard.updates._running
    heard.updates.on_asked(UpdateSettings(enabled=True, address=site.address, offline=True))
    heard.updates.on_asked(UpdateSettings())
    assert site.requests == []
    assert heard.told == [
        "Cutaway is offline: nothing was asked.",
        "There is no address to ask for a newer version.",
    ]


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("https://example.org/x.json", True),
        ("http://localhost:1/x", True),
        ("http://example.org/x", False),
        ("file:///etc/passwd", False),
        ("https://", False),
        ("http://[", False),
        ("", False),
    ],
)
def test_which_addresses_are_asked(address: str, *, allowed: bool) -> None:
    assert may_ask(UpdateSettings(address=address)) is allowed
    assert not may_ask(UpdateSettings(address=address, offline=True))


BAD_ANSWERS = (
    (200, b""),
    (200, b"<html>"),
    (200, b"[]"),
    (200, b'{"version": 3}'),
    (200, b'{"version": "soon"}'),
    (200, b'{"version": "9.9.9"}' + b" " * (1 << 17)),
    (404, b'{"version": "9.9.9"}'),
    (500, b""),
)


@pytest.mark.parametrize(("status", "body"), BAD_ANSWERS)
def test_a_bad_answer_is_silence_or_one_sentence(
    site: Site, heard: Heard, status: int, body: bytes
) -> None:
    site.status, site.body = status, body
    settings = UpdateSettings(enabled=True, address=site.address)
    heard.updates.at_start(settings)
    heard.wait()
    assert heard.told == []
    heard.updates.on_asked(settings)
    heard.wait()
    assert heard.told == ["Whether there is a newer version could not be found out."]


def test_no_server_is_a_bad_answer_too(heard: Heard) -> None:
    heard.updates.on_asked(UpdateSettings(address="http://127.0.0.1:1/x"))
    heard.wait()
    assert heard.told == ["Whether there is a newer version could not be found out."]


def test_other_addresses_are_not_followed(site: Site, heard: Heard) -> None:
    site.status, site.headers = 302, {"Location": site.address + "&again"}
    heard.updates.on_asked(UpdateSettings(address=site.address))
    heard.wait()
    assert len(site.requests) == 1
    assert heard.told == ["Whether there is a newer version could not be found out."]


def test_the_newest_says_so_when_asked(site: Site, heard: Heard) -> None:
    site.body = b'{"version": "0.2"}'
    heard.updates.at_start(UpdateSettings(enabled=True, address=site.address))
    heard.updates.on_asked(UpdateSettings(address=site.address))  # joins the question that runs
    heard.wait()
    assert heard.told == ["Cutaway 0.2.0 is the newest."]
    assert len(site.requests) == 1


@pytest.mark.parametrize(
    ("answer", "news"),
    [
        (b'{"version": "0.10.0"}', News("0.10.0")),
        (b'{"version": "v1.0"}', News("1.0.0")),
        (b'{"version": "0.1.9", "page": "https://example.org"}', None),
        (b'{"version": "0.2.1", "page": "javascript:alert(1)"}', News("0.2.1")),
        (b'{"version": "0.2.1", "page": 5}', News("0.2.1")),
        ('{"version": "0.2.1", "page": "https://e.org/' + "x" * 600 + '"}', News("0.2.1")),
    ],
)
def test_what_is_newer(answer: bytes | str, news: News | None) -> None:
    content = answer if isinstance(answer, bytes) else answer.encode()
    assert newer_than("0.2.0", content) == news
