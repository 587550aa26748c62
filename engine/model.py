"""A loaded model: config, weights, tokenizer and chat template, and what can be asked of them."""

import gc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import mlx.core as mx

from engine.cache import CachePolicy
from engine.common import Common
from engine.config import ModelConfig
from engine.errors import (
    MemoryLimitError,
    PromptError,
    SettingError,
    UnsupportedError,
)
from engine.families import SUPPORTED_ARCHITECTURES
from engine.limits import Limiter
from engine.llama import Decoder
from engine.markers import Markers, Pair
from engine.need import STEP, SessionNeed, default_window
from engine.prompt import message_ends, pinned_tokens, prompt_text, prompt_tokens
from engine.protocols import Network
from engine.session import Session
from engine.session_file import SessionFile
from engine.source import Source
from engine.template import ChatTemplate
from engine.token_ids import token_ids
from engine.tokenizer import Tokenizer
from engine.visibility import Sight, sights
from engine.zoo_config import ZooConfig

Messages = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Model:
    """A model that is ready to run; use it on the thread that loaded it.

    Attributes:
        source: Where it came from.
        config: Its shape.
        tokenizer: Text to token ids and back.
        template: Messages to a prompt; None where the model has no chat template.
        network: From token ids to logits: Cutaway's own decoder, or a model of mlx-lm.
        storage: How the file holds most weights, as in `Q4_1`, `4-bit`, `mxfp4` or `bfloat16`.
        weights_bytes: What the weights take in memory.
        common: What its sessions have in common.
    """

    source: Source
    config: ModelConfig
    tokenizer: Tokenizer
    template: ChatTemplate | None
    network: Network[Any]
    storage: str
    weights_bytes: int
    common: Common

    @property
    def end_ids(self) -> frozenset[int]:
        """Tokens that end a turn, according to the tokenizer or the config."""
        return self.tokenizer.eos_token_ids | frozenset(self.config.eos_token_ids)

    @property
    def name(self) -> str:
        """What to call it."""
        return self.source.name

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what differs here from the model's own description."""
        return self.config.notes if isinstance(self.config, ZooConfig) else ()

    @property
    def decoder(self) -> Decoder:
        """Cutaway's own decoder, for what looks inside the network.

        Raises:
            UnsupportedError: The model runs through mlx-lm.
        """
        if not isinstance(self.network, Decoder):
            raise UnsupportedError(
                "{model_type} runs through mlx-lm, and Cutaway cannot look inside it; that needs "
                "a model of its own: {supported}.",
                model_type=self.config.model_type,
                supported=", ".join(SUPPORTED_ARCHITECTURES),
            )
        return self.network

    @cached_property
    def markers(self) -> Markers:
        """The strings with which this model marks its thoughts and its calls of tools."""
        return Markers.of(self.tokenizer, None if self.template is None else self.template.sources)

    def opened_thought(self, messages: Messages, **options: Any) -> Pair | None:
        """The thought that the chat template opens for the reply, None where it opens none.

        Args:
            messages: Dictionaries with `role` and `content`.
            options: Passed to the template, such as `enable_thinking`.

        Raises:
            TemplateError: The template is missing, failed, or refused the messages.
        """
        return self.markers.opened_by(self.prompt_text(messages, **options))

    def prompt_text(self, messages: Messages, **options: Any) -> str:
        """The rendered chat template.

        Args:
            messages: Dictionaries with `role` and `content`.
            options: Passed to the template, `add_generation_prompt` among them.

        Raises:
            TemplateError: The template is missing, failed, or refused the messages.
        """
        return prompt_text(self.template, messages, **options)

    def prompt_tokens(
        self, messages: Messages, *, held: Sequence[int] = (), **options: Any
    ) -> list[int]:
        """The token ids of the rendered chat template; text in messages stays text.

        Args:
            messages: Dictionaries with `role` and `content`.
            held: Token ids a session holds; the prompt begins with exactly these where its text
                does, so that all of them can be reused.
            options: Passed to the template.

        Raises:
            TemplateError: The template is missing, failed, or refused the messages.
        """
        return prompt_tokens(self.tokenizer, self.template, messages, held=held, **options)

    def pinned_tokens(self, messages: Messages, **options: Any) -> int:
        """How many leading tokens of the prompt belong to the system prompt, at least 4.

        Args:
            messages: Dictionaries with `role` and `content`.
            options: Passed to the template.

        Raises:
            TemplateError: The template is missing, failed, or refused the messages.
        """
        return pinned_tokens(self.tokenizer, self.template, messages, self.end_ids, **options)

    def default_window(self, pinned: int) -> int:
        """The window for a chat without end, in tokens, a round number that memory suffices for.

        Raises:
            SettingError: The pinned tokens leave no room for a window, or the model has none.
            MemoryLimitError: No window fits.
        """
        if isinstance(self.config, ZooConfig):
            raise SettingError(
                "{model_type} runs through mlx-lm, where a chat ends with its context.",
                model_type=self.config.model_type,
            )
        window = default_window(self.config, pinned)
        need = SessionNeed(self.config, CachePolicy(window, pinned), self.network.dtype.size)
        try:
            self.common.guard.check_session(need, window, STEP)
        except MemoryLimitError as error:
            if error.fitting_window is None:
                raise
            return error.fitting_window
        return window

    def sights(self, messages: Messages, session: Session, **options: Any) -> tuple[Sight, ...]:
        """What the model sees of each message, were the session to go on after the last one.

        Args:
            messages: Dictionaries with `role` and `content`.
            session: Which holds them, or is going to.
            options: Passed to the template.

        Raises:
            TemplateError: The template is missing, failed, or refused the messages.
        """
        ids, ends = message_ends(
            self.tokenizer,
            self.template,
            messages,
            held=session.tokens,
            **{"add_generation_prompt": False, **options},
        )
        return sights(self.config, session.policy, len(ids), ends)

    def raw_tokens(self, text: str) -> list[int]:
        """The token ids of plain text, after a begin-of-text token where the model wants one."""
        ids = self.tokenizer.encode(text)
        bos = self.tokenizer.bos_token_id
        return [bos, *ids] if self.tokenizer.add_bos and bos is not None else ids

    def logits(self, ids: Sequence[int]) -> mx.array:
        """What the model says after every token, computed in one pass without a cache.

        Args:
            ids: L token ids.

        Returns:
            (L, V) float32, evaluated: row i predicts the token after ids[i].

        Raises:
            PromptError: `ids` is empty, not made of this model's tokens, or too long for it.
        """
        whole = token_ids(ids, self.config.vocab_size)
        limit = self.config.longest_sequence
        if limit is not None and len(whole) > limit:
            raise PromptError(
                "{model_type} is computed for at most {limit:,} tokens here, and these are "
                "{count:,}.",
                model_type=self.config.model_type,
                limit=limit,
                count=len(whole),
            )
        hidden = self.network.hidden(mx.array([whole], dtype=mx.int32))
        logits = self.network.project(hidden)[0].astype(mx.float32)
        mx.eval(logits)
        return logits

    def session(self, policy: CachePolicy | None = None) -> Session:
        """A new, empty session.

        Raises:
            SettingError: The policy asks for a cache that does not exist.
        """
        policy = policy or CachePolicy()
        return Session(self.config, self.network, self.tokenizer, policy, self.limiter, self.common)

    @cached_property
    def limiter(self) -> Limiter:
        """What bans, biases and schemas mean for this model; also shows them step by step."""
        return Limiter(self.tokenizer, self.end_ids)

    def restore(self, path: str | Path) -> Session:
        """The session that `Session.save` wrote: it goes on as if it had never been away.

        Raises:
            SessionFileError: The file is missing, damaged, or of another model or version.
            MemoryLimitError: There is no memory for its cache.
        """
        file = SessionFile(Path(path), self.config, self.common.fingerprint)
        session = self.session(file.policy)
        session.restore(file)
        return session


def leave_thread() -> None:
    """To be called last on a thread that used MLX, which cannot be used there any more.

    Without it, Python 3.11 and 3.12 often abort when the process ends.
    """
    mx.clear_streams()


def free_memory() -> None:
    """Give back what MLX keeps for reuse, after the last reference to a model was dropped."""
    gc.collect()
    mx.clear_cache()
