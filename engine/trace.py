"""One token's way through a block, with the real magnitude of everything on it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import mlx.core as mx
import numpy as np

from engine.conditions import UNWATCHED, USUAL, Conditions, Watch
from engine.heads import Floats, floats, rope_of
from engine.kernels import swiglu
from engine.layers import Linear
from engine.model import Model
from engine.passes import BlockPass, pass_at


@dataclass(frozen=True, eq=False)
class Step:
    """One thing that a block makes of a token's vector.

    Attributes:
        name: `input`, `input_layernorm`, `q_proj`, `k_proj`, `v_proj`, `rope_q`, `rope_k`, `heads`,
            `o_proj`, `attention_residual`, `post_attention_layernorm`, `gate_proj`, `up_proj`,
            `swiglu`, `down_proj`, `output`. Norms of queries and keys are part of their RoPE.
        function: What in the engine computes it, as `engine.layers.RMSNorm`.
        values: (width,) float32.
        norm: Their length, √Σx².
        rms: Their root mean square, √(Σx² / width).
        largest: The largest absolute value.
    """

    name: str
    function: str
    values: Floats
    norm: float
    rms: float
    largest: float


@dataclass(frozen=True, eq=False)
class BlockTrace:
    """A token's way through one block.

    Attributes:
        layer: The block, counted from 0.
        position: Of the token.
        token: Its id.
        steps: In the order in which they are computed.
    """

    layer: int
    position: int
    token: int
    steps: tuple[Step, ...]

    def __getitem__(self, name: str) -> Step:
        """The step of that name.

        Raises:
            KeyError: There is none.
        """
        return {step.name: step for step in self.steps}[name]


def trace_block(
    model: Model,
    ids: Sequence[int],
    layer: int,
    position: int,
    *,
    conditions: Conditions = USUAL,
    watch: Watch = UNWATCHED,
) -> BlockTrace:
    """Follow one token through one block.

    Args:
        model: One that runs in Cutaway's own decoder.
        ids: L token ids.
        layer: Which block, counted from 0.
        position: Which token.
        conditions: A rotating or quantised cache, or mask and RoPE set aside.
        watch: Follows and stops.

    Raises:
        UnsupportedError: The model runs through mlx-lm.
        PromptError: The ids are none, or not of this vocabulary.
        SettingError: There is no such layer or token.
        MemoryLimitError: There is no memory for a pass.
        CancelledError: The caller stopped it.
    """
    part, row = pass_at(model, ids, layer, position, conditions, watch)
    steps = tuple(_step(name, owner, vector) for name, owner, vector in _vectors(model, part, row))
    return BlockTrace(layer, position, int(ids[position]), steps)


def _vectors(model: Model, part: BlockPass, row: int) -> Iterator[tuple[str, object, mx.array]]:
    """Name, what computes it, and (width,) of each step."""
    block = model.decoder.layers[part.layer]
    attn, mlp, rope, heads = block.self_attn, block.mlp, rope_of(model, part.layer), part.heads

    def projected(linear: Linear, x: mx.array) -> mx.array:
        # All rows again: a matrix times one vector is rounded otherwise than times many.
        return linear(x)[0, row]

    gate, up = (projected(linear, part.middle_normed) for linear in (mlp.gate_proj, mlp.up_proj))
    before = model.decoder.embed_tokens if part.layer == 0 else block
    yield "input", before, part.before[0, row]
    yield "input_layernorm", block.input_layernorm, part.normed[0, row]
    yield "q_proj", attn.q_proj, projected(attn.q_proj, part.normed)
    yield "k_proj", attn.k_proj, projected(attn.k_proj, part.normed)
    yield "v_proj", attn.v_proj, projected(attn.v_proj, part.normed)
    yield "rope_q", rope, heads.queries[:, row].reshape(-1)
    yield "rope_k", rope, heads.own_keys[:, row].reshape(-1)
    yield "heads", attn, part.mixed[0, row]
    yield "o_proj", attn.o_proj, part.attention[0, row]
    yield "attention_residual", block, part.middle[0, row]
    yield "post_attention_layernorm", block.post_attention_layernorm, part.middle_normed[0, row]
    yield "gate_proj", mlp.gate_proj, gate
    yield "up_proj", mlp.up_proj, up
    yield "swiglu", mlp, swiglu(gate[None, None], up[None, None])[0, 0]
    yield "down_proj", mlp.down_proj, part.feed_forward[0, row]
    yield "output", block, part.after[0, row]


def _step(name: str, owner: object, vector: mx.array) -> Step:
    values = floats(vector)
    wide = values.astype(np.float64)
    kind = type(owner)
    return Step(
        name=name,
        function=f"{kind.__module__}.{kind.__qualname__}",
        values=values,
        norm=float(np.linalg.norm(wide)),
        rms=float(np.sqrt(np.mean(wide * wide))),
        largest=float(np.abs(wide).max()),
    )
