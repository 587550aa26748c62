"""The preferences: where they are chosen, kept and put in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.cutaway import Cutaway


def connect_preferences(app: Cutaway) -> None:
    """Join the window of preferences to their file and to what they change."""
    window, kept, use = app.window, app.preferences, app.preference_use
    window.preferences_requested.connect(use.on_requested)
    window.preference_changed.connect(kept.set)
    window.preferences_reset.connect(kept.reset)
    app.theme.zoomed.connect(use.on_zoomed)
    kept.changed.connect(use.on_changed)
    kept.failed.connect(window.show_preferences_error)
