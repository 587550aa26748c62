"""Tokens looked up by their text, for the steps of sampling that need to know it."""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.errors import SettingError
from engine.sampling_settings import Sampling


@dataclass(frozen=True, eq=False)
class TokenSets:
    """What sampling needs to know of a tokenizer.

    Attributes:
        spared: (n,) ids that XTC never takes away: ends of text and of lines; None for none.
        breakers: (V,) bool, the tokens that end a repetition for DRY; None for none.
    """

    spared: mx.array | None = None
    breakers: mx.array | None = None


class TokenTable:
    """The bytes that every token adds to a reply's text, none for one that is not shown."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        """Hold them, by id."""
        self.texts = texts
        self._containing: dict[bytes, NDArray[np.bool_]] = {}

    def containing(self, text: bytes) -> NDArray[np.bool_]:
        """Which tokens (V,) have `text` somewhere in theirs; remembered, so not to be changed."""
        if (found := self._containing.get(text)) is None:
            found = np.fromiter((text in entry for entry in self.texts), np.bool_, len(self.texts))
            self._containing[text] = found
        return found

    def beginning(self, text: bytes) -> NDArray[np.int64]:
        """Ids of the tokens whose text begins with `text`, which is not empty."""
        first = self._by_first.get(text[0], _NONE)
        return first[[self.texts[id_].startswith(text) for id_ in first]]

    @cached_property
    def newlines(self) -> tuple[int, ...]:
        """Ids of the tokens that consist of line ends alone."""
        ids = self.beginning(b"\n")
        return tuple(int(id_) for id_ in ids if not self.texts[id_].strip(b"\n"))

    @cached_property
    def _by_first(self) -> dict[int, NDArray[np.int64]]:
        ids: dict[int, list[int]] = {}
        for id_, text in enumerate(self.texts):
            if text:
                ids.setdefault(text[0], []).append(id_)
        return {first: np.array(found) for first, found in ids.items()}


_NONE = np.array([], np.int64)


def token_sets(sampling: Sampling, table: Callable[[], TokenTable], end_ids: Set[int]) -> TokenSets:
    """The sets that these settings need; nothing is looked up for what is off.

    Args:
        sampling: The settings.
        table: Gives the table, which is slow the first time.
        end_ids: Tokens that end a reply.

    Raises:
        SettingError: No single token contains a breaker, so that it could never act.
    """
    spared = breakers = None
    if sampling.xtc_probability > 0:
        ends = {id_ for id_ in end_ids if id_ < len(table().texts)}
        spared = mx.array(sorted(ends.union(table().newlines)), dtype=mx.int32)
    if sampling.dry_multiplier > 0 and sampling.dry_breakers:
        breakers = on_device(_breakers(sampling.dry_breakers, table()))
    return TokenSets(spared, breakers)


def on_device(values: NDArray[np.bool_]) -> mx.array:
    """A copy for the device."""
    return mx.array(cast("Any", values))  # MLX's stubs do not know NumPy.


def _breakers(texts: Sequence[str], table: TokenTable) -> NDArray[np.bool_]:
    found = [table.containing(text.encode("utf-8", "replace")) for text in texts]
    for text, tokens in zip(texts, found, strict=True):
        if not tokens.any():
            raise SettingError(
                "No single token of this model contains DRY's breaker {text!r}; leave it out or "
                "choose a shorter one.",
                text=text,
            )
    return np.logical_or.reduce(found)
