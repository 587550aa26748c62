"""What is being fetched: bytes, speed and time left, of each model, of each file and in all."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui import theme as look
from ui.announce import announce
from ui.controls import ElidedLabel, QuietButton
from ui.controls_buttons import ActionButton
from ui.controls_card import CardFrame
from ui.exhibits.words import Words
from ui.inspector.meters import Meter
from ui.models.parts import Column, Rows, clear

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.models.values import DownloadView, FileView
    from ui.theme import Theme

_PAUSABLE = ("queued", "running", "waiting", "stalled")


class DownloadRow(CardFrame):
    """One download."""

    paused = Signal()
    resumed = Signal()
    cancelled = Signal()
    loaded = Signal()
    dismissed = Signal()

    def __init__(self, theme: Theme, view: DownloadView) -> None:
        super().__init__(theme)
        self._theme = theme
        self._view = view
        self.title = ElidedLabel(theme.font(look.TEXT, QFont.Weight.Medium))
        self.figures = Words(theme, size=look.CAPTION, tone="dim")
        self.meter = Meter(theme, self.tr("Downloaded"))
        self.detail = Words(theme, size=look.CAPTION, tone="dim")
        self.act = ActionButton(theme, self.tr("Pause"))
        self.cancel = ActionButton(theme, self.tr("Cancel"))
        self.more = QuietButton(theme, self.tr("Files"), size=look.CAPTION)
        self.more.setCheckable(True)
        self._files = QWidget()
        self._file_column = QVBoxLayout(self._files)
        self._file_column.setContentsMargins(0, 0, 0, 0)
        self._file_column.setSpacing(2)
        self._files.hide()
        self._build()
        self.act.clicked.connect(self._on_act)
        self.cancel.clicked.connect(self._on_cancel)
        self.more.toggled.connect(self._files.setVisible)
        self.set_view(view)

    def _build(self) -> None:
        self.figures.setWordWrap(False)
        top = QHBoxLayout()
        top.setSpacing(10)
        top.addWidget(self.title, 1)
        top.addWidget(self.figures)
        bottom = QHBoxLayout()
        bottom.setSpacing(8)
        bottom.addWidget(self.detail, 1)
        for button in (self.more, self.act, self.cancel):
            bottom.addWidget(button)
        self.column.addLayout(top)
        self.column.addWidget(self.meter)
        self.column.addLayout(bottom)
        self.column.addWidget(self._files)

    @property
    def view(self) -> DownloadView:
        """What is shown."""
        return self._view

    def set_view(self, view: DownloadView) -> None:
        """Show how far it is."""
        if view.state != self._view.state:
            announce(self, f"{view.title}: {view.detail}")
        self._view = view
        self.setAccessibleName(view.title)
        self.title.set_whole(view.title)
        self.title.set_color(self._theme.colors.text)
        self.figures.setText(view.figures)
        self.meter.set_fraction(view.share)
        self.detail.setText(view.detail)
        tones = {"failed": "accent", "done": "good"}
        self.detail.set_tone(tones.get(view.state, "dim"))  # type: ignore[arg-type]
        done, active = view.state == "done", view.state in _PAUSABLE
        verb = self.tr("Load") if done else self.tr("Pause") if active else self.tr("Resume")
        self.act.set_label(verb)
        last = self.tr("Dismiss") if done else self.tr("Cancel")
        self.cancel.set_label(last)
        self.act.setAccessibleName(f"{verb} {view.title}")
        self.cancel.setAccessibleName(f"{last} {view.title}")
        self.more.setAccessibleName(self.tr("Files of {name}").format(name=view.title))
        self.more.setVisible(bool(view.files) and not done)
        if done:
            self.more.setChecked(False)
        self._show_files(view.files)

    def _show_files(self, files: Sequence[FileView]) -> None:
        if self._file_column.count() != len(files):
            clear(self._file_column)
            for _ in files:
                self._file_column.addWidget(_FileRow(self._theme))
        for number, file in enumerate(files):
            item = self._file_column.itemAt(number)
            row = None if item is None else item.widget()
            if isinstance(row, _FileRow):
                row.set_file(file)

    def _on_act(self) -> None:
        if self._view.state == "done":
            self.loaded.emit()
        elif self._view.state in _PAUSABLE:
            self.paused.emit()
        else:
            self.resumed.emit()

    def _on_cancel(self) -> None:
        (self.dismissed if self._view.state == "done" else self.cancelled).emit()


class _FileRow(QWidget):
    """One file."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.name = ElidedLabel(theme.font(look.CAPTION))
        self.figures = Words(theme, size=look.CAPTION, tone="faint")
        self.figures.setWordWrap(False)
        self.meter = Meter(theme, "", "cache_held")
        self.meter.setFixedWidth(90)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.name, 1)
        row.addWidget(self.figures)
        row.addWidget(self.meter)

    def set_file(self, file: FileView) -> None:
        """Show how far it is."""
        self.name.set_whole(file.name)
        self.name.set_color(self._theme.colors.faint)
        self.figures.setText(file.figures)
        self.meter.set_fraction(file.share)
        self.meter.setAccessibleName(file.name)


class DownloadList(Column):
    """The section. Every signal carries a download's key."""

    paused = Signal(str)
    resumed = Signal(str)
    cancelled = Signal(str)
    dismissed = Signal(str)
    load_requested = Signal(str)
    """What loads a model that has been fetched."""
    find_requested = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(name)
        self._theme = theme
        self.summary = Words(theme, size=look.TEXT - 1, tone="dim")
        self.find_button = ActionButton(theme, self.tr("Find models"), main=True)
        self._shown = Rows(self._made, DownloadRow.set_view)
        self.rows.addWidget(self.summary)
        self.rows.addLayout(self._shown)
        self.rows.addWidget(self.find_button)
        self.rows.addStretch(1)
        self.find_button.clicked.connect(self.find_requested)

    @property
    def shown(self) -> tuple[DownloadRow, ...]:
        """The rows, from the top."""
        return tuple(self._shown.rows.values())

    def set_downloads(self, views: Sequence[DownloadView], summary: str) -> None:
        """Show all downloads, and all of them in a sentence."""
        empty = self.tr("Nothing is being downloaded. What you choose under Find is listed here.")
        self.summary.setText(summary if views else empty)
        self.summary.setVisible(bool(self.summary.text()))
        self.find_button.setVisible(not views)
        self._shown.set_views({view.key: view for view in views})

    def _made(self, view: DownloadView) -> DownloadRow:
        row, key = DownloadRow(self._theme, view), view.key
        row.paused.connect(partial(self.paused.emit, key))
        row.resumed.connect(partial(self.resumed.emit, key))
        row.cancelled.connect(partial(self.cancelled.emit, key))
        row.dismissed.connect(partial(self.dismissed.emit, key))
        row.loaded.connect(lambda: self.load_requested.emit(row.view.source))
        return row
