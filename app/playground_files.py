"""Documents of the playground on disk: saved, opened, and kept by themselves between times."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.chats.loose import as_mapping, as_text
from app.later import Later
from app.playground_document import (
    LARGEST_BYTES,
    Document,
    DocumentError,
    as_json,
    damaged,
    of_json,
    of_plain,
    parsed,
    plain,
)
from ui.whole_file import write


@dataclass(frozen=True)
class Kept:
    """What is kept by itself.

    Attributes:
        document: What is worked on.
        path: The file it was saved to or opened from; "" for none.
        saved: Whether that file holds the same.
        before: What it took the place of without having been saved; None for nothing.
        notice: A sentence on what could not be read; "" where all is well.
    """

    document: Document
    path: str = ""
    saved: bool = True
    before: Document | None = None
    notice: str = ""


class PlaygroundFiles(QObject):
    """Reads and writes in the background, in the order of asking."""

    opened = Signal(str, Document)
    saved = Signal(str, Document)
    restored = Signal(Kept)
    """What was kept when the application ended, or was ended."""
    failed = Signal(str)

    def __init__(self, kept_path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept_path = kept_path
        self._later = Later(lambda error: self.failed.emit(self._sentence(error)), self)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="playground")

    def open(self, path: str) -> None:
        """Read a document; `opened` or `failed` follows."""

        def tell(document: Document) -> None:
            self.opened.emit(path, document)

        self._later.deliver(self._thread.submit(_read, Path(path)), tell)

    def save(self, path: str, document: Document) -> None:
        """Write a document as a whole; `saved` or `failed` follows."""

        def work() -> None:
            write(path, as_json(document))

        def tell(_: None) -> None:
            self.saved.emit(path, document)

        self._later.deliver(self._thread.submit(work), tell)

    def restore(self) -> None:
        """Read what was kept; `restored` follows, with an empty document where there was none."""
        self._later.deliver(self._thread.submit(_read_kept, self._kept_path), self.restored.emit)

    def keep(self, kept: Kept) -> None:
        """Write what must not be lost."""

        def work() -> None:
            self._kept_path.parent.mkdir(parents=True, exist_ok=True)
            values = {
                "document": plain(kept.document),
                "path": kept.path,
                "saved": kept.saved,
                "before": None if kept.before is None else plain(kept.before),
            }
            content = json.dumps(values, ensure_ascii=False).encode("utf-8", "replace")
            write(str(self._kept_path), content)

        self._later.deliver(self._thread.submit(work))

    def close(self) -> None:
        """Write what waits to be written, and end."""
        self._thread.shutdown()

    def _sentence(self, error: Exception) -> str:
        if isinstance(error, OSError):
            reason = error.strerror or str(error)
            return self.tr("The document cannot be read or written: {reason}.").format(
                reason=reason
            )
        return str(error)


def _read(path: Path) -> Document:
    if path.stat().st_size > LARGEST_BYTES:
        raise damaged(path.name)
    return of_json(path.read_bytes(), path.name)


def _read_kept(path: Path) -> Kept:
    """What was kept; a damaged file is set aside, so that nothing is written over it."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return Kept(Document())
    except OSError as error:
        return Kept(Document(), notice=str(error))
    try:
        values = as_mapping(parsed(content, path.name))
        document = of_plain(values.get("document"), path.name)
        before = values.get("before")
        replaced = None if before is None else of_plain(before, path.name)
    except DocumentError as error:
        aside = path.with_suffix(".damaged")
        with suppress(OSError):
            path.replace(aside)
        sentence = QCoreApplication.translate("Playground", "It is kept as {name}.")
        return Kept(Document(), notice=f"{error} {sentence.format(name=aside.name)}")
    return Kept(document, as_text(values.get("path")) or "", values.get("saved") is True, replaced)
