"""Exhibit 3: inside a block. One token's way through the network, with its real magnitudes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import mlx.core as mx
import numpy as np

from engine.asked import check_layer
from engine.exhibits.common import (
    Claim,
    Exhibit,
    How,
    Inputs,
    Note,
    Watch,
    how,
    text,
    whole,
)
from engine.exhibits.depths import Depths, depth_claims, look_down
from engine.exhibits.looking import followed, largest, tokens_of
from engine.exhibits.parameters import Parameters, count_parameters, parameter_claims
from engine.exhibits.scoring import pieces
from engine.heads import floats
from engine.layers import RMSNorm
from engine.lens import logit_lens
from engine.likely import likely
from engine.model import Model
from engine.neighbours import parameter_counts
from engine.trace import BlockTrace, Step, trace_block

_BLOCK, _LENS = 0.2, 0.9  # shares of the whole that are done after these parts
_TINY = 1e-6  # weights below it, relative to the largest, cannot be divided by
_ROUNDINGS = 16  # of one number that a few operations make


@dataclass(frozen=True)
class InsideABlockInputs(Inputs):
    """What can be set."""

    text: str = text("The capital of France is", "the text that is run")
    position: int = whole(
        -1, -1, 4095, "the token that is followed, from 0; -1, and where there are fewer, the last"
    )
    layer: int = whole(0, 0, 4095, "the block that is opened, from 0")
    numbers: int = whole(8, 1, 64, "how many numbers of each vector are shown")
    shown: int = whole(5, 1, 20, "how many of the most likely tokens are listed after each block")


@dataclass(frozen=True)
class StepSeen:
    """One thing that the block makes of the token's vector.

    Attributes:
        name: As in `engine.trace.Step`: `input`, `input_layernorm`, `q_proj` and so on.
        function: What in the engine computes it.
        width: How many numbers it has.
        first: The first of them.
        norm: Their length.
        rms: Their root mean square.
        largest: The largest absolute value.
    """

    name: str
    function: str
    width: int
    first: tuple[float, ...]
    norm: float
    rms: float
    largest: float


@dataclass(frozen=True)
class NormSeen:
    """An RMSNorm of the block.

    Attributes:
        name: `input_layernorm` or `post_attention_layernorm`.
        input_rms: Root mean square of what goes in.
        weight_rms: That of its weight.
        output_rms: That of what comes out.
        unweighted_rms: That of what comes out, divided by the weight.
        expected_rms: What that should be: √(m / (m + ε)) with m = input_rms², almost 1.
        differs: How far its output is from x / √(m + ε) × weight at most.
        rounding: What rounding may make of that.
    """

    name: str
    input_rms: float
    weight_rms: float
    output_rms: float
    unweighted_rms: float
    expected_rms: float
    differs: float
    rounding: float


@dataclass(frozen=True)
class Block:
    """The block that is opened.

    Attributes:
        steps: In the order in which they are computed.
        norms: Its two RMSNorms.
        residual_differs: How far input + attention + feed-forward is from its output at most.
        rounding: What rounding may make of that.
    """

    steps: tuple[StepSeen, ...]
    norms: tuple[NormSeen, ...]
    residual_differs: float
    rounding: float


@dataclass(frozen=True)
class InsideABlockResult:
    """What was measured.

    Attributes:
        inputs: What was set.
        pieces: The text's tokens.
        position: Of the token that is followed.
        block: None while it is not done.
        depths: None while it is not done.
        parameters: None while they are not counted.
        notes: Where care is needed.
        how: How the figures are computed.
    """

    inputs: InsideABlockInputs
    pieces: tuple[str, ...]
    position: int
    block: Block | None
    depths: Depths | None
    parameters: Parameters | None
    notes: tuple[Note, ...]
    how: tuple[How, ...]


def measure(
    model: Model,
    inputs: InsideABlockInputs,
    watch: Watch,
) -> InsideABlockResult:
    """Open one block, look through all with the logit lens, and count the parameters.

    Raises:
        UnsupportedError: The model runs through mlx-lm.
        PromptError: The text is empty or too long.
        SettingError: There is no such block.
        CancelledError: It was stopped.
    """
    check_layer(model, inputs.layer)
    ids = tokens_of(model, inputs.text)
    last = len(ids) - 1
    position = last if inputs.position < 0 else min(inputs.position, last)
    texts = pieces(model, ids)
    result = InsideABlockResult(inputs, texts, position, None, None, None, _notes(model), _HOW)
    part = followed(watch.part(0.0, _BLOCK))
    trace = trace_block(model, ids, inputs.layer, position, watch=part)
    result = replace(result, block=_block(model, trace, inputs.numbers))
    watch.tell(_BLOCK, result)
    part = watch.part(_BLOCK, _LENS)
    depths, stream = look_down(model, ids, position, inputs.shown, part)
    result = replace(result, depths=depths)
    watch.tell(_LENS, result)
    answer = depths.model_top[0].token
    result = replace(result, parameters=count_parameters(model, stream, answer))
    watch.tell(1.0, result)
    return result


def claims(result: InsideABlockResult) -> Iterator[Claim]:
    """What should be seen, as far as it is measured."""
    if result.block is not None:
        yield from _block_claims(result.block)
    if result.depths is not None:
        yield from depth_claims(result.depths)
    if result.parameters is not None:
        yield from parameter_claims(result.parameters)


def _block_claims(block: Block) -> Iterator[Claim]:
    yield Claim(
        "residual",
        "What leaves the block is what came in plus what attention and feed-forward added.",
        block.residual_differs, "≤", block.rounding, "per number",
    )  # fmt: skip
    worst = max(block.norms, key=lambda norm: norm.differs - norm.rounding)
    yield Claim(
        "rms_norm",
        "RMSNorm divides the vector by its root mean square and multiplies it by a learnt weight, "
        "number by number.",
        worst.differs, "≤", worst.rounding, "per number",
    )  # fmt: skip
    yield Claim(
        "rms_of_one",
        "So without the weight each vector has a root mean square of one, less what ε takes.",
        max(abs(norm.unweighted_rms - norm.expected_rms) for norm in block.norms), "≤",
        max(norm.rounding / max(norm.output_rms, 1e-30) for norm in block.norms), "rms",
    )  # fmt: skip


def _block(model: Model, trace: BlockTrace, numbers: int) -> Block:
    decoder = model.decoder.layers[trace.layer]
    parts = [trace[name].values for name in ("input", "o_proj", "down_proj")]
    output = trace["output"].values
    eps = float(mx.finfo(model.network.dtype).eps)
    return Block(
        steps=tuple(_step(step, numbers) for step in trace.steps),
        norms=(
            _norm(decoder.input_layernorm, trace["input"], trace["input_layernorm"], eps),
            _norm(
                decoder.post_attention_layernorm,
                trace["attention_residual"],
                trace["post_attention_layernorm"],
                eps,
            ),
        ),
        residual_differs=largest(np.sum(parts, axis=0, dtype=np.float64) - output),
        rounding=_ROUNDINGS * eps * max(map(largest, [*parts, output])),
    )


def _step(step: Step, numbers: int) -> StepSeen:
    return StepSeen(
        name=step.name,
        function=step.function,
        width=step.values.size,
        first=tuple(map(float, step.values[:numbers])),
        norm=step.norm,
        rms=step.rms,
        largest=step.largest,
    )


def _norm(norm: RMSNorm, before: Step, after: Step, eps: float) -> NormSeen:
    weight = floats(norm.weight).astype(np.float64)
    mean_square = before.rms**2
    expected = before.values / np.sqrt(mean_square + norm.eps) * weight
    usable = np.abs(weight) > _TINY * largest(weight)
    return NormSeen(
        name=after.name,
        input_rms=before.rms,
        weight_rms=_rms(weight),
        output_rms=after.rms,
        # Numbers whose weight is 0 say nothing; all others must, so they are held against the same.
        unweighted_rms=_rms(after.values[usable] / weight[usable]),
        expected_rms=_rms(before.values[usable]) / float(np.sqrt(mean_square + norm.eps)),
        differs=largest(after.values - expected),
        rounding=_ROUNDINGS * eps * largest(expected),
    )


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(values, dtype=np.float64))))


def _notes(model: Model) -> tuple[Note, ...]:
    notes = [
        Note(
            "lens_is_a_view",
            "The logit lens reads a vector in the middle of the network as if it were the last "
            "one. Nothing made the network write there what can be read so; that an answer does "
            "not lead yet does not show that the network does not have it.",
        ),
        Note(
            "magnitudes",
            "A long vector is not an important one: the next RMSNorm divides by the length, and "
            "what counts is the direction that it adds. Some dimensions are large in every token.",
        ),
        Note(
            "rounding",
            "The sums are rounded at each step, so that they agree up to the last digits of the "
            "precision that the model runs in.",
        ),
        Note(
            "blocks_hold_most",
            "The share of the embedding falls as models grow: it grows with the width, the blocks "
            "with its square and with the depth. Small models with a large vocabulary are "
            "embedding to a good part, which is why they tie it to lm_head.",
        ),
    ]
    if model.config.qk_norm:
        notes.append(
            Note(
                "query_and_key_norms",
                "This model also normalises each head's queries and keys before RoPE.",
            )
        )
    if model.config.quantization is not None:
        notes.append(
            Note(
                "quantised",
                "The weights are held in few bits; scales and biases of their groups are not "
                "counted as parameters.",
            )
        )
    return tuple(notes)


_HOW = (
    how("block.steps", trace_block, "each module's output for this token; √Σx², √(Σx² / width)"),
    how("block.norms", RMSNorm.__call__, "x / √(mean(x²) + ε) × weight"),
    how("block.residual_differs", trace_block, "max |input + o_proj + down_proj - output|"),
    how("depths.each", logit_lens, "softmax(lm_head(RMSNorm(x after the block)))"),
    how("depths.differing", likely, "the same of what the network itself computes, bit for bit"),
    how(
        "parameters.formula",
        parameter_counts,
        "V × hidden + layers × (2 × hidden × (H + Hkv) × D + 3 × hidden × inner + 2 × hidden) + "
        "hidden, + V × hidden where lm_head is not tied, + biases and norms of queries and keys",
    ),
    how("parameters.loaded", count_parameters, "Σ numbers in the arrays, tied ones once"),
)

EXHIBIT = Exhibit(3, "inside_a_block", "Inside a block", InsideABlockInputs, measure, claims)
