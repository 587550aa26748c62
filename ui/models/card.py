"""The card of a model on this machine: what is known of it, and what can be done with it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.announce import announce
from ui.controls import ElidedLabel, QuietButton
from ui.controls_buttons import ActionButton
from ui.controls_card import CardFrame
from ui.exhibits.words import Words
from ui.figures import percent
from ui.models.drawers import ConvertDrawer, Drawer, RemovalDrawer, SettingsDrawer
from ui.models.parts import FitRow, WorkRow

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from ui.models.values import CardView, ConversionView, RemovalView
    from ui.theme import Theme


class ModelCard(CardFrame):
    """One model. Every signal is something the user wants of it."""

    load_requested = Signal()
    unload_requested = Signal()
    reveal_requested = Signal()
    benchmark_requested = Signal()
    removal_requested = Signal()
    removal_confirmed = Signal()
    forget_requested = Signal()
    conversion_requested = Signal(int)
    """What a conversion to so many bits would give is wanted."""
    conversion_confirmed = Signal(int)
    setting_changed = Signal(str, object)
    cancelled = Signal()
    drawer_opened = Signal()

    def __init__(self, theme: Theme, view: CardView) -> None:
        super().__init__(theme)
        self._theme = theme
        self._view = view
        self._drawer: Drawer | None = None
        self.title = ElidedLabel(theme.font(look.TEXT + 1, QFont.Weight.DemiBold))
        self.status = Words(theme, size=look.CAPTION, tone="good", weight=QFont.Weight.Medium)
        self.load = ActionButton(theme, self.tr("Load"))
        self.facts = Words(theme, size=look.CAPTION, tone="dim")
        self.place = ElidedLabel(theme.font(look.CAPTION))
        self.fit = FitRow(theme)
        self.speeds = Words(theme, size=look.CAPTION, tone="dim")
        self.note = Words(theme, size=look.CAPTION, tone="dim")
        self.work = WorkRow(theme)
        self.settings = self._button(self.tr("Load settings"))
        self.benchmark = self._button(self.tr("Quick benchmark"))
        self.convert = self._button(self.tr("Convert…"))
        folder = self.tr("Show in Finder") if sys.platform == "darwin" else self.tr("Show folder")
        self.reveal = self._button(folder)
        self.delete = self._button(self.tr("Delete…"))
        self._drawers = QVBoxLayout()
        self._build()
        self._connect_signals()
        theme.changed.connect(self._dress)
        self.set_view(view)

    def _button(self, text: str) -> QuietButton:
        return QuietButton(self._theme, text, size=look.CAPTION)

    def _build(self) -> None:
        self.column.setSpacing(4)
        self.status.setWordWrap(False)
        top = QHBoxLayout()
        top.setSpacing(10)
        top.addWidget(self.title, 1)
        top.addWidget(self.status)
        top.addWidget(self.load)
        self.column.addLayout(top)
        for widget in (
            self.facts,
            self.place,
            self.fit,
            self.speeds,
            self.note,
            self.work,
        ):
            self.column.addWidget(widget)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, 4, 0, 0)
        buttons.setSpacing(4)
        buttons.addSpacing(-8)  # their words stand in line with the others
        for button in self._buttons:
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.column.addLayout(buttons)
        self._drawers.setContentsMargins(0, 0, 0, 0)
        self.column.addLayout(self._drawers)

    @property
    def _buttons(self) -> tuple[QuietButton, ...]:
        return (self.settings, self.benchmark, self.convert, self.reveal, self.delete)

    def _connect_signals(self) -> None:
        self.load.clicked.connect(self._on_load)
        self.settings.clicked.connect(self._on_settings)
        self.benchmark.clicked.connect(self.benchmark_requested)
        self.convert.clicked.connect(self._on_convert)
        self.reveal.clicked.connect(self.reveal_requested)
        self.delete.clicked.connect(self.removal_requested)
        self.work.cancelled.connect(self.cancelled)

    @property
    def _focused(self) -> QWidget | None:
        return QApplication.focusWidget()

    @property
    def view(self) -> CardView:
        """What is shown."""
        return self._view

    @property
    def drawer(self) -> Drawer | None:
        """What is open below the buttons."""
        return self._drawer

    def set_view(self, view: CardView) -> None:
        """Show another state of the model."""
        told = view.note != self._view.note or view.problem != self._view.problem
        measured = view.speeds != self._view.speeds
        self._view = view
        self.setAccessibleName(view.name)
        self.title.set_whole(view.name)
        self.facts.setText(" · ".join(text for text in (view.facts, view.used) if text))
        self.place.set_whole(view.place)
        self.fit.set_fit(view.fit)
        self.speeds.setText("\n".join(view.speeds))
        self.speeds.setVisible(bool(view.speeds))
        self.note.setText(view.problem or view.note)
        self.note.set_tone("accent" if view.problem else "text")
        self.note.setVisible(bool(view.problem or view.note))
        if view.work is not None:
            self.work.set_work(view.work)
            if self._focused in self._buttons:  # it is about to be disabled
                self.work.cancel.setFocus()
        self._show_state()
        if view.work is None:
            if self._focused is self.work.cancel:
                self.benchmark.setFocus()
            self.work.set_work(None)
        if isinstance(self._drawer, SettingsDrawer):
            self._drawer.set_view(view)
        if told or measured:
            announce(self, view.problem or view.note or "\n".join(view.speeds))
        self._dress()

    def _show_state(self) -> None:
        view = self._view
        words = {
            "loaded": self.tr("Loaded"),
            "downloading": self.tr("Being downloaded"),
            "loading": self.tr("Loading {share}").format(share=percent(view.share or 0.0)),
            "": "",
        }
        self.status.setText(words[view.state])
        self.status.set_tone("good" if view.state == "loaded" else "dim")
        busy = view.work is not None
        unloads = view.state in {"loaded", "loading"}
        verb = self.tr("Unload") if unloads else self.tr("Load")
        self.load.set_label(verb)
        self.load.setAccessibleName(f"{verb} {view.name}")
        self.load.setEnabled(unloads or (view.ready and view.state == "" and not busy))
        self.settings.setVisible(view.settings is not None)
        self.benchmark.setVisible(view.ready)
        self.convert.setVisible(view.convertible)
        for button in (self.benchmark, self.convert):
            button.setEnabled(not busy and view.state != "loading")
        self.delete.setVisible(not view.undeletable)
        self.delete.setEnabled(not busy)
        if view.undeletable and isinstance(self._drawer, RemovalDrawer):
            self.close_drawer()
        for button in self._buttons:
            button.setAccessibleName(f"{button.text()} {view.name}")

    def ask_removal(self, removal: RemovalView) -> None:
        """Say what deleting would do, and wait for a word."""
        drawer = RemovalDrawer(self._theme, removal)
        drawer.confirmed.connect(self._on_removal)
        drawer.forgotten.connect(self._on_forgotten)
        drawer.closed.connect(self.close_drawer)
        self._open(drawer)
        announce(self, f"{removal.question} {removal.sentence}".strip())

    def show_conversion(self, conversion: ConversionView) -> None:
        """Say what a conversion would give, where it is still asked for."""
        if isinstance(self._drawer, ConvertDrawer):
            self._drawer.show_plan(conversion)

    def close_drawer(self) -> None:
        """Take away what is open below the buttons; the button that opened it has the focus."""
        if self._drawer is None:
            return
        drawer, self._drawer = self._drawer, None
        had_focus = drawer.isAncestorOf(self.window().focusWidget() or self)
        match drawer:
            case SettingsDrawer():
                button = self.settings
            case ConvertDrawer():
                button = self.convert
            case RemovalDrawer():
                button = self.delete
        self._drawers.removeWidget(drawer)
        drawer.hide()
        drawer.deleteLater()
        if had_focus:
            button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open(self, drawer: Drawer) -> None:
        self.close_drawer()
        self._drawer = drawer
        self._drawers.addWidget(drawer)
        drawer.show()
        drawer.focus_first()
        self.drawer_opened.emit()

    def _on_load(self) -> None:
        unloads = self._view.state in {"loaded", "loading"}
        (self.unload_requested if unloads else self.load_requested).emit()

    def _on_settings(self) -> None:
        if isinstance(self._drawer, SettingsDrawer):
            self.close_drawer()
            return
        drawer = SettingsDrawer(self._theme, self._view)
        drawer.changed.connect(self.setting_changed)
        drawer.closed.connect(self.close_drawer)
        self._open(drawer)

    def _on_convert(self) -> None:
        if isinstance(self._drawer, ConvertDrawer):
            self.close_drawer()
            return
        drawer = ConvertDrawer(self._theme)
        drawer.plan_requested.connect(self.conversion_requested)
        drawer.confirmed.connect(self._on_conversion)
        drawer.closed.connect(self.close_drawer)
        self._open(drawer)
        self.conversion_requested.emit(drawer.bits)

    def _on_conversion(self, bits: int) -> None:
        self.close_drawer()
        self.conversion_confirmed.emit(bits)

    def _on_removal(self) -> None:
        self.close_drawer()
        self.removal_confirmed.emit()

    def _on_forgotten(self) -> None:
        self.close_drawer()
        self.forget_requested.emit()

    def _dress(self) -> None:
        self.title.set_color(self._theme.colors.text)
        self.place.set_color(self._theme.colors.faint)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._drawer is not None:
            self.close_drawer()
        elif event.key() == Qt.Key.Key_Escape and self._view.work is not None:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)
