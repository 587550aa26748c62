"""What the layers make of a text, for the playground: lens, one logit, one block, neighbours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import engine
from app.jobs.attention import conditions_of
from engine.conditions import Watch
from engine.pieces import spelled_out
from ui.playground.attention_values import (
    FIRST,
    BlockStep,
    BlockView,
    Guess,
    LensView,
    NearView,
    Need,
    NeighboursView,
    ShareView,
)

if TYPE_CHECKING:
    from app.jobs.workbench import Workbench
    from engine.heads import Floats
    from ui.playground.attention_values import (
        BlockAsked,
        LensAsked,
        NeighboursAsked,
        ShareAsked,
    )

_TOP = 5
_NEIGHBOURS = 20


def lens_of(bench: Workbench, asked: LensAsked) -> LensView:
    """What each layer would predict at some positions; what it takes is reported first.

    Raises:
        engine.EngineError: As `engine.logit_lens` does.
    """
    model = bench.model
    top = min(_TOP, model.config.vocab_size)
    needed = engine.lens_bytes(model.config, len(asked.ids), len(asked.positions), top)
    bench.report(0.0, Need(needed))
    lens = engine.logit_lens(
        model,
        asked.ids,
        top,
        positions=asked.positions,
        conditions=conditions_of(asked.cache),
        watch=Watch(bench.cancelled, bench.report),
    )
    texts: dict[int, str] = {}

    def guess(token: int, probability: float) -> Guess:
        if token not in texts:
            texts[token] = spelled_out(model.tokenizer, token)
        return Guess(token, texts[token], probability)

    guesses = tuple(
        tuple(
            tuple(guess(token, probability) for token, probability in zip(*cell, strict=True))
            for cell in zip(ids, probabilities, strict=True)
        )
        for ids, probabilities in zip(
            lens.top_ids.tolist(), lens.top_probabilities.tolist(), strict=True
        )
    )
    return LensView(
        ids=asked.ids,
        positions=asked.positions,
        guesses=guesses,
        entropies=_rows(lens.entropies / math.log(2)),
        residual=_rows(lens.residual_norms),
        attention=_rows(lens.attention_norms),
        feed_forward=_rows(lens.feed_forward_norms),
        needed_bytes=needed,
    )


def share_of(bench: Workbench, asked: ShareAsked) -> ShareView:
    """Who made one logit.

    Raises:
        engine.EngineError: As `engine.logit_contributions` does.
    """
    model = bench.model
    found = engine.logit_contributions(
        model,
        asked.ids,
        asked.position,
        asked.token,
        conditions=conditions_of(asked.cache),
        watch=Watch(bench.cancelled, bench.report),
    )
    return ShareView(
        position=found.position,
        token=found.token,
        text=spelled_out(model.tokenizer, found.token),
        logit=found.logit,
        embedding=found.embedding,
        attention=tuple(found.attention.tolist()),
        feed_forward=tuple(found.feed_forward.tolist()),
        total=found.total,
    )


def block_of(bench: Workbench, asked: BlockAsked) -> BlockView:
    """One token's way through one block.

    Raises:
        engine.EngineError: As `engine.trace_block` does.
    """
    trace = engine.trace_block(
        bench.model,
        asked.ids,
        asked.layer,
        asked.position,
        conditions=conditions_of(asked.cache),
        watch=Watch(bench.cancelled, bench.report),
    )
    steps = tuple(
        BlockStep(
            step.name,
            step.function,
            len(step.values),
            step.norm,
            step.rms,
            step.largest,
            tuple(step.values[:FIRST].tolist()),
        )
        for step in trace.steps
    )
    return BlockView(trace.layer, trace.position, steps)


def neighbours_of(bench: Workbench, asked: NeighboursAsked) -> NeighboursView:
    """The tokens whose embeddings point the same way.

    Raises:
        engine.EngineError: As `engine.neighbours` does.
    """
    model = bench.model
    count = min(_NEIGHBOURS, model.config.vocab_size - 1)
    found = engine.neighbours(model, asked.token, count, watch=Watch(bench.cancelled, bench.report))
    return NeighboursView(
        token=found.token,
        text=spelled_out(model.tokenizer, found.token),
        norm=found.norm,
        first=tuple(found.vector[:FIRST].tolist()),
        width=len(found.vector),
        nearest=tuple(
            NearView(each.token, spelled_out(model.tokenizer, each.token), each.cosine, each.norm)
            for each in found.nearest
        ),
        tied=found.tied,
        bits=found.bits,
    )


def _rows(table: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in table.tolist())
