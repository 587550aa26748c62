"""Runs decoders and caches in tests: in memory, in any chunks, next to the plain reference."""

import gc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import cast

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

import engine
from engine.cache import Cache, CachePolicy
from engine.chunk import Chunk
from engine.config import ModelConfig, parse_config
from engine.guard import MemoryGuard
from engine.layers import DenseEmbedding, DenseLinear, RMSNorm
from engine.llama import Decoder
from engine.prefill import ChunkSize
from engine.session import Session
from engine.weights import Weights
from tests.engine.checkpoints import Floats, TinyLlama
from tests.engine.reference import Doubles

Singles = NDArray[np.float32]


def singles(array: mx.array) -> Singles:
    """An array of float32, as NumPy has it."""
    assert array.dtype == mx.float32
    return cast("Singles", np.array(array))


def most_likely(logits: mx.array) -> int:
    """The token that greedy decoding takes."""
    return cast("int", mx.argmax(logits).item())


class ArrayTensors:
    """Tensors from memory, as files would offer them."""

    def __init__(self, arrays: dict[str, Floats]) -> None:
        self._arrays = arrays

    def matrix(self, module: str, rows: int, columns: int) -> mx.array:
        return self._take(f"{module}.weight", (rows, columns))

    def vector(self, name: str, size: int) -> mx.array:
        return self._take(name, (size,))

    def left_over(self) -> list[str]:
        return sorted(self._arrays)

    def _take(self, name: str, shape: tuple[int, ...]) -> mx.array:
        values = self._arrays.pop(name)
        assert values.shape == shape
        return mx.array(values)


def build(tiny: TinyLlama) -> tuple[ModelConfig, Decoder]:
    """A tiny random decoder, without a file."""
    config = parse_config(tiny.config())
    weights = Weights(ArrayTensors(tiny.tensors()), "memory")
    decoder = Decoder(config, weights)
    weights.finish()
    return config, decoder


def doubles(tiny: TinyLlama) -> Callable[[str], Doubles]:
    """The tiny model's weights as the reference takes them."""
    tensors = {name: values.astype(np.float64) for name, values in tiny.tensors().items()}
    return tensors.__getitem__


def checkpoint(decoder: Decoder) -> dict[str, mx.array]:
    """The weights of a dense decoder by their checkpoint names."""
    arrays: dict[str, mx.array] = {}

    def add(name: str, part: object) -> None:
        assert isinstance(part, DenseLinear | DenseEmbedding | RMSNorm), name
        arrays[f"{name}.weight"] = part.weight
        if isinstance(part, DenseLinear) and part.bias is not None:
            arrays[f"{name}.bias"] = part.bias

    add("model.embed_tokens", decoder.embed_tokens)
    for index, block in enumerate(decoder.layers):
        where = f"model.layers.{index}"
        for owner, names in (
            ("self_attn", ("q_proj", "k_proj", "v_proj", "o_proj")),
            ("mlp", ("gate_proj", "up_proj", "down_proj")),
        ):
            for name in names:
                add(f"{where}.{owner}.{name}", getattr(getattr(block, owner), name))
        add(f"{where}.input_layernorm", block.input_layernorm)
        add(f"{where}.post_attention_layernorm", block.post_attention_layernorm)
    add("model.norm", decoder.norm)
    if isinstance(decoder.lm_head, DenseLinear):
        add("lm_head", decoder.lm_head)
    return arrays


def new_cache(config: ModelConfig, decoder: Decoder, policy: CachePolicy) -> Cache:
    """An empty cache, as a session makes it."""
    return Cache(config, policy, decoder.rope.move, decoder.sliding_rope.move)


def feed(decoder: Decoder, cache: Cache, ids: Sequence[int], sizes: Iterable[int]) -> Singles:
    """Run `ids` through decoder and cache.

    Args:
        decoder: The network.
        cache: What holds the tokens before; extended by all of `ids`.
        ids: L token ids.
        sizes: How many to take at a time, one after the other; the last size goes on. A rotating
            cache may take fewer.

    Returns:
        Logits (L, V).
    """
    rows: list[Singles] = []
    size, sizes, done = 1, iter(sizes), 0
    while done < len(ids):
        size = next(sizes, size)
        piece = ids[done : done + cache.chunk(min(size, len(ids) - done))]
        hidden = decoder.hidden(mx.array([list(piece)]), cache)
        out = decoder.project(hidden)[0].astype(mx.float32)
        mx.eval(out, *cache.arrays())
        rows.append(singles(out))
        done += len(piece)
    return np.concatenate(rows) if rows else np.zeros((0, 0), np.float32)


def uncached(decoder: Decoder, ids: Sequence[int]) -> Singles:
    """Logits (L, V) of one pass without a cache."""
    out = decoder.project(decoder.hidden(mx.array([list(ids)])))[0].astype(mx.float32)
    return singles(out)


def text_of(chunks: Iterable[Chunk]) -> str:
    """The text of a whole reply."""
    return "".join(chunk.text for chunk in chunks)


def ids_of(chunks: Iterable[Chunk]) -> list[int]:
    """The tokens of a whole reply, without a flush of text at its end."""
    return [chunk.token for chunk in chunks if chunk.token is not None]


def cache_of(session: Session) -> Cache:
    """The cache inside a session of Cutaway's own decoder."""
    assert isinstance(session._cache, Cache)
    return session._cache


@dataclass(frozen=True)
class Held:
    """What a cache holds bit for bit: per layer and position, keys and values."""

    keys: list[dict[int, bytes]]
    values: list[dict[int, bytes]]


def held(cache: Cache) -> Held:
    """Copy everything a cache holds."""
    out = Held([], [])
    for layer in cache.layers:
        places = [(slot, at) for slot, at in enumerate(layer.positions()) if at >= 0]
        for part, into in zip(layer.held(), (out.keys, out.values), strict=True):
            array = singles(part)
            into.append({at: array[:, :, slot].tobytes() for slot, at in places})
    return out


class FixedChunk(ChunkSize):
    """A chunk size that does not learn, for tests in which it must not depend on the machine."""

    @override
    def measured(self, tokens: int, seconds: float) -> None:
        del tokens, seconds


def limited(model: engine.Model, extra_bytes: int, chunk: int = 16) -> engine.Model:
    """The same model, with so much memory beside what is in use, and chunks of a fixed size."""
    gc.collect()
    chunk_size = FixedChunk(model.config.parameters)
    chunk_size.tokens = chunk
    guard = MemoryGuard(mx.get_active_memory() + extra_bytes)
    return replace(model, common=replace(model.common, guard=guard, chunk_size=chunk_size))
