"""One number of a cache changed on purpose, and what that does to the answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.cache import Cache, CachePolicy
from engine.cache.layers import LayerState
from engine.errors import SettingError
from engine.exhibits.common import Claim, Watch
from engine.exhibits.comparing import apart
from engine.exhibits.copies import copied
from engine.exhibits.scoring import best, fill, go_on, pieces, step
from engine.model import Model
from engine.sentence import Sentence

_CHUNK = 64
_SWEEP = (0.1, 1.0, 10.0, 100.0, 1000.0)


@dataclass(frozen=True)
class Number:
    """One of the numbers that a cache holds.

    Attributes:
        layer: Counted from 0.
        position: Of the token that it belongs to.
        part: `key` or `value`.
        head: KV head.
        dimension: Of that head.
    """

    layer: int
    position: int
    part: str
    head: int
    dimension: int

    def check(self, model: Model) -> None:
        """Refuse a number that no cache of the model holds.

        Raises:
            SettingError: It does not.
        """
        config = model.config
        for name, value, count in (
            (Sentence("layer"), self.layer, config.num_hidden_layers),
            (Sentence("head"), self.head, config.num_key_value_heads),
            (Sentence("dimension"), self.dimension, config.head_dim),
        ):
            if value >= count:
                raise SettingError(
                    "The {name} to change goes from 0 to {last}, not {value}.",
                    name=name,
                    last=count - 1,
                    value=value,
                )


@dataclass(frozen=True)
class Change:
    """One stored number changed, and what that did to the next token.

    Attributes:
        amount: What was added; 0 for its last bit flipped.
        was: The number before.
        became: The number after, as it is stored.
        largest: The largest change of a logit.
        token: The token that is chosen now.
        piece: Its text.
    """

    amount: float
    was: float
    became: float
    largest: float
    token: int
    piece: str


@dataclass(frozen=True)
class Sabotage:
    """One number of the cache changed on purpose.

    Attributes:
        number: Which one.
        numbers: How many the cache holds.
        untouched_largest: The largest change of a logit where the cache was copied unchanged.
        flipped: The last bit of the number flipped.
        sweep: Larger and larger amounts, the chosen one among them, ascending.
        chosen: The change that was asked for.
        reply: Text that follows with the cache as it is.
        wrong_reply: Text that follows with the chosen change.
    """

    number: Number
    numbers: int
    untouched_largest: float
    flipped: Change
    sweep: tuple[Change, ...]
    chosen: Change
    reply: str
    wrong_reply: str


def sabotage_claims(found: Sabotage) -> Iterator[Claim]:
    """What should be seen of it."""
    yield Claim(
        "copied",
        "A copy of the cache that nobody touched says exactly the same.",
        found.untouched_largest, "=", 0, "logits",
    )  # fmt: skip
    yield Claim(
        "changed_logits",
        "One changed number among all that the cache holds changes what the model says.",
        found.chosen.largest, ">", 0, "logits",
    )  # fmt: skip
    yield Claim(
        "changed_answer",
        "With the chosen change the answer is another one.",
        int(found.reply != found.wrong_reply), "=", 1, "answers that differ",
    )  # fmt: skip


def sabotage(
    model: Model, ids: Sequence[int], number: Number, amount: float, reply: int, watch: Watch
) -> Sabotage:
    """Hold all tokens but the last in a cache, change a number in copies of it, and go on.

    Args:
        model: One that is not run through mlx-lm.
        ids: At least 2 token ids.
        number: Which number is changed.
        amount: What is added to it.
        reply: How many tokens of the answer are compared.
        watch: Told of the progress.
    """
    base = model.decoder.new_cache(CachePolicy())
    fill(model, base, ids[:-1], _CHUNK, watch.part(0.0, 0.1))
    clean_cache = altered(model, base, number, None)
    clean = step(model, clean_cache, ids[-1:])
    right = go_on(model, clean_cache, clean, reply, watch.part(0.1, 0.4))
    again = step(model, altered(model, base, number, None), ids[-1:])
    amounts = sorted({*_SWEEP, amount} - {0.0})
    changes: dict[float, Change] = {}
    chosen = altered(model, base, number, None), clean
    for index, each in enumerate([0.0, *amounts]):
        cache = altered(model, base, number, each)
        logits = step(model, cache, ids[-1:])
        changes[each] = Change(
            amount=each,
            was=_number(base, number),
            became=_number(cache, number),
            largest=apart(logits, clean),
            token=best(model, logits),
            piece=pieces(model, [best(model, logits)])[0],
        )
        if each == amount:
            chosen = cache, logits
        watch.tell(0.4 + 0.3 * (index + 1) / (len(amounts) + 1))
    wrong = go_on(model, *chosen, reply, watch.part(0.7, 1.0))
    return Sabotage(
        number=number,
        numbers=sum(part.size for layer in base.held() for part in (*layer.keys, *layer.values)),
        untouched_largest=apart(again, clean),
        flipped=changes[0.0],
        sweep=tuple(changes[each] for each in amounts),
        chosen=changes[amount],
        reply=model.tokenizer.decode(right),
        wrong_reply=model.tokenizer.decode(wrong),
    )


def altered(model: Model, cache: Cache, number: Number, amount: float | None) -> Cache:
    """A copy of a cache in which one number is changed.

    Args:
        model: Whose cache it is.
        cache: The cache, which stays as it is.
        number: Which number.
        amount: What is added to it; 0 flips its last bit, None changes nothing.

    Raises:
        SettingError: Its token has left the window of its layer.
    """

    def change(layers: list[LayerState]) -> None:
        if amount is not None:
            layer = layers[number.layer]
            parts = layer.keys if number.part == "key" else layer.values
            parts[0] = _with_change(parts[0], number, _slot(cache, number), amount)

    return copied(model, cache, CachePolicy(), change)


def _slot(cache: Cache, number: Number) -> int:
    """Where the number's token is held.

    Raises:
        SettingError: It has left the window of its layer.
    """
    positions = cache.held()[number.layer].positions
    if number.position not in positions:
        raise SettingError(
            "Layer {layer} no longer holds token {position}; choose a later one.",
            layer=number.layer,
            position=number.position,
        )
    return positions.index(number.position)


def _with_change(array: mx.array, number: Number, slot: int, amount: float) -> mx.array:
    place = (0, number.head, slot, number.dimension)
    if amount:
        value = array[place] + mx.array(amount, array.dtype)
        return array.at[place].add(value - array[place])
    bits = mx.uint16 if array.dtype.size == 2 else mx.uint32
    whole_numbers = cast("NDArray[np.uint32]", np.array(array.view(bits)))
    whole_numbers[place] ^= 1
    return mx.array(whole_numbers).view(array.dtype)


def _number(cache: Cache, number: Number) -> float:
    layer = cache.held()[number.layer]
    part = layer.keys[0] if number.part == "key" else layer.values[0]
    place = (0, number.head, _slot(cache, number), number.dimension)
    return cast("float", part[place].item())
