"""The KV cache by formula, written out with the numbers of the model that is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from ui import figures
from ui import theme as look

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from ui.state import Telemetry
    from ui.theme import Theme

_INSET = 10


class Formula(QWidget):
    """The KV cache by formula, with the model's own numbers, and whether it agrees."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._formula = ""
        self._agrees = False
        self.setFont(theme.code_font(look.CAPTION))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self.update)

    @property
    def text(self) -> str:
        """The formula on one line, with a tick where it equals what is used."""
        return self._formula.replace("\u00a0", " ") + (" ✓" if self._agrees else "")

    def set_telemetry(self, now: Telemetry) -> None:
        """Write the formula for the figures of this moment."""
        formula = ""
        if now.layers and now.kv_heads:
            template = self.tr(
                "2 × {layers} layers × {heads} KV heads × {dim}"
                " × {tokens} tokens × {width} B = {total}"
            )
            formula = template.format(
                layers=now.layers,
                heads=now.kv_heads,
                dim=now.head_dim,
                tokens=figures.count(_formula_tokens(now)),
                width=figures.plain(now.bytes_per_value),
                total=figures.size(now.kv_formula_bytes),
            )
        agrees = bool(formula and now.kv_used_bytes) and now.kv_used_bytes == now.kv_formula_bytes
        if (_unbroken(formula), agrees) != (self._formula, self._agrees):
            self._formula, self._agrees = _unbroken(formula), agrees
            self.setAccessibleName(self.tr("Formula") + ": " + self.text)
            if self.heightForWidth(self.width()) != self.height():
                self.updateGeometry()
            self.update()

    @override
    def heightForWidth(self, width: int) -> int:
        room = QRect(0, 0, max(width - 2 * _INSET, 1), 1000)
        text = self._formula or " \n "  # as high as it is going to be, so that nothing moves
        lines = self.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap.value, text)
        return lines.height() + 2 * _INSET

    @override
    def sizeHint(self) -> QSize:
        return QSize(160, self.heightForWidth(look.INSPECTOR_WIDTH - 36))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._formula:
            return
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.fill))
        painter.drawRoundedRect(self.rect(), look.BUTTON_RADIUS, look.BUTTON_RADIUS)
        painter.setPen(QColor(colors.dim))
        area = self.rect().adjusted(_INSET, _INSET, -_INSET, -_INSET)
        painter.drawText(area, Qt.TextFlag.TextWordWrap.value, self._formula)
        if self._agrees:
            painter.setPen(QColor(colors.good))
            corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
            painter.drawText(area, corner, "✓")


def _formula_tokens(now: Telemetry) -> int:
    """The tokens that the formula's total stands for."""
    per_token = 2 * now.layers * now.kv_heads * now.head_dim * now.bytes_per_value
    return round(now.kv_formula_bytes / per_token) if per_token else 0


def _unbroken(formula: str) -> str:
    """The formula breaking only before its signs, never within a factor."""
    kept = formula.replace(" ", "\u00a0")
    for sign in ("×", "="):
        kept = kept.replace(f"\u00a0{sign}", f" {sign}")
    return kept
