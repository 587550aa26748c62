"""The chats as a whole: the list, search, deletions with undo, export and import."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.cutaway import Cutaway


def connect_chats(app: Cutaway) -> None:
    """Join the sidebar and the menus to the store of chats."""
    _connect_list(app)
    _connect_transfer(app)
    _connect_titles(app)


def _connect_list(app: Cutaway) -> None:
    """What is done to chats as a whole."""
    window, chat_list, deletions = app.window, app.chat_list, app.deletions
    window.chats_delete_requested.connect(app.chats.on_chats_delete_requested)
    window.chat_renamed.connect(chat_list.rename)
    window.chats_pinned.connect(chat_list.set_pinned)
    window.chats_archived.connect(chat_list.set_archived)
    window.search_requested.connect(chat_list.find)
    window.undo_requested.connect(deletions.undo)
    app.chats.list_outdated.connect(chat_list.refresh)
    app.versions.list_outdated.connect(chat_list.refresh)
    app.shown.list_outdated.connect(chat_list.refresh)
    app.shown.current_changed.connect(chat_list.set_current)
    chat_list.hits_found.connect(window.set_search_hits)
    chat_list.chats_changed.connect(window.set_chats)
    chat_list.title_changed.connect(app.shown.on_renamed)
    chat_list.failed.connect(window.show_error)
    chat_list.unread.connect(app.store.say)
    deletions.deleted.connect(window.offer_undo)
    deletions.changed.connect(app.shown.on_trash_changed)
    deletions.failed.connect(window.show_error)


def _connect_transfer(app: Cutaway) -> None:
    window, transfer = app.window, app.transfer
    window.export_requested.connect(transfer.export)
    window.sidebar.list.export_requested.connect(window.actions_of_menus.export_chat.trigger)
    window.import_requested.connect(transfer.preview)
    window.import_chosen.connect(transfer.take)
    transfer.exported.connect(window.tell_export)
    transfer.previewed.connect(window.show_import)
    transfer.imported.connect(window.tell_import)
    transfer.imported.connect(app.chat_list.refresh)
    transfer.failed.connect(window.show_error)
    transfer.progressed.connect(window.files.show_progress)
    transfer.ended.connect(window.files.end_progress)
    transfer.left_over.connect(app.deletions.sweep)
    window.files.stop_requested.connect(transfer.stop)


def _connect_titles(app: Cutaway) -> None:
    """Chats are named while nothing happens."""
    titles = app.titles
    app.chats.settled.connect(titles.on_settled)
    app.replies.asked.connect(titles.on_busy)
    app.drafting.changed.connect(titles.on_busy)
    app.preferences.changed.connect(titles.on_preferences)
    titles.named.connect(app.shown.on_renamed)
    titles.named.connect(app.chat_list.refresh)
