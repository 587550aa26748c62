"""mlx-lm's caches of one sequence, behind the protocol that sessions know.

What can be reused is what can be cut back exactly. A KV cache can, a rotating one until it has
dropped its first token, a recurrent state never: it has no past, only a present.
"""

import copy
from collections.abc import Callable, Iterable
from typing import Any, cast

import mlx.core as mx
from mlx import utils
from mlx_lm.models.cache import (
    CacheList,
    ChunkedKVCache,
    ConcatenateKVCache,
    KVCache,
    RotatingKVCache,
    can_trim_prompt_cache,
    trim_prompt_cache,
)

from engine.cache.held import HeldLayer
from engine.sentence import Sentence
from engine.zoo_config import LayerState, ZooConfig

_KEEP_ALL = (KVCache, ConcatenateKVCache)
_WITH_KEYS = (*_KEEP_ALL, RotatingKVCache, ChunkedKVCache)
_SHORTFALL = Sentence(
    "This model's layers keep a state or a window that cannot be taken back, so the prompt is "
    "computed again from its start."
)


class ZooCache:
    """The caches that mlx-lm's model made for one sequence."""

    def __init__(self, config: ZooConfig, make: Callable[[], list[Any]]) -> None:
        """Start empty.

        Args:
            config: The model's.
            make: Makes mlx-lm's caches, one per layer that keeps anything.
        """
        self._make = make
        self.layers = make()
        self._config = config
        self._expected = 0
        self.length = 0
        self.peak_slots = 0

    @property
    def shortfall(self) -> str:
        """Why `reusable` may be less than was asked for."""
        return _SHORTFALL

    def expect(self, length: int) -> None:
        """Remember where the prompt ends."""
        self._expected = length

    def chunk(self, most: int) -> int:
        """All but a prompt's last token, which goes alone: so only its logits are computed."""
        is_last = self.length + most >= self._expected
        return most - 1 if is_last and most > 1 else most

    def advance(self, count: int) -> None:
        """Count tokens that mlx-lm's model has just been run on."""
        self.length += count
        self.peak_slots = max(self.peak_slots, self.slots)

    def reusable(self, length: int) -> int:
        """`length` where all layers can be cut back to it, otherwise nothing."""
        length = min(length, self.length)
        exact = all(_cuts_exactly(cache) for cache in self._parts())
        can_cut = exact and can_trim_prompt_cache(self.layers)
        return length if length == self.length or can_cut else 0

    def trim(self, length: int) -> None:
        """Forget every token from position `length` on; must be what `reusable` allowed."""
        if length >= self.length:
            return
        if length == 0:
            self.layers = self._make()
        else:
            cut = trim_prompt_cache(self.layers, self.length - length)
            assert cut == self.length - length
        self.length = length

    def state(self, length: int) -> "ZooCache":
        """A cache of its own that holds the first `length` tokens, which are reusable."""
        other = ZooCache(self._config, self._make)
        if length:
            other.layers = copy.deepcopy(self.layers)
            other.length = self.length
            other.trim(length)
        return other

    def resume(self, state: "ZooCache", like: mx.array) -> None:  # noqa: ARG002 - ours needs it
        """Hold in an empty cache what the `state` of another one is."""
        self.layers, self.length = state.layers, state.length
        self.peak_slots = self.slots

    def arrays(self) -> list[mx.array]:
        """Every buffer."""
        return [array for cache in self._parts() for array in _arrays(cache)]

    def held(self) -> list[HeldLayer]:
        """A copy of keys and values, for the layers that have any; others have no past to keep."""
        return [_copy(cache) for cache in self._parts() if _has_keys(cache)]

    @property
    def dtype(self) -> mx.Dtype:
        """Of most of what is held, once there is any."""
        return self.arrays()[0].dtype

    @property
    def used_bytes(self) -> int:
        """Bytes of keys and values that are held, and of states."""
        return sum(_used_bytes(cache) for cache in self._parts())

    @property
    def allocated_bytes(self) -> int:
        """Bytes of the buffers."""
        return sum(array.nbytes for array in self.arrays())

    @property
    def formula_bytes(self) -> int:
        """What the layers' own formula says."""
        return self._config.cache_values(self.length) * self.dtype.size if self.length else 0

    @property
    def filled(self) -> int:
        """Tokens that are held; a recurrent state holds something of all."""
        holding = [_filled(cache) for cache in self._parts() if _has_keys(cache)]
        return max(holding, default=self.length)

    @property
    def slots(self) -> int:
        """Tokens there is room for, in the layers that have most; 0 where none has keys."""
        keys = [cache.keys for cache in self._parts() if _has_keys(cache)]
        return max((int(array.shape[2]) for array in keys), default=0)

    def _parts(self) -> Iterable[Any]:
        return _parts(self.layers)


def layer_states(layers: Iterable[Any]) -> tuple[LayerState, ...]:
    """What each layer keeps, read off caches that one token has gone through."""
    return tuple(_state(cache) for cache in _parts(layers))


def kv_shape(layers: Iterable[Any]) -> tuple[int, int]:
    """KV heads and head dimension where all layers keep the same keys and values, else zeros."""
    shapes = {_kv_shape(cache) for cache in _parts(layers)}
    return shapes.pop() if len(shapes) == 1 else (0, 0)


def grows(layers: Iterable[Any]) -> bool:
    """Whether any layer looks back at single tokens, as attention does."""
    return any(_is(cache, *_WITH_KEYS) for cache in _parts(layers))


def rotating_windows(layers: Iterable[Any]) -> list[int | None]:
    """For each layer the window that its cache keeps, None where it keeps all or a state."""
    return [c.max_size if _is(c, RotatingKVCache) else None for c in layers]


def _is(cache: Any, *kinds: type) -> bool:
    """`isinstance` that leaves the cache untyped, as mlx-lm's classes are."""
    return isinstance(cache, kinds)


def _parts(layers: Iterable[Any]) -> Iterable[Any]:
    for cache in layers:
        if _is(cache, CacheList):
            yield from _parts(cache.caches)
        elif cache is not None:
            yield cache


def _has_keys(cache: Any) -> bool:
    return _is(cache, *_WITH_KEYS) and not cache.empty()


def _cuts_exactly(cache: Any) -> bool:
    if _is(cache, ChunkedKVCache):
        return cache.start_position == 0
    return _is(cache, *_KEEP_ALL, RotatingKVCache)


def _arrays(cache: Any) -> list[mx.array]:
    entries = cast("list[tuple[str, object]]", utils.tree_flatten(cache.state))
    return [value for _, value in entries if isinstance(value, mx.array)]


def _kv_shape(cache: Any) -> tuple[int, int]:
    if not _is(cache, *_KEEP_ALL) or cache.keys.shape != cache.values.shape:
        return (0, 0)
    return (int(cache.keys.shape[1]), int(cache.keys.shape[3]))


def _state(cache: Any) -> LayerState:
    if not _has_keys(cache):
        return LayerState(fixed_values=sum(array.size for array in _arrays(cache)))
    per_token = sum(int(a.shape[1]) * int(a.shape[3]) for a in (cache.keys, cache.values))
    if _is(cache, RotatingKVCache):
        return LayerState(per_token, window=cache.max_size)
    return LayerState(per_token, window=getattr(cache, "chunk_size", None))


def _filled(cache: Any) -> int:
    held = cache.offset - getattr(cache, "start_position", 0)
    return min(int(held), int(cache.keys.shape[2]))


def _used_bytes(cache: Any) -> int:
    if not _has_keys(cache):
        return sum(array.nbytes for array in _arrays(cache))
    return (cache.keys.nbytes + cache.values.nbytes) * _filled(cache) // int(cache.keys.shape[2])


def _copy(cache: Any) -> HeldLayer:
    """The slots in use, in memory of their own."""
    count = _filled(cache)
    parts = [mx.contiguous(array[:, :, :count]) for array in (cache.keys, cache.values)]
    return HeldLayer(_positions(cache, count), (parts[0],), (parts[1],))


def _positions(cache: Any, count: int) -> list[int]:
    """Which token is in each slot, for tokens that came one at a time."""
    first = getattr(cache, "start_position", 0)
    if not _is(cache, RotatingKVCache) or cache.offset <= cache.max_size:
        return list(range(first, first + count))
    keep, ring = cache.keep, cache.max_size - cache.keep
    newest = cache.offset - 1
    slots = range(count)
    return [s if s < keep else newest - (newest - s) % ring for s in slots]
