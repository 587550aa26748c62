"""What charts are drawn with: colours of tones, fonts, written numbers, and text that fits.

An `Ink` is taken from the theme on the main thread and can then be used on any thread, so that
an export draws the same picture without the window.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTextLayout, QTextOption

from ui import figures
from ui import theme as look
from ui.chat.plain import harmless
from ui.pieces import inked

if TYPE_CHECKING:
    from ui.charts.values import Legend, Tone
    from ui.theme import Colors, Theme

PALE = 0.38
"""How strong the colour of a faded part is."""
STRONGEST = 0.45
"""How strong the ground of a token is at strength 1: text on it stays readable."""
CELL_RADIUS = 3.0
LINE = 17.0
"""The height of a line of captions."""

_LONGEST = 400
_LONGEST_TEXT = 6000
_SMALL = 1e-3
_LARGE = 1e6
_WHOLE = 1e4
_LEADING = 1.45


@dataclass(frozen=True)
class Ink:
    """Colours and fonts of one appearance.

    Attributes:
        colors: The palette.
        text: Reading text.
        small: Labels and figures beside marks.
        strong: Figures that stand out.
        caption: Captions and legends.
        head: The title of a chart.
        tiny: Ticks, and what follows a title.
        number: The big figure of a card.
        code: Tokens and names from code.
        code_caption: The same, as small as captions.
    """

    colors: Colors
    text: QFont
    small: QFont
    strong: QFont
    caption: QFont
    head: QFont
    tiny: QFont
    number: QFont
    code: QFont
    code_caption: QFont

    @classmethod
    def of(cls, theme: Theme) -> Ink:
        """The ink of the appearance in force; call it on the main thread."""
        return cls(
            colors=theme.colors,
            text=theme.font(look.TEXT),
            small=theme.font(look.TEXT - 1),
            strong=theme.font(look.TEXT - 1, QFont.Weight.Medium),
            caption=theme.font(look.CAPTION),
            head=theme.font(look.HEAD, QFont.Weight.DemiBold),
            tiny=theme.font(look.HEAD),
            number=theme.font(look.NUMBER, QFont.Weight.DemiBold),
            code=_unjoined(theme.code_font(look.TEXT - 1)),
            code_caption=_unjoined(theme.code_font(look.CAPTION)),
        )

    def fill(self, tone: Tone) -> QColor:
        """The colour of a mark. Evicted has none: it is an outline."""
        colors = self.colors
        named = {
            "plain": colors.text,
            "dim": colors.faint,
            "accent": colors.accent,
            "good": colors.good,
            "link": colors.link,
            "pinned": colors.cache_pinned,
            "held": colors.cache_held,
            "quantised": colors.cache_held,
            "new": colors.cache_new,
            "empty": colors.fill,
        }
        return QColor(named[tone]) if tone in named else QColor(Qt.GlobalColor.transparent)

    def words(self, tone: Tone) -> QColor:
        """The colour of text in a tone; readable on page, sidebar and panel."""
        colors = self.colors
        named = {
            "dim": colors.dim,
            "accent": colors.accent,
            "new": colors.accent,
            "good": colors.good,
            "link": colors.link,
            "pinned": colors.link,
            "held": colors.link,
        }
        return QColor(named.get(tone, colors.text))

    @property
    def outline(self) -> QColor:
        """The line round a cell that holds nothing any more."""
        return blend(self.colors.hairline, self.colors.faint, 0.35)

    def ground(self, tone: Tone, strength: float) -> QColor:
        """The ground of a token, transparent where the strength (0 to 1) is 0 or not a number."""
        if not strength > 0:
            return QColor(Qt.GlobalColor.transparent)
        color = self.fill(tone)
        color.setAlphaF(min(strength, 1.0) * STRONGEST)
        return color


def _unjoined(font: QFont) -> QFont:
    """The font without ligatures: "<|" in a token is two characters and looks like two."""
    for feature in ("calt", "liga"):
        font.setFeature(QFont.Tag(feature), 0)
    return font


def blend(low: str | QColor, high: str | QColor, share: float) -> QColor:
    """The colour `share` of the way from one to the other."""
    first, second = QColor(low), QColor(high)
    return QColor.fromRgbF(
        first.redF() + (second.redF() - first.redF()) * share,
        first.greenF() + (second.greenF() - first.greenF()) * share,
        first.blueF() + (second.blueF() - first.blueF()) * share,
    )


def written(value: float, unit: str = "") -> str:
    """A number in few digits for people: "1,204", "0.41", "2.9e-6", "∞"; "–" for NaN."""
    if math.isnan(value):
        return figures.UNKNOWN
    after = f" {unit}" if unit and unit != "%" else unit
    if math.isinf(value):
        return ("∞" if value > 0 else "−∞") + after
    size = abs(value)
    if value and (size < _SMALL or size >= _LARGE * 1e3):
        digits, exponent = f"{value:.1e}".split("e")
        return f"{digits.replace('-', '−')}e{int(exponent)}{after}"
    whole = size >= _WHOLE or value == int(value)
    number = figures.count(round(value)) if whole else figures.plain(value)
    return number.replace("-", "−") + after


def one_line(text: str) -> str:
    """The text as one harmless line of bounded length, with line ends shown."""
    return harmless(text[:_LONGEST]).replace("\n", "↵").replace("\r", "").replace("\t", "⇥")


def token(text: str) -> str:
    """A token as it is written in lists: a leading space shows as a bracket, as in "␣big"."""
    shown = harmless(inked(text[:_LONGEST]))
    bare = shown.lstrip(" ")
    return "␣" * (len(shown) - len(bare)) + bare


def label_of(text: str, *, code: bool) -> str:
    """What stands beside a mark: a token where it is `code`, else one line of words."""
    return token(text) if code else one_line(text)


def draw_text(
    painter: QPainter,
    rect: QRectF,
    text: str,
    color: QColor | str,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> float:
    """Write one line in the painter's font, elided to the rectangle, centred vertically.

    Returns:
        Its width in pixels.
    """
    if rect.width() <= 1 or not text:
        return 0.0
    metrics = QFontMetricsF(painter.font())
    # Bounded before it is measured: an endless label would cost its whole length each frame.
    shown = metrics.elidedText(one_line(text), Qt.TextElideMode.ElideRight, rect.width() + 0.5)
    painter.setPen(QColor(color))
    flags = align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
    painter.drawText(rect.adjusted(-0.5, 0, 0.5, 0), flags.value, shown)
    return metrics.horizontalAdvance(shown)


def text_width(font: QFont, text: str) -> float:
    """The width of one line, in pixels."""
    return math.ceil(QFontMetricsF(font).horizontalAdvance(one_line(text)))


def widest(font: QFont, texts: list[str]) -> float:
    """The width of the widest of many lines, looking only at those with the most characters."""
    longest = sorted(texts, key=len, reverse=True)[:24]
    return max((text_width(font, text) for text in longest), default=0.0)


class Paragraph:
    """Text wrapped to a width, ready to be drawn."""

    def __init__(self, text: str, font: QFont, width: float, leading: float = _LEADING) -> None:
        shown = text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"
        self._layout = QTextLayout(harmless(shown).replace("\n", "\u2028"), font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._layout.setTextOption(option)
        self._layout.setCacheEnabled(True)
        self.height = 0.0
        step = round(font.pixelSize() * leading)
        self._layout.beginLayout()
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(max(width, 8.0))
            line.setPosition(QPointF(0, self.height + (step - line.height()) / 2))
            self.height += step
        self._layout.endLayout()
        if not text:
            self.height = 0.0

    def draw(self, painter: QPainter, x: float, y: float, color: QColor | str) -> None:
        """Draw it with its upper left corner at a point."""
        painter.setPen(QColor(color))
        self._layout.draw(painter, QPointF(x, y))


def draw_cell(painter: QPainter, rect: QRectF, tone: Tone, ink: Ink, *, pale: bool = False) -> None:
    """Draw a cell of the cache: filled, or an outline where its content was evicted."""
    radius = min(CELL_RADIUS, rect.width() / 4, rect.height() / 4)
    if tone == "evicted":
        painter.setPen(QPen(ink.outline, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        return
    color = ink.fill(tone)
    if pale:
        color.setAlphaF(PALE)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(rect, radius, radius)
    if tone == "quantised":
        # Half as wide a stripe of the ground: the same token in fewer bits.
        stripe = QRectF(rect.x(), rect.center().y(), rect.width(), max(rect.height() / 5, 1))
        painter.setBrush(QColor(ink.colors.page))
        painter.drawRect(stripe)


def draw_legend(
    painter: QPainter | None, legend: tuple[Legend, ...], ink: Ink, width: float, top: float
) -> float:
    """Draw coloured squares with what they mean, wrapped to the width.

    Args:
        painter: Where to; None only measures.
        legend: What to explain.
        ink: Colours and fonts.
        width: The room in pixels.
        top: Where it begins.

    Returns:
        Its height in pixels, 0 where there is nothing to explain.
    """
    x, y, square = 0.0, top, 9.0
    for entry in legend:
        words = min(text_width(ink.caption, entry.text), max(width - square - 6, 8.0))
        if x and x + square + 6 + words > width:
            x, y = 0.0, y + LINE + 3
        if painter:
            box = QRectF(x, y + (LINE - square) / 2, square, square)
            draw_cell(painter, box, entry.tone, ink)
            painter.setFont(ink.caption)
            room = QRectF(x + square + 6, y, words + 1, LINE)
            draw_text(painter, room, entry.text, ink.colors.faint)
        x += square + 6 + words + 14
    return y + LINE - top if legend else 0.0
