"""Scales of charts: from numbers to pixels, with round ticks, linear or logarithmic."""

from __future__ import annotations

import math
from dataclasses import dataclass

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_NEAR = 0.35
"""From this share of the highest value on, a spread shows with the axis beginning at 0."""
_FEW_DECADES = 12
_SUBTICKS = ((1, 2, 5), (1, 3), (1,))


@dataclass(frozen=True)
class Scale:
    """Numbers from `low` to `high` onto 0 to 1; logarithmic where `log` is set."""

    low: float
    high: float
    log: bool = False

    def share(self, value: float) -> float:
        """Where a value stands, 0 at `low` and 1 at `high`; NaN where it has no place."""
        if self.log:
            if not value > 0:
                return math.nan
            low, high = math.log10(self.low), math.log10(self.high)
            return (math.log10(value) - low) / (high - low)
        # Halved, so that the span of two huge numbers of opposite sign stays finite.
        return (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)

    def ticks(self, wanted: int) -> list[float]:
        """Round numbers from `low` to `high`, about as many as are wanted."""
        if self.log:
            return _log_ticks(self.low, self.high, wanted)
        step = round_step((self.high / 2 - self.low / 2) * 2 / max(wanted, 1))
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        if last - first > 4 * wanted + 4:  # a span that a float's digits cannot divide
            return [self.low, self.high]
        return [number * step for number in range(first, last + 1)]


def fit(
    values: list[float],
    *,
    log: bool = False,
    low: float | None = None,
    high: float | None = None,
    from_zero: bool = True,
) -> Scale:
    """The scale that holds all finite values.

    Args:
        values: What is to be shown; infinities and NaN are left out.
        log: Whether it is logarithmic; values that are not positive are then left out.
        low: A given beginning.
        high: A given end.
        from_zero: Whether it begins at 0 where the values come near to it.
    """
    limit = 1e300
    held = [v for v in values if -limit <= v <= limit and (v > 0 or not log)]
    bottom = low if low is not None else min(held, default=1.0 if log else 0.0)
    top = high if high is not None else max(held, default=10.0 if log else 1.0)
    if log:
        bottom = max(bottom, 1e-300)
        return Scale(bottom, top if top > bottom * (1 + 1e-9) else bottom * 10, log=True)
    if from_zero and low is None and bottom > 0 and (top - bottom) > _NEAR * top:
        bottom = 0.0
    if from_zero and high is None and top < 0 and (top - bottom) > _NEAR * -bottom:
        top = 0.0
    if not top > bottom + abs(bottom) * 1e-12:
        spread = abs(bottom) * 0.5 or 1.0
        bottom, top = (bottom, bottom + spread) if from_zero else (bottom - spread, top + spread)
    return Scale(bottom, top)


def rounded(scale: Scale, wanted: int) -> Scale:
    """The scale widened upwards to its next round tick, so that a live one seldom changes."""
    if scale.log:
        return scale
    step = round_step((scale.high / 2 - scale.low / 2) * 2 / max(wanted, 1))
    high = math.ceil(scale.high / step - 1e-9) * step
    low = scale.low if scale.low >= 0 else math.floor(scale.low / step + 1e-9) * step
    return Scale(low, high) if math.isfinite(high) and math.isfinite(low) else scale


def round_step(rough: float) -> float:
    """The smallest of 1, 2, 2.5, 5 times a power of ten that is not below `rough`."""
    if not (rough > 0 and math.isfinite(rough)):
        return 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    return next((s * power for s in _STEPS if s * power >= rough * (1 - 1e-9)), 10 * power)


def _log_ticks(low: float, high: float, wanted: int) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    few = last - first <= _FEW_DECADES
    for steps in _SUBTICKS if few else ():
        ticks = [step * 10.0**decade for decade in range(first, last + 1) for step in steps]
        inside = [tick for tick in ticks if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]
        if 2 <= len(inside) <= wanted + 2:
            return inside
    stride = max(math.ceil((last - first) / max(wanted, 1)), 1)
    ticks = [10.0**decade for decade in range(max(first, -307), min(last, 308) + 1, stride)]
    inside = [tick for tick in ticks if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]
    return inside if len(inside) > 1 else [low, high]
