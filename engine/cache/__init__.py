"""The KV cache: growing, rotating (pinned + window) and quantised storage that combine freely."""

from engine.cache.cache import (
    Cache,
    CacheState,
    Extension,
    LayerCache,
    layer_capacity,
    layer_groups,
    seen_by,
)
from engine.cache.layers import LayerState
from engine.cache.policy import CachePolicy
from engine.cache.slots import Mask, Positions, causal_mask

__all__ = [
    "Cache",
    "CachePolicy",
    "CacheState",
    "Extension",
    "LayerCache",
    "LayerState",
    "Mask",
    "Positions",
    "causal_mask",
    "layer_capacity",
    "layer_groups",
    "seen_by",
]
