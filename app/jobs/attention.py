"""Attention of a layer for the playground: heat maps, small multiples, and one token's walk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import engine
from app.spoken import spoken
from engine.cache import seen_by
from engine.conditions import Conditions, Watch
from ui.playground.attention_values import (
    FIRST,
    CacheView,
    KeyView,
    LayerAttention,
    ModelShape,
    Need,
    WalkView,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.jobs.workbench import Workbench
    from ui.playground.attention_values import AttentionAsked, ShapeAsked, WalkAsked

QUIET_BYTES = 512 << 20
"""More than this is not taken before the user agrees."""
THUMB = 96
"""Rows and columns of a small picture; longer texts are shown by the largest of each block."""


def shape_of(bench: Workbench, _asked: ShapeAsked) -> ModelShape:
    """What can be chosen of the loaded model; says where it cannot be looked into."""
    model = bench.model
    try:
        layers = len(model.decoder.layers)
    except engine.UnsupportedError as error:
        return ModelShape(refusal=spoken(error))
    return ModelShape(layers, model.config.num_attention_heads)


def attention_of(bench: Workbench, asked: AttentionAsked) -> LayerAttention | Need:
    """Attention of one layer, or what it would take where that must be agreed to first.

    All heads are computed where they fit below `QUIET_BYTES`, so that the next one is there at
    once; beyond it only what was asked for. What is going to be needed is reported first.

    Raises:
        engine.EngineError: The model, the text, the layer, the head or the cache do not suit.
    """
    model, count = bench.model, len(asked.ids)
    heads = model.config.num_attention_heads
    value_bytes = model.network.dtype.size
    whole = engine.attention_bytes(model.config, count, value_bytes=value_bytes)
    every = asked.every or whole <= QUIET_BYTES
    needed = engine.attention_bytes(
        model.config, count, None if every else 1, value_bytes=value_bytes
    )
    ask = needed > QUIET_BYTES and not asked.confirmed
    need = Need(needed, ask)
    bench.report(0.0, need)
    if ask:
        return need
    conditions = conditions_of(asked.cache)
    watch = Watch(bench.cancelled, bench.report)
    mean: NDArray[np.float32] | None = None
    if asked.head is None and not every:
        some: tuple[int, ...] = ()
        weights = np.zeros((0, count, count), np.float32)
        mean = engine.mean_attention(
            model, asked.ids, asked.layer, conditions=conditions, watch=watch
        )
    else:
        some = tuple(range(heads)) if every or asked.head is None else (asked.head,)
        weights = engine.attention(
            model, asked.ids, asked.layer, some, conditions=conditions, watch=watch
        )
        if every:
            mean = np.add.reduce(weights, axis=0) / np.float32(heads)
    side = min(count, THUMB)
    window, pinned = seen_by(model.config.windows[asked.layer], conditions.policy)
    return LayerAttention(
        ids=asked.ids,
        layer=asked.layer,
        cache=asked.cache,
        heads=some,
        weights=tuple(each.tobytes() for each in weights),
        mean=None if mean is None else mean.tobytes(),
        thumbs=tuple(_thumb(each, side).tobytes() for each in weights) if every else (),
        side=side,
        highs=tuple(_high(each) for each in weights),
        mean_high=1.0 if mean is None else _high(mean),
        seen=CacheView(window, pinned, asked.cache.bits),
        needed_bytes=needed,
    )


def walk_of(bench: Workbench, asked: WalkAsked) -> WalkView:
    """One token followed through one head, with the numbers that are shown of it.

    Raises:
        engine.EngineError: As `engine.walk_attention` does.
    """
    walk = engine.walk_attention(
        bench.model,
        asked.ids,
        asked.layer,
        asked.head,
        asked.position,
        conditions=conditions_of(asked.cache),
        watch=Watch(bench.cancelled, bench.report),
    )
    key_norms = _norms(walk.keys)
    value_norms = _norms(walk.values)
    keys = tuple(
        KeyView(
            position=position,
            key=_numbers(walk.keys[n, :FIRST]),
            key_norm=key_norms[n],
            product=float(walk.products[n]),
            score=float(walk.scores[n]),
            weight=float(walk.weights[n]),
            value=_numbers(walk.values[n, :FIRST]),
            value_norm=value_norms[n],
        )
        for n, position in enumerate(walk.positions)
    )
    return WalkView(
        layer=walk.layer,
        head=walk.head,
        kv_head=walk.kv_head,
        position=walk.position,
        query_unrotated=_numbers(walk.query_unrotated),
        query=_numbers(walk.query),
        scale=walk.scale,
        keys=keys,
        mixed=_numbers(walk.mixed),
        contribution_norm=float(np.linalg.norm(walk.contribution)),
        output_norm=float(np.linalg.norm(walk.output)),
    )


def conditions_of(cache: CacheView) -> Conditions:
    """The engine's conditions for a cache.

    Raises:
        engine.SettingError: A number has no meaning.
    """
    pinned = 0 if cache.window is None else cache.pinned
    return Conditions(engine.CachePolicy(cache.window, pinned, cache.bits))


def _thumb(weights: NDArray[np.float32], side: int) -> NDArray[np.float32]:
    """The largest of each of side × side blocks."""
    starts = np.arange(side) * len(weights) // side
    rows = np.maximum.reduceat(weights, starts, axis=0)
    return np.maximum.reduceat(rows, starts, axis=1)


def _high(weights: NDArray[np.float32]) -> float:
    """The largest weight beside those that are given to the first token."""
    return float(weights[1:, 1:].max()) or 1.0 if len(weights) > 1 else 1.0


def _norms(vectors: NDArray[np.float32]) -> list[float]:
    return [float(norm) for norm in np.linalg.norm(vectors, axis=-1)]


def _numbers(vector: Sequence[float] | NDArray[np.float32]) -> tuple[float, ...]:
    return tuple(float(number) for number in vector)
