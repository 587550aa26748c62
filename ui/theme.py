"""The look in one place: colours for light and dark, sizes, fonts, palette and style sheet.

A `Theme` follows the system's light or dark live, or is held to one of them. Widgets that
paint read `theme.colors` each time and repaint on `theme.changed`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

Mode = Literal["system", "light", "dark"]

TEXT = 14
CAPTION = 12
HEAD = 11
TITLE = 28
NUMBER = 30

ZOOMS = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
"""The steps of the text's size, smallest first."""

_COMPACT = 0.7
_EFFECTS = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
)

LINE_HEIGHT = 22
MEASURE = 680
GRID = 8
HEADER_HEIGHT = 52
SIDEBAR_WIDTH = 248
INSPECTOR_WIDTH = 328
ROW_RADIUS = 7
BUTTON_RADIUS = 8
BLOCK_RADIUS = 10
BUBBLE_RADIUS = 14


@dataclass(frozen=True)
class Colors:
    """The colours of one appearance, as #rrggbb.

    `faded` is the strongest ink of what the model does not see any more.
    """

    page: str
    sidebar: str
    panel: str
    hairline: str
    fill: str
    text: str
    dim: str
    faint: str
    faded: str
    accent: str
    on_accent: str
    link: str
    cache_pinned: str
    cache_held: str
    cache_new: str
    good: str
    selection: str
    code_keyword: str
    code_name: str
    code_string: str
    code_number: str
    code_comment: str
    found: str
    found_current: str


LIGHT = Colors(
    page="#fcfcfa",
    sidebar="#f4f3ef",
    panel="#f8f7f4",
    hairline="#e5e3dc",
    fill="#efede7",
    text="#1c1c1e",
    dim="#5f5e5a",
    faint="#6b6963",
    faded="#53524e",
    accent="#b83f17",
    on_accent="#ffffff",
    link="#2560b8",
    cache_pinned="#274c8f",
    cache_held="#8fb0e3",
    cache_new="#e0602f",
    good="#2a7347",
    selection="#f6d9c9",
    code_keyword="#9e330d",
    code_name="#1f57ac",
    code_string="#256640",
    code_number="#7a3e9d",
    code_comment="#63615c",
    found="#fbe7a1",
    found_current="#f9cb80",
)
DARK = Colors(
    page="#1d1d1f",
    sidebar="#242426",
    panel="#212123",
    hairline="#363639",
    fill="#2d2d30",
    text="#ececea",
    dim="#b4b3ae",
    faint="#9f9e98",
    faded="#b4b3ae",
    accent="#f0794b",
    on_accent="#1d1d1f",
    link="#7aadf6",
    cache_pinned="#7ea6ee",
    cache_held="#3f5f94",
    cache_new="#f0794b",
    good="#6fcb94",
    selection="#5b3626",
    code_keyword="#f29570",
    code_name="#8ab6f7",
    code_string="#7fd0a0",
    code_number="#c9a2ea",
    code_comment="#a5a49f",
    found="#4a4112",
    found_current="#6c3511",
)


class Theme(QObject):
    """The appearance in force, and the fonts that go with it."""

    changed = Signal()
    zoomed = Signal(float)
    """The text of chats is written larger or smaller."""

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._application = application
        self._mode: Mode = "system"
        self._zoom = 1.0
        self._compact = False
        self._reduced_motion = False
        self._flash_ms = application.cursorFlashTime()
        self._effects = [each for each in _EFFECTS if application.isEffectEnabled(each)]
        self._text_family = _first_installed(("Inter", "Inter Variable"))
        self._code_family = _first_installed(
            ("SF Mono", "Menlo", "JetBrains Mono", "Noto Sans Mono")
        )
        self.colors = LIGHT
        if sys.platform != "darwin":
            application.setStyle("Fusion")
        application.setFont(self.font())
        application.styleHints().colorSchemeChanged.connect(self._follow)
        self._follow()

    @property
    def dark(self) -> bool:
        """Whether the dark colours are in force."""
        return self.colors is DARK

    @property
    def zoom(self) -> float:
        """How much larger than usual the text of chats is, 1 for as usual."""
        return self._zoom

    @property
    def text_size(self) -> int:
        """The height of the text of chats in logical pixels, zoom included."""
        return self.scaled(TEXT)

    @property
    def measure(self) -> int:
        """The widest line of chats in logical pixels; it grows with the text."""
        return self.scaled(MEASURE)

    @property
    def compact(self) -> bool:
        """Whether rows and messages stand closer than usual."""
        return self._compact

    @property
    def reduced_motion(self) -> bool:
        """Whether nothing may move that does not have to."""
        return self._reduced_motion

    def room(self, length: int) -> int:
        """A space between things in logical pixels; smaller where that is preferred."""
        return round(length * _COMPACT) if self._compact else length

    def scaled(self, length: float) -> int:
        """A length of the chat's text in logical pixels, zoom included."""
        return round(length * self._zoom)

    def set_zoom(self, zoom: float) -> None:
        """Write the text of chats larger or smaller; bounded to `ZOOMS`."""
        bounded = min(max(zoom, ZOOMS[0]), ZOOMS[-1])
        if bounded != self._zoom:
            self._zoom = bounded
            self.changed.emit()
            self.zoomed.emit(bounded)

    def step_zoom(self, by: int) -> None:
        """Write the text of chats larger or smaller by a number of `ZOOMS`' steps."""
        nearest = min(range(len(ZOOMS)), key=lambda n: abs(ZOOMS[n] - self._zoom))
        self.set_zoom(ZOOMS[min(max(nearest + by, 0), len(ZOOMS) - 1)])

    def set_compact(self, *, compact: bool) -> None:
        """Let rows and messages stand closer, or as usual."""
        if compact != self._compact:
            self._compact = compact
            self.changed.emit()

    def set_reduced_motion(self, *, reduced: bool) -> None:
        """Hold still what need not move: the text cursor, menus, what asks `reduced_motion`."""
        if reduced != self._reduced_motion:
            self._reduced_motion = reduced
            self._application.setCursorFlashTime(0 if reduced else self._flash_ms)
            for effect in self._effects:
                self._application.setEffectEnabled(effect, not reduced)
            self.changed.emit()

    def set_mode(self, mode: Mode) -> None:
        """Hold the window to light or dark, or follow the system.

        Args:
            mode: "system" follows it live; the native parts (menus, dialogs) go along.
        """
        self._mode = mode
        wanted = {
            "system": Qt.ColorScheme.Unknown,
            "light": Qt.ColorScheme.Light,
            "dark": Qt.ColorScheme.Dark,
        }[mode]
        self._application.styleHints().setColorScheme(wanted)
        self._follow()

    def font(self, size: float = TEXT, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """The text font with tabular figures where it has them.

        Args:
            size: Height in logical pixels.
            weight: Normal, Medium, DemiBold.
        """
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
        if self._text_family:
            font = QFont(self._text_family)
        font.setPixelSize(round(size))
        font.setWeight(weight)
        font.setFeature(QFont.Tag("tnum"), 1)
        return font

    def reading_font(self) -> QFont:
        """The font that chats are read and written in, zoom included."""
        return self.font(self.text_size)

    def reading_code_font(self) -> QFont:
        """The fixed-pitch font of chats, zoom included."""
        return self.code_font(self.scaled(TEXT - 1))

    def code_font(self, size: float = TEXT - 1) -> QFont:
        """The fixed-pitch font, `size` in logical pixels."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        if self._code_family:
            font = QFont(self._code_family)
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setPixelSize(round(size))
        return font

    def _follow(self, _scheme: object = None) -> None:
        system_dark = self._application.styleHints().colorScheme() == Qt.ColorScheme.Dark
        dark = self._mode == "dark" or (self._mode == "system" and system_dark)
        before, self.colors = self.colors, DARK if dark else LIGHT
        # Qt puts the system's palette back when the system changes, so ours is set each time.
        self._application.setPalette(palette(self.colors))
        if self.colors is not before:
            self.changed.emit()


def palette(colors: Colors) -> QPalette:
    """The Qt palette that goes with the colours, for native controls and plain labels."""
    result = QPalette(QColor(colors.fill), QColor(colors.page))
    roles = {
        QPalette.ColorRole.Window: colors.page,
        QPalette.ColorRole.WindowText: colors.text,
        QPalette.ColorRole.Base: colors.page,
        QPalette.ColorRole.AlternateBase: colors.panel,
        QPalette.ColorRole.Text: colors.text,
        QPalette.ColorRole.PlaceholderText: colors.faint,
        QPalette.ColorRole.Button: colors.fill,
        QPalette.ColorRole.ButtonText: colors.text,
        QPalette.ColorRole.BrightText: colors.on_accent,
        QPalette.ColorRole.Mid: colors.hairline,
        QPalette.ColorRole.Link: colors.link,
        QPalette.ColorRole.LinkVisited: colors.link,
        QPalette.ColorRole.Highlight: colors.selection,
        QPalette.ColorRole.HighlightedText: colors.text,
        QPalette.ColorRole.Accent: colors.accent,
        QPalette.ColorRole.ToolTipBase: colors.fill,
        QPalette.ColorRole.ToolTipText: colors.text,
    }
    for role, color in roles.items():
        result.setColor(role, QColor(color))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(colors.faint))
    return result


def style_sheet(colors: Colors) -> str:
    """The few rules that a palette cannot express; everything else is painted."""
    rules = f"""
    QSplitter::handle {{ background: {colors.hairline}; }}
    QScrollArea, QListView, QTextBrowser, QPlainTextEdit {{ background: transparent; border: 0; }}
    QLineEdit#quiet {{ background: transparent; border: 0; }}
    QToolTip {{ color: {colors.text}; background: {colors.fill}; border: 0; padding: 4px; }}
    """
    if sys.platform == "darwin":
        return rules
    return (
        rules
        + f"""
    QMenuBar {{ background: {colors.sidebar}; color: {colors.dim}; padding: 2px 8px; }}
    QMenuBar::item {{ padding: 4px 8px; border-radius: 5px; background: transparent; }}
    QMenuBar::item:selected {{ background: {colors.fill}; color: {colors.text}; }}
    QMenu {{ background: {colors.page}; border: 1px solid {colors.hairline}; padding: 5px; }}
    QMenu::item {{ padding: 6px 24px 6px 12px; border-radius: 5px; color: {colors.text}; }}
    QMenu::item:selected {{ background: {colors.fill}; }}
    QMenu::item:disabled {{ color: {colors.faint}; }}
    QMenu::separator {{ height: 1px; background: {colors.hairline}; margin: 5px 8px; }}
    QScrollBar:vertical {{ width: 10px; background: transparent; margin: 0; }}
    QScrollBar:horizontal {{ height: 10px; background: transparent; margin: 0; }}
    QScrollBar::handle {{ background: {colors.hairline}; border-radius: 3px; margin: 2px; }}
    QScrollBar::handle:vertical {{ min-height: 32px; }}
    QScrollBar::handle:horizontal {{ min-width: 32px; }}
    QScrollBar::handle:hover {{ background: {colors.faint}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    """
    )


def _first_installed(families: tuple[str, ...]) -> str:
    """The first of the families that this machine has; "" for the system's own font.

    On macOS the system's text font is kept.
    """
    if sys.platform == "darwin" and "Inter" in families:
        return ""
    return next((family for family in families if QFontDatabase.hasFamily(family)), "")
