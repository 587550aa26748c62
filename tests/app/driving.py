"""Drives the real parts as a person would, and keeps what came of it, in order."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, QThread

from app.chats.settings import ContextSettings, ReplySettings, SamplingSettings
from app.chats.store import Store
from app.cutaway import Cutaway
from app.requests import JobEnd, LoadedModel, ReplyEnd, ReplyPiece, ReplyRequest
from app.worker import Worker
from ui.chat.question import UserMessage
from ui.chat.reply import ReplyMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QApplication, QWidget
    from pytestqt.qtbot import QtBot

    from app.chats.model import Message
    from ui.chat.message import MessageItem
    from ui.state import Telemetry

PATIENCE_MS = 60_000
GREEDY = SamplingSettings(temperature=0.0)


class Log(QObject):
    """A worker and everything it says: (signal, values), in the order of arrival."""

    def __init__(self, qtbot: QtBot, *, start: bool = True, sessions: Path | None = None) -> None:
        super().__init__()
        self.worker = Worker(self, sessions)
        self.events: list[tuple[str, Any]] = []
        self.threads: set[str] = set()
        self._qtbot = qtbot
        self._closed = False
        self._connect_signals()
        if start:
            self.worker.start()

    def _connect_signals(self) -> None:
        worker = self.worker
        worker.loading.connect(self._listener("loading"))
        worker.loaded.connect(self._listener("loaded"))
        worker.load_failed.connect(self._listener("load_failed"))
        worker.load_refused.connect(self._listener("load_refused"))
        worker.unloaded.connect(self._listener("unloaded"))
        worker.produced.connect(self._listener("produced"))
        worker.ended.connect(self._listener("ended"))
        worker.measured.connect(self._listener("measured"))
        worker.counted.connect(self._listener("counted"))
        worker.job_progressed.connect(self._listener("job_progressed"))
        worker.job_ended.connect(self._listener("job_ended"))
        worker.closed.connect(self._listener("closed"))

    def _listener(self, name: str) -> Callable[..., None]:
        def listen(*values: object) -> None:
            self._keep(name, values[0] if len(values) == 1 else values or None)

        return listen

    def _keep(self, name: str, value: Any) -> None:
        self.events.append((name, value))
        application = QCoreApplication.instance()
        assert application is not None
        is_main = QThread.currentThread() is application.thread()
        self.threads.add("main" if is_main else threading.current_thread().name)

    def all(self, name: str) -> list[Any]:
        """The values of every signal of that name."""
        return [value for kind, value in self.events if kind == name]

    def names(self, *wanted: str) -> list[str]:
        """The names of the signals among `wanted`, in order of arrival, runs told once."""
        kept = [name for name, _ in self.events if name in wanted]
        return [name for i, name in enumerate(kept) if i == 0 or kept[i - 1] != name]

    def wait(self, name: str, count: int = 1) -> Any:
        """Wait until a signal has come `count` times; return its latest values."""
        self._qtbot.waitUntil(lambda: len(self.all(name)) >= count, timeout=PATIENCE_MS)
        return self.all(name)[count - 1]

    def job_end(self, job_id: str) -> JobEnd:
        """Wait for the end of a job."""

        def found() -> list[JobEnd]:
            return [end for end in self.all("job_ended") if end.job_id == job_id]

        self._qtbot.waitUntil(lambda: bool(found()), timeout=PATIENCE_MS)
        return found()[0]

    def load(self, source: Path | str) -> LoadedModel:
        """Load a model and wait for it."""
        count = len(self.all("loaded")) + 1
        self.worker.load(str(source))
        return self.wait("loaded", count)

    def ask(
        self,
        text: str,
        reply_id: str = "reply",
        *,
        chat_id: str = "chat",
        max_tokens: int | None = None,
        sampling: SamplingSettings = GREEDY,
        rotates: bool = True,
    ) -> None:
        """Ask for a reply."""
        messages = [{"role": "user", "content": text}]
        context = ContextSettings("window" if rotates else "all")
        limits = ReplySettings(max_tokens)
        request = ReplyRequest(reply_id, chat_id, messages, sampling, limits, context)
        self.worker.reply(request)

    def text(self, reply_id: str = "reply") -> str:
        """What has come of a reply."""
        pieces: list[ReplyPiece] = self.all("produced")
        return "".join(piece.text for piece in pieces if piece.reply_id == reply_id)

    def end(self, reply_id: str = "reply") -> ReplyEnd:
        """Wait for the end of a reply."""

        def found() -> list[ReplyEnd]:
            return [end for end in self.all("ended") if end.reply_id == reply_id]

        self._qtbot.waitUntil(lambda: bool(found()), timeout=PATIENCE_MS)
        return found()[0]

    def phases(self) -> list[str]:
        """The phases that were measured, in order, runs told once."""
        phases = [telemetry.phase for telemetry in self.all("measured")]
        return [phase for i, phase in enumerate(phases) if i == 0 or phases[i - 1] != phase]

    def latest(self) -> Telemetry:
        """The latest figures."""
        return self.all("measured")[-1]

    def close(self) -> None:
        """End the thread."""
        if not self._closed:
            self._closed = True
            self.worker.close()
            self.wait("closed")
            self.worker.join()


class Driver:
    """The application in its window, with a person's hands and eyes."""

    def __init__(self, qtbot: QtBot, application: QApplication, folder: Path) -> None:
        self.folder = folder
        self.app = Cutaway(application, folder)
        self.window = self.app.window
        self.errors: list[str] = []
        self.closed = False
        self._started = False
        self._qtbot = qtbot
        self.app.closed.connect(self._on_closed)
        self.app.store.failed.connect(self.errors.append)
        self.app.chats.failed.connect(self.errors.append)
        self.app.models.failed.connect(self.errors.append)
        qtbot.addWidget(self.window)

    def _on_closed(self) -> None:
        self.closed = True

    def start(self, model: Path | str | None) -> None:
        """Start as the program does: with the starter model, or with another one."""
        self._started = True
        if model is None:
            self.app.start()
            return
        self.window.show()
        self.app.models.open(str(model))
        self.app._start_threads()

    def until(self, condition: Callable[[], bool]) -> None:
        """Let the window live until something is so."""
        self._qtbot.waitUntil(condition, timeout=PATIENCE_MS)

    def until_ready(self) -> None:
        """Wait for a model."""
        self.until(self.window.actions_of_menus.unload.isEnabled)
        self.until(lambda: "%" not in self.window.header.model_chip.text())

    def type(self, text: str) -> None:
        """Type into the composer, key by key."""
        self._qtbot.keyClicks(self.window.page.composer.draft, text)

    def paste(self, text: str) -> None:
        """Put a long text into the composer."""
        self.window.page.composer.draft.insertPlainText(text)

    def press(self, key: Qt.Key) -> None:
        """Press a key in the composer."""
        self._qtbot.keyClick(self.window.page.composer.draft, key)

    def ask(self, text: str) -> None:
        """Type a question and send it."""
        self.type(text)
        self.press(Qt.Key.Key_Return)

    def new_chat(self) -> None:
        """Press New chat."""
        self._qtbot.mouseClick(self.window.sidebar._new, Qt.MouseButton.LeftButton)

    def press_delete(self) -> None:
        """Press Delete in the list of chats."""
        self._qtbot.keyClick(self.window.sidebar.list, Qt.Key.Key_Delete)

    def click(self, widget: QWidget, spot: QPoint) -> None:
        """Click somewhere in a widget."""
        self._qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=spot)

    def choose(self, title: str) -> None:
        """Click on a chat in the list."""
        chats = self.window.sidebar.list
        self.until(lambda: title in self.titles)
        model = chats.chats
        for row in range(model.rowCount()):
            chat = model.chat(model.index(row))
            if chat is not None and chat.title == title:
                spot = chats.visualRect(model.index(row)).center()
                self._qtbot.mouseClick(chats.viewport(), Qt.MouseButton.LeftButton, pos=spot)

    @property
    def titles(self) -> list[str]:
        """The chats in the list, from the top."""
        model = self.window.sidebar.list.chats
        chats = [model.chat(model.index(row)) for row in range(model.rowCount())]
        return [chat.title for chat in chats if chat is not None]

    @property
    def selected(self) -> str:
        """The chat that is marked in the list."""
        chats = self.window.sidebar.list
        chat = chats.chats.chat(chats.currentIndex())
        return "" if chat is None else chat.title

    @property
    def draft(self) -> str:
        """What stands in the composer."""
        return self.window.page.composer.draft.toPlainText()

    @property
    def notice(self) -> str:
        """The sentence in the quiet bar."""
        return self.window.page.notice.sentence

    @property
    def items(self) -> tuple[MessageItem, ...]:
        """The messages of the transcript."""
        return self.window.page.transcript.items

    @property
    def words(self) -> list[str]:
        """What stands in the transcript: the user's words and the replies, in order."""
        return [
            item.source if isinstance(item, ReplyMessage) else self._bubble(item)
            for item in self.items
        ]

    @property
    def reply(self) -> str:
        """The latest reply as far as it is shown."""
        last = self.items[-1] if self.items else None
        return last.source if isinstance(last, ReplyMessage) else ""

    @property
    def caption(self) -> str:
        """The line of figures under the latest reply."""
        last = self.items[-1] if self.items else None
        return last._caption.whole if isinstance(last, ReplyMessage) else ""

    @property
    def busy(self) -> bool:
        """Whether the button stops."""
        return self.window.page.composer.button.accessibleName() == "Stop"

    @staticmethod
    def _bubble(item: MessageItem) -> str:
        assert isinstance(item, UserMessage)
        return item._source

    def close(self) -> None:
        """Close the window and wait until the application has ended."""
        if self._started:
            self._started = False
            self.window.close()
        self.until(lambda: self.closed)

    def saved(self) -> list[tuple[Message, ...]]:
        """The chats on disk, latest first, after the application has ended."""
        return saved_chats(self.folder)


@contextmanager
def driving(
    qtbot: QtBot, application: QApplication, folder: Path
) -> Generator[Callable[..., Driver]]:
    """Hand out a function that starts the application; whatever it started is closed at the end.

    Called without a model, it starts as the program does.
    """
    drivers: list[Driver] = []

    def start(model: Path | str | None = None) -> Driver:
        driver = Driver(qtbot, application, folder)
        drivers.append(driver)
        driver.start(model)
        return driver

    yield start
    for driver in drivers:
        driver.close()


def saved_chats(folder: Path) -> list[tuple[Message, ...]]:
    """The branches of the chats in a data folder, latest first."""
    store = Store(folder / "chats.sqlite3")
    try:
        return [store.branch(summary.chat.id) for summary in store.chats()]
    finally:
        store.close()
