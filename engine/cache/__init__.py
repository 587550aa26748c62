"""The KV cache: growing, rotating (pinned + window) and quantised storage that combine freely."""

from engine.cache.cache import Cache, Extension, LayerCache
from engine.cache.policy import CachePolicy
from engine.cache.slots import Mask, causal_mask

__all__ = ["Cache", "CachePolicy", "Extension", "LayerCache", "Mask", "causal_mask"]
