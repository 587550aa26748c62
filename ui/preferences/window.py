"""The window of preferences, made of the fields that it is given, with a search over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout
from typing_extensions import override

from ui import theme as look
from ui.controls import QuietButton, QuietField, Surface
from ui.form import Form, Heading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QCloseEvent
    from PySide6.QtWidgets import QWidget

    from ui.fields import FieldGroup, Value
    from ui.theme import Theme

_SIZE = (560, 640)
_SIDE = 28


@dataclass(frozen=True)
class _Section:
    """A heading and its form."""

    group: FieldGroup
    heading: Heading
    form: Form


class PreferencesWindow(QDialog):
    """Every preference under its group; what is chosen is told at once."""

    changed = Signal(str, object)
    """The name of a preference, and its new value, which fits."""
    reset_requested = Signal()
    """Everything is to be as usual."""

    def __init__(self, theme: Theme, groups: Sequence[FieldGroup], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setWindowTitle(self.tr("Preferences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*_SIZE)
        self.setMinimumSize(440, 320)
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
        page = Surface(self._theme, "page")
        rows = QVBoxLayout(page)
        rows.setContentsMargins(_SIDE, 0, _SIDE, _SIDE)
        rows.setSpacing(0)
        rows.addWidget(self._none)
        for section in self._sections:
            section.heading.setContentsMargins(0, 26, 0, 12)
            rows.addWidget(section.heading)
            rows.addWidget(section.form)
        rows.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setAccessibleName(self.windowTitle())
        area.setWidget(page)
        top = Surface(self._theme, "page", underline=True)
        head = QHBoxLayout(top)
        head.setContentsMargins(_SIDE - 8, 12, _SIDE - 8, 12)
        head.addWidget(self.search, 1)
        head.addWidget(self.reset_all)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(top)
        column.addWidget(area, 1)

    def _connect_signals(self) -> None:
        self.search.textChanged.connect(self._on_searched)
        self.search.escaped.connect(self._on_escaped)
        self.search.stepped.connect(self._on_stepped)
        self.reset_all.clicked.connect(self.reset_requested)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.close)
        for section in self._sections:
            section.form.changed.connect(self.changed)

    @property
    def forms(self) -> tuple[Form, ...]:
        """The form of every group, in order."""
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

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        self._take_in()
        super().closeEvent(event)

    @override
    def reject(self) -> None:
        self._take_in()
        super().reject()

    def _take_in(self) -> None:
        for form in self.forms:
            form.take_in()

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
