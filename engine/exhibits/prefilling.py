"""Prompts of growing length prefilled: seconds, bytes, arithmetic, and the curve through them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.cache import CachePolicy
from engine.exhibits.common import Claim, Watch
from engine.exhibits.costs import Curve, fit, split_operations, spread
from engine.llama import Decoder
from engine.model import Model
from engine.sampling import Sampling
from engine.session import Session

_LEFT_OVER = 0.15  # of a time, by which a fit may miss it
_MOST_NOISE = 0.5
_GREEDY = Sampling(temperature=0.0)


@dataclass(frozen=True)
class PrefillPoint:
    """One prompt length.

    Attributes:
        tokens: Of the prompt.
        ttft_s: Seconds to the first token, of each round so far.
        best_s: The least of them.
        cache_bytes: What the cache holds then, measured.
        linear_operations: Of all that treats every token alike: the matrices, and the logits once.
            None for models of mlx-lm.
        attention_operations: Of scores and sums of values, which grow with the square. None
            likewise.
    """

    tokens: int
    ttft_s: tuple[float, ...]
    best_s: float
    cache_bytes: int
    linear_operations: int | None
    attention_operations: int | None

    @property
    def operations(self) -> int | None:
        """All of them."""
        if self.linear_operations is None or self.attention_operations is None:
            return None
        return self.linear_operations + self.attention_operations


@dataclass(frozen=True)
class Fit:
    """The times of all lengths, taken apart.

    Attributes:
        curve: Through the best time of each length.
        noise: By what share rounds of one length differ: the second best time above the best one,
            root of the mean square over all lengths.
        quadratic_share: What the quadratic part is of the fitted time of the longest prompt.
        counted_share: What attention is of its counted operations; None for models of mlx-lm.
    """

    curve: Curve
    noise: float
    quadratic_share: float
    counted_share: float | None

    @property
    def allowed_noise(self) -> float:
        """What the checks allow for: with more than that, a measurement says nothing."""
        return min(self.noise, _MOST_NOISE)

    @property
    def tolerance(self) -> float:
        """By what share a time may be off."""
        return max(_LEFT_OVER, self.allowed_noise)


def first_token(model: Model, ids: Sequence[int], watch: Watch) -> tuple[Session, float]:
    """Prefill a prompt in a new session: the session, and the seconds to the first token."""
    session = model.session(CachePolicy())
    stream = session.generate(
        ids, _GREEDY, 1, on_prefill=lambda done, total: watch.tell(done / total)
    )
    for _ in stream:
        pass
    seconds = session.figures.ttft_s
    assert seconds is not None
    return session, seconds


def prefill_point(
    model: Model, before: PrefillPoint | None, length: int, session: Session, seconds: float
) -> PrefillPoint:
    """One prompt length with one more round.

    Args:
        model: The model.
        before: The same before this round; None in the first one.
        length: Of the prompt, in tokens.
        session: Holds the prompt.
        seconds: To its first token.
    """
    times = (*(before.ttft_s if before is not None else ()), seconds)
    counted = isinstance(model.network, Decoder)
    linear, attention = split_operations(model.config, length) if counted else (None, None)
    cache_bytes = session.memory().used_bytes
    return PrefillPoint(length, times, min(times), cache_bytes, linear, attention)


def fitted(points: Sequence[PrefillPoint]) -> Fit:
    """Take the times of all lengths apart."""
    curve = fit([p.tokens for p in points], [p.best_s for p in points])
    last = points[-1]
    square = curve.per_pair_s * last.tokens**2
    whole = curve.fixed_s + curve.per_token_s * last.tokens + square
    counted = None
    if last.operations is not None and last.attention_operations is not None:
        counted = last.attention_operations / last.operations
    return Fit(curve, spread([p.ttft_s for p in points]), square / whole, counted)


def fit_claims(found: Fit, last: PrefillPoint) -> Iterator[Claim]:
    """What should be seen of the times.

    Args:
        found: The times of all lengths, taken apart.
        last: The longest prompt.
    """
    if len(last.ttft_s) > 1:
        yield Claim(
            "quiet",
            "The machine was quiet enough to measure on: rounds of one length took about the same.",
            found.noise, "≤", _MOST_NOISE, "of the measured time",
        )  # fmt: skip
    yield Claim(
        "fit",
        "The time of a prefill is a fixed part, one that grows with the tokens and one that grows "
        "with their square; what is left over is small, or no more than this measurement's noise.",
        found.curve.residual, "≤", found.tolerance, "of the measured time",
    )  # fmt: skip
    yield Claim(
        "quadratic",
        "The quadratic part, attention, is there, unless it is so small that the noise hides it.",
        found.curve.per_pair_s, ">", -found.allowed_noise * last.best_s / last.tokens**2,
        "s per token²",
    )  # fmt: skip
