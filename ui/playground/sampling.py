"""The controls of the sampler: each change is told at once."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from ui import figures
from ui import theme as look
from ui.controls import QuietButton
from ui.controls_values import LabelledSlider, Stepper, stepped
from ui.inspector.meters import Heading
from ui.playground.state import PlaySettings

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme

_RANDOM = -1
_SEEDS = (_RANDOM, *range(1000))
_TOP_K = (0, 1, 2, 3, 4, 5, 8, 10, 15, 20, 30, 40, 50, 64, 100, 200, 500, 1000)
_TWO_COLUMNS = 380


def step_name(name: str, settings: PlaySettings) -> str:
    """What a step of the sampler is called, with its value: "top-p 0.85"."""
    translate = QCoreApplication.translate
    plain = figures.plain
    return {
        "model": translate("Sampling", "the model"),
        "allowed": translate("Sampling", "the schema"),
        "logit_bias": translate("Sampling", "logit bias"),
        "repetition_penalty": f"{translate('Sampling', 'repetition penalty')} "
        f"{plain(settings.repetition_penalty)}",
        "frequency_presence": translate("Sampling", "frequency and presence penalty"),
        "dry": "DRY",
        "top_k": f"top-k {settings.top_k}",
        "top_p": f"top-p {plain(settings.top_p)}",
        "min_p": f"min-p {plain(settings.min_p)}",
        "xtc": "XTC",
        "temperature": f"{translate('Sampling', 'temperature')} {plain(settings.temperature)}",
    }.get(name, name)


class SamplingControls(QWidget):
    """Sliders for everything in `PlaySettings`, and Reset."""

    changed = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._settings = PlaySettings()
        self._showing = False
        self.head = Heading(theme, self.tr("Sampling"))
        self.reset = QuietButton(theme, self.tr("Reset"), size=look.CAPTION)
        self.sliders = self._make_sliders(theme)
        self.seed = Stepper(theme, self.tr("Seed"), _SEEDS, self._write_seed)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(28)
        self._grid.setVerticalSpacing(6)
        self._columns = 0
        row = QHBoxLayout()
        row.addWidget(self.head, 1)
        row.addWidget(self.reset)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(row)
        column.addLayout(self._grid)
        self._arrange(2)
        self.show_settings(self._settings)
        for name, slider in self.sliders.items():
            slider.changed.connect(partial(self._on_changed, name))
        self.seed.changed.connect(self._on_seed)
        self.reset.clicked.connect(self._on_reset)

    def _make_sliders(self, theme: Theme) -> dict[str, LabelledSlider]:
        two = _two_digits

        def make(title: str, values: tuple[float, ...], write: Any = two) -> LabelledSlider:
            return LabelledSlider(theme, title, values, write)

        return {
            "temperature": make(self.tr("Temperature"), stepped(0, 2, 0.05)),
            "top_p": make(self.tr("Top-p"), stepped(0, 1, 0.01)),
            "min_p": make(self.tr("Min-p"), stepped(0, 0.5, 0.01)),
            "top_k": make(self.tr("Top-k"), _TOP_K, self._write_top_k),
            "repetition_penalty": make(self.tr("Repetition penalty"), stepped(1, 2, 0.05)),
            "frequency_penalty": make(self.tr("Frequency penalty"), stepped(-2, 2, 0.1)),
            "presence_penalty": make(self.tr("Presence penalty"), stepped(-2, 2, 0.1)),
        }

    @property
    def settings(self) -> PlaySettings:
        """What the controls say."""
        return self._settings

    def show_settings(self, settings: PlaySettings) -> None:
        """Show other settings; nothing is told of it."""
        self._showing = True
        self._settings = settings
        for name, slider in self.sliders.items():
            slider.show_number(getattr(settings, name))
        self.seed.show_number(_RANDOM if settings.seed is None else settings.seed)
        self._showing = False
        self.reset.setEnabled(settings != PlaySettings())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(2 if self.width() >= _TWO_COLUMNS else 1)

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for number, control in enumerate((*self.sliders.values(), self.seed)):
            self._grid.addWidget(control, number // columns, number % columns)
        for column in range(2):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    def _on_changed(self, name: str, number: float) -> None:
        whole = name == "top_k"
        self._take(replace(self._settings, **{name: int(number) if whole else number}))

    def _on_seed(self, number: float) -> None:
        self._take(replace(self._settings, seed=None if number == _RANDOM else int(number)))

    def _on_reset(self) -> None:
        self.show_settings(PlaySettings())
        self.changed.emit(self._settings)

    def _take(self, settings: PlaySettings) -> None:
        if not self._showing and settings != self._settings:
            self._settings = settings
            self.reset.setEnabled(settings != PlaySettings())
            self.changed.emit(settings)

    def _write_seed(self, number: float) -> str:
        return self.tr("random") if number == _RANDOM else str(int(number))

    def _write_top_k(self, number: float) -> str:
        return self.tr("off") if number == 0 else figures.count(int(number))


def _two_digits(number: float) -> str:
    return figures.decimal(number, 2)
