"""The chat: which one is shown, its turns, and what is done to its messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.cutaway import Cutaway


def connect_chat(app: Cutaway) -> None:
    """Join the window's chat page to what answers, keeps and changes it."""
    _connect_shown(app)
    _connect_turns(app)
    _connect_versions(app)


def _connect_shown(app: Cutaway) -> None:
    """Which chat is shown, and how."""
    window, shown = app.window, app.shown
    window.new_chat_requested.connect(shown.on_new_chat_requested)
    window.chat_selected.connect(shown.on_chat_selected)
    window.message_selected.connect(shown.on_hit_chosen)
    window.policy_chosen.connect(shown.on_policy_chosen)
    shown.chat_shown.connect(window.show_chat)
    shown.messages_changed.connect(window.change_messages)
    shown.message_wanted.connect(window.reveal_message)
    shown.title_changed.connect(window.set_title)
    shown.message_added.connect(window.add_message)
    shown.message_updated.connect(window.update_message)
    shown.busy_changed.connect(window.set_busy)
    shown.policy_changed.connect(window.set_policy)
    shown.memory_changed.connect(window.set_memory_begin)


def _connect_turns(app: Cutaway) -> None:
    """What is asked and answered."""
    window, chats, worker = app.window, app.chats, app.worker
    window.submitted.connect(chats.on_submitted)
    window.stop_requested.connect(chats.on_stop_requested)
    chats.text_appended.connect(window.append_text)
    chats.draft_restored.connect(window.restore_draft)
    chats.failed.connect(window.show_error)
    app.store.failed.connect(window.show_error)
    worker.began.connect(chats.on_began)
    worker.produced.connect(chats.on_produced)
    worker.ended.connect(chats.on_ended)
    worker.loaded.connect(app.replies.on_model_loaded)
    worker.loading.connect(app.replies.on_model_left)
    worker.unloaded.connect(app.replies.on_model_left)


def _connect_versions(app: Cutaway) -> None:
    """What is done to a message that is already there."""
    window, versions = app.window, app.versions
    window.message_action.connect(versions.on_message_action)
    window.message_edited.connect(versions.on_edited)
    versions.draft_restored.connect(window.restore_draft)
    app.chats.version_refused.connect(versions.on_version_refused)
