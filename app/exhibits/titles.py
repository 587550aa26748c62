"""What the exhibits are called in the index and in the palette."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def titles() -> dict[int, str]:
    """The short title of each exhibit, by its number."""
    translate = QCoreApplication.translate
    return {
        1: translate("Exhibits", "The loop"),
        2: translate("Exhibits", "Tokens and vectors"),
        3: translate("Exhibits", "Inside a block"),
        4: translate("Exhibits", "Attention"),
        5: translate("Exhibits", "The causal mask"),
        6: translate("Exhibits", "Order"),
        7: translate("Exhibits", "The cache is exact"),
        8: translate("Exhibits", "The memory bill"),
        9: translate("Exhibits", "Prefill and decode"),
        10: translate("Exhibits", "The rotating window"),
        11: translate("Exhibits", "Prefix reuse"),
        12: translate("Exhibits", "Choosing"),
        13: translate("Exhibits", "Smaller numbers"),
    }
