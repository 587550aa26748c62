"""Keys and values of one token sequence, in all layers."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import mlx.core as mx

from engine.cache.held import HeldLayer
from engine.cache.layers import BLOCK, LayerCache, LayerGroup, LayerState, Rotate
from engine.cache.policy import CachePolicy, group_size
from engine.cache.slots import Mask, Positions, Slots
from engine.cache.store import PlainStore, QuantizedStore, Store
from engine.config import ModelConfig
from engine.errors import SettingError
from engine.kv import GROUP_SIZE, kv_bytes
from engine.sentence import Sentence

__all__ = ["BLOCK", "Cache", "Extension", "Rotate"]

_EVICTED = Sentence(
    "Keys that the changed part would look at have left the window; they are computed again."
)


@dataclass(frozen=True)
class Extension:
    """Where new tokens stand.

    Attributes:
        offset: The position of the first.
        masks: For each layer, what each of them may see.
    """

    offset: int
    masks: tuple[Mask, ...]


@dataclass(frozen=True)
class CacheState:
    """All that a cache is made of, to be held by another.

    Attributes:
        length: Of the sequence.
        positions: For each group of layers, the position of the token in each slot.
        layers: For each layer, what is in the slots; lazy, to be read once.
    """

    length: int
    positions: tuple[Positions, ...]
    layers: Iterable[LayerState]


class Cache:
    """The KV cache of one sequence: what is seen is `slots`' rule, how it is held the stores'.

    Layers whose model has a window of their own hold and see no more than that. Where the policy
    has a window too, the smaller one counts; what the policy pins is pinned in all layers.
    """

    def __init__(
        self,
        config: ModelConfig,
        policy: CachePolicy,
        rotate: Rotate,
        sliding_rotate: Rotate | None = None,
    ) -> None:
        """Start empty.

        Args:
            config: The model's shape.
            policy: What the user chose.
            rotate: Rotates keys of layers with full attention further by a number of positions.
            sliding_rotate: The same for sliding layers, where it differs.

        Raises:
            SettingError: The model has no such cache.
        """
        self._config, self._policy = config, policy
        longest = config.longest_sequence
        if longest is not None and policy.window is not None and policy.window > longest:
            raise SettingError(
                "This model's dynamic RoPE allows a window of at most {longest:,} tokens.",
                longest=longest,
            )
        groups: dict[int | None, LayerGroup] = {}
        for window in config.windows:
            if window not in groups:
                own = rotate if window is None else sliding_rotate or rotate
                groups[window] = _group(config.max_position_embeddings, window, policy, own)
        self._groups = tuple(groups.values())
        # Of what is told about a layer, that of one that holds most is told.
        self._widest = groups[None] if None in groups else self._groups[0]
        self.layers: tuple[LayerCache, ...] = tuple(
            groups[window].add(_store(config, policy), _store(config, policy))
            for window in config.windows
        )
        self._group_of_layer = layer_groups(config)

    @property
    def length(self) -> int:
        """How many tokens of the sequence have gone through the decoder."""
        return self._widest.length

    @property
    def span(self) -> int:
        """How many slots a query looks through."""
        return self._widest.span

    def expect(self, length: int) -> None:
        """Reserve for `length` tokens at once, so that a long prefill need not grow by steps."""
        for group in self._groups:
            group.expect(length)

    def chunk(self, most: int) -> int:
        """How many of the next `most` tokens one extension may add, at least 1."""
        return min(group.chunk(most) for group in self._groups)

    def extend(self, count: int) -> Extension:
        """Make place for the next `count` tokens, before the layers are updated with them."""
        offset = self.length
        masks: list[Mask] = [group.extend(count) for group in self._groups]
        return Extension(offset, tuple(masks[index] for index in self._group_of_layer))

    def reusable(self, length: int) -> int:
        """After how many of the first `length` tokens the sequence can be continued exactly.

        Where some layers must go further back than others, all go back as far as the strictest.
        """
        while (strictest := min(group.reusable(length) for group in self._groups)) < length:
            length = strictest
        return strictest

    def trim(self, length: int) -> None:
        """Forget every token from position `length` on, exactly: what stays is untouched."""
        for group in self._groups:
            group.trim(length)

    def positions(self) -> list[int]:
        """The position of the token in each slot, -1 where there is none."""
        return self._widest.positions()

    def state(self, length: int) -> CacheState:
        """What there would be after a trim to `length`, which can be continued exactly."""
        positions = tuple(group.trimmed(length) for group in self._groups)
        spans = [positions[index].size for index in self._group_of_layer]
        layers = (
            layer.copied(span) for layer, span in zip(self.layers, spans, strict=True) if span
        )
        return CacheState(length, positions, layers)

    def resume(self, state: CacheState, like: mx.array) -> None:
        """Hold in an empty cache what another one of the same policy held.

        Args:
            state: What that was; its layers are taken one after the other, to need little memory.
            like: Keys or values of a token, (1, Hkv, 1, D), as the model computes them.

        Raises:
            ValueError: No sequence of that length leaves slots like these.
        """
        for group, positions in zip(self._groups, state.positions, strict=True):
            group.resume(state.length, positions)
        if state.length:
            for layer, held in zip(self.layers, state.layers, strict=True):
                layer.resume(held, like)
                mx.eval(layer.arrays())

    def held(self) -> list[HeldLayer]:
        """A copy of what is stored, layer by layer; nothing while the cache is empty."""
        if not self.span:
            return []
        moves = [self._groups[index].moved_by for index in self._group_of_layer]
        return [layer.stored(by) for layer, by in zip(self.layers, moves, strict=True)]

    def by_layer(self) -> list[tuple[LayerCache, int, int]]:
        """Each layer, the tokens that it holds, and those that its buffers have room for."""
        groups = (self._groups[index] for index in self._group_of_layer)
        return [
            (layer, group.filled, group.slots)
            for layer, group in zip(self.layers, groups, strict=True)
        ]

    def arrays(self) -> list[mx.array]:
        """Every buffer, to be evaluated at the end of a prefill chunk."""
        return [array for layer in self.layers for array in layer.arrays()]

    @property
    def dtype(self) -> mx.Dtype:
        """Of keys and values as attention takes them, once there are any."""
        return self.layers[0].dtype

    @property
    def used_bytes(self) -> int:
        """Bytes of the slots that hold a token."""
        return sum(group.used_bytes for group in self._groups)

    @property
    def allocated_bytes(self) -> int:
        """Bytes of the buffers."""
        return sum(array.nbytes for array in self.arrays())

    @property
    def formula_bytes(self) -> int:
        """What the KV formula says that the tokens take which each layer holds."""
        if not self.slots:
            return 0
        bits = self._policy.bits
        return kv_bytes(
            replace(self._config, num_hidden_layers=1),
            self.filled_in_all_layers,
            bits=bits or self.dtype.size * 8,
            group_size=group_size(self._config.head_dim) if bits else GROUP_SIZE,
        )

    @property
    def shortfall(self) -> str:
        """Why `reusable` may be less than was asked for."""
        return _EVICTED

    @property
    def filled(self) -> int:
        """Tokens that are held, in the layers that hold most."""
        return self._widest.filled

    @property
    def filled_in_all_layers(self) -> int:
        """Tokens that are held, counted once for each layer that holds them."""
        return sum(group.filled * len(group.layers) for group in self._groups)

    @property
    def slots(self) -> int:
        """Tokens that the buffers have room for, in the layers that have most."""
        return self._widest.slots

    @property
    def peak_slots(self) -> int:
        """The most slots per layer that were ever allocated."""
        return self._widest.peak_slots


def layer_groups(config: ModelConfig) -> tuple[int, ...]:
    """For each layer, which group of layers that see alike it belongs to."""
    windows = list(dict.fromkeys(config.windows))
    return tuple(windows.index(window) for window in config.windows)


def layer_capacity(window: int | None, policy: CachePolicy) -> int | None:
    """The most slots of a layer with a `window` of its own; None where there is no bound."""
    return Slots(*seen_by(window, policy)).capacity


def seen_by(window: int | None, policy: CachePolicy) -> tuple[int | None, int]:
    """The window and the pinned tokens of layers that have a `window` of their own."""
    windows = [each for each in (window, policy.window) if each is not None]
    return min(windows, default=None), policy.pinned if policy.window is not None else 0


def _group(trained: int, window: int | None, policy: CachePolicy, rotate: Rotate) -> LayerGroup:
    """A group for layers with a `window` of their own, None for full attention."""
    reach = trained if window is None else min(trained, window)
    return LayerGroup(*seen_by(window, policy), reach, rotate)


def _store(config: ModelConfig, policy: CachePolicy) -> Store:
    if policy.bits is None:
        return PlainStore()
    return QuantizedStore(policy.bits, group_size(config.head_dim))
