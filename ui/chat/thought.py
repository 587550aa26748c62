"""A thought of the model: one line with its time and length, which opens to the words."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from ui import theme as look
from ui.chat.plain import PlainText
from ui.chat.thoughts import words
from ui.controls import Pressable
from ui.figures import count, decimal
from ui.icons import Icon, paint_icon

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent

    from ui.theme import Theme

_LINE = 28
_LEFT = 12
_PIECE = 3000
_PIECE_MS = 12
_TICK_MS = 200
_CALM_TICK_MS = 1000


class ThoughtButton(Pressable):
    """The line itself; Space, Return and the pointer open and close it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.setCheckable(True)
        self.setFont(theme.font(look.CAPTION + 1))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @override
    def sizeHint(self) -> QSize:
        return QSize(QFontMetrics(self.font()).horizontalAdvance(self.text()) + 36, _LINE)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = colors.text if self.hovered else colors.dim
        painter.save()
        painter.translate(_LEFT + 4, self.height() / 2)
        if not self.isChecked():
            painter.rotate(-90)
        paint_icon(painter, Icon.CHEVRON, QRectF(-5, -5, 10, 10), color)
        painter.restore()
        painter.setPen(QColor(color))
        area = self.rect().adjusted(_LEFT + 16, 0, 0, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self.text())
        self.paint_ring(painter, look.ROW_RADIUS)


class ThoughtLine(QWidget):
    """The line, and below it, when it is open, the words in a quieter colour."""

    grown = Signal()
    """The thought wants another height."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source = ""
        self._words = 0
        self._last_is_letter = False
        self._shown = 0
        self._began_s: float | None = None
        self._took_s: float | None = None
        self._told: tuple[float | None, int | None] = (None, None)
        self._running = False
        self._button = ThoughtButton(theme, self)
        self._text = PlainText(self)
        self._text.setAccessibleName(self.tr("Thought"))
        self._text.hide()
        self._filling = QTimer(self, singleShot=True, interval=_PIECE_MS)
        self._filling.timeout.connect(self._fill)
        self._ticking = QTimer(self, interval=_TICK_MS)
        self._ticking.timeout.connect(self._name)
        self._button.toggled.connect(self._on_toggled)
        self.restyle()
        self._name()

    @property
    def source(self) -> str:
        """What the model thought."""
        return self._source

    @property
    def button(self) -> ThoughtButton:
        """The line that opens and closes."""
        return self._button

    @property
    def text(self) -> PlainText:
        """The words, as far as they have been shown."""
        return self._text

    def start(self) -> None:
        """The thought runs from now on; its time is taken."""
        self._began_s = time.perf_counter()
        self._running = True
        self._ticking.start(_CALM_TICK_MS if self._theme.reduced_motion else _TICK_MS)
        self._name()

    def append(self, text: str) -> None:
        """Take more of the thought."""
        if not self._source:
            text = text.lstrip()
        self._source += text
        self._words += words(text) - int(self._last_is_letter and text[:1].isalpha())
        # Chinese characters are words of their own, so nothing joins them.
        self._last_is_letter = text[-1:].isalpha() and text[-1:] < "\u2e80"
        self._name()
        if not self._text.isHidden() and not self._filling.isActive():
            self._filling.start()

    def end(self) -> None:
        """The thought is complete."""
        self._running = False
        self._ticking.stop()
        if self._began_s is not None and self._took_s is None:
            self._took_s = time.perf_counter() - self._began_s
        self._name()

    def tell(self, took_s: float | None, tokens: int | None) -> None:
        """Take on figures that are better known elsewhere; None leaves the own ones."""
        if self._told != (took_s, tokens):
            self._told = (took_s, tokens)
            self._name()

    def open(self) -> None:
        """Show the words."""
        self._button.setChecked(True)

    def height_for(self, width: int) -> int:
        """The height that the thought takes at a width, in pixels."""
        if self._text.isHidden():
            return _LINE
        self._text.setLineWrapColumnOrWidth(width - 2 * _LEFT)
        return _LINE + round(self._text.document().size().height()) + 6

    def restyle(self) -> None:
        """Take on the colours and the size that are in force now."""
        self._text.setFont(self._theme.reading_font())
        self._text.rewrite()
        palette = self._text.palette()
        palette.setColor(palette.ColorRole.Text, QColor(self._theme.colors.dim))
        self._text.setPalette(palette)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._button.setGeometry(0, 0, min(self._button.sizeHint().width(), self.width()), _LINE)
        self._text.setGeometry(_LEFT, _LINE, self.width() - 2 * _LEFT, self.height() - _LINE)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        line = QRectF(1, 5, 2, self.height() - 10)
        painter.fillRect(line, QColor(self._theme.colors.hairline))

    def _name(self) -> None:
        took_s = self._told[0] if self._told[0] is not None else self._took_s
        if took_s is None and self._running and self._began_s is not None:
            took_s = time.perf_counter() - self._began_s
        tokens = self._told[1]
        if tokens is not None:
            length = self.tr("{n} tokens").format(n=count(tokens))
        else:
            length = self.tr("{n} words").format(n=count(self._words))
        if self._running:
            first = self.tr("Thinking… {time} s").format(time=decimal(took_s or 0, 1))
        elif took_s is not None:
            first = self.tr("Thought for {time} s").format(time=decimal(took_s, 1))
        else:
            first = self.tr("Thought")
        text = f"{first} · {length}"
        if text != self._button.text():
            self._button.setText(text)
            self._button.setAccessibleName(text)
            self._button.resize(self._button.sizeHint())
            self._button.update()

    def _on_toggled(self, opened: bool) -> None:  # noqa: FBT001  a Qt slot takes the state alone
        self._text.setVisible(opened)
        if opened:
            self._fill()
        self.grown.emit()

    def _fill(self) -> None:
        """Show the next piece of the words; all of a long thought at once would take too long."""
        words_end = len(self._source.rstrip())
        piece = self._source[self._shown : min(self._shown + _PIECE, words_end)]
        if not piece or self._text.isHidden():
            return
        self._shown += len(piece)
        self._text.append_plain(piece)
        if self._shown < words_end:
            self._filling.start()
        self.grown.emit()
