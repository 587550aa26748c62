"""The one way to the network: offline switch, the hub's address, the library's client."""

from __future__ import annotations

import os
import socket
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from app import __version__
from app.library.hub_errors import (
    HubError,
    StoppedError,
    address_error,
    explain,
    offline_error,
    status_error,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    import httpx2
    from huggingface_hub import HfApi

T = TypeVar("T")

TIMEOUT_S = 10.0
# What reading an answer of another shape than the hub's raises.
_STRANGE = (ValueError, KeyError, TypeError, AttributeError)
_REFUSED = 400


class Stop:
    """Asks work on another thread to end, at once where it waits for the network."""

    def __init__(self) -> None:
        self._asked = threading.Event()
        self._lock = threading.Lock()
        self._break: Callable[[], None] | None = None

    def ask(self) -> None:
        """Ask; whatever is being waited for ends."""
        self._asked.set()
        with self._lock:
            if self._break is not None:
                self._break()

    @property
    def asked(self) -> bool:
        """Whether it was asked."""
        return self._asked.is_set()

    def check(self) -> None:
        """Raise `StoppedError` where it was asked."""
        if self.asked:
            raise StoppedError

    def wait(self, seconds: float) -> None:
        """Wait, and raise `StoppedError` as soon as it is asked."""
        if self._asked.wait(seconds):
            raise StoppedError

    @contextmanager
    def breaking(self, action: Callable[[], None]) -> Generator[None]:
        """Within, `action` is called by the thread that asks, to end a wait."""
        with self._lock:
            self._break = action
        try:
            self.check()
            yield
        finally:
            with self._lock:
                self._break = None


class Network:
    """How the hub is reached; one for the process, as the library has one client for it.

    Args:
        offline: Whether nothing may touch the network; by default as HF_HUB_OFFLINE says.
        timeout_s: How long a silent server is waited for.

    Attributes:
        timeout_s: The same.
    """

    def __init__(self, *, offline: bool | None = None, timeout_s: float = TIMEOUT_S) -> None:
        self._offline = offline
        self.timeout_s = timeout_s
        self._installed = False
        self._lock = threading.Lock()

    @property
    def offline(self) -> bool:
        """Whether offline mode is on."""
        if self._offline is None:
            from huggingface_hub import is_offline_mode

            return is_offline_mode()
        return self._offline

    def set_offline(self, *, offline: bool) -> None:
        """Switch offline mode: no request goes out any more; what still comes is not ended."""
        self._offline = offline

    def check(self) -> None:
        """Raise the sentence about offline mode where it is on, or about an impossible address."""
        if not _is_web(endpoint()):  # with some of these the library cannot even be imported
            raise address_error()
        if self.offline:
            raise offline_error()

    def api(self, token: str | None) -> HfApi:
        """The hub's interface at the address that is set now.

        Raises:
            HubError: Offline mode is on.
        """
        from huggingface_hub import HfApi

        self.check()
        self._install()
        return HfApi(endpoint=endpoint(), token=token or False)

    def ask(self, question: Callable[[], T], repo: str = "") -> T:
        """What the library answers.

        Args:
            question: Asks the library for something.
            repo: What the sentence is about where it fails.

        Raises:
            HubError: It failed.
        """
        import httpx2

        try:
            return question()
        except (httpx2.HTTPError, OSError, *_STRANGE) as error:
            raise self._explained(error, repo) from None

    def read(self, url: str, token: str | None, limit_bytes: int, repo: str) -> bytes:
        """A small file.

        Raises:
            HubError: It cannot be had, or is larger than `limit_bytes`.
        """
        with self.stream(url, token, {}, repo) as response:
            content = bytearray()
            for chunk in response.iter_bytes():
                content += chunk
                if len(content) > limit_bytes:
                    raise explain(ValueError())
        return bytes(content)

    @contextmanager
    def stream(
        self,
        url: str,
        token: str | None,
        headers: Mapping[str, str],
        repo: str,
        stop: Stop | None = None,
    ) -> Generator[httpx2.Response]:
        """The answer to a request for a file, its body to be read within.

        Args:
            url: Where it is.
            token: Sent to the hub alone, not to the servers it redirects to.
            headers: More headers.
            repo: What the sentences are about.
            stop: Ends the wait for data when asked.

        Raises:
            HubError: It cannot be had.
            StoppedError: `stop` was asked.
        """
        import httpx2
        from huggingface_hub import get_session

        self.check()
        self._install()
        stop = stop or Stop()
        every = {"Accept-Encoding": "identity", "User-Agent": f"cutaway/{__version__}", **headers}
        if token:
            every["Authorization"] = f"Bearer {token}"
        try:
            with get_session().stream("GET", url, headers=every) as response:
                if response.status_code >= _REFUSED:
                    raise status_error(response, repo)
                with stop.breaking(_shutting(response)):
                    yield response
        except (httpx2.HTTPError, httpx2.StreamError, ConnectionError) as error:
            stop.check()
            raise self._explained(error, repo) from None

    def close(self) -> None:
        """Close all connections; nothing goes out any more."""
        self._offline = True
        if self._installed:
            from huggingface_hub import close_session

            close_session()

    def _explained(self, error: Exception, repo: str) -> HubError:
        from app.library.hub_client import UnreachableError

        return error.reason if isinstance(error, UnreachableError) else explain(error, repo)

    def _install(self) -> None:
        from huggingface_hub import set_client_factory

        from app.library.hub_client import Client

        with self._lock:
            if not self._installed:
                set_client_factory(lambda: Client(lambda: self.offline, lambda: self.timeout_s))
                self._installed = True


def endpoint() -> str:
    """The hub's address: HF_ENDPOINT as it is now, or the hub itself."""
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def _is_web(address: str) -> bool:
    try:
        return urlsplit(address).port != 0 and bool(urlsplit(address).hostname)
    except ValueError:
        return False


def file_url(repo: str, commit: str, name: str) -> str:
    """Where a file of a repository is."""
    from huggingface_hub import hf_hub_url

    return hf_hub_url(repo, name, revision=commit, endpoint=endpoint())


def default_cache() -> Path:
    """Where huggingface_hub keeps what it fetched."""
    given = os.environ.get("HF_ENDPOINT")
    if given and not _is_web(given):  # it cannot be imported then; what is on disk is there still
        del os.environ["HF_ENDPOINT"]
    try:
        from huggingface_hub import constants  # Late: start-up does not need it.
    finally:
        if given:
            os.environ["HF_ENDPOINT"] = given
    return Path(constants.HF_HUB_CACHE)


def _shutting(response: httpx2.Response) -> Callable[[], None]:
    """A function that ends a read of the body on another thread."""
    stream: Any = response.extensions.get("network_stream")
    connection: Any = stream.get_extra_info("socket") if stream is not None else None

    def shut() -> None:
        if isinstance(connection, socket.socket):
            try:
                # The plain method, so that a reader inside TLS keeps its object.
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
            except OSError:
                return

    return shut
