"""A session: one token sequence, its KV cache, and the reuse of both from turn to turn."""

import secrets
import threading
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from engine.cache import Cache, CachePolicy
from engine.cache.policy import group_size
from engine.chunk import Chunk, Figures, Reuse
from engine.config import ModelConfig
from engine.constraint import Schema
from engine.errors import EngineError, PromptError, SettingError
from engine.generate import OnPrefill, Reply, Request, piece_of
from engine.limits import Limiter
from engine.llama import Decoder
from engine.memory import GROUP_SIZE, kv_bytes
from engine.prefill import ChunkSize
from engine.sampling import Sampling
from engine.stopping import StopText
from engine.tokenizer import Tokenizer

MOST_LOGPROBS = 100
_EVICTED = "Keys that the changed part would look at have left the window; they are computed again."
_ENDLESS = 1 << 40


@dataclass(frozen=True)
class SessionMemory:
    """What a session's cache takes.

    Attributes:
        used_bytes: Keys and values that are held.
        allocated_bytes: The buffers they are in.
        formula_bytes: 2 × layers × KV heads × head dimension × tokens × bytes per value, with the
            tokens that each layer holds.
        slots: Tokens per layer that the buffers have room for.
        peak_slots: The most slots per layer there ever were.
    """

    used_bytes: int
    allocated_bytes: int
    formula_bytes: int
    slots: int
    peak_slots: int


class Session:
    """Tokens and cache of one sequence; one generation at a time."""

    def __init__(
        self,
        config: ModelConfig,
        decoder: Decoder,
        tokenizer: Tokenizer,
        policy: CachePolicy,
        limiter: Limiter,
    ) -> None:
        self.policy = policy
        self._config = config
        self._decoder = decoder
        self._tokenizer = tokenizer
        self._limiter = limiter
        self._cache = self._new_cache()
        self._chunk_size = ChunkSize()
        self._tokens: list[int] = []
        self._reuse = Reuse()
        self._reply: Reply | None = None
        self._running = False

    @property
    def _context_limit(self) -> int:
        """The most tokens a sequence may have; a rotating cache goes on for ever."""
        rotates = self.policy.window is not None
        return _ENDLESS if rotates else self._config.max_position_embeddings

    @property
    def tokens(self) -> list[int]:
        """Every token id the session holds, prompt and replies, in order."""
        return list(self._tokens)

    @property
    def reuse(self) -> Reuse:
        """What of the last prompt was reused, and where and why that stopped."""
        return self._reuse

    @property
    def figures(self) -> Figures:
        """Speed and progress of the current or last turn."""
        return Figures() if self._reply is None else self._reply.figures

    def memory(self) -> SessionMemory:
        """What the cache takes now."""
        cache = self._cache
        return SessionMemory(
            used_bytes=cache.used_bytes,
            allocated_bytes=cache.allocated_bytes,
            formula_bytes=kv_bytes(
                replace(self._config, num_hidden_layers=1),
                cache.filled_in_all_layers,
                bits=self.policy.bits or self._decoder.dtype.size * 8,
                group_size=group_size(self._config.head_dim) if self.policy.bits else GROUP_SIZE,
            ),
            slots=cache.slots,
            peak_slots=cache.peak_slots,
        )

    def generate(
        self,
        ids: Sequence[int],
        sampling: Sampling | None = None,
        max_tokens: int | None = None,
        stop: Sequence[str] = (),
        *,
        schema: Schema | None = None,
        logprobs: int = 0,
        cancel: threading.Event | None = None,
        on_prefill: OnPrefill | None = None,
    ) -> Generator[Chunk]:
        """Reply to a prompt; what the session already holds of it is reused.

        Args:
            ids: The whole prompt, earlier turns included.
            sampling: How tokens are chosen; `Sampling()` where left out.
            max_tokens: The most tokens to generate; where left out, what the context has room for,
                and in a rotating cache, which always has room, as many as the context has.
            stop: The reply ends before the first of these texts.
            schema: A JSON schema; a reply that ends by itself is JSON that it allows.
            logprobs: How many alternatives to report with each token (0 to 100).
            cancel: Set it from any thread to stop after the current chunk or token.
            on_prefill: Called with (tokens in the cache, tokens of the prompt) after each chunk.

        Returns:
            A stream of chunks; the last one has a finish reason. Closing it early is a stop.

        Raises:
            PromptError: The prompt is empty, too long, or not made of this model's tokens.
            SettingError: A number is outside its bounds, the schema or a setting cannot be used, or
                (while writing) they leave no token.
            EngineError: The session is still writing another reply, or the device failed.
        """
        self._refuse_while_running()
        self._check(ids, max_tokens, logprobs)
        StopText(stop)  # refuses, before anything is computed, what no stop text can be
        sampling = sampling or Sampling()
        limits = self._limiter.limits(sampling, schema)
        room = self._context_limit - len(ids)
        longest = self._config.max_position_embeddings
        reused = self._reuse_prefix(ids)
        request = Request(
            ids=list(ids),
            reused=reused,
            sampling=sampling,
            seed=secrets.randbits(32) if sampling.seed is None else sampling.seed,
            max_tokens=min(longest if max_tokens is None else max_tokens, room),
            end_ids=self._limiter.end_ids,
            stop=stop,
            logprobs=logprobs,
            cancel=cancel,
            on_prefill=on_prefill,
            limits=limits,
        )
        self._reply = Reply(self._decoder, self._tokenizer, self._cache, self._chunk_size)
        return self._run(self._reply, request)

    def _run(self, reply: Reply, request: Request) -> Generator[Chunk]:
        self._refuse_while_running()
        if reply is not self._reply:
            raise EngineError("This reply was never begun, and the session has gone on since.")
        self._running = True
        try:
            yield from reply.run(request, self._tokens)
        except (RuntimeError, MemoryError) as error:
            self._forget()
            raise EngineError(
                f"The device failed while writing ({error}); a shorter prompt may fit."
            ) from error
        finally:
            self._running = False

    def reset(self) -> None:
        """Forget every token and free the cache.

        Raises:
            EngineError: The session is still writing.
        """
        self._refuse_while_running()
        self._reply = None
        self._forget()

    def _forget(self) -> None:
        self._cache = self._new_cache()
        self._tokens.clear()

    def _refuse_while_running(self) -> None:
        if self._running:
            raise EngineError("This session is still writing; stop that reply first.")

    def _new_cache(self) -> Cache:
        decoder = self._decoder
        return Cache(self._config, self.policy, decoder.rope.move, decoder.sliding_rope.move)

    def _check(self, ids: Sequence[int], max_tokens: int | None, logprobs: int) -> None:
        if not ids:
            raise PromptError("The prompt is empty; write something first.")
        limit = self._context_limit
        if len(ids) >= limit:
            raise PromptError(
                f"The prompt has {len(ids):,} tokens and this model's context holds {limit:,}, "
                "reply included; shorten it or start a new chat."
            )
        for token in ids:
            if not 0 <= token < self._config.vocab_size:
                raise PromptError(
                    f"Token {token} is not in this model's vocabulary "
                    f"(0 to {self._config.vocab_size - 1})."
                )
        if max_tokens is not None and max_tokens < 1:
            raise SettingError(f"The most tokens to write must be at least 1, not {max_tokens}.")
        most = min(MOST_LOGPROBS, self._config.vocab_size)
        if not 0 <= logprobs <= most:
            raise SettingError(f"Alternatives per token go from 0 to {most}, not {logprobs}.")

    def _reuse_prefix(self, ids: Sequence[int]) -> int:
        """Cut tokens and cache back to what `ids` begins with; remember where and why."""
        held = self._tokens[: self._cache.length]
        common = _common_prefix(held, ids)
        # The last prompt token is always computed: its output chooses the first reply token.
        wanted = min(common, len(ids) - 1)
        kept = self._cache.reusable(wanted)
        reason = _EVICTED if kept < wanted else self._reason(held, ids, common)
        self._reuse = Reuse(kept, len(ids) - kept, kept, reason)
        self._cache.trim(kept)
        del self._tokens[kept:]
        return kept

    def _reason(self, held: Sequence[int], ids: Sequence[int], common: int) -> str:
        if not held:
            return "The session was empty."
        if common == len(ids):
            return "The whole prompt was held; its last token is computed again."
        if common == len(held):
            return "Everything that was held is reused; the rest is new."
        was, now = (piece_of(self._tokenizer, part[common]) for part in (held, ids))
        return f"Token {common + 1:,} differs: {was!r} was held, the prompt has {now!r}."


def _common_prefix(held: Sequence[int], ids: Sequence[int]) -> int:
    for index, (was, now) in enumerate(zip(held, ids, strict=False)):
        if was != now:
            return index
    return min(len(held), len(ids))
