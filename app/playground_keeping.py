"""Which file the playground's document belongs to, and that nothing of it is lost.

What is worked on is kept by itself a second after every change and when the application ends.
Another document takes its place without a question: Undo brings it back, also after a restart.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.playground_document import Document
from app.playground_files import Kept

if TYPE_CHECKING:
    from app.playground import Playground
    from app.playground_files import PlaygroundFiles

_KEEP_AFTER_MS = 1000


class PlaygroundKeeping(QObject):
    """Joins the document to its file."""

    named = Signal(str, bool)
    """The name of the document's file, "" for none, and whether that file holds all of it."""
    path_wanted = Signal()
    """A document without a file is to be saved: where to?"""
    told = Signal(str)
    restored = Signal()

    def __init__(
        self, playground: Playground, files: PlaygroundFiles, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._files = files
        self._path = ""
        self._saved = Document()
        self._before: Document | None = None
        self._restored = False
        self._timer = QTimer(self, singleShot=True, interval=_KEEP_AFTER_MS)
        self._timer.timeout.connect(self._keep)

    @property
    def is_saved(self) -> bool:
        """Whether the document's file holds all of it, or there is nothing to lose."""
        document = self._playground.document
        return _same(document, self._saved) or (document.is_empty and not self._path)

    @property
    def is_restored(self) -> bool:
        """Whether what was kept is back, so that another document cannot take its place unseen."""
        return self._restored

    def start(self) -> None:
        """Bring back what was worked on; called when the playground is first gone to."""
        if not self._restored:
            self._files.restore()

    def on_restored(self, kept: Kept) -> None:
        """Go on with what was kept, unless something has been written already."""
        if self._restored:
            return
        self._restored = True
        if kept.notice:
            self.told.emit(kept.notice)
        if self._playground.document.is_empty and not kept.document.is_empty:
            if kept.before is not None:
                self._playground.replace_document(kept.before, undoable=False)
            self._path, self._before = kept.path, kept.before
            self._saved = kept.document if kept.saved else Document()
            self._playground.replace_document(kept.document, undoable=True)
        else:
            self._playground.look()
        self._tell()
        self.restored.emit()

    def on_changed(self) -> None:
        """The document has changed: keep it soon."""
        if self._restored:
            self._timer.start()
            self._tell()

    def on_new(self) -> None:
        """Begin an empty document with the same settings."""
        document = self._playground.document
        self._take("", Document(settings=document.settings, other=document.other))

    def on_open(self, path: str) -> None:
        """Open a document."""
        self._files.open(path)

    def on_opened(self, path: str, document: Document) -> None:
        """Work on a document that was read."""
        self._take(path, document)

    def on_save(self) -> None:
        """Write the document to its file, or ask for one."""
        if self._path:
            self._files.save(self._path, self._playground.document)
        else:
            self.path_wanted.emit()

    def on_save_as(self, path: str) -> None:
        """Write the document to a file, which it then belongs to."""
        self._files.save(path, self._playground.document)

    def on_saved(self, path: str, document: Document) -> None:
        """Remember what a file holds."""
        self._path, self._saved = path, document
        self._timer.start()
        self._tell()
        self.told.emit(self.tr("Saved as {name}.").format(name=Path(path).name))

    def close(self) -> None:
        """Keep what is not kept yet."""
        if self._timer.isActive():
            self._timer.stop()
            self._keep()
        self._files.close()

    def _take(self, path: str, document: Document) -> None:
        before = self._playground.document
        self._before = None if self.is_saved else before
        if self._before is not None:
            self.told.emit(self.tr("The document before was not saved; Undo brings it back."))
        self._path = path
        # As the file holds it: reading it with this model may change its tokens, not its text.
        self._saved = document
        self._playground.replace_document(document, undoable=True)
        self._timer.start()
        self._tell()

    def _keep(self) -> None:
        document = self._playground.document
        self._files.keep(Kept(document, self._path, self.is_saved, self._before))

    def _tell(self) -> None:
        self.named.emit(Path(self._path).name if self._path else "", self.is_saved)


def _same(one: Document, other: Document) -> bool:
    """Whether two documents differ at most in what is computed of them anew."""
    return (
        one.text == other.text
        and (one.settings, one.other, one.schema) == (other.settings, other.other, other.schema)
        and one.tokens.ids == other.tokens.ids
        and one.tree == other.tree
    )
