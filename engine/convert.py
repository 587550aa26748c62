"""Converts a model of the llama family into MLX's safetensors, one matrix at a time.

The decoder itself says which weights there are: it is built on tensors that are written to files
the moment it asks for them, so memory holds one matrix and one shard. mlx-lm's converter reads no
GGUF files and holds the whole model; what it writes has the same names and settings.
"""

from dataclasses import dataclass
from pathlib import Path

import mlx.core as mx

from engine.conditions import UNWATCHED, Watch
from engine.config import ModelConfig
from engine.convert_files import raw_config, write_config, write_tokenizer
from engine.convert_tensors import DENSE, SHARD_BYTES, Converting, Origin, Sizes, Writer
from engine.errors import EngineError, MemoryLimitError, SettingError, UnsupportedError
from engine.exhibits.passages import PASSAGE
from engine.gguf import model_config as gguf_config
from engine.gguf_file import GGUFFile
from engine.guard import MemoryGuard
from engine.llama import Decoder
from engine.loading import load
from engine.model import free_memory
from engine.safetensors import read_headers, weight_files
from engine.score import score
from engine.sentence import Sentence
from engine.source import Source, source_config
from engine.weights import Weights, usual_precision
from engine.zoo_config import ZooConfig

BITS = (4, 5, 6, 8, 16)
_DTYPES = {"float16": mx.float16, "bfloat16": mx.bfloat16}
_SAMPLE = PASSAGE[:1200]


@dataclass(frozen=True)
class Estimate:
    """What a conversion is going to give and take.

    Attributes:
        size_bytes: Of the weights on disk.
        weights_bytes: What they are going to take in memory on this device.
        working_bytes: The most memory that the conversion itself takes.
    """

    size_bytes: int
    weights_bytes: int
    working_bytes: int


@dataclass(frozen=True)
class Check:
    """The mean NLL of a sample text, in nats per token, before and after.

    Attributes:
        source_nll: Of the source; None where it could not be loaded.
        result_nll: Of the result; likewise.
        note: Why a figure is missing, one sentence.
    """

    source_nll: float | None
    result_nll: float | None
    note: str = ""


def estimate(source: Source, bits: int) -> Estimate:
    """What a conversion to `bits` bits gives and takes; only headers are read.

    Raises:
        SettingError: Weights are not converted to so many bits.
        ModelFileError: A file is missing or damaged.
        UnsupportedError: The model is not of the llama family.
    """
    file, config = _opened(source, bits)
    return _estimated(Origin(source, config, file, bits), config, bits)


def convert(source: Source, folder: Path, bits: int, watch: Watch = UNWATCHED) -> None:
    """Write a model in MLX's format.

    Matrices that the source holds with as many bits in MLX's own way, Q4_0 or Q8_0 among them, are
    kept as they are; all others are quantised in groups of 64, or 32 where that does not divide
    their rows, or left as they are where neither does.

    Args:
        source: A folder of safetensors or a .gguf file.
        folder: An empty folder; whoever made it removes it when this raises.
        bits: Per weight: 4, 5, 6 or 8, or 16 for bfloat16.
        watch: Told the share that is done, and asked whether to stop.

    Raises:
        SettingError: Weights are not converted to so many bits.
        ModelFileError: A file of the source is missing or damaged.
        UnsupportedError: The model, or its tokenizer, cannot be converted.
        MemoryLimitError: There is no memory for its largest matrix.
        CancelledError: `watch` said so.
        EngineError: The disk is full, or the folder cannot be written.
    """
    file, config = _opened(source, bits)
    origin = Origin(source, config, file, bits)
    _check_memory(source, _estimated(origin, config, bits).working_bytes)
    raw = raw_config(source, file, config)
    dtype = "bfloat16" if bits == DENSE else _dtype_of(source, file)
    write_tokenizer(folder, source, file)
    write_config(folder, raw, config, dtype, {})  # what it cannot say is known before the work
    writer = Writer(folder)
    tensors = Converting(origin, writer, bits, _DTYPES[dtype], watch)
    layers = config.num_hidden_layers

    def on_block(index: int) -> None:
        watch.progress(index / layers)

    weights = Weights(tensors, source.path.name)
    try:
        Decoder(config, weights, on_block)
        weights.finish()
        write_config(folder, raw, config, dtype, tensors.quantized)
        writer.finish()
    except (OSError, RuntimeError) as error:  # MLX's own way of telling of a write that failed
        raise EngineError(
            "The converted model cannot be written to {folder}, perhaps because the disk is "
            "full; free some space, then try again.",
            folder=folder.parent,
        ) from error
    finally:
        free_memory()
    watch.progress(1.0)


def check(source: Source, folder: Path, watch: Watch = UNWATCHED) -> Check:
    """Compare how well source and result predict a sample text, one after the other in memory.

    Raises:
        ModelFileError: The result cannot be loaded.
        CancelledError: `watch` said so.
    """
    before = after = None
    note = ""
    try:
        before = _mean_nll(source.path, Watch(watch.cancelled, lambda s: watch.progress(s / 2)))
        free_memory()
        after = _mean_nll(folder, Watch(watch.cancelled, lambda s: watch.progress(0.5 + s / 2)))
    except MemoryLimitError as error:
        note = Sentence("Not compared with the source: {reason}", reason=error.sentence)
    finally:
        free_memory()
    return Check(before, after, note)


def _mean_nll(path: Path, watch: Watch) -> float:
    def report(share: float) -> None:
        watch.progress(share / 2)

    model = load(path, on_progress=report, cancelled=watch.cancelled)
    ids = model.raw_tokens(_SAMPLE)[: model.config.max_position_embeddings - 1]
    return score(model, ids, top=1, watch=watch).mean_nll


def _opened(source: Source, bits: int) -> tuple[GGUFFile | None, ModelConfig]:
    if bits not in BITS:
        raise SettingError("Weights are converted to 4, 5, 6, 8 or 16 bits, not {bits}.", bits=bits)
    file = GGUFFile.open(source.path) if source.kind == "gguf" else None
    config = source_config(source) if file is None else gguf_config(file)
    if isinstance(config, ZooConfig):
        raise UnsupportedError(
            "{model_type} runs through mlx-lm and is converted by it: python -m mlx_lm convert.",
            model_type=config.model_type,
        )
    return file, config


def _estimated(origin: Origin, config: ModelConfig, bits: int) -> Estimate:
    sizes = Sizes(origin, bits)
    Decoder(config, Weights(sizes, ""))  # which asks for every weight and computes nothing
    wide = usual_precision() == "float32"
    # A matrix as float32 and as what it is written as, beside a shard that is nearly full.
    working = (4 + 2) * sizes.largest + min(SHARD_BYTES, sizes.size_bytes)
    return Estimate(sizes.size_bytes, sizes.values * 4 if wide else sizes.size_bytes, working)


def _check_memory(source: Source, needed: int) -> None:
    room = MemoryGuard().room_bytes()
    if room is not None and needed > room:
        raise MemoryLimitError(
            "Converting {source} needs {needed:.1f} GB of memory and there are {room:.1f} GB; "
            "unload the model that is loaded, or close other programs.",
            source=source.name,
            needed=needed / 1e9,
            room=room / 1e9,
        )


def _dtype_of(source: Source, file: GGUFFile | None) -> str:
    """What scales and vectors are kept in: as the source has them, bfloat16 for float32."""
    if file is not None:
        kinds = {info.type.name for info in file.tensors.values() if len(info.shape) > 1}
        return "bfloat16" if "BF16" in kinds else "float16"
    norm = read_headers(weight_files(source.path)).get("model.norm.weight")
    return "float16" if norm is not None and norm.dtype == "F16" else "bfloat16"
