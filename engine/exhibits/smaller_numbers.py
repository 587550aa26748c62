"""Exhibit 13: the cache in smaller numbers: what that saves, and what it costs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import mlx.core as mx

from engine.cache import Cache, CachePolicy
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
from engine.exhibits.passages import long_ids
from engine.exhibits.rounding import half_bytes, rounded_cache
from engine.exhibits.scoring import mean, score, surprise
from engine.kv import kv_bytes
from engine.model import Model

_CHUNK = 32
_HALF = 16
_SMALL_CHANGE = 0.05


@dataclass(frozen=True)
class SmallerNumbersInputs(Inputs):
    """What can be set."""

    tokens: int = whole(129, 17, 4096, "tokens of the text that is scored")
    text: str = text("", "the text; a built-in one where empty", least=0, most=100_000)


@dataclass(frozen=True)
class Width:
    """The cache at one width.

    Attributes:
        bits: Of each stored number.
        rounded: Whether 32-bit numbers were rounded to the 16-bit ones that are meant, as this
            device holds 32; the bytes are then those of a copy at 16 bits.
        used_bytes: Of what is held, measured.
        formula_bytes: What the formula says.
        bytes_per_token: Measured.
        largest: The largest difference of a logit to the model's own precision.
        typical: The mean absolute difference of a logit.
        same_tokens: At how many positions the same token is most likely.
        positions: Compared so far.
        nll: Mean over these of minus the log-probability of the next token, in nats.
        nll_change: That minus the same at the model's own precision.
    """

    bits: int
    rounded: bool
    used_bytes: int
    formula_bytes: int
    bytes_per_token: float
    largest: float
    typical: float
    same_tokens: int
    positions: int
    nll: float
    nll_change: float


@dataclass(frozen=True)
class SmallerNumbersResult:
    """What was measured.

    Attributes:
        inputs: What was set.
        tokens: How many are going to be scored.
        widths: From wide to narrow, as far as the text has been read; the first is the model's own
            precision, which the others are compared with.
        notes: Where care is needed.
        how: How the figures are computed.
    """

    inputs: SmallerNumbersInputs
    tokens: int
    widths: tuple[Width, ...]
    notes: tuple[Note, ...]
    how: tuple[How, ...]


def measure(
    model: Model,
    inputs: SmallerNumbersInputs,
    watch: Watch,
) -> SmallerNumbersResult:
    """Score a text with the cache at each width, a chunk each in turn.

    Raises:
        UnsupportedError: The model runs through mlx-lm, which has no such caches here.
        SettingError: Its head dimension cannot be quantised.
        PromptError: The text is too short or does not fit the model's context.
        CancelledError: It was stopped.
    """
    ids = _ids(model, inputs)
    runs = _runs(model)
    result = SmallerNumbersResult(inputs, len(ids) - 1, (), _notes(model), _HOW)
    streams = [score(model, run.cache, ids, _CHUNK) for run in runs]
    while runs[0].positions < len(ids) - 1:
        reference: mx.array | None = None
        for run, stream in zip(runs, streams, strict=True):
            scored = next(stream)
            reference = scored.logits if reference is None else reference
            run.add(scored.nll, scored.logits, reference)
            done = sum(each.positions for each in runs)
            watch.tell(done / (len(runs) * (len(ids) - 1)))
        widths = tuple(run.width(runs[0]) for run in runs)
        result = replace(result, widths=widths)
        watch.tell(runs[0].positions / (len(ids) - 1), result)
    return result


def claims(result: SmallerNumbersResult) -> tuple[Claim, ...]:
    """What should be seen, as far as it is measured."""
    if not result.widths:
        return ()
    return (*_bytes_claims(result.widths), *_cost_claims(result.widths))


def _bytes_claims(widths: Sequence[Width]) -> Iterator[Claim]:
    yield Claim(
        "formula",
        "At every width the measured bytes are those of the formula.",
        sum(width.used_bytes != width.formula_bytes for width in widths), "=", 0,
        "widths at which they differ",
    )  # fmt: skip
    for bits, divisor in ((8, 1.7), (4, 3.1)):
        yield Claim(
            f"saved_{bits}",
            f"{bits} bits take nearly {_HALF // bits} times less than 16; scales cost the rest.",
            _of(widths, _HALF).used_bytes / _of(widths, bits).used_bytes, "≥", divisor, "times",
        )  # fmt: skip


def _cost_claims(widths: Sequence[Width]) -> Iterator[Claim]:
    eight, four = _of(widths, 8), _of(widths, 4)
    half = _of(widths, _HALF)
    if half.rounded:
        yield Claim(
            "half",
            "16 bits change the text's likelihood hardly at all.",
            abs(half.nll_change), "≤", _SMALL_CHANGE / 5, "nats per token",
        )  # fmt: skip
        yield Claim(
            "half_closer",
            "They stay closer to the logits of 32 bits than 8 bits do.",
            half.typical, "<", eight.typical, "logits",
        )  # fmt: skip
    yield Claim(
        "eight",
        "8 bits change it a little.",
        abs(eight.nll_change), "≤", _SMALL_CHANGE, "nats per token",
    )  # fmt: skip
    yield Claim(
        "four_further",
        "4 bits are further from the logits than 8 bits are.",
        four.typical, ">", eight.typical, "logits",
    )  # fmt: skip
    yield Claim(
        "four",
        "And they make the text less likely than 8 bits do.",
        four.nll, ">", eight.nll, "nats per token",
    )  # fmt: skip


def _of(widths: Sequence[Width], bits: int) -> Width:
    return next(width for width in widths if width.bits == bits)


class _Run:
    """One width, and what has been compared at it so far."""

    def __init__(self, bits: int, cache: Cache, *, rounded: bool = False) -> None:
        self.bits, self.cache, self.rounded = bits, cache, rounded
        self._nll: list[float] = []
        self._largest, self._sum, self._count, self._same = 0.0, 0.0, 0, 0

    @property
    def positions(self) -> int:
        return len(self._nll)

    @property
    def nll(self) -> float:
        return mean(self._nll)

    def add(self, nll: Sequence[float], logits: mx.array, reference: mx.array) -> None:
        apart = mx.abs(logits - reference)
        same = mx.sum(mx.argmax(logits, axis=1) == mx.argmax(reference, axis=1))
        self._nll += nll
        self._largest = max(self._largest, cast("float", mx.max(apart).item()))
        # The mean first: a sum of millions of single-precision numbers would lose its last digits.
        self._sum += cast("float", mx.mean(mx.mean(apart, axis=1)).item()) * len(nll)
        self._count += len(nll)
        self._same += cast("int", same.item())

    def width(self, reference: "_Run") -> Width:
        used = half_bytes(self.cache) if self.rounded else self.cache.used_bytes
        formula = self.cache.formula_bytes
        if self.rounded:
            formula = formula * self.bits // (8 * self.cache.dtype.size)
        tokens = self.cache.filled
        return Width(
            bits=self.bits,
            rounded=self.rounded,
            used_bytes=used,
            formula_bytes=formula,
            bytes_per_token=used / tokens,
            largest=self._largest,
            typical=self._sum / self._count,
            same_tokens=self._same,
            positions=self.positions,
            nll=self.nll,
            nll_change=self.nll - reference.nll,
        )


def _runs(model: Model) -> list[_Run]:
    """From wide to narrow; the first is the model's own precision."""
    decoder = model.decoder
    own = decoder.dtype.size * 8
    runs = [_Run(own, decoder.new_cache(CachePolicy()))]
    if own != _HALF:
        runs.append(_Run(_HALF, rounded_cache(model), rounded=True))
    return runs + [_Run(bits, decoder.new_cache(CachePolicy(bits=bits))) for bits in (8, 4)]


def _ids(model: Model, inputs: SmallerNumbersInputs) -> list[int]:
    ids = long_ids(model, inputs.tokens, inputs.text)
    if len(ids) < 2:
        raise PromptError("The text must have at least 2 tokens.")
    if len(ids) > model.config.max_position_embeddings:
        raise PromptError(
            "The text has {count:,} tokens and this model's context holds {context:,}.",
            count=len(ids),
            context=model.config.max_position_embeddings,
        )
    return ids


def _notes(model: Model) -> tuple[Note, ...]:
    notes = [
        Note(
            "scales",
            "At 8 and 4 bits each group of numbers shares a 16-bit scale and a 16-bit bias, so "
            "they take a little more than 8 and 4 bits each.",
        ),
        Note(
            "one_text",
            "The change in likelihood is of one text. Where it is small it can fall on either "
            "side of zero by chance; the logits show the difference all the same.",
        ),
        Note(
            "speed",
            "Smaller numbers save memory and reading it; unpacking them takes arithmetic. Whether "
            "a reply comes sooner depends on the device and on the length of the chat.",
        ),
    ]
    if model.decoder.dtype.size == 4:
        notes.append(
            Note(
                "rounded",
                "On this processor the model computes in 32-bit numbers. The row for 16 bits is "
                "what it computes when everything stored is rounded to 16-bit numbers, and its "
                "bytes are those of a copy.",
            )
        )
    return tuple(notes)


_HOW = (
    how(
        "widths.used_bytes",
        half_bytes,
        "bytes of the arrays of keys and values (and scales); at 16 bits of a copy",
    ),
    how(
        "widths.formula_bytes",
        kv_bytes,
        "2 × layers × KV heads × head dimension × tokens × bits / 8, and 32 bits more for each "
        "group of numbers at 8 and 4 bits",
    ),
    how("widths.nll", surprise, "mean of logsumexp(logits) - logits[next token]"),
    how("widths.largest", measure, "max |logits - logits at the model's own precision|"),
)

EXHIBIT = Exhibit(13, "smaller_numbers", "Smaller numbers", SmallerNumbersInputs, measure, claims)
