"""A question of the user: plain text in a soft bubble, which can be edited in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget
from typing_extensions import override

from ui import theme as look
from ui.chat.actions import ROW_HEIGHT
from ui.chat.attachments import Chips
from ui.chat.editor import QuestionEditor
from ui.chat.message import MessageItem
from ui.chat.plain import PlainText
from ui.controls import QuietButton
from ui.figures import count

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from ui.state import MessageView
    from ui.theme import Theme

_FOOT = ROW_HEIGHT - 2
"""Below a bubble, its actions stand a little closer than below a reply."""
_BUBBLE_SIDE = 16
_BUBBLE_TOP = 9
_BUBBLE_SHARE = 0.82
_SHOWN_AT_FIRST = 4000
_CHIPS_GAP = 8


class UserMessage(MessageItem):
    """What the user said: plain text in a soft bubble at the right."""

    overhang = 13

    def __init__(self, theme: Theme, view: MessageView, parent: QWidget) -> None:
        super().__init__(theme, view, parent)
        self._theme = theme
        self._source = view.text
        self._editor: QuestionEditor | None = None
        self._shown = 0
        self._bottom = 0
        self._text = PlainText(self)
        self._text.setFont(theme.reading_font())
        self._text.setAccessibleName(self.tr("You"))
        self.chips = Chips(theme, self, fixed=True)
        self._more = QuietButton(theme, "", size=look.CAPTION)
        self._more.setParent(self)
        self._more.clicked.connect(self._show_more)
        self._show_more()
        self.update_view(view)

    @property
    def editor(self) -> QuestionEditor | None:
        """The field while the question is being edited."""
        return self._editor

    @property
    @override
    def edit(self) -> str | None:
        return None if self._editor is None else self._editor.draft.toPlainText()

    @override
    def resume_edit(self, text: str) -> None:
        self._open_editor(text)

    @override
    def update_view(self, view: MessageView) -> None:
        super().update_view(view)
        self.chips.set_attachments(view.attachments)
        self.actions_row.show_for(view, ("copy", "edit", "attention", "delete"))

    def start_editing(self) -> None:
        """Let the question be changed in its place."""
        editor = self._editor or self._open_editor(self._source)
        editor.start()

    def _open_editor(self, text: str) -> QuestionEditor:
        editor = self._editor = QuestionEditor(self._theme, text, self)
        editor.saved.connect(self._on_saved)
        editor.cancelled.connect(self.end_editing)
        editor.grown.connect(self.grown)
        self._text.hide()
        self.chips.hide()
        self.actions_row.hide()
        editor.show()
        self.update()
        self.grown.emit()
        return editor

    def end_editing(self) -> None:
        """Show the question as it is again."""
        editor, self._editor = self._editor, None
        if editor is None:
            return
        editor.hide()
        editor.deleteLater()
        self._text.show()
        self.chips.setVisible(bool(self.chips.chips))
        self.actions_row.show()
        self.update()
        self.grown.emit()
        self.actions_row.button("edit").setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def _on_action(self, action: str) -> None:
        if action == "edit":
            self.start_editing()
        else:
            super()._on_action(action)

    def _on_saved(self, text: str) -> None:
        self.end_editing()
        self.edited.emit(self.message_id, text)

    @property
    @override
    def answer(self) -> str:
        return self._source

    @override
    def texts(self) -> list[QTextEdit | QPlainTextEdit]:
        return [self._text]

    @override
    def restyle(self) -> None:
        self._text.setFont(self._theme.reading_font())
        self._text.rewrite()

    @override
    def place(self, width: int) -> int:
        if self._editor is not None:
            height = self._editor.place(width)
            self._editor.setGeometry(0, 0, width, height)
            return height + _FOOT - self.overhang
        room = round(width * _BUBBLE_SHARE) - 2 * _BUBBLE_SIDE
        document = self._text.document()
        self._text.setLineWrapColumnOrWidth(room)
        taken = min(round(document.idealWidth()) + 1, room)
        if not self._more.isHidden():
            taken = max(taken, min(room, self._more.sizeHint().width()))
        taken = max(taken, self.chips.widest_row(room))
        self._text.setLineWrapColumnOrWidth(taken)
        left = width - taken - _BUBBLE_SIDE
        top = _BUBBLE_TOP + self._place_chips(left, taken)
        height = round(document.size().height()) if self._source else 0
        # The space between lines stands above each, the first one too.
        self._text.setGeometry(left, top - 3, taken, height)
        bottom = top + height
        if not self._more.isHidden():
            hint = self._more.sizeHint()
            self._more.setGeometry(left - 8, bottom + 2, hint.width(), hint.height())
            bottom += hint.height() + 2
        self._bottom = bottom + _BUBBLE_TOP
        row = self.actions_row.sizeHint().width()
        self.actions_row.setGeometry(width - row, self._bottom, row, _FOOT)
        return self._bottom + _FOOT - self.overhang

    def _place_chips(self, left: int, width: int) -> int:
        """Put the chips at the top of the bubble; returns the height they take, in pixels."""
        height = self.chips.place(width)
        self.chips.setGeometry(left, _BUBBLE_TOP + 1, width, height)
        if not height:
            return 0
        return height + (_CHIPS_GAP if self._source else 2)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._editor is not None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = self._text.x() - _BUBBLE_SIDE
        bubble = QRectF(left, 0, self.width() - left, self._bottom)
        if self.forgotten:  # an outline alone
            painter.setPen(QPen(QColor(self._theme.colors.hairline), 1))
            bubble.adjust(0.5, 0.5, -0.5, -0.5)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.colors.fill))
        painter.drawRoundedRect(bubble, look.BUBBLE_RADIUS, look.BUBBLE_RADIUS)

    def _show_more(self) -> None:
        """Show the next piece of a long text; a whole megabyte at once would stop the window."""
        piece = self._source[self._shown : self._shown + max(_SHOWN_AT_FIRST, self._shown)]
        self._shown += len(piece)
        self._text.append_plain(piece)
        rest = len(self._source) - self._shown
        self._more.setVisible(rest > 0)
        self._more.setText(self.tr("Show more · {n} characters").format(n=count(rest)))
        self.grown.emit()
