"""Words on the page: a label of one size and one colour by its meaning, which wraps."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QSizePolicy

from ui import theme as look
from ui.controls import color_words

if TYPE_CHECKING:
    from ui.theme import Theme

Tone = Literal["text", "dim", "faint", "accent", "good"]


class Words(QLabel):
    """Plain words that can be selected and read out."""

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        *,
        size: float = look.TEXT,
        tone: Tone = "text",
        weight: QFont.Weight = QFont.Weight.Normal,
        code: bool = False,
        leading: float = 0,
    ) -> None:
        """Make the label.

        Args:
            theme: Colours and fonts.
            text: What it says.
            size: In pixels, as the sizes of `ui.theme`.
            tone: Its colour.
            weight: Of the font.
            code: Whether it is written in the fixed-pitch font.
            leading: The height of a line, in times of the size; 0 leaves it to the font.
        """
        super().__init__()
        self._theme = theme
        self._tone: Tone = tone
        self._leading = leading
        self._words = ""
        self.setWordWrap(True)
        self.setFont(theme.code_font() if code else theme.font(size, weight))
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        theme.changed.connect(self._dress)
        self._dress()
        self.set_words(text)

    @property
    def words(self) -> str:
        """What it says."""
        return self._words

    def set_words(self, text: str) -> None:
        """Say something else."""
        self._words = text
        self.setAccessibleName(text)
        if self._leading:
            self.setTextFormat(Qt.TextFormat.RichText)
            line = round(100 * self._leading)
            self.setText(f"<p style='margin:0; line-height:{line}%'>{html.escape(text)}</p>")
        else:
            self.setTextFormat(Qt.TextFormat.PlainText)
            self.setText(text)

    def set_tone(self, tone: Tone) -> None:
        """Write in another colour."""
        self._tone = tone
        self._dress()

    def _dress(self) -> None:
        color_words(self, getattr(self._theme.colors, self._tone))


def head(theme: Theme, text: str) -> Words:
    """The small heading of a section."""
    return Words(theme, text, size=look.HEAD, tone="dim", weight=QFont.Weight.DemiBold)
