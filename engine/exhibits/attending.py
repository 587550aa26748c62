"""Exhibit 4: attention. What a token looks at, head by head, and what it gets from there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.asked import check_head, check_layer
from engine.attention import attention, mean_attention
from engine.exhibits.common import (
    Claim,
    Exhibit,
    How,
    Inputs,
    Note,
    Watch,
    choice,
    how,
    text,
    whole,
)
from engine.exhibits.links import Links, find_links
from engine.exhibits.looking import (
    Grid,
    followed,
    grid,
    largest,
    tokens_of,
)
from engine.exhibits.one_head import Followed, follow, head_claims
from engine.exhibits.scoring import pieces
from engine.heads import Floats
from engine.model import Model
from engine.walk import walk_attention

MOST_TOKENS = 64
"""Of a sentence: each head's grid has its square."""

SENTENCES = {
    "trophy": "The trophy didn't fit in the suitcase because it was too big.",
    "cat": "The cat sat because it was tired.",
}
_ROUNDING = 2.0**-23
_PRONOUN = "it"


@dataclass(frozen=True)
class AttendingInputs(Inputs):
    """What can be set."""

    sentence: str = choice("trophy", (*SENTENCES, "own"), "which sentence is read")
    own: str = text(
        "The letter never reached the village because it was lost.",
        "the sentence that is read where that is `own`",
        most=500,
    )
    position: int = whole(
        -1,
        -1,
        4095,
        "the token that looks, from 0; -1 for the first `it`; the last where there are fewer",
    )
    layer: int = whole(13, 0, 4095, "layer, from 0; the last where there are fewer")
    head: int = whole(8, 0, 65_535, "head that is followed, from 0; the last where there are fewer")
    beside: int = whole(15, 0, 63, "how many other heads are shown side by side with it")
    numbers: int = whole(4, 1, 64, "how many numbers of each vector are shown")


@dataclass(frozen=True)
class Look:
    """What the chosen token looks at, in one head or averaged over all.

    Attributes:
        head: Of the queries; None for the mean of all.
        most: The position that it takes the most from.
        most_weight: How much.
        earlier: The earlier token, but for the first, that it takes the most from; None where
            there is no such token.
        earlier_weight: How much.
        first_weight: What it takes from the first token.
        own_weight: What it takes from itself.
    """

    head: int | None
    most: int
    most_weight: float
    earlier: int | None
    earlier_weight: float
    first_weight: float
    own_weight: float


@dataclass(frozen=True)
class HeadSeen:
    """One head.

    Attributes:
        head: Of the queries.
        kv_head: Of the keys and values that it shares with others.
        weights: (n, n), what each token (row) takes from each (column).
        look: What the chosen token looks at.
    """

    head: int
    kv_head: int
    weights: Grid
    look: Look


@dataclass(frozen=True)
class AttendingResult:
    """What was measured.

    Attributes:
        inputs: What was set.
        text: The sentence.
        pieces: Its tokens, n.
        position: Of the token that looks.
        layer: That is shown.
        head: That is followed.
        heads: Those that are shown side by side.
        mean: (n, n), the mean over all heads of the layer.
        mean_look: What the chosen token looks at on average.
        followed: The head that is followed; None while it is not done.
        links: All heads of all layers; None while it is not done, and for the first token.
        notes: Where care is needed.
        how: How the figures are computed.
    """

    inputs: AttendingInputs
    text: str
    pieces: tuple[str, ...]
    position: int
    layer: int
    head: int
    heads: tuple[HeadSeen, ...]
    mean: Grid
    mean_look: Look
    followed: Followed | None
    links: Links | None
    notes: tuple[Note, ...]
    how: tuple[How, ...]


def measure(
    model: Model,
    inputs: AttendingInputs,
    watch: Watch,
) -> AttendingResult:
    """Show one layer's attention over a sentence, follow one head, then look through all.

    Raises:
        UnsupportedError: The model runs through mlx-lm.
        PromptError: The sentence is empty or too long.
        CancelledError: It was stopped.
    """
    layer = check_layer(model, min(inputs.layer, model.config.num_hidden_layers - 1))
    head = check_head(model, min(inputs.head, model.config.num_attention_heads - 1))
    words = SENTENCES.get(inputs.sentence, inputs.own)
    ids = tokens_of(model, words, most=MOST_TOKENS)
    texts = pieces(model, ids)
    position = _looks(texts) if inputs.position < 0 else min(inputs.position, len(ids) - 1)
    shown = _shown(model, head, inputs.beside)
    every = attention(model, ids, layer, shown, watch=followed(watch.part(0.0, 0.2)))
    mean = mean_attention(model, ids, layer, watch=followed(watch.part(0.2, 0.4)))
    result = AttendingResult(
        inputs=inputs,
        text=words,
        pieces=texts,
        position=position,
        layer=layer,
        head=head,
        heads=tuple(
            HeadSeen(
                each,
                each * model.config.num_key_value_heads // model.config.num_attention_heads,
                grid(weights),
                _look(each, weights[position], position),
            )
            for each, weights in zip(shown, every, strict=True)
        ),
        mean=grid(mean),
        mean_look=_look(None, mean[position], position),
        followed=None,
        links=None,
        notes=_notes(model),
        how=_HOW,
    )
    watch.tell(0.4, result)
    part = watch.part(0.4, 0.6)
    result = replace(
        result, followed=follow(model, ids, layer, head, position, inputs.numbers, part)
    )
    watch.tell(0.6, result)
    if position > 0:
        result = replace(result, links=find_links(model, ids, position, watch.part(0.6, 1.0)))
    watch.tell(1.0, result)
    return result


def claims(result: AttendingResult) -> Iterator[Claim]:
    """What should be seen, as far as it is measured."""
    grids = np.array([*(head.weights for head in result.heads), result.mean])
    yield Claim(
        "rows",
        "In every head each token hands out exactly one: its weights sum to one.",
        largest(grids.sum(axis=-1) - 1), "≤", len(result.pieces) * _ROUNDING, "away from 1",
    )  # fmt: skip
    yield Claim(
        "no_future",
        "Nothing stands to the right of the diagonal: no token looks at a later one.",
        largest(np.triu(grids, k=1)), "=", 0, "weight",
    )  # fmt: skip
    if result.followed is not None:
        yield from head_claims(result.followed)


def _looks(texts: Sequence[str]) -> int:
    """The first pronoun's position, else the last token's."""
    spelled = [text.strip().lower() for text in texts]
    return spelled.index(_PRONOUN) if _PRONOUN in spelled else len(texts) - 1


def _shown(model: Model, head: int, beside: int) -> list[int]:
    others = [each for each in range(model.config.num_attention_heads) if each != head]
    return sorted([head, *others[:beside]])


def _look(head: int | None, row: Floats, position: int) -> Look:
    most = int(row.argmax())
    earlier = int(row[1:position].argmax()) + 1 if position > 1 else None
    return Look(
        head=head,
        most=most,
        most_weight=float(row[most]),
        earlier=earlier,
        earlier_weight=0.0 if earlier is None else float(row[earlier]),
        first_weight=float(row[0]),
        own_weight=float(row[position]),
    )


def _notes(model: Model) -> tuple[Note, ...]:
    config = model.config
    notes = [
        Note(
            "not_an_explanation",
            "A weight tells how much of a token's value enters the sum, not why the model says "
            "what it says. The vectors that are mixed hold much of their own past, most of the "
            "work is done elsewhere, and a head can often look away without changing the answer.",
        ),
        Note(
            "sink",
            "Many heads take most from the first token, whatever it is: the weights must sum to "
            "one, and the first token, whose value is often short there, serves as a place to put "
            "what is not needed. In the grid, look past its column.",
        ),
        Note(
            "as_found",
            "Which heads lead from the pronoun to the word that it stands for is shown as it is "
            "found. No head was made for that, some happen to do it in some sentences, and a "
            "strong link does not show that the model understood.",
        ),
        Note(
            "question_sign_content",
            "Query, key and value are called question, sign and content to have something to hold "
            "on to. They are rows of numbers, learnt without names; only their products count.",
        ),
        Note(
            "averages_hide",
            "The mean over heads hides that different heads look at different things.",
        ),
    ]
    if config.num_key_value_heads < config.num_attention_heads:
        notes.append(
            Note(
                "shared_keys",
                "In this model several query heads share the same keys and values: they ask "
                "different questions of the same signs.",
            )
        )
    if any(window is not None for window in config.windows):
        notes.append(
            Note("windows", "Some layers of this model see only a window of recent tokens.")
        )
    return tuple(notes)


_HOW = (
    how("heads.weights", attention, "softmax(QKᵀ / √D + mask), by head"),
    how("mean", mean_attention, "the mean of that over all heads of the layer"),
    how("followed", walk_attention, "query · key / √D, softmax over all, Σ weight × value"),
    how(
        "followed.sum_differs", follow, "max |output of the network's own head - Σ weight × value|"
    ),
    how(
        "links", find_links, "for each head of each layer, argmax of its weights on earlier tokens"
    ),
)

EXHIBIT = Exhibit(4, "attending", "Attention", AttendingInputs, measure, claims)
