"""The window of preferences, made of the fields that it is given, with a search over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout
from typing_extensions import override

from ui import theme as look
from ui.controls import QuietButton, QuietField
from ui.form import Form, Heading
from ui.form_window import FormWindow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtWidgets import QWidget

    from ui.fields import FieldGroup, Value
    from ui.theme import Theme

_HEIGHT = 640
_LEAST_HEIGHT = 320
_SIDE = 28


@dataclass(frozen=True)
class _Section:
    """A heading and its form."""

    group: FieldGroup
    heading: Heading
    form: Form


class PreferencesWindow(FormWindow):
    """Every preference under its group; what is chosen is told at once."""

    changed = Signal(str, object)
    """The name of a preference, and its new value, which fits."""
    reset_requested = Signal()
    """Everything is to be as usual."""

    def __init__(self, theme: Theme, groups: Sequence[FieldGroup], parent: QWidget) -> None:
        super().__init__(theme, _HEIGHT, _LEAST_HEIGHT, parent)
        self.setWindowTitle(self.tr("Preferences"))
        self.search = QuietField(theme, self)
        self.search.setFont(theme.font(look.TEXT - 1))
        self.search.setTextMargins(8, 0, 8, 0)
        self.search.setFixedHeight(30)
        self.search.setPlaceholderText(self.tr("Search preferences"))
        self.search.setAccessibleName(self.tr("Search preferences"))
        self.reset_all = QuietButton(theme, self.tr("Reset All"), size=look.TEXT - 1)
        self._none = QLabel(self.tr("No preference goes by that name."))
        self._none.setFont(theme.font(look.TEXT - 1, QFont.Weight.Normal))
        self._none.hide()
        self._sections = tuple(
            _Section(group, Heading(theme, group.title), Form(theme, group.fields))
            for group in groups
        )
        self._lay_out()
        self._connect_signals()
        self.search.setFocus()

    def _lay_out(self) -> None:
        rows = QVBoxLayout(self.body)
        rows.setContentsMargins(_SIDE, 0, _SIDE, _SIDE)
        rows.setSpacing(0)
        rows.addWidget(self._none)
        for section in self._sections:
            section.heading.setContentsMargins(0, 26, 0, 12)
            rows.addWidget(section.heading)
            rows.addWidget(section.form)
        rows.addStretch(1)
        head = QHBoxLayout(self.head)
        head.setContentsMargins(_SIDE - 8, 12, _SIDE - 8, 12)
        head.addWidget(self.search, 1)
        head.addWidget(self.reset_all)
        self.frame(self.windowTitle())

    def _connect_signals(self) -> None:
        self.search.textChanged.connect(self._on_searched)
        self.search.escaped.connect(self._on_escaped)
        self.search.stepped.connect(self._on_stepped)
        self.reset_all.clicked.connect(self.reset_requested)
        for section in self._sections:
            section.form.changed.connect(self.changed)

    @property
    @override
    def forms(self) -> tuple[Form, ...]:
        return tuple(section.form for section in self._sections)

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the preferences that the search leaves."""
        return tuple(
            field.name
            for section in self._sections
            for field in section.group.fields
            if not section.form.row(field.name).isHidden()
        )

    def set_values(self, values: Mapping[str, Value]) -> None:
        """Show what is in force, without telling of it."""
        for form in self.forms:
            form.set_values(values)

    def _on_searched(self, text: str) -> None:
        words = text.lower().split()
        found = False
        for section in self._sections:
            title = section.group.title.lower()
            any_row = False
            for field in section.group.fields:
                said = f"{title} {field.title} {field.help}".lower()
                fits = all(word in said for word in words)
                section.form.row(field.name).setVisible(fits)
                any_row = any_row or fits
            section.heading.setVisible(any_row)
            section.form.setVisible(any_row)
            found = found or any_row
        self._none.setVisible(not found)

    def _on_escaped(self) -> None:
        """Esc empties the search first, then closes."""
        if self.search.text():
            self.search.clear()
        else:
            self.close()

    def _on_stepped(self, by: int) -> None:
        """Down leads from the search to the first preference."""
        if by > 0:
            self.focusNextPrevChild(True)
