"""The steps from the model's logits to those that are drawn from, each a small pure function.

All take logits (V,) float32 and return new ones; a removed token has -inf. Everything is lazy and
stays on the device.
"""

import math

import mlx.core as mx

from engine.likely import largest, logsumexp

LONGEST_REPEAT = 50
_REMOVED = -math.inf
_COLDEST = 1e-30  # float32 ends not far below it


def keep_allowed(logits: mx.array, allowed: mx.array) -> mx.array:
    """Logits (V,) with -inf where `allowed` (V,) bool is false."""
    return mx.where(allowed, logits, _REMOVED)


def add_bias(logits: mx.array, tokens: mx.array, bias: mx.array) -> mx.array:
    """Add `bias` (n,) to the logits of different `tokens` (n,); -inf bans a token.

    Source: `logit_bias` of OpenAI's chat completions API.
    """
    return logits.at[tokens].add(bias)


def penalise(logits: mx.array, tokens: mx.array, penalty: float) -> mx.array:
    """Make `tokens` (n,) less likely: logits (V,) divided by the penalty, or times it if < 0.

    Source: Keskar et al. 2019, CTRL, arXiv:1909.05858.
    """
    if tokens.size == 0:
        return logits
    chosen = logits[tokens]
    changed = mx.where(chosen < 0, chosen * penalty, chosen / penalty)
    return mx.put_along_axis(logits, tokens, changed, axis=0)


def penalise_counts(
    logits: mx.array, tokens: mx.array, *, frequency: float, presence: float
) -> mx.array:
    """Lower tokens by how often they came: logits - count × frequency - (count > 0) × presence.

    Source: "Frequency and presence penalties" of OpenAI's text generation guide.
    """
    if tokens.size == 0:
        return logits
    counts = mx.zeros(logits.shape).at[tokens].add(1.0)
    return logits - frequency * counts - presence * (counts > 0)


def penalise_repeats(
    logits: mx.array,
    tokens: mx.array,
    breakers: mx.array,
    *,
    multiplier: float,
    base: float,
    allowed_length: int,
) -> mx.array:
    """DRY ("don't repeat yourself"): lower each token that would go on with a repetition.

    Where the last n tokens stood before, the token that followed there is lowered by
    multiplier × base ** (n - allowed_length), for n >= allowed_length. A repetition does not reach
    over a breaker, and breakers are not lowered. n counts to `LONGEST_REPEAT`, as in the original,
    so that the power stays finite.
    Source: p-e-w 2024, github.com/oobabooga/text-generation-webui/pull/5677.

    Args:
        logits: (V,).
        tokens: (n,), the recent tokens, the newest last.
        breakers: (V,) bool, the tokens at which every repetition begins anew.
        multiplier: Strength of the penalty.
        base: Its growth with each repeated token.
        allowed_length: Repetitions shorter than this cost nothing.
    """
    lengths = repeat_lengths(tokens, breakers)
    if lengths.size == 0:
        return logits
    longest = mx.zeros(logits.shape).at[tokens[1:]].maximum(lengths)
    penalty = multiplier * mx.power(base, longest - allowed_length)
    return mx.where(longest >= allowed_length, logits - penalty, logits)


def repeat_lengths(tokens: mx.array, breakers: mx.array) -> mx.array:
    """How long the newest tokens' repetition is that ends at each earlier place.

    Args:
        tokens: (n,), the newest last.
        breakers: (V,) bool.

    Returns:
        (n - 1,) float32: entry i counts the equal tokens of tokens[: i + 1] and of all tokens, from
        their ends backwards; 0 where a breaker follows.
    """
    count = tokens.size
    if count < 2:  # nothing can repeat
        return mx.zeros((0,))
    back = mx.arange(min(LONGEST_REPEAT, count - 1))
    newest = tokens[count - 1 - back]
    places = mx.arange(count - 1)[None, :] - back[:, None]
    same = (tokens[mx.maximum(places, 0)] == newest[:, None]) & (places >= 0)
    same = same & ~breakers[newest][:, None]
    lengths = mx.sum(mx.cumprod(same.astype(mx.float32), axis=0), axis=0)
    return mx.where(breakers[tokens[1:]], 0.0, lengths)


def keep_top_k(logits: mx.array, k: int) -> mx.array:
    """Logits (V,) with all but the k highest at -inf (ties with the k-th stay).

    Source: Fan et al. 2018, arXiv:1805.04833.
    """
    if k >= logits.size:
        return logits
    return mx.where(logits < mx.min(mx.topk(logits, k)), _REMOVED, logits)


def keep_top_p(logits: mx.array, p: float, most: int = 0) -> mx.array:
    """Nucleus sampling (Holtzman et al. 2019, arXiv:1904.09751).

    Args:
        logits: (V,).
        p: The probability to reach.
        most: How many tokens can still be in the nucleus, where a filter before left only those
            (but for ties with the last of them); 0 where any can.

    Returns:
        Logits (V,) with -inf but for the fewest most likely tokens whose probabilities together
        reach p; the most likely one always stays.
    """
    total = logsumexp(logits)
    if 0 < most < logits.size:
        descending = -mx.sort(-mx.topk(logits, most))
    else:
        # Tokens below (1 - p) / 2V cannot be needed to reach p. Sorting is much quicker when the
        # many of them are equal; the half leaves room for rounding.
        least = math.log((1 - p) / (2 * logits.size)) if p < 1 else _REMOVED
        descending = -mx.sort(mx.where(logits < total + least, math.inf, -logits))
    probabilities = mx.exp(descending - total)
    before = mx.cumsum(probabilities) - probabilities
    last = mx.maximum(mx.sum((before < p) & (probabilities > 0)) - 1, 0)
    return mx.where(logits < descending[last], _REMOVED, logits)


def keep_min_p(logits: mx.array, min_p: float) -> mx.array:
    """Logits (V,) with -inf where p < min_p × the highest p (Nguyen et al. 2024, 2407.01082)."""
    return mx.where(logits < mx.max(logits) + math.log(min_p), _REMOVED, logits)


def exclude_top_choices(logits: mx.array, threshold: float, spared: mx.array | None) -> mx.array:
    """XTC: of the tokens at least `threshold` likely, only the least likely one stays.

    Nothing happens where fewer than two are, and nothing where one of `spared` would go: ends of
    text and of lines keep their chances, so that replies do not grow longer or shorter.
    Source: p-e-w 2024, github.com/oobabooga/text-generation-webui/pull/6335, as merged.

    Args:
        logits: (V,).
        threshold: A probability, after the filters before.
        spared: (n,) token ids; None for none.
    """
    probabilities = mx.softmax(logits, precise=True)
    choices = (probabilities >= threshold) & (probabilities > 0)
    least = mx.min(mx.where(choices, probabilities, math.inf))
    removed = choices & (probabilities > least)
    if spared is not None:
        removed = removed & ~mx.any(removed[spared])
    return mx.where(removed, _REMOVED, logits)


def scale(logits: mx.array, temperature: float) -> mx.array:
    """Logits (V,), measured from the highest, divided by the temperature (0: it alone stays)."""
    if temperature == 0:
        return mx.where(mx.arange(logits.size) == mx.argmax(logits), logits, _REMOVED)
    # Measured from the highest, so that the coldest temperature gives 0 and -inf, not NaN.
    return (logits - mx.max(logits)) / max(temperature, _COLDEST)


def log_probabilities(logits: mx.array) -> mx.array:
    """Log-probabilities (V,), natural; all -inf where every token was removed."""
    gone = mx.max(logits) == _REMOVED
    return mx.where(gone, _REMOVED, logits - logsumexp(logits))


def top_logprobs(logits: mx.array, count: int) -> tuple[mx.array, mx.array, mx.array]:
    """Log-probabilities of the most likely tokens.

    Args:
        logits: (V,), before any penalty or filter.
        count: How many alternatives.

    Returns:
        What to subtract from a logit for its log-probability (), the ids (count,) and the
        log-probabilities (count,) of the most likely tokens in descending order; lazy.
    """
    logits = logits.astype(mx.float32)
    total = logsumexp(logits)
    ids = largest(logits[None], count)[0]
    return total, ids, logits[ids] - total
