"""What all pictures share: a head, a body of parts that can be pointed at, a legend.

A `Picture` draws one chart with any painter at any width. It knows nothing of widgets, so that
a view shows it on the screen and an export draws the same thing on another thread.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from ui import theme as look
from ui.charts.ink import LINE, draw_legend, draw_text, one_line, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts.ink import Ink
    from ui.charts.values import Chart, Legend

HEAD_HEIGHT = 26.0
LEGEND_GAP = 12.0
_BAND = 64


class Move(Enum):
    """Where an arrow key leads."""

    BACK = auto()
    ON = auto()
    UP = auto()
    DOWN = auto()
    FIRST = auto()
    LAST = auto()


class Spot(NamedTuple):
    """A part of a picture that can be pointed at.

    Attributes:
        rect: Where it is, below the head.
        tip: What hovering tells, plain text.
        key: What a click emits; "" for a part that only tells.
    """

    rect: QRectF
    tip: str
    key: str = ""


@dataclass(frozen=True)
class Pointing:
    """What is pointed at while a picture is drawn.

    Attributes:
        hovered: The key below the pointer.
        current: The key that the keyboard stands on, "" where it is elsewhere.
        at: The pointer, below the head; None where it is elsewhere.
    """

    hovered: str = ""
    current: str = ""
    at: QPointF | None = None


NOWHERE = Pointing()


class Picture(ABC):
    """One chart laid out for one width."""

    def __init__(self, chart: Chart, ink: Ink, width: float) -> None:
        self.ink = ink
        self.width = max(width, 40.0)
        self.number = 0
        """Which picture of a drawing it is."""
        self.inlays: list[tuple[QImage, QImage]] = []
        """Stand-ins that were drawn into an SVG, each with the image it stands for."""
        self._title = chart.title
        self._note = chart.note

    @property
    @abstractmethod
    def body_height(self) -> float:
        """The height of what is between head and legend, in pixels."""

    @abstractmethod
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        """Draw what is between head and legend, whose upper left corner is the origin.

        Args:
            painter: With antialiasing on.
            clip: What needs to be drawn; the rest may be left out.
            pointing: What is pointed at.
        """

    def make_spots(self) -> Sequence[Spot]:
        """The parts that can be pointed at, in reading order."""
        return ()

    def legend(self) -> tuple[Legend, ...]:
        """What tones stand for, below the body."""
        return ()

    @property
    def clickable(self) -> bool:
        """Whether any part has a key."""
        return bool(self._keyed)

    @property
    def follows_pointer(self) -> bool:
        """Whether something is drawn where the pointer is, key or not."""
        return False

    @cached_property
    def head_height(self) -> float:
        """The height of title and note, 0 where there are none."""
        if not (self._title or self._note):
            return 0.0
        return HEAD_HEIGHT + (LINE if self._is_stacked else 0.0)

    @cached_property
    def _is_stacked(self) -> bool:
        """Whether title and note have no room beside each other."""
        if not (self._title and self._note):
            return False
        beside = text_width(self.ink.head, self._title) + text_width(self.ink.tiny, self._after)
        return beside > self.width

    @property
    def _after(self) -> str:
        """The note as it stands beside the title."""
        return " · " + one_line(self._note) if self._title else one_line(self._note)

    @cached_property
    def height(self) -> float:
        """The height of the whole, in pixels."""
        legend = draw_legend(None, self.legend(), self.ink, self.width, 0)
        return self.head_height + self.body_height + (legend + LEGEND_GAP if legend else 0)

    @cached_property
    def spots(self) -> Sequence[Spot]:
        """The parts that can be pointed at, made when they are first asked for."""
        return tuple(self.make_spots())

    def paint(self, painter: QPainter, clip: QRectF, pointing: Pointing = NOWHERE) -> None:
        """Draw the whole with its upper left corner at the origin."""
        painter.setRenderHints(
            QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing
        )
        if self.head_height and clip.top() < self.head_height:
            self._paint_head(painter)
        painter.save()
        painter.translate(0, self.head_height)
        self.paint_body(painter, clip.translated(0, -self.head_height), pointing)
        painter.restore()
        top = self.head_height + self.body_height + LEGEND_GAP
        if clip.bottom() >= top:
            draw_legend(painter, self.legend(), self.ink, self.width, top)

    def rows_in(self, clip: QRectF, pitch: float, count: int, top: float = 0.0) -> range:
        """The numbers of the rows that need to be drawn.

        Args:
            clip: What needs to be drawn of the body.
            pitch: From one row to the next, in pixels.
            count: How many rows there are.
            top: Where the first one begins.
        """
        first = max(int((clip.top() - top) // pitch), 0)
        return range(first, min(int((clip.bottom() - top) // pitch) + 1, count))

    def spot_at(self, point: QPointF) -> Spot | None:
        """What is at a point below the head."""
        band = self._bands.get(int(point.y() // _BAND), ())
        return next((self.spots[n] for n in band if self.spots[n].rect.contains(point)), None)

    def spot_of(self, key: str) -> Spot | None:
        """The part that has a key."""
        number = self._keyed.get(key)
        return None if number is None else self.spots[number]

    def walk(self, key: str, move: Move) -> str:
        """The key that an arrow leads to from another; "" where there is none."""
        keys = list(self._keyed)
        if not keys:
            return ""
        if move in {Move.FIRST, Move.LAST} or key not in self._keyed:
            return keys[-1 if move is Move.LAST else 0]
        if move in {Move.UP, Move.DOWN}:
            return self._beyond(key, down=move is Move.DOWN)
        place = keys.index(key) + (1 if move is Move.ON else -1)
        return keys[min(max(place, 0), len(keys) - 1)]

    def paint_ring(self, painter: QPainter, rect: QRectF, radius: float) -> None:
        """Draw the ring round the part that the keyboard stands on."""
        painter.setPen(QPen(QColor(self.ink.colors.accent), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, radius, radius)

    def paint_row_ground(
        self, painter: QPainter, rect: QRectF, key: str, pointing: Pointing
    ) -> bool:
        """Draw what a row stands on while it is pointed at; True where it has a ground."""
        hovered = bool(key) and key == pointing.hovered
        if hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.ink.colors.fill))
            painter.drawRoundedRect(rect, look.ROW_RADIUS, look.ROW_RADIUS)
        if key and key == pointing.current:
            self.paint_ring(painter, rect.adjusted(1, 1, -1, -1), look.ROW_RADIUS - 1)
        return hovered

    @cached_property
    def _keyed(self) -> dict[str, int]:
        keyed: dict[str, int] = {}
        for number, spot in enumerate(self.spots):
            if spot.key:
                keyed.setdefault(spot.key, number)
        return keyed

    @cached_property
    def _bands(self) -> dict[int, list[int]]:
        """The spots by the bands of the height that they touch, so that pointing is quick."""
        bands: dict[int, list[int]] = defaultdict(list)
        for number, spot in enumerate(self.spots):
            first, last = int(spot.rect.top() // _BAND), int(spot.rect.bottom() // _BAND)
            for band in range(first, last + 1):
                bands[band].append(number)
        return bands

    def _beyond(self, key: str, *, down: bool) -> str:
        """The key of the nearest part in the next row, or the same key at the edge."""
        here = self.spots[self._keyed[key]].rect.center()
        best, nearest = key, float("inf")
        for other, number in self._keyed.items():
            rect = self.spots[number].rect
            gap = rect.top() - here.y() if down else here.y() - rect.bottom()
            distance = gap * 8 + abs(rect.center().x() - here.x())
            if gap >= 0 and distance < nearest:
                best, nearest = other, distance
        return best

    def _paint_head(self, painter: QPainter) -> None:
        colors = self.ink.colors
        painter.setFont(self.ink.head)
        middle = QRectF(0, 0, self.width, 16)
        x = draw_text(painter, middle, self._title, colors.faint)
        painter.setFont(self.ink.tiny)
        if self._is_stacked:
            draw_text(painter, middle.translated(0, LINE), self._note, colors.faint)
        elif self._note:
            x += min(x, 0.5)
            draw_text(painter, QRectF(x, 0, self.width - x, 16), self._after, colors.faint)
