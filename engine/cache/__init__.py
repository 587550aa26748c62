"""The KV cache: growing, rotating (pinned + window) and quantised storage that combine freely."""

from engine.cache.cache import Cache, LayerCache
from engine.cache.policy import CachePolicy
from engine.cache.slots import Mask

__all__ = ["Cache", "CachePolicy", "LayerCache", "Mask"]
