"""Every kind of chart is drawn, in both appearances, readable, and whatever it holds."""

from __future__ import annotations

import itertools
import math
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from tests.ui.chart_samples import EMPTY, ODD, SAMPLES
from tests.ui.test_theme import contrast
from ui.charts import axes
from ui.charts import values as v
from ui.charts.heat_image import image_of, painted, resized
from ui.charts.heatmap import HeatMapPicture, matrix
from ui.charts.ink import Ink, blend, written
from ui.charts.picture import NOWHERE, Move, Pointing
from ui.charts.strip import StripPicture
from ui.charts.view import picture_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ui.charts.picture import Picture
    from ui.theme import Mode, Theme

WIDTHS = (40, 292, 720)
KINDS = list(SAMPLES)


def drawn(picture: Picture, pointing: Pointing = NOWHERE, ratio: float = 1) -> QImage:
    height = min(max(int(picture.height), 1), 2000)
    size = QSize(int(picture.width), height)
    image = QImage(size * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(picture.ink.colors.page))
    painter = QPainter(image)
    try:
        picture.paint(painter, QRectF(0, 0, size.width(), size.height()), pointing)
    finally:
        painter.end()
    return image


def ink_colors(picture: Picture, pointing: Pointing = NOWHERE) -> set[str]:
    """The colours that text is written in, read from a drawing as SVG."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    drawing = QSvgGenerator()
    drawing.setOutputDevice(buffer)
    painter = QPainter(drawing)
    picture.paint(painter, QRectF(0, 0, picture.width, picture.height), pointing)
    painter.end()
    svg = bytes(buffer.data().data()).decode()
    return set(re.findall(r'<text\s+fill="(#[0-9a-f]{6})"', svg))


def pixels(image: QImage) -> NDArray[np.uint32]:
    return np.frombuffer(image.constBits(), np.uint32)


def colors_in(image: QImage) -> int:
    return len(np.unique(pixels(image)))


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_and_readable(kind: str, mode: Mode, theme: Theme) -> None:
    theme.set_mode(mode)
    ink = Ink.of(theme)
    picture = picture_of(SAMPLES[kind], ink, 480)
    assert picture.height > 20
    assert colors_in(drawn(picture)) > 5
    grounds = (ink.colors.page, ink.colors.sidebar, ink.colors.panel)
    if kind == "formula":
        grounds = (ink.colors.fill,)
    inks = ink_colors(picture)
    assert inks
    weak = {(color, ground) for color in inks for ground in grounds}
    assert not {pair for pair in weak if contrast(*pair) < 4.5}


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize(
    "chart",
    [
        v.Bars((v.Bar("big", 1, faded=True, key="k"),), selected="k"),
        v.Histogram((v.Bin("big", 1, 0.5, "k"),), title=""),
        v.Cards((v.Card("label", "value", "caption", "dim", unit="s", key="k"),)),
        v.CellRows((v.CellRow("row", ("held",), "note", key="k"),)),
        v.Branches((v.Branch("k", "", "text", "38 %", faded=True),), selected="k"),
        v.Table((v.Column(""),), (v.Row(("cell",), key="k", faded=True),), marked=0),
        v.Steps((v.Step("name", 1, caption="caption", key="k"),), selected="k"),
    ],
    ids=lambda chart: type(chart).__name__,
)
def test_text_is_readable_on_the_ground_of_what_is_pointed_at(
    chart: v.Chart, mode: Mode, theme: Theme
) -> None:
    theme.set_mode(mode)
    picture = picture_of(chart, Ink.of(theme), 480)
    fill = theme.colors.fill
    inks = ink_colors(picture, Pointing("k", "k"))
    ticks = {theme.colors.faint} if isinstance(chart, v.Histogram) else set[str]()
    assert not {color for color in inks - ticks if contrast(color, fill) < 4.5}


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_tokens_are_readable_on_any_ground(mode: Mode, theme: Theme) -> None:
    theme.set_mode(mode)
    ink = Ink.of(theme)
    tones: tuple[v.Tone, ...] = ("accent", "good", "link", "pinned", "held", "new", "empty")
    for tone in tones:
        ground = ink.ground(tone, 1.0)
        for page in (ink.colors.page, ink.colors.panel):
            seen = blend(page, QColor(ground.rgb()), ground.alphaF()).name()
            assert contrast(ink.colors.text, seen) >= 4.5, tone


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_drawn_beyond_the_picture(kind: str, width: int, theme: Theme) -> None:
    picture = picture_of(SAMPLES[kind], Ink.of(theme), width)
    room = QRectF(-8, -8, picture.width + 16, picture.height + 16)
    for spot in picture.spots:
        assert room.contains(spot.rect.translated(0, picture.head_height))
    drawn(picture, ratio=1.5)


@pytest.mark.parametrize("number", range(len(EMPTY)))
def test_an_empty_chart_is_no_trouble(number: int, theme: Theme) -> None:
    picture = picture_of(EMPTY[number], Ink.of(theme), 300)
    drawn(picture)
    for move in Move:
        picture.walk("", move)
    assert picture.height >= 0


@pytest.mark.parametrize("number", range(len(ODD)))
def test_a_hostile_chart_is_drawn(number: int, theme: Theme) -> None:
    ink = Ink.of(theme)
    for width in (40, 360):
        picture = picture_of(ODD[number], ink, width)
        assert math.isfinite(picture.height)
        key = picture.walk("", Move.FIRST)
        drawn(
            picture, Pointing(key, key, picture.spots[0].rect.center() if picture.spots else None)
        )
        for move in Move:
            picture.walk(key, move)


def test_a_change_of_one_value_changes_the_picture(theme: Theme) -> None:
    ink = Ink.of(theme)
    images = [
        drawn(picture_of(v.Bars((v.Bar("a", value, "?"), v.Bar("b", 1))), ink, 300))
        for value in (0.2, 0.9, 0.9)
    ]
    assert images[0] != images[1]
    assert images[1] == images[2]


def test_only_what_is_in_sight_is_drawn(theme: Theme) -> None:
    """The pixels of a window onto ten thousand bars are those of the same bars alone."""
    ink = Ink.of(theme)
    bars = tuple(v.Bar(f"{n:05}", n % 9, "1") for n in range(10_000))
    whole = picture_of(v.Bars(bars, maximum=9), ink, 300)
    some = picture_of(v.Bars(bars[5000:5004], maximum=9), ink, 300)
    image = QImage(300, 104, QImage.Format.Format_RGB32)
    image.fill(QColor(ink.colors.page))
    painter = QPainter(image)
    painter.translate(0, -5000 * 26)
    whole.paint(painter, QRectF(0, 5000 * 26, 300, 104))
    painter.end()
    assert image == drawn(some)


def test_a_causal_map_is_empty_above_the_diagonal(theme: Theme) -> None:
    chart = v.HeatMap(tuple(float(n + 1) for n in range(16)), 4, 4, causal=True, clickable=True)
    cells = matrix(chart)
    assert np.isnan(cells[np.triu_indices(4, 1)]).all()
    assert cells[3].tolist() == [13, 14, 15, 16]
    picture = HeatMapPicture(chart, Ink.of(theme), 300)
    spot = picture.spot_of("0:3")
    assert spot
    assert spot.tip.endswith("empty")
    assert picture.walk("0:0", Move.ON) == "0:0"
    assert picture.walk("2:2", Move.UP) == "1:1"
    assert picture.walk("3:3", Move.ON) == "3:3"
    assert picture.walk("3:2", Move.FIRST) == "3:0"
    assert picture.spot_of("9:9") is None
    assert picture.spot_of("x") is None


def test_grounds_are_behind_their_letters(theme: Theme) -> None:
    ink = Ink.of(theme)
    picture = StripPicture(v.TokenStrip((v.StripToken("The", 1.0), v.StripToken("se"))), ink, 300)
    first, second = picture._rects
    width = QFontMetricsF(picture._font).horizontalAdvance("The")
    assert 0 < first[0].left() < 3
    assert first[0].right() == pytest.approx(3 + width, abs=0.5)
    assert second[0].left() == first[0].right()


def test_a_note_goes_below_the_title_where_there_is_no_room_beside_it(theme: Theme) -> None:
    chart = v.Bars((), title="Nearest to “too” in the embedding", note="token 1147, by cosine")
    wide, narrow = (picture_of(chart, Ink.of(theme), width) for width in (720, 240))
    assert narrow.head_height > wide.head_height > 0
    alone = picture_of(v.Bars((), title=chart.title), Ink.of(theme), 40)
    assert alone.head_height == wide.head_height


def test_a_scale_says_that_values_are_beyond_it(theme: Theme) -> None:
    cells, ink = (0.25, 0.5, 0.75, 1.0), Ink.of(theme)
    assert HeatMapPicture(v.HeatMap(cells, 2, 2, high=0.5), ink, 300).strongest == "≥ 0.5"
    assert HeatMapPicture(v.HeatMap(cells, 2, 2), ink, 300).strongest == "1"
    assert HeatMapPicture(v.HeatMap((), 0, 0, high=0.5), ink, 300).strongest == "0.5"


def test_a_large_map_keeps_its_peaks(theme: Theme) -> None:
    cells = np.zeros((1024, 1024), np.float32)
    cells[700, 300] = 1
    small = resized(cells, 200, 200)
    assert small.shape == (200, 200)
    assert small.max() == 1
    assert np.argwhere(small == 1).tolist() == [[136, 58]]
    assert resized(small, 400, 300).shape == (400, 300)
    chart = v.HeatMap(cells.tobytes(), 1024, 1024)
    strong = QColor(theme.colors.cache_pinned).rgb()
    image = drawn(HeatMapPicture(chart, Ink.of(theme), 240))
    assert np.count_nonzero(pixels(image)[: 240 * 240] == strong) == 1


def test_colours_follow_values() -> None:
    table = [QColor(n, 0, 0) for n in range(256)]
    cells = np.array([[-5, 0, 0.5, 1, 9, math.nan]], np.float32)
    image = image_of(painted(cells, 0, 1, table))
    reds = [image.pixelColor(x, 0).red() for x in range(5)]
    assert reds == [0, 0, 128, 255, 255]
    assert image.pixelColor(5, 0).alpha() == 0


def test_tokens_cover_the_text_without_overlap(theme: Theme) -> None:
    text = ("Zwei", " Worte", " 日本", "👩‍👩‍👧", "\n", "end")
    chart = v.TokenStrip(tuple(v.StripToken(piece, 1, key=piece) for piece in text))
    picture = StripPicture(chart, Ink.of(theme), 600)
    rects = [spot.rect for spot in picture.spots]
    assert [spot.key for spot in picture.spots] == list(text)
    for first, second in itertools.pairwise(rects[:5]):
        assert abs(first.right() - second.left()) < 1
    assert rects[5].top() > rects[4].top()
    for rect, piece in zip(rects, text, strict=True):
        spot = picture.spot_at(rect.center())
        assert spot
        assert spot.key == piece


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1204, "1,204"),
        (0.41, "0.41"),
        (-0.25, "−0.25"),
        (2.9e-6, "2.9e-6"),
        (-2.9e-6, "−2.9e-6"),
        (123456.7, "123,457"),
        (4e12, "4.0e12"),
        (math.nan, "–"),
        (-math.inf, "−∞"),
    ],
)
def test_numbers_are_written_short(value: float, text: str) -> None:
    assert written(value) == text
    assert written(value, "ms").startswith(text)


@pytest.mark.parametrize(
    ("scale", "wanted", "ticks"),
    [
        (axes.Scale(0, 100), 4, [0, 25, 50, 75, 100]),
        (axes.Scale(-1, 1), 4, [-1, -0.5, 0, 0.5, 1]),
        (axes.Scale(128, 4096, log=True), 4, [200, 500, 1000, 2000]),
        (axes.Scale(1, 1e6, log=True), 3, [1, 100, 1e4, 1e6]),
        (axes.Scale(5, 5.0000000000001), 4, None),
    ],
)
def test_ticks_are_round(scale: axes.Scale, wanted: int, ticks: list[float] | None) -> None:
    found = scale.ticks(wanted)
    assert 2 <= len(found) <= wanted + 3
    if ticks is not None:
        assert found == pytest.approx(ticks)


def test_a_scale_holds_what_it_is_made_for() -> None:
    assert axes.fit([3, 10]) == axes.Scale(0, 10)
    assert axes.fit([99, 100]).low == 99
    assert axes.fit([99, 100], from_zero=False) == axes.Scale(99, 100)
    assert axes.fit([-4, -1]).high == 0
    assert axes.fit([0, -3, 10], log=True) == axes.Scale(10, 100, log=True)
    assert axes.rounded(axes.Scale(0, 41.8), 4).high == 60
    low = axes.fit([7, 7])
    assert low.low < low.high
    assert axes.Scale(1, 100, log=True).share(10) == pytest.approx(0.5)
    assert math.isnan(axes.Scale(1, 100, log=True).share(-1))
