"""Where the user writes: grows with the text, sends on Return, stops on Esc, takes files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QGuiApplication,
    QPainter,
    QPen,
    QTextCursor,
)
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from ui import theme as look
from ui.chat.attachments import Chips
from ui.chat.budget import BudgetLine, budget_text
from ui.chat.draft import Draft
from ui.controls import QuietButton, RoundButton
from ui.figures import count
from ui.icons import Icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import (
        QPaintEvent,
        QResizeEvent,
    )

    from ui.chat.spelling import Spelling, SpellMarks
    from ui.state import AttachmentView, BudgetView
    from ui.theme import Theme

_SIDE = 16
_PAD = 13
_BUTTON = 32
_STATUS = 26
_BELOW = 4
_ATTACH = 26
_LEAST = 26
_ROOM = 2
"""More than the text's height, or Qt would scroll it."""
_BLANK = 4000
"""Nobody types so many spaces; looking through more at every key would take long."""
_CHIPS_SIDE = 10


class Composer(QWidget):
    """The draft in its frame with the files above it, and a line of figures below."""

    submitted = Signal(str)
    refused = Signal()
    """The question was to be sent, and its budget says that it cannot be."""
    stop_requested = Signal()
    escaped = Signal()
    """Esc while there is nothing to stop."""
    text_changed = Signal(str)
    """The draft is another one, whoever wrote it."""
    attach_requested = Signal()
    """Files are to be chosen."""
    files_given = Signal(list)
    text_given = Signal(str)
    """A very long text that was pasted, and that might rather go along as a file."""
    attachment_removed = Signal(str)
    settings_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._busy = self._drop = self._dashed = False
        self._context = (0, 0, 0, 0)
        self._budget: BudgetView | None = None
        self._spell_marks: SpellMarks | None = None
        self._draft = Draft(theme, self)
        self._draft.take_files()
        self.chips = Chips(theme, self)
        self._attach = QuietButton(theme, icon=Icon.PLUS)
        self._attach.setParent(self)
        self._attach.setFixedSize(_BUTTON, _BUTTON)
        self._attach.setAccessibleName(self.tr("Attach files"))
        self._attach.setToolTip(self.tr("Attach files"))
        self._button = RoundButton(theme, Icon.ARROW_UP, _BUTTON, self, main=True)
        self.line = BudgetLine(theme, self)
        self.setFocusProxy(self._draft)
        self.setTabOrder(self._draft, self._attach)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._dress()
        self._update_button()
        self._connect_signals()

    def _connect_signals(self) -> None:
        self._draft.send.connect(self.send)
        self._draft.stop.connect(self._on_stop)
        self._draft.textChanged.connect(self._on_text_changed)
        self._draft.focus_changed.connect(self.update)
        self._draft.files_given.connect(self.files_given)
        self._draft.text_given.connect(self.text_given)
        self._draft.document().documentLayout().documentSizeChanged.connect(self.updateGeometry)
        self._button.clicked.connect(self._on_button)
        self._attach.clicked.connect(self.attach_requested)
        self.chips.removed.connect(self.attachment_removed)
        self.line.settings_requested.connect(self.settings_requested)
        self._theme.changed.connect(self._dress)

    @property
    def draft(self) -> Draft:
        """The text field."""
        return self._draft

    @property
    def button(self) -> RoundButton:
        """The button that sends, or stops while a reply is being written."""
        return self._button

    @property
    def busy(self) -> bool:
        """Whether a reply of the shown chat is being written."""
        return self._busy

    @property
    def status(self) -> str:
        """The line of figures below the frame."""
        return self.line.text

    @property
    def attach_button(self) -> QuietButton:
        """The button that asks for files."""
        return self._attach

    @property
    def budget(self) -> BudgetView | None:
        """What the question that is written takes; None where that is not known (any more)."""
        return self._budget

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to send: neither words nor a file."""
        if self.chips.chips or self._draft.document().characterCount() > _BLANK:
            return False
        return not self._draft.toPlainText().strip()

    def send(self) -> None:
        """Hand the draft over, unless it is blank, not finished, or a reply is being written."""
        text = self._draft.toPlainText()
        reading = any(chip.view.reading for chip in self.chips.chips)
        if self._busy or self._draft.composing or self.is_empty or reading:
            return
        if self._budget is not None and self._budget.problem:
            self.refused.emit()
            return
        cursor = self._draft.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        self._draft.make_ready_for(0)
        self.submitted.emit(text)

    def restore(self, text: str) -> None:
        """Put a text back, before whatever has been written since."""
        self._draft.make_ready_for(len(text))
        cursor = self._draft.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.Start)
        # Where the user writes stays where it is: behind it.
        cursor.insertText(text if self._draft.document().isEmpty() else f"{text}\n")

    def set_text(self, text: str) -> None:
        """Show another draft, as that of another chat."""
        if text != self._draft.toPlainText():
            self._draft.make_ready_for(len(text))
            self._draft.setPlainText(text)
            self._draft.moveCursor(QTextCursor.MoveOperation.End)

    def take_out(self, text: str) -> None:
        """Take a text that was pasted out of the draft again, where it still stands there."""
        before, found, after = self._draft.toPlainText().partition(text)
        if found:
            self.set_text(before + after)

    def set_attachments(self, views: Sequence[AttachmentView]) -> None:
        """Show the files that go with the question."""
        had_focus = any(chip.hasFocus() for chip in self.chips.chips)
        self.chips.set_attachments(views)
        if had_focus and not any(chip.hasFocus() for chip in self.chips.chips):
            self._draft.setFocus()
        self._on_changed()

    def set_budget(self, budget: BudgetView | None) -> None:
        """Say what the question takes; None where that is not known (any more)."""
        self._budget = budget
        self._show_figures()

    def set_spelling(self, spelling: Spelling | None) -> None:
        """Underline what this finds misspelt in the draft; nothing with None."""
        if self._spell_marks is None and spelling is not None:
            from ui.chat.spelling import SpellMarks  # late: not every system checks spelling

            self._spell_marks = SpellMarks(self._draft, self._theme)
        if self._spell_marks is not None:
            self._spell_marks.set_spelling(spelling)

    def show_next_misspelt(self) -> None:
        """Go to the next misspelt word of the draft, with what can be done about it."""
        if self._spell_marks is not None:
            self._spell_marks.show_next()

    @property
    def misspelt(self) -> tuple[str, ...]:
        """The words of the draft that are underlined."""
        return () if self._spell_marks is None else self._spell_marks.words

    def set_drop(self, *, over: bool) -> None:
        """Show that files which are dragged would be taken."""
        self._drop = over
        self.update()

    def set_dashed(self, *, dashed: bool) -> None:
        """Draw the frame with dashes, as that of a chat which does not last."""
        self._dashed = dashed
        self.update()

    def set_settings(self, text: str) -> None:
        """Say in a few words how the chat is set."""
        self.line.set_settings(text)

    def set_busy(self, *, busy: bool) -> None:
        """Turn the button into stop while a reply is being written; the draft stays open."""
        self._busy = busy
        self._update_button()
        self._show_figures()

    def set_context(self, tokens: int, limit: int, fresh: int = 0, reused: int = 0) -> None:
        """Say how full the context is.

        Args:
            tokens: In the context now.
            limit: That the context holds; 0 where no model is loaded.
            fresh: Of the last prompt, prefilled.
            reused: Of the last prompt, taken from the cache.
        """
        self._context = (tokens, limit, fresh, reused)
        self._show_figures()

    def _context_text(self) -> str:
        """What the context holds, of what the model sees at once."""
        tokens, limit, fresh, reused = self._context
        if not limit:
            return ""
        if self._budget is not None and self._budget.limit:
            limit = self._budget.limit  # a window is smaller than the context
            # Of a chat that was opened nothing is held yet, and of one whose branch was left it is
            # what the former one left there; then its next prompt is what counts.
            if not tokens or (self._budget.cache_is_other and not self._busy):
                tokens, fresh, reused = self._budget.tokens, 0, 0
            tokens = min(tokens, limit)  # behind a window more may be held, which is not seen
        text = self.tr("{used} of {limit} tokens").format(used=count(tokens), limit=count(limit))
        if fresh or reused:
            text += "    " + self.tr("{fresh} new, {reused} reused").format(
                fresh=count(fresh), reused=count(reused)
            )
        return text

    def _show_figures(self) -> None:
        """What is being written counts until it is asked."""
        budget = None if self._busy or self.is_empty else self._budget
        if budget is None:
            self.line.set_figures(self._context_text())
        else:
            self.line.set_figures(budget_text(budget), alarming=bool(budget.problem))

    @override
    def sizeHint(self) -> QSize:
        line = QFontMetrics(self._draft.font()).lineSpacing()
        highest = max(self.window().height() // 3, 4 * line)
        height = min(self._draft.text_height(highest) + _ROOM, highest)
        height = max(height, _LEAST) + 2 * _PAD + _STATUS + _BELOW
        return QSize(self._theme.measure, height + self._chips_height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def _arrange(self) -> None:
        frame = self._frame()
        above = self._chips_height()
        room = round(frame.height()) - above
        lift = (_LEAST - self._draft.text_height(_LEAST)) // 2  # a single low line is centred
        left = round(frame.x()) + _SIDE + _ATTACH
        self._draft.setGeometry(
            left,
            above + _PAD + lift,
            round(frame.right()) - left - _SIDE - _BUTTON - 4,
            room - 2 * _PAD - lift,
        )
        self.chips.setGeometry(
            round(frame.x()) + _CHIPS_SIDE,
            _CHIPS_SIDE,
            round(frame.width()) - 2 * _CHIPS_SIDE,
            max(above - _CHIPS_SIDE, 0),
        )
        bottom = round(frame.bottom()) - _BUTTON - 10
        self._attach.move(round(frame.x()) + 9, bottom)
        self._button.move(round(frame.right()) - _BUTTON - 10, bottom)
        self.line.setGeometry(
            round(frame.x()) + 2, round(frame.bottom()) + 2, round(frame.width()) - 4, _STATUS - 2
        )
        self.updateGeometry()

    def _chips_height(self) -> int:
        """How much room the files take at the top of the frame, in pixels."""
        width = min(self.width() - 32, self._theme.measure + 2 * _SIDE) - 2 * _CHIPS_SIDE
        height = self.chips.place(max(width, 1))
        return height + _CHIPS_SIDE if height else 0

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self._draft.hasFocus()
        edge = QColor(colors.faint if focused else colors.hairline)
        edge.setAlphaF(0.6 if focused else 1.0)
        pen = QPen(QColor(colors.accent), 2) if self._drop else QPen(edge, 1)
        if self._dashed:
            pen.setStyle(Qt.PenStyle.DashLine)
            pen.setColor(QColor(colors.faint))
        painter.setPen(pen)
        painter.setBrush(QColor(colors.page))
        frame = self._frame().adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, look.BUBBLE_RADIUS, look.BUBBLE_RADIUS)

    def _frame(self) -> QRectF:
        width = min(self.width() - 32, self._theme.measure + 2 * _SIDE)
        left = (self.width() - width) // 2
        return QRectF(left, 0, width, self.height() - _STATUS - _BELOW)

    def _update_button(self) -> None:
        name = self.tr("Stop") if self._busy else self.tr("Send")
        self._button.set_icon(Icon.STOP if self._busy else Icon.ARROW_UP)
        self._button.setAccessibleName(name)
        self._button.setToolTip(name)
        has_words = not self._draft.document().isEmpty()
        self._button.setEnabled(self._busy or has_words or bool(self.chips.chips))

    def _on_text_changed(self) -> None:
        self._on_changed()
        self.text_changed.emit(self._draft.toPlainText())

    def _on_changed(self) -> None:
        """The budget was that of another question; its figures stay until there are new ones."""
        if self._budget is not None:
            self._budget = replace(self._budget, problem="")
        self._update_button()
        self._show_figures()
        self._arrange()

    def _on_button(self) -> None:
        if self._busy:
            self.stop_requested.emit()
            return
        QGuiApplication.inputMethod().commit()
        self.send()

    def _on_stop(self) -> None:
        if self._busy:
            self.stop_requested.emit()
        else:
            self.escaped.emit()

    def _dress(self) -> None:
        self._draft.setFont(self._theme.reading_font())
        # Under a style sheet the viewport, which writes the hint, does not take it over.
        self._draft.viewport().setFont(self._theme.reading_font())
        self._arrange()
        self.update()
