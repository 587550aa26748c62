"""Files that are dragged over a field reach the page and the window; words stay the field's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent
from PySide6.QtWidgets import QApplication

from ui.playground.editor import PlayEditor

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.window import MainWindow


@pytest.fixture(params=["search", "draft", "playground"])
def field(request: pytest.FixtureRequest, window: MainWindow) -> QWidget:
    if request.param == "search":
        return window.sidebar.search
    if request.param == "draft":
        return window.page.composer.draft.viewport()
    window.go("playground")
    editor = window.places.findChild(PlayEditor)
    assert isinstance(editor, PlayEditor)
    return editor.viewport()


def takes(field: QWidget, source: QMimeData) -> bool:
    """Whether the field, or what it stands in, would take what is dragged over it."""
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0)
    enter = QDragEnterEvent(QPoint(5, 5), copy, source, left, none)
    QApplication.sendEvent(field, enter)
    return enter.isAccepted()


def test_a_field_takes_words_and_leaves_files(field: QWidget, window: MainWindow) -> None:
    words, file = QMimeData(), QMimeData()
    words.setText("hello")
    file.setText("file:///models/a.gguf")
    file.setUrls([QUrl("file:///models/a.gguf")])
    assert takes(field, words)
    assert not takes(field, file)
    file.setUrls([QUrl("file:///notes/a.txt")])
    assert takes(field, file) == window.page.isAncestorOf(field), "as an attachment"
