"""The main window: chats at the left, the chat in the middle, the inspector at the right.

The window knows no engine. It shows the values of `ui.state` and tells what the user wants
through signals.

Closing: the first close event hides the window at once and emits `close_requested`; the window
itself is kept. Whoever owns the application ends its work (a reply is saved, the engine's
thread is joined) and then calls `QApplication.exit()`. Nothing quits before that, also not on
Cmd-Q, for the close event is refused. A second close event is let through.
"""

from __future__ import annotations

from functools import partial
from math import isnan
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QDataStream, QIODevice, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QFileDialog,
    QMainWindow,
    QPlainTextEdit,
    QSplitter,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from ui import theme as look
from ui.chat.markdown import parser
from ui.chat.message_menu import copy_focused_as_markdown
from ui.chat.page import ChatPage
from ui.chat.sidebar import Sidebar
from ui.header import Header
from ui.inspector.panel import Inspector
from ui.menus import Actions, EditActions, fill_menu_bar, model_menu
from ui.palette import Entry, Palette
from ui.places import PlaceName, Places, later_places
from ui.shortcuts import ShortcutList, keys_of, menu_actions
from ui.state import (
    ChatRow,
    Deleted,
    HitRow,
    ImportDone,
    ImportPreview,
    MessageView,
    ModelChoice,
    ModelView,
    Telemetry,
)
from ui.transfer import ImportDialog, ask_export

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QCloseEvent, QShowEvent

    from ui.theme import Theme

STARTER = "starter"
"""What `model_open_requested` carries for the starter model."""

_SMALLEST = (800, 560)
_FIRST = (1360, 860)
_FRAME = QSize(4, 40)
"""Room for what the window system puts around a window, so that a first one fits the screen."""
_LAYOUT_VERSION = 1
_IDLE_MS = 300
_LONGEST_QUERY = 200
_LONGEST_KIND = 24


class MainWindow(QMainWindow):
    """The one window. Every signal is something the user wants."""

    submitted = Signal(str)
    stop_requested = Signal()
    new_chat_requested = Signal()
    chat_selected = Signal(str)
    message_action = Signal(str, str)
    message_edited = Signal(str, str)
    undo_requested = Signal()
    chat_renamed = Signal(str, str)
    chats_pinned = Signal(list, bool)
    chats_archived = Signal(list, bool)
    chats_delete_requested = Signal(list)
    export_requested = Signal(str, str, list)
    """A path, a format (markdown, html, text, json), and the ids of chats; none is all."""
    import_requested = Signal(list)
    """Paths of files with chats; `show_import` takes what they hold."""
    import_chosen = Signal(list)
    policy_chosen = Signal(str)
    """What happens when the context is full: "window" forgets, "all" ends the reply."""
    model_open_requested = Signal(str)
    model_unload_requested = Signal()
    close_requested = Signal()
    place_built = Signal(str, QWidget)
    """A place was gone to for the first time: its name, and its page to be connected."""
    search_requested = Signal(str)
    """Words to find in all chats; `set_search_hits` takes the answer."""
    message_selected = Signal(str, str)
    """A chat, and the message of it to bring into sight with `reveal_message`."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        # First of all: a new style sheet gives every part its old palette back.
        self._theme.changed.connect(self._dress)
        self._closing = False
        self._model_failed = False
        self._until_model = False
        self._actions = Actions(self)
        self._sidebar = Sidebar(theme)
        self._page = ChatPage(theme)
        self._places = Places(theme, self._page, self._sidebar, later_places())
        self._header = Header(theme, model_menu(self, self._actions), self._places.titles)
        self._shown_place: PlaceName = "chat"
        self._inspector_wanted: dict[PlaceName, bool] = {}
        self._inspector = Inspector(theme)
        self._palette = Palette(theme, self)
        self._chats: tuple[ChatRow, ...] = ()
        self._models: tuple[ModelChoice, ...] = ()
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.setWindowTitle("Cutaway")
        self.setMinimumSize(*_SMALLEST)
        self.resize(QSize(*_FIRST).boundedTo(self.screen().availableSize() - _FRAME))
        self._build()
        fill_menu_bar(self, self._actions, EditActions(self), self._place_actions())
        self._dress()
        self._connect_signals()
        self.set_model(ModelView())
        self._page.composer.setFocus()

    def _build(self) -> None:
        middle = QWidget()
        middle.setMinimumWidth(340)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self._places, 1)
        for number, part in enumerate((self._places.sides, middle, self._inspector)):
            self._splitter.addWidget(part)
            self._splitter.setStretchFactor(number, 1 if part is middle else 0)
        self._splitter.setHandleWidth(1)
        self._splitter.setChildrenCollapsible(False)
        width = _FIRST[0] - look.SIDEBAR_WIDTH - look.INSPECTOR_WIDTH
        self._splitter.setSizes([look.SIDEBAR_WIDTH, width, look.INSPECTOR_WIDTH])
        self.setCentralWidget(self._splitter)

    def _connect_signals(self) -> None:
        actions, page = self._actions, self._page
        page.submitted.connect(self.submitted)
        page.composer.stop_requested.connect(self.stop_requested)
        page.transcript.message_action.connect(self.message_action)
        page.transcript.message_edited.connect(self.message_edited)
        page.undo_bar.acted.connect(self.undo_requested)
        page.welcome.open_requested.connect(self.choose_folder)
        page.welcome.starter_requested.connect(self._on_starter)
        self._sidebar.new_chat_requested.connect(self._on_new_chat)
        self._sidebar.chat_selected.connect(self._on_chat_chosen)
        self._connect_sidebar()
        self._places.built.connect(self.place_built)
        self._places.changed.connect(self._on_place_changed)
        self._header.place_chosen.connect(self._on_place_chosen)
        self._header.sidebar_button.clicked.connect(actions.toggle_sidebar.trigger)
        self._header.inspector_button.clicked.connect(actions.toggle_inspector.trigger)
        actions.new_chat.triggered.connect(self._on_new_chat)
        actions.open_folder.triggered.connect(self.choose_folder)
        actions.open_file.triggered.connect(self.choose_file)
        actions.use_starter.triggered.connect(self._on_starter)
        actions.unload.triggered.connect(self.model_unload_requested)
        actions.close.triggered.connect(self.close)
        actions.quit.triggered.connect(self.close)
        actions.send.triggered.connect(page.composer.send)
        actions.stop.triggered.connect(self.stop_requested)
        actions.copy_markdown.triggered.connect(self._on_copy_markdown)
        actions.find.triggered.connect(self._on_find)
        actions.find_next.triggered.connect(lambda: page.find_bar.finder.step(1))
        actions.find_previous.triggered.connect(lambda: page.find_bar.finder.step(-1))
        actions.text_larger.triggered.connect(lambda: self._zoom_text(1))
        actions.text_smaller.triggered.connect(lambda: self._zoom_text(-1))
        actions.text_usual.triggered.connect(lambda: self._theme.set_zoom(1.0))
        actions.write.triggered.connect(page.composer.setFocus)
        actions.jump.triggered.connect(page.transcript.jump_to_end)
        actions.toggle_sidebar.toggled.connect(self._places.sides.setVisible)
        actions.toggle_inspector.toggled.connect(self._inspector.setVisible)
        actions.full_screen.triggered.connect(self._on_full_screen)
        actions.minimize.triggered.connect(self.showMinimized)
        actions.zoom.triggered.connect(self._on_zoom)
        actions.palette.triggered.connect(self._on_palette)
        actions.shortcuts.triggered.connect(self._on_shortcuts)
        self._palette.typed.connect(self._on_typed)
        actions.about.triggered.connect(self._on_about)

    def _place_actions(self) -> list[QAction]:
        """An action for every place; none where the chat is the only one."""
        places = self._places
        if len(places.names) == 1:
            return []
        actions: list[QAction] = []
        for number, (name, title) in enumerate(zip(places.names, places.titles, strict=True)):
            action = QAction(title, self)
            action.setShortcut(QKeySequence(f"Ctrl+{number + 1}"))
            action.triggered.connect(partial(self.go, name))
            actions.append(action)
        return actions

    def _connect_sidebar(self) -> None:
        actions, sidebar, chats = self._actions, self._sidebar, self._sidebar.list
        sidebar.search_requested.connect(self.search_requested)
        sidebar.message_selected.connect(self._on_message_chosen)
        sidebar.chat_renamed.connect(self.chat_renamed)
        chats.pin_requested.connect(self.chats_pinned)
        chats.archive_requested.connect(self.chats_archived)
        chats.delete_requested.connect(self.chats_delete_requested)
        actions.search.triggered.connect(self._on_search)
        actions.rename_chat.triggered.connect(chats.rename)
        actions.pin_chat.triggered.connect(chats.pin)
        actions.archive_chat.triggered.connect(chats.archive)
        actions.delete_chat.triggered.connect(chats.delete)
        actions.forget_oldest.triggered.connect(lambda: self.policy_chosen.emit("window"))
        actions.end_reply.triggered.connect(lambda: self.policy_chosen.emit("all"))
        actions.export_chat.triggered.connect(self._on_export)
        actions.export_all.triggered.connect(self._on_export_all)
        actions.import_chats.triggered.connect(self._on_import)
        actions.show_archived.toggled.connect(chats.set_archived_shown)

    @property
    def actions_of_menus(self) -> Actions:
        """The actions of the menus."""
        return self._actions

    @property
    def sidebar(self) -> Sidebar:
        """The chats at the left."""
        return self._sidebar

    @property
    def header(self) -> Header:
        """The bar above the page."""
        return self._header

    @property
    def page(self) -> ChatPage:
        """The chat in the middle."""
        return self._page

    @property
    def palette_of_actions(self) -> Palette:
        """The palette over the window."""
        return self._palette

    @property
    def inspector(self) -> Inspector:
        """The figures at the right."""
        return self._inspector

    @property
    def places(self) -> Places:
        """The pages in the middle."""
        return self._places

    def go(self, place: PlaceName) -> None:
        """Show a place."""
        self._places.go(place)

    def set_chats(self, rows: Sequence[ChatRow], current_id: str = "") -> None:
        """Show the list of chats, latest first, and mark the current one."""
        self._chats = tuple(rows)
        self._sidebar.set_chats(rows, current_id)

    def show_chat(self, messages: Sequence[MessageView], title: str) -> None:
        """Show another chat from its end; without messages, the welcome."""
        self._page.show_messages(messages)
        self.set_title(title)

    def change_messages(self, messages: Sequence[MessageView], at_end: bool) -> None:  # noqa: FBT001  a Qt slot
        """Show other messages of the same chat, at its end or where it is."""
        self._page.change_messages(messages, at_end=at_end)

    def offer_undo(self, kind: Deleted, count: int) -> None:
        """Say what was deleted, in a quiet bar with Undo."""
        self._page.offer_undo(kind, count)

    def show_import(self, preview: ImportPreview) -> None:
        """Show what files with chats hold, for the user to choose from."""
        dialog = ImportDialog(preview, self)
        dialog.chosen.connect(self.import_chosen)
        dialog.open()

    def tell_import(self, done: ImportDone) -> None:
        """Say what came in, and what did not."""
        one = done.chats == 1
        sentence = (
            self.tr("One chat came in.") if one else self.tr("%n chats came in.", "", done.chats)
        )
        if done.left_out:
            rest = self.tr("%n could not: {reason}", "", len(done.left_out))
            sentence = f"{sentence} {rest.format(reason=done.left_out[0][1])}"
        self._page.undo_bar.show_sentence(sentence)

    def tell_export(self, chats: int, name: str) -> None:
        """Say what was written."""
        sentence = (
            self.tr("The chat was written to {name}.")
            if chats == 1
            else self.tr("%n chats were written to {name}.", "", chats)
        )
        self._page.undo_bar.show_sentence(sentence.format(name=name))

    def set_policy(self, policy: str) -> None:
        """Mark what happens in the shown chat when its context is full: "window" or "all"."""
        forgets = policy == "window"
        chosen = self._actions.forget_oldest if forgets else self._actions.end_reply
        chosen.setChecked(True)

    def set_memory_begin(self, message_id: str) -> None:
        """Mark the first message that the model still sees; nothing where the id is empty."""
        self._page.transcript.set_memory_begin(message_id)

    def set_title(self, title: str) -> None:
        """Show the chat's title above the page and in the window's title."""
        self._header.set_title(title)
        self.setWindowTitle(f"{title} — Cutaway" if title else "Cutaway")

    def add_message(self, message: MessageView) -> None:
        """Add a message at the end of the chat."""
        self._page.add_message(message)

    def append_text(self, message_id: str, text: str) -> None:
        """Add text to a streaming reply. Cheap: it is shown with the next frame."""
        self._page.transcript.append_text(message_id, text)

    def update_message(self, message: MessageView) -> None:
        """Take on a message's new state, caption or text."""
        self._page.transcript.update_message(message)

    def set_model(self, model: ModelView) -> None:
        """Show the model that is loaded, coming, or refused."""
        self._header.model_chip.set_model(model)
        self._page.welcome.set_model(model)
        self._actions.unload.setEnabled(model.state in {"loading", "ready"})
        self._model_failed = model.state == "failed"
        if model.state == "ready" and self._until_model:
            self._until_model = False
            self._page.notice.dismiss()

    def set_model_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Take the models that the palette offers."""
        self._models = tuple(choices)

    def set_search_hits(self, words: str, hits: Sequence[HitRow]) -> None:
        """Show what `search_requested` found, unless other words are typed by now."""
        self._sidebar.set_hits(words, hits)
        self._palette.add_found(words, [self._hit_entry(hit) for hit in hits])

    def reveal_message(self, message_id: str) -> None:
        """Bring a message of the chat that is shown into sight."""
        self._page.transcript.show_message(message_id)

    def set_telemetry(self, telemetry: Telemetry) -> None:
        """Show the figures of this moment, at most some ten times a second."""
        self._inspector.set_telemetry(telemetry)
        composer = self._page.composer
        if telemetry.phase in ("prefill", "decode") and not composer.busy:
            composer.set_context(0, 0)  # the figures are those of another chat
            return
        composer.set_context(
            telemetry.context_tokens,
            telemetry.context_limit,
            max(telemetry.prompt_tokens - telemetry.reused_tokens, 0),
            telemetry.reused_tokens,
        )

    def clear_telemetry(self) -> None:
        """Show that there are no figures, and forget the plots."""
        self._inspector.clear()
        self._page.composer.set_context(0, 0)

    def set_busy(self, busy: bool) -> None:  # noqa: FBT001  a Qt slot takes the state alone
        """While a reply is being written: send becomes stop, and Esc stops."""
        self._page.composer.set_busy(busy=busy)
        self._actions.stop.setEnabled(busy)

    def show_error(self, sentence: str) -> None:
        """Show one sentence in a quiet bar until it is dismissed, or a missing model is there."""
        self._until_model = self._model_failed
        self._page.notice.show_sentence(sentence)

    def restore_draft(self, text: str) -> None:
        """Put a prompt that was refused back into the composer, before what is there."""
        self._page.composer.restore(text)

    def layout_state(self) -> bytes:
        """Size, place and panes of the window, for `restore_layout` of a later start."""
        state = QByteArray()
        stream = QDataStream(state, QIODevice.OpenModeFlag.WriteOnly)
        stream.writeInt32(_LAYOUT_VERSION)
        stream << self.saveGeometry() << self._splitter.saveState()  # pyright: ignore[reportUnusedExpression]  Qt's way to write
        stream.writeBool(self._actions.toggle_sidebar.isChecked())
        stream.writeBool(self._actions.toggle_inspector.isChecked())
        stream.writeDouble(self._theme.zoom)
        return bytes(state.data())

    def restore_layout(self, saved: bytes) -> bool:
        """Take on a layout of `layout_state`; False, and nothing changed, where it is not one."""
        stream = QDataStream(QByteArray(saved))
        if stream.readInt32() != _LAYOUT_VERSION:
            return False
        geometry, panes = QByteArray(), QByteArray()
        stream >> geometry >> panes  # pyright: ignore[reportUnusedExpression]  Qt's way to read
        sidebar, inspector = stream.readBool(), stream.readBool()
        if stream.status() != QDataStream.Status.Ok:
            return False
        zoom = 1.0 if stream.atEnd() else stream.readDouble()  # earlier layouts have none
        self.restoreGeometry(geometry)
        self._splitter.restoreState(panes)
        self._actions.toggle_sidebar.setChecked(sidebar)
        self._actions.toggle_inspector.setChecked(inspector)
        self._theme.set_zoom(1.0 if isnan(zoom) else zoom)
        return True

    def choose_folder(self) -> None:
        """Ask for a model folder, and tell of it."""
        dialog = QFileDialog(self, self.tr("Open model folder"), str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        self._ask(dialog)

    def choose_file(self) -> None:
        """Ask for a .gguf file, and tell of it."""
        dialog = QFileDialog(self, self.tr("Open .gguf file"), str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("GGUF models (*.gguf)"))
        self._ask(dialog)

    def _ask(self, dialog: QFileDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.model_open_requested)
        dialog.open()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        if self._closing:
            event.accept()
            return
        self._closing = True
        event.ignore()
        self.hide()
        self.close_requested.emit()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        self._closing = False
        super().showEvent(event)
        # Imported while nothing happens yet, so that the first reply need not wait for it.
        QTimer.singleShot(_IDLE_MS, self, self._on_idle)

    def _on_idle(self) -> None:
        Thread(target=parser, daemon=True).start()

    def _dress(self) -> None:
        sheet = look.style_sheet(self._theme.colors)
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)

    def _on_place_chosen(self, number: int) -> None:
        self.go(self._places.names[number])

    def _on_place_changed(self, name: PlaceName) -> None:
        """Each place remembers whether the inspector stands beside it."""
        toggle, wanted = self._actions.toggle_inspector, self._inspector_wanted
        wanted[self._shown_place] = toggle.isChecked()
        self._shown_place = name
        toggle.setChecked(wanted.get(name, self._places.wants_inspector(name)))
        self._header.set_place(self._places.names.index(name))

    def _on_new_chat(self) -> None:
        self.go("chat")
        self.new_chat_requested.emit()
        self._page.composer.setFocus()

    def _on_chat_chosen(self, chat_id: str) -> None:
        self.go("chat")
        self.chat_selected.emit(chat_id)

    def _on_message_chosen(self, chat_id: str, message_id: str) -> None:
        self.go("chat")
        self.message_selected.emit(chat_id, message_id)

    def _on_search(self) -> None:
        """Search all chats, in the sidebar."""
        self._actions.toggle_sidebar.setChecked(True)
        self._sidebar.start_search()

    def _on_export(self) -> None:
        chats = self._sidebar.list.selected
        if chats:
            ids = [chat.id for chat in chats]
            ask_export(self, chats[0].title, lambda path, form: self._export(path, form, ids))

    def _on_export_all(self) -> None:
        ask_export(self, self.tr("All chats"), lambda path, form: self._export(path, form, []))

    def _export(self, path: str, form: str, chat_ids: list[str]) -> None:
        self.export_requested.emit(path, form, chat_ids)

    def _on_import(self) -> None:
        dialog = QFileDialog(self, self.tr("Import chats"), str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilter(self.tr("Chats (*.json *.zip)"))
        dialog.filesSelected.connect(self._on_files)
        dialog.open()

    def _on_files(self, paths: list[str]) -> None:
        """Qt does not connect a signal with a list of strings to one with any list."""
        self.import_requested.emit(paths)

    def _on_starter(self) -> None:
        self.model_open_requested.emit(STARTER)

    def _on_copy_markdown(self) -> None:
        """Copy the selection, or the latest reply where nothing is selected."""
        items = self._page.transcript.items
        if not copy_focused_as_markdown() and items:
            QGuiApplication.clipboard().setText(items[-1].answer)

    def _on_palette(self) -> None:
        if self._palette.isHidden():
            self._palette.open_palette(self._entries())
        else:
            self._palette.close_palette()

    def _entries(self) -> list[Entry]:
        """Everything that the palette reaches: actions, then chats, then models."""
        entries = [
            Entry(action.text(), group, action.trigger, keys_of(action))
            for group, action in menu_actions(self.menuBar())
            if action.isEnabled() and action is not self._actions.palette
        ]
        chat, model = self.tr("Chat"), self.tr("Model")
        entries += [Entry(row.title, chat, self._chooser(row.id)) for row in self._chats]
        entries += [
            Entry(choice.name, model, partial(self.model_open_requested.emit, choice.source))
            for choice in self._models
        ]
        return entries

    def _chooser(self, chat_id: str) -> Callable[[], None]:
        return partial(self._on_chat_chosen, chat_id)

    def _hit_entry(self, hit: HitRow) -> Entry:
        run = partial(self._on_message_chosen, hit.chat_id, hit.message_id)
        return Entry(hit.snippet, hit.title[:_LONGEST_KIND], run)

    def _on_typed(self, words: str) -> None:
        if words.strip():
            self.search_requested.emit(words)

    def _on_shortcuts(self) -> None:
        ShortcutList(self._theme, self.menuBar(), self).show()

    def _on_find(self) -> None:
        """Open the search, with the words that are selected in the chat."""
        if self._page.transcript.is_empty:
            return
        focused = self.focusWidget()
        words = ""
        if isinstance(focused, QTextEdit | QPlainTextEdit):
            words = focused.textCursor().selectedText()
        self._page.find_bar.open_search(words if len(words) < _LONGEST_QUERY else "")

    def _zoom_text(self, by: int) -> None:
        """Make the chat's text one step larger or smaller."""
        steps = look.ZOOMS
        nearest = min(range(len(steps)), key=lambda n: abs(steps[n] - self._theme.zoom))
        self._theme.set_zoom(steps[min(max(nearest + by, 0), len(steps) - 1)])

    def _on_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _on_zoom(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowMaximized)

    def _on_about(self) -> None:
        from PySide6.QtWidgets import QMessageBox

        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle(self.tr("About Cutaway"))
        box.setText("Cutaway")
        box.setInformativeText(
            self.tr("Chat with open language models, with the side of the engine cut away.")
        )
        box.open()
