"""Compares models, or settings of one: the same prompt, one answer after the other."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from app.chats.settings import SamplingSettings
from app.jobs.asking import sampling_of
from app.spoken import spoken
from engine import CachePolicy, CancelledError, EngineError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import engine
    from app.jobs.workbench import Workbench

_LOADED, _PREFILLED = 0.3, 0.5
"""Shares of a side's progress: once its model is there, once its prompt is in the cache."""


@dataclass(frozen=True)
class Side:
    """One of what is compared.

    Attributes:
        source: What loads the model.
        sampling: How tokens are chosen.
        window: How many recent tokens the cache keeps; None keeps all.
        bits: 8 or 4 to hold keys and values quantised; None for the model's own precision.
    """

    source: str
    sampling: SamplingSettings = field(default_factory=SamplingSettings)
    window: int | None = None
    bits: int | None = None


@dataclass(frozen=True)
class SideResult:
    """What came of a side so far.

    Attributes:
        text: What was written.
        done: Whether nothing more comes.
        error: Why nothing came, one sentence; empty where all went well.
        load_s: How long the model took to load; about 0 where it was there.
        prompt_tokens: Of the prompt, as its own tokenizer counts.
        tokens: Of the answer.
        ttft_s: Seconds to the first token.
        prefill_tps: Tokens of the prompt per second.
        decode_tps: Tokens of the answer per second.
        weights_bytes: Of the weights in memory.
        kv_bytes: Of the keys and values at the end.
        finish_reason: Why the answer ended: `stop` or `length`.
    """

    text: str = ""
    done: bool = False
    error: str = ""
    load_s: float | None = None
    prompt_tokens: int = 0
    tokens: int = 0
    ttft_s: float | None = None
    prefill_tps: float | None = None
    decode_tps: float | None = None
    weights_bytes: int = 0
    kv_bytes: int = 0
    finish_reason: str = ""


def comparison(
    prompt: str, sides: Sequence[Side], max_tokens: int
) -> Callable[[Workbench], tuple[SideResult, ...]]:
    """A job that answers one prompt with each side in turn.

    Its partial results are as its result: what every side has come to.

    Args:
        prompt: The user's words.
        sides: What is compared, in this order.
        max_tokens: The most tokens of each answer.
    """

    def job(bench: Workbench) -> tuple[SideResult, ...]:
        results = [SideResult() for _ in sides]
        for number, side in enumerate(sides):

            def tell(share: float, result: SideResult, number: int = number) -> None:
                if bench.cancelled():
                    raise CancelledError("The comparison was stopped.")
                results[number] = result
                bench.report(min((number + share) / len(sides), 0.999), tuple(results))

            try:
                results[number] = _answer(bench, side, prompt, max_tokens, tell)
            except CancelledError:
                raise
            except EngineError as error:
                results[number] = replace(results[number], done=True, error=spoken(error))
        return tuple(results)

    return job


def _answer(
    bench: Workbench,
    side: Side,
    prompt: str,
    max_tokens: int,
    tell: Callable[[float, SideResult], None],
) -> SideResult:
    """Answer with one side; its model is let go with this function's end."""
    result = SideResult()
    tell(0.0, result)
    begun = time.perf_counter()
    model = bench.borrow(side.source)
    result = replace(result, load_s=time.perf_counter() - begun, weights_bytes=model.weights_bytes)
    tell(_LOADED, result)
    session = model.session(_policy(model, side))
    ids = model.prompt_tokens([{"role": "user", "content": prompt}])

    def on_prefill(done: int, total: int) -> None:
        tell(_LOADED + (_PREFILLED - _LOADED) * done / max(total, 1), result)

    pieces: list[str] = []
    sampling = sampling_of(side.sampling)
    for number, chunk in enumerate(
        session.generate(ids, sampling, max_tokens, on_prefill=on_prefill), 1
    ):
        pieces.append(chunk.text)
        share = min(number / max_tokens, 1.0)
        so_far = replace(result, text="".join(pieces), tokens=number)
        tell(_PREFILLED + (1 - _PREFILLED) * share, so_far)
    figures = session.figures
    return replace(
        result,
        text="".join(pieces),
        done=True,
        prompt_tokens=figures.prompt_tokens,
        tokens=figures.generated_tokens,
        ttft_s=figures.ttft_s,
        prefill_tps=figures.prefill_tps,
        decode_tps=figures.decode_tps,
        kv_bytes=session.memory().used_bytes,
        finish_reason=figures.finish_reason or "",
    )


def _policy(model: engine.Model, side: Side) -> CachePolicy:
    if side.window is None:
        return CachePolicy(bits=side.bits)
    pinned = model.pinned_tokens([{"role": "user", "content": ""}])
    return CachePolicy(max(side.window, pinned + 1), pinned, side.bits)
