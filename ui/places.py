"""The places of the window: what stands in the middle, and what belongs to it at the left.

Each place is built when it is first gone to, so that the window opens at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from ui.controls import Surface

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ui.theme import Theme

PlaceName = Literal["chat", "playground", "exhibits", "models"]


class PlacePage(Surface):
    """What a place shows in the middle.

    `entered` is emitted each time the user comes here.
    """

    entered = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "page")

    @property
    def side(self) -> QWidget | None:
        """What stands at the left while this place is shown; None leaves the chats there."""
        return None


@dataclass(frozen=True)
class Place:
    """A place that can be gone to.

    Attributes:
        name: How it is known in the program.
        title: How the user knows it.
        build: Makes its page, at the first visit.
        inspector: Whether the inspector stands beside it until the user decides otherwise.
    """

    name: PlaceName
    title: str
    build: Callable[[Theme], PlacePage]
    inspector: bool = False


def later_places() -> tuple[Place, ...]:
    """The places beside the chat, in the order of the header."""
    translate = QCoreApplication.translate
    return (
        Place("playground", translate("Places", "Playground"), _playground),
        Place("exhibits", translate("Places", "Exhibits"), _exhibits),
        Place("models", translate("Places", "Models"), _models),
    )


def _playground(theme: Theme) -> PlacePage:
    from ui.playground.page import PlaygroundPage

    return PlaygroundPage(theme)


def _exhibits(theme: Theme) -> PlacePage:
    from ui.exhibits.page import ExhibitsPage

    return ExhibitsPage(theme)


def _models(theme: Theme) -> PlacePage:
    from ui.models.page import ModelsPage

    return ModelsPage(theme)


def chat_title() -> str:
    """What the place of the chat is called."""
    return QCoreApplication.translate("Places", "Chat")


class Places(QStackedWidget):
    """The pages, one above the other, with the chat's page first.

    `built` tells of a page before it is shown for the first time; `changed` of the place shown.
    """

    built = Signal(str, QWidget)
    changed = Signal(str)

    def __init__(
        self, theme: Theme, chat: QWidget, chats: QWidget, places: Sequence[Place]
    ) -> None:
        super().__init__()
        self._theme = theme
        self._places = tuple(places)
        self._pages: dict[PlaceName, PlacePage] = {}
        self._current: PlaceName = "chat"
        self.sides = QStackedWidget()
        """What stands at the left: the chats, or a page's own list."""
        self._chats = chats
        self.addWidget(chat)
        self.sides.addWidget(chats)

    @property
    def names(self) -> tuple[PlaceName, ...]:
        """Every place, in the order of the header."""
        return ("chat", *(place.name for place in self._places))

    @property
    def titles(self) -> tuple[str, ...]:
        """What the places are called, in the same order."""
        return (chat_title(), *(place.title for place in self._places))

    @property
    def current(self) -> PlaceName:
        """The place that is shown."""
        return self._current

    def page(self, name: PlaceName) -> PlacePage | None:
        """The page of a place that has been gone to."""
        return self._pages.get(name)

    def wants_inspector(self, name: PlaceName) -> bool:
        """Whether the inspector stands beside a place to begin with."""
        return all(place.inspector for place in self._places if place.name == name)

    def go(self, name: PlaceName) -> None:
        """Show a place; the focus goes along where what had it is hidden."""
        page = None if name == "chat" else self._built(name)
        leaves = name != self._current and self._has_focus()
        if page is None:
            self.setCurrentIndex(0)
            self.sides.setCurrentIndex(0)
        else:
            self.setCurrentWidget(page)
            self.sides.setCurrentWidget(page.side or self._chats)
        if name != self._current:
            self._current = name
            self.changed.emit(name)
        if page is not None:
            page.entered.emit()
        shown = self.currentWidget()
        first = shown.focusProxy() if leaves and shown is not None else None
        if first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _has_focus(self) -> bool:
        """Whether the focus is in a place, or in what stands at its left."""
        focused = QApplication.focusWidget()
        return focused is not None and (
            self.isAncestorOf(focused) or self.sides.isAncestorOf(focused)
        )

    def _built(self, name: PlaceName) -> PlacePage:
        page = self._pages.get(name)
        if page is None:
            place = next(place for place in self._places if place.name == name)
            page = self._pages[name] = place.build(self._theme)
            self.addWidget(page)
            if page.side is not None:
                self.sides.addWidget(page.side)
            self.built.emit(name, page)
        return page
