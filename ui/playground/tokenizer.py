"""The text as tokens with ids and bytes, by the loaded model's tokenizer and by another one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QBoxLayout, QFileDialog, QHBoxLayout, QMenu, QVBoxLayout, QWidget
from typing_extensions import override

from ui import figures
from ui.charts.export import ExportButton
from ui.charts.values import Card, Cards, Column, Row, StripToken, Table, TokenStrip
from ui.charts.view import ChartView
from ui.controls_buttons import ActionButton
from ui.inspector.meters import Heading
from ui.pieces import CONTINUED, visible
from ui.playground.attention_wrap import Wrap
from ui.playground.views import PlaygroundView
from ui.playground.wishes import TokensWish
from ui.playground.words import Paragraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.charts.values import Chart
    from ui.playground.state import Tokenized
    from ui.state import ModelChoice
    from ui.theme import Theme

_BESIDE = 480
_MOST = 300
"""Tokens that are drawn: more of them would hold the window up."""


def token_cards(cut: Tokenized) -> Cards:
    """How many tokens, and how much text one of them holds."""
    translate = QCoreApplication.translate
    count = len(cut.tokens)
    per = cut.characters / count if count else 0.0
    of_bytes = cut.byte_count / count if count else 0.0
    caption = translate(
        "Playground", "{characters} characters, {bytes} bytes per token; vocabulary of {size}"
    )
    return Cards(
        (
            Card(
                translate("Playground", "Tokens"),
                figures.count(count),
                caption.format(
                    characters=figures.decimal(per, 2),
                    bytes=figures.decimal(of_bytes, 2),
                    size=figures.count(cut.vocab_size),
                ),
                number=count,
            ),
        ),
        title=cut.name,
    )


def token_cuts(cut: Tokenized, most: int | None = None) -> TokenStrip:
    """The text with the cuts between tokens, of the first `most` or of all."""
    return TokenStrip(
        tuple(
            StripToken(
                row.text or CONTINUED,
                0.5 if number % 2 else 0.0,
                tone="held",
                control=row.control,
                tip=f"{visible(row.text or CONTINUED)} · {row.token}",
            )
            for number, row in enumerate(cut.tokens[:most])
        ),
        edges=True,
    )


def token_table(cut: Tokenized, most: int | None = None) -> Table:
    """Place, id, text and bytes of the first `most` tokens or of all."""
    translate = QCoreApplication.translate
    rows = tuple(
        Row(
            (
                str(number + 1),
                str(row.token),
                visible(row.text or CONTINUED),
                row.spelling.hex(" "),
            ),
            (number + 1, row.token, None, None),
            tip=translate("Playground", "control token") if row.control else "",
            faded=row.control,
        )
        for number, row in enumerate(cut.tokens[:most])
    )
    count = len(cut.tokens)
    first = translate("Playground", "the first {shown} of {count}; Export writes all").format(
        shown=figures.count(len(rows)), count=figures.count(count)
    )
    return Table(
        (
            Column("#", "right"),
            Column(translate("Playground", "id"), "right"),
            Column(translate("Playground", "token"), code=True),
            Column(translate("Playground", "bytes"), code=True),
        ),
        rows,
        title=translate("Playground", "Tokens"),
        note=first if len(rows) < count else "",
    )


class TokenizerSide(QWidget):
    """One tokenizer's cut of the text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._cut: Tokenized | None = None
        self.cards = ChartView(Cards(()), theme)
        self.strip = ChartView(TokenStrip(()), theme)
        self.table = ChartView(Table((), ()), theme)
        self.sentence = Paragraph(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for part in (self.cards, self.strip, self.table, self.sentence):
            column.addWidget(part)
        column.addStretch(1)
        self.show_sentence("")

    @property
    def charts(self) -> tuple[Chart, ...]:
        """What Export writes."""
        if self._cut is None:
            return ()
        return (token_cards(self._cut), token_cuts(self._cut), token_table(self._cut))

    def show_cut(self, cut: Tokenized) -> None:
        """Show a cut."""
        self._cut = cut
        self.cards.set_chart(token_cards(cut))
        self.strip.set_chart(token_cuts(cut, _MOST))
        self.table.set_chart(token_table(cut, _MOST))
        self._set_shown(shown=True)

    def show_sentence(self, sentence: str) -> None:
        """Say why there is none."""
        self._cut = None
        self.sentence.setText(sentence)
        self._set_shown(shown=False)

    def _set_shown(self, *, shown: bool) -> None:
        for part in (self.cards, self.strip, self.table):
            part.setVisible(shown)
        self.sentence.setVisible(not shown and bool(self.sentence.text()))


class TokenizerView(PlaygroundView):
    """The loaded model's tokenizer, and beside it one that is chosen; `wanted`: `TokensWish`."""

    failed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._plain = ""
        self._other = ""
        self.head = Heading(theme, self.tr("Tokenizer"))
        self.menu = QMenu(self)
        self.choose = ActionButton(theme, self.tr("Compare with another model…"))
        self.forget = ActionButton(theme, self.tr("Only the loaded model"))
        self.export = ExportButton(theme, self.charts)
        self.own = TokenizerSide(theme)
        self.other = TokenizerSide(theme)
        self._sides = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._sides.setSpacing(28)
        self._sides.addWidget(self.own, 1)
        self._sides.addWidget(self.other, 1)
        foot = QHBoxLayout()
        foot.addWidget(self.head, 1)
        foot.addWidget(self.export)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addLayout(foot)
        column.addWidget(Wrap((self.choose, self.forget), 10))
        column.addLayout(self._sides)
        column.addStretch(1)
        self.choose.clicked.connect(self._on_choose)
        self.forget.clicked.connect(lambda: self.set_other(""))
        self.export.failed.connect(self.failed)
        self.set_models(())
        self.forget.hide()
        self.other.hide()

    def set_models(self, models: Sequence[ModelChoice]) -> None:
        """Take the models that can be chosen from."""
        self.menu.clear()
        for model in models:
            action = self.menu.addAction(model.name)
            action.triggered.connect(lambda _=False, source=model.source: self.set_other(source))
        self.menu.addSeparator()
        self.menu.addAction(self.tr("Model folder…")).triggered.connect(self._ask_folder)
        self.menu.addAction(self.tr(".gguf file…")).triggered.connect(self._ask_file)

    def set_other(self, source: str) -> None:
        """Compare with another model's tokenizer; "" with none."""
        self._other = source
        self.other.show_sentence(self.tr("Reading the tokenizer…") if source else "")
        self.other.setVisible(bool(source))
        self.forget.setVisible(bool(source))
        self.mark_stale()

    def set_plain(self, plain: str) -> None:
        """Take the text, control tokens by their names."""
        if plain != self._plain:
            self._plain = plain
            self.mark_stale()

    @override
    def refresh(self) -> None:
        if self._plain:
            self.wanted.emit(TokensWish(self._plain, self._other))
        else:
            self.own.show_sentence(self.tr("Write something above: its tokens are listed here."))
            self.other.show_sentence("")

    @override
    def charts(self) -> Sequence[Chart]:
        return (*self.own.charts, *(self.other.charts if self._other else ()))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= _BESIDE
        directions = QBoxLayout.Direction
        self._sides.setDirection(directions.LeftToRight if beside else directions.TopToBottom)

    def _on_choose(self) -> None:
        self.menu.popup(self.choose.mapToGlobal(self.choose.rect().bottomLeft()))

    def _ask_folder(self) -> None:
        self._ask(QFileDialog.FileMode.Directory, "")

    def _ask_file(self) -> None:
        self._ask(QFileDialog.FileMode.ExistingFile, self.tr("GGUF models (*.gguf)"))

    def _ask(self, mode: QFileDialog.FileMode, name_filter: str) -> None:
        dialog = QFileDialog(self.window(), self.tr("Compare tokenizers"), str(Path.home()))
        dialog.setFileMode(mode)
        if name_filter:
            dialog.setNameFilter(name_filter)
        dialog.fileSelected.connect(self.set_other)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
