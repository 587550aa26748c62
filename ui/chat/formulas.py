"""Turns LaTeX into pictures on a thread of its own, and draws them inside text documents.

A formula is an inline object of a document. Until its picture is there, and where there can be
none, its source stands in its place. Pictures are kept by source, size and kind; the colour is
put in when they are drawn.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, QRect, QRectF, QSizeF, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPyTextObject, QTextFormat
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter, QTextCharFormat, QTextDocument
    from PySide6.QtSvg import QSvgRenderer

    from ui.theme import Theme

FORMULA = QTextFormat.ObjectTypes.UserObject.value + 1
"""The object type of a formula in a text document."""
SOURCE = QTextFormat.Property.UserProperty.value + 11
"""Character property: the LaTeX, without its delimiters."""
DISPLAY = QTextFormat.Property.UserProperty.value + 12
"""Character property: whether the formula stands on a line of its own."""
OBJECT = "\ufffc"

_KEPT = 400
_INK = "#010203"
_WIDEST = 6000
_HIGHEST = 3000
_FIRST_CJK = 0x2E80
_ENLARGED = 1.18
_PAD = 2.0
_LOOK_MS = 16
Key = tuple[str, bool, int]


@dataclass(frozen=True)
class Picture:
    """A formula as SVG, in logical pixels from its base line.

    Attributes:
        svg: The drawing in a colour that stands for the text's.
        width: From left to right.
        ascent: Above the base line.
        descent: Below it.
    """

    svg: str
    width: float
    ascent: float
    descent: float


def render(source: str, size: float, *, display: bool) -> Picture | None:
    """Set a formula; takes some 10 ms, and half a second the first time.

    Returns:
        None where it cannot be set.
    """
    if any(ord(character) >= _FIRST_CJK for character in source):
        return None  # the maths font has no such glyphs and would show boxes
    try:
        from ziamath.config import config
        from ziamath.zmath import Latex

        if config.svg2:
            config.svg2 = False  # Qt draws SVG 1.2 Tiny
        formula = Latex(source, size=size, color=_INK, inline=not display, margin=0)
        width, height = formula.getsize()
        bottom = formula.getyofst()
        svg = formula.svg()
    except Exception:  # noqa: BLE001  a library that parses what a model wrote: any error is "no"
        return None
    if not (0 < width < _WIDEST and 0 < height < _HIGHEST):
        return None
    return Picture(svg, width, height + bottom, -bottom)


class _Setter:
    """Sets formulas one after another on a thread that ends when there is nothing to do.

    The thread touches nothing of Qt, and does not keep the process alive.
    """

    def __init__(self) -> None:
        self._wanted: SimpleQueue[Key] = SimpleQueue()
        self._done: SimpleQueue[tuple[Key, Picture | None]] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self.under_way = 0

    def ask(self, key: Key) -> None:
        """Have a formula set."""
        self.under_way += 1
        self._wanted.put(key)
        self.go_on()

    def go_on(self) -> None:
        """Start a thread where one is wanted and none runs."""
        if not self._wanted.empty() and not (self._thread and self._thread.is_alive()):
            self._thread = threading.Thread(target=self._run, name="formulas", daemon=True)
            self._thread.start()

    def take(self) -> list[tuple[Key, Picture | None]]:
        """What has been set since the last time."""
        taken: list[tuple[Key, Picture | None]] = []
        with suppress(Empty):
            while True:
                taken.append(self._done.get_nowait())
        self.under_way -= len(taken)
        return taken

    def _run(self) -> None:
        with suppress(Empty):
            while True:
                key = self._wanted.get_nowait()
                source, display, size = key
                self._done.put((key, render(source, size, display=display)))


class Formulas(QPyTextObject):
    """The formulas of a window."""

    changed = Signal(object)
    """The LaTeX, as a set, of those that got their pictures now, or will get none."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pictures: OrderedDict[Key, Picture | None] = OrderedDict()
        self._drawings: OrderedDict[tuple[Key, str], QSvgRenderer] = OrderedDict()
        self._asked: set[Key] = set()
        self._setter = _Setter()
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._take)

    def failed(self, source: str, *, display: bool) -> bool:
        """Whether it is known that a formula cannot be set."""
        return self._pictures.get(self._key(source, display=display), self) is None

    def picture(self, source: str, *, display: bool) -> Picture | None:
        """The picture of a formula; None, and it is asked for, where there is none yet."""
        key = self._key(source, display=display)
        if key in self._pictures:
            self._pictures.move_to_end(key)
            return self._pictures[key]
        if key not in self._asked:
            self._asked.add(key)
            self._setter.ask(key)
            self._look.start()
        return None

    @override
    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:
        del posInDocument  # a formula is the same wherever it stands
        style = format.toCharFormat()
        source, display = _of(style)
        picture = self.picture(source, display=display)
        metrics = QFontMetricsF(doc.defaultFont())
        if picture is None:
            width = min(metrics.horizontalAdvance(source[:200]), _room(doc))
            return QSizeF(width, metrics.height())
        # Qt centres the object half an x-height above the base line, whatever its own middle.
        lift = metrics.xHeight() / 4
        half = max(picture.ascent - lift, picture.descent + lift) + _PAD
        scale = self._scale(doc, picture)
        return QSizeF((picture.width + 2) * scale, 2 * half * scale)

    @override
    def drawObject(
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        doc: QTextDocument,
        posInDocument: int,
        format: QTextFormat,
    ) -> None:
        style = format.toCharFormat()
        source, display = _of(style)
        picture = self.picture(source, display=display)
        if picture is None:
            painter.setFont(doc.defaultFont())
            painter.setPen(QColor(self._theme.colors.dim))
            painter.drawText(rect, source[:200])
            return
        scale = self._scale(doc, picture)
        base = (
            QRectF(rect).center().y()
            + _lift(doc, posInDocument)
            + QFontMetricsF(doc.defaultFont()).xHeight() / 4
        )
        place = QRectF(
            rect.x() + scale,
            base - picture.ascent * scale,
            picture.width * scale,
            (picture.ascent + picture.descent) * scale,
        )
        self._drawing(self._key(source, display=display), picture).render(painter, place)

    def _drawing(self, key: Key, picture: Picture) -> QSvgRenderer:
        from PySide6.QtSvg import QSvgRenderer

        color = self._theme.colors.text
        found = self._drawings.get((key, color))
        if found is None:
            svg = picture.svg.replace(_INK, color)
            found = QSvgRenderer(QByteArray(svg.encode()), self)
            self._drawings[(key, color)] = found
            if len(self._drawings) > _KEPT:
                self._drawings.popitem(last=False)[1].deleteLater()
        self._drawings.move_to_end((key, color))
        return found

    def _key(self, source: str, *, display: bool) -> Key:
        size = self._theme.text_size * _ENLARGED
        return source, display, round(size * (1.08 if display else 1))

    @staticmethod
    def _scale(doc: QTextDocument, picture: Picture) -> float:
        """Below 1 where a formula is wider than the text."""
        return min(1.0, _room(doc) / (picture.width + 2))

    def _take(self) -> None:
        """Take over what the thread has set."""
        sources: set[str] = set()
        for key, picture in self._setter.take():
            self._asked.discard(key)
            self._pictures[key] = picture
            sources.add(key[0])
            if len(self._pictures) > _KEPT:
                self._pictures.popitem(last=False)
        if self._setter.under_way:
            self._setter.go_on()
        else:
            self._look.stop()
        if sources:
            self.changed.emit(sources)


def _of(style: QTextCharFormat) -> tuple[str, bool]:
    return str(style.property(SOURCE) or ""), bool(style.property(DISPLAY))


def _lift(doc: QTextDocument, position: int) -> float:
    """How far Qt draws an object above its line's base: what a minimum height adds to the line."""
    block = doc.findBlock(position)
    line = block.layout().lineForTextPosition(position - block.position())
    return max(block.blockFormat().lineHeight() - line.height(), 0.0) if line.isValid() else 0.0


def _room(doc: QTextDocument) -> float:
    """The width there is for a formula, in logical pixels; lists and quotations indent."""
    return max(doc.textWidth() - 60, 120.0)
