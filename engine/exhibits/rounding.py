"""A cache of 32-bit numbers that holds only what 16 bits can say."""

from typing import Any, cast

import mlx.core as mx

from engine.cache import Cache, CachePolicy, LayerCache
from engine.model import Model


class Rounded:
    """A layer of a cache that holds 32-bit numbers, made to hold only what 16 bits can say."""

    def __init__(self, layer: LayerCache) -> None:
        self._layer = layer

    def update(self, keys: mx.array, values: mx.array) -> tuple[mx.array, mx.array]:
        """Round keys and values to bfloat16, then hold them; shapes as for a layer."""
        return self._layer.update(_rounded(keys), _rounded(values))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._layer, name)


def rounded_cache(model: Model) -> Cache:
    """A cache whose numbers are rounded to bfloat16, the precision of models on a Mac."""
    cache = model.decoder.new_cache(CachePolicy())
    cache.layers = cast("tuple[LayerCache, ...]", tuple(Rounded(layer) for layer in cache.layers))
    return cache


def half_bytes(cache: Cache) -> int:
    """Bytes of all that a cache holds, copied to 16 bits."""
    return sum(
        array.astype(mx.bfloat16).nbytes
        for layer in cache.held()
        for array in (*layer.keys, *layer.values)
    )


def _rounded(x: mx.array) -> mx.array:
    return x.astype(mx.bfloat16).astype(x.dtype)
