"""Chats to files and from files, on a thread of its own; the store is asked in between."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.later import Later
from ui.state import ImportDone, ImportPreview, ImportRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.chats.export import Format
    from app.chats.import_files import ImportFile
    from app.chats.imports import Import, ImportReport, PreviewChat
    from app.chats.store import Store
    from app.chats.thread import StoreThread


class Transfer(QObject):
    """Exports chats, and imports them in two steps: a preview, then what was chosen of it."""

    exported = Signal(int, str)
    """How many chats were written, and the name of the file."""
    previewed = Signal(ImportPreview)
    imported = Signal(ImportDone)
    progressed = Signal(str, int, int)
    """What is done ("export", "read" or "import"), how much of it, and of how much; 0 of 0 where
    that is not known."""
    ended = Signal()
    """What was done has ended, however."""
    left_over = Signal()
    """An import has ended before its end: what is left of it can be removed."""
    failed = Signal(str)

    def __init__(self, store: StoreThread, parent: QObject) -> None:
        super().__init__(parent)
        self._store = store
        self._later = Later(self._on_error, self)
        self._files = ThreadPoolExecutor(1, thread_name_prefix="files")
        self._closing = False
        self._stopped = False
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

            self._stopped = False
            wanted = ids or self._store.submit(_all_ids).result()

            def go_on(count: int) -> bool:
                self.progressed.emit("export", count, len(wanted))
                return self._may_go_on

            return export_chats(
                target,
                cast("Format", form),
                wanted,
                lambda one: self._store.submit(lambda store: store.archive(one)).result(),
                go_on,
            )

        def on_written(count: int) -> None:
            self.ended.emit()
            if not self._stopped:
                self.exported.emit(count, target.name)

        self._later.deliver(self._files.submit(work), on_written)

    def preview(self, paths: Sequence[str]) -> None:
        """Read files with chats, and tell what could come in."""

        def work() -> tuple[ImportFile, ImportPreview]:
            from app.chats.import_files import read_files

            self._stopped = False
            self.progressed.emit("read", 0, 0)
            file = read_files(map(Path, paths))
            rows = self._store.submit(lambda store: store.imports.preview(file)).result()
            return file, _preview(file, rows)  # here: ten thousand of them take a while

        def on_read(result: tuple[ImportFile, ImportPreview]) -> None:
            self.ended.emit()
            if self._stopped:
                return
            self._file, preview = result
            self.previewed.emit(preview)

        self._later.deliver(self._files.submit(work), on_read)

    def take(self, chat_ids: Sequence[str]) -> None:
        """Bring in what was chosen of the last preview."""
        file, self._file = self._file, None
        if file is None:
            return
        chosen = set(chat_ids)

        def work() -> ImportReport:
            self._stopped = False
            begun = self._store.submit(lambda store: store.imports.begin(file, chosen)).result()
            while self._store.submit(lambda _: begun.step()).result():
                self.progressed.emit("import", begun.done, begun.total)
                if not self._may_go_on:
                    self._give_up(begun)
            return begun.report

        def on_done(report: ImportReport) -> None:
            self.ended.emit()
            self.imported.emit(_done(report))

        self._later.deliver(self._files.submit(work), on_done)

    def stop(self) -> None:
        """End what runs, without half a file or half an import."""
        self._stopped = True

    def close(self) -> None:
        """End what runs, without half a file or half an import, and the thread."""
        self._closing = True
        self._files.shutdown(wait=True, cancel_futures=True)

    @property
    def _may_go_on(self) -> bool:
        return not (self._stopped or self._closing)

    def _give_up(self, begun: Import) -> None:
        from app.chats.imports import ended

        self._store.submit(lambda _: begun.end()).result()
        raise ended()

    def _on_error(self, error: Exception) -> None:
        self.ended.emit()
        self.left_over.emit()
        self.failed.emit(str(error))


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
        lacking=tuple((_named(kind), number) for kind, number in file.partly.items()),
    )


def _named(kind: str) -> str:
    """What chats of other programs hold and ours do not, in the language of the window."""
    translate = QCoreApplication.translate
    names = {
        "picture or file": translate("Import", "pictures and files"),
        "use of a tool": translate("Import", "uses of tools"),
        "reasoning": translate("Import", "thoughts"),
        "custom instructions": translate("Import", "custom instructions"),
        "message without a speaker or words": translate("Import", "messages without words"),
        "repeated message": translate("Import", "repeated messages"),
        "lost link between messages": translate("Import", "links between messages"),
    }
    return names.get(kind, kind)


def _done(report: ImportReport) -> ImportDone:
    left_out = tuple((one.title, one.reason) for one in report.left_out)
    return ImportDone(report.chats, report.messages, left_out)
