"""Typed, bounded reading of single values of a config.json; what is impossible is named."""

import reprlib
from collections.abc import Mapping
from typing import Any, cast

from engine.errors import ModelFileError

Json = Mapping[str, Any]

# What float32 can still compute with; every real checkpoint is far inside.
_SMALLEST, _LARGEST = 1e-12, 1e12
_MOST_SHOWN = 64


def whole(raw: Json, key: str, default: int | None = None, most: int = 1 << 31) -> int:
    """The whole number `key`, 1 to `most`; `default` where it is left out or null.

    Raises:
        ModelFileError: It is neither.
    """
    value: object = raw.get(key)
    if value is None:
        value = default
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        if value is None:
            raise ModelFileError(
                "The config leaves out {key}, which must be a whole number 1 to {most}.",
                key=key,
                most=most,
            )
        raise ModelFileError(
            "The config has {value} for {key}, which must be a whole number 1 to {most}.",
            value=shown(value),
            key=key,
            most=most,
        )
    return value


def positive(raw: Json, key: str, default: float | None = None) -> float:
    """The number `key`, above 0 and within what float32 computes with.

    Raises:
        ModelFileError: It is neither that nor left out with a `default`.
    """
    value: object = raw.get(key)
    found = number(default if value is None else value, key)
    if not _SMALLEST <= found <= _LARGEST:
        raise ModelFileError(
            "The config has {value} for {key}, which must be from {smallest} to {largest}.",
            value=found,
            key=key,
            smallest=_SMALLEST,
            largest=_LARGEST,
        )
    return found


def number(value: object, key: str) -> float:
    """`value`, which was found under `key`, as a float.

    Raises:
        ModelFileError: It is no number, or beyond what float32 computes with.
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # Compared before it is converted: an integer of hundreds of digits overflows a float.
    if not is_number or not -_LARGEST <= cast("float", value) <= _LARGEST:
        raise ModelFileError(
            "The config has {value} for {key}, which must be a number.", value=shown(value), key=key
        )
    return float(cast("float", value))


def flag(raw: Json, key: str, *, default: bool = False) -> bool:
    """The switch `key`; `default` where it is left out or null.

    Raises:
        ModelFileError: It is neither true nor false.
    """
    value: object = raw.get(key)
    if not isinstance(value, bool | None):
        raise ModelFileError(
            "The config has {value} for {key}, which must be true or false.",
            value=shown(value),
            key=key,
        )
    return default if value is None else value


def shown(value: object) -> str:
    """A value as an error's sentence can show it, whatever a file holds."""
    return repr(value[:_MOST_SHOWN]) if isinstance(value, str) else reprlib.repr(value)
