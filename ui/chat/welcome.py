"""What an empty chat shows: an invitation with three questions, or how the model is coming."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.controls import Pressable, QuietButton, color_words
from ui.figures import percent
from ui.inspector.meters import Meter
from ui.state import ModelView

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from ui.theme import Theme

_WIDTH = 520


class Suggestion(Pressable):
    """A question that can be asked with one press."""

    asked = Signal(str)

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(theme)
        self.setText(text)
        self.setFont(theme.font())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self) -> None:
        self.asked.emit(self.text())

    @override
    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, 44)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(160, 44)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colors.hairline), 1))
        if self.hovered or self.isDown():
            painter.setBrush(QColor(colors.fill))
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, look.BLOCK_RADIUS, look.BLOCK_RADIUS)
        area = self.rect().adjusted(16, 0, -16, 0)
        shown = painter.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, area.width()
        )
        painter.setPen(QColor(colors.text))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        self.paint_ring(painter, look.BLOCK_RADIUS)


class Welcome(QWidget):
    """The invitation of an empty chat."""

    asked = Signal(str)
    open_requested = Signal()
    starter_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._title = self._label(look.TITLE, QFont.Weight.DemiBold)
        self._line = self._label(look.TEXT)
        self._meter = Meter(theme, self.tr("Loading"))
        self._meter.setFixedWidth(280)
        self._questions = [
            Suggestion(theme, self.tr("Explain in two sentences why the sky is blue.")),
            Suggestion(theme, self.tr("Write a four-line poem about the sea.")),
            Suggestion(theme, self.tr("What is the capital of Portugal?")),
        ]
        self._starter = QuietButton(theme, self.tr("Use the starter model"), strong=True)
        self._open = QuietButton(theme, self.tr("Open a model folder…"), strong=True)
        self._build()
        self._connect_signals()
        self._dress()
        self.set_model(ModelView())

    def _build(self) -> None:
        middle = QWidget(self)
        middle.setMaximumWidth(_WIDTH)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(look.GRID)
        column.addStretch(2)
        column.addWidget(self._title)
        column.addWidget(self._line)
        column.addSpacing(look.GRID)
        column.addWidget(self._meter, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(2 * look.GRID)
        for question in self._questions:
            column.addWidget(question)
        for action in (self._starter, self._open):
            column.addWidget(action, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 16, 24, 16)
        row.addStretch(1)
        row.addWidget(middle, 1000)
        row.addStretch(1)

    def _connect_signals(self) -> None:
        for question in self._questions:
            question.asked.connect(self.asked)
        self._starter.clicked.connect(self.starter_requested)
        self._open.clicked.connect(self.open_requested)
        self._theme.changed.connect(self._dress)

    @property
    def questions(self) -> tuple[Suggestion, ...]:
        """The questions that can be pressed."""
        return tuple(self._questions)

    @property
    def line(self) -> str:
        """The sentence under the title."""
        return self._line.text()

    def set_model(self, model: ModelView) -> None:
        """Invite a question, or say how the model is coming, or what to do without one."""
        able = model.state in {"ready", "loading"}
        title, line = self._words(model)
        self._title.setText(title)
        self._line.setText(line)
        self._meter.setVisible(model.state == "loading")
        self._meter.set_fraction(model.progress)
        for question in self._questions:
            question.setVisible(able)
        self._starter.setVisible(not able)
        self._open.setVisible(not able)

    def _words(self, model: ModelView) -> tuple[str, str]:
        """The title and the sentence for a state of the model."""
        if model.state == "loading":
            line = self.tr("{name} is loading. You can write already.")
            if model.progress is not None:
                line = self.tr("{name} is loading, {done}. You can write already.")
            done = percent(model.progress or 0.0)
            return self.tr("Ask a question"), line.format(name=model.name, done=done)
        if model.state == "failed":
            return self.tr("The model could not be loaded"), model.message
        if model.state == "none":
            return self.tr("No model is loaded"), self.tr(
                "Take the starter model, or open one that is on this computer."
            )
        return self.tr("Ask a question"), self.tr(
            "{name} answers here, on this computer, without the internet."
        ).format(name=model.name)

    def _label(self, size: int, weight: QFont.Weight = QFont.Weight.Normal) -> QLabel:
        label = QLabel("", self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        label.setFont(self._theme.font(size, weight))
        return label

    def _dress(self) -> None:
        color_words(self._line, self._theme.colors.dim)
