"""The engine's thread: it alone loads, generates and frees; the rest of the app sends requests.

Requests queue up and are answered in order; a stop goes around the queue through an event. Only
plain values leave the thread, as Qt signals that arrive on the receiver's thread.
"""

from __future__ import annotations

import queue
import sys
import threading
from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.library.settings import LoadSettings
from app.requests import (
    CloseRequest,
    Count,
    CountRequest,
    ForgetRequest,
    JobEnd,
    JobProgress,
    JobRequest,
    LoadedModel,
    LoadRequest,
    MeasureRequest,
    ReplyBegin,
    ReplyEnd,
    ReplyPiece,
    ReplyRequest,
    Request,
    UnloadRequest,
)
from ui.state import Telemetry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.jobs.workbench import Workbench

# How long the window may wait for the interpreter's lock, which it asks for several times a frame
# while the engine's thread describes a step to MLX; Python's own 5 ms each add up to lost frames.
_LOCK_WAIT_S = 0.0005


class Worker(QObject):
    """Sends requests to the engine's thread and hands out what comes back.

    `start` begins the thread, `close` asks it to end; `closed` is emitted as its last act, after
    which `join` returns at once.
    """

    loading = Signal(str, float)
    loaded = Signal(LoadedModel)
    load_failed = Signal(str, str)
    """A source and a sentence; no model is loaded now."""
    load_refused = Signal(str, str)
    """The same, but the model from before is there: `loaded` has just told of it."""
    unloaded = Signal()
    began = Signal(ReplyBegin)
    produced = Signal(ReplyPiece)
    ended = Signal(ReplyEnd)
    measured = Signal(Telemetry)
    counted = Signal(Count)
    job_progressed = Signal(JobProgress)
    job_ended = Signal(JobEnd)
    closed = Signal()

    def __init__(
        self,
        parent: QObject | None = None,
        sessions: Path | None = None,
        settings_of: Callable[[str], LoadSettings] | None = None,
    ) -> None:
        """Get ready; nothing runs yet.

        Args:
            parent: Owns this object.
            sessions: The folder for sessions that do not fit in memory, and for the next start.
            settings_of: Says how to load a source; called on the engine's thread.
        """
        super().__init__(parent)
        self.sessions = sessions
        self.settings_of = settings_of or _usual_settings
        self._requests: queue.SimpleQueue[tuple[Request, threading.Event]] = queue.SimpleQueue()
        self._stops: list[tuple[Request, threading.Event]] = []
        self._running: Request | None = None
        self._job_ids = count(1)
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="engine")

    def start(self) -> None:
        """Begin the thread; requests sent before are waiting for it."""
        sys.setswitchinterval(_LOCK_WAIT_S)
        self._thread.start()

    def load(self, source: str) -> None:
        """Load `source`; a load or reply that is still running or waiting is stopped first."""
        self._stop_all()
        self._send(LoadRequest(source))

    def unload(self) -> None:
        """Free the model; whatever runs or waits is stopped first."""
        self._stop_all()
        self._send(UnloadRequest())

    def reply(self, request: ReplyRequest) -> None:
        """Queue a reply."""
        self._send(request)

    def forget(self, chat_id: str) -> None:
        """Drop the session of a chat that was deleted."""
        self._send(ForgetRequest(chat_id))

    def measure(self, chat_id: str) -> None:
        """Ask for the figures of a chat's session."""
        self._send(MeasureRequest(chat_id))

    def count(self, request: CountRequest) -> None:
        """Ask for a count; those that still wait are dropped, for nobody looks at them any more."""
        self.drop_counts()
        self._send(request)

    def drop_counts(self) -> None:
        """Let counts that wait go, as when the question itself is asked."""
        self._drop(lambda request: isinstance(request, CountRequest))

    def run(self, job: Callable[[Workbench], object]) -> str:
        """Queue a job; `job_ended` comes once for it, whatever happens.

        Returns:
            The job's id, which its signals carry.
        """
        job_id = f"job-{next(self._job_ids)}"
        self._send(JobRequest(job_id, job))
        return job_id

    def stop_job(self, job_id: str) -> None:
        """Stop one job, which ends as cancelled; at once where it still waits."""
        if self._drop(lambda request: isinstance(request, JobRequest) and request.job_id == job_id):
            self.job_ended.emit(JobEnd(job_id, cancelled=True))

    def stop_reply(self, reply_id: str) -> None:
        """Stop one reply, which ends as `cancelled`.

        One that runs ends within a prefill chunk or a token, one that still waits for another
        reply or for the model ends at once.
        """
        if self._drop(lambda asked: isinstance(asked, ReplyRequest) and asked.reply_id == reply_id):
            self.ended.emit(ReplyEnd(reply_id, "cancelled"))

    def close(self) -> None:
        """Stop whatever runs or waits and end the thread; returns at once."""
        self._stop_all()
        self._send(CloseRequest())

    def join(self) -> None:
        """Wait for the thread to end; call `close` before."""
        if self._thread.ident is not None:
            self._thread.join()

    @property
    def is_superseded(self) -> bool:
        """Whether a load, an unloading or the end is asked for behind what runs."""
        with self._lock:
            return any(
                isinstance(request, LoadRequest | UnloadRequest | CloseRequest)
                and request is not self._running
                for request, _ in self._stops
            )

    def _send(self, request: Request) -> None:
        stop = threading.Event()
        with self._lock:
            self._stops.append((request, stop))
        self._requests.put((request, stop))

    def _drop(self, is_meant: Callable[[Request], bool]) -> bool:
        """Stop what is meant; True where it waited, and nothing will be heard of it."""
        dropped = False
        with self._lock:
            for entry in list(self._stops):
                request, stop = entry
                if is_meant(request):
                    stop.set()
                    if request is not self._running:
                        self._stops.remove(entry)
                        dropped = True
        return dropped

    def _stop_all(self) -> None:
        with self._lock:
            for _, stop in self._stops:
                stop.set()

    def _run(self) -> None:
        # Importing the engine takes a moment: it happens here, behind the window.
        from app.engine_side import engine_side

        answers = engine_side(self)
        request: Request | None = None
        while not isinstance(request, CloseRequest):
            request, stop = entry = self._requests.get()
            with self._lock:
                if entry not in self._stops:  # stopped while it waited
                    continue
                self._running = request
            try:
                answers.answer(request, stop)
            finally:
                with self._lock:
                    self._stops.remove(entry)
                    self._running = None
        self.closed.emit()


def _usual_settings(_: str) -> LoadSettings:
    return LoadSettings()
