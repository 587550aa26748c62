"""A cache copied, with something changed on purpose in the copy."""

from collections.abc import Callable
from dataclasses import replace

import mlx.core as mx

from engine.cache import Cache, CachePolicy
from engine.cache.layers import LayerState
from engine.model import Model


def copied(
    model: Model, cache: Cache, policy: CachePolicy, change: Callable[[list[LayerState]], None]
) -> Cache:
    """A copy of a cache.

    Args:
        model: Whose cache it is; one that runs in Cutaway's own decoder.
        cache: The cache, which stays as it is.
        policy: Its policy.
        change: Puts other arrays into the layers of the copy; those that are there are the cache's
            own, and must not be written to.
    """
    state = cache.state(cache.length)
    layers = [LayerState(list(layer.keys), list(layer.values)) for layer in state.layers]
    change(layers)
    copy = model.decoder.new_cache(policy)
    config = model.config
    like = mx.zeros((1, config.num_key_value_heads, 1, config.head_dim), cache.dtype)
    copy.resume(replace(state, layers=layers), like)
    return copy
