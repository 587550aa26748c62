"""Figures as text, for the terminal and for sentences."""

from typing import TextIO

_KIB = 1024
_CONTROLS = {code: "\ufffd" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def for_stream(text: str, out: TextIO) -> str:
    """What a model wrote, without what a terminal would take for commands; files get it whole."""
    return text.translate(_CONTROLS) if out.isatty() else text


def bytes_text(count: int) -> str:
    """A count of bytes in binary units, as in `52.9 MiB`."""
    if count < _KIB:
        return f"{count} B"
    value, units = count / _KIB, ["KiB", "MiB", "GiB", "TiB"]
    while round(value, 1) >= _KIB and len(units) > 1:
        value /= _KIB
        del units[0]
    return f"{value:,.1f} {units[0]}"


def speed_text(tokens_per_second: float | None) -> str:
    """Tokens per second, as in `41.8 tokens/s`; a dash where it is not known."""
    return "–" if tokens_per_second is None else f"{tokens_per_second:,.1f} tokens/s"


def seconds_text(seconds: float | None) -> str:
    """Seconds, as in `0.14 s`; a dash where they are not known."""
    return "–" if seconds is None else f"{seconds:.2f} s"
