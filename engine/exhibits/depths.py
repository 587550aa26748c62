"""From shallow to deep: what one token's vector says after each block, by the logit lens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import mlx.core as mx
import numpy as np

from engine.exhibits.choosing import Likely
from engine.exhibits.common import Claim, Watch
from engine.exhibits.looking import followed, listed
from engine.exhibits.scoring import alone
from engine.lens import LogitLens, logit_lens
from engine.likely import likely
from engine.model import Model


@dataclass(frozen=True)
class Depth:
    """The token's vector after a block, and what the network would say if it ended there.

    Attributes:
        block: Counted from 0; None for the embedding, before the first.
        norm: Length of the vector.
        attention: Length of what the block's attention added; None for the embedding.
        feed_forward: Length of what its feed-forward added.
        top: The most likely next tokens, by final norm and lm_head.
        entropy: In nats.
        answer_leads: Whether the network's final answer is the most likely one already.
    """

    block: int | None
    norm: float
    attention: float | None
    feed_forward: float | None
    top: tuple[Likely, ...]
    entropy: float
    answer_leads: bool


@dataclass(frozen=True)
class Depths:
    """From shallow to deep.

    Attributes:
        each: The embedding, then after every block.
        answer: What the network says at last.
        first_leads: After which block that first leads; None where with the embedding already.
        leads_from: After which block it leads and never ceases to.
        model_top: The most likely next tokens by the network itself, without a lens.
        differing: How many of these differ in token or, to the last bit, in probability from what
            the lens says after the last block.
    """

    each: tuple[Depth, ...]
    answer: str
    first_leads: int | None
    leads_from: int | None
    model_top: tuple[Likely, ...]
    differing: int


def look_down(
    model: Model, ids: Sequence[int], position: int, shown: int, watch: Watch
) -> tuple[Depths, mx.array]:
    """Read one token's vector after every block.

    Args:
        model: One that runs in Cutaway's own decoder.
        ids: The tokens.
        position: Of the token.
        shown: How many of the most likely next tokens are told.
        watch: Follows and stops.

    Returns:
        What is read, and (hidden,) the vector after the last block as the network computes it.
    """
    lens = logit_lens(model, ids, shown, positions=[position], watch=followed(watch))
    stream = model.decoder.hidden(mx.array([list(ids)], dtype=mx.int32))[0, position]
    mx.eval(stream)
    return _depths(model, lens, stream), stream


def depth_claims(depths: Depths) -> Iterator[Claim]:
    """What should be seen of them."""
    yield Claim(
        "lens_is_exact",
        "After the last block the logit lens is the model's own prediction, to the last bit.",
        depths.differing, "=", 0, "tokens that differ",
    )  # fmt: skip


def _depths(model: Model, lens: LogitLens, stream: mx.array) -> Depths:
    top = lens.top_ids.shape[-1]
    own = likely(model.decoder.project(stream[None, None])[0].astype(mx.float32), top)
    own_chances = np.exp(own.logprobs)
    same = (own.ids[0] == lens.top_ids[-1, 0]) & (own_chances[0] == lens.top_probabilities[-1, 0])
    answer = int(own.ids[0, 0])
    each = tuple(_depth(model, lens, row, answer) for row in range(len(lens.top_ids)))
    leads = [depth.answer_leads for depth in each]
    first = leads.index(True) if True in leads else len(leads) - 1
    from_here = len(leads) - next(
        (back for back, lead in enumerate(reversed(leads)) if not lead), len(leads)
    )
    return Depths(
        each=each,
        answer=alone(model, [answer])[0],
        first_leads=each[first].block,
        leads_from=each[min(from_here, len(leads) - 1)].block,
        model_top=listed(model, own.ids[0], own_chances[0]),
        differing=int(np.count_nonzero(~same)),
    )


def _depth(model: Model, lens: LogitLens, row: int, answer: int) -> Depth:
    block = row - 1
    return Depth(
        block=block if row else None,
        norm=float(lens.residual_norms[row, 0]),
        attention=float(lens.attention_norms[block, 0]) if row else None,
        feed_forward=float(lens.feed_forward_norms[block, 0]) if row else None,
        top=listed(model, lens.top_ids[row, 0], lens.top_probabilities[row, 0]),
        entropy=float(lens.entropies[row, 0]),
        answer_leads=int(lens.top_ids[row, 0, 0]) == answer,
    )
