"""The card of a repository: what is needed to choose it, before any weight is fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from ui import theme as look
from ui.announce import announce
from ui.controls_buttons import ActionButton
from ui.controls_card import CardFrame
from ui.exhibits.words import Words
from ui.fields import Choice, ChoiceField
from ui.form import FieldRow
from ui.models.parts import Figures, FitRow
from ui.models.token import TokenEntry
from ui.models.values import DetailView

if TYPE_CHECKING:
    from ui.models.values import VariantView
    from ui.theme import Theme


class Detail(CardFrame):
    """The card."""

    variant_chosen = Signal(str)
    download_requested = Signal(str)
    load_requested = Signal(str)
    downloads_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._theme = theme
        self._view = DetailView("")
        self._variants: tuple[VariantView, ...] = ()
        self.figures = Figures(theme)
        self.sentence = Words(theme, size=look.CAPTION, tone="dim")
        self.fit = FitRow(theme)
        self.variant: FieldRow | None = None
        self.token = TokenEntry(
            theme,
            self.tr(
                "Accept its terms on its page, then make a token with the right to read in the "
                "hub's settings and enter it here. It is kept in the system's keychain."
            ),
        )
        self.download = ActionButton(theme, self.tr("Download"), main=True)
        self._place = QVBoxLayout()
        self._place.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.addWidget(self.download)
        row.addStretch(1)
        self.column.setSpacing(6)
        self.column.addWidget(self.sentence)
        self.column.addWidget(self.figures)
        self.column.addWidget(self.fit)
        self.column.addLayout(self._place)
        self.column.addWidget(self.token)
        self.column.addLayout(row)
        self.download.clicked.connect(self._on_download)

    @property
    def view(self) -> DetailView:
        """What is shown."""
        return self._view

    def set_view(self, view: DetailView) -> None:
        """Show another card, or another state of it."""
        if view.repo != self._view.repo:
            self.token.tell("")
        told = view.sentence != self._view.sentence or view.repo != self._view.repo
        self._view = view
        self.setAccessibleName(view.repo)
        self.figures.set_figures(view.figures)
        waiting = self.tr("Reading what the hub says of it…")
        self.sentence.setText(waiting if view.loading else view.sentence)
        self.sentence.set_tone("dim" if view.loading else "accent")
        self.sentence.setVisible(view.loading or bool(view.sentence))
        self.fit.set_fit(view.fit)
        self._show_variants(view)
        self.token.setVisible(view.wants_token)
        words = {
            "can": self.tr("Download"),
            "no": self.tr("Download"),
            "fetching": self.tr("Show download"),
            "here": self.tr("Load"),
        }
        self.download.set_label(words[view.state])
        self.download.setVisible(view.state != "no")
        if told and view.sentence:
            announce(self, view.sentence)

    def _show_variants(self, view: DetailView) -> None:
        if view.variants != self._variants:
            self._variants = view.variants
            if self.variant is not None:
                self._place.removeWidget(self.variant)
                self.variant.hide()
                self.variant.deleteLater()
                self.variant = None
            if view.variants:
                self.variant = self._made(view)
                self._place.addWidget(self.variant)
        if self.variant is not None:
            self.variant.set_value(view.variant)

    def _made(self, view: DetailView) -> FieldRow:
        choices = tuple(Choice(variant.name, variant.title) for variant in view.variants)
        field = ChoiceField(
            name="variant",
            title=self.tr("Quantisation"),
            usual=view.variant,
            choices=choices,
        )
        row = FieldRow(self._theme, field, resets=False)
        row.changed.connect(self._on_variant)
        return row

    def _on_download(self) -> None:
        if self._view.state == "here":
            self.load_requested.emit(self._view.source)
        elif self._view.state == "fetching":
            self.downloads_requested.emit()
        elif self._view.state == "can":
            self.download_requested.emit(self._view.variant)

    def _on_variant(self, _name: str, value: object) -> None:
        self.variant_chosen.emit(str(value))
