"""The inspector: its questions about the shown chat, and what the engine answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.cutaway import Cutaway


def connect_inspector(app: Cutaway) -> None:
    """Join the inspector's sections to what answers them."""
    panel, inspection, shown = app.window.inspector, app.inspection, app.shown
    panel.context.asked.connect(inspection.on_text_asked)
    panel.context.chosen.connect(inspection.on_position_chosen)
    panel.cache.layers_asked.connect(inspection.on_layers_asked)
    panel.tokens.shown.connect(inspection.on_tokens_wanted)
    panel.tokens.wanted.connect(inspection.on_tokens_wanted)
    panel.tokens.cancelled.connect(inspection.on_tokens_cancelled)
    panel.tokens.chosen.connect(inspection.on_alternative_chosen)
    inspection.branch_wanted.connect(app.versions.on_branched)
    inspection.failed.connect(app.window.show_error)
    inspection.text_found.connect(panel.context.show_text)
    inspection.message_found.connect(app.window.reveal_message)
    inspection.layers_found.connect(panel.cache.show_layers)
    inspection.tokens_found.connect(panel.tokens.show_tokens)
    inspection.tokens_progressed.connect(panel.tokens.show_progress)
    inspection.tokens_refused.connect(panel.tokens.show_sentence)
    shown.chat_shown.connect(inspection.on_chat_changed)
    shown.messages_changed.connect(inspection.on_chat_changed)
    shown.busy_changed.connect(inspection.on_busy_changed)
