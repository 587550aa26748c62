"""The whole network on the same tokens in two orders, with RoPE and mask and without."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import mlx.core as mx
import numpy as np

from engine.conditions import Conditions
from engine.exhibits.choosing import Likely
from engine.exhibits.common import Claim, Watch
from engine.exhibits.looking import followed, largest, rounding_bound, top_tokens
from engine.heads import Floats, floats
from engine.model import Model
from engine.passes import passes

_CONDITIONS = (
    ("usual", Conditions()),
    ("no_rope", Conditions(rope=False)),
    ("no_rope_no_mask", Conditions(rope=False, mask=False)),
)


@dataclass(frozen=True)
class Stack:
    """The whole network on both orders, under one condition.

    Attributes:
        name: `usual`; `no_rope`; `no_rope_no_mask`.
        by_layer: After each block, how far the last token's vector is apart in both orders, as a
            share of its length.
        difference: The largest difference of a logit after the last token.
        rounding_bound: What another order of the same sums may change.
        first: The most likely next tokens in the first order.
        other: In the other order.
    """

    name: str
    by_layer: tuple[float, ...]
    difference: float
    rounding_bound: float
    first: tuple[Likely, ...]
    other: tuple[Likely, ...]


def run_stacks(
    model: Model, pair: tuple[Sequence[int], Sequence[int]], shown: int, watch: Watch
) -> Iterator[Stack]:
    """Run both orders under one condition after the other.

    Args:
        model: One that runs in Cutaway's own decoder.
        pair: The token ids in both orders, with the same token at the end.
        shown: How many of the most likely next tokens are told.
        watch: Follows and stops.
    """
    share = 1 / len(_CONDITIONS)
    for index, (name, conditions) in enumerate(_CONDITIONS):
        part = watch.part(index * share, (index + 1) * share)
        yield _stack(model, name, pair, conditions, shown, part)


def stack_claims(stacks: Sequence[Stack]) -> Iterator[Claim]:
    """What should be seen, once all conditions were run."""
    if len(stacks) < len(_CONDITIONS):
        return
    usual, no_rope, neither = stacks
    yield Claim(
        "without_both",
        "Without RoPE and without the causal mask the whole network cannot tell both orders "
        "apart: they give the same logits but for rounding.",
        neither.difference, "≤", neither.rounding_bound, "logits",
    )  # fmt: skip
    yield Claim(
        "mask_leaks_order",
        "Without RoPE alone it still can: the logits differ by more than that. So it is the mask "
        "that tells the order.",
        no_rope.difference, ">", neither.difference, "logits",
    )  # fmt: skip
    yield Claim(
        "network_knows",
        "The network as it is says something else after the other order.",
        usual.difference, ">", neither.difference, "logits",
    )  # fmt: skip


def _stack(
    model: Model,
    name: str,
    pair: tuple[Sequence[int], Sequence[int]],
    conditions: Conditions,
    shown: int,
    watch: Watch,
) -> Stack:
    first, other = (
        _streams(model, ids, conditions, watch.part(0.5 * index, 0.5 * index + 0.5))
        for index, ids in enumerate(pair)
    )
    logits = [
        floats(model.decoder.project(streams[-1][None, None])[0, 0]) for streams in (first, other)
    ]
    apart = [_apart(floats(a), floats(b)) for a, b in zip(first, other, strict=True)]
    return Stack(
        name=name,
        by_layer=tuple(apart),
        difference=largest(logits[0] - logits[1]),
        rounding_bound=rounding_bound(model, max(map(largest, logits))),
        first=top_tokens(model, logits[0], shown),
        other=top_tokens(model, logits[1], shown),
    )


def _streams(
    model: Model, ids: Sequence[int], conditions: Conditions, watch: Watch
) -> list[mx.array]:
    """The residual stream (hidden,) of the last token after each block."""
    found = [part.after[0, -1] for part in passes(model, ids, conditions, watch=followed(watch))]
    mx.eval(found)
    return found


def _apart(one: Floats, other: Floats) -> float:
    """The length of the difference as a share of the length of the first, which has some."""
    return float(np.linalg.norm(one - other) / np.linalg.norm(one))
