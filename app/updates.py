"""Whether there is a newer Cutaway: one request, only when it was asked for, to a chosen address.

The address answers with a JSON object: `version`, such as "1.2.0", and, if it likes, `page`, where
people find it. Whatever else it answers is no news.
"""

from __future__ import annotations

import json
import re
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from urllib.parse import urlsplit

from PySide6.QtCore import QObject, Signal

from app.later import Later

_TIMEOUT_S = 10
_LARGEST_BYTES = 1 << 16
_LONGEST_PAGE = 500
_VERSION = re.compile(r"v?(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?", re.ASCII)
_HERE = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True)
class UpdateSettings:
    """What the user chose.

    Attributes:
        enabled: Whether a start looks for a newer version; off until someone switches it on.
        address: Where to ask.
        offline: Whether nothing may be sent anywhere; it outweighs the others.
    """

    enabled: bool = False
    address: str = ""
    offline: bool = False


@dataclass(frozen=True)
class News:
    """A newer version, and the page about it; empty where none was named."""

    version: str
    page: str = ""


class Updates(QObject):
    """Asks at a start, if that is wanted, or when someone asks."""

    newer = Signal(News)
    told = Signal(str)
    """The answer, one sentence, for someone who asked and gets no news."""

    def __init__(self, version: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._version = version
        self._later = Later(self._on_error, self)
        self._asked = False
        self._running = False

    def at_start(self, settings: UpdateSettings) -> None:
        """Ask once if the user switched that on; whatever goes wrong is not worth a word."""
        if settings.enabled and may_ask(settings):
            self._ask(settings.address, asked=False)

    def on_asked(self, settings: UpdateSettings) -> None:
        """Ask because someone wants to know."""
        if settings.offline:
            self.told.emit(self.tr("Cutaway is offline: nothing was asked."))
        elif not may_ask(settings):
            self.told.emit(self.tr("There is no address to ask for a newer version."))
        else:
            self._ask(settings.address, asked=True)

    def _ask(self, address: str, *, asked: bool) -> None:
        self._asked = asked
        if self._running:
            return
        self._running = True
        answer: Future[News | None] = Future()
        version = self._version

        def run() -> None:
            try:
                answer.set_result(newer_than(version, fetch(address)))
            except Exception as error:  # noqa: BLE001 - whatever a server does is no news
                answer.set_exception(error)

        self._later.deliver(answer, self._on_answer)
        # As a daemon it does not hold up the end of the program when the server is slow.
        threading.Thread(target=run, name="updates", daemon=True).start()

    def _on_answer(self, news: News | None) -> None:
        self._running = False
        if news is not None:
            self.newer.emit(news)
        elif self._asked:
            self.told.emit(
                self.tr("Cutaway {version} is the newest.").format(version=self._version)
            )

    def _on_error(self, _: Exception) -> None:
        self._running = False
        if self._asked:
            self.told.emit(self.tr("Whether there is a newer version could not be found out."))


def may_ask(settings: UpdateSettings) -> bool:
    """Whether a request may be sent: never offline, and only over an encrypted connection."""
    try:
        parts = urlsplit(settings.address)
    except ValueError:
        return False
    safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _HERE)
    return safe and bool(parts.hostname) and not settings.offline


def fetch(address: str) -> bytes:
    """Send the one request; nothing about the user or the machine goes with it.

    Where the address points elsewhere, that is no answer: one request means one.

    Raises:
        HTTPError: There is no good answer.
        ValueError: It is too long.
    """
    import httpx2  # late: nobody may ask

    headers = {
        "User-Agent": "Cutaway",
        "Accept": "application/json",
        "Accept-Encoding": "identity",
    }
    content = bytearray()
    with httpx2.stream("GET", address, headers=headers, timeout=_TIMEOUT_S) as answer:
        answer.raise_for_status()
        for part in answer.iter_bytes():
            content += part
            if len(content) > _LARGEST_BYTES:
                raise ValueError("the answer is too long")
    return bytes(content)


def newer_than(version: str, answer: bytes) -> News | None:
    """What the answer says, if that is a newer version.

    Raises:
        ValueError: It is no answer of the kind.
    """
    match json.loads(answer):
        case {"version": str(named), "page": str(page)}:
            numbers = _numbers(named)
        case {"version": str(named)}:
            numbers, page = _numbers(named), ""
        case _:
            numbers, page = None, ""
    if numbers is None:
        raise ValueError("the answer names no version")
    if numbers <= (_numbers(version) or (0, 0, 0)):
        return None
    good = len(page) < _LONGEST_PAGE and urlsplit(page).scheme == "https"
    return News(".".join(map(str, numbers)), page if good else "")


def _numbers(version: str) -> tuple[int, int, int] | None:
    match = _VERSION.fullmatch(version.strip())
    return (int(match[1]), int(match[2]), int(match[3] or 0)) if match else None
