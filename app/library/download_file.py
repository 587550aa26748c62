"""Fetches one file into the cache: resumes, verifies, and tries again as long as it makes sense."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.library.hub_errors import HubError, damaged_error
from app.library.hub_network import file_url

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any, BinaryIO

    import httpx2

    from app.library.download_cache import RepoCache
    from app.library.download_progress import Meter
    from app.library.hub_files import RemoteFile
    from app.library.hub_network import Network, Stop
    from app.library.hub_repo import Plan

_READ_BYTES = 1 << 22
_SHA256_DIGITS = 64
_PARTIAL_CONTENT = 206
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)", re.ASCII)

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Patience:
    """How often and when to try again.

    Attributes:
        attempts: Failures in a row, without one new byte between them, before giving up.
        first_wait_s: Before the second attempt; twice as long before each one after it.
        longest_wait_s: At most; a hub that names a longer time is obeyed.
    """

    attempts: int = 8
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0

    def wait_s(self, failures: int, error: HubError) -> float:
        """How long to wait after so many failures in a row, in seconds."""
        own = min(self.first_wait_s * 2 ** (failures - 1), self.longest_wait_s)
        return own if error.wait_s is None else max(own, error.wait_s)


@dataclass(frozen=True)
class Fetching:
    """What all files of a download share."""

    plan: Plan
    cache: RepoCache
    network: Network
    token: str | None
    stop: Stop
    meter: Meter
    patience: Patience


def fetch_file(work: Fetching, file: RemoteFile) -> None:
    """Have a file in the cache, whole and verified.

    Raises:
        HubError: It cannot be had; what arrived is kept.
        OSError: It cannot be written; what arrived is kept.
        StoppedError: It was asked to stop; what arrived is kept.
    """
    work.stop.check()
    if not work.cache.has(file, work.plan.commit):
        with work.cache.lock(file, work.stop, lambda: _say_waiting(work.meter)):
            if not work.cache.has(file, work.plan.commit):
                _persist(work, file)
    work.meter.set_done(file.name, file.size_bytes)


def _say_waiting(meter: Meter) -> None:
    meter.state("waiting", translate("Hub", "Another program fetches the same file; waiting."))


def _persist(work: Fetching, file: RemoteFile) -> None:
    """Attempt it until it is there or there is no sense in going on."""
    failures = damages = 0
    partial = work.cache.partial(file)
    while True:
        before = _size(partial)
        try:
            _attempt(work, file, partial)
        except HubError as error:
            failures = 1 if _size(partial) > before else failures + 1
            damages += error.kind == "damaged"
            if not error.retry or damages > 1 or failures > work.patience.attempts:
                raise
            wait_s = work.patience.wait_s(failures, error)
            work.meter.set_done(file.name, _size(partial))
            again = translate("Hub", "{0} Trying again in {1} s.")
            work.meter.state("stalled", again.format(error, round(wait_s)))
            work.stop.wait(wait_s)
        else:
            return


def _attempt(work: Fetching, file: RemoteFile, partial: Path) -> None:
    """Fetch what is missing, verify the whole, and give it its name."""
    partial.parent.mkdir(parents=True, exist_ok=True)
    with partial.open("ab", buffering=0) as out:
        digest = _resumed(work, file, partial, out)
        work.meter.set_done(file.name, out.tell())
        if out.tell() < file.size_bytes:
            digest = _receive(work, file, out, digest)
        if digest.hexdigest() != file.etag:
            out.truncate(0)
            raise damaged_error(file.name)
        os.fsync(out.fileno())
    partial.replace(work.cache.blob(file))


def _resumed(work: Fetching, file: RemoteFile, partial: Path, out: BinaryIO) -> Any:
    """The digest of what is there already; what is longer than the file is thrown away."""
    digest = _new_digest(file)
    if out.tell() > file.size_bytes:
        out.truncate(0)
        out.seek(0)
    with partial.open("rb") as content:
        while left := out.tell() - content.tell():
            work.stop.check()
            chunk = content.read(min(left, _READ_BYTES))
            if not chunk:
                break
            digest.update(chunk)
    return digest


def _receive(work: Fetching, file: RemoteFile, out: BinaryIO, digest: Any) -> Any:
    """Append what the hub sends; returns the digest of the whole."""
    start = out.tell()
    url = file_url(work.plan.repo, work.plan.commit, file.name)
    headers = {"Range": f"bytes={start}-"} if start else {}
    repo, stop = work.plan.repo, work.stop
    with work.network.stream(url, work.token, headers, repo, stop) as response:
        if start and response.status_code != _PARTIAL_CONTENT:
            out.truncate(0)
            out.seek(0)
            start, digest = 0, _new_digest(file)
            work.meter.set_done(file.name, 0)
        _check_answer(response, file, start)
        for chunk in response.iter_bytes():
            stop.check()
            if out.tell() + len(chunk) > file.size_bytes:
                raise _other_file(file)
            out.write(chunk)
            digest.update(chunk)
            work.meter.arrived(file.name, len(chunk))
    if out.tell() < file.size_bytes:
        raise HubError(
            translate("Hub", "{0} ended too early.").format(file.name), "unreachable", retry=True
        )
    return digest


def _check_answer(response: httpx2.Response, file: RemoteFile, start: int) -> None:
    """Refuse what is not the rest of the file before any of it is written.

    A network that wants a sign-in first answers with a page of its own.
    """
    if response.status_code == _PARTIAL_CONTENT:
        match = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
        expected = str(file.size_bytes)
        if match is None or int(match[1]) != start or match[2] not in {expected, "*"}:
            raise _other_file(file)
        return
    length = response.headers.get("Content-Length")
    encoded = response.headers.get("Content-Encoding", "identity") != "identity"
    if length is not None and not encoded and length != str(file.size_bytes):
        raise _other_file(file)


def _other_file(file: RemoteFile) -> HubError:
    return HubError(
        translate("Hub", "Something else than {0} was sent; is a sign-in page in between?").format(
            file.name
        ),
        "server",
        retry=True,
    )


def _new_digest(file: RemoteFile) -> Any:
    """SHA-256 of the content, or git's SHA-1 of a blob: what the etag is."""
    if len(file.etag) == _SHA256_DIGITS:
        return hashlib.sha256()
    return hashlib.sha1(b"blob %d\0" % file.size_bytes, usedforsecurity=False)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
