"""The running application: its parts, made once, its start and its end."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from app import __version__
from app.application import Application
from app.arrivals import Arrivals
from app.budget import Budget
from app.chat_list import ChatList
from app.chat_settings import ChatSettingsControl
from app.chats.thread import StoreThread
from app.collector import Collector, let_go
from app.controller import ChatController
from app.deletions import Deletions
from app.diary import Diary
from app.display import display_problem
from app.drafting import Drafting
from app.errands import Errands
from app.first_paint import FirstPaint
from app.help import Help
from app.inspection import Inspection
from app.instance import Listener, Lock, hand_over
from app.interrupts import Interrupts
from app.language import install
from app.live_tokens import LiveTokens
from app.log import Journal
from app.macos import Awake, awake_command, system_spelling
from app.model_library import places_in
from app.model_start import ModelStart
from app.models import ModelController, settings_of
from app.paths import NAME, folders
from app.preference_store import PreferenceStore
from app.preference_use import PreferenceUse
from app.recent_models import RecentModels
from app.replies import Replies
from app.shown import ShownChat
from app.sleep import Sleep
from app.store_access import StoreAccess
from app.temporary import Temporary
from app.titles import Titles
from app.transfer import Transfer
from app.updates import Updates
from app.versions import Versions
from app.wiring import connect
from app.wiring.system import update_settings
from app.worker import Worker
from resources.icon.window import window_icon
from ui.theme import Theme
from ui.window import STARTER, MainWindow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.attention import Attention
    from app.exhibits.tour import Tour
    from app.model_parts import ModelParts
    from app.playground_parts import PlaygroundParts

_LOG_AFTER_MS = 300


class Cutaway(QObject):
    """The running application: window, engine thread, store of chats, and what joins them.

    `closed` is emitted when both threads have ended and everything is saved. What a start does not
    need is made and joined when it is first asked for.
    """

    ending = Signal()
    """The engine's thread has ended: what was made late saves its work and ends."""
    closed = Signal()

    def __init__(
        self,
        application: QApplication,
        data_folder: Path,
        config_folder: Path | None = None,
        journal: Journal | None = None,
    ) -> None:
        """Make the parts; nothing runs yet.

        Args:
            application: Qt's.
            data_folder: For chats, sessions and the window's layout.
            config_folder: For the preferences; the data folder where it is None.
            journal: The log; one that nobody began where it is None.
        """
        super().__init__()
        self.data_folder = data_folder
        self._layout = data_folder / "window.layout"
        self.preferences = PreferenceStore(
            (config_folder or data_folder) / "preferences.json", self
        )
        # Before anything has words.
        install(application, self.preferences.now.language)
        self.theme = Theme(application)
        self.window = MainWindow(self.theme)
        remembered = settings_of(lambda: places_in(data_folder))
        self.worker = Worker(self, data_folder / "sessions", remembered)
        self.errands = Errands(self.worker, self)
        self._store_thread = StoreThread(data_folder / "chats.sqlite3", late=True)
        self.store = StoreAccess(self._store_thread, self)
        self.deletions = Deletions(self.store.of, self)
        self.chat_list = ChatList(self._store_thread, self)
        self.transfer = Transfer(self._store_thread, self)
        self.replies = Replies(self.worker, self.store, self)
        self.shown = ShownChat(self.worker, self.store, self.replies, self)
        self.versions = Versions(self.store, self.replies, self.shown, self.deletions, self)
        self.drafting = Drafting(self.store, self)
        self.chats = ChatController(
            self.worker, self.store, self.replies, self.shown, self.deletions, self.drafting, self
        )
        self.titles = Titles(self.errands, self.store, self.replies, self)
        self.budget = Budget(self.worker, self.replies, self.shown, self.drafting, self)
        self.chat_settings = ChatSettingsControl(self.store, self.shown, self.versions, self)
        self.temporary = Temporary(self.worker, self.store, self.replies, self.shown, self)
        self.live_tokens = LiveTokens(self.replies, self.shown, self)
        self.inspection = Inspection(self.errands, self.shown, self.live_tokens, self)
        self.models = ModelController(self.worker, self)
        self.model_start = ModelStart(self)
        self.recent_models = RecentModels(data_folder / "recent models.json", self)
        spelling = system_spelling(sys.platform, self)
        self.preference_use = PreferenceUse(
            self.preferences, self.window, self.theme, self.store, spelling, self
        )
        self._make_system(journal or Journal(self))
        connect(self)
        self.window.close_requested.connect(self.close)
        self.worker.closed.connect(self._on_worker_closed)

    def _make_system(self, journal: Journal) -> None:
        """The parts that deal with the system around the window."""
        self.first_paint = FirstPaint(self.window, self)
        self.first_paint.painted.connect(self._start_threads)
        self.journal = journal
        self.diary = Diary(self)
        self.arrivals = Arrivals(self.window, self)
        self.help = Help(self.window, self.theme, journal, self)
        self.updates = Updates(__version__, self)
        self.sleep = Sleep(self)
        self.awake = Awake(awake_command(sys.platform, os.getpid()), self)

    @cached_property
    def attention(self) -> Attention:
        """What answers the views of attention and layers."""
        from app.attention import Attention
        from app.wiring.attention import connect_answers

        attention = Attention(self.errands, self.shown, self)
        connect_answers(self, attention)
        return attention

    @cached_property
    def tour(self) -> Tour:
        """The visitor's way through the exhibits."""
        from app.exhibits.tour import Tour
        from app.wiring.exhibits import connect_tour

        tour = Tour(self.errands, self.data_folder / "exhibits.json", self)
        connect_tour(self, tour)
        return tour

    @cached_property
    def playground(self) -> PlaygroundParts:
        """What holds, keeps and answers for the playground's document."""
        from app.playground_parts import PlaygroundParts
        from app.wiring.playground import connect_documents

        parts = PlaygroundParts(self.errands, self.data_folder / "playground.json", self)
        connect_documents(self, parts)
        return parts

    @cached_property
    def model_parts(self) -> ModelParts:
        """The library of models, the hub and the downloads, and what answers for them."""
        from app.model_parts import ModelParts
        from app.wiring.library import connect_parts

        parts = ModelParts(self.errands, self.data_folder, self)
        connect_parts(self, parts)
        parts.start()
        return parts

    def start(self) -> None:
        """Show the window, then read the chats and load the starter model behind it."""
        with suppress(OSError):  # on the first start there is none
            self.window.restore_layout(self._layout.read_bytes())
        self.preferences.start()
        self.recent_models.start()
        self.window.show()
        self.models.open(STARTER)  # a question that comes at once waits behind it
        self.first_paint.wait()

    def close(self) -> None:
        """Stop what runs, save, and end both threads; `closed` says when that is done."""
        with suppress(OSError):  # a layout that cannot be kept is no reason to stay open
            self._layout.write_bytes(self.window.layout_state())
        self.drafting.save()
        self.worker.close()

    def _start_threads(self) -> None:
        self.chats.start()
        self.chat_settings.start()
        self.drafting.on_chat_shown(self.shown.chat_id)
        self.deletions.start()
        self.worker.start()
        self.sleep.start()
        self.updates.at_start(update_settings(self.preferences.now))

    def _on_worker_closed(self) -> None:
        self.worker.join()
        self.arrivals.close()
        self.help.close()
        self.awake.close()
        self.drafting.close()
        self.chats.close()
        self.transfer.close()
        self.preferences.close()
        self.model_start.close()
        self.recent_models.close()
        self.ending.emit()
        self.store.close()
        self._store_thread.close()
        self.closed.emit()


def run_window(paths: Sequence[str] = ()) -> int:
    """Run the window until it is closed, unless one runs already: that one then comes forward.

    Args:
        paths: Files and folders to open in it.

    Returns:
        The exit status: 2 where there is no display, 1 where the window that runs already does
        not answer; both are said in one sentence.
    """
    if problem := display_problem():
        sys.stderr.write(f"{problem}\n")
        return 2
    lock = Lock(folders().data)
    try:
        start = hand_over(lock, paths)
    except OSError:  # of a folder that cannot be written to the store tells, in the window
        start = "first"
    if start == "silent":
        sys.stderr.write("Cutaway is running already, but does not answer.\n")
    return _run_first(lock, paths) if start == "first" else int(start == "silent")


def _run_first(lock: Lock, paths: Sequence[str]) -> int:
    application = Application(sys.argv, NAME)
    application.setWindowIcon(window_icon())
    listener = Listener(lock)
    journal = Journal()
    journal.begin()
    cutaway = Cutaway(application, folders().data, folders().config, journal)
    collector = Collector()
    cutaway.worker.loaded.connect(collector.on_loaded)
    interrupts = Interrupts(cutaway)
    interrupts.asked.connect(cutaway.window.close)
    application.file_opened.connect(cutaway.arrivals.open_one)
    listener.asked.connect(cutaway.arrivals.open)
    cutaway.window.close_requested.connect(listener.close)
    cutaway.closed.connect(application.quit)
    cutaway.first_paint.painted.connect(let_go)
    cutaway.start()
    if paths:
        cutaway.arrivals.open(paths)
    QTimer.singleShot(_LOG_AFTER_MS, cutaway, lambda: journal.keep(folders().logs))
    status = application.exec()
    interrupts.close()
    listener.close()
    journal.end()
    lock.release()
    return status
