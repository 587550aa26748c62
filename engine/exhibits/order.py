"""Exhibit 6: order. What RoPE tells attention, and what a deep causal stack knows without it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.asked import check_head, check_layer
from engine.errors import PromptError
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
from engine.exhibits.distance import Distance, distance_claims, measure_distance
from engine.exhibits.looking import tokens_of
from engine.exhibits.reordering import OneLayer, attended, reorder, reordering_claims, shuffles
from engine.exhibits.scoring import pieces
from engine.exhibits.stacks import Stack, run_stacks, stack_claims
from engine.heads import attend
from engine.model import Model
from engine.passes import passes
from engine.walk import scores_by_distance

MOST_TOKENS = 64
_ONE_LAYER, _STACKS = 0.3, 0.8  # shares of the whole that are done after these parts


@dataclass(frozen=True)
class OrderInputs(Inputs):
    """What can be set."""

    words: str = text("dog bites man", "some words", most=200)
    other_order: str = text("man bites dog", "the same words in another order", most=200)
    asks: str = text(".", "the text after them, whose last token looks at them all", most=50)
    layer: int = whole(0, 0, 4095, "layer whose attention is compared, from 0")
    head: int = whole(0, 0, 65_535, "head whose score is shown by distance, from 0")
    key: int = whole(
        0, 0, 4095, "token whose key is taken for that, from 0; the last where there are fewer"
    )
    distance: int = whole(64, 1, 512, "up to which distance, in tokens")
    shuffles: int = whole(8, 0, 50, "how many other orders of the same tokens are tried as well")
    shown: int = whole(5, 1, 100, "how many of the most likely tokens are listed")


@dataclass(frozen=True)
class OrderResult:
    """What was measured.

    Attributes:
        inputs: What was set.
        pieces: The tokens in the first order, those that look included.
        other_pieces: In the other order.
        one_layer: None while it is not done.
        stacks: The network as it is, without RoPE, without RoPE and mask; as far as it is done.
        distance: None while it is not done.
        notes: Where care is needed.
        how: How the figures are computed.
    """

    inputs: OrderInputs
    pieces: tuple[str, ...]
    other_pieces: tuple[str, ...]
    one_layer: OneLayer | None
    stacks: tuple[Stack, ...]
    distance: Distance | None
    notes: tuple[Note, ...]
    how: tuple[How, ...]


def measure(
    model: Model,
    inputs: OrderInputs,
    watch: Watch,
) -> OrderResult:
    """Give attention the same vectors in other orders, then the network the same tokens.

    Raises:
        UnsupportedError: The model runs through mlx-lm.
        PromptError: The texts are too long, or not made of the same tokens.
        SettingError: There is no such layer or head, or no such distance.
        CancelledError: It was stopped.
    """
    check_layer(model, inputs.layer)
    check_head(model, inputs.head)
    first, other, words = _texts(model, inputs)
    result = OrderResult(
        inputs=inputs,
        pieces=pieces(model, first),
        other_pieces=pieces(model, other),
        one_layer=None,
        stacks=(),
        distance=None,
        notes=_notes(model),
        how=_HOW,
    )
    order = _reordering(first, other)
    orders = [order, *shuffles(first, order, words, inputs.shuffles)]
    found = reorder(model, inputs.layer, first, orders, watch.part(0.0, _ONE_LAYER))
    result = replace(result, one_layer=found)
    watch.tell(_ONE_LAYER, result)
    part = watch.part(_ONE_LAYER, _STACKS)
    for stack in run_stacks(model, (first, other), inputs.shown, part):
        result = replace(result, stacks=(*result.stacks, stack))
        part.tell(len(result.stacks) / 3, result)
    pair = (len(first) - 1, min(inputs.key, len(first) - 1))
    part = watch.part(_STACKS, 1.0)
    distance = measure_distance(
        model, first, inputs.layer, inputs.head, pair, inputs.distance, part
    )
    result = replace(result, distance=distance)
    watch.tell(1.0, result)
    return result


def claims(result: OrderResult) -> Iterator[Claim]:
    """What should be seen, as far as it is measured."""
    if result.one_layer is not None:
        yield from reordering_claims(result.one_layer)
    yield from stack_claims(result.stacks)
    if result.distance is not None:
        yield from distance_claims(result.distance)


def _texts(model: Model, inputs: OrderInputs) -> tuple[list[int], list[int], range]:
    """Both orders as token ids, and the places of the words among them."""
    tail = model.tokenizer.encode_parts([inputs.asks], first=False, inside=True)
    first, other = (
        # A space before: the first word of a text would else be another token than within it.
        [*tokens_of(model, f" {words.strip()}", least=2, most=MOST_TOKENS), *tail]
        for words in (inputs.words, inputs.other_order)
    )
    if sorted(first) != sorted(other):
        raise PromptError(
            "Both texts must be made of the same tokens; the same words can be cut into other "
            "tokens where a capital letter or a space is different."
        )
    if first == other:
        raise PromptError("The two texts are the same; change the order of the words in one.")
    window = model.config.windows[inputs.layer]
    if window is not None and window < len(first):
        raise PromptError(
            "Layer {layer} of this model sees only the last {window:,} tokens, and these are "
            "{count:,}; take fewer words.",
            layer=inputs.layer,
            window=window,
            count=len(first),
        )
    return first, other, range(len(model.raw_tokens("")), len(first) - len(tail))


def _reordering(first: Sequence[int], other: Sequence[int]) -> list[int]:
    """Where each token of the other order stands in the first one."""
    left = {token: [at for at, each in enumerate(first) if each == token] for token in first}
    return [left[token].pop(0) for token in other]


def _notes(model: Model) -> tuple[Note, ...]:
    notes = [
        Note(
            "one_layer",
            "Attention alone adds up what it finds, and a sum knows no order; that is true of one "
            "layer and the vectors that it is given. The popular sentence that a network without "
            "positions sees a bag of words is true only without the causal mask.",
        ),
        Note(
            "leak",
            "The mask lets the first word see itself alone, the second one two, and so on. So from "
            "the second layer on each word's vector tells how many words stood before it and which "
            "ones, and the order leaks. Networks trained without RoPE learn to use this.",
        ),
        Note(
            "not_trained_so",
            "This model was trained with RoPE. Without it its answers are poor; the exhibit asks "
            "only whether they depend on the order.",
        ),
        Note(
            "rounding",
            "In another order the same sums are added up in another order, so the last bits may "
            "differ; how many numbers do is shown.",
        ),
        Note(
            "not_always_nearer",
            "RoPE makes scores depend on the distance, but not always fall with it: the curve is a "
            "sum of waves, and it looks different for each query and key.",
        ),
        Note(
            "same_tokens",
            "Each text gets a space before it, so that its first word is the same token as "
            "elsewhere in a sentence.",
        ),
    ]
    if any(window is not None for window in model.config.windows):
        notes.append(
            Note(
                "windows",
                "Some layers of this model see only a window of recent tokens, which tells order "
                "as well, in texts that are longer.",
            )
        )
    return tuple(notes)


_HOW = (
    how("one_layer", attend, "softmax(QKᵀ / √D + mask) V with the rows of the input in this order"),
    how("one_layer.orders", attended, "max |output for the last token - that in the first order|"),
    how("stacks.by_layer", passes, "|x - x of the other order| / |x| of the last token"),
    how("stacks.difference", run_stacks, "max |logits - logits of the other order|"),
    how("distance.scores", scores_by_distance, "RoPE(q, d) · RoPE(k, 0) / √D"),
    how(
        "distance.moved", measure_distance, "max |RoPE(q, s + d) · RoPE(k, s) / √D - the same at 0|"
    ),
)

EXHIBIT = Exhibit(6, "order", "Order", OrderInputs, measure, claims)
