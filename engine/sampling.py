"""From logits to the next token: penalties, filters, temperature, each a small pure function.

Order: repetition penalty, then top-k, top-p and min-p on the model's own probabilities, then
temperature, then a draw. The filters come first so that a high temperature never lets in a token
that they would have removed. Everything stays on the device until the token is asked for.
"""

import math
from dataclasses import dataclass, fields

import mlx.core as mx

from engine.errors import SettingError

_BOUNDS = {
    "temperature": (0.0, 100.0),
    "top_k": (0, 1 << 31),
    "top_p": (0.0, 1.0),
    "min_p": (0.0, 1.0),
    "repetition_penalty": (0.01, 100.0),
    "repetition_context": (0, 1 << 20),
    "seed": (0, (1 << 64) - 1),
}
_COLDEST = 1e-30  # float32 ends not far below it


@dataclass(frozen=True)
class Sampling:
    """How the next token is chosen.

    Attributes:
        temperature: Divides the logits; 0 takes the most likely token.
        top_k: Only the k most likely tokens; 0 is off.
        top_p: The fewest tokens whose probabilities reach p; 1 is off. 0 keeps the first alone.
        min_p: Only tokens at least min_p times as likely as the first; 0 is off.
        repetition_penalty: Divides positive and multiplies negative logits of recent tokens
            (Keskar et al. 2019, arXiv:1909.05858); 1 is off.
        repetition_context: How many recent tokens the penalty looks at.
        seed: The same seed gives the same text; None takes a new one each time.
    """

    temperature: float = 0.7
    top_k: int = 0
    top_p: float = 0.95
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    repetition_context: int = 64
    seed: int | None = None

    def __post_init__(self) -> None:
        """Refuse what has no meaning, before it can turn into infinite or NaN weights."""
        for entry in fields(self):
            low, high = _BOUNDS[entry.name]
            value: float | None = getattr(self, entry.name)
            if value is None and entry.name == "seed":
                continue
            whole = isinstance(low, int)
            fits = isinstance(value, int) if whole else isinstance(value, int | float)
            if value is None or isinstance(value, bool) or not fits or not low <= value <= high:
                kind = "a whole number" if whole else "a number"
                name = entry.name.replace("_", " ")
                raise SettingError(f"The {name} must be {kind} from {low} to {high}, not {value}.")


class Sampler:
    """Draws tokens one after the other, with one random key and a memory of recent tokens."""

    def __init__(self, sampling: Sampling, seed: int, prompt: list[int]) -> None:
        self._sampling = sampling
        self._key = mx.random.key(seed)
        context = sampling.repetition_context
        self._penalised = sampling.repetition_penalty != 1.0 and context > 0
        self._recent = mx.array(prompt[-context:] if self._penalised else [], dtype=mx.int32)

    def __call__(self, logits: mx.array) -> mx.array:
        """Choose the next token.

        Args:
            logits: (V,) of the last position.

        Returns:
            The token id, an array of shape (1,); lazy.
        """
        chosen = self._choose(logits.astype(mx.float32))
        if self._penalised:
            context = self._sampling.repetition_context
            self._recent = mx.concatenate([self._recent, chosen])[-context:]
        return chosen

    def _choose(self, logits: mx.array) -> mx.array:
        sampling = self._sampling
        if self._penalised:
            logits = penalise(logits, self._recent, sampling.repetition_penalty)
        if sampling.temperature == 0:
            return mx.argmax(logits, keepdims=True)
        if 0 < sampling.top_k < logits.size:
            logits = keep_top_k(logits, sampling.top_k)
        if sampling.top_p < 1:
            logits = keep_top_p(logits, sampling.top_p)
        if sampling.min_p > 0:
            logits = keep_min_p(logits, sampling.min_p)
        self._key, key = mx.random.split(self._key)
        # Measured from the highest, so that the coldest temperature gives 0 and -inf, not NaN.
        heated = (logits - mx.max(logits)) / max(sampling.temperature, _COLDEST)
        return mx.random.categorical(heated, key=key, shape=(1,))


def penalise(logits: mx.array, tokens: mx.array, penalty: float) -> mx.array:
    """Make `tokens` (n,) less likely: logits (V,) divided by the penalty, or times it if < 0."""
    if tokens.size == 0:
        return logits
    chosen = logits[tokens]
    changed = mx.where(chosen < 0, chosen * penalty, chosen / penalty)
    return mx.put_along_axis(logits, tokens, changed, axis=0)


def keep_top_k(logits: mx.array, k: int) -> mx.array:
    """Logits (V,) with all but the k highest at -inf (ties with the k-th stay)."""
    return mx.where(logits < mx.min(mx.topk(logits, k)), -math.inf, logits)


def keep_top_p(logits: mx.array, p: float) -> mx.array:
    """Nucleus sampling (Holtzman et al. 2019, arXiv:1904.09751).

    Args:
        logits: (V,).
        p: The probability to reach.

    Returns:
        Logits (V,) with -inf but for the fewest most likely tokens whose probabilities together
        reach p; the most likely one always stays.
    """
    descending = -mx.sort(-logits)
    probabilities = mx.softmax(descending, precise=True)
    before = mx.cumsum(probabilities) - probabilities
    last = mx.maximum(mx.sum(before < p) - 1, 0)
    return mx.where(logits < descending[last], -math.inf, logits)


def keep_min_p(logits: mx.array, min_p: float) -> mx.array:
    """Logits (V,) with -inf where p < min_p × the highest p (Nguyen et al. 2024, 2407.01082)."""
    return mx.where(logits < mx.max(logits) + math.log(min_p), -math.inf, logits)


def top_logprobs(logits: mx.array, count: int) -> tuple[mx.array, mx.array, mx.array]:
    """Log-probabilities, and the most likely tokens by them.

    Args:
        logits: (V,), before any penalty or filter.
        count: How many alternatives.

    Returns:
        All log-probabilities (V,), the ids (count,) and the log-probabilities (count,) of the
        most likely tokens in descending order; lazy.
    """
    logits = logits.astype(mx.float32)
    logprobs = logits - mx.logsumexp(logits)
    ids = mx.argpartition(-logprobs, kth=count - 1)[:count]
    ids = ids[mx.argsort(-logprobs[ids])]
    return logprobs, ids, logprobs[ids]
