"""The queue of downloads, as the window uses it: one at a time, on a thread of its own."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.library.download import discard, fetch
from app.library.download_cache import RepoCache
from app.library.download_file import Patience
from app.library.download_progress import Meter, Progress, key_of
from app.library.download_records import Record, Records, RecordState
from app.library.hub_errors import HubError, StoppedError, explain, offline_error
from app.library.hub_network import Stop
from app.library.walk import candidates, hub_source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.library.hub_network import Network
    from app.library.hub_repo import Plan
    from app.library.hub_token import Tokens

_UNDER_WAY = ("running", "waiting", "stalled")
_JOIN_S = 2.0


@dataclass
class _Entry:
    """A download in the queue; `stop` is there while it runs."""

    plan: Plan
    order: float
    progress: Progress
    stop: Stop | None = None
    cancelled: bool = False


class Downloads(QObject):
    """Fetches one model after the other, and goes on with them after a restart.

    All methods are for the main thread and only ask; files are touched on other threads.

    Args:
        network: The way to the hub.
        tokens: For gated and private repositories.
        cache_folder: The Hugging Face cache.
        records_folder: Where it is written down what is being fetched.
        patience: How often to try again.
        parent: The Qt parent.
    """

    changed = Signal(Progress)
    """How far a download is, at most ten times a second; `done` is the last of it."""
    removed = Signal(str)
    """A download was cancelled: its key."""
    discarded = Signal()
    """What had arrived of it is gone from the disk."""
    failed = Signal(str)
    """Something could not be written down: a sentence."""

    def __init__(
        self,
        network: Network,
        tokens: Tokens,
        cache_folder: Path,
        records_folder: Path,
        *,
        patience: Patience | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._network = network
        self._tokens = tokens
        self._cache_folder = cache_folder
        self._records = Records(records_folder)
        self._patience = patience or Patience()
        self._entries: dict[str, _Entry] = {}
        self._condition = threading.Condition()
        self._closing = False
        self._clerk = ThreadPoolExecutor(1, thread_name_prefix="download records")
        # A killed download is resumed, so a quit need not wait for a server.
        self._thread = threading.Thread(target=self._run, name="downloads", daemon=True)

    def start(self) -> None:
        """Go on with what was being fetched when the app ended."""
        self._clerk.submit(self._load)
        self._thread.start()

    def rows(self) -> tuple[Progress, ...]:
        """All downloads that are not done, in their order."""
        with self._condition:
            entries = sorted(self._entries.values(), key=lambda entry: entry.order)
            return tuple(entry.progress for entry in entries)

    def add(self, plan: Plan) -> str:
        """Queue a download; one that is there already is resumed.

        Returns:
            Its key.
        """
        key = key_of(plan)
        with self._condition:
            known = self._entries.get(key)
            if known is None:
                entry = _Entry(plan, time.time(), _new_progress(plan))
                self._entries[key] = entry
                self._set(entry, "queued")
        if known is not None:
            self.resume(key)
        return key

    def pause(self, key: str) -> None:
        """Stop a download, and keep what arrived."""
        with self._condition:
            entry = self._entries.get(key)
            if entry is not None and entry.progress.state != "paused":
                self._set(entry, "paused")
                if entry.stop is not None:
                    entry.stop.ask()

    def resume(self, key: str) -> None:
        """Go on with a download that was paused or failed."""
        with self._condition:
            entry = self._entries.get(key)
            if entry is not None and entry.progress.state in {"paused", "failed"}:
                self._set(entry, "queued")

    def on_offline(self, _: object = None) -> None:
        """Offline mode was switched: at once nothing comes any more, or all goes on by itself."""
        with self._condition:
            for entry in self._entries.values():
                if entry.stop is not None and self._network.offline:
                    entry.stop.ask()
                    self._queue_again(entry)
                elif entry.progress.state == "queued":
                    self._set(entry, "queued")

    def cancel(self, key: str) -> None:
        """Give a download up, and remove what arrived of it."""
        with self._condition:
            entry = self._entries.get(key)
            if entry is None:
                return
            entry.cancelled = True
            if entry.stop is not None:
                entry.stop.ask()
            else:
                self._forget(entry)

    def close(self) -> None:
        """Stop; what is under way goes on at the next start."""
        with self._condition:
            self._closing = True
            for entry in self._entries.values():
                if entry.stop is not None:
                    entry.stop.ask()
            self._condition.notify_all()
        if self._thread.is_alive():
            self._thread.join(_JOIN_S)
        self._clerk.shutdown()

    def _load(self) -> None:
        """On the clerk's thread, first of all."""
        for record in self._records.load():
            progress = self._counted(record.plan)
            with self._condition:
                if record.key in self._entries or self._closing:
                    continue
                note = self._reason_to_wait if record.state == "queued" else record.note
                progress = replace(progress, state=record.state, note=note)
                entry = _Entry(record.plan, record.order, progress)
                self._entries[record.key] = entry
                self._condition.notify_all()
                self.changed.emit(progress)

    def _run(self) -> None:
        while (entry := self._next()) is not None:
            stop = entry.stop or Stop()
            try:
                path = self._fetch(entry, stop)
            except StoppedError:
                self._end(entry)
            except HubError as error:
                self._end(entry, error)
            else:
                self._finish(entry, path)

    def _next(self) -> _Entry | None:
        """Wait for a download that is queued, and for the network; None at the end."""
        with self._condition:
            while not self._closing:
                queued = [e for e in self._entries.values() if e.progress.state == "queued"]
                if queued and not self._network.offline:
                    entry = min(queued, key=lambda entry: entry.order)
                    entry.stop = Stop()
                    self._tell(entry, replace(entry.progress, state="running", note=""))
                    return entry
                self._condition.wait()
        return None

    def _fetch(self, entry: _Entry, stop: Stop) -> Path:
        def report(progress: Progress) -> None:
            with self._condition:
                if not stop.asked:
                    self._tell(entry, progress)

        return fetch(
            entry.plan,
            self._cache_folder,
            self._network,
            token=self._tokens.load(),
            stop=stop,
            report=report,
            patience=self._patience,
        )

    def _end(self, entry: _Entry, error: HubError | None = None) -> None:
        """After a stop or a failure."""
        counted = self._counted(entry.plan)
        with self._condition:
            entry.stop = None
            if entry.cancelled:
                self._forget(entry)
                return
            # What came last was told of only if it came long enough after what was told before.
            files = counted.files
            self._tell(entry, replace(entry.progress, done_bytes=counted.done_bytes, files=files))
            if error is not None and error.kind == "offline":
                self._queue_again(entry)
            elif error is not None and entry.progress.state in _UNDER_WAY:
                self._set(entry, "failed", str(error))

    def _counted(self, plan: Plan) -> Progress:
        """How much of a plan is on the disk; not for the main thread."""
        return Meter(plan, RepoCache(self._cache_folder, plan.repo)).progress()

    def _queue_again(self, entry: _Entry) -> None:
        """Put what was under way back into the queue; the condition is held."""
        if entry.progress.state in _UNDER_WAY:
            self._set(entry, "queued")

    @property
    def _reason_to_wait(self) -> str:
        """Why nothing of the queue is fetched now; empty where something may be."""
        return str(offline_error()) if self._network.offline else ""

    def _finish(self, entry: _Entry, path: Path) -> None:
        snapshot = RepoCache(self._cache_folder, entry.plan.repo).snapshot(entry.plan.commit)
        source = hub_source(entry.plan.repo, snapshot, path, list(candidates(snapshot)))
        with self._condition:
            entry.stop = None
            key = entry.progress.key
            self._entries.pop(key, None)
            self._write(lambda: self._records.remove(key))
            files = tuple(
                replace(f, done_bytes=f.size_bytes, left_s=0) for f in entry.progress.files
            )
            self._tell(
                entry,
                replace(
                    entry.progress,
                    state="done",
                    done_bytes=entry.plan.size_bytes,
                    left_s=0,
                    files=files,
                    note="",
                    source=source,
                ),
            )

    def _forget(self, entry: _Entry) -> None:
        """Remove a download and what arrived; the condition is held."""
        key = entry.progress.key
        self._entries.pop(key, None)
        same = [e.plan for e in self._entries.values() if e.plan.repo == entry.plan.repo]
        keep = {file.etag for plan in same for file in plan.files}

        def clear() -> None:
            self._records.remove(key)
            discard(entry.plan, self._cache_folder, keep)
            if not self._closing:
                self.discarded.emit()

        self._write(clear)
        if not self._closing:
            self.removed.emit(key)

    def _set(self, entry: _Entry, state: RecordState, note: str = "") -> None:
        """Change what a download does, and write it down; the condition is held."""
        told = self._reason_to_wait if state == "queued" else note
        self._tell(
            entry, replace(entry.progress, state=state, note=told, speed_bps=None, left_s=None)
        )
        record = Record(entry.plan, state, entry.order, note)
        self._write(lambda: self._records.save(record))
        self._condition.notify_all()

    def _tell(self, entry: _Entry, progress: Progress) -> None:
        entry.progress = progress
        if not self._closing:
            self.changed.emit(progress)

    def _write(self, work: Callable[[], None]) -> None:
        """Have the clerk do something, in order."""

        def run() -> None:
            try:
                work()
            except (OSError, HubError) as error:
                if not self._closing:
                    self.failed.emit(str(explain(error)))

        if not self._closing:
            self._clerk.submit(run)


def _new_progress(plan: Plan) -> Progress:
    """Before it is known what is there already; files are looked at on another thread."""
    return Progress(key_of(plan), plan.repo, plan.variant, "queued", 0, plan.size_bytes)
