"""Jobs of the engine's thread, as the main thread uses them: each with what follows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.jobs.workbench import Workbench
    from app.requests import JobEnd, JobProgress
    from app.worker import Worker

T = TypeVar("T")


@dataclass(frozen=True)
class _Errand:
    """What follows a job; whatever is None is not told."""

    then: Callable[[Any], None]
    failed: Callable[[str], None]
    progress: Callable[[float, Any], None] | None
    cancelled: Callable[[], None] | None


class Errands(QObject):
    """Sends jobs to the engine's thread, and calls back on the main thread."""

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._running: dict[str, _Errand] = {}
        worker.job_progressed.connect(self._on_progressed)
        worker.job_ended.connect(self._on_ended)

    def run(
        self,
        job: Callable[[Workbench], T],
        then: Callable[[T], None],
        failed: Callable[[str], None],
        *,
        progress: Callable[[float, Any], None] | None = None,
        cancelled: Callable[[], None] | None = None,
    ) -> str:
        """Have a job done.

        Args:
            job: Runs on the engine's thread, after what was asked before it.
            then: Takes its result.
            failed: Takes the sentence that says why there is none.
            progress: Takes the share that is done, 0 to 1, and what is known already.
            cancelled: Called where it was stopped, by anyone.

        Returns:
            The errand's id, for `stop` and `drop`.
        """
        errand_id = self._worker.run(job)
        self._running[errand_id] = _Errand(then, failed, progress, cancelled)
        return errand_id

    def stop(self, errand_id: str) -> None:
        """Stop an errand, at its next look; `cancelled` follows."""
        self._worker.stop_job(errand_id)

    def drop(self, errand_id: str) -> None:
        """Stop an errand that nobody waits for any more; nothing follows."""
        if self._running.pop(errand_id, None) is not None:
            self._worker.stop_job(errand_id)

    def _on_progressed(self, progress: JobProgress) -> None:
        errand = self._running.get(progress.job_id)
        if errand is not None and errand.progress is not None:
            errand.progress(progress.share, progress.partial)

    def _on_ended(self, end: JobEnd) -> None:
        errand = self._running.pop(end.job_id, None)
        if errand is None:
            return
        if end.cancelled:
            if errand.cancelled is not None:
                errand.cancelled()
        elif end.error:
            errand.failed(end.error)
        else:
            errand.then(end.result)


class LatestErrand:
    """One errand at a time: another one takes the place of what is still under way."""

    def __init__(self, errands: Errands) -> None:
        self._errands = errands
        self._id = ""

    @property
    def is_running(self) -> bool:
        """Whether an errand is under way."""
        return bool(self._id)

    def run(
        self,
        job: Callable[[Workbench], T],
        then: Callable[[T], None],
        failed: Callable[[str], None],
        *,
        progress: Callable[[float, Any], None] | None = None,
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        """As `Errands.run`; nothing follows what was under way before."""
        self.drop()

        def on_then(result: T) -> None:
            self._id = ""
            then(result)

        def on_failed(sentence: str) -> None:
            self._id = ""
            failed(sentence)

        def on_cancelled() -> None:
            self._id = ""
            if cancelled is not None:
                cancelled()

        self._id = self._errands.run(
            job, on_then, on_failed, progress=progress, cancelled=on_cancelled
        )

    def stop(self) -> None:
        """Stop what is under way; `cancelled` follows."""
        if self._id:
            self._errands.stop(self._id)

    def drop(self) -> None:
        """Stop what is under way; nothing follows."""
        if self._id:
            self._errands.drop(self._id)
            self._id = ""
