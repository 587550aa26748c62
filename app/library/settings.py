"""What is remembered of each model: how to load it, when it was last used, how fast it was."""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from app.chats.loose import as_list, as_mapping, as_number
from app.library.json_file import JsonFile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.library.places import Places

_MODELS = "models"
_MOST_TOKENS = 1 << 31
_MOST_CHUNK = 1 << 16


@dataclass(frozen=True)
class LoadSettings:
    """How a model is loaded, and how its chats begin.

    Attributes:
        window: How many recent tokens the cache keeps; None keeps all.
        bits: 8 or 4 to hold keys and values quantised; None for the model's own precision.
        chunk: The most prompt tokens that go through the decoder at once; None learns it.
    """

    window: int | None = None
    bits: int | None = None
    chunk: int | None = None


@dataclass(frozen=True)
class SpeedRow:
    """Tokens per second after a prompt of `context` tokens."""

    context: int
    prefill_tps: float
    decode_tps: float | None


@dataclass(frozen=True)
class Benchmark:
    """How fast a model was on this machine, in seconds since 1970 when."""

    measured_at: float
    rows: tuple[SpeedRow, ...]


@dataclass(frozen=True)
class ModelNotes:
    """All that is remembered of a model."""

    settings: LoadSettings = LoadSettings()
    last_used: float | None = None
    benchmark: Benchmark | None = None


class Notes:
    """The notes of all models in one file, by what `ModelFacts.key` is."""

    def __init__(self, places: Places) -> None:
        self._file = JsonFile(places.notes)

    @property
    def notice(self) -> str:
        """A sentence where the file was damaged; empty otherwise."""
        return self._file.notice

    def all(self) -> dict[str, ModelNotes]:
        """Every model that something is remembered of."""
        entries = as_mapping(self._file.read().get(_MODELS))
        return {key: _notes(as_mapping(entry)) for key, entry in entries.items()}

    def of(self, key: str) -> ModelNotes:
        """The notes of one model."""
        return self.all().get(key, ModelNotes())

    def set_settings(self, key: str, settings: LoadSettings) -> None:
        """Remember how to load a model.

        Raises:
            LibraryError: It cannot be saved.
        """
        self._alter(key, lambda notes: replace(notes, settings=settings))

    def set_used(self, key: str, at: float | None = None) -> None:
        """Remember that a model was loaded, now where `at` is left out.

        Raises:
            LibraryError: It cannot be saved.
        """
        used = time.time() if at is None else at
        self._alter(key, lambda notes: replace(notes, last_used=used))

    def set_benchmark(self, key: str, benchmark: Benchmark) -> None:
        """Remember how fast a model was.

        Raises:
            LibraryError: It cannot be saved.
        """
        self._alter(key, lambda notes: replace(notes, benchmark=benchmark))

    def forget(self, key: str) -> None:
        """Remember nothing of a model that was deleted.

        Raises:
            LibraryError: It cannot be saved.
        """

        def alter(values: dict[str, Any]) -> None:
            entries = dict(as_mapping(values.get(_MODELS)))
            entries.pop(key, None)
            values[_MODELS] = entries

        self._file.change(alter)

    def _alter(self, key: str, change: Callable[[ModelNotes], ModelNotes]) -> None:
        def alter(values: dict[str, Any]) -> None:
            entries = dict(as_mapping(values.get(_MODELS)))
            entries[key] = asdict(change(_notes(as_mapping(entries.get(key)))))
            values[_MODELS] = entries

        self._file.change(alter)


def _notes(entry: Mapping[str, Any]) -> ModelNotes:
    """Each value on its own: what is missing or out of bounds is as if it was never set."""
    settings = as_mapping(entry.get("settings"))
    bits = _whole(settings.get("bits"), 8)
    return ModelNotes(
        settings=LoadSettings(
            window=_whole(settings.get("window"), _MOST_TOKENS),
            bits=bits if bits in (4, 8) else None,
            chunk=_whole(settings.get("chunk"), _MOST_CHUNK),
        ),
        last_used=_number(entry.get("last_used")),
        benchmark=_benchmark(as_mapping(entry.get("benchmark"))),
    )


def _benchmark(entry: Mapping[str, Any]) -> Benchmark | None:
    at = _number(entry.get("measured_at"))
    rows = [row for each in as_list(entry.get("rows")) if (row := _row(as_mapping(each)))]
    return Benchmark(at, tuple(rows)) if at is not None and rows else None


def _row(entry: Mapping[str, Any]) -> SpeedRow | None:
    context = _whole(entry.get("context"), _MOST_TOKENS)
    prefill = _number(entry.get("prefill_tps"))
    if context is None or prefill is None:
        return None
    return SpeedRow(context, prefill, _number(entry.get("decode_tps")))


def _whole(value: object, most: int) -> int | None:
    return value if type(value) is int and 1 <= value <= most else None


def _number(value: object) -> float | None:
    number = as_number(value)
    return number if number is not None and 0 <= number < math.inf else None
