"""Which cache keys and values go through: all tokens, or a window with pinned ones before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ui import figures
from ui.controls_values import Stepper
from ui.playground.attention_values import CacheView
from ui.segments import Segments

if TYPE_CHECKING:
    from ui.theme import Theme

_WINDOWS = (4, 8, 16, 32, 64, 128, 256, 512, 1024)
_PINNED = (0, 1, 2, 4, 8, 16, 32, 64, 128)
_USUAL_WINDOW = 16
_USUAL_PINNED = 4


class CacheChoice(QObject):
    """The choice, as `parts` for a row; `changed` tells another cache that the user chose."""

    changed = Signal(object)
    """A `CacheView`."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.kind = Segments(
            theme, [self.tr("All tokens"), self.tr("Window")], self.tr("What a token may see"), 22
        )
        self.window_size = Stepper(theme, self.tr("Window"), _WINDOWS, figures.whole)
        self.pinned = Stepper(theme, self.tr("Pinned"), _PINNED, figures.whole)
        self.parts = (self.kind, self.window_size, self.pinned)
        """What is to be shown side by side; two of them hide while all tokens are seen."""
        self._bits: int | None = None
        self._quiet = False
        self.window_size.set_number(_USUAL_WINDOW)
        self.pinned.set_number(_USUAL_PINNED)
        self._show_parts()
        self.kind.chosen.connect(self._on_changed)
        self.window_size.changed.connect(self._on_changed)
        self.pinned.changed.connect(self._on_changed)

    @property
    def cache(self) -> CacheView:
        """What is chosen."""
        if self.kind.current == 0:
            return CacheView(bits=self._bits)
        return CacheView(round(self.window_size.number), round(self.pinned.number), bits=self._bits)

    def set_cache(self, cache: CacheView) -> None:
        """Choose a cache, without telling of it."""
        self._quiet = True
        self._bits = cache.bits
        self.kind.set_current(0 if cache.window is None else 1)
        if cache.window is not None:
            self.window_size.set_values(sorted({*_WINDOWS, cache.window}))
            self.window_size.set_number(cache.window)
            self.pinned.set_values(sorted({*_PINNED, cache.pinned}))
            self.pinned.set_number(cache.pinned)
        self._show_parts()
        self._quiet = False

    def _on_changed(self, _value: object = None) -> None:
        if not self._quiet:
            self._show_parts()
            self.changed.emit(self.cache)

    def _show_parts(self) -> None:
        for part in (self.window_size, self.pinned):
            part.setVisible(self.kind.current == 1)
