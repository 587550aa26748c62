"""Colours are readable in both appearances, and the window follows a change live."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QColor, QPalette

from ui.controls import ElidedLabel
from ui.state import MessageView
from ui.theme import DARK, LIGHT, Colors, Mode

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from ui.theme import Theme
    from ui.window import MainWindow


def luminance(color: str) -> float:
    """Relative luminance as in WCAG 2.2."""
    ink = QColor(color)
    channels = (ink.redF(), ink.greenF(), ink.blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_text_is_readable_on_every_ground(colors: Colors) -> None:
    surfaces = (colors.page, colors.sidebar, colors.panel)
    code = (
        colors.code_keyword,
        colors.code_name,
        colors.code_string,
        colors.code_number,
        colors.code_comment,
    )
    pairs = [
        *product((colors.text, colors.dim, colors.link), (*surfaces, colors.fill)),
        *product((colors.faint, colors.accent), (*surfaces, colors.fill)),  # hints in fields
        *product((colors.good,), surfaces),
        *product(code, (colors.fill,)),
        *product((colors.text,), (colors.found, colors.found_current)),
        (colors.good, colors.fill),
        (colors.on_accent, colors.accent),
        (colors.text, colors.selection),
    ]
    weak = [(ink, ground) for ink, ground in pairs if contrast(ink, ground) < 4.5]
    assert not weak


def veiled(colors: Colors, color: str) -> str:
    """What the veil over forgotten messages makes of a colour."""
    ink, faded = QColor(color), QColor(colors.faded)
    weaker = min if colors is DARK else max
    return QColor(
        weaker(ink.red(), faded.red()),
        weaker(ink.green(), faded.green()),
        weaker(ink.blue(), faded.blue()),
    ).name()


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_forgotten_messages_are_readable(colors: Colors) -> None:
    code = (
        colors.code_keyword,
        colors.code_name,
        colors.code_string,
        colors.code_number,
        colors.code_comment,
    )
    inks = (colors.text, colors.dim, colors.link)
    pairs = [*product(inks, (colors.page, colors.fill)), *product(code, (colors.fill,))]
    pairs += product((colors.text,), (colors.selection, colors.found, colors.found_current))
    weak = [
        pair for pair in pairs if contrast(veiled(colors, pair[0]), veiled(colors, pair[1])) < 4.5
    ]
    assert not weak
    assert contrast(veiled(colors, colors.text), colors.page) < 0.6 * contrast(
        colors.text, colors.page
    )


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_veil_weakens_what_is_forgotten(
    window: MainWindow, theme: Theme, qapp: QApplication, mode: Mode
) -> None:
    theme.set_mode(mode)
    window.show_chat(
        [MessageView("a", "user", "M" * 40), MessageView("b", "assistant", "seen")], "Chat"
    )
    item = window.page.transcript.items[0]
    found: list[QColor] = []
    for begin in ("", "b"):
        window.set_memory_begin(begin)
        qapp.processEvents()
        picture = item.grab().toImage()
        row = [QColor(picture.pixel(x, 20)) for x in range(picture.width())]
        found.append(
            min(row, key=QColor.lightness) if mode == "light" else max(row, key=QColor.lightness)
        )
    colors = theme.colors
    assert found[0].name() != found[1].name()
    assert contrast(found[1].name(), colors.fill) < contrast(found[0].name(), colors.fill)
    assert contrast(found[1].name(), colors.fill) >= 4.5


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_kinds_of_cache_tell_apart_from_the_panel(colors: Colors) -> None:
    for tone in (colors.cache_pinned, colors.cache_new):
        assert contrast(tone, colors.panel) >= 3


def test_window_follows_light_and_dark_live(
    window: MainWindow, theme: Theme, qapp: QApplication
) -> None:
    theme.set_mode("dark")
    assert theme.dark
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == DARK.page
    assert window.grab().toImage().pixelColor(400, 400).name() == DARK.page
    theme.set_mode("light")
    assert not theme.dark
    assert window.grab().toImage().pixelColor(400, 400).name() == LIGHT.page


def test_captions_and_figures_take_on_a_change(
    window: MainWindow, theme: Theme, qapp: QApplication
) -> None:
    window.add_message(MessageView("r", "assistant", "Hi", caption="SmolLM2 · 40 tokens/s"))
    qapp.processEvents()
    captions = [each for each in window.page.findChildren(ElidedLabel) if each.isVisible()]
    assert any("40 tokens/s" in each.whole for each in captions)
    modes: tuple[tuple[Mode, Colors], ...] = (("dark", DARK), ("light", LIGHT), ("dark", DARK))
    for mode, colors in modes:
        theme.set_mode(mode)
        qapp.processEvents()
        inks = {each.palette().color(QPalette.ColorRole.WindowText).name() for each in captions}
        assert inks == {colors.faint}


def test_figures_are_tabular(theme: Theme) -> None:
    from PySide6.QtGui import QFontMetricsF

    metrics = QFontMetricsF(theme.font(30))
    assert len({metrics.horizontalAdvance(digit * 10) for digit in "0123456789"}) == 1
