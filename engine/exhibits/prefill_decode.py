"""Exhibit 9: what prefill and decode cost, measured at growing prompt lengths."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import mlx.core as mx

from engine.errors import PromptError
from engine.exhibits.common import (
    Claim,
    Exhibit,
    How,
    Inputs,
    Note,
    Watch,
    how,
    whole,
)
from engine.exhibits.costs import Probe, fit, read_bytes, split_operations, spread
from engine.exhibits.decoding import BURST, DecodePoint, decoded
from engine.exhibits.prefilling import (
    Fit,
    PrefillPoint,
    first_token,
    fit_claims,
    fitted,
    prefill_point,
)
from engine.llama import Decoder
from engine.model import Model
from engine.session import Session
from engine.speed import prompt

_EIGHTHS = (1, 2, 4, 6, 8)
_SHORT, _LONG = 2, 8  # eighths: the long prompt is four times the short one
_WARM_UP = 16
_LONGEST = 1024 if mx.metal.is_available() else 512  # shorter ones are over too soon there
_DECODE = 0.2  # of the whole
_TINY_S = 1e-6


@dataclass(frozen=True)
class PrefillDecodeInputs(Inputs):
    """What can be set."""

    longest: int = whole(_LONGEST, 64, 16_384, "tokens of the longest prompt")
    rounds: int = whole(3, 1, 20, "how often each length is measured; the best time counts")
    bursts: int = whole(4, 1, 50, "bursts of 4 tokens that are decoded after each prompt, in turn")


@dataclass(frozen=True)
class FourTimes:
    """What four times the prompt does; each is the long one's figure over the short one's.

    Attributes:
        short: Tokens of the short prompt.
        long: Of the long one.
        ttft: Time to first token.
        ttft_moving: The same without the fixed part of the fit.
        operations: Counted operations of the prefill; None for models of mlx-lm.
        cache_bytes: Bytes of the cache.
        prefill_tokens_per_s: Speed of the prefill.
        decode_tokens_per_s: Speed of the decode after it.
    """

    short: int
    long: int
    ttft: float
    ttft_moving: float
    operations: float | None
    cache_bytes: float
    prefill_tokens_per_s: float
    decode_tokens_per_s: float


@dataclass(frozen=True)
class PrefillDecodeResult:
    """What was measured.

    Attributes:
        inputs: What was set.
        prefill: One point for each length so far, ascending.
        fit: None while a length is missing.
        prefill_operations_per_s: At the longest prompt; None likewise or for models of mlx-lm.
        decode: After the short and after the long prompt; empty until the first round is done.
        probe_gb_per_s: What this machine reads where one vector meets a large matrix, in 10⁹
            bytes per second; None until it is measured.
        four_times: None until the decode is measured.
        notes: Where care is needed.
        how: How the figures are computed.
    """

    inputs: PrefillDecodeInputs
    prefill: tuple[PrefillPoint, ...]
    fit: Fit | None
    prefill_operations_per_s: float | None
    decode: tuple[DecodePoint, ...]
    probe_gb_per_s: float | None
    four_times: FourTimes | None
    notes: tuple[Note, ...]
    how: tuple[How, ...]


def measure(
    model: Model,
    inputs: PrefillDecodeInputs,
    watch: Watch,
) -> PrefillDecodeResult:
    """Prefill prompts of growing length in turn; after the first round decode after two of them.

    Raises:
        PromptError: The longest prompt does not fit the model's context.
        CancelledError: It was stopped.
    """
    _check(model, inputs)
    ids = prompt(model, inputs.longest)
    lengths = [inputs.longest * eighths // 8 for eighths in _EIGHTHS]
    pair = [inputs.longest * _SHORT // 8, inputs.longest * _LONG // 8]
    result = PrefillDecodeResult(inputs, (), None, None, (), None, None, _notes(model), _HOW)
    first_token(model, ids[:_WARM_UP], watch.part(0.0, 0.0))
    sessions: dict[int, Session] = {}
    points: dict[int, PrefillPoint] = {}
    begun, share = 0.0, (1 - _DECODE) / (sum(lengths) * inputs.rounds)
    for turn in range(inputs.rounds):
        for length in lengths:
            ended = begun + share * length
            session, seconds = first_token(model, ids[:length], watch.part(begun, ended))
            points[length] = prefill_point(model, points.get(length), length, session, seconds)
            if turn == 0 and length in pair:
                sessions[length] = session
            begun = ended
            result = _judged(replace(result, prefill=tuple(points.values())))
            watch.tell(begun, result)
        if turn == 0:
            probe = Probe(model.network.dtype)
            part = watch.part(begun, begun + _DECODE)
            decode = decoded(model, ids, sessions, inputs.bursts, probe, part)
            sessions.clear()
            begun += _DECODE
            result = _judged(replace(result, decode=decode, probe_gb_per_s=probe.gb_per_s))
            watch.tell(begun, result)
    watch.tell(1.0, result)
    return result


def claims(result: PrefillDecodeResult) -> Iterator[Claim]:
    """What should be seen, as far as it is measured."""
    if result.fit is not None:
        yield from fit_claims(result.fit, result.prefill[-1])
        yield from _decode_claims(result, result.fit)


def _decode_claims(result: PrefillDecodeResult, found: Fit) -> Iterator[Claim]:
    four = result.four_times
    if four is None:
        return
    yield Claim(
        "four_times_ttft",
        "Four times the prompt takes at least about four times as long to the first token, without "
        "the fixed part.",
        four.ttft_moving, "≥", 4 * (1 - found.tolerance), "times",
    )  # fmt: skip
    yield Claim(
        "four_times_cache",
        "It takes four times the memory for keys and values.",
        four.cache_bytes, "=", 4, "times",
    )  # fmt: skip
    yield Claim(
        "four_times_decode",
        "It slows decoding too, but by much less than it slows the first token.",
        1 / four.decode_tokens_per_s, "<", four.ttft, "times",
    )  # fmt: skip
    last = result.decode[-1]
    if result.prefill_operations_per_s is not None and last.operations_per_s is not None:
        yield Claim(
            "arithmetic",
            "Decoding does not wait for arithmetic: the same machine does more than twice as much "
            "of it per second in a prefill.",
            result.prefill_operations_per_s, "≥", 2 * last.operations_per_s, "operations per s",
        )  # fmt: skip
    if result.probe_gb_per_s is not None:
        yield Claim(
            "bandwidth",
            "Decoding reads memory at a good part of the speed at which this machine can.",
            last.gb_per_s, "≥", 0.4 * result.probe_gb_per_s, "GB/s",
        )  # fmt: skip


def _judged(result: PrefillDecodeResult) -> PrefillDecodeResult:
    """The result with what follows from the measurements, as far as they are there."""
    points = result.prefill
    if len(points) < len(_EIGHTHS):
        return result
    found, last = fitted(points), points[-1]
    four = _four_times(points, found.curve.fixed_s, result.decode) if result.decode else None
    return replace(
        result,
        fit=found,
        prefill_operations_per_s=(
            None if last.operations is None else last.operations / last.best_s
        ),
        four_times=four,
    )


def _four_times(
    points: Sequence[PrefillPoint], fixed_s: float, decode: Sequence[DecodePoint]
) -> FourTimes:
    by_length = {point.tokens: point for point in points}
    short, long = (by_length[each.context] for each in decode)
    operations = None
    if short.operations is not None and long.operations is not None:
        operations = long.operations / short.operations
    return FourTimes(
        short=short.tokens,
        long=long.tokens,
        ttft=long.best_s / short.best_s,
        ttft_moving=(long.best_s - fixed_s) / max(short.best_s - fixed_s, _TINY_S),
        operations=operations,
        cache_bytes=long.cache_bytes / short.cache_bytes,
        prefill_tokens_per_s=(long.tokens / long.best_s) / (short.tokens / short.best_s),
        decode_tokens_per_s=decode[-1].tokens_per_s / decode[0].tokens_per_s,
    )


def _check(model: Model, inputs: PrefillDecodeInputs) -> None:
    if inputs.longest % 8:
        raise PromptError("The longest prompt must be a multiple of 8 tokens.")
    room = model.config.max_position_embeddings - BURST * inputs.bursts - 2
    if inputs.longest > room:
        raise PromptError(
            "The model's context has room for prompts of {room:,} tokens here, and {longest:,} "
            "are asked for.",
            room=room,
            longest=inputs.longest,
        )


def _notes(model: Model) -> tuple[Note, ...]:
    notes = [
        Note(
            "short_prompts",
            "In short prompts the quadratic part is small, and a fit of it takes in whatever else "
            "grows faster than the prompt. Its share in seconds need not be its share in "
            "operations: attention runs at another speed than the large matrices.",
        ),
        Note(
            "memory_bound",
            "Decoding is bound by memory when one conversation runs at a time. A server that "
            "decodes many at once reads the weights once for all of them, and becomes bound by "
            "arithmetic and by the caches. A very small model is read so soon that starting the "
            "steps of its many layers takes longer.",
        ),
        Note(
            "quadratic_memory",
            "Time for attention grows with the square of the prompt; the cache grows in "
            "proportion, and of the scores only those of one chunk are held in memory at a time.",
        ),
        Note(
            "noise",
            "Other programs make a machine slower, never faster, so the best of several rounds "
            "counts. By how much rounds of one length still differ is the noise, and the checks "
            "allow for as much. The small quadratic part can drown in it: take more rounds or "
            "longer prompts. The figures are of this machine at this moment.",
        ),
    ]
    if not mx.metal.is_available():
        notes.append(
            Note(
                "cpu",
                "This runs on the processor. On the graphics cores of a Mac a prefill is faster "
                "by far, while decoding gains as much as memory is faster.",
            )
        )
    if any(window is not None for window in model.config.windows):
        notes.append(
            Note(
                "windows",
                "Some layers see only a window of recent tokens: beyond it their attention grows "
                "in proportion to the prompt, and their cache not at all.",
            )
        )
    if not isinstance(model.network, Decoder):
        notes.append(
            Note(
                "runs_through_mlx_lm",
                "This model runs through mlx-lm: its operations are not counted, and what its "
                "layers keep may be bounded by a window or be a state of fixed size, which four "
                "times the prompt does not make four times larger.",
            )
        )
    return tuple(notes)


_HOW = (
    how("prefill.ttft_s", Session.generate, "clock from the request to the first token"),
    how(
        "fit",
        fit,
        "least squares: seconds ≈ fixed + a × tokens + b × tokens², relative to each time",
    ),
    how("fit.noise", spread, "√mean((second best time / best time - 1)²) over the lengths"),
    how(
        "prefill.linear_operations",
        split_operations,
        "linear: tokens × 2 × weights of the blocks + 2 × hidden size × vocabulary; attention: 4 × "
        "query heads × head dimension × layers × tokens × (tokens + 1) / 2",
    ),
    how("decode.gb_per_s", read_bytes, "(weights + keys and values) / seconds per token / 10⁹"),
    how("probe_gb_per_s", Probe.turn, "bytes of a matrix / seconds of vector × matrix / 10⁹"),
    how("four_times.cache_bytes", Session.memory, "used bytes(4 n) / used bytes(n)"),
)

EXHIBIT = Exhibit(9, "prefill_decode", "Prefill and decode", PrefillDecodeInputs, measure, claims)
