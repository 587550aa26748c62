"""A session: one token sequence, its KV cache, and the reuse of both from turn to turn."""

import secrets
import threading
from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import mlx.core as mx

from engine.cache import Cache, CachePolicy
from engine.cache.policy import group_size
from engine.chunk import Chunk, Figures, Reuse
from engine.common import Common
from engine.config import ModelConfig
from engine.constraint import Schema
from engine.errors import (
    EngineError,
    MemoryLimitError,
    PromptError,
    SessionFileError,
    SettingError,
)
from engine.generate import OnPrefill, Reply, Request
from engine.kv import value_bits
from engine.limits import Limiter
from engine.need import STEP, SessionNeed
from engine.protocols import Network, SequenceCache
from engine.reuse import reuse_of
from engine.sampling import Sampling
from engine.session_file import SavedSession, SessionFile, write_session
from engine.session_memory import LayerMemory, SessionMemory, layer_memory, session_memory
from engine.stopping import StopText
from engine.token_ids import common_prefix, token_ids
from engine.tokenizer import Tokenizer
from engine.visibility import seen_window

MOST_LOGPROBS = 100
_ENDLESS = 1 << 40


class Session:
    """Tokens and cache of one sequence; one generation at a time."""

    def __init__(
        self,
        config: ModelConfig,
        network: Network[Any],
        tokenizer: Tokenizer,
        policy: CachePolicy,
        limiter: Limiter,
        common: Common,
    ) -> None:
        """Begin an empty session.

        Args:
            config: The model's shape.
            network: From token ids to logits, and the caches for it.
            tokenizer: Text to token ids and back.
            policy: How keys and values are held.
            limiter: What bans, biases and schemas mean for the model.
            common: What else the sessions of a model have in common.

        Raises:
            SettingError: The policy asks for a cache that does not exist.
        """
        self.policy = policy
        self._common = common
        self._config = config
        self._network = network
        self._tokenizer = tokenizer
        self._limiter = limiter
        self._cache: SequenceCache = network.new_cache(policy)
        self._tokens: list[int] = []
        self._reuse = Reuse()
        self._reply: Reply | None = None
        self._running = False
        self._grows = policy.window is None and None in config.windows

    @property
    def running(self) -> bool:
        """Whether a reply is being written."""
        return self._running

    @property
    def _context_limit(self) -> int:
        """The most tokens a sequence may have; a rotating cache goes on for ever."""
        rotates = self.policy.window is not None
        return _ENDLESS if rotates else self._config.max_position_embeddings

    @property
    def seen_window(self) -> int | None:
        """How many recent tokens the layers that see most look back on; None where all."""
        return seen_window(self._config, self.policy)

    @property
    def value_bytes(self) -> float:
        """Bytes of one cached value, with its share of a quantised group's scale and bias."""
        bits = self.policy.bits
        if bits is None:
            return self._network.dtype.size
        return value_bits(bits, group_size(self._config.head_dim)) / 8

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
        return session_memory(self._cache)

    def layers(self) -> tuple[LayerMemory, ...]:
        """What each layer of the cache takes now; empty for models that run through mlx-lm."""
        return layer_memory(self._cache)

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
            MemoryLimitError: The cache would outgrow the memory, at once or at some later token.
            EngineError: The session is still writing another reply, or the device failed.
        """
        self._refuse_while_running()
        ids = token_ids(ids, self._config.vocab_size)
        self._check(ids, max_tokens, logprobs)
        StopText(stop)  # refuses, before anything is computed, what no stop text can be
        sampling = sampling or Sampling()
        limits = self._limiter.limits(sampling, schema)
        room = self._context_limit - len(ids)
        longest = self._config.max_position_embeddings
        reply_tokens = min(longest if max_tokens is None else max_tokens, room)
        chunk = self._check_memory(len(ids) + min(reply_tokens, STEP), new=len(ids))
        reused = self._reuse_prefix(ids)
        request = Request(
            ids=list(ids),
            reused=reused,
            largest_chunk=chunk,
            sampling=sampling,
            seed=secrets.randbits(32) if sampling.seed is None else sampling.seed,
            max_tokens=reply_tokens,
            end_ids=self._limiter.end_ids,
            stop=stop,
            logprobs=logprobs,
            cancel=cancel,
            on_prefill=on_prefill,
            limits=limits,
        )
        self._reply = Reply(self._network, self._tokenizer, self._cache, self._common.chunk_size)
        return self._run(self._reply, request)

    def _run(self, reply: Reply, request: Request) -> Generator[Chunk]:
        self._refuse_while_running()
        if reply is not self._reply:
            raise EngineError("This reply was never begun, and the session has gone on since.")
        self._running = True
        try:
            with closing(reply.run(request, self._tokens)) as chunks:
                for chunk in chunks:
                    yield chunk
                    if chunk.finish_reason is None:
                        self._check_growth()
        except (RuntimeError, MemoryError) as error:
            self._forget()
            raise EngineError(
                "The device failed while writing ({error}); a shorter prompt may fit.",
                error=str(error),
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

    def has_room(self, ids: Sequence[int]) -> bool:
        """Whether memory suffices for a prompt."""
        try:
            self._check_memory(len(ids) + 1, new=len(ids))
        except MemoryLimitError:
            return False
        return True

    def common_prefix(self, ids: Sequence[int]) -> int:
        """How many leading tokens of a prompt need not be computed again."""
        common = common_prefix(self._tokens[: self._cache.length], ids)
        return self._cache.reusable(min(common, len(ids) - 1))

    def copy(self, length: int) -> "Session":
        """A session of its own that holds what this one does of its first `length` tokens.

        Raises:
            MemoryLimitError: There is no memory for another cache.
            EngineError: The session is still writing.
        """
        self._refuse_while_running()
        length = self._cache.reusable(min(length, self._cache.length, len(self._tokens)))
        other = Session(
            self._config,
            self._network,
            self._tokenizer,
            self.policy,
            self._limiter,
            self._common,
        )
        dtype = self._cache.dtype if length else self._network.dtype
        other.take(self._tokens[:length], self._cache.state(length), dtype)
        return other

    def save(self, path: str | Path) -> None:
        """Write tokens and cache to a file, from which `Model.restore` makes a session again.

        Args:
            path: The file; one that is there is replaced, in one step.

        Raises:
            SessionFileError: The file cannot be written, or the model's caches cannot be saved.
            EngineError: The session is still writing a reply.
        """
        self._refuse_while_running()
        if not isinstance(self._cache, Cache):
            raise SessionFileError(
                "{model_type} runs through mlx-lm, and its sessions cannot be saved.",
                model_type=self._config.model_type,
            )
        length = self._cache.reusable(min(self._cache.length, len(self._tokens)))
        saved = SavedSession(
            self._common.fingerprint,
            self.policy,
            self._tokens,
            self._cache.state(length),
            self._cache.dtype if length else self._network.dtype,
        )
        write_session(Path(path), saved)

    def restore(self, file: SessionFile) -> None:
        """Hold, in place of everything, what was saved from a session of this policy.

        Raises:
            SessionFileError: The file is damaged.
            MemoryLimitError: There is no memory for its cache.
            EngineError: The session is still writing.
        """
        self._check_memory(file.length)
        saved = file.read()
        try:
            self.take(saved.tokens, saved.state, saved.dtype)
        except ValueError:
            self.reset()
            raise file.damaged() from None

    def take(self, tokens: Sequence[int], state: Any, dtype: mx.Dtype) -> None:
        """Hold, in place of everything, what another session of this policy held.

        Args:
            tokens: All its tokens.
            state: Of its cache, as that gave it.
            dtype: Of keys and values as the model computes them.

        Raises:
            ValueError: No such sequence leaves a cache in such a state.
            MemoryLimitError: There is no memory for another cache.
            EngineError: The session is still writing.
        """
        self.reset()
        self._check_memory(state.length)
        config = self._config
        like = mx.zeros((1, config.num_key_value_heads, 1, config.head_dim), dtype)
        self._cache.resume(state, like)
        self._tokens = list(tokens)

    def _check_memory(self, tokens: int, new: int = 1) -> int:
        """Refuse to hold `tokens`, of which `new` are computed now, where memory is too small.

        Returns:
            How many may be computed at once.
        """
        need = SessionNeed(self._config, self.policy, self._network.dtype.size)
        chunk = min(self._common.chunk_size.tokens, new)
        allocated = self._cache.allocated_bytes
        return self._common.guard.check_session(need, tokens, max(chunk, 1), allocated)

    def _check_growth(self) -> None:
        """Look ahead when a growing cache is about to take another step."""
        cache = self._cache
        if self._grows and 0 < cache.slots < cache.length + 1:
            self._check_memory(cache.length + 1)

    def _forget(self) -> None:
        self._cache = self._network.new_cache(self.policy)
        self._tokens.clear()

    def _refuse_while_running(self) -> None:
        if self._running:
            raise EngineError("This session is still writing; stop that reply first.")

    def _check(self, ids: Sequence[int], max_tokens: int | None, logprobs: int) -> None:
        limit = self._context_limit
        if len(ids) >= limit:
            raise PromptError(
                "The prompt has {count:,} tokens and this model's context holds {limit:,}, reply "
                "included; shorten it or start a new chat.",
                count=len(ids),
                limit=limit,
            )
        if max_tokens is not None and max_tokens < 1:
            raise SettingError(
                "The most tokens to write must be at least 1, not {max_tokens}.",
                max_tokens=max_tokens,
            )
        most = min(MOST_LOGPROBS, self._config.vocab_size)
        if not 0 <= logprobs <= most:
            raise SettingError(
                "Alternatives per token go from 0 to {most}, not {logprobs}.",
                most=most,
                logprobs=logprobs,
            )

    def _reuse_prefix(self, ids: Sequence[int]) -> int:
        """Cut tokens and cache back to what `ids` begins with; remember where and why."""
        held = self._tokens[: self._cache.length]
        common = common_prefix(held, ids)
        # The last prompt token is always computed: its output chooses the first reply token.
        kept = self._cache.reusable(min(common, len(ids) - 1))
        shortfall = self._cache.shortfall
        self._reuse = reuse_of(self._tokenizer, held, ids, common, kept, shortfall)
        self._cache.trim(kept)
        del self._tokens[kept:]
        return kept
