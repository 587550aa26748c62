"""Under which conditions the network is looked at, and how the caller watches and stops it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from engine.cache import CachePolicy
from engine.errors import CancelledError, SettingError


@dataclass(frozen=True)
class Conditions:
    """What is as usual, and what is set aside to show what it is good for.

    Attributes:
        policy: Of the cache that keys and values go through, chunk by chunk, as in a session.
            `CachePolicy()` computes up to 1,024 tokens at once, as `Model.logits` does.
        mask: Whether a query is kept from seeing later tokens. Setting it aside, which is no way
            to run a model, lets every token see all, past and future.
        rope: Whether queries and keys are rotated by their positions. Setting it aside lets every
            token stand at position 0, so that scores know nothing of order.
        layers: In which layers mask or RoPE are set aside; None for all.
    """

    policy: CachePolicy = field(default_factory=CachePolicy)
    mask: bool = True
    rope: bool = True
    layers: frozenset[int] | None = None

    def __post_init__(self) -> None:
        """Refuse what contradicts itself.

        Raises:
            SettingError: Mask or RoPE are set aside together with a window or a quantised cache.
        """
        if not (self.mask and self.rope) and self.policy != CachePolicy():
            raise SettingError(
                "Mask and RoPE can be set aside without a window and without a quantised cache "
                "only; leave these out."
            )

    def masked(self, layer: int) -> bool:
        """Whether the causal mask holds in a layer."""
        return self.mask or not self._concerns(layer)

    def rotated(self, layer: int) -> bool:
        """Whether RoPE rotates in a layer."""
        return self.rope or not self._concerns(layer)

    def _concerns(self, layer: int) -> bool:
        return self.layers is None or layer in self.layers


USUAL = Conditions()


def _never() -> bool:
    return False


def _silent(_share: float) -> None:
    pass


@dataclass(frozen=True)
class Watch:
    """How a caller follows a computation and stops it.

    Attributes:
        cancelled: Asked between layers and between pieces of them; true stops.
        progress: Told the share that is done, 0 to 1.
    """

    cancelled: Callable[[], bool] = _never
    progress: Callable[[float], None] = _silent

    def check(self) -> None:
        """Stop here if the caller wants it.

        Raises:
            CancelledError: The caller does.
        """
        if self.cancelled():
            raise CancelledError("This was stopped before it was done.")

    def step(self, done: int, total: int) -> None:
        """Tell that `done` of `total` are done, and stop if the caller wants it.

        Raises:
            CancelledError: The caller does.
        """
        self.progress(done / total)
        self.check()


UNWATCHED = Watch()
