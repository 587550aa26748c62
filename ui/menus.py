"""The menu bar: actions, shortcuts, and their roles on macOS."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPlainTextEdit, QTextEdit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QMainWindow, QWidget

_Editor = QLineEdit | QPlainTextEdit | QTextEdit


class Actions(QObject):
    """Every action of the window, made once and shown in both menus."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._make_files()
        self._make_chats()
        self._make_edit()
        self._make_view()

    def _make_files(self) -> None:
        translate = QCoreApplication.translate
        self.open_folder = self._make(
            translate("Actions", "Open Model Folder…"), QKeySequence.StandardKey.Open
        )
        self.open_file = self._make(translate("Actions", "Open .gguf File…"), "Ctrl+Shift+O")
        self.use_starter = self._make(translate("Actions", "Starter Model"))
        self.unload = self._make(translate("Actions", "Unload Model"))
        self.close = self._make(
            translate("Actions", "Close Window"), QKeySequence.StandardKey.Close
        )
        self.quit = self._make(translate("Actions", "Quit Cutaway"), QKeySequence.StandardKey.Quit)
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.export_chat = self._make(translate("Actions", "Export Chat…"), "Ctrl+Shift+E")
        self.export_all = self._make(translate("Actions", "Export All Chats…"))
        self.import_chats = self._make(translate("Actions", "Import Chats…"))

    def _make_chats(self) -> None:
        translate = QCoreApplication.translate
        self.new_chat = self._make(translate("Actions", "New Chat"), QKeySequence.StandardKey.New)
        self.temporary_chat = self._make(translate("Actions", "Temporary Chat"), "Ctrl+Shift+N")
        self.chat_settings = self._make(translate("Actions", "Chat Settings…"), "Ctrl+;")
        self.attach = self._make(translate("Actions", "Attach Files…"), "Ctrl+Shift+A")
        self.forget_oldest = self._make(translate("Actions", "Forget the Oldest Messages"))
        self.end_reply = self._make(translate("Actions", "End the Reply"))
        self._join((self.forget_oldest, self.end_reply))
        self.next_chat = self._make(translate("Actions", "Next Chat"))
        self.next_chat.setShortcuts(_stepping("Tab", "Down"))
        self.previous_chat = self._make(translate("Actions", "Previous Chat"))
        self.previous_chat.setShortcuts(_stepping("Shift+Tab", "Up"))
        self.rename_chat = self._make(translate("Actions", "Rename Chat"))
        self.pin_chat = self._make(translate("Actions", "Pin or Unpin Chat"))
        self.archive_chat = self._make(translate("Actions", "Archive or Unarchive Chat"))
        self.delete_chat = self._make(translate("Actions", "Delete Chat"))
        self.send = self._make(translate("Actions", "Send"), "Ctrl+Return")
        self.stop = self._make(translate("Actions", "Stop"))
        self.stop.setShortcuts([QKeySequence("Esc"), QKeySequence("Ctrl+.")])
        self.stop.setEnabled(False)
        self.write = self._make(translate("Actions", "Write a Message"), "Ctrl+L")
        self.jump = self._make(translate("Actions", "Jump to the End"), "Ctrl+Down")

    def _make_edit(self) -> None:
        translate = QCoreApplication.translate
        self.preferences = self._make(translate("Actions", "Preferences…"), "Ctrl+,")
        self.preferences.setMenuRole(QAction.MenuRole.PreferencesRole)
        self.copy_markdown = self._make(translate("Actions", "Copy as Markdown"), "Ctrl+Shift+C")
        self.find = self._make(translate("Actions", "Find in Chat…"), QKeySequence.StandardKey.Find)
        self.search = self._make(translate("Actions", "Find in All Chats…"), "Ctrl+Shift+F")
        self.find_next = self._make(
            translate("Actions", "Find Next"), QKeySequence.StandardKey.FindNext
        )
        self.find_previous = self._make(
            translate("Actions", "Find Previous"), QKeySequence.StandardKey.FindPrevious
        )

        self.next_misspelt = self._make(translate("Actions", "Next Misspelt Word"), "Ctrl+:")

    def _make_view(self) -> None:
        translate = QCoreApplication.translate
        self.show_archived = self._make(translate("Actions", "Archived Chats"))
        self.show_archived.setCheckable(True)
        self.text_larger = self._make(translate("Actions", "Larger Text"))
        self.text_larger.setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])
        self.text_smaller = self._make(translate("Actions", "Smaller Text"), "Ctrl+-")
        self.text_usual = self._make(translate("Actions", "Usual Text Size"), "Ctrl+0")
        self.palette = self._make(translate("Actions", "Go to Anything…"), "Ctrl+K")
        self.shortcuts = self._make(translate("Actions", "Keyboard Shortcuts"), "Ctrl+/")
        self.toggle_sidebar = self._make(translate("Actions", "Sidebar"), "Ctrl+\\")
        self.toggle_inspector = self._make(translate("Actions", "Inspector"), "Ctrl+Alt+\\")
        for toggle in (self.toggle_sidebar, self.toggle_inspector):
            toggle.setCheckable(True)
            toggle.setChecked(True)
        # Elsewhere Qt has no key for it on some desktops, and on KDE that of the search.
        mac = sys.platform == "darwin"
        self.full_screen = self._make(
            translate("Actions", "Full Screen"),
            QKeySequence.StandardKey.FullScreen if mac else "F11",
        )
        self.minimize = self._make(translate("Actions", "Minimize"), "Ctrl+M")
        self.zoom = self._make(translate("Actions", "Zoom"))
        self._make_help()

    def _make_help(self) -> None:
        translate = QCoreApplication.translate
        self.help = self._make(
            translate("Actions", "Cutaway Help"), QKeySequence.StandardKey.HelpContents
        )
        self.log = self._make(translate("Actions", "Log"))
        self.check_updates = self._make(translate("Actions", "Check for Newer Version"))
        self.install_tool = self._make(translate("Actions", "Install Command Line Tool"))
        self.about = self._make(translate("Actions", "About Cutaway"))
        self.about.setMenuRole(QAction.MenuRole.AboutRole)

    def _join(self, choices: Sequence[QAction]) -> None:
        """Make one of several actions the chosen one, the first to begin with."""
        group = QActionGroup(self)
        for action in choices:
            action.setCheckable(True)
            group.addAction(action)
        choices[0].setChecked(True)

    def _make(self, text: str, shortcut: QKeySequence.StandardKey | str | None = None) -> QAction:
        action = QAction(text, self)
        action.setMenuRole(QAction.MenuRole.NoRole)
        if isinstance(shortcut, str):
            action.setShortcut(QKeySequence(shortcut))
        elif shortcut is not None:
            action.setShortcuts(shortcut)
        return action


class EditActions(QObject):
    """Undo to Select All, for whichever text has the focus."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        translate = QCoreApplication.translate
        standard = QKeySequence.StandardKey
        self._entries: tuple[tuple[QAction, str], ...] = (
            (self._make(translate("Actions", "Undo"), standard.Undo), "undo"),
            (self._make(translate("Actions", "Redo"), standard.Redo), "redo"),
            (self._make(translate("Actions", "Cut"), standard.Cut), "cut"),
            (self._make(translate("Actions", "Copy"), standard.Copy), "copy"),
            (self._make(translate("Actions", "Paste"), standard.Paste), "paste"),
            (self._make(translate("Actions", "Select All"), standard.SelectAll), "selectAll"),
        )
        for action, slot in self._entries:
            action.triggered.connect(lambda _=False, name=slot: _on_focused(name))

    def fill(self, menu: QMenu) -> None:
        """Put the actions into a menu, which looks at the focus when it opens."""
        for number, (action, _) in enumerate(self._entries):
            if number in {2, 5}:
                menu.addSeparator()
            menu.addAction(action)
        menu.aboutToShow.connect(self.refresh)
        menu.aboutToHide.connect(self._enable_all)

    def refresh(self) -> None:
        """Enable what the text that has the focus can do now."""
        editor = _focused_editor()
        writable = editor is not None and not editor.isReadOnly()
        for action, slot in self._entries:
            reads = slot in {"copy", "selectAll"}
            action.setEnabled(writable or (reads and editor is not None))

    def _enable_all(self) -> None:
        """A disabled action would swallow the shortcut the next time."""
        for action, _ in self._entries:
            action.setEnabled(True)

    def _make(self, text: str, key: QKeySequence.StandardKey) -> QAction:
        action = QAction(text, self)
        action.setShortcuts(key)
        action.setMenuRole(QAction.MenuRole.NoRole)
        return action


def fill_menu_bar(
    window: QMainWindow, actions: Actions, edit: EditActions, places: Sequence[QAction]
) -> None:
    """Build the menu bar; on macOS it is the system's.

    Qt moves Quit, About and Preferences into the application's own menu there.
    """
    bar = window.menuBar()
    translate = QCoreApplication.translate
    file_menu = bar.addMenu(translate("Actions", "&File"))
    file_menu.addActions([actions.new_chat, actions.temporary_chat])
    file_menu.addSeparator()
    file_menu.addActions([actions.open_folder, actions.open_file, actions.use_starter])
    file_menu.addAction(actions.unload)
    file_menu.addSeparator()
    file_menu.addActions([actions.export_chat, actions.export_all, actions.import_chats])
    file_menu.addSeparator()
    file_menu.addActions([actions.close, actions.quit])
    edit_menu = bar.addMenu(translate("Actions", "&Edit"))
    edit.fill(edit_menu)
    edit_menu.addSeparator()
    edit_menu.addAction(actions.copy_markdown)
    edit_menu.addSeparator()
    edit_menu.addActions([actions.find, actions.find_next, actions.find_previous])
    edit_menu.addAction(actions.search)
    edit_menu.addSeparator()
    if sys.platform == "darwin":
        edit_menu.addAction(actions.next_misspelt)
        edit_menu.addSeparator()
    edit_menu.addAction(actions.preferences)
    chat_menu = bar.addMenu(translate("Actions", "&Chat"))
    chat_menu.addActions([actions.send, actions.stop])
    chat_menu.addSeparator()
    chat_menu.addActions([actions.write, actions.attach, actions.jump])
    chat_menu.addSeparator()
    chat_menu.addActions([actions.next_chat, actions.previous_chat])
    chat_menu.addSeparator()
    chat_menu.addActions([actions.rename_chat, actions.pin_chat, actions.archive_chat])
    chat_menu.addAction(actions.delete_chat)
    chat_menu.addSeparator()
    chat_menu.addAction(actions.chat_settings)
    full_menu = chat_menu.addMenu(translate("Actions", "When the Context Is Full"))
    full_menu.addActions([actions.forget_oldest, actions.end_reply])
    view_menu = bar.addMenu(translate("Actions", "&View"))
    view_menu.addActions(places)
    view_menu.addSeparator()
    view_menu.addActions([actions.toggle_sidebar, actions.toggle_inspector])
    view_menu.addAction(actions.show_archived)
    view_menu.addSeparator()
    view_menu.addActions([actions.text_larger, actions.text_smaller, actions.text_usual])
    view_menu.addSeparator()
    view_menu.addActions([actions.palette, actions.full_screen])
    window_menu = bar.addMenu(translate("Actions", "&Window"))
    window_menu.addActions([actions.minimize, actions.zoom])
    _fill_help(bar.addMenu(translate("Actions", "&Help")), actions)


def _fill_help(menu: QMenu, actions: Actions) -> None:
    menu.addActions([actions.help, actions.shortcuts, actions.log])
    menu.addSeparator()
    menu.addAction(actions.check_updates)
    if sys.platform == "darwin":
        menu.addAction(actions.install_tool)
    menu.addAction(actions.about)


def dock_menu(window: QMainWindow, actions: Actions) -> QMenu:
    """The menu at the Dock's icon on macOS; the system adds its own entries below."""
    menu = QMenu(window)
    menu.addAction(actions.new_chat)
    return menu


def _stepping(tab: str, arrow: str) -> list[QKeySequence]:
    """Control with Tab, which Qt calls Meta on a Mac, and an arrow key as in other apps."""
    control = "Meta" if sys.platform == "darwin" else "Ctrl"
    return [QKeySequence(f"{control}+{tab}"), QKeySequence(f"Ctrl+Alt+{arrow}")]


def _focused_editor() -> _Editor | None:
    focused = QApplication.focusWidget()
    return focused if isinstance(focused, _Editor) else None


def _on_focused(name: str) -> None:
    """Do an editing step in the text that has the focus."""
    editor = _focused_editor()
    if editor is None:
        return
    from ui.chat.message_menu import span_of  # late: it comes with the messages

    span = span_of(editor)
    steps = {
        "undo": editor.undo,
        "redo": editor.redo,
        "cut": editor.cut,
        "copy": editor.copy,
        "paste": editor.paste,
        "selectAll": editor.selectAll if span is None else span.select_all,
    }
    steps[name]()
