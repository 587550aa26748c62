"""The playground's text: edited, written token by token, taken back, and looked at.

The document changes here at once; what the model says of it follows from the engine's thread. Of
what is asked only the latest counts.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.errands import LatestErrand
from app.playground_document import Document
from app.playground_history import History
from ui.playground.state import PlayText, PlayToken

if TYPE_CHECKING:
    from app.errands import Errands
    from app.jobs.playground import Desk, Look, PlayRequest
    from app.requests import LoadedModel
    from ui.playground.state import Candidate, PlaySettings, SchemaView, Tree

RUN_TOKENS = 256
_WAITING_AFTER_MS = 300
"""How long what was there is shown while something else is read, or waits to be."""


class Playground(QObject):
    """Holds the document, and asks the engine about it."""

    shown = Signal(object, str)
    """The tokens (`PlayText`) and the text; without tokens where they are not known."""
    selected = Signal(int)
    """The place of the token after which the next one is shown; -1 for the last."""
    next_found = Signal(object)
    """A `Distribution`, or None for an empty text."""
    next_refused = Signal(str)
    phase_changed = Signal(str)
    """"" for nothing, "waiting" for the engine, "reading" the text, "writing" it."""
    progressed = Signal(float)
    """How much of the text is read, 0 to 1."""
    told = Signal(str)
    document_changed = Signal()

    def __init__(self, errands: Errands, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = Document()
        self._cursor: int | None = None
        self._history = History()
        self._desk: Desk | None = None
        self._look_errand = LatestErrand(errands)
        self._weigh_errand = LatestErrand(errands)
        self._phase = ""
        self._loading = False
        self._begun_phase = ""
        """What goes on, also while it has to wait."""
        self._waiting = QTimer(self, singleShot=True, interval=_WAITING_AFTER_MS)
        self._waiting.timeout.connect(lambda: self._set_phase("waiting"))
        self._unread = QTimer(self, singleShot=True, interval=_WAITING_AFTER_MS)
        self._unread.timeout.connect(self._on_unread)

    @property
    def document(self) -> Document:
        """What is worked on."""
        return self._document

    @property
    def can_undo(self) -> bool:
        """Whether there is anything to take back."""
        return not self._history.is_empty

    @property
    def is_writing(self) -> bool:
        """Whether tokens are being written."""
        return self._begun_phase == "writing"

    @property
    def desk(self) -> Desk:
        """What the engine's thread keeps of the text."""
        if self._desk is None:
            from app.jobs.playground import Desk

            self._desk = Desk()
        return self._desk

    def request(self, *, cursor: int | None = None) -> PlayRequest:
        """The text as it is to be asked about, after the token at a place or the last one."""
        from app.jobs.playground import PlayRequest

        document, schema = self._document, self._document.schema
        return PlayRequest(
            document.text,
            document.tokens.ids,
            document.tokens.model,
            cursor,
            document.settings,
            schema.text if schema.on else "",
            schema.start,
        )

    def replace_document(self, document: Document, *, undoable: bool) -> None:
        """Work on another document.

        Args:
            document: It.
            undoable: Whether Undo brings the one before back.
        """
        if undoable and not self._document.is_empty:
            self._history.add(self._document)
        self._go_to(document)

    def on_text_edited(self, text: str) -> None:
        """Take on what was typed."""
        if text != self._document.text:
            self._history.add_edit(self._document)
            self._change(replace(self._document, text=text, tokens=PlayText()))
            self.look()

    def on_settings_changed(self, settings: PlaySettings) -> None:
        """Choose tokens in another way; the text is not read again for that."""
        if settings != self._document.settings:
            self._change(replace(self._document, settings=settings), keep_cursor=True)
            self._weigh()

    def on_compared_changed(self, settings: PlaySettings) -> None:
        """Compare with other settings."""
        self._change(replace(self._document, other=settings), keep_cursor=True)

    def on_schema_changed(self, schema: SchemaView) -> None:
        """Keep to another schema, or to none."""
        before = self._document.schema
        if schema != before:
            self._change(replace(self._document, schema=schema), keep_cursor=True)
            if schema.on or before.on:
                self._weigh()

    def set_tree(self, tree: Tree) -> None:
        """Keep another tree in the document; Undo brings one of another prompt back."""
        before = self._document.tree
        if before.nodes and before.prompt.ids != tree.prompt.ids:
            self._history.add(self._document)
        self._change(replace(self._document, tree=tree), keep_cursor=True)

    def on_token_chosen(self, place: int) -> None:
        """Look at what can come after another token."""
        last = len(self._document.tokens.tokens) - 1
        self._cursor = place if 0 <= place < last else None
        self.selected.emit(-1 if self._cursor is None else self._cursor)
        self._weigh()

    def on_taken(self, candidate: Candidate) -> None:
        """Put a token after the chosen one, in place of all that follows it."""
        if self.is_writing:
            return
        tokens = self._document.tokens
        kept = tokens.tokens[: None if self._cursor is None else self._cursor + 1]
        new = PlayToken(candidate.token, candidate.text, candidate.control, candidate.before)
        text = self._document.text if self._cursor is None else _joined(kept)
        after = replace(
            self._document,
            text=text + candidate.text,
            tokens=PlayText((*kept, new), tokens.model),
        )
        self._history.add_tokens(self._document, after)
        self._go_to(after)

    def on_step(self) -> None:
        """Write one token."""
        self._write(1)

    def on_run(self) -> None:
        """Write until the text ends, it is long enough, or it is stopped."""
        self._write(RUN_TOKENS)

    def on_stop(self) -> None:
        """Stop what is being written or read; what is written stays."""
        self._look_errand.stop()

    def on_undo(self) -> None:
        """Take the latest token or edit back."""
        if self.is_writing:
            self.on_stop()
            return
        document = self._history.undo(self._document)
        if document is not None:
            self._go_to(document)

    def on_redo(self) -> None:
        """Bring back what was taken back last."""
        document = None if self.is_writing else self._history.redo(self._document)
        if document is not None:
            self._go_to(document)

    def on_model_loaded(self, _model: LoadedModel) -> None:
        """Read the text with another model."""
        self._loading = False
        self.look()

    def on_model_loading(self, _name: str, _share: float) -> None:
        """Say that a model is coming; the text stays."""
        if not self._loading:
            self._loading = True
            self._end_errands()
            self._refuse(self.tr("A model is being loaded…"))

    def on_model_left(self) -> None:
        """Say that there is no model; the text stays."""
        self._loading = False
        self._end_errands()
        self._refuse(self.tr("No model is loaded; choose one first."))

    def look(self) -> None:
        """Read the text, and tell what can come next."""
        from app.jobs.playground import look

        request, desk = self.request(cursor=self._cursor), self.desk
        self._weigh_errand.drop()
        self._begin("reading")
        self._look_errand.run(
            lambda bench: look(bench, desk, request),
            partial(self._on_looked, request),
            self._on_failed,
            progress=self._on_begun,
            cancelled=self._on_cancelled,
        )

    def _write(self, most: int) -> None:
        if self.is_writing or not self._document.text:
            return
        from app.jobs.playground import write

        request, desk = self.request(), self.desk
        self._weigh_errand.drop()
        self._begin("writing")
        if self._cursor is not None:
            self._cursor = None
            self.selected.emit(-1)
        self._look_errand.run(
            lambda bench: write(bench, desk, request, most),
            partial(self._on_written, request),
            self._on_failed,
            progress=self._on_writing,
            cancelled=self._on_cancelled,
        )

    def _weigh(self) -> None:
        """Tell again what can come next: by other settings, or at another place."""
        if not self._document.text or self._look_errand.is_running:
            return  # what is being read is told about again when it is there
        from app.jobs.playground import weigh

        request, desk = self.request(cursor=self._cursor), self.desk
        self._weigh_errand.run(
            lambda bench: weigh(bench, desk, request), self.next_found.emit, self._refuse
        )

    def _on_looked(self, asked: PlayRequest, look: Look) -> None:
        self._end_phase()
        if look.encoded_anew:
            self._history.forget_tokens()
            self.told.emit(
                self.tr(
                    "Encoded anew for {model}: {before} tokens became {now}; the text is the same."
                ).format(
                    model=look.text.model,
                    before=len(self._document.tokens.tokens),
                    now=len(look.text.tokens),
                )
            )
        exact = bool(asked.ids) and not look.encoded_anew
        # What was typed stays as it was typed, whatever its tokens are spelled like.
        self._take(look if exact else replace(look, plain=asked.text))
        self._weigh_if_changed(asked)

    def _on_begun(self, share: float, _partial: object) -> None:
        self._waiting.stop()
        self._set_phase(self._begun_phase)
        self.progressed.emit(share)

    def _on_writing(self, share: float, partial: object) -> None:
        self._on_begun(share, partial)
        from app.jobs.playground import Look

        if isinstance(partial, Look):
            self._take_written(partial)

    def _on_written(self, asked: PlayRequest, look: Look) -> None:
        self._end_phase()
        self._take_written(look)
        if look.ended == "context":
            self.told.emit(self.tr("The model's context is full."))
        self._weigh_if_changed(asked)

    def _weigh_if_changed(self, asked: PlayRequest) -> None:
        """What was changed meanwhile counts now."""
        now = self.request(cursor=self._cursor)
        if replace(asked, text="", ids=(), model="") != replace(now, text="", ids=(), model=""):
            self._weigh()

    def _take_written(self, look: Look) -> None:
        before = self._document
        after = replace(before, text=look.plain, tokens=look.text)
        self._history.add_tokens(before, after)
        self._take(look)

    def _take(self, look: Look) -> None:
        document = replace(self._document, text=look.plain, tokens=look.text)
        self._change(document, keep_cursor=True)
        self._show()
        if look.problem:
            self.next_refused.emit(look.problem)
        else:
            self.next_found.emit(look.next)

    def _on_failed(self, sentence: str) -> None:
        self._end_phase()
        self._show()
        self._refuse(sentence)

    def _on_cancelled(self) -> None:
        unread = self._begun_phase == "reading" or not self._document.tokens.tokens
        self._end_phase()
        self._show()
        if unread:
            sentence = self.tr("The reading was stopped. Step, Run or another text goes on.")
            self._refuse(sentence)

    def _on_unread(self) -> None:
        """Let go of what was said of the text before: this one may be long, or have to wait."""
        if self._document.text and not self._document.tokens.tokens:
            self._show()
            self._refuse(self.tr("What can come next is shown once the text is read."))

    def _refuse(self, sentence: str) -> None:
        self.next_refused.emit(sentence)

    def _end_errands(self) -> None:
        self._look_errand.drop()
        self._weigh_errand.drop()
        self._end_phase()

    def _go_to(self, document: Document) -> None:
        """Make another document the one that is worked on, and read it."""
        self._change(document)
        self._show()
        self.look()

    def _change(self, document: Document, *, keep_cursor: bool = False) -> None:
        self._document = document
        if not keep_cursor and self._cursor is not None:
            self._cursor = None
            self.selected.emit(-1)
        self.document_changed.emit()

    def _show(self) -> None:
        self.shown.emit(self._document.tokens, self._document.text)

    def _begin(self, phase: str) -> None:
        self._begun_phase = phase
        self._waiting.start()
        self._unread.start()
        if phase == "writing":
            self._set_phase(phase)

    def _end_phase(self) -> None:
        self._begun_phase = ""
        self._waiting.stop()
        self._unread.stop()
        self._set_phase("")

    def _set_phase(self, phase: str) -> None:
        if phase != self._phase:
            self._phase = phase
            self.phase_changed.emit(phase)


def _joined(tokens: tuple[PlayToken, ...]) -> str:
    return "".join(token.text for token in tokens)
