"""The About panel: which Cutaway this is, what it is made of, what it runs on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout

from ui import theme as look
from ui.controls_buttons import ActionButton

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

_ICON = 72
_WIDTH = 376
_MEASURE = 300


@dataclass(frozen=True)
class AboutView:
    """What the panel shows; parts that are empty are left out.

    Attributes:
        version: Of Cutaway.
        commit: Of its sources.
        system: The operating system.
        machine: The processor.
        device: What the model runs on.
        python: The version of Python.
        libraries: Names and versions.
        text: All of it for the clipboard.
    """

    version: str
    commit: str = ""
    system: str = ""
    machine: str = ""
    device: str = ""
    python: str = ""
    libraries: tuple[tuple[str, str], ...] = ()
    text: str = ""


class AboutPanel(QDialog):
    """A small window beside the chat; it can stay open."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = AboutView("")
        self.setWindowTitle(self.tr("About Cutaway"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._icon = QLabel()
        self._icon.setPixmap(QGuiApplication.windowIcon().pixmap(_ICON))
        self._name = self._label("Cutaway", 22, strong=True)
        self._version = self._label("", look.TEXT - 1, dim=True)
        words = self.tr("Chat with open language models, with the side of the engine cut away.")
        self._words = self._label(words, look.TEXT - 1, dim=True)
        self._words.setWordWrap(True)
        self._rows = QGridLayout()
        self._rows.setHorizontalSpacing(16)
        self._rows.setVerticalSpacing(5)
        for column in (1, 3):
            self._rows.setColumnStretch(column, 1)
        self.copy = ActionButton(theme, self.tr("Copy"))
        self.copy.setToolTip(self.tr("Copy what is shown here"))
        self.copy.setEnabled(False)
        self.copy.clicked.connect(self._on_copy)
        done = ActionButton(theme, self.tr("Close"), main=True)
        done.clicked.connect(self.close)
        self._lay_out(done)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.close)
        theme.changed.connect(self._dress)
        self._dress()

    def set_view(self, view: AboutView) -> None:
        """Show these facts."""
        self._view = view
        version = self.tr("Version {number}").format(number=view.version)
        self._version.setText(f"{version} ({view.commit})" if view.commit else version)
        rows = (
            (self.tr("System"), view.system),
            (self.tr("Machine"), view.machine),
            (self.tr("Device"), view.device),
            ("Python", view.python),
        )
        self._fill([(name, value) for name, value in rows if value], view.libraries)
        self.copy.setEnabled(bool(view.text))

    def _lay_out(self, done: QWidget) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(32, 28, 32, 24)
        column.setSpacing(0)
        column.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(8)
        centre = Qt.AlignmentFlag.AlignHCenter
        for label, gap in ((self._name, 2), (self._version, 12), (self._words, 20)):
            label.setAlignment(centre)
            column.addWidget(label, 0, centre)
            column.addSpacing(gap)
        column.addLayout(self._rows)
        column.addSpacing(24)
        foot = QHBoxLayout()
        foot.setSpacing(look.GRID)
        foot.addStretch(1)
        foot.addWidget(self.copy)
        foot.addWidget(done)
        column.addLayout(foot)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)
        self._words.setFixedWidth(_MEASURE)
        column.addStrut(_WIDTH)

    def _fill(self, rows: Sequence[tuple[str, str]], libraries: Sequence[tuple[str, str]]) -> None:
        """Facts one below the other, a line, then libraries in two columns."""
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for line, (name, value) in enumerate(rows):
            self._rows.addWidget(self._label(name, look.CAPTION, dim=True), line, 0)
            self._rows.addWidget(self._label(value, look.CAPTION), line, 1, 1, 3)
        if not libraries:
            return
        line = len(rows) + 1
        rule = QFrame()
        rule.setObjectName("rule")
        rule.setFixedHeight(1)
        self._rows.addWidget(rule, line - 1, 0, 1, 4)
        self._rows.setRowMinimumHeight(line - 1, 17)
        half = (len(libraries) + 1) // 2
        for number, (name, value) in enumerate(libraries):
            column = 0 if number < half else 2
            place = line + number % half
            self._rows.addWidget(self._label(name, look.CAPTION, dim=True), place, column)
            self._rows.addWidget(self._label(value, look.CAPTION), place, column + 1)

    def _label(self, text: str, size: float, *, strong: bool = False, dim: bool = False) -> QLabel:
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        weight = QFont.Weight.DemiBold if strong else QFont.Weight.Normal
        label.setFont(self._theme.font(size, weight))
        label.setProperty("dim", dim)
        if not strong:
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _dress(self) -> None:
        colors = self._theme.colors
        self.setStyleSheet(
            f"QFrame#rule {{ background: {colors.hairline}; border: 0; }}"
            f'QLabel[dim="true"] {{ color: {colors.dim}; }}'
        )

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._view.text)
