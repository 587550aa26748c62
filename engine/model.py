"""A loaded model: config, weights, tokenizer and chat template, and what can be asked of them."""

import gc
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import mlx.core as mx

from engine import prompt
from engine.cache import CachePolicy
from engine.common import Common
from engine.config import ModelConfig, read_config
from engine.errors import CancelledError, MemoryLimitError, ModelFileError, PromptError
from engine.fingerprint import fingerprint
from engine.gguf import model_config as gguf_config
from engine.gguf_file import GGUFFile
from engine.guard import MemoryGuard
from engine.limits import Limiter
from engine.llama import Decoder
from engine.memory import read_memory
from engine.need import STEP, SessionNeed, default_window
from engine.prefill import ChunkSize
from engine.session import Session
from engine.session_file import SessionFile
from engine.source import Source, resolve, source_config
from engine.template import ChatTemplate
from engine.tokenizer import Tokenizer
from engine.visibility import Sight, sights
from engine.weights import Precision, Weights, open_tensors

Messages = Sequence[Mapping[str, Any]]
OnLoad = Callable[[float], None]


@dataclass(frozen=True)
class Model:
    """A model that is ready to run; use it on the thread that loaded it.

    Attributes:
        source: Where it came from.
        config: Its shape.
        tokenizer: Text to token ids and back.
        template: Messages to a prompt; None where the model has no chat template.
        decoder: The network.
        storage: How the file holds most weights, as in `Q4_1`, `4-bit` or `bfloat16`.
        weights_bytes: What the weights take in memory.
        common: What its sessions have in common.
    """

    source: Source
    config: ModelConfig
    tokenizer: Tokenizer
    template: ChatTemplate | None
    decoder: Decoder
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

    def prompt_text(self, messages: Messages, **options: Any) -> str:
        """The rendered chat template.

        Args:
            messages: Dictionaries with `role` and `content`.
            options: Passed to the template, `add_generation_prompt` among them.

        Raises:
            TemplateError: The template is missing, failed, or refused the messages.
        """
        return prompt.prompt_text(self.template, messages, **options)

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
        return prompt.prompt_tokens(self.tokenizer, self.template, messages, held=held, **options)

    def pinned_tokens(self, messages: Messages, **options: Any) -> int:
        """How many leading tokens of the prompt belong to the system prompt, at least 4.

        Args:
            messages: Dictionaries with `role` and `content`.
            options: Passed to the template.

        Raises:
            TemplateError: The template is missing, failed, or refused the messages.
        """
        return prompt.pinned_tokens(
            self.tokenizer, self.template, messages, self.end_ids, **options
        )

    def default_window(self, pinned: int) -> int:
        """The window for a chat without end, in tokens, a round number that memory suffices for.

        Raises:
            SettingError: The pinned tokens leave no room for a window.
            MemoryLimitError: No window fits.
        """
        window = default_window(self.config, pinned)
        need = SessionNeed(self.config, CachePolicy(window, pinned), self.decoder.dtype.size)
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
        ids, ends = prompt.message_ends(
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
            PromptError: `ids` is empty or has ids outside the vocabulary.
        """
        if not ids or not all(0 <= token < self.config.vocab_size for token in ids):
            raise PromptError("Logits need at least one token, all of this model's vocabulary.")
        hidden = self.decoder.hidden(mx.array([list(ids)], dtype=mx.int32))
        logits = self.decoder.project(hidden)[0].astype(mx.float32)
        mx.eval(logits)
        return logits

    def session(self, policy: CachePolicy | None = None) -> Session:
        """A new, empty session.

        Raises:
            SettingError: The policy asks for a cache that does not exist.
        """
        policy = policy or CachePolicy()
        return Session(self.config, self.decoder, self.tokenizer, policy, self.limiter, self.common)

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


def load(
    source: str | Path,
    *,
    precision: Precision | None = None,
    memory_limit: int | None = None,
    on_progress: OnLoad | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Model:
    """Load a model.

    Args:
        source: A folder, a .gguf file, a hub id that is on disk, or `starter`.
        precision: `stored` keeps weights as they are, `float32` widens them; where left out, it
            is what is fastest here: float32 on a CPU, stored on Metal.
        memory_limit: Bytes that MLX may use in this process, for weights and sessions; where left
            out, what the device recommends, and on a CPU what the system has available.
        on_progress: Called with the loaded share, 0 to 1.
        cancelled: Asked between blocks; when it says so, loading ends with CancelledError.

    Raises:
        ModelNotFoundError: Nothing is there.
        ModelFileError: A file is missing, truncated or foreign.
        UnsupportedError: The model asks for something this engine does not compute.
        MemoryLimitError: The weights do not fit.
        CancelledError: `cancelled` said so.
    """
    found = resolve(source)
    file = GGUFFile.open(found.path) if found.kind == "gguf" else None
    if file is None:
        config = read_config(found.path / "config.json")
        tokenizer = Tokenizer.load(found.path)
    else:
        config = gguf_config(file)
        tokenizer = Tokenizer.from_gguf(file.metadata)
    if tokenizer.vocab_size > config.vocab_size:
        raise ModelFileError(
            f"{found.name}: the tokenizer has {tokenizer.vocab_size:,} tokens, the weights only "
            f"{config.vocab_size:,}; the files do not belong together."
        )
    if precision is None:
        precision = "stored" if mx.metal.is_available() else "float32"

    def on_block(index: int) -> None:
        if cancelled is not None and cancelled():
            raise CancelledError("Loading was stopped.")
        if on_progress is not None:
            on_progress(index / config.num_hidden_layers)

    gc.collect()  # what an earlier model left would be freed in between, and count as negative
    before = read_memory().active_bytes
    guard = MemoryGuard(memory_limit)
    tensors = open_tensors(found, config, precision, file)
    guard.check_weights(found.name, tensors.loaded_bytes(), config)
    of_weights = fingerprint(config, precision, tensors.all())
    weights = Weights(tensors, found.path.name)
    decoder = Decoder(config, weights, on_block)
    weights.finish()
    on_block(config.num_hidden_layers)
    return Model(
        source=found,
        config=config,
        tokenizer=tokenizer,
        template=ChatTemplate.of(tokenizer),
        decoder=decoder,
        storage=_storage(config, file),
        weights_bytes=max(read_memory().active_bytes - before, 0),
        common=Common(ChunkSize(config.parameters), guard, of_weights),
    )


def model_config(source: str | Path) -> ModelConfig:
    """The shape of a model on disk, without loading it; sources and errors as for `load`."""
    return source_config(resolve(source))


def _storage(config: ModelConfig, file: GGUFFile | None) -> str:
    if file is not None:
        sizes: Counter[str] = Counter()
        for tensor in file.tensors.values():
            sizes[tensor.type.name] += math.prod(tensor.shape)
        return sizes.most_common(1)[0][0]
    how = config.quantization
    return config.torch_dtype if how is None else f"{how.bits}-bit"


def leave_thread() -> None:
    """To be called last on a thread that used MLX, which cannot be used there any more.

    Without it, Python 3.11 and 3.12 often abort when the process ends.
    """
    mx.clear_streams()


def free_memory() -> None:
    """Give back what MLX keeps for reuse, after the last reference to a model was dropped."""
    gc.collect()
    mx.clear_cache()
