"""The plain reference with its inside in the open, to hold what looks inside the engine against."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from typing_extensions import override

import engine
from tests.engine import reference
from tests.engine.checkpoints import TinyLlama
from tests.engine.reference import Bools, Doubles, Sight
from tests.engine.running import build, doubles


@dataclass
class Opened:
    """What the reference computed, per layer.

    Attributes:
        streams: (L, hidden) of the residual stream: the embedding, then after each block.
        attention: (L, hidden), what attention adds.
        weights: (H, L, L).
        read: Final norm and lm_head: from (…, hidden) to logits (…, V).
    """

    read: Callable[[Doubles], Doubles]

    streams: list[Doubles] = field(default_factory=list[Doubles])
    attention: list[Doubles] = field(default_factory=list[Doubles])
    weights: list[Doubles] = field(default_factory=list[Doubles])

    def feed_forward(self, layer: int) -> Doubles:
        """(L, hidden), what the feed-forward of a layer adds."""
        return self.streams[layer + 1] - self.streams[layer] - self.attention[layer]


def everything_seen(length: int) -> Sight:
    """No mask: every token sees all."""
    return Sight(np.ones((length, length), dtype=bool))


def open_up(
    config: Mapping[str, Any],
    weights: Callable[[str], Doubles],
    ids: Sequence[int],
    sight: Sight | None = None,
    *,
    rope: bool = True,
) -> Opened:
    """Run the reference and keep what is inside.

    Args:
        config: The content of config.json.
        weights: Checkpoint name → array.
        ids: L token ids.
        sight: What each of them sees.
        rope: Whether queries and keys are rotated.
    """
    model = _Recording(config, weights, sight or Sight(), len(ids), rope=rope)
    x = weights("model.embed_tokens.weight")[np.asarray(ids)]
    model.found.streams.append(x)
    for layer in range(config["num_hidden_layers"]):
        x = model.block(x, layer)
        model.found.streams.append(x)
    return model.found


class _Recording(reference._Reference):
    def __init__(
        self,
        config: Mapping[str, Any],
        weights: Callable[[str], Doubles],
        sight: Sight,
        length: int,
        *,
        rope: bool,
    ) -> None:
        super().__init__(config, weights, sight)
        tied = config.get("tie_word_embeddings", False)
        head = weights("model.embed_tokens.weight" if tied else "lm_head.weight")
        self.found = Opened(lambda x: self.norm(x, "model.norm") @ head.T)
        self._length = length
        if not rope:
            self._ropes = [_Still(each) for each in self._ropes]

    @override
    def _attention(self, x: Doubles, layer: int) -> Doubles:
        self.found.weights.append(np.zeros((self._heads, self._length, self._length)))
        out = super()._attention(x, layer)
        self.found.attention.append(out)
        return out

    @override
    def _mix(self, q: Doubles, k: Doubles, v: Doubles, visible: Bools) -> Doubles:
        shared = np.arange(self._heads) // (self._heads // self._kv_heads)
        scores = np.einsum("qhd,khd->hqk", q, k[:, shared]) / math.sqrt(self._dim)
        scores = np.where(visible[None], scores, -np.inf)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        # Queries come in groups; under a mask the last key that one sees is its own.
        last = self._length - 1 - np.argmax(visible[:, ::-1], axis=1)
        rows = np.arange(self._length) if len(visible) == self._length else last
        self.found.weights[-1][:, rows] = scores / scores.sum(axis=-1, keepdims=True)
        return super()._mix(q, k, v, visible)


class _Still(reference.Rotation):
    """Every token stands at position 0."""

    def __init__(self, rotation: reference.Rotation) -> None:
        vars(self).update(vars(rotation))

    @override
    def __call__(self, x: Doubles, positions: reference.NDArray[np.int64]) -> Doubles:
        return super().__call__(x, np.zeros_like(positions))


def tiny_model(like: engine.Model, tiny: TinyLlama) -> engine.Model:
    """A tiny random model in memory, with the tokenizer of another one."""
    config, decoder = build(tiny)
    return replace(like, config=config, network=decoder)


def open_tiny(
    tiny: TinyLlama, ids: Sequence[int], sight: Sight | None = None, *, rope: bool = True
) -> Opened:
    """The inside of a tiny random model."""
    return open_up(tiny.config(), doubles(tiny), ids, sight, rope=rope)


def tokens(count: int, seed: int = 7) -> list[int]:
    """Random token ids of a tiny model."""
    return np.random.default_rng(seed).integers(0, 288, count).tolist()
