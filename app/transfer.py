"""Chats to files and from files, on a thread of its own; the store is asked in between."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Signal

from app.later import Later
from ui.state import ImportDone, ImportPreview, ImportRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.chats.export import Format
    from app.chats.imports import ImportFile, ImportReport, PreviewChat
    from app.chats.store import Store
    from app.chats.thread import StoreThread


class Transfer(QObject):
    """Exports chats, and imports them in two steps: a preview, then what was chosen of it."""

    exported = Signal(int, str)
    """How many chats were written, and the name of the file."""
    previewed = Signal(ImportPreview)
    imported = Signal(ImportDone)
    failed = Signal(str)

    def __init__(self, store: StoreThread, parent: QObject) -> None:
        super().__init__(parent)
        self._store = store
        self._later = Later(lambda error: self.failed.emit(str(error)), self)
        self._files = ThreadPoolExecutor(1, thread_name_prefix="files")
        self._closing = False
        self._file: ImportFile | None = None

    def export(self, path: str, form: str, chat_ids: Sequence[str]) -> None:
        """Write chats into one file; an empty list is all of them, archived ones too.

        Args:
            path: The file.
            form: "markdown", "text", "html" or "json".
            chat_ids: Which.
        """
        target, ids = Path(path), list(chat_ids)

        def work() -> int:
            from app.chats.export import export_chats  # on this thread, so that no start waits

            wanted = ids or self._store.submit(_all_ids).result()
            return export_chats(
                target,
                cast("Format", form),
                wanted,
                lambda one: self._store.submit(lambda store: store.archive(one)).result(),
                lambda _: not self._closing,
            )

        def on_written(count: int) -> None:
            self.exported.emit(count, target.name)

        self._later.deliver(self._files.submit(work), on_written)

    def preview(self, paths: Sequence[str]) -> None:
        """Read files with chats, and tell what could come in."""

        def work() -> tuple[ImportFile, tuple[PreviewChat, ...]]:
            from app.chats.imports import read_files

            file = read_files(map(Path, paths))
            return file, self._store.submit(lambda store: store.imports.preview(file)).result()

        def on_read(result: tuple[ImportFile, tuple[PreviewChat, ...]]) -> None:
            self._file, rows = result
            self.previewed.emit(_preview(self._file, rows))

        self._later.deliver(self._files.submit(work), on_read)

    def take(self, chat_ids: Sequence[str]) -> None:
        """Bring in what was chosen of the last preview."""
        file, self._file = self._file, None
        if file is None:
            return
        chosen = set(chat_ids)
        future = self._store.submit(
            lambda store: store.imports.run(file, chosen, go_on=lambda _: not self._closing)
        )
        self._later.deliver(future, lambda report: self.imported.emit(_done(report)))

    def close(self) -> None:
        """End what runs, without half a file or half an import, and the thread."""
        self._closing = True
        self._files.shutdown(wait=True, cancel_futures=True)


def _all_ids(store: Store) -> list[str]:
    summaries = (*store.chats(), *store.chats(archived=True))
    return [summary.chat.id for summary in summaries]


def _preview(file: ImportFile, rows: Sequence[PreviewChat]) -> ImportPreview:
    return ImportPreview(
        source=file.source or "Cutaway",
        rows=tuple(
            ImportRow(
                id=row.id,
                title=row.title,
                messages=row.messages,
                day=datetime.fromtimestamp(row.created_at).astimezone().date(),
                here=row.here,
            )
            for row in rows
        ),
        left_out=tuple((one.title, one.reason) for one in file.left_out),
    )


def _done(report: ImportReport) -> ImportDone:
    left_out = tuple((one.title, one.reason) for one in report.left_out)
    return ImportDone(report.chats, report.messages, left_out)
