"""What is opened: files from Finder, from a start's arguments, and dropped on the window."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from app.arrivals import Arrivals
from app.opening import Opening, files_to_open, opening, split

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot
ROOT = Path(__file__).parents[2]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with one thing of every kind."""
    for name in ("a.GGUF", "chats.json", "export.zip", "notes.txt", "model/config.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}", encoding="utf-8")
    (tmp_path / "model" / "model.safetensors").touch()
    (tmp_path / "empty").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("name", "path", "kind"),
    [
        ("a.GGUF", "a.GGUF", "model"),
        ("model", "model", "model"),
        ("model/config.json", "model", "model"),
        ("model/model.safetensors", "model", "model"),
        ("chats.json", "chats.json", "chats"),
        ("export.zip", "export.zip", "chats"),
        ("notes.txt", "notes.txt", "nothing"),
        ("empty", "empty", "nothing"),
        ("gone.gguf", "gone.gguf", "missing"),
        ("x" * 300, "x" * 300, "missing"),
    ],
)
def test_what_a_path_is(place: Path, name: str, path: str, kind: str) -> None:
    found = opening(place / name)
    assert (found.path, found.kind) == (place / path, kind)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], None),
        (["a.GGUF"], ["/work/a.GGUF"]),
        (["gone.gguf"], ["/work/gone.gguf"]),
        (["./model", "chats.json"], ["/work/model", "/work/chats.json"]),
        (["/models/x y"], ["/models/x y"]),
        (["."], ["/work"]),
        (["model"], None),
        (["a.GGUF", "--json"], None),
        (["--self-test"], None),
        (["chat", "a.GGUF"], None),
        (["plan"], None),
        (["a\0.gguf"], None),
    ],
)
def test_which_starts_open_files(arguments: list[str], expected: list[str] | None) -> None:
    assert files_to_open(arguments, Path("/work")) == expected


def test_of_several_models_the_last_is_opened() -> None:
    a, b, c, d = (Path(name) for name in "abcd")
    kinds = [Opening(a, "model"), Opening(b, "chats"), Opening(c, "model"), Opening(d, "nothing")]
    assert split(kinds) == (c, [b], [Opening(d, "nothing")])
    assert split([]) == (None, [], [])


class Window(QWidget):
    """A window with something in it, and what came of what was dropped on it."""

    def __init__(self) -> None:
        super().__init__()
        self.label = QLabel("something", self)
        QVBoxLayout(self).addWidget(self.label)
        self.events: list[tuple[str, object]] = []
        self.arrivals = Arrivals(self, self)
        self.arrivals.model_wanted.connect(self._keeper("model"))
        self.arrivals.chats_wanted.connect(self._keeper("chats"))
        self.arrivals.refused.connect(self._keeper("refused"))
        self.arrivals.came.connect(lambda: self.events.append(("came", None)))

    def _keeper(self, name: str) -> Callable[[object], None]:
        return lambda value: self.events.append((name, value))

    def drop(self, mime: QMimeData) -> bool:
        """Drag something over the window and let go; whether the window takes it."""
        copy, left, no = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0)
        enter = QDragEnterEvent(QPoint(5, 5), copy, mime, left, no)
        QApplication.sendEvent(self, enter)
        if enter.isAccepted():
            QApplication.sendEvent(self, QDropEvent(QPointF(5, 5), copy, mime, left, no))
        return enter.isAccepted()


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    window = Window()
    qtbot.addWidget(window, before_close_func=lambda shown: shown.arrivals.close())
    return window


def files(*paths: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return mime


def test_dropped_files_are_opened(window: Window, place: Path, qtbot: QtBot) -> None:
    assert window.drop(files(place / "model", place / "chats.json", place / "notes.txt"))
    qtbot.waitUntil(lambda: len(window.events) == 4)
    assert window.events[:3] == [
        ("came", None),
        ("model", str(place / "model")),
        ("chats", [str(place / "chats.json")]),
    ]
    assert str(window.events[3][1]).startswith("notes.txt cannot be opened: ")


def test_words_and_addresses_are_not_taken(window: Window) -> None:
    words = QMimeData()
    words.setText("hello")
    assert not window.drop(words)
    web = QMimeData()
    web.setUrls([QUrl("https://example.org/model.gguf")])
    assert not window.drop(web)
    assert window.events == []


def test_what_is_gone_is_said(window: Window, place: Path, qtbot: QtBot) -> None:
    window.arrivals.open([str(place / "gone.gguf")])
    qtbot.waitUntil(lambda: len(window.events) == 2)
    assert window.events[1] == ("refused", "gone.gguf is not there.")


def test_nothing_is_opened_while_the_window_closes(window: Window, place: Path) -> None:
    window.arrivals.open([])
    window.arrivals.close()
    window.arrivals.open([str(place / "a.GGUF")])
    assert window.events == [("came", None)]


def test_other_events_are_left_alone(window: Window) -> None:
    assert not window.arrivals.eventFilter(QObject(), QEvent(QEvent.Type.User))


FINDER = """
from PySide6.QtCore import QEvent, QUrl
from PySide6.QtGui import QFileOpenEvent
from app.application import Application
application = Application(["cutaway"], "Cutaway")
application.file_opened.connect(print)
for event in (QFileOpenEvent("/models/a.gguf"), QFileOpenEvent(QUrl("https://example.org/a"))):
    Application.sendEvent(application, event)
Application.sendEvent(application, QEvent(QEvent.Type.User))
"""


def test_what_finder_opens_reaches_the_application() -> None:
    # Qt allows one application in a process.
    words = [sys.executable, "-c", FINDER]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "/models/a.gguf\n"
