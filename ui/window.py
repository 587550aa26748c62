"""The main window: what the user wants, as signals, and what it is told to show.

The window knows no engine. It shows the values of `ui.state`; its parts and how they stand are
in `ui.shell`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from ui.chat.recall import Recall
from ui.files import Files
from ui.going import Going
from ui.layout import Open
from ui.remedies import Remedies
from ui.shell import Shell
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

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ui.fields import FieldGroup, Value
    from ui.preferences.window import PreferencesWindow
    from ui.theme import Theme

STARTER = "starter"
"""What `model_open_requested` carries for the starter model."""

_LONGEST_QUERY = 200


class MainWindow(Shell):
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
    preferences_requested = Signal(str)
    """Words to search the preferences for; `show_preferences` takes what there is."""
    preference_changed = Signal(str, object)
    """The name of a preference, and its new value."""
    preferences_reset = Signal()
    search_requested = Signal(str)
    """Words to find in all chats; `set_search_hits` takes the answer."""
    message_selected = Signal(str, str)
    """A chat, and the message of it to bring into sight with `reveal_message`."""
    exhibit_requested = Signal(int)
    """The number of an exhibit to go to."""
    offer_accepted = Signal()
    """What `show_offer` offered is wanted."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._model_failed = False
        self._model_ready = False
        self._remedies = Remedies(self.notice)
        self._files = Files(self)
        self._going = Going(self)
        Recall(self._page.composer, self._page.transcript)
        self._preferences: PreferencesWindow | None = None
        self._connect_signals()
        self._connect_chat()
        self._connect_sidebar()
        self.set_model(ModelView())
        self._page.composer.setFocus()

    def _connect_signals(self) -> None:
        actions, files, going = self._actions, self._files, self._going
        actions.new_chat.triggered.connect(self._on_new_chat)
        actions.open_folder.triggered.connect(files.choose_folder)
        actions.open_file.triggered.connect(files.choose_file)
        actions.use_starter.triggered.connect(self._on_starter)
        actions.unload.triggered.connect(self.model_unload_requested)
        actions.export_chat.triggered.connect(self._on_export)
        actions.export_all.triggered.connect(files.export_all)
        actions.import_chats.triggered.connect(files.choose_chats)
        actions.preferences.triggered.connect(lambda: self.preferences_requested.emit(""))
        self._foot.preferences_requested.connect(self.preferences_requested)
        actions.palette.triggered.connect(self._on_palette)
        actions.shortcuts.triggered.connect(self._on_shortcuts)
        files.model_chosen.connect(self.model_open_requested)
        files.export_chosen.connect(self.export_requested)
        files.chats_chosen.connect(self.import_requested)
        going.chat_chosen.connect(self._on_chat_chosen)
        going.message_chosen.connect(self._on_message_chosen)
        going.model_chosen.connect(self.model_open_requested)
        going.exhibit_chosen.connect(self.exhibit_requested)
        self._model_menu.chosen.connect(self.model_open_requested)
        self._model_menu.models_requested.connect(lambda: self.go("models"))
        self._palette.typed.connect(self._on_typed)

    def _connect_chat(self) -> None:
        actions, page = self._actions, self._page
        page.submitted.connect(self.submitted)
        page.composer.stop_requested.connect(self.stop_requested)
        page.transcript.message_action.connect(self.message_action)
        page.transcript.message_edited.connect(self.message_edited)
        page.undo_bar.acted.connect(self.undo_requested)
        remedies = self._remedies
        remedies.offer_accepted.connect(self.offer_accepted)
        remedies.retry_requested.connect(self._on_retry)
        remedies.model_requested.connect(self._header.model_chip.click)
        remedies.preferences_requested.connect(lambda: self.preferences_requested.emit(""))
        page.welcome.open_requested.connect(self._files.choose_folder)
        page.welcome.starter_requested.connect(self._on_starter)
        actions.send.triggered.connect(page.composer.send)
        actions.stop.triggered.connect(self.stop_requested)
        actions.copy_markdown.triggered.connect(self._on_copy_markdown)
        actions.find.triggered.connect(self._on_find)
        actions.find_next.triggered.connect(lambda: page.find_bar.finder.step(1))
        actions.find_previous.triggered.connect(lambda: page.find_bar.finder.step(-1))
        actions.write.triggered.connect(page.composer.setFocus)
        actions.next_misspelt.triggered.connect(page.composer.show_next_misspelt)
        actions.jump.triggered.connect(page.transcript.jump_to_end)
        actions.forget_oldest.triggered.connect(lambda: self.policy_chosen.emit("window"))
        actions.end_reply.triggered.connect(lambda: self.policy_chosen.emit("all"))

    def _connect_sidebar(self) -> None:
        actions, sidebar, chats = self._actions, self._sidebar, self._sidebar.list
        sidebar.new_chat_requested.connect(self._on_new_chat)
        sidebar.chat_selected.connect(self._on_chat_chosen)
        sidebar.chat_clicked.connect(lambda: self.go("chat"))
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
        actions.next_chat.triggered.connect(lambda: self._step_chat(1))
        actions.previous_chat.triggered.connect(lambda: self._step_chat(-1))
        actions.show_archived.toggled.connect(chats.set_archived_shown)

    @property
    def files(self) -> Files:
        """The dialogs for files."""
        return self._files

    def set_chats(self, rows: Sequence[ChatRow], current_id: str = "") -> None:
        """Show the list of chats, latest first, and mark the current one."""
        self._going.set_chats(rows, current_id)
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
        from ui.transfer import ImportDialog

        dialog = ImportDialog(preview, self)
        dialog.chosen.connect(self.import_chosen)
        dialog.open()

    def tell_import(self, done: ImportDone) -> None:
        """Say what came in, and what did not."""
        from ui.transfer import import_sentence

        self._page.undo_bar.show_sentence(import_sentence(done))

    def tell_export(self, chats: int, name: str) -> None:
        """Say what was written."""
        from ui.transfer import export_sentence

        self._page.undo_bar.show_sentence(export_sentence(chats, name))

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
        self._model_ready = model.state == "ready"
        if self._model_ready:
            self._remedies.on_model_ready()

    def set_model_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Take the models that the palette and the model's menu offer."""
        self._going.set_models(choices)
        self._model_menu.set_choices(choices)

    def set_exhibits(self, titles: Mapping[int, str]) -> None:
        """Take the exhibits that the palette offers, by their numbers."""
        self._going.set_exhibits(titles)

    def set_search_hits(self, words: str, hits: Sequence[HitRow]) -> None:
        """Show what `search_requested` found, unless other words are typed by now."""
        self._sidebar.set_hits(words, hits)
        self._palette.add_found(words, self._going.found(hits))

    def reveal_message(self, message_id: str) -> None:
        """Bring a message of the chat that is shown into sight."""
        self._page.transcript.show_message(message_id)

    def set_telemetry(self, telemetry: Telemetry) -> None:
        """Show the figures of this moment, at most some ten times a second."""
        self._inspector.set_telemetry(telemetry)
        composer, last = self._page.composer, self._page.transcript.last_view
        writing = composer.busy and not (last and last.queued)
        if telemetry.phase in ("prefill", "decode") and not writing:
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
        self._remedies.show(sentence, until_model=self._model_failed)

    def show_model_error(self, sentence: str) -> None:
        """Say why a model could not be loaded, and offer others."""
        self._remedies.show(sentence, "model", until_model=True)

    def show_reply_error(self, sentence: str) -> None:
        """Say why a reply could not be written, and offer to try again, with a model if need be."""
        remedy = "retry" if self._model_ready else "model"
        self._remedies.show(sentence, remedy, until_model=not self._model_ready)

    def show_preferences_error(self, sentence: str) -> None:
        """Say what is wrong with the preferences, and offer to look at them."""
        self._remedies.show(sentence, "preferences")

    def show_offer(self, sentence: str, word: str) -> None:
        """Show one sentence with a button that does something about it."""
        self._remedies.offer(sentence, word)

    def layout_state(self) -> bytes:
        """How the window stands and what is open in it, for `restore_layout` of a later start."""
        opened = Open(self._places.current, self._going.chat_id)
        shown = self._actions.toggle_sidebar.isChecked(), self._beside.wanted_at("chat")
        return self._layout.state(opened, shown)

    def restore_layout(self, saved: bytes) -> bool:
        """Take on a layout of `layout_state`; False, and nothing changed, where it is not one.

        The chat that was open is asked for as if it had been chosen.
        """
        opened = self._layout.restore(saved)
        if opened is None:
            return False
        self._beside.settle(wanted=self._actions.toggle_inspector.isChecked())
        if opened.chat_id:
            self.chat_selected.emit(opened.chat_id)
        for name in self._places.names:
            if name == opened.place:
                self.go(name)
        return True

    def show_preferences(
        self, groups: Sequence[FieldGroup], values: Mapping[str, Value], words: str = ""
    ) -> None:
        """Open the window of preferences, or bring it to the front.

        Args:
            groups: What it is made of.
            values: What is in force.
            words: What to search for in it.
        """
        from ui.preferences.window import PreferencesWindow  # dialogs: imported when they open

        if self._preferences is None:
            window = self._preferences = PreferencesWindow(self._theme, groups, self)
            window.changed.connect(self.preference_changed)
            window.reset_requested.connect(self.preferences_reset)
            window.destroyed.connect(self._on_preferences_closed)
            window.set_values(values)
        self._preferences.search.setText(words)
        self._preferences.show()
        self._preferences.raise_()
        self._preferences.activateWindow()

    def set_preferences(self, values: Mapping[str, Value]) -> None:
        """Show what is in force now, where the window of preferences is open."""
        if self._preferences is not None:
            self._preferences.set_values(values)

    @property
    def preferences(self) -> PreferencesWindow | None:
        """The window of preferences while it is open."""
        return self._preferences

    def restore_draft(self, text: str) -> None:
        """Put a prompt that was refused back into the composer, before what is there."""
        self._page.composer.restore(text)

    def _on_retry(self) -> None:
        """Have the last reply written anew; a question that was given back is sent again."""
        view = self._page.transcript.last_view
        if view is not None and view.role == "assistant" and view.state == "failed":
            self.message_action.emit("regenerate", view.id)
        else:
            self._page.composer.send()

    def _on_new_chat(self) -> None:
        self.go("chat")
        self.new_chat_requested.emit()
        self._page.composer.setFocus()

    def _step_chat(self, by: int) -> None:
        """Show the chat that stands below or above the shown one in the list."""
        chat_id = self._going.step(by, archived=self._actions.show_archived.isChecked())
        if chat_id:
            self._on_chat_chosen(chat_id)

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
        self._files.export(self._sidebar.list.selected)

    def _on_preferences_closed(self) -> None:
        self._preferences = None

    def _on_starter(self) -> None:
        self.model_open_requested.emit(STARTER)

    def _on_copy_markdown(self) -> None:
        """Copy the selection, or the latest reply where nothing is selected."""
        from ui.chat.message_menu import copy_focused_as_markdown

        last = self._page.transcript.last_answer
        if not copy_focused_as_markdown() and last:
            QGuiApplication.clipboard().setText(last)

    def _on_palette(self) -> None:
        if self._palette.isHidden():
            self._palette.open_palette(self._going.entries(self.menuBar(), self._actions.palette))
        else:
            self._palette.close_palette()

    def _on_typed(self, words: str) -> None:
        if words.strip():
            self.search_requested.emit(words)

    def _on_shortcuts(self) -> None:
        from ui.shortcuts import ShortcutList

        shown = self.findChild(ShortcutList) or ShortcutList(self._theme, self.menuBar(), self)
        shown.show()
        shown.raise_()
        shown.activateWindow()

    def _on_find(self) -> None:
        """Open the search, with the words that are selected in the chat."""
        if self._page.transcript.is_empty:
            return
        focused = self.focusWidget()
        words = ""
        if isinstance(focused, QTextEdit | QPlainTextEdit):
            words = focused.textCursor().selectedText()
        self._page.find_bar.open_search(words if len(words) < _LONGEST_QUERY else "")
