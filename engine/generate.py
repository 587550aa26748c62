"""One reply: prefill in chunks, then decode token by token, as a stream of chunks.

While a token is handed out the next forward pass is already running: the graph of step n + 1 is
built and dispatched before the value of token n is waited for. A stop is looked at between chunks
and between tokens.

With constraints, token n must be known on the host before token n + 1 can be drawn. Then only the
forward pass over token n is dispatched ahead; while it runs, the host reads token n, works out
which tokens may follow, and dispatches the draw. The device does not wait as long as that takes
less than a forward pass.
"""

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import mlx.core as mx

from engine.chunk import Chunk, Figures, FinishReason, TokenLogprob
from engine.errors import EngineError
from engine.filters import top_logprobs
from engine.limits import Limits
from engine.prefill import ChunkSize
from engine.protocols import Network, SequenceCache
from engine.sampling import Sampler, Sampling
from engine.stopping import StopText
from engine.tokenizer import Tokenizer

OnPrefill = Callable[[int, int], None]


@dataclass(frozen=True)
class Request:
    """What a reply is asked for; validated by the session.

    Attributes:
        ids: The whole prompt.
        reused: How many leading tokens of it the cache holds already.
        largest_chunk: The most tokens of the prompt that memory suffices for at once.
        max_tokens: The most tokens to generate, at least 1.
        end_ids: Tokens that end the reply.
        logprobs: How many alternatives to report per token; 0 computes none.
        on_prefill: Called with (tokens in the cache, tokens of the prompt) after each chunk.
        limits: What limits the tokens of this reply.
    """

    ids: Sequence[int]
    reused: int
    largest_chunk: int
    sampling: Sampling
    seed: int
    limits: Limits
    max_tokens: int
    end_ids: frozenset[int]
    stop: Sequence[str] = ()
    logprobs: int = 0
    cancel: threading.Event | None = None
    on_prefill: OnPrefill | None = None


@dataclass(frozen=True, slots=True)
class _Step:
    """A chosen token, on its way from the device: (1,), and its log-probabilities if asked for."""

    token: mx.array
    logprob: mx.array | None = None
    top_ids: mx.array | None = None
    top_logprobs: mx.array | None = None

    def dispatch(self) -> "_Step":
        arrays = (self.token, self.logprob, self.top_ids, self.top_logprobs)
        mx.async_eval(*(array for array in arrays if array is not None))
        return self


class Reply:
    """Runs one request on a cache, and keeps the figures of it."""

    def __init__(
        self,
        network: Network[Any],
        tokenizer: Tokenizer,
        cache: SequenceCache,
        chunk_size: ChunkSize,
    ) -> None:
        self._network = network
        self._tokenizer = tokenizer
        self._cache = cache
        self._chunk_size = chunk_size
        self.figures = Figures()

    def run(self, request: Request, tokens: list[int]) -> Generator[Chunk]:
        """Generate.

        Args:
            request: What to do; the cache holds exactly its first `reused` tokens.
            tokens: The session's token list; prompt and reply are appended as they are computed.

        Yields:
            One chunk per token, the last one with a finish reason; a flush of held-back text
            comes as a chunk without a token.
        """
        try:
            yield from self._run(request, tokens)
        except GeneratorExit:
            if self.figures.finish_reason is None:
                self._end("cancelled", "")
            raise

    def _run(self, request: Request, tokens: list[int]) -> Iterator[Chunk]:
        started = time.perf_counter()
        self.figures = Figures(
            prompt_tokens=len(request.ids),
            reused_tokens=request.reused,
            prefill_done=request.reused,
            seed=request.seed,
        )
        sampler = Sampler(request.sampling, request.seed, request.ids, request.limits.sets)
        hidden = self._prefill(request, tokens, started)
        if hidden is None:
            yield self._end("cancelled", "")
            return
        logits = self._network.project(hidden)
        if mx.any(mx.isnan(logits)).item():
            raise EngineError(
                "The model computes no numbers for this prompt, so its weights are damaged; "
                "fetch it again."
            )
        step = self._sample(logits, sampler, request)
        yield from self._decode(request, step, sampler, tokens, started)

    def _prefill(self, request: Request, tokens: list[int], started: float) -> mx.array | None:
        """Fill the cache; return the last position (1, 1, hidden), None when cancelled."""
        self._cache.expect(len(request.ids))
        done, total = request.reused, len(request.ids)
        while True:
            if request.cancel is not None and request.cancel.is_set():
                return None
            begun = time.perf_counter()
            most = min(self._chunk_size.tokens, request.largest_chunk)
            size = self._cache.chunk(min(most, total - done))
            piece = request.ids[done : done + size]
            hidden = self._network.hidden(mx.array([piece], dtype=mx.int32), self._cache)
            tokens.extend(piece)
            done += len(piece)
            last = hidden[:, -1:, :]
            # Of a chunk in the middle only the keys and values are needed, not its output.
            mx.eval(self._cache.arrays() if done < total else [last, *self._cache.arrays()])
            now = time.perf_counter()
            self._chunk_size.measured(len(piece), now - begun)
            self.figures = replace(self.figures, prefill_done=done, prefill_s=now - started)
            if request.on_prefill is not None:
                request.on_prefill(done, total)
            if done == total:
                return last

    def _sample(self, logits: mx.array, sampler: Sampler, request: Request) -> _Step:
        flat = logits.reshape(-1)
        allowed = None if request.limits.constraints is None else request.limits.constraints.mask()
        # Rows of the embedding beyond the vocabulary pad it; they stand for no text.
        token = sampler(flat[: self._tokenizer.vocab_size], allowed)
        if not request.logprobs:
            return _Step(token).dispatch()
        total, ids, values = top_logprobs(flat, request.logprobs)
        return _Step(token, flat[token].astype(mx.float32) - total, ids, values).dispatch()

    def _decode(
        self, request: Request, step: _Step, sampler: Sampler, tokens: list[int], started: float
    ) -> Iterator[Chunk]:
        stream, stopper = self._tokenizer.stream(), StopText(request.stop)
        constraints = request.limits.constraints
        first_at = 0.0
        for count in range(1, request.max_tokens + 1):
            if count == 1:
                # The first token is waited for alone: else it would come a decode step late.
                mx.eval(step.token)
                first_at = time.perf_counter()
                self.figures = replace(self.figures, ttft_s=first_at - started)
            more = count < request.max_tokens
            logits, following = self._ahead(step, sampler, request) if more else (None, None)
            token = cast("int", step.token.item())
            tokens.append(token)
            now = time.perf_counter() if count > 1 else first_at
            self.figures = replace(self.figures, generated_tokens=count, decode_s=now - first_at)
            ended = token in request.end_ids
            text, stopped = ("", False) if ended else stopper.add(stream.add(token))
            chunk = self._chunk(token, text, step)
            if constraints is not None and not ended and not stopped:
                constraints.advance(token)
                ended = constraints.finished
                if logits is not None and not ended:
                    following = self._sample(logits, sampler, request)
            if ended or stopped or following is None:
                held = "" if stopped else self._flush(stream.finish(), stopper)
                yield from self._last(chunk, "stop" if ended or stopped else "length", held)
                return
            yield chunk
            if request.cancel is not None and request.cancel.is_set():
                yield self._end("cancelled", self._flush(stream.finish(), stopper))
                return
            step = following

    def _ahead(
        self, step: _Step, sampler: Sampler, request: Request
    ) -> tuple[mx.array, _Step | None]:
        """Dispatch the next forward pass, and the draw from it where that can be done already."""
        logits = self._network.project(self._network.hidden(step.token[None], self._cache))
        if request.limits.constraints is None:
            return logits, self._sample(logits, sampler, request)
        mx.async_eval(logits)
        return logits, None

    def _last(self, chunk: Chunk, reason: FinishReason, held: str) -> Iterator[Chunk]:
        if held:
            yield chunk
            yield self._end(reason, held)
        else:
            self._end(reason, "")
            yield replace(chunk, finish_reason=reason)

    @staticmethod
    def _flush(text: str, stopper: StopText) -> str:
        shown, stopped = stopper.add(text)
        return shown if stopped else shown + stopper.finish()

    def _end(self, reason: FinishReason, text: str) -> Chunk:
        self.figures = replace(self.figures, finish_reason=reason)
        return Chunk(token=None, text=text, finish_reason=reason)

    def _chunk(self, token: int, text: str, step: _Step) -> Chunk:
        if step.logprob is None or step.top_ids is None or step.top_logprobs is None:
            return Chunk(token, text)
        ids = cast("list[int]", step.top_ids.tolist())
        values = cast("list[float]", step.top_logprobs.tolist())
        top = tuple(
            TokenLogprob(entry, piece_of(self._tokenizer, entry), value)
            for entry, value in zip(ids, values, strict=True)
        )
        return Chunk(token, text, logprob=cast("float", step.logprob.item()), top=top)


def piece_of(tokenizer: Tokenizer, token: int) -> str:
    """One token's text; none for a row of the embedding beyond the vocabulary."""
    return tokenizer.piece(token) if token < tokenizer.vocab_size else ""
