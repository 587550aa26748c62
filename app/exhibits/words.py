"""How the exhibits write figures, short texts, and what was measured against what should be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from ui import figures
from ui.pieces import CONTINUED, visible

if TYPE_CHECKING:
    from app.jobs.exhibits import Claim

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def short(text: str, longest: int) -> str:
    """The beginning of a text that is too long."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def strip_text(piece: str) -> str:
    """A token of a text in a strip: a dot where it continues a character of the one before."""
    return piece or CONTINUED


def token_words(piece: str) -> str:
    """The same where its spaces and line ends are to be seen."""
    return visible(strip_text(piece))


def small(value: float) -> str:
    """A number that may be very small or large, with two or three digits: "2.9 × 10⁻⁶", "0.034"."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else figures.UNKNOWN
    exponent = math.floor(math.log10(abs(value)))
    if -4 < exponent < 6:
        digits = max(2 - exponent, 0)
        return figures.decimal(value, digits)
    mantissa = figures.decimal(value / 10.0**exponent, 1)
    return f"{mantissa} × 10{str(exponent).translate(_SUPERSCRIPTS)}"


def duration(seconds: float) -> str:
    """A time as it is best read: "12.3 ms", "1.4 s"."""
    if seconds < 1:
        return f"{figures.decimal(seconds * 1000, 1 if seconds < 0.1 else 0)} ms"
    return f"{figures.decimal(seconds, 1)} s"


def times(factor: float) -> str:
    """How many times: "3.9 ×"."""
    return f"{figures.decimal(factor, 1 if factor < 100 else 0)} ×"


def figures_of(claim: Claim) -> str:
    """What was measured for a claim, and what it is held against."""
    unit = _unit(claim.unit)
    sentence = QCoreApplication.translate(
        "Exhibits", "Measured {measured}, expected {relation} {bound} ({unit})."
    )
    return sentence.format(
        measured=_figure(claim.measured, claim.unit),
        relation=claim.relation,
        bound=_figure(claim.bound, claim.unit),
        unit=unit,
    )


def _figure(value: float, unit: str) -> str:
    if unit == "bytes":
        return figures.size(round(value))
    if float(value).is_integer():
        return figures.count(int(value)) if abs(value) < 2**53 else small(value)
    return small(value)


def _unit(unit: str) -> str:
    """The engine's unit in the language of the window; one that is not known stays as it is."""
    return units().get(unit, unit)


def units() -> dict[str, str]:
    """The units of the engine's claims."""
    translate = QCoreApplication.translate
    return {
        "answers that differ": translate("Exhibits", "answers that differ"),
        "away from 1": translate("Exhibits", "away from 1"),
        "bytes": translate("Exhibits", "bytes"),
        "bytes that differ": translate("Exhibits", "bytes that differ"),
        "bytes × heads": translate("Exhibits", "bytes × heads"),
        "changes found": translate("Exhibits", "changes found"),
        "cosine": translate("Exhibits", "cosine"),
        "differing runs": translate("Exhibits", "differing runs"),
        "draws": translate("Exhibits", "draws"),
        "draws that differ": translate("Exhibits", "draws that differ"),
        "facts seen": translate("Exhibits", "facts seen"),
        "GB/s": translate("Exhibits", "GB/s"),
        "logits": translate("Exhibits", "logits"),
        "logits that differ": translate("Exhibits", "logits that differ"),
        "nats": translate("Exhibits", "nats"),
        "nats per token": translate("Exhibits", "nats per token"),
        "numbers that differ": translate("Exhibits", "numbers that differ"),
        "of the measured time": translate("Exhibits", "of the measured time"),
        "operations": translate("Exhibits", "operations"),
        "operations per s": translate("Exhibits", "operations per s"),
        "pairs in another order": translate("Exhibits", "pairs in another order"),
        "parameters": translate("Exhibits", "parameters"),
        "parts that differ": translate("Exhibits", "parts that differ"),
        "per number": translate("Exhibits", "per number"),
        "positions": translate("Exhibits", "positions"),
        "replies that differ": translate("Exhibits", "replies that differ"),
        "rms": translate("Exhibits", "rms"),
        "s": translate("Exhibits", "s"),
        "s per token²": translate("Exhibits", "s per token²"),
        "score": translate("Exhibits", "score"),
        "slots": translate("Exhibits", "slots"),
        "slots per layer": translate("Exhibits", "slots per layer"),
        "steps": translate("Exhibits", "steps"),
        "steps at which it was otherwise": translate("Exhibits", "steps at which it was otherwise"),
        "steps at which the hash changed": translate("Exhibits", "steps at which the hash changed"),
        "texts that changed": translate("Exhibits", "texts that changed"),
        "times": translate("Exhibits", "times"),
        "token sequences": translate("Exhibits", "token sequences"),
        "tokens": translate("Exhibits", "tokens"),
        "tokens missing": translate("Exhibits", "tokens missing"),
        "tokens that differ": translate("Exhibits", "tokens that differ"),
        "total variation": translate("Exhibits", "total variation"),
        "weight": translate("Exhibits", "weight"),
        "widths at which they differ": translate("Exhibits", "widths at which they differ"),
    }
