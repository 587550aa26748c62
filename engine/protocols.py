"""What a session asks of a network and of its cache; two kinds of network fulfil it.

One is Cutaway's own decoder (`engine.llama`, `engine.cache`), the other stands before any model of
mlx-lm (`engine.zoo`, `engine.zoo_cache`).
"""

from typing import Any, Protocol, TypeVar

import mlx.core as mx

from engine.cache.held import HeldLayer
from engine.cache.policy import CachePolicy


class SequenceCache(Protocol):
    """What one token sequence left in the layers of a network."""

    @property
    def length(self) -> int:
        """How many tokens of the sequence have gone through the network."""
        ...

    @property
    def shortfall(self) -> str:
        """Why `reusable` may be less than was asked for, a sentence for the user."""
        ...

    def expect(self, length: int) -> None:
        """A prompt of `length` tokens, what is held included, is going to be run."""
        ...

    def chunk(self, most: int) -> int:
        """How many of the next `most` tokens may be run at once, at least 1."""
        ...

    def reusable(self, length: int) -> int:
        """After how many of the first `length` tokens the sequence can be continued exactly."""
        ...

    def trim(self, length: int) -> None:
        """Forget every token from position `length` on; what `reusable` allows is exact."""
        ...

    def state(self, length: int) -> Any:
        """All that another cache needs to hold the same, after a trim to `length`."""
        ...

    def resume(self, state: Any, like: mx.array) -> None:
        """Hold in an empty cache what the `state` of another one says.

        Args:
            state: What that cache gave.
            like: Keys or values of a token, (1, Hkv, 1, D), as the model computes them.

        Raises:
            ValueError: No cache has such a state.
        """
        ...

    def arrays(self) -> list[mx.array]:
        """Every buffer, to be evaluated at the end of a prefill chunk."""
        ...

    def held(self) -> list[HeldLayer]:
        """What is stored, of the layers that keep something of every token they hold."""
        ...

    @property
    def dtype(self) -> mx.Dtype:
        """Of what is held, once there is any."""
        ...

    @property
    def used_bytes(self) -> int:
        """Bytes of what is held."""
        ...

    @property
    def allocated_bytes(self) -> int:
        """Bytes of the buffers."""
        ...

    @property
    def formula_bytes(self) -> int:
        """What the network's formula says that is held takes."""
        ...

    @property
    def filled(self) -> int:
        """Tokens that are held, in the layers that hold most."""
        ...

    @property
    def slots(self) -> int:
        """Tokens that the buffers have room for, in the layers that have most."""
        ...

    @property
    def peak_slots(self) -> int:
        """The most slots per layer there ever were."""
        ...


CacheT = TypeVar("CacheT", bound=SequenceCache)


class Network(Protocol[CacheT]):
    """A network from token ids to logits, in two halves so that few positions are projected."""

    @property
    def dtype(self) -> mx.Dtype:
        """What it computes in, and so what its cache holds where that is not quantised."""
        ...

    def new_cache(self, policy: CachePolicy) -> CacheT:
        """An empty cache.

        Raises:
            SettingError: This network has no such cache.
        """
        ...

    def hidden(self, ids: mx.array, cache: CacheT | None = None) -> mx.array:
        """Run token ids (B, L), the first at position `cache.length`: (B, L, …), lazy.

        The cache is extended by L. Without one the sequence starts here.
        """
        ...

    def project(self, x: mx.array) -> mx.array:
        """What `hidden` returned, or some positions of it, as logits (B, L, V)."""
        ...
