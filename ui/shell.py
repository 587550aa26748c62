"""The window's parts and how they stand: the chats at the left, places in the middle, inspector.

Closing: the first close event hides the window at once and emits `close_requested`; the window
itself is kept. Whoever owns the application ends its work (a reply is saved, the engine's
thread is joined) and then calls `QApplication.exit()`. Nothing quits before that, also not on
Cmd-Q, for the close event is refused. A second close event is let through.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QSplitter, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.beside import Beside
from ui.chat.page import ChatPage
from ui.chat.sidebar import Sidebar
from ui.foot import Foot
from ui.header import Header
from ui.inspector.panel import Inspector
from ui.layout import Layout
from ui.menus import Actions, EditActions, fill_menu_bar
from ui.model_menu import ModelMenu
from ui.notice import Notice
from ui.palette import Palette
from ui.places import PlaceName, Places, later_places
from ui.tab_order import step

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QResizeEvent, QShowEvent

    from ui.theme import Theme

_SMALLEST = (800, 560)
_NARROWEST = 320
"""Of the middle, so that all three parts fit the smallest window."""
_FIRST = (1360, 860)
_FRAME = QSize(4, 40)
"""Room for what the window system puts around a window, so that a first one fits the screen."""
_IDLE_MS = 300
_AHEAD = ("ui.chat.question", "ui.chat.reply", "ui.charts.view", "ui.inspector.context_map")


class Shell(QMainWindow):
    """The parts of the window, side by side, and what becomes of them when it closes."""

    close_requested = Signal()
    place_built = Signal(str, QWidget)
    """A place was gone to for the first time: its name, and its page to be connected."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        # First of all: a new style sheet gives every part its old palette back.
        self._theme.changed.connect(self._dress)
        self._closing = False
        self._actions = Actions(self)
        self._sidebar = Sidebar(theme)
        self._notice = Notice(theme)
        self._undo_bar = Notice(theme)
        self._page = ChatPage(theme, self._notice, self._undo_bar)
        self._places = Places(theme, self._page, self._sidebar, later_places())
        self._model_menu = ModelMenu(self, self._actions)
        self._header = Header(theme, self._model_menu, self._places.titles)
        self._inspector = Inspector(theme)
        self._palette = Palette(theme, self)
        self._foot = Foot(theme, self._actions.preferences.shortcut())
        self._left = QWidget()
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self)
        toggles = self._actions.toggle_sidebar, self._actions.toggle_inspector
        self._beside = Beside(self._actions.toggle_inspector, self)
        self._layout = Layout(self, self._splitter, toggles)
        self.setWindowTitle("Cutaway")
        self.setMinimumSize(*_SMALLEST)
        self.resize(QSize(*_FIRST).boundedTo(self.screen().availableSize() - _FRAME))
        self._build()
        fill_menu_bar(self, self._actions, EditActions(self), self._place_actions())
        self._dress()
        self._connect_parts()

    def _build(self) -> None:
        middle = QWidget()
        middle.setMinimumWidth(_NARROWEST)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self._notice)
        column.addWidget(self._undo_bar)
        column.addWidget(self._places, 1)
        left = QVBoxLayout(self._left)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(0)
        left.addWidget(self._places.sides, 1)
        left.addWidget(self._foot)
        for number, part in enumerate((self._left, middle, self._inspector)):
            self._splitter.addWidget(part)
            self._splitter.setStretchFactor(number, 1 if part is middle else 0)
        self._splitter.setHandleWidth(1)
        self._splitter.setChildrenCollapsible(False)
        width = _FIRST[0] - look.SIDEBAR_WIDTH - look.INSPECTOR_WIDTH
        self._splitter.setSizes([look.SIDEBAR_WIDTH, width, look.INSPECTOR_WIDTH])
        self.setCentralWidget(self._splitter)

    def _connect_parts(self) -> None:
        actions = self._actions
        self._places.built.connect(self.place_built)
        self._places.changed.connect(self._on_place_changed)
        self._header.place_chosen.connect(self._on_place_chosen)
        self._header.sidebar_button.clicked.connect(actions.toggle_sidebar.trigger)
        self._header.inspector_button.clicked.connect(actions.toggle_inspector.trigger)
        actions.toggle_sidebar.toggled.connect(self._left.setVisible)
        actions.toggle_inspector.toggled.connect(self._inspector.setVisible)
        actions.close.triggered.connect(self.close)
        actions.quit.triggered.connect(self.close)
        actions.full_screen.triggered.connect(self._on_full_screen)
        actions.minimize.triggered.connect(self.showMinimized)
        actions.zoom.triggered.connect(self._on_zoom)
        actions.text_larger.triggered.connect(lambda: self._theme.step_zoom(1))
        actions.text_smaller.triggered.connect(lambda: self._theme.step_zoom(-1))
        actions.text_usual.triggered.connect(lambda: self._theme.set_zoom(1.0))

    def _place_actions(self) -> list[QAction]:
        """An action for every place; none where the chat is the only one."""
        places = self._places
        if len(places.names) == 1:
            return []
        actions: list[QAction] = []
        for number, (name, title) in enumerate(zip(places.names, places.titles, strict=True)):
            action = QAction(title, self)
            action.setShortcut(QKeySequence(f"Ctrl+{number + 1}"))
            action.triggered.connect(partial(self.go, name))
            actions.append(action)
        return actions

    @property
    def actions_of_menus(self) -> Actions:
        """The actions of the menus."""
        return self._actions

    @property
    def sidebar(self) -> Sidebar:
        """The chats at the left."""
        return self._sidebar

    @property
    def model_menu(self) -> ModelMenu:
        """The menu under the model's name."""
        return self._model_menu

    @property
    def header(self) -> Header:
        """The bar above the page."""
        return self._header

    @property
    def foot(self) -> Foot:
        """The line below the chats."""
        return self._foot

    @property
    def page(self) -> ChatPage:
        """The chat in the middle."""
        return self._page

    @property
    def notice(self) -> Notice:
        """The bar above all places, with what the window has to say."""
        return self._notice

    @property
    def palette_of_actions(self) -> Palette:
        """The palette over the window."""
        return self._palette

    @property
    def inspector(self) -> Inspector:
        """The figures at the right."""
        return self._inspector

    @property
    def places(self) -> Places:
        """The pages in the middle."""
        return self._places

    def go(self, place: PlaceName) -> None:
        """Show a place."""
        self._places.go(place)

    @override
    def focusNextPrevChild(self, next: bool) -> bool:
        """Go as one reads; within the palette while it is open."""
        top = self if self._palette.isHidden() else self._palette
        return step(top, self.focusWidget(), forwards=next)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._beside.on_width(event.size().width())

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        if self._closing:
            event.accept()
            return
        self._closing = True
        event.ignore()
        self.hide()
        self.close_requested.emit()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        self._closing = False
        super().showEvent(event)
        # Imported while nothing happens yet, so that the first reply need not wait for it.
        QTimer.singleShot(_IDLE_MS, self, self._on_idle)

    def _on_idle(self) -> None:
        Thread(target=_read_ahead, daemon=True).start()

    def _dress(self) -> None:
        sheet = look.style_sheet(self._theme.colors)
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)

    def _on_place_chosen(self, number: int) -> None:
        self.go(self._places.names[number])

    def _on_place_changed(self, name: PlaceName) -> None:
        self._beside.on_place(name, usual=self._places.wants_inspector(name))
        self._header.set_place(self._places.names.index(name))

    def _on_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _on_zoom(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowMaximized)


def _read_ahead() -> None:
    """Import what the first messages and figures are shown with."""
    for name in _AHEAD:
        import_module(name)
    from ui.chat.markdown import parser

    parser()
