"""Looking into parsed JSON of which nothing is known: each look gives the wanted kind or none."""

import sys
from typing import Any, cast

_SIZE_LIMIT = 1 << 62


def as_mapping(data: object) -> dict[str, Any]:
    """Return a JSON object, empty where the data is none."""
    return cast("dict[str, Any]", data) if isinstance(data, dict) else {}


def as_list(data: object) -> list[Any]:
    """Return a JSON array, empty where the data is none."""
    return cast("list[Any]", data) if isinstance(data, list) else []


def as_text(data: object) -> str | None:
    """Return a string, None where the data is none."""
    return data if isinstance(data, str) else None


def as_number(data: object) -> float | None:
    """Return a number that a float can hold, None where the data is none."""
    if isinstance(data, bool) or not isinstance(data, int | float):
        return None
    return float(data) if abs(data) <= sys.float_info.max else None


def as_seconds(data: object) -> float | None:
    """Return a time in seconds since the epoch, which may be given in milliseconds."""
    number = as_number(data)
    return number / 1000 if number is not None and number > 1e11 else number


def as_key(data: object) -> str | None:
    """Return what names something: a string, or a number as one."""
    if isinstance(data, int) and not isinstance(data, bool):
        return str(data) if abs(data) < 1 << 64 else None
    return as_text(data)


def size_of(data: object, text: str) -> int:
    """Return the size that a file claims for an attachment, or that of its text, in bytes."""
    number = as_number(data)
    if number is None or not 0 <= number < _SIZE_LIMIT:
        return len(text.encode("utf-8", "replace"))
    return int(number)
