"""The playground's text in large letters, the keys and buttons that write it, and its figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from ui import figures
from ui import theme as look
from ui.announce import announce
from ui.charts.values import StripToken, TokenStrip
from ui.charts.view import ChartView
from ui.controls import ElidedLabel
from ui.controls_buttons import ActionButton
from ui.counts import Counts
from ui.pieces import visible
from ui.playground.beginnings import Beginnings
from ui.playground.editor import STEPS, PlayEditor, is_run
from ui.playground.state import PlayText, PlayToken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent, QResizeEvent

    from ui.charts.values import Chart
    from ui.playground.state import Distribution, Shade
    from ui.theme import Theme

_ROW = 35
MOST_SHOWN = 600
"""Tokens that are drawn at once: more of them would hold the window up."""
_MOST_PLAIN = 5000
_MOST_SAID = 40
_BEFORE, _AFTER = "before", "after"
_FIGURES = 190
_LAST, _MOST_STRETCH = 5, 100


@dataclass(frozen=True)
class Part:
    """The part of a long text that is shown: the first token, and the one after the last."""

    start: int
    end: int

    @staticmethod
    def around(place: int | None, count: int) -> Part:
        """The part that a token is in the middle of; the end of the text for None."""
        first = count - MOST_SHOWN if place is None else place - MOST_SHOWN // 2
        start = max(min(first, count - MOST_SHOWN), 0)
        return Part(start, min(start + MOST_SHOWN, count))


def text_strip(
    text: PlayText, plain: str, selected: int | None, shade: Shade | None, part: Part
) -> TokenStrip:
    """The text as large tokens, coloured by what the model did not expect, or by a shade.

    Args:
        text: The tokens; none where they are not known.
        plain: The text, which then stands for them.
        selected: The place of the chosen token; None for none.
        shade: Other numbers to colour by.
        part: What is shown of the tokens; the rest is told by its number.
    """
    surprise = QCoreApplication.translate("Playground", "surprise")
    name = surprise if shade is None else shade.name
    if not text.tokens:
        shown = (StripToken(plain[-_MOST_PLAIN:]),) if plain else ()
        return TokenStrip(shown, caret=True, large=True, strength_name=name)
    last = len(text.tokens) - 1
    strip = [
        _strip_token(text.tokens[place], place, shade) for place in range(part.start, part.end)
    ]
    if part.start:
        before = Counts().tokens_before(part.start)
        strip.insert(0, StripToken(f"{before} ", faded=True, key=_BEFORE))
    if part.end <= last:
        after = last + 1 - part.end
        told = Counts().tokens_after(after)
        strip.append(StripToken(f" {told}", faded=True, key=_AFTER))
    marked = None
    if selected is not None and selected < last and part.start <= selected < part.end:
        marked = selected - part.start + (1 if part.start else 0)
    return TokenStrip(
        tuple(strip),
        selected=marked,
        caret=part.end > last,
        large=True,
        edges=True,
        strength_name=name,
    )


def _strip_token(token: PlayToken, place: int, shade: Shade | None) -> StripToken:
    if shade is not None:
        known = place < len(shade.strengths)
        strength = shade.strengths[place] if known else 0.0
    else:
        strength = token.surprise
    return StripToken(
        token.shown,
        min(max(strength, 0.0), 1.0),
        control=token.control,
        tip=_tip(token, place),
        key=str(place),
    )


class TextPanel(QWidget):
    """The text itself, and Step, Run, Undo.

    It shows the text as tokens; typing, or Edit, turns it into a field in the same place, and
    Return or leaving it turns it back. Return writes a token, Cmd-Return more, Esc stops.
    """

    edited = Signal(str)
    token_chosen = Signal(int)
    step_wanted = Signal()
    run_wanted = Signal()
    stop_wanted = Signal()
    undo_wanted = Signal()
    redo_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._text = PlayText()
        self._plain: str = ""
        self._selected: int | None = None
        self._shade: Shade | None = None
        self._phase = ""
        self._entropy: float | None = None
        self._rows = 5
        self._share = 0.0
        self._part = Part(0, 0)
        self.strip = ChartView(TokenStrip(()), theme)
        self.editor = PlayEditor(theme)
        self.step = ActionButton(theme, self.tr("Step"), shortcut_words=_keys("Return"))
        self.run = ActionButton(theme, self.tr("Run"), shortcut_words=_keys("Ctrl+Return"))
        self.stop = ActionButton(theme, self.tr("Stop"), shortcut_words=_keys("Esc"))
        self.stop.hide()
        self.undo = ActionButton(theme, self.tr("Undo"), shortcut_words=_keys("Ctrl+Z"))
        self.edit = ActionButton(theme, self.tr("Edit"))
        self.caption = ElidedLabel(theme.font(look.HEAD))
        self.beginnings = Beginnings(theme)
        self.figures = ElidedLabel(theme.font(look.TEXT - 1))
        self.figures.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.area = QScrollArea()
        self._buttons, self._below = QHBoxLayout(), QHBoxLayout()
        self._filler = QWidget()
        self._lay_out()
        self._connect_signals()
        self._paint_labels()
        self.show_text(PlayText(), "")

    def _lay_out(self) -> None:
        page = QWidget()
        inside = QVBoxLayout(page)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.strip)
        inside.addStretch(1)
        self.area.setWidget(page)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.viewport().setAutoFillBackground(False)
        page.setAutoFillBackground(False)
        self.strip.installEventFilter(self)
        page.installEventFilter(self)
        row, below = self._buttons, self._below
        row.setSpacing(10)
        for button in (self.step, self.run, self.stop, self.undo, self.edit):
            row.addWidget(button)
        row.addWidget(self.figures, _MOST_STRETCH)
        row.addWidget(self._filler, 1)
        self._filler.hide()
        below.addWidget(self.caption, _MOST_STRETCH)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.area)
        column.addWidget(self.editor)
        column.addSpacing(4)
        column.addLayout(below)
        column.addSpacing(12)
        column.addLayout(row)
        column.addWidget(self.beginnings)

    def _connect_signals(self) -> None:
        self.strip.activated.connect(self._on_activated)
        self.editor.edited.connect(self.edited)
        self.editor.stepped.connect(self._on_stepped)
        self.editor.run_wanted.connect(self.on_run)
        self.editor.undo_wanted.connect(self.undo_wanted)
        self.editor.redo_wanted.connect(self.redo_wanted)
        self.editor.left.connect(self._on_left)
        self.step.clicked.connect(self.on_step)
        self.run.clicked.connect(self.on_run)
        self.stop.clicked.connect(self.stop_wanted)
        self.undo.clicked.connect(self.undo_wanted)
        self.edit.clicked.connect(self.on_edit)
        self.beginnings.chosen.connect(self._on_beginning)
        self._theme.changed.connect(self._paint_labels)

    @property
    def is_editing(self) -> bool:
        """Whether the text is a field now."""
        return not self.editor.isHidden()

    @property
    def is_busy(self) -> bool:
        """Whether something is being read or written, or waits to be."""
        return bool(self._phase)

    @property
    def is_writing(self) -> bool:
        """Whether tokens are being written."""
        return self._phase == "writing"

    def set_rows(self, rows: int) -> None:
        """How many lines are shown at once; the rest is scrolled to."""
        if rows != self._rows:
            self._rows = rows
            self._fit()

    def show_text(self, text: PlayText, plain: str) -> None:
        """Show a text; without tokens where they are not known."""
        self._say_written(text)
        self._text, self._plain = text, plain
        self._part = Part.around(self._selected, len(text.tokens))
        typed = self.editor.toPlainText() if self.is_editing else plain
        if typed == plain:
            self.editor.set_tokens(text.tokens)
        elif not self.editor.is_typing:
            self.editor.set_text(plain)  # it was changed by other means than typing
            self._set_editing(editing=False)
        if not plain and not text.tokens:
            self._set_editing(editing=True)
        self._draw()

    def show_selected(self, place: int | None) -> None:
        """Mark the token after which the next one is shown; None is the last."""
        self._selected = place
        if place is None or not self._part.start <= place < self._part.end:
            self._part = Part.around(place, len(self._text.tokens))
        self._draw()

    def show_shade(self, shade: Shade | None) -> None:
        """Colour the tokens by other numbers; None for how unexpected they are."""
        self._shade = shade
        self._draw()

    def show_next(self, found: Distribution | None) -> None:
        """Tell how undecided the model is at the cursor."""
        self._entropy = None if found is None else found.entropy
        self._tell()

    def show_phase(self, phase: str) -> None:
        """Show what is being done: "" for nothing."""
        self._phase, self._share = phase, 0.0
        writing = phase == "writing"
        self.run.setVisible(not writing)
        self.stop.setVisible(writing)
        self.step.setEnabled(not writing and bool(self._plain))
        self._tell()

    def show_progress(self, share: float) -> None:
        """Show how much is read or written, 0 to 1."""
        self._share = share
        self._tell()

    def set_undoable(self, *, undoable: bool) -> None:
        """Whether there is something to take back."""
        self.undo.setEnabled(undoable)

    def start_editing(self, typed: str = "") -> None:
        """Turn the text into a field, and put what was typed at its end."""
        if not self.is_editing:
            self._set_editing(editing=True)
            self.editor.set_text(self._plain)
            self.editor.set_tokens(self._text.tokens)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        if typed:
            self.editor.insertPlainText(typed)

    def on_edit(self) -> None:
        """Turn the text into a field."""
        self.start_editing()

    def on_step(self) -> None:
        """Write a token."""
        self._stop_editing()
        if self._phase != "writing":
            self.step_wanted.emit()

    def on_run(self) -> None:
        """Write on."""
        self._stop_editing()
        if self._phase != "writing":
            self.run_wanted.emit()

    def charts(self) -> Sequence[Chart]:
        """The text as it looks, for export."""
        return (self.strip.chart,) if self._text.tokens else ()

    @override
    def event(self, event: QEvent) -> bool:
        override_asked = event.type() == QEvent.Type.ShortcutOverride
        if override_asked and isinstance(event, QKeyEvent) and is_run(event):
            event.accept()  # in the chat these keys send
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        typed = event.text()
        plain = not event.modifiers() & ~(
            Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
        )
        if is_run(event):
            self.on_run()
        elif event.key() in STEPS:
            self.on_step()
        elif event.key() == Qt.Key.Key_F2:
            self.start_editing()
        elif plain and typed and typed.isprintable() and self._phase != "writing":
            self.start_editing(typed)
        else:
            super().keyPressEvent(event)

    @override
    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonDblClick:
            self.start_editing()
            return True
        return False

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.start_editing()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        # Where the buttons need the room, the figures stand beside the caption.
        needed = sum(b.sizeHint().width() + 10 for b in (self.step, self.run, self.undo, self.edit))
        row = self._buttons if self.width() - needed >= _FIGURES else self._below
        if row.indexOf(self.figures) < 0:
            row.insertWidget(min(_LAST, row.count()), self.figures, _MOST_STRETCH)
            self._filler.setVisible(row is self._below)  # it keeps the buttons together

    def _say_written(self, text: PlayText) -> None:
        """Have a screen reader say the tokens that were put at the end."""
        old, new = self._text.tokens, text.tokens
        added = new[len(old) :]
        if old and 0 < len(added) <= _MOST_SAID and not self.is_editing:
            announce(self.strip, "".join(token.text for token in added))

    def _draw(self) -> None:
        self.strip.set_chart(
            text_strip(self._text, self._plain, self._selected, self._shade, self._part)
        )
        self._fit()
        self._tell()
        there = bool(self._plain)
        self.step.setEnabled(there and self._phase != "writing")
        self.run.setEnabled(there)
        self.beginnings.setVisible(not there and not self._text.tokens)
        if self._selected is None:
            bar = self.area.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _fit(self) -> None:
        width = max(self.area.width(), 120)
        height = min(self.strip.heightForWidth(width), self._rows * _ROW)
        if height != self.area.height():
            self.area.setFixedHeight(max(height, 36))

    def _tell(self) -> None:
        count = len(self._text.tokens)
        parts = [Counts().tokens(count)]
        if self._entropy is not None and count:
            bits = figures.decimal(self._entropy, 1)
            parts.append(self.tr("entropy {bits} bits").format(bits=bits))
        self.figures.set_whole(" · ".join(parts) if count else "")
        self.caption.set_whole(self._caption())
        for line in (self.caption, self.figures):  # side by side each has the share it needs
            width = line.fontMetrics().horizontalAdvance(line.whole)
            self._below.setStretchFactor(line, width // 4 + 1)  # Qt takes no more than 255

    def _caption(self) -> str:
        if self._phase == "waiting":
            return self.tr("Waiting for the engine: a reply or another task comes first…")
        if self._phase == "reading" and self._share:
            share = figures.percent(self._share)
            return self.tr("Reading the text: {share}. Esc stops.").format(share=share)
        if not self._plain:
            return self.tr("Return writes the next token. Control tokens are written by name.")
        if not self._text.tokens:
            return ""
        if self._shade is not None:
            named = self.tr("Colour: {name}").format(name=self._shade.name)
            return " · ".join(part for part in (named, self._shade.note) if part)
        return self.tr("Colour: how little the model expected each token")

    def _paint_labels(self) -> None:
        self.caption.set_color(self._theme.colors.faint)
        self.figures.set_color(self._theme.colors.dim)

    def _set_editing(self, *, editing: bool) -> None:
        if editing == self.is_editing:
            return
        typed = self.editor.toPlainText()
        if not editing and typed != self._plain:  # its tokens may be long in coming
            self._text, self._plain = PlayText(), typed
            self._draw()
        had_focus = self.editor.hasFocus() or self.strip.hasFocus()
        shown, hidden = (self.editor, self.area) if editing else (self.area, self.editor)
        shown.show()
        if had_focus:  # before the other one goes, or it would go anywhere
            target = self.editor if editing else self.strip
            target.setFocus(Qt.FocusReason.OtherFocusReason)
        hidden.hide()

    def _stop_editing(self) -> None:
        if self.is_editing and self.editor.toPlainText():
            self.editor.flush()
            self._set_editing(editing=False)

    def _on_stepped(self) -> None:
        if self.editor.toPlainText():
            self.on_step()

    def _on_left(self) -> None:
        if self.editor.toPlainText():
            self._set_editing(editing=False)

    def _on_beginning(self, text: str) -> None:
        self.editor.set_text(text)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edited.emit(text)
        self._set_editing(editing=False)

    def _on_activated(self, key: str) -> None:
        if key in {_BEFORE, _AFTER}:
            edge = self._part.start if key == _BEFORE else self._part.end - 1
            self._part = Part.around(edge, len(self._text.tokens))
            self._draw()
        else:
            self.token_chosen.emit(int(key))


def _tip(token: PlayToken, number: int) -> str:
    """What hovering a token tells."""
    translate = QCoreApplication.translate
    head = translate("Playground", "{text} · id {id} · token {number} of the text").format(
        text=visible(token.shown), id=token.token, number=figures.count(number + 1)
    )
    if token.probability is None or token.entropy is None:
        return head
    told = translate("Playground", "{share} by the model · rank {rank} · entropy {bits} bits")
    return f"{head}\n" + told.format(
        share=figures.share(token.probability),
        rank=figures.count(token.rank),
        bits=figures.decimal(token.entropy, 2),
    )


def _keys(keys: str) -> str:
    """Keys as the system writes them, Return as the sign on it."""
    native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    return native.replace("Return", "⏎")
