"""How figures are written: counts, bytes, speeds and times, the same way everywhere."""

from __future__ import annotations

from PySide6.QtCore import QLocale

UNKNOWN = "–"
_BYTE_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
_BYTE_STEP = 1024
_THREE_DIGITS = 100


def locale() -> QLocale:
    """The user's number format; the C locale would not group thousands."""
    here = QLocale()
    return QLocale(QLocale.Language.English) if here.language() == QLocale.Language.C else here


def count(number: int) -> str:
    """A whole number with its thousands grouped: "1,204"."""
    return locale().toString(number)


def whole(number: float) -> str:
    """The nearest whole number with its thousands grouped."""
    return count(round(number))


def decimal(number: float, digits: int) -> str:
    """A number with exactly `digits` decimals, so that a changing one does not jump."""
    return locale().toString(float(number), "f", digits)


def signed(number: float, digits: int) -> str:
    """As `decimal`, with a true minus before what is below 0."""
    return decimal(number, digits).replace("-", "−")


def size(byte_count: int) -> str:
    """Bytes with three digits in the largest binary unit that leaves at least one: "52.9 MiB"."""
    amount = float(byte_count)
    unit = 0
    while amount >= _BYTE_STEP and unit < len(_BYTE_UNITS) - 1:
        amount /= _BYTE_STEP
        unit += 1
    digits = 0 if unit == 0 else sum(amount < bound for bound in (9.995, 99.95))
    return f"{decimal(amount, digits)} {_BYTE_UNITS[unit]}"


def speed(tokens_per_second: float | None) -> str:
    """The number of a speed without its unit: one decimal below 100, none above."""
    if tokens_per_second is None:
        return UNKNOWN
    return decimal(tokens_per_second, 1 if tokens_per_second < _THREE_DIGITS else 0)


def seconds(duration_s: float | None) -> str:
    """A time in seconds with two decimals: "0.14 s"."""
    return UNKNOWN if duration_s is None else f"{decimal(duration_s, 2)} s"


def percent(fraction: float) -> str:
    """A fraction of one as a whole percentage: "42 %"."""
    return f"{round(min(max(fraction, 0.0), 1.0) * 100)} %"


def plain(number: float) -> str:
    """A number with no more decimals than it needs: "4", "0.5625"."""
    return locale().toString(float(number), "g", 4)


def share(probability: float) -> str:
    """A probability as a percentage with one decimal; "< 0.1 %" for less than that."""
    if 0 < probability < 0.0005:
        return f"< {decimal(0.1, 1)} %"
    return f"{decimal(100 * probability, 1)} %"
