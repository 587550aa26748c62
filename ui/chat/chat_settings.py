"""The settings of the shown chat in a window beside it: prompt, sampling, context, presets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.chat.shelf import Shelf, ShelfWords
from ui.controls import ElidedLabel, QuietButton, color_words
from ui.form import Form, Heading
from ui.form_window import FormWindow
from ui.icons import Icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.chat.settings_values import ChatSettingsView
    from ui.fields import FieldGroup
    from ui.theme import Theme

_HEIGHT = 720
_LEAST_HEIGHT = 360
_SIDE = 24
_PROMPT = "system_prompt"


class _Group(QWidget):
    """A heading and its fields; a folded one is opened by a press on its heading."""

    def __init__(self, theme: Theme, group: FieldGroup) -> None:
        super().__init__()
        self.form = Form(theme, group.fields)
        self._fold: QuietButton | None = None
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        if group.folded:
            self._fold = QuietButton(theme, group.title, Icon.CHEVRON, size=look.TEXT - 1)
            self._fold.setCheckable(True)
            self._fold.toggled.connect(self.form.setVisible)
            line = QHBoxLayout()
            line.setContentsMargins(0, 0, 0, 0)
            line.addWidget(self._fold)
            line.addStretch(1)
            column.addLayout(line)
            self.form.hide()
        elif group.title:
            column.addWidget(Heading(theme, group.title))
        column.addWidget(self.form)

    @property
    def fold(self) -> QuietButton | None:
        """What opens the group; None for one that is always open."""
        return self._fold

    def add_below(self, widget: QWidget) -> None:
        """Put a control under the fields, at the left."""
        self._column.setSpacing(4)
        self._column.addWidget(widget, 0, Qt.AlignmentFlag.AlignLeft)

    def open_where_set(self) -> None:
        """Open the group where something in it is not as usual."""
        form = self.form
        changed = any(value != form.row(name).field.usual for name, value in form.values.items())
        if self._fold is not None and changed:
            self._fold.setChecked(True)


class SettingsWindow(FormWindow):
    """The window. Values are told as they are chosen; `again` asks for the reply once more."""

    value_changed = Signal(str, object)
    preset_changed = Signal(object)
    """A `ui.chat.settings_values.ShelfChange` about presets."""
    prompt_changed = Signal(object)
    """A `ui.chat.settings_values.ShelfChange` about system prompts."""
    again_requested = Signal()

    def __init__(self, theme: Theme, groups: Sequence[FieldGroup], parent: QWidget) -> None:
        super().__init__(theme, _HEIGHT, _LEAST_HEIGHT, parent)
        self.presets = Shelf(
            theme,
            ShelfWords(
                accessible=self.tr("Preset"),
                none=self.tr("No preset"),
                save=self.tr("Save as Preset…"),
                ask=self.tr("Name of the preset"),
                make_usual=self.tr("Begin New Chats with “{name}”"),
            ),
        )
        self.prompts = Shelf(
            theme,
            ShelfWords(
                accessible=self.tr("Saved prompt"),
                none=self.tr("Saved prompts"),
                save=self.tr("Save This Prompt…"),
                ask=self.tr("Name of the prompt"),
            ),
        )
        self._title = ElidedLabel(theme.font(look.TEXT, QFont.Weight.Medium))
        self._note = QLabel()
        self._note.setFont(theme.font(look.CAPTION))
        self._note.setWordWrap(True)
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self.again = QuietButton(theme, self.tr("Ask Again"), strong=True)
        self._groups = tuple(_Group(theme, group) for group in groups)
        self._lay_out()
        self._connect_signals()
        self._dress()

    def _lay_out(self) -> None:
        rows = QVBoxLayout(self.body)
        rows.setContentsMargins(_SIDE, 16, _SIDE, _SIDE)
        rows.setSpacing(24)
        for group in self._groups:
            rows.addWidget(group)
        self._groups[0].add_below(self.prompts)
        rows.addStretch(1)
        head = QHBoxLayout(self.head)
        head.setContentsMargins(_SIDE, 12, _SIDE - 8, 12)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._title)
        words.addWidget(self._note)
        head.addLayout(words, 1)
        head.addWidget(self.presets, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self.again, 0, Qt.AlignmentFlag.AlignVCenter)
        self.frame(self.tr("Chat settings"))

    def _connect_signals(self) -> None:
        self.presets.changed.connect(self.preset_changed)
        self.prompts.changed.connect(self.prompt_changed)
        self.again.clicked.connect(self._on_again)
        self._theme.changed.connect(self._dress)
        for group in self._groups:
            group.form.changed.connect(self.value_changed)

    @property
    @override
    def forms(self) -> tuple[Form, ...]:
        return tuple(group.form for group in self._groups)

    @property
    def folds(self) -> tuple[QuietButton, ...]:
        """What opens the groups that are folded."""
        return tuple(group.fold for group in self._groups if group.fold is not None)

    def show_view(self, view: ChatSettingsView) -> None:
        """Show the settings of a chat; a field that is being written in keeps its words."""
        again = view.for_reply
        self.setWindowTitle(self.tr("Ask Again With") if again else self.tr("Chat Settings"))
        self._title.set_whole(view.title or self.tr("New chat"))
        self._note.setText(
            self.tr("For this reply only; the one that is there stays.")
            if again
            else self.tr("For replies to come. Those that are there keep theirs.")
        )
        self.again.setVisible(again)
        for group in self._groups:
            group.form.set_values(view.values)
            group.open_where_set()
        self.presets.set_items(view.presets, view.preset, view.usual_preset)
        self.prompts.set_items(view.prompts, view.prompt)
        self.prompts.set_can_save(can_save=bool(view.values.get(_PROMPT)))

    def _on_again(self) -> None:
        self.take_in()
        self.again_requested.emit()
        self.close()

    def _dress(self) -> None:
        color_words(self._note, self._theme.colors.faint)
