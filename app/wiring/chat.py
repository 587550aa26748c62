"""The chat: which one is shown, its turns, and what is done to its messages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.cutaway import Cutaway


def connect_chat(app: Cutaway) -> None:
    """Join the window's chat page to what answers, keeps and changes it."""
    _connect_shown(app)
    _connect_turns(app)
    _connect_versions(app)
    _connect_question(app)
    _connect_settings(app)
    _connect_temporary(app)


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
    chats.failed.connect(window.show_reply_error)
    app.store.failed.connect(window.show_error)
    worker.began.connect(chats.on_began)
    worker.produced.connect(chats.on_produced)
    worker.ended.connect(chats.on_ended)
    worker.loaded.connect(app.replies.on_model_loaded)
    worker.loading.connect(app.replies.on_model_left)
    worker.loading.connect(app.replies.on_model_loading)
    app.replies.model_wanted.connect(app.models.open)
    worker.unloaded.connect(app.replies.on_model_left)
    worker.load_failed.connect(app.replies.on_model_left)


def _connect_versions(app: Cutaway) -> None:
    """What is done to a message that is already there."""
    window, versions = app.window, app.versions
    window.message_action.connect(versions.on_message_action)
    window.message_edited.connect(versions.on_edited)
    versions.draft_restored.connect(window.restore_draft)
    app.chats.version_refused.connect(versions.on_version_refused)


def _connect_question(app: Cutaway) -> None:
    """What is being written: its words, its files, and what it takes."""
    page, drafting, budget = app.window.page, app.drafting, app.budget
    composer, shown = page.composer, app.shown
    composer.text_changed.connect(drafting.on_text_changed)
    composer.attachment_removed.connect(drafting.on_removed)
    app.window.actions_of_menus.attach.triggered.connect(composer.attach_requested)
    page.files_given.connect(drafting.on_files_given)
    page.text_given.connect(drafting.on_text_given)
    page.forgetting_wanted.connect(partial(shown.on_policy_chosen, "window"))
    drafting.text_wanted.connect(composer.set_text)
    drafting.earlier_text_wanted.connect(composer.restore)
    drafting.attachments_changed.connect(composer.set_attachments)
    drafting.failed.connect(app.window.show_error)
    drafting.changed.connect(budget.refresh)
    shown.another_shown.connect(drafting.on_chat_shown)
    shown.current_changed.connect(drafting.on_current_changed)
    shown.settings_changed.connect(budget.refresh)
    shown.messages_changed.connect(budget.refresh)
    app.worker.loaded.connect(budget.refresh)
    app.worker.counted.connect(budget.on_counted)
    app.chats.settled.connect(budget.refresh)
    app.replies.asked.connect(budget.on_asked)
    app.worker.loading.connect(budget.clear)
    app.worker.unloaded.connect(budget.clear)
    budget.changed.connect(composer.set_budget)


def _connect_settings(app: Cutaway) -> None:
    """What the shown chat is set to."""
    page, control = app.window.page, app.chat_settings
    page.settings_requested.connect(control.on_requested)
    app.window.actions_of_menus.chat_settings.triggered.connect(control.on_requested)
    app.window.message_action.connect(control.on_message_action)
    page.setting_changed.connect(control.on_value)
    page.preset_changed.connect(control.on_preset)
    page.prompt_changed.connect(control.on_prompt)
    page.again_requested.connect(control.on_again)
    page.settings_closed.connect(control.on_closed)
    app.recent_models.changed.connect(control.on_models)
    control.wanted.connect(page.show_settings)
    control.updated.connect(page.update_settings)
    control.summary_changed.connect(page.composer.set_settings)
    control.usual_preset_chosen.connect(partial(app.preferences.set, "preset"))
    app.preferences.changed.connect(control.on_preferences)
    app.shown.settings_changed.connect(control.on_shown_changed)


def _connect_temporary(app: Cutaway) -> None:
    """The chat that is nowhere on disk."""
    window, temporary = app.window, app.temporary
    window.actions_of_menus.temporary_chat.triggered.connect(temporary.on_requested)
    window.actions_of_menus.temporary_chat.triggered.connect(partial(window.go, "chat"))
    window.page.temporary_bar.keep_requested.connect(temporary.on_keep_requested)
    window.page.temporary_bar.end_requested.connect(temporary.on_end_requested)
    app.shown.privacy_changed.connect(window.page.set_temporary)
    app.shown.current_changed.connect(temporary.on_current_changed)
    temporary.list_outdated.connect(app.chat_list.refresh)
    temporary.ended.connect(app.drafting.forget)
    app.store.recovered.connect(window.show_error)
    app.store.reopened.connect(window.show_error)
    app.store.reopened.connect(app.chat_list.refresh)
    app.store.reopened.connect(app.chat_settings.start)
    app.store.reopened.connect(app.deletions.forget)
    app.store.reopened.connect(app.drafting.on_reopened)
