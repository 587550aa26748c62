"""Finding models on the hub: words, filters, what was found, and the card of what is chosen."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from ui import theme as look
from ui.announce import announce
from ui.controls import QuietButton
from ui.controls_buttons import ActionButton
from ui.entries import LineField
from ui.exhibits.words import Words, head
from ui.models.detail import Detail
from ui.models.find_parts import Filters, FoundRow
from ui.models.parts import Column, clear
from ui.models.token import TokenEntry
from ui.models.values import Query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.models.values import DetailView, FoundView
    from ui.theme import Theme

_PAUSE_MS = 350


class Find(Column):
    """The section."""

    search_requested = Signal(object)
    """A `Query`; without words the models to start with are wanted."""
    hub_requested = Signal(object)
    """A `Query`, to ask the hub even without words."""
    chosen = Signal(str)
    """A repository whose card is wanted; empty where it is closed."""
    variant_chosen = Signal(str, str)
    download_requested = Signal(str, str)
    """A repository, and a quantisation of it; empty where there is one."""
    load_requested = Signal(str)
    token_given = Signal(str)
    token_forgotten = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(name)
        self._theme = theme
        self._rows: dict[str, FoundRow] = {}
        self._chosen = ""
        self.field = LineField(theme, self)
        self.go = ActionButton(theme, self.tr("Search the hub"), main=True)
        self.filters = Filters(theme)
        self.token = TokenEntry(
            theme,
            self.tr(
                "A token of your account opens gated and private repositories; it is made in the "
                "hub's settings and kept in the system's keychain."
            ),
        )
        self.token_button = QuietButton(theme, self.tr("Access token…"), size=look.CAPTION)
        self.heading = head(theme, "")
        self.sentence = Words(theme, size=look.TEXT - 1, tone="dim")
        self.detail = Detail(theme)
        self._list = QVBoxLayout()
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._build()
        self._connect_signals()

    def _build(self) -> None:
        self.field.setPlaceholderText(self.tr("Find on the hub, as in qwen3 4b"))
        self.field.setAccessibleName(self.tr("Find models on the hub"))
        self.field.setFont(self._theme.font(look.TEXT))
        self.field.setTextMargins(10, 0, 10, 0)
        self.field.setFixedHeight(36)
        self._list.setSpacing(2)
        self._list.setContentsMargins(0, 0, 0, 0)
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(self.field, 1)
        line.addWidget(self.go)
        self.rows.addLayout(line)
        self.rows.addWidget(self.filters)
        above = QHBoxLayout()
        above.addWidget(self.heading, 1)
        above.addWidget(self.token_button)
        self.rows.addLayout(above)
        self.rows.addWidget(self.token)
        self.rows.addWidget(self.sentence)
        self.rows.addLayout(self._list)
        self.rows.addStretch(1)
        self.token_button.setCheckable(True)
        for widget in (self.sentence, self.token, self.detail):
            widget.hide()
        self.detail.setParent(self.widget())

    def _connect_signals(self) -> None:
        self.field.textEdited.connect(self._pause.start)
        self.field.entered.connect(self._on_go)
        self.field.escaped.connect(self._on_escaped)
        self.field.stepped.connect(self._on_field_stepped)
        self.go.clicked.connect(self._on_go)
        self._pause.timeout.connect(self.search)
        self.filters.changed.connect(self.search)
        detail = self.detail
        detail.variant_chosen.connect(self._on_variant)
        detail.download_requested.connect(self._on_download)
        detail.load_requested.connect(self.load_requested)
        for asking in (detail.token, self.token):
            asking.given.connect(self.token_given)
            asking.forgotten.connect(self.token_forgotten)
        self.token_button.toggled.connect(self._on_token_toggled)
        self.token.line.escaped.connect(lambda: self.token_button.setChecked(False))

    @property
    def query(self) -> Query:
        """What is looked for."""
        return self.filters.query(self.field.text().strip())

    @property
    def found(self) -> tuple[FoundRow, ...]:
        """The rows, from the top."""
        return tuple(self._rows.values())

    def search(self) -> None:
        """Ask anew for what is looked for."""
        self._pause.stop()
        self.search_requested.emit(self.query)

    def set_found(self, views: Sequence[FoundView], heading: str, sentence: str = "") -> None:
        """Show what was found.

        Args:
            views: The rows, in their order.
            heading: What they are.
            sentence: What else is to be said, as where there is nothing.
        """
        self.heading.setText(heading)
        self.heading.setVisible(bool(heading))
        self.tell(sentence)
        if list(views) == [row.view for row in self._rows.values()]:
            return
        had_focus = [repo for repo, row in self._rows.items() if row.hasFocus()]
        self._list.removeWidget(self.detail)
        clear(self._list)
        self._rows = {view.repo: FoundRow(self._theme, view) for view in views}
        for repo, row in self._rows.items():
            row.clicked.connect(partial(self._on_row, repo))
            row.stepped.connect(partial(self._on_stepped, repo))
            self._list.addWidget(row)
            row.show()  # at once: the list is never empty between, and one of them gets the focus
        if self._chosen in self._rows:
            self._rows[self._chosen].setChecked(True)
            self._place_detail()
        else:
            self._close()
        for row in [self._rows[repo] for repo in had_focus if repo in self._rows]:
            row.setFocus()

    def tell(self, sentence: str) -> None:
        """Say what happens, or why nothing was found; nothing where it is empty."""
        if sentence and sentence != self.sentence.text():
            announce(self, sentence)
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))

    def show_detail(self, view: DetailView) -> None:
        """Show the card of the chosen repository."""
        if view.repo != self._chosen:
            return
        has_come = self.detail.view.loading and not view.loading
        self.detail.set_view(view)
        if has_come:
            self._bring_detail()

    def tell_token(self, sentence: str) -> None:
        """Say what became of a token."""
        for asking in (self.detail.token, self.token):
            asking.tell(sentence)

    def ask_token(self) -> None:
        """Show where a token is entered."""
        self.token_button.setChecked(True)

    def _on_token_toggled(self, is_open: bool) -> None:  # noqa: FBT001 - a Qt slot
        self.token.setVisible(is_open)
        if is_open:
            self.token.tell("")
            self.token.line.setFocus()
        elif self.token_button.isVisible():
            self.token_button.setFocus()

    def _place_detail(self) -> None:
        self._list.removeWidget(self.detail)
        row = self._rows[self._chosen]
        self._list.insertWidget(self._list.indexOf(row) + 1, self.detail)
        self.detail.show()

    def _bring_detail(self) -> None:
        """Bring the card into sight, once it has its place; its row stays in sight with it."""
        row = self._rows[self._chosen]

        def show() -> None:
            self.ensureWidgetVisible(self.detail, 0, 20)
            self.ensureWidgetVisible(row, 0, 0)

        QTimer.singleShot(0, row, show)

    def _on_row(self, repo: str, *_: object) -> None:
        if not self._rows[repo].isChecked():
            self._close()
            self.chosen.emit("")
            return
        for each, row in self._rows.items():
            row.setChecked(each == repo)
        self._chosen = repo
        self._place_detail()
        self._bring_detail()
        self.chosen.emit(repo)

    def _close(self) -> None:
        self._chosen = ""
        self.detail.hide()

    def _on_stepped(self, repo: str, by: int) -> None:
        repos = list(self._rows)
        place = repos.index(repo) + by
        if 0 <= place < len(repos):
            row = self._rows[repos[place]]
            row.setFocus(Qt.FocusReason.TabFocusReason)
            self.ensureWidgetVisible(row)
        elif place < 0:
            self.field.setFocus()

    def _on_field_stepped(self, by: int) -> None:
        if by > 0 and self._rows:
            next(iter(self._rows.values())).setFocus(Qt.FocusReason.TabFocusReason)

    def _on_go(self, *_: object) -> None:
        self._pause.stop()
        self.hub_requested.emit(self.query)

    def _on_escaped(self) -> None:
        self.field.clear()
        self.search()

    def _on_download(self, variant: str) -> None:
        self.download_requested.emit(self._chosen, variant)

    def _on_variant(self, variant: str) -> None:
        self.variant_chosen.emit(self._chosen, variant)
