"""The KV cache: endless chats, turns that reuse it, and quantised storage."""

import dataclasses
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import mlx.core as mx

import engine
from engine.cache import Cache
from engine.operations import count_operations
from tests.bench.context import Context
from tests.bench.report import Row, compared, figure

_GREEDY = engine.Sampling(temperature=0.0)
_ROTATING = engine.CachePolicy(window=512, pinned=16)
_CHUNK = 128
_ENDLESS, _SCORED = 16_000, 2_560
_HISTORY, _NEW = 2_000, 64
_QUANTISED, _QUANTISED_4 = 4_000, 1_500


@dataclass
class Scores:
    """Negative log-likelihoods of a text, and the most memory the decoder took for it."""

    nll: list[float]
    peak_bytes: int

    def mean(self, last: int | None = None) -> float:
        """Of the last so many tokens, or all, in nats per token."""
        taken = self.nll if last is None else self.nll[-last:]
        return sum(taken) / len(taken)


def _score(context: Context, cache: Cache, ids: Sequence[int], last: int) -> Scores:
    """Run `ids` through decoder and cache in chunks, and score the `last` of them."""
    decoder = context.model.decoder
    scores, done = Scores([], 0), 0
    unscored = len(ids) - last - 1
    while done < len(ids) - 1:
        size = cache.chunk(min(_CHUNK, len(ids) - 1 - done))
        mx.reset_peak_memory()
        hidden = decoder.hidden(mx.array([list(ids[done : done + size])]), cache)
        mx.eval(hidden, cache.arrays())
        scores.peak_bytes = max(scores.peak_bytes, mx.get_peak_memory())
        if done + size > unscored:
            logits = decoder.project(hidden)[0].astype(mx.float32)
            targets = mx.array(list(ids[done + 1 : done + size + 1]))
            told = mx.take_along_axis(logits, targets[:, None], axis=1)[:, 0]
            nll: list[float] = (mx.logsumexp(logits, axis=-1) - told).tolist()  # pyright: ignore[reportAssignmentType]
            scores.nll += nll
        done += size
    return scores


def run_rotation(context: Context) -> Iterator[Row]:
    """Seconds per token late in a rotating chat, in turn with early in one."""
    model, lengths = context.model, (10_000, 2_000)
    streams: list[Iterator[object]] = []
    for length in lengths:
        session = model.session(_ROTATING)
        streams.append(session.generate(context.text_ids[:length], _GREEDY, 100))
        next(streams[-1])
        mx.synchronize()
    spent: tuple[list[float], list[float]] = ([], [])
    for _ in range(10):
        for stream, seconds in zip(streams, spent, strict=True):
            begun = time.perf_counter()
            for _ in range(8):
                next(stream)
            mx.synchronize()
            seconds.append((time.perf_counter() - begun) / 8)
    late, early = (min(seconds) * 1000 for seconds in spent)
    yield compared("rotation", "token at 10,000, ms", late, early, "at 2,000", at_most=1.05)


def run_endless(context: Context) -> Iterator[Row]:
    """How well the end of a long text is predicted in a rotating cache."""
    ids = context.text_ids[:_ENDLESS]
    cache = context.cache(_ROTATING)
    chat = _score(context, cache, ids, _SCORED).mean(_SCORED)
    held = _ROTATING.pinned + (_ROTATING.window or 0)
    begin = _ENDLESS - _SCORED - held + _ROTATING.pinned
    fresh_ids = [*ids[: _ROTATING.pinned], *ids[begin:]]
    fresh = _score(context, context.cache(_ROTATING), fresh_ids, _SCORED).mean(_SCORED)
    yield compared("endless", "NLL after 16,000", chat, fresh, "fresh prefill", at_most=1.01)
    yield figure("endless", "slots per layer", cache.peak_slots, at_most=held + 512)
    if context.long:
        # With no trained context to outgrow, the pinned keys stay where they were.
        model = context.model
        endless = dataclasses.replace(model.config, max_position_embeddings=1 << 30)
        left = Cache(endless, _ROTATING, model.decoder.rope.move)
        stayed = _score(context, left, ids, _SCORED).mean(_SCORED)
        yield compared("endless", "NLL after 16,000", chat, stayed, "pinned left in place")


def run_turns(context: Context) -> Iterator[Row]:
    """Time to first token of a turn on 2,000 tokens of history."""
    model, ids = context.model, context.text_ids
    session, bare = model.session(), context.cache(engine.CachePolicy())
    _first_s(session, ids[:_HISTORY])
    # A decoder and a cache alone, without a session around them: what attention itself costs.
    for start in range(0, _HISTORY, _CHUNK):
        _extend(model, bare, ids[start : min(start + _CHUNK, _HISTORY)])
    turn_s: list[float] = []
    alone_s: list[float] = []
    bare_s: list[float] = []
    for turn in range(5):
        new = ids[_HISTORY + turn * _NEW : _HISTORY + (turn + 1) * _NEW]
        turn_s.append(_first_s(session, [*ids[:_HISTORY], *new]))
        alone_s.append(_first_s(model.session(), new))
        bare.trim(_HISTORY)
        bare_s.append(_extend(model, bare, new))
    assert session.reuse.prefilled_tokens == _NEW
    turn, alone, least = (min(seconds) * 1000 for seconds in (turn_s, alone_s, bare_s))
    yield compared("turns", "64 new on 2,000, ms", turn, alone, "64 alone", at_most=1.1)
    yield compared("turns", "64 new on 2,000, ms", turn, least, "decoder alone", at_most=1.05)
    # Where arithmetic is what takes the time, it cannot be less: the new tokens look at the old.
    on_history = _operations(model, _HISTORY + _NEW) - _operations(model, _HISTORY)
    yield compared(
        "turns", "64 new on 2,000, 10⁹ op", on_history, _operations(model, _NEW), "64 alone"
    )


def _operations(model: engine.Model, tokens: int) -> float:
    return count_operations(model.config, tokens).cached / 1e9


def _first_s(session: engine.Session, ids: Sequence[int]) -> float:
    begun = time.perf_counter()
    next(session.generate(ids, _GREEDY, 1))
    return time.perf_counter() - begun


def _extend(model: engine.Model, cache: Cache, ids: Sequence[int]) -> float:
    begun = time.perf_counter()
    hidden = model.decoder.hidden(mx.array([list(ids)]), cache)
    mx.eval(mx.argmax(model.decoder.project(hidden[:, -1:, :])), cache.arrays())
    return time.perf_counter() - begun


def run_quantised(context: Context) -> Iterator[Row]:
    """Bytes, predictions and prefill peak of quantised caches."""
    ids = context.text_ids[: _QUANTISED + 1]
    by_bits: dict[int | None, Scores] = {}
    for bits, length in ((None, _QUANTISED), (8, _QUANTISED), (4, _QUANTISED_4)):
        cache = context.cache(engine.CachePolicy(bits=bits))
        cache.expect(length)
        mx.clear_cache()
        by_bits[bits] = _score(context, cache, ids[: length + 1], length)
        if bits is not None:
            formula = engine.kv_bytes(context.model.config, cache.filled, bits=bits)
            used = cache.used_bytes
            yield compared(
                "quantised", f"bytes, {bits} bits", used, formula, "formula", at_most=1.02
            )
            half = engine.kv_bytes(context.model.config, cache.filled, bits=16)
            yield compared("quantised", f"bytes, {bits} bits", used, half, "16 bits")
    plain, eight, four = by_bits[None], by_bits[8], by_bits[4]
    yield compared("quantised", "NLL, 8 bits", eight.mean(), plain.mean(), "float32", at_most=1.002)
    full = sum(plain.nll[:_QUANTISED_4]) / _QUANTISED_4
    yield compared("quantised", "NLL, 4 bits", four.mean(), full, "float32")
    peak, most = eight.peak_bytes / 1e6, plain.peak_bytes / 1e6
    yield compared("quantised", "prefill peak, 8 bits, MB", peak, most, "float32", at_most=1.0)
