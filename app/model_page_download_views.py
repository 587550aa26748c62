"""The words and figures of downloads, for their section of the page of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from ui import figures
from ui.counts import Counts
from ui.models.values import DownloadView, FileView

if TYPE_CHECKING:
    from app.library.download_progress import Overall, Progress

_MINUTE_S, _HOUR_S = 60, 3600

translate = QCoreApplication.translate


def download_view(progress: Progress) -> DownloadView:
    """A download as a row."""
    return DownloadView(
        key=progress.key,
        title=f"{progress.repo} {progress.variant}".strip(),
        state=progress.state,
        share=progress.done_bytes / max(progress.size_bytes, 1),
        figures=_of(progress.done_bytes, progress.size_bytes),
        detail=download_words(progress),
        files=tuple(
            FileView(
                file.name,
                " · ".join(
                    text
                    for text in (_of(file.done_bytes, file.size_bytes), left_words(file.left_s))
                    if text and file.done_bytes < file.size_bytes
                )
                or figures.size(file.size_bytes),
                file.done_bytes / max(file.size_bytes, 1),
            )
            for file in progress.files
        ),
        source=progress.source,
    )


def download_words(progress: Progress) -> str:
    """What becomes of a download."""
    words = {
        "queued": translate("Models", "Waits for its turn"),
        "running": translate("Models", "Downloading"),
        "waiting": translate("Models", "Another program is fetching the same; waiting for it"),
        "stalled": translate("Models", "Stalled, trying again"),
        "paused": translate("Models", "Paused"),
        "failed": translate("Models", "Failed"),
        "done": translate("Models", "Done, and checked by size and hash"),
    }
    if progress.state == "running" and progress.speed_bps:
        speed = f"{figures.size(int(progress.speed_bps))}/s"
        return " · ".join(text for text in (speed, left_words(progress.left_s)) if text)
    if progress.state == "queued" and progress.note:
        return progress.note
    said = words[progress.state]
    return f"{said}: {progress.note}" if progress.note else said


def overall_words(overall: Overall) -> str:
    """All downloads in a line."""
    if not overall.count:
        return ""
    share = overall.done_bytes / max(overall.size_bytes, 1)
    count = Counts().downloads(overall.count)
    words = (count, figures.percent(share), left_words(overall.left_s))
    return " · ".join(word for word in words if word)


def left_words(seconds: float | None) -> str:
    """How long something still takes, roughly."""
    if seconds is None:
        return ""
    if seconds < _MINUTE_S:
        return Counts().seconds_left(max(round(seconds), 1))
    if seconds < _HOUR_S:
        return Counts().minutes_left(round(seconds / _MINUTE_S))
    return Counts().hours_left(round(seconds / _HOUR_S))


def _of(done: int, size: int) -> str:
    return translate("Models", "{done} of {all}").format(
        done=figures.size(done), all=figures.size(size)
    )
