"""What can go wrong between this machine and the hub: kinds, and one sentence for each."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    import httpx2
    from huggingface_hub.errors import HfHubHTTPError

Kind = Literal[
    "offline",
    "unreachable",
    "stalled",
    "busy",
    "server",
    "missing",
    "denied",
    "redirects",
    "unusable",
    "damaged",
    "space",
    "folder",
    "token",
]

LONGEST_WAIT_S = 900.0
_DENIED = (401, 403)
_MISSING = (404, 410)
_BUSY = (408, 429)
_RANGE_IMPOSSIBLE = 416
_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

translate = QCoreApplication.translate


class HubError(Exception):
    """Something failed; the text is one sentence for the user and never holds a token.

    Attributes:
        kind: What it is about.
        retry: Whether the same may work a little later.
        wait_s: How long the hub asks to wait before that, in seconds; None where it does not say.
    """

    def __init__(
        self, sentence: str, kind: Kind, *, retry: bool = False, wait_s: float | None = None
    ) -> None:
        super().__init__(sentence)
        self.kind: Kind = kind
        self.retry = retry
        self.wait_s = wait_s


class StoppedError(Exception):
    """The work was asked to stop, and did."""


def offline_error() -> HubError:
    """Offline mode is on."""
    return HubError(
        translate(
            "Hub", "Offline mode is on, so nothing is asked of the network; turn it off first."
        ),
        "offline",
    )


def address_error() -> HubError:
    """HF_ENDPOINT names no place on the web."""
    return HubError(
        translate("Hub", "The hub's address is not a web address; check HF_ENDPOINT."),
        "unreachable",
    )


def explain(error: Exception, repo: str = "") -> HubError:
    """The sentence for an error of the hub's client, of HTTP or of the file system.

    Args:
        error: What was raised.
        repo: The repository it was about; empty where it was about none.
    """
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    if isinstance(error, HubError):
        return error
    if isinstance(error, HFValidationError):
        return HubError(
            translate(
                "Hub", "{0} is not the name of a repository; it looks like owner/name."
            ).format(repr(repo[:200])),
            "missing",
        )
    if isinstance(error, HfHubHTTPError):
        return status_error(error.response, repo, error)
    return _transport_error(error) or _file_error(error) or _strange_answer()


def status_error(
    response: httpx2.Response, repo: str, error: HfHubHTTPError | None = None
) -> HubError:
    """The sentence for an answer that is a refusal.

    Args:
        response: The answer, with a status of 400 or more.
        repo: The repository that was asked for; empty where it was a search.
        error: What the hub's client made of it, where it did.
    """
    status = response.status_code
    if status in _DENIED:
        return _denied(response, repo)
    if status in _MISSING:
        return _missing(response, repo, error)
    if status in _BUSY:
        return HubError(
            translate("Hub", "The hub says that too much was asked of it; try again in a while."),
            "busy",
            retry=True,
            wait_s=retry_after(response),
        )
    if status == _RANGE_IMPOSSIBLE:
        return damaged_error(repo)
    if status >= 500:
        return HubError(
            translate(
                "Hub", "The hub has a problem of its own (error {0}); try again later."
            ).format(status),
            "server",
            retry=True,
            wait_s=retry_after(response),
        )
    return HubError(
        translate("Hub", "The hub refused the request (error {0}).").format(status), "server"
    )


def retry_after(response: httpx2.Response) -> float | None:
    """Seconds that the answer asks to wait, at most a quarter of an hour."""
    from huggingface_hub.utils import parse_ratelimit_headers

    value = response.headers.get("Retry-After", "").strip()
    if value.isdecimal():
        return min(float(value), LONGEST_WAIT_S)
    limit = parse_ratelimit_headers(response.headers)
    if limit is not None and limit.remaining == 0:
        return min(float(limit.reset_in_seconds), LONGEST_WAIT_S)
    return None


def damaged_error(name: str) -> HubError:
    """What arrived is not what the hub announced."""
    return HubError(
        translate("Hub", "{0} arrived damaged: its hash is not the one that the hub names.").format(
            name
        ),
        "damaged",
        retry=True,
    )


def _denied(response: httpx2.Response, repo: str) -> HubError:
    code = response.headers.get("X-Error-Code", "")
    message = response.headers.get("X-Error-Message", "")
    if "Invalid credentials" in message:
        return HubError(
            translate("Hub", "The hub does not accept the token; enter it again, or a new one."),
            "token",
        )
    if code == "GatedRepo":
        return HubError(
            translate(
                "Hub",
                "{0} asks for consent first: accept its terms on its page at the hub, "
                "then enter a token of your account here.",
            ).format(repo),
            "denied",
        )
    if not repo:
        return HubError(translate("Hub", "The hub refused the search; check the token."), "denied")
    return HubError(
        translate(
            "Hub",
            "{0} does not exist or is private; check the name, or enter a token that may read it.",
        ).format(repo),
        "denied",
    )


def _missing(response: httpx2.Response, repo: str, error: HfHubHTTPError | None) -> HubError:
    from huggingface_hub.errors import RemoteEntryNotFoundError, RevisionNotFoundError

    code = response.headers.get("X-Error-Code", "")
    if code == "RevisionNotFound" or isinstance(error, RevisionNotFoundError):
        return HubError(
            translate("Hub", "The version of {0} that was asked for is gone; start again.").format(
                repo
            ),
            "missing",
        )
    if code == "EntryNotFound" or isinstance(error, RemoteEntryNotFoundError):
        return HubError(
            translate("Hub", "A file of {0} is gone from the hub; start again.").format(repo),
            "missing",
        )
    return HubError(
        translate("Hub", "There is no {0} on the hub; check the name.").format(
            repo or translate("Hub", "such page")
        ),
        "missing",
    )


def _transport_error(error: Exception) -> HubError | None:
    """Failures on the way; offline mode is among them, as the client raises it."""
    import httpx2
    from huggingface_hub.errors import OfflineModeIsEnabled

    if isinstance(error, OfflineModeIsEnabled):
        return offline_error()
    if isinstance(error, httpx2.TooManyRedirects):
        return HubError(
            translate("Hub", "The hub sends in circles, from one address to the next; try later."),
            "redirects",
        )
    if isinstance(error, (httpx2.UnsupportedProtocol, httpx2.InvalidURL)):
        return address_error()
    if isinstance(error, (httpx2.RequestError, httpx2.StreamError, ConnectionError)):
        return _broken_connection(error)
    return None


def _broken_connection(error: Exception) -> HubError:
    import httpx2

    if isinstance(error, (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError)):
        return HubError(
            translate("Hub", "The hub cannot be reached; check the connection to the internet."),
            "unreachable",
            retry=True,
        )
    if isinstance(error, httpx2.TimeoutException):
        return HubError(translate("Hub", "The hub does not answer."), "stalled", retry=True)
    return HubError(translate("Hub", "The connection was cut."), "unreachable", retry=True)


def _file_error(error: Exception) -> HubError | None:
    if not isinstance(error, OSError) or error.errno is None:
        return None
    where = error.filename or translate("Hub", "the models' folder")
    if error.errno in _SPACE:
        return HubError(
            translate(
                "Hub", "The disk is full; what was fetched is kept, free some space and resume."
            ),
            "space",
        )
    return HubError(
        translate("Hub", "{0} cannot be written ({1}); check the folder's permissions.").format(
            where, error.strerror
        ),
        "folder",
    )


def _strange_answer() -> HubError:
    return HubError(
        translate(
            "Hub",
            "The answer is not one that a hub gives; check HF_ENDPOINT, or sign in to the network.",
        ),
        "server",
    )
