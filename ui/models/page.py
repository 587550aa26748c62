"""The page of models: four sections, of which one is shown."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from ui import theme as look
from ui.controls import QuietButton
from ui.exhibits.words import Words
from ui.models.compare import Compare
from ui.models.downloads import DownloadList
from ui.models.find import Find
from ui.models.here import Here
from ui.models.parts import Column, has_focus, margin
from ui.notice import Notice
from ui.places import PlacePage
from ui.segments import Segments

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from ui.models.values import Section
    from ui.theme import Theme

_SECTIONS: tuple[Section, ...] = ("here", "find", "downloads", "compare")


class ModelsPage(PlacePage):
    """What the user sees of the library; the sections have their own signals."""

    section_shown = Signal(str)
    """Another section is shown: its name."""
    preferences_requested = Signal(str)
    """Words to search the preferences for."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        here = self.tr("On this Mac") if sys.platform == "darwin" else self.tr("On this computer")
        titles = (here, self.tr("Find"), self.tr("Downloads"), self.tr("Compare"))
        self.segments = Segments(theme, titles, self.tr("Models"))
        self.busy = QuietButton(theme, size=look.CAPTION)
        self.notice = Notice(theme)
        self.offline = _OfflineBar(theme)
        self.here = Here(theme, titles[0])
        self.finder = Find(theme, titles[1])
        self.downloads = DownloadList(theme, titles[2])
        self.compare = Compare(theme, titles[3])
        self._stack = QStackedWidget()
        self._bar = QHBoxLayout()
        self._build()
        self._connect_signals()

    def _build(self) -> None:
        self._bar.setSpacing(12)
        self._bar.addWidget(self.segments)
        self._bar.addStretch(1)
        self._bar.addWidget(self.busy)
        self.segments.setMinimumWidth(self.segments.sizeHint().width())
        self.busy.setMinimumWidth(24)
        self.busy.hide()
        for section in self._columns:
            self._stack.addWidget(section)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.notice)
        column.addLayout(self._bar)
        column.addWidget(self.offline)
        column.addWidget(self._stack, 1)

    def _connect_signals(self) -> None:
        self.segments.chosen.connect(self._on_segment)
        self.busy.clicked.connect(lambda: self.show_section("downloads"))
        self.here.find_requested.connect(lambda: self.show_section("find"))
        self.finder.detail.downloads_requested.connect(lambda: self.show_section("downloads"))
        self.downloads.find_requested.connect(lambda: self.show_section("find"))
        self.offline.change.clicked.connect(
            lambda: self.preferences_requested.emit(self.offline.words)
        )

    @property
    def _columns(self) -> tuple[Column, ...]:
        return (self.here, self.finder, self.downloads, self.compare)

    @property
    def section(self) -> Section:
        """The section that is shown."""
        return _SECTIONS[self.segments.current]

    def show_section(self, section: Section) -> None:
        """Show a section."""
        number = _SECTIONS.index(section)
        self.segments.set_current(number)
        self._on_segment(number)

    def set_offline(self, offline: bool) -> None:  # noqa: FBT001 - a Qt slot
        """Say whether nothing may touch the network."""
        self.offline.setVisible(offline)

    def set_busy(self, words: str) -> None:
        """Say in a few words, on every section, what is being fetched; nothing for none."""
        self.busy.set_label(words)
        self.busy.setAccessibleName(self.tr("Downloads: {words}").format(words=words))
        self.busy.setVisible(bool(words))

    def show_sentence(self, sentence: str) -> None:
        """Say what happened, until it is dismissed."""
        self.notice.show_sentence(sentence)

    def _on_segment(self, number: int) -> None:
        leaves = any(column.isVisible() and has_focus(column) for column in self._columns)
        self._stack.setCurrentIndex(number)
        if number == _SECTIONS.index("find"):
            self.finder.field.setFocus()
        elif leaves:  # what had the focus is hidden
            for button in self.segments.findChildren(QAbstractButton):
                if button.isChecked():
                    button.setFocus()
        self.section_shown.emit(_SECTIONS[number])

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side = margin(self.width())
        self._bar.setContentsMargins(side - 2, 18, side, 12)
        self.offline.set_margin(side)


class _OfflineBar(QWidget):
    """Says that offline mode is on, and leads to where it is switched off."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.words = self.tr("Offline")
        words = Words(
            theme,
            self.tr("Offline: nothing is searched for or fetched, and the network is not touched."),
            size=look.CAPTION,
            weight=QFont.Weight.Medium,
        )
        self.change = QuietButton(theme, self.tr("Preferences…"), size=look.CAPTION)
        self._row = QHBoxLayout(self)
        self._row.addWidget(words, 1)
        self._row.addWidget(self.change)
        self.hide()

    def set_margin(self, side: int) -> None:
        """Stand in line with what is above and below."""
        self._row.setContentsMargins(side, 0, side, 8)
