"""The menu that a message opens under the pointer, and copying as Markdown by keyboard."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit, QTextBrowser, QTextEdit, QWidget

from ui.chat.code import CodeText
from ui.chat.copying import Span, markdown_of
from ui.chat.plain import PlainText
from ui.chat.prose import Prose

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from ui.chat.message import MessageItem
    from ui.state import MessageAction

TextView = QTextEdit | QPlainTextEdit


def message_menu(message: MessageItem, spot: QPoint) -> QMenu:
    """The menu of a message.

    Args:
        message: Whose.
        spot: Where the menu was asked for, in the message's coordinates.
    """
    translate = QCoreApplication.translate
    menu = QMenu(message)
    menu.aboutToHide.connect(menu.deleteLater)
    text = _text_at(message, spot)
    if text is not None:
        _add_text_actions(menu, message, text, spot)
    copy_whole = menu.addAction(translate("MessageMenu", "Copy Message"))
    copy_whole.triggered.connect(message.copy_whole)
    as_markdown = menu.addAction(translate("MessageMenu", "Copy Message as Markdown"))
    as_markdown.triggered.connect(lambda: _copy(message.answer))
    if not message.actions_row.button("regenerate").isHidden():
        menu.addSeparator()
        again = menu.addAction(translate("MessageMenu", "Retry with Other Settings…"))
        key = message.message_id
        again.triggered.connect(lambda: message.acted.emit("regenerate_with", key))
    if message.actions_row.looks:
        menu.addSeparator()
    for action, name in message.actions_row.looks:
        look = menu.addAction(name)
        look.triggered.connect(partial(_act, message, action))
    return menu


def _act(message: MessageItem, action: MessageAction) -> None:
    message.acted.emit(action, message.message_id)


def _add_text_actions(menu: QMenu, message: MessageItem, text: TextView, spot: QPoint) -> None:
    translate = QCoreApplication.translate
    address = _link_at(message, text, spot)
    if address:
        copy_link = menu.addAction(translate("MessageMenu", "Copy Link"))
        copy_link.triggered.connect(lambda: _copy(address))
        menu.addSeparator()
    selected = text.textCursor().hasSelection()
    copy = menu.addAction(translate("MessageMenu", "Copy"))
    copy.triggered.connect(text.copy)
    as_markdown = menu.addAction(translate("MessageMenu", "Copy as Markdown"))
    as_markdown.triggered.connect(lambda: _copy(selected_markdown(text)))
    for action in (copy, as_markdown):
        action.setEnabled(selected)
    select_all = menu.addAction(translate("MessageMenu", "Select All"))
    span = span_of(text)
    select_all.triggered.connect(text.selectAll if span is None else span.select_all)
    menu.addSeparator()


def selected_markdown(text: TextView) -> str:
    """What is selected in a text, as Markdown; code as it stands."""
    span = span_of(text)
    if span is not None and span.spreads:
        return span.markdown()
    if isinstance(text, QTextBrowser):
        return markdown_of(text.textCursor())
    return text.textCursor().selection().toPlainText()


def span_of(text: QWidget) -> Span | None:
    """The selection of the whole message that a text belongs to, where it belongs to one."""
    return text.span if isinstance(text, Prose | CodeText | PlainText) else None


def copy_focused_as_markdown() -> bool:
    """Copy what is selected in the text that has the focus; False where nothing is."""
    focused = QApplication.focusWidget()
    if not isinstance(focused, QTextEdit | QPlainTextEdit):
        return False
    if not focused.textCursor().hasSelection():
        return False
    _copy(selected_markdown(focused))
    return True


def _text_at(message: MessageItem, spot: QPoint) -> TextView | None:
    """The text under the pointer; the one with the focus where there is none."""
    for text in message.texts():
        if text.rect().contains(text.mapFrom(message, spot)):
            return text
    return next((text for text in message.texts() if text.hasFocus()), None)


def _link_at(message: MessageItem, text: TextView, spot: QPoint) -> str:
    if not isinstance(text, QTextBrowser):
        return ""
    return text.anchorAt(text.viewport().mapFrom(message, spot))


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
