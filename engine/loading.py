"""Loads models: Cutaway's own decoder from either kind of file, or a network of mlx-lm."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.common import Common
from engine.config import Json, ModelConfig, parse_config, read_json
from engine.errors import CancelledError, ModelFileError, SettingError
from engine.fingerprint import fingerprint
from engine.gguf import model_config as gguf_config
from engine.gguf_file import GGUFFile
from engine.guard import MemoryGuard
from engine.llama import Decoder
from engine.model import Model
from engine.prefill import LARGEST_CHUNK, ChunkSize
from engine.protocols import Network
from engine.source import Source, resolve, runs_through_mlx_lm, source_config
from engine.template import ChatTemplate
from engine.tokenizer import Tokenizer
from engine.weights import Precision, Weights, open_tensors, usual_precision
from engine.zoo_config import ZooConfig, check_untrusted

OnLoad = Callable[[float], None]
_OnShape = Callable[[int, ModelConfig], None]
"""Called with the bytes that weights are going to take, before they are read; may raise."""

_SPARE_TOKENS = 64


def load(
    source: str | Path,
    *,
    precision: Precision | None = None,
    memory_limit: int | None = None,
    largest_chunk: int | None = None,
    leaving_bytes: int = 0,
    on_checked: Callable[[], None] | None = None,
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
        largest_chunk: The most tokens of a prompt that go through the decoder at once, at least 1;
            where left out, as many as the device computes in a sixth of a second.
        leaving_bytes: What MLX uses now and `on_checked` is going to free.
        on_checked: Called once the config, the tokenizer, the headers of all files and the need of
            memory are found good, before weights are read: the moment to free another model.
        on_progress: Called with the loaded share, 0 to 1.
        cancelled: Asked now and then; when it says so, loading ends with CancelledError.

    Raises:
        ModelNotFoundError: Nothing is there.
        ModelFileError: A file is missing, truncated or foreign.
        UnsupportedError: The model asks for something this engine does not compute.
        MemoryLimitError: The weights do not fit.
        CancelledError: `cancelled` said so.
        SettingError: The chunk is no number of tokens.
    """
    if largest_chunk is not None and largest_chunk < 1:
        raise SettingError(
            "A prefill chunk has at least 1 token, not {largest_chunk}.",
            largest_chunk=largest_chunk,
        )
    found = resolve(source)
    precision = precision or usual_precision()

    def look_for_stop() -> None:
        if cancelled is not None and cancelled():
            raise CancelledError("Loading was stopped.")

    def report(share: float) -> None:
        look_for_stop()
        if on_progress is not None:
            on_progress(share)

    raw = read_json(found.path / "config.json") if found.kind == "folder" else {}
    load_network = _load_zoo if runs_through_mlx_lm(raw) else _load_own
    guard = MemoryGuard(memory_limit)

    def check(weights_bytes: int, config: ModelConfig) -> None:
        guard.check_weights(found.name, weights_bytes, config, leaving_bytes)
        look_for_stop()
        if on_checked is not None:
            on_checked()

    loaded = load_network(found, raw, precision, check, report)
    report(1.0)
    chunk_size = ChunkSize(loaded.config.parameters, largest_chunk or LARGEST_CHUNK)
    return Model(
        source=found,
        config=loaded.config,
        tokenizer=loaded.tokenizer,
        template=ChatTemplate.of(loaded.tokenizer),
        network=loaded.network,
        storage=loaded.storage,
        weights_bytes=loaded.weights_bytes,
        common=Common(chunk_size, guard, loaded.fingerprint),
    )


@dataclass(frozen=True)
class _Loaded:
    config: ModelConfig
    tokenizer: Tokenizer
    network: Network[Any]
    storage: str
    weights_bytes: int
    fingerprint: str = ""  # of a model whose sessions can be saved


def _load_own(
    found: Source, raw: Json, precision: Precision, check: _OnShape, report: OnLoad
) -> _Loaded:
    """Load what Cutaway's own decoder computes."""
    file = GGUFFile.open(found.path) if found.kind == "gguf" else None
    config = parse_config(raw) if file is None else gguf_config(file)
    tokenizer = Tokenizer.load(found.path) if file is None else Tokenizer.from_gguf(file.metadata)
    _check_vocabulary(found, tokenizer, config.vocab_size)
    tensors = open_tensors(found, config, precision, file)
    of_weights = fingerprint(config, precision, tensors.all())
    check(tensors.loaded_bytes(), config)
    weights = Weights(tensors, found.path.name)
    layers = config.num_hidden_layers
    decoder = Decoder(config, weights, lambda index: report(index / layers))
    weights.finish()
    storage = _storage(config, file)
    return _Loaded(config, tokenizer, decoder, storage, weights.handed_bytes, of_weights)


def _load_zoo(
    found: Source, raw: Json, precision: Precision, check: _OnShape, report: OnLoad
) -> _Loaded:
    """Load what mlx-lm computes."""
    check_untrusted(raw)
    tokenizer = Tokenizer.load(found.path)
    from engine.zoo import load_zoo  # Late: it imports mlx-lm, which takes seconds.
    from engine.zoo_weights import parameters

    def on_measured(config: ZooConfig, weights_bytes: int) -> None:
        # Some multimodal vocabularies have a few tokens more than the language model has rows.
        _check_vocabulary(found, tokenizer, config.vocab_size + _SPARE_TOKENS)
        check(weights_bytes, config)

    config, network = load_zoo(
        found.path, raw, widen=precision == "float32", on_measured=on_measured, on_part=report
    )
    held = sum(array.nbytes for array in parameters(network.model).values())
    return _Loaded(config, tokenizer, network, _storage(config, None), held)


def _check_vocabulary(found: Source, tokenizer: Tokenizer, rows: int) -> None:
    if tokenizer.vocab_size > rows:
        raise ModelFileError(
            "{name}: the tokenizer has {vocab_size:,} tokens, the weights only {rows:,}; the "
            "files do not belong together.",
            name=found.name,
            vocab_size=tokenizer.vocab_size,
            rows=rows,
        )


def _storage(config: ModelConfig, file: GGUFFile | None) -> str:
    if file is not None:
        return file.values_by_type().most_common(1)[0][0]
    how = config.quantization
    return config.torch_dtype if how is None else how.name


def model_config(source: str | Path) -> ModelConfig:
    """The shape of a model on disk, without loading it; sources and errors as for `load`."""
    return source_config(resolve(source))
