"""Puts the application together: every connection between its parts stands here."""

import os
import sys
from contextlib import suppress
from pathlib import Path

import platformdirs
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from app.chat_list import ChatList
from app.chats.thread import StoreThread
from app.controller import ChatController
from app.deletions import Deletions
from app.interrupts import Interrupts
from app.models import ModelController
from app.replies import Replies
from app.shown import ShownChat
from app.store_access import StoreAccess
from app.transfer import Transfer
from app.versions import Versions
from app.worker import Worker
from resources.icon.window import window_icon
from ui.theme import Theme
from ui.window import STARTER, MainWindow

NAME = "Cutaway"


class Cutaway(QObject):
    """The running application: window, engine thread, store of chats, and what joins them.

    `closed` is emitted when both threads have ended and everything is saved.
    """

    closed = Signal()

    def __init__(self, application: QApplication, data_folder: Path) -> None:
        super().__init__()
        self._layout = data_folder / "window.layout"
        self.window = MainWindow(Theme(application))
        self.worker = Worker(self, data_folder / "sessions")
        self._store_thread = StoreThread(data_folder / "chats.sqlite3")
        self.deletions = Deletions(self._store_thread, self)
        self.chat_list = ChatList(self._store_thread, self)
        self.transfer = Transfer(self._store_thread, self)
        self.store = StoreAccess(self._store_thread, self)
        self.replies = Replies(self.worker, self.store, self)
        self.shown = ShownChat(self.worker, self.store, self.replies, self)
        self.versions = Versions(self.store, self.replies, self.shown, self.deletions, self)
        self.chats = ChatController(
            self.worker, self.store, self.replies, self.shown, self.deletions, self
        )
        self.models = ModelController(self.worker, self)
        self._connect_signals()

    def start(self) -> None:
        """Show the window, then read the chats and load the starter model behind it."""
        with suppress(OSError):  # on the first start there is none
            self.window.restore_layout(self._layout.read_bytes())
        self.window.show()
        self.models.open(STARTER)  # a question that comes at once waits behind it
        QTimer.singleShot(0, self, self._start_threads)

    def close(self) -> None:
        """Stop what runs, save, and end both threads; `closed` says when that is done."""
        with suppress(OSError):  # a layout that cannot be kept is no reason to stay open
            self._layout.write_bytes(self.window.layout_state())
        self.worker.close()

    def _start_threads(self) -> None:
        self.chats.start()
        self.worker.start()

    def _connect_signals(self) -> None:
        self._connect_shown()
        self._connect_turns()
        self._connect_versions()
        self._connect_list()
        self._connect_transfer()
        self._connect_models()
        self.window.close_requested.connect(self.close)
        self.worker.closed.connect(self._on_worker_closed)

    def _connect_shown(self) -> None:
        """Which chat is shown, and how."""
        window, shown = self.window, self.shown
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

    def _connect_turns(self) -> None:
        """What is asked and answered."""
        window, chats, worker = self.window, self.chats, self.worker
        window.submitted.connect(chats.on_submitted)
        window.stop_requested.connect(chats.on_stop_requested)
        chats.text_appended.connect(window.append_text)
        chats.draft_restored.connect(window.restore_draft)
        chats.failed.connect(window.show_error)
        self.store.failed.connect(window.show_error)
        worker.produced.connect(chats.on_produced)
        worker.ended.connect(chats.on_ended)
        worker.loaded.connect(self.replies.on_model_loaded)

    def _connect_versions(self) -> None:
        """What is done to a message that is already there."""
        window, versions = self.window, self.versions
        window.message_action.connect(versions.on_message_action)
        window.message_edited.connect(versions.on_edited)
        versions.draft_restored.connect(window.restore_draft)
        self.chats.version_refused.connect(versions.on_version_refused)

    def _connect_list(self) -> None:
        """What is done to chats as a whole."""
        window, chat_list, deletions = self.window, self.chat_list, self.deletions
        window.chats_delete_requested.connect(self.chats.on_chats_delete_requested)
        window.chat_renamed.connect(chat_list.rename)
        window.chats_pinned.connect(chat_list.set_pinned)
        window.chats_archived.connect(chat_list.set_archived)
        window.search_requested.connect(chat_list.find)
        window.undo_requested.connect(deletions.undo)
        self.chats.list_outdated.connect(chat_list.refresh)
        self.versions.list_outdated.connect(chat_list.refresh)
        self.shown.list_outdated.connect(chat_list.refresh)
        self.shown.current_changed.connect(chat_list.set_current)
        chat_list.hits_found.connect(window.set_search_hits)
        chat_list.chats_changed.connect(window.set_chats)
        chat_list.title_changed.connect(self.shown.on_renamed)
        chat_list.failed.connect(window.show_error)
        deletions.deleted.connect(window.offer_undo)
        deletions.changed.connect(self.shown.on_trash_changed)
        deletions.failed.connect(window.show_error)

    def _connect_transfer(self) -> None:
        window, transfer = self.window, self.transfer
        window.export_requested.connect(transfer.export)
        window.import_requested.connect(transfer.preview)
        window.import_chosen.connect(transfer.take)
        transfer.exported.connect(window.tell_export)
        transfer.previewed.connect(window.show_import)
        transfer.imported.connect(window.tell_import)
        transfer.imported.connect(self.chat_list.refresh)
        transfer.failed.connect(window.show_error)

    def _connect_models(self) -> None:
        window, models, worker = self.window, self.models, self.worker
        window.model_open_requested.connect(models.open)
        window.model_unload_requested.connect(models.unload)
        models.changed.connect(window.set_model)
        models.failed.connect(window.show_error)
        worker.loading.connect(models.on_loading)
        worker.loaded.connect(models.on_loaded)
        worker.load_failed.connect(models.on_load_failed)
        worker.unloaded.connect(models.on_unloaded)
        worker.measured.connect(window.set_telemetry)

    def _on_worker_closed(self) -> None:
        self.worker.join()
        self.transfer.close()
        self._store_thread.close()
        self.closed.emit()


def has_display() -> bool:
    """Whether Qt can open a window here; a platform that was asked for by name counts."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform != "linux" or any(os.environ.get(name) for name in names)


def run_window() -> int:
    """Run the window until it is closed.

    Returns:
        The exit status: 2 where there is no display, which is said in one sentence.
    """
    if not has_display():
        sys.stderr.write("There is no display here; `cutaway chat` works in the terminal.\n")
        return 2
    application = QApplication(sys.argv)
    application.setApplicationName(NAME)
    application.setApplicationDisplayName(NAME)
    application.setWindowIcon(window_icon())
    # The last window closes before the last word is saved; `closed` ends the application.
    application.setQuitOnLastWindowClosed(False)
    cutaway = Cutaway(application, platformdirs.user_data_path(NAME, appauthor=False))
    interrupts = Interrupts(cutaway)
    interrupts.asked.connect(cutaway.window.close)
    cutaway.closed.connect(application.quit)
    cutaway.start()
    status = application.exec()
    interrupts.close()
    return status
