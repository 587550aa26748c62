"""The chat place: find bar, the transcript or the welcome, then the composer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QVBoxLayout
from typing_extensions import override

from ui.chat.composer import Composer
from ui.chat.find import FindBar
from ui.chat.temporary import TemporaryBar
from ui.chat.transcript import Transcript
from ui.chat.welcome import Welcome
from ui.controls import Surface
from ui.drops import local_files
from ui.figures import count
from ui.notice import Notice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent

    from ui.chat.chat_settings import SettingsWindow
    from ui.chat.settings_values import ChatSettingsView
    from ui.fields import FieldGroup
    from ui.state import Deleted, MessageView
    from ui.theme import Theme

_FOR_THE_WINDOW = (".gguf", ".zip", ".safetensors")
_WITHOUT_ENDING = ("makefile", "dockerfile", "license", "readme", "notice", "changelog")


class ChatPage(Surface):
    """Everything of the chat that is shown. The welcome stands in while it is empty."""

    submitted = Signal(str)
    files_given = Signal(list)
    """Paths of files that are to go with the question."""
    text_given = Signal(str)
    """A long text that is to go with the question as a file."""
    forgetting_wanted = Signal()
    """The chat is to forget its oldest messages, so that the question fits."""
    settings_requested = Signal()
    setting_changed = Signal(str, object)
    """The name of a field of the chat's settings, and its new value."""
    preset_changed = Signal(object)
    prompt_changed = Signal(object)
    """A `ui.chat.shelf.ShelfChange`, about a preset or a system prompt."""
    again_requested = Signal()
    """The reply for which settings were chosen is to be written again with them."""
    settings_closed = Signal()

    def __init__(self, theme: Theme, notice: Notice, undo_bar: Notice) -> None:
        """Make the page.

        Args:
            theme: The colours.
            notice: The window's bar above all places for what is wrong; a question, or Esc, takes
                its sentence away.
            undo_bar: That for what was done, with a way back.
        """
        super().__init__(theme, "page")
        self._settings: SettingsWindow | None = None
        self._pasted = ""
        self.notice = notice
        self.undo_bar = undo_bar
        self.temporary_bar = TemporaryBar(theme)
        self.offer_bar = Notice(theme)
        """Offers one thing about the question that is being written."""
        self.transcript = Transcript(theme)
        self.find_bar = FindBar(theme, self.transcript)
        self.welcome = Welcome(theme)
        self.composer = Composer(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(0)
        column.addWidget(self.temporary_bar)
        column.addWidget(self.find_bar)
        column.addWidget(self.transcript, 1)
        column.addWidget(self.welcome, 1)
        column.addWidget(self.offer_bar)
        column.addSpacing(6)
        column.addWidget(self.composer)
        self.setAcceptDrops(True)
        self._show_welcome()
        self._connect_signals()

    def _connect_signals(self) -> None:
        self.composer.submitted.connect(self._submit)
        self.composer.escaped.connect(self._on_escaped)
        self.composer.refused.connect(self._on_refused)
        self.composer.attach_requested.connect(self._on_attach)
        self.composer.files_given.connect(self.files_given)
        self.composer.text_given.connect(self._on_long_text)
        self.composer.settings_requested.connect(self.settings_requested)
        self.offer_bar.acted.connect(self._on_offer)
        self.find_bar.closed.connect(self.composer.setFocus)
        self.setFocusProxy(self.composer)
        self.transcript.message_edited.connect(self._on_edited)
        self.welcome.asked.connect(self._on_asked)

    def show_messages(self, messages: Sequence[MessageView]) -> None:
        """Show another chat."""
        self.transcript.show_messages(messages)
        self._show_welcome()

    def change_messages(self, messages: Sequence[MessageView], *, at_end: bool) -> None:
        """Show other messages of the same chat."""
        self.transcript.change_messages(messages, at_end=at_end)
        self._show_welcome()

    def show_settings(self, groups: Sequence[FieldGroup], view: ChatSettingsView) -> None:
        """Show the chat's settings in a window of their own."""
        window = self._settings
        if window is None:
            from ui.chat.chat_settings import SettingsWindow  # windows: imported when they open

            window = self._settings = SettingsWindow(self._theme, groups, self.window())
            window.value_changed.connect(self.setting_changed)
            window.preset_changed.connect(self.preset_changed)
            window.prompt_changed.connect(self.prompt_changed)
            window.again_requested.connect(self.again_requested)
            window.closed.connect(self._on_settings_closed)
        window.show_view(view)
        if window.isVisible():
            window.raise_()
        window.show()
        window.activateWindow()

    def update_settings(self, view: ChatSettingsView) -> None:
        """Show other settings where their window is open."""
        if self._settings is not None:
            self._settings.show_view(view)

    def _on_settings_closed(self) -> None:
        self._settings = None
        self.settings_closed.emit()

    @property
    def settings_window(self) -> SettingsWindow | None:
        """The chat's settings, while they are shown."""
        return self._settings

    def set_temporary(self, temporary: bool) -> None:  # noqa: FBT001 - a slot
        """Mark the chat as one that is nowhere on disk."""
        self.temporary_bar.setVisible(temporary)
        self.composer.set_dashed(dashed=temporary)

    def offer_undo(self, kind: Deleted, number: int) -> None:
        """Say what was deleted, and offer to bring it back."""
        sentences = {
            "message": self.tr("The message was deleted."),
            "branch": self.tr("The message and all below it were deleted."),
            "chat": self.tr("%n chats were deleted.", "", number)
            if number > 1
            else self.tr("The chat was deleted."),
        }
        self.undo_bar.show_sentence(sentences[kind], self.tr("Undo"))

    def add_message(self, message: MessageView) -> None:
        """Add a message at the end."""
        self.transcript.add_message(message)
        self._show_welcome()

    def _show_welcome(self) -> None:
        empty = self.transcript.is_empty
        self.transcript.setVisible(not empty)
        self.welcome.setVisible(empty)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _to_attach(event.mimeData()):
            event.acceptProposedAction()
            self.composer.set_drop(over=True)

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.composer.set_drop(over=False)

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self.composer.set_drop(over=False)
        files = _to_attach(event.mimeData())
        if files:
            event.acceptProposedAction()
            self.files_given.emit(files)
            self.composer.setFocus()

    def _on_attach(self) -> None:
        dialog = QFileDialog(self, self.tr("Attach files"), str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(self._on_chosen)
        dialog.open()

    def _on_chosen(self, paths: list[str]) -> None:
        """Qt does not connect a signal with a list of strings to one with any list."""
        self.files_given.emit(paths)
        self.composer.setFocus()

    def _on_long_text(self, text: str) -> None:
        self._pasted = text
        sentence = self.tr("That is a long text, of {n} characters.").format(n=count(len(text)))
        self.offer_bar.show_sentence(sentence, self.tr("Attach It as a File"))

    def _on_offer(self) -> None:
        text, self._pasted = self._pasted, ""
        if text:
            self.composer.take_out(text)
            self.text_given.emit(text)
        elif self._can_forget:
            self.forgetting_wanted.emit()
        self.composer.setFocus()

    def _on_refused(self) -> None:
        budget = self.composer.budget
        if budget is not None:
            self._pasted = ""
            forget = self.tr("Forget the Oldest Messages") if budget.can_forget else ""
            self.offer_bar.show_sentence(budget.problem, forget)

    @property
    def _can_forget(self) -> bool:
        budget = self.composer.budget
        return budget is not None and budget.can_forget

    def _submit(self, text: str) -> None:
        self._dismiss_bars()
        self.submitted.emit(text)

    def _on_escaped(self) -> None:
        self._dismiss_bars()
        self.find_bar.close_search()

    def _dismiss_bars(self) -> None:
        for bar in (self.notice, self.undo_bar, self.offer_bar):
            bar.dismiss()

    def _on_edited(self) -> None:
        """The question that was changed gives way to another, and with it its buttons."""
        self.composer.setFocus()

    def _on_asked(self, text: str) -> None:
        """A suggested question goes the way of a typed one; a draft stays as it is."""
        self.composer.setFocus()
        self._submit(text)


def _to_attach(source: QMimeData) -> list[str]:
    """The files that are dragged, none where one of them may be a model or a folder of models."""
    paths = [Path(path) for path in local_files(source)]
    for path in paths:
        folder = not path.suffix and path.name.lower() not in _WITHOUT_ENDING
        if folder or path.suffix.lower() in _FOR_THE_WINDOW:
            return []
    return [str(path) for path in paths]
