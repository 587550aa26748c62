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
from app.transfer import Transfer
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
        self._store = StoreThread(data_folder / "chats.sqlite3")
        self.deletions = Deletions(self._store, self)
        self.chat_list = ChatList(self._store, self)
        self.transfer = Transfer(self._store, self)
        self.chats = ChatController(self.worker, self._store, self.deletions, self)
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
        self._connect_chat()
        self._connect_list()
        self._connect_transfer()
        self._connect_models()
        self.window.close_requested.connect(self.close)
        self.worker.closed.connect(self._on_worker_closed)

    def _connect_chat(self) -> None:
        """What is said in the shown chat."""
        window, chats, worker = self.window, self.chats, self.worker
        window.submitted.connect(chats.on_submitted)
        window.stop_requested.connect(chats.on_stop_requested)
        window.message_action.connect(chats.on_message_action)
        window.message_edited.connect(chats.on_edited)
        chats.chat_shown.connect(window.show_chat)
        chats.messages_changed.connect(window.change_messages)
        chats.message_wanted.connect(window.reveal_message)
        chats.title_changed.connect(window.set_title)
        chats.message_added.connect(window.add_message)
        chats.text_appended.connect(window.append_text)
        chats.message_updated.connect(window.update_message)
        chats.busy_changed.connect(window.set_busy)
        chats.draft_restored.connect(window.restore_draft)
        window.policy_chosen.connect(chats.on_policy_chosen)
        chats.policy_changed.connect(window.set_policy)
        chats.memory_changed.connect(window.set_memory_begin)
        chats.failed.connect(window.show_error)
        worker.produced.connect(chats.on_produced)
        worker.ended.connect(chats.on_ended)
        worker.loaded.connect(chats.on_model_loaded)

    def _connect_list(self) -> None:
        """What is done to chats as a whole."""
        window, chats, chat_list = self.window, self.chats, self.chat_list
        deletions = self.deletions
        window.new_chat_requested.connect(chats.on_new_chat_requested)
        window.chat_selected.connect(chats.on_chat_selected)
        window.message_selected.connect(chats.on_hit_chosen)
        window.chats_delete_requested.connect(chats.on_chats_delete_requested)
        window.chat_renamed.connect(chat_list.rename)
        window.chats_pinned.connect(chat_list.set_pinned)
        window.chats_archived.connect(chat_list.set_archived)
        window.search_requested.connect(chat_list.find)
        window.undo_requested.connect(deletions.undo)
        chats.list_outdated.connect(chat_list.refresh)
        chats.current_changed.connect(chat_list.set_current)
        chat_list.hits_found.connect(window.set_search_hits)
        chat_list.chats_changed.connect(window.set_chats)
        chat_list.title_changed.connect(chats.on_renamed)
        chat_list.failed.connect(window.show_error)
        deletions.deleted.connect(window.offer_undo)
        deletions.changed.connect(chats.on_trash_changed)
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
        self._store.close()
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
