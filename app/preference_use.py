"""What the preferences do: the look of the window, and the window in which they are chosen."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QApplication

from app.preferences import groups

if TYPE_CHECKING:
    from app.chats.library import Preset
    from app.chats.store import Store
    from app.preference_store import PreferenceStore
    from app.preferences import Preferences
    from app.store_access import StoreAccess
    from ui.chat.spelling import Spelling
    from ui.theme import Theme
    from ui.window import MainWindow


class PreferenceUse(QObject):
    """Puts preferences in force in the window."""

    def __init__(
        self,
        kept: PreferenceStore,
        window: MainWindow,
        theme: Theme,
        store: StoreAccess,
        spelling: Spelling | None,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._kept = kept
        self._window = window
        self._theme = theme
        self._store = store
        self._spelling = spelling
        self._system_is_still = system_reduces_motion()

    def on_changed(self, preferences: Preferences) -> None:
        """Dress the window as it is preferred now."""
        self._theme.set_mode(preferences.appearance)
        self._theme.set_zoom(preferences.text_size)
        self._theme.set_compact(compact=preferences.density == "compact")
        still = preferences.motion == "reduced" or self._system_is_still
        self._theme.set_reduced_motion(reduced=still)
        spelling = self._spelling if preferences.spelling else None
        self._window.page.composer.set_spelling(spelling)
        self._window.foot.set_offline(offline=preferences.offline)
        self._window.set_preferences(preferences.values)

    def on_zoomed(self, zoom: float) -> None:
        """Keep the size that was chosen in the menu."""
        self._kept.set("text_size", zoom)

    def on_requested(self, words: str) -> None:
        """Open the window of preferences, with the presets that there are."""

        def work(store: Store) -> tuple[Preset, ...]:
            return store.library.presets()

        def show(presets: tuple[Preset, ...]) -> None:
            known = [(preset.id, preset.name) for preset in presets]
            fields = groups(known, spelling=self._spelling is not None)
            self._window.show_preferences(fields, self._kept.now.values, words)

        self._store.run(work, show)


def system_reduces_motion() -> bool:
    """Whether the system's user wants things to hold still.

    macOS keeps that in a domain of its own; elsewhere a text cursor that does not blink tells.
    """
    if sys.platform == "darwin":
        scope = QSettings.Scope.UserScope
        kept = QSettings(QSettings.Format.NativeFormat, scope, "apple.com", "universalaccess")
        return bool(kept.value("reduceMotion", False, bool))
    return QApplication.cursorFlashTime() == 0
