"""The inspector: its questions about the shown chat, and what the engine answers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.cutaway import Cutaway
    from ui.inspector.tokens import TokensPanel


def connect_inspector(app: Cutaway) -> None:
    """Join the inspector's sections to what answers them."""
    panel, inspection, shown = app.window.inspector, app.inspection, app.shown
    panel.context.asked.connect(inspection.on_text_asked)
    panel.context.chosen.connect(inspection.on_position_chosen)
    panel.cache.layers_asked.connect(inspection.on_layers_asked)
    panel.tokens_built.connect(partial(_on_tokens_built, app))
    # To where Esc stops it; what has the focus now is about to be hidden.
    inspection.branch_wanted.connect(app.window.actions_of_menus.write.trigger)
    inspection.branch_wanted.connect(app.versions.on_branched)
    inspection.failed.connect(app.window.show_error)
    inspection.text_found.connect(panel.context.show_text)
    inspection.message_found.connect(app.window.reveal_message)
    inspection.layers_found.connect(panel.cache.show_layers)
    shown.chat_shown.connect(app.live_tokens.on_chat_changed)
    shown.chat_shown.connect(inspection.on_chat_changed)
    shown.messages_changed.connect(app.live_tokens.on_chat_changed)
    shown.messages_changed.connect(inspection.on_chat_changed)
    shown.busy_changed.connect(inspection.on_busy_changed)


def _on_tokens_built(app: Cutaway, tokens: TokensPanel) -> None:
    inspection, live, worker = app.inspection, app.live_tokens, app.worker
    tokens.watched.connect(live.on_watched)
    tokens.shown.connect(inspection.on_tokens_wanted)
    tokens.wanted.connect(inspection.on_tokens_wanted)
    tokens.cancelled.connect(inspection.on_tokens_cancelled)
    tokens.chosen.connect(inspection.on_alternative_chosen)
    inspection.tokens_found.connect(tokens.show_tokens)
    inspection.tokens_progressed.connect(tokens.show_progress)
    inspection.tokens_stopped.connect(tokens.show_stopped)
    inspection.tokens_refused.connect(tokens.show_sentence)
    live.begun.connect(inspection.on_live_begun)
    live.grown.connect(tokens.show_tokens)
    worker.began.connect(live.on_began)
    worker.produced.connect(live.on_produced)
    worker.ended.connect(live.on_ended)
    app.chats.settled.connect(inspection.on_settled)
