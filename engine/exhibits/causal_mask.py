"""Exhibit 5: the causal mask, and how the future leaks where it is set aside."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.asked import check_layer
from engine.attention import mean_attention
from engine.conditions import Conditions
from engine.errors import PromptError
from engine.exhibits.choosing import Likely
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
from engine.exhibits.comparing import common_length
from engine.exhibits.looking import (
    Grid,
    followed,
    grid,
    largest,
    rounding_bound,
    softmax,
    tokens_of,
    top_tokens,
)
from engine.exhibits.scoring import pieces
from engine.heads import Floats
from engine.lens import logits_at
from engine.model import Model

MOST_TOKENS = 96
"""Of one text: the grid has its square."""


@dataclass(frozen=True)
class CausalMaskInputs(Inputs):
    """What can be set."""

    beginning: str = text("The bank was", "the words that both texts begin with", most=500)
    ending: str = text(
        " steep and muddy, so we sat down in the grass", "how the first text goes on", most=500
    )
    other_ending: str = text(
        " closed, so nobody could pay the bills today", "how the second text goes on", most=500
    )
    layer: int = whole(0, 0, 4095, "layer whose attention is shown, from 0")
    shown: int = whole(5, 1, 100, "how many of the most likely tokens are listed")


@dataclass(frozen=True)
class Said:
    """What the model says at the last token that both texts share.

    Attributes:
        top: The most likely next tokens, the likeliest first.
        next_piece: The token that really comes next.
        next_probability: What it is given.
    """

    top: tuple[Likely, ...]
    next_piece: str
    next_probability: float


@dataclass(frozen=True)
class Seen:
    """Both texts, run with the mask or without.

    Attributes:
        first: What is said at the last shared token of the first text.
        second: Of the second.
        differences: For each shared token, the largest difference of a logit between both texts.
        moved: Total variation between both distributions at the last shared token: how much
            probability went to other tokens, 0 to 1.
        top_changed: Whether the most likely token changed there.
        weights: What each token (row) takes from each (column) of the first text, in the layer
            that is shown, averaged over its heads.
        future: The largest weight of a later token.
        scale: The largest absolute logit at the shared tokens.
    """

    first: Said
    second: Said
    differences: tuple[float, ...]
    moved: float
    top_changed: bool
    weights: Grid
    future: float
    scale: float


@dataclass(frozen=True)
class CausalMaskResult:
    """What was measured.

    Attributes:
        inputs: What was set.
        pieces: Tokens of the first text, as far as it was run.
        other_pieces: Of the second.
        shared: How many leading tokens both have in common.
        masked: With the mask.
        unmasked: With the mask set aside in all layers; None while it is not done.
        alone_differs: The largest difference of a logit at the shared tokens where these are run
            alone, with the mask. None while it is not done.
        rounding_bound: What another order of the same sums may change.
        notes: Where care is needed.
        how: How the figures are computed.
    """

    inputs: CausalMaskInputs
    pieces: tuple[str, ...]
    other_pieces: tuple[str, ...]
    shared: int
    masked: Seen
    unmasked: Seen | None
    alone_differs: float | None
    rounding_bound: float
    notes: tuple[Note, ...]
    how: tuple[How, ...]


def measure(
    model: Model,
    inputs: CausalMaskInputs,
    watch: Watch,
) -> CausalMaskResult:
    """Run two texts that part after some tokens, with the causal mask and without.

    Raises:
        UnsupportedError: The model runs through mlx-lm.
        PromptError: The texts are too long, do not begin with the same token, or do not part.
        SettingError: There is no such layer.
        CancelledError: It was stopped.
    """
    check_layer(model, inputs.layer)
    pair, shared = _texts(model, inputs)
    masked, logits = _seen(model, inputs, pair, shared, Conditions(), watch.part(0.0, 0.4))
    result = CausalMaskResult(
        inputs=inputs,
        pieces=pieces(model, pair[0]),
        other_pieces=pieces(model, pair[1]),
        shared=shared,
        masked=masked,
        unmasked=None,
        alone_differs=None,
        rounding_bound=rounding_bound(model, masked.scale),
        notes=_notes(model),
        how=_HOW,
    )
    watch.tell(0.4, result)
    following = followed(watch.part(0.4, 0.6))
    alone = logits_at(model, pair[0][:shared], range(shared), watch=following)
    result = replace(result, alone_differs=largest(alone - logits))
    watch.tell(0.6, result)
    aside = Conditions(mask=False)
    unmasked, _ = _seen(model, inputs, pair, shared, aside, watch.part(0.6, 1.0))
    result = replace(result, unmasked=unmasked)
    watch.tell(1.0, result)
    return result


def claims(result: CausalMaskResult) -> Iterator[Claim]:
    """What should be seen, as far as it is measured."""
    yield Claim(
        "no_future",
        "With the mask no token takes anything from a later one.",
        result.masked.future, "=", 0, "weight",
    )  # fmt: skip
    yield Claim(
        "nothing_changes",
        "With the mask, other later words change nothing at the tokens before them: texts of one "
        "length give the same logits to the last bit.",
        max(result.masked.differences), "=", 0, "logits",
    )  # fmt: skip
    if result.alone_differs is None:
        return
    yield Claim(
        "alone",
        "Without any later words the logits are the same but for rounding.",
        result.alone_differs, "≤", result.rounding_bound, "logits",
    )  # fmt: skip
    if result.unmasked is not None:
        yield Claim(
            "sees_future",
            "With the mask set aside, tokens take something from later ones.",
            result.unmasked.future, ">", 0, "weight",
        )  # fmt: skip
        yield Claim(
            "leaks",
            "With the mask set aside, other later words change what is said before them, by more "
            "than that rounding.",
            result.unmasked.differences[-1], ">", result.alone_differs, "logits",
        )  # fmt: skip


def _texts(model: Model, inputs: CausalMaskInputs) -> tuple[tuple[list[int], list[int]], int]:
    """Both texts cut to one length, and how many leading tokens they share."""
    first, second = (
        tokens_of(model, inputs.beginning + ending, least=2, most=MOST_TOKENS)
        for ending in (inputs.ending, inputs.other_ending)
    )
    length = min(len(first), len(second))
    shared = common_length(first, second)
    if shared == length:
        raise PromptError(
            "Both texts must have a token after which they go on differently; change an ending."
        )
    if shared == 0:
        raise PromptError("Both texts must begin with the same token; lengthen the beginning.")
    return (first[:length], second[:length]), shared


def _seen(
    model: Model,
    inputs: CausalMaskInputs,
    pair: tuple[list[int], list[int]],
    shared: int,
    conditions: Conditions,
    watch: Watch,
) -> tuple[Seen, Floats]:
    """Both texts under one condition, and the logits (shared, V) of the first."""
    logits: list[Floats] = []
    for index, ids in enumerate(pair):
        part = watch.part(0.4 * index, 0.4 * (index + 1))
        following = followed(part)
        logits.append(logits_at(model, ids, range(shared), conditions=conditions, watch=following))
    weights = mean_attention(
        model, pair[0], inputs.layer, conditions=conditions, watch=followed(watch.part(0.8, 1.0))
    )
    first, second = logits
    chances = [softmax(each[-1]) for each in logits]
    said = [
        _said(model, each[-1], chance, ids[shared], inputs.shown)
        for each, chance, ids in zip(logits, chances, pair, strict=True)
    ]
    seen = Seen(
        first=said[0],
        second=said[1],
        differences=tuple(map(float, np.abs(first - second).max(axis=1))),
        moved=float(np.abs(chances[0] - chances[1]).sum() / 2),
        top_changed=said[0].top[0].token != said[1].top[0].token,
        weights=grid(weights),
        future=largest(np.triu(weights, k=1)),
        scale=max(map(largest, logits)),
    )
    return seen, first


def _said(
    model: Model, logits: Floats, chances: NDArray[np.float64], following: int, shown: int
) -> Said:
    return Said(
        top=top_tokens(model, logits, shown),
        next_piece=pieces(model, [following])[0],
        next_probability=float(chances[following]),
    )


def _notes(model: Model) -> tuple[Note, ...]:
    notes = [
        Note(
            "same_shapes",
            "Nothing changes to the last bit where both texts have the same number of tokens, so "
            "the longer one is cut. A text of another length is computed in other shapes, which "
            "add up the same sums in another order: its logits differ by rounding, not by what the "
            "later words say.",
        ),
        Note(
            "not_a_better_model",
            "A model that sees the future here does not become better: it was trained with the "
            "mask, and has never learnt what to do with later words. In training the mask is what "
            "makes every position a fair question, because the answer stands right behind it.",
        ),
        Note(
            "generating",
            "While a reply is written there is no future to hide: later tokens do not exist yet. "
            "The mask matters where many tokens are run at once, in training and in prefill; and "
            "it is why the keys and values of earlier tokens can be kept.",
        ),
        Note(
            "averaged",
            "The grid is the mean over all heads of one layer. With the mask every row still sums "
            "to one: the weight that the future does not get goes to the past.",
        ),
    ]
    if any(window is not None for window in model.config.windows):
        notes.append(
            Note(
                "windows",
                "Some layers of this model see only a window of recent tokens, so their mask hides "
                "the distant past as well.",
            )
        )
    return tuple(notes)


_HOW = (
    how("masked.differences", logits_at, "max over the vocabulary |logits - logits of the other|"),
    how("masked.weights", mean_attention, "mean over heads of softmax(QKᵀ / √D + mask)"),
    how("masked.moved", _seen, "½ Σ |p - p of the other|"),
    how("unmasked", Conditions, "the same without the mask: softmax(QKᵀ / √D) in all layers"),
    how("alone_differs", logits_at, "max |logits of the shared tokens alone - logits in the text|"),
)

EXHIBIT = Exhibit(5, "causal_mask", "The causal mask", CausalMaskInputs, measure, claims)
