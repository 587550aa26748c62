"""Tokens drawn for one position, and how close they come to the probabilities."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.exhibits.common import Claim, Watch
from engine.exhibits.scoring import alone
from engine.model import Model
from engine.sampling import Sampler, Sampling

_CHANCE = 0.001  # of a right sampler being told that it is wrong
_BATCH = 10


@dataclass(frozen=True)
class Bar:
    """One token of the histogram.

    Attributes:
        token: Its id.
        piece: Its text.
        drawn: How often it was drawn.
        expected: How often it should be on average: samples × its probability.
    """

    token: int
    piece: str
    drawn: int
    expected: float


@dataclass(frozen=True)
class Draws:
    """Tokens that were drawn.

    Attributes:
        samples: How many.
        tokens: All of them, in order.
        bars: The most likely ones, most likely first, and every other that was drawn.
        distance: Total variation: half the sum of |share drawn - probability|, over all tokens.
        distance_bound: What a right sampler stays under in 999 of 1,000 trials.
        impossible: How many have no probability.
        same_seed_differs: At how many draws a second run with the same seed differs.
        other_seed_differs: At how many one with the next seed does.
    """

    samples: int
    tokens: tuple[int, ...]
    bars: tuple[Bar, ...]
    distance: float
    distance_bound: float
    impossible: int
    same_seed_differs: int
    other_seed_differs: int


def draw_claims(draws: Draws | None, entropy: float, temperature: float) -> Iterator[Claim]:
    """What should be seen of the draws, once there are any.

    Args:
        draws: The draws.
        entropy: Of the distribution that they are from, in nats.
        temperature: With which that was made.
    """
    if draws is None:
        return
    yield Claim(
        "possible",
        "Only tokens that are left are ever drawn.",
        draws.impossible, "=", 0, "draws",
    )  # fmt: skip
    yield Claim(
        "histogram",
        "The histogram is as close to the probabilities as chance allows.",
        draws.distance, "≤", draws.distance_bound, "total variation",
    )  # fmt: skip
    yield Claim(
        "same_seed",
        "The same seed draws the same tokens.",
        draws.same_seed_differs, "=", 0, "draws that differ",
    )  # fmt: skip
    if temperature == 0:
        yield Claim(
            "greedy",
            "At temperature 0 every seed takes the most likely token.",
            draws.other_seed_differs, "=", 0, "draws that differ",
        )  # fmt: skip
    elif draws.samples >= 20 and entropy > 1:
        yield Claim(
            "other_seed",
            "Another seed draws others.",
            draws.other_seed_differs, ">", 0, "draws that differ",
        )  # fmt: skip


def draw(
    model: Model,
    logits: mx.array,
    sampling: Sampling,
    ids: Sequence[int],
    samples: int,
    watch: Watch,
) -> list[int]:
    """Draw tokens for one and the same position, with the sampler that replies are drawn with."""
    sampler = Sampler(sampling, sampling.seed or 0, ids, model.limiter.limits(sampling).sets)
    logits = logits[: model.tokenizer.vocab_size]
    found: list[int] = []
    while len(found) < samples:
        batch = [sampler(logits) for _ in range(min(_BATCH, samples - len(found)))]
        mx.eval(batch)
        found += [cast("int", token.item()) for token in batch]
        watch.tell(len(found) / samples)
    return found


def total_variation(tokens: Sequence[int], probabilities: NDArray[Any]) -> tuple[float, float]:
    """How far draws are from a distribution, and what chance allows.

    The distance is ½ Σ |count / n - p|. Its mean is at most ½ Σ √(p (1 - p) / n) (Jensen), and one
    draw changes it by at most 1 / n, so that it exceeds this mean by √(ln(1 / δ) / (2 n)) with a
    chance of at most δ (McDiarmid 1989), here 0.001.

    Args:
        tokens: n token ids.
        probabilities: (V,), which sum to 1.

    Returns:
        The distance and its bound.
    """
    n = len(tokens)
    shares = np.bincount(np.array(tokens), minlength=probabilities.size) / n
    distance = float(np.abs(shares - probabilities).sum() / 2)
    spread = float(np.sqrt(probabilities * (1 - probabilities).clip(0) / n).sum() / 2)
    return distance, spread + math.sqrt(math.log(1 / _CHANCE) / (2 * n))


def summed(
    model: Model,
    probabilities: NDArray[np.float64],
    drawn: Sequence[Sequence[int]],
    shown: int,
) -> Draws:
    """Hold draws against the distribution that they are from.

    Args:
        model: Whose tokens they are.
        probabilities: (V,).
        drawn: Tokens drawn with one seed, with the same again, and with another.
        shown: How many of the most likely tokens are listed.
    """
    tokens, again, other = drawn
    distance, bound = total_variation(tokens, probabilities)
    counts = Counter(tokens)
    order = np.argsort(-probabilities, kind="stable")[:shown].tolist()
    order = [token for token in order if probabilities[token] > 0]
    order += [token for token, _ in counts.most_common() if token not in order]
    return Draws(
        samples=len(tokens),
        tokens=tuple(tokens),
        bars=tuple(
            Bar(token, piece, counts[token], len(tokens) * float(probabilities[token]))
            for token, piece in zip(order, alone(model, order), strict=True)
        ),
        distance=distance,
        distance_bound=bound,
        impossible=sum(count for token, count in counts.items() if probabilities[token] == 0),
        same_seed_differs=sum(a != b for a, b in zip(tokens, again, strict=True)),
        other_seed_differs=sum(a != b for a, b in zip(tokens, other, strict=True)),
    )
