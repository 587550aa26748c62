"""Who made one logit: what the embedding and every part of every block contributed to it.

The residual stream is the sum of what the embedding and all parts added, and lm_head is linear; so
with the final norm's divisor held fixed a logit is a sum with one term for each of them (Elhage et
al. 2021, "A Mathematical Framework for Transformer Circuits").
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import mlx.core as mx

from engine.asked import check_pass, check_position, check_token, checked_ids
from engine.conditions import UNWATCHED, USUAL, Conditions, Watch
from engine.heads import Floats, floats
from engine.layers import DenseLinear, QuantizedLinear
from engine.model import Model
from engine.passes import passes


@dataclass(frozen=True, eq=False)
class LogitContributions:
    """The terms of one logit.

    Attributes:
        position: Where the token is predicted.
        token: Whose logit it is.
        logit: As the network computes it.
        embedding: What the token at the position itself brought.
        attention: (N,) float32, what attention of each block added.
        feed_forward: (N,) float32, what each feed-forward added.
        divisor: √(mean x² + ε) of the final norm, by which all terms are divided.
    """

    position: int
    token: int
    logit: float
    embedding: float
    attention: Floats
    feed_forward: Floats
    divisor: float

    @property
    def total(self) -> float:
        """The sum of all terms, which differs from `logit` by rounding alone."""
        return self.embedding + float(self.attention.sum()) + float(self.feed_forward.sum())


def logit_contributions(
    model: Model,
    ids: Sequence[int],
    position: int,
    token: int | None = None,
    *,
    conditions: Conditions = USUAL,
    watch: Watch = UNWATCHED,
) -> LogitContributions:
    """Take one logit apart.

    Args:
        model: One that runs in Cutaway's own decoder, on the thread that loaded it.
        ids: L token ids.
        position: Where the token is predicted.
        token: Whose logit; None for the most likely one.
        conditions: A rotating or quantised cache, or mask and RoPE set aside.
        watch: Follows and stops.

    Raises:
        UnsupportedError: The model runs through mlx-lm.
        PromptError: The ids are none, or not of this vocabulary.
        SettingError: There is no such position or token.
        MemoryLimitError: There is no memory for a pass.
        CancelledError: The caller stopped it.
    """
    checked = checked_ids(model, ids)
    check_position(checked, position)
    if token is not None:
        check_token(model.config, token)
    check_pass(model, len(checked))
    terms: list[mx.array] = []
    stream: mx.array | None = None
    for part in passes(model, checked, conditions, watch=watch):
        row = position - part.start
        if not 0 <= row < part.count:
            continue
        if part.layer == 0:
            terms.append(part.before[0, row])
        terms += [part.attention[0, row], part.feed_forward[0, row]]
        stream = part.after[0, row]
        mx.eval(terms, stream)
    assert stream is not None
    logits = model.decoder.project(stream[None, None])[0, 0].astype(mx.float32)
    token = cast("int", mx.argmax(logits).item()) if token is None else token
    norm = model.decoder.norm
    divisor = mx.sqrt(mx.mean(mx.square(stream.astype(mx.float32))) + norm.eps)
    direction = norm.weight.astype(mx.float32) * unembedding(model, token) / divisor
    found = floats(mx.stack(terms).astype(mx.float32) @ direction)
    return LogitContributions(
        position=position,
        token=token,
        logit=cast("float", logits[token].item()),
        embedding=float(found[0]),
        attention=found[1::2],
        feed_forward=found[2::2],
        divisor=cast("float", divisor.item()),
    )


def unembedding(model: Model, token: int) -> mx.array:
    """The row of lm_head that makes a token's logit, (hidden,) float32."""
    decoder, rows = model.decoder, mx.array([token])
    head = decoder.lm_head
    if isinstance(head, DenseLinear):
        row = head.weight[rows]
    elif isinstance(head, QuantizedLinear):
        row = head.matrix.dequantize(rows)
    else:
        row = decoder.embed_tokens(rows)
    return row[0].astype(mx.float32)
