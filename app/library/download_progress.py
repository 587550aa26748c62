"""How far a download is: bytes, speed, time left, per file and in all."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.library.download_cache import RepoCache
    from app.library.hub_repo import Plan

DownloadState = Literal["queued", "running", "waiting", "stalled", "paused", "failed", "done"]

_EVERY_S = 0.1
_SPEED_OVER_S = 8.0
_SHORTEST_S = 0.5


@dataclass(frozen=True)
class FileProgress:
    """One file.

    Attributes:
        name: Its path in the repository.
        size_bytes: How large it is.
        done_bytes: How much of it is here.
        left_s: Seconds until it is here, at the present speed; None where not known.
    """

    name: str
    size_bytes: int
    done_bytes: int
    left_s: float | None = None


@dataclass(frozen=True)
class Progress:
    """A download.

    Attributes:
        key: Tells it from others.
        repo: What is being fetched.
        variant: The quantisation of a GGUF repository; empty for safetensors.
        state: `waiting` is for another program that fetches the same, `stalled` for the next
            attempt.
        done_bytes: How much is here.
        size_bytes: How much there is to fetch in all.
        speed_bps: Bytes per second over the last seconds; None where not known.
        left_s: Seconds until all is here, at that speed; None where not known.
        files: Small ones first.
        note: Why it is not running, one sentence; empty where it is.
        source: What to load once it is done, by the name that the library has for it.
    """

    key: str
    repo: str
    variant: str
    state: DownloadState
    done_bytes: int
    size_bytes: int
    speed_bps: float | None = None
    left_s: float | None = None
    files: tuple[FileProgress, ...] = ()
    note: str = ""
    source: str = ""


class Meter:
    """Counts what arrives, and tells at most ten times a second and at every change of state.

    Args:
        plan: What is fetched.
        cache: Where to.
        report: Is told, on the thread that fetches.
    """

    def __init__(
        self, plan: Plan, cache: RepoCache, report: Callable[[Progress], None] | None = None
    ) -> None:
        self._plan = plan
        self._report = report
        self._done = {file.name: cache.arrived_bytes(file, plan.commit) for file in plan.files}
        self._state: DownloadState = "running"
        self._note = ""
        self._told_at = 0.0
        self._arrivals: deque[tuple[float, int]] = deque()

    def state(self, state: DownloadState, note: str = "") -> None:
        """What happens now."""
        if (state, note) != (self._state, self._note):
            self._state, self._note = state, note
            self._arrivals.clear()
            self.tell()

    def set_done(self, name: str, done_bytes: int) -> None:
        """How much of a file is here, counted again."""
        self._done[name] = done_bytes

    def arrived(self, name: str, count: int) -> None:
        """Some bytes of a file arrived."""
        now = time.monotonic()
        self._done[name] += count
        self._arrivals.append((now, count))
        while now - self._arrivals[0][0] > _SPEED_OVER_S:
            self._arrivals.popleft()
        self._state, self._note = "running", ""
        if now - self._told_at >= _EVERY_S:
            self.tell()

    def tell(self) -> None:
        """Report now."""
        if self._report is not None:
            self._told_at = time.monotonic()
            self._report(self.progress())

    def progress(self) -> Progress:
        """How far it is."""
        speed = self._speed()
        files = tuple(
            FileProgress(
                file.name,
                file.size_bytes,
                self._done[file.name],
                _left(file.size_bytes - self._done[file.name], speed),
            )
            for file in self._plan.files
        )
        done = sum(file.done_bytes for file in files)
        return Progress(
            key=key_of(self._plan),
            repo=self._plan.repo,
            variant=self._plan.variant,
            state=self._state,
            done_bytes=done,
            size_bytes=self._plan.size_bytes,
            speed_bps=speed,
            left_s=_left(self._plan.size_bytes - done, speed),
            files=files,
            note=self._note,
        )

    def _speed(self) -> float | None:
        if not self._arrivals:
            return None
        first = self._arrivals[0][0]
        span = time.monotonic() - first
        if span < _SHORTEST_S:
            return None
        return sum(count for _, count in self._arrivals) / span


@dataclass(frozen=True)
class Overall:
    """All downloads that are under way or queued.

    Attributes:
        count: How many.
        done_bytes: How much is here.
        size_bytes: How much there is to fetch.
        left_s: Seconds until all is here, at the speed of the one that runs; None where not known.
    """

    count: int
    done_bytes: int
    size_bytes: int
    left_s: float | None


def overall(rows: Iterable[Progress]) -> Overall:
    """What all the downloads together are; those that are paused or failed do not count."""
    active = [row for row in rows if row.state in {"queued", "running", "waiting", "stalled"}]
    done = sum(row.done_bytes for row in active)
    size = sum(row.size_bytes for row in active)
    speed = sum(row.speed_bps or 0.0 for row in active)
    return Overall(len(active), done, size, _left(size - done, speed))


def key_of(plan: Plan) -> str:
    """What tells a download from others."""
    return key_for(plan.repo, plan.variant)


def key_for(repo: str, variant: str = "") -> str:
    """The key of a download: its repository, and the quantisation where that has some."""
    return f"{repo}:{variant}" if variant else repo


def repo_of(key: str) -> str:
    """The repository of a download's key."""
    return key.partition(":")[0]


def _left(missing: int, speed: float | None) -> float | None:
    return missing / speed if speed else None
