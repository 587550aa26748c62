"""The models on this machine, each on a card, and ways to add others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from ui import theme as look
from ui.controls_buttons import ActionButton
from ui.exhibits.words import Words
from ui.models.card import ModelCard
from ui.models.parts import Column, Rows, WorkRow, has_focus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.models.values import CardView, ConversionView, RemovalView, WorkView
    from ui.theme import Theme


class Here(Column):
    """The cards. Every signal but the last ones carries what loads the model."""

    load_requested = Signal(str)
    unload_requested = Signal(str)
    reveal_requested = Signal(str)
    benchmark_requested = Signal(str)
    removal_requested = Signal(str)
    removal_confirmed = Signal(str)
    forget_requested = Signal(str)
    """It is to be taken off the list, its files left where they are."""
    conversion_requested = Signal(str, int)
    conversion_confirmed = Signal(str, int)
    setting_changed = Signal(str, str, object)
    cancelled = Signal(str)
    added = Signal(str)
    """A folder or a file that the user wants in the list."""
    copied = Signal(str)
    """A folder or a file that is to be copied into the application's own folder."""
    copy_cancelled = Signal()
    find_requested = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(name)
        self._theme = theme
        self.summary = Words(theme, size=look.TEXT - 1, tone="dim")
        self.add_folder = ActionButton(theme, self.tr("Add folder…"))
        self.add_file = ActionButton(theme, self.tr("Add .gguf…"))
        self.copy = ActionButton(theme, self.tr("Copy in…"))
        self.copy.setToolTip(self.tr("Copies a .gguf file into Cutaway's own folder of models."))
        self.work = WorkRow(theme)
        self.hint = _Hint(theme)
        self._cards = Rows(self._made, ModelCard.set_view)
        self._build()
        self.add_folder.clicked.connect(self._on_add_folder)
        self.add_file.clicked.connect(lambda: self._ask_file(self.added))
        self.copy.clicked.connect(lambda: self._ask_file(self.copied))
        self.hint.find_button.clicked.connect(self.find_requested)
        self.work.cancelled.connect(self.copy_cancelled)

    def _build(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.summary, 1)
        for button in (self.add_folder, self.add_file, self.copy):
            top.addWidget(button)
        self.rows.addLayout(top)
        self.rows.addWidget(self.work)
        self.rows.addLayout(self._cards)
        self.rows.addWidget(self.hint)
        self.rows.addStretch(1)

    @property
    def cards(self) -> tuple[ModelCard, ...]:
        """The cards, from the top."""
        return tuple(self._cards.rows.values())

    def card(self, source: str) -> ModelCard:
        """The card of a model."""
        return self._cards.rows[source]

    def set_models(
        self,
        views: Sequence[CardView],
        summary: str,
        complete: bool,  # noqa: FBT001 - a Qt slot
    ) -> None:
        """Show the models.

        Args:
            views: In their order.
            summary: All of them in a sentence.
            complete: Whether no more are being looked for.
        """
        self.summary.setText(summary)
        wanted = {view.source: view for view in views}
        if any(has_focus(card) for key, card in self._cards.rows.items() if key not in wanted):
            self.add_folder.setFocus()
        self._cards.set_views(wanted)
        self.hint.setVisible(complete and len(views) <= 1)

    def set_work(self, work: WorkView | None) -> None:
        """Show what is done beside the cards, such as a copy."""
        self.work.set_work(work)

    def show_model(self, source: str) -> None:
        """Bring a card into sight."""
        card = self._cards.rows.get(source)
        if card is not None:
            # Once it has its place.
            QTimer.singleShot(0, card, partial(self._reveal, card))

    def show_drawer(self, source: str) -> None:
        """Bring what is open on a card into sight, once it has its place."""
        card = self._cards.rows[source]
        QTimer.singleShot(0, card, lambda: self._reveal(card.drawer or card))

    def ask_removal(self, removal: RemovalView) -> None:
        """Say what deleting a model would do, and wait for a word."""
        if removal.source in self._cards.rows:
            self._cards.rows[removal.source].ask_removal(removal)

    def show_conversion(self, conversion: ConversionView) -> None:
        """Say what a conversion would give."""
        if conversion.source in self._cards.rows:
            self._cards.rows[conversion.source].show_conversion(conversion)

    def _reveal(self, card: QWidget) -> None:
        self.ensureWidgetVisible(card, 0, 40)

    def _made(self, view: CardView) -> ModelCard:
        card, source = ModelCard(self._theme, view), view.source
        card.load_requested.connect(partial(self.load_requested.emit, source))
        card.unload_requested.connect(partial(self.unload_requested.emit, source))
        card.reveal_requested.connect(partial(self.reveal_requested.emit, source))
        card.benchmark_requested.connect(partial(self.benchmark_requested.emit, source))
        card.removal_requested.connect(partial(self.removal_requested.emit, source))
        card.removal_confirmed.connect(partial(self.removal_confirmed.emit, source))
        card.forget_requested.connect(partial(self.forget_requested.emit, source))
        card.conversion_requested.connect(partial(self.conversion_requested.emit, source))
        card.conversion_confirmed.connect(partial(self.conversion_confirmed.emit, source))
        card.setting_changed.connect(partial(self.setting_changed.emit, source))
        card.cancelled.connect(partial(self.cancelled.emit, source))
        card.drawer_opened.connect(partial(self.show_drawer, source))
        return card

    def _on_add_folder(self) -> None:
        dialog = QFileDialog(self.window(), self.tr("Add a folder of models"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        self._show(dialog, self.added)

    def _ask_file(self, told: object) -> None:
        dialog = QFileDialog(self.window(), self.tr("Add a .gguf file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("GGUF models (*.gguf)"))
        self._show(dialog, told)

    def _show(self, dialog: QFileDialog, told: object) -> None:
        dialog.fileSelected.connect(told)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()


class _Hint(QWidget):
    """What to do where there is nothing but the starter model."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        words = Words(
            theme,
            self.tr(
                "The starter model is small, to show how things work. Find one that suits this "
                "machine, or add a folder that holds models."
            ),
            size=look.TEXT - 1,
            tone="dim",
        )
        self.find_button = ActionButton(theme, self.tr("Find models"), main=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(10)
        column.addWidget(words)
        column.addWidget(self.find_button)
        self.hide()
