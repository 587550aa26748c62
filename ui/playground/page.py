"""The playground: a text in large letters, what can come next, and views of what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.controls import QuietButton
from ui.icons import Icon
from ui.notice import Notice
from ui.places import PlacePage
from ui.playground.next import NextPanel
from ui.playground.panels import Panels
from ui.playground.text import TextPanel
from ui.playground.views import PlaygroundView, later_views

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QMenu

    from ui.playground.state import Distribution, PlaySettings, PlayText, Shade
    from ui.theme import Theme

_SIDE = 34
_TEXT_SHARE, _ROW = 0.25, 35


class PlaygroundPage(PlacePage):
    """The page; its parts tell what the user wants, it shows what there is to all of them."""

    view_built = Signal(str, QWidget)
    """A view was chosen for the first time: its name, and it, to be connected."""
    token_chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._text: PlayText | None = None
        self._place: int | None = None
        self._shades: dict[PlaygroundView, Shade | None] = {}
        self.notice = Notice(theme)
        self.name = QuietButton(theme, self.tr("Untitled"), Icon.PAGE, size=look.CAPTION)
        self.text = TextPanel(theme)
        self.next = NextPanel(theme, self.text.charts)
        self.panels = Panels(theme, self.next, later_views())
        self.panels.built.connect(self._on_built)
        self.panels.changed.connect(self._on_view_changed)
        self.text.token_chosen.connect(self.token_chosen)
        self._lay_out()
        self.set_name("", saved=True)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        # Its words stand above the text's: its ground is seen only when it is pointed at.
        head.setContentsMargins(_SIDE - look.GRID, 10, _SIDE, 6)
        head.addWidget(self.name)
        head.addStretch(1)
        inside = QVBoxLayout()
        inside.setContentsMargins(_SIDE, 0, _SIDE, 16)
        inside.setSpacing(0)
        inside.addWidget(self.text)
        inside.addSpacing(22)
        inside.addWidget(self.panels, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.notice)
        column.addLayout(head)
        column.addLayout(inside, 1)

    def set_document_menu(self, menu: QMenu) -> None:
        """The menu that the document's name opens."""

        def pop_up() -> None:
            menu.popup(self.name.mapToGlobal(self.name.rect().bottomLeft()))

        self.name.clicked.connect(pop_up)

    def set_name(self, name: str, saved: bool) -> None:  # noqa: FBT001 - a Qt slot
        """Show the name of the document's file, and whether it is all saved."""
        shown = name or self.tr("Untitled")
        self.name.set_label(shown if saved else f"{shown} •")
        state = self.tr("saved") if saved else self.tr("not saved")
        told = self.tr("Document: {name}, {state}").format(name=shown, state=state)
        self.name.setAccessibleName(told)

    def show_text(self, text: PlayText, plain: str) -> None:
        """Show a text; without tokens where they are not known."""
        self._text = text
        self.text.show_text(text, plain)
        if not self.text.is_writing:  # the views look at what has been written when it is
            for view in self.panels.views:
                self._tell(view)

    def show_selected(self, place: int) -> None:
        """Mark the token after which the next one is shown; -1 is the last."""
        self._place = None if place < 0 else place
        self.text.show_selected(self._place)
        for view in self.panels.views:
            self._tell(view)

    def show_next(self, found: Distribution | None) -> None:
        """Show what can come at the cursor."""
        self.next.show_next(found)
        self.text.show_next(found)

    def show_next_problem(self, sentence: str) -> None:
        """Say why what can come is not known."""
        self.next.show_problem(sentence)
        self.text.show_next(None)

    def show_settings(self, settings: PlaySettings) -> None:
        """Show how tokens are chosen."""
        self.next.show_settings(settings)

    def focus_text(self) -> None:
        """Give the keyboard to the text."""
        if self.text.is_editing:
            self.text.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.text.strip.setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.text.set_rows(max(int(self.height() * _TEXT_SHARE / _ROW), 2))

    @override
    def event(self, event: QEvent) -> bool:
        """Undo, Redo, and Esc while it writes belong to the text wherever the keyboard is here."""
        mine = isinstance(event, QKeyEvent) and (
            event.matches(QKeySequence.StandardKey.Undo)
            or event.matches(QKeySequence.StandardKey.Redo)
            or (event.key() == Qt.Key.Key_Escape and self.text.is_busy)
        )
        if mine and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text.is_busy:
            self.text.stop_wanted.emit()
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.text.undo_wanted.emit()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.text.redo_wanted.emit()
        else:
            super().keyPressEvent(event)

    def _on_built(self, name: str, widget: QWidget) -> None:
        view = cast("PlaygroundView", widget)
        view.token_chosen.connect(self.token_chosen)

        def on_shaded(shade: Shade | None) -> None:
            self._shades[view] = shade
            self._shade()

        view.shaded.connect(on_shaded)
        self._tell(view)
        self.view_built.emit(name, view)

    def _on_view_changed(self, _name: str) -> None:
        self._shade()

    def _shade(self) -> None:
        current = self.panels.current
        self.text.show_shade(None if current is None else self._shades.get(current))

    def _tell(self, view: PlaygroundView) -> None:
        if self._text is not None:
            last = len(self._text.tokens) - 1
            place = last if self._place is None else min(self._place, last)
            view.show_text(self._text, place if place >= 0 else None)
