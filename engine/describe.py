"""What the headers of a model's files say about it; no weight is read, nothing is computed."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from engine.config import ModelConfig, parse_config, read_json
from engine.config_values import Json
from engine.errors import EngineError, ModelFileError, unreadable
from engine.fit import Footprint
from engine.gguf import model_config as gguf_config
from engine.gguf_file import GGUFFile, part_paths, whole
from engine.kv import kv_bytes
from engine.quantization import MODES
from engine.safetensors import INDEX_NAME, Stored, held_bytes, read_headers, weight_files
from engine.source import Source, runs_through_mlx_lm, source_config
from engine.weights import open_tensors, usual_precision
from engine.zoo_config import check_untrusted, text_part

_TOKENIZERS = ("tokenizer.json", "tokenizer.model")
_SHORT_NAMES = {"F32": "float32", "F16": "float16", "BF16": "bfloat16"}
_WIDE = ("F32", "F64")


@dataclass(frozen=True)
class Description:
    """A model on disk, whole as far as its headers tell.

    Attributes:
        architecture: As its config calls it, such as `llama`.
        parameters: Number of weights.
        storage: How most of them are held: `Q4_1`, `4-bit`, `mxfp4`, `bfloat16`.
        context: Tokens it is trained for; None where it does not say.
        token_bytes: Keys and values of one token at 16 bits; None where the layers differ.
        licence: As its files name it; empty where they do not.
        footprint: What it takes in memory; None where the shape is not known before loading.
        problem: Why it cannot run, one sentence; empty where it can.
    """

    architecture: str
    parameters: int | None = None
    storage: str = ""
    context: int | None = None
    token_bytes: int | None = None
    licence: str = ""
    footprint: Footprint | None = None
    problem: str = ""


def describe(source: Source) -> Description:
    """Describe a model from its configs and headers, in a few milliseconds.

    Whatever is wrong with it becomes `problem`; nothing is raised for a damaged model.
    """
    about = _gguf if source.kind == "gguf" else _folder
    try:
        return about(source)
    except EngineError as error:
        return Description(_architecture(source), problem=error.sentence)


def foreseen(raw: Json, stored_bytes: int) -> Footprint | None:
    """What a model of safetensors is going to take in memory, by its config alone.

    Args:
        raw: The content of its config.json.
        stored_bytes: Of its files of weights.

    Returns:
        None where the config does not tell the shape.

    Raises:
        EngineError: It cannot be run.
    """
    is_wide = usual_precision() == "float32"
    if runs_through_mlx_lm(raw):
        check_untrusted(raw)
        shape = _likened(text_part(raw))
        is_quantized = raw.get("quantization") or raw.get("quantization_config")
        widened = 2 if is_wide and not is_quantized else 1
        if shape is None:
            return None
        return Footprint(shape, stored_bytes * widened, 4 if is_wide else 2, rotates=False)
    config = parse_config(raw)
    if is_wide:
        return Footprint(config, config.parameters * 4, 4)
    dtype: object = raw.get("torch_dtype") or raw.get("dtype")
    return Footprint(config, stored_bytes, 4 if dtype == "float32" else 2)


def model_files(source: Source) -> tuple[Path, ...]:
    """The files of a model: those of its folder, or the parts of its GGUF file.

    Raises:
        ModelFileError: A part is missing, or the folder cannot be read.
    """
    if source.kind == "gguf":
        return tuple(part_paths(source.path))
    try:
        return tuple(sorted(path for path in source.path.iterdir() if path.is_file()))
    except OSError as error:
        raise unreadable(source.path, error) from error


def _folder(source: Source) -> Description:
    raw = read_json(source.path / "config.json")
    tensors = read_headers(weight_files(source.path))
    _check_index(source.path, tensors)
    if not any(_has_content(source.path / name) for name in _TOKENIZERS):
        raise ModelFileError(
            "{file} is incomplete: its tokenizer is missing; fetch it again.", file=source.path.name
        )
    if runs_through_mlx_lm(raw):
        return _zoo(source, raw, tensors)
    config = source_config(source)
    how = config.quantization
    storage = _most_common(tensors) if how is None else how.name
    return _own(source, config, storage, _licence(source.path), _value_bytes(tensors))


def _has_content(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0


def _gguf(source: Source) -> Description:
    file = GGUFFile.open(source.path)
    sizes = file.values_by_type()
    storage = sizes.most_common(1)[0][0] if sizes else ""
    licence = file.text("general.license") or ""
    try:
        config = gguf_config(file)
    except EngineError as error:
        architecture = file.text("general.architecture") or "unknown"
        context = whole(file, f"{architecture}.context_length")
        return Description(
            architecture, sizes.total(), storage, context, licence=licence, problem=error.sentence
        )
    return _own(source, config, storage, licence, 2, file)


def _own(
    source: Source,
    config: ModelConfig,
    storage: str,
    licence: str,
    stored_value_bytes: int,
    file: GGUFFile | None = None,
) -> Description:
    """A model that Cutaway's own decoder computes."""
    precision = usual_precision()
    footprint = Footprint(
        config,
        open_tensors(source, config, precision, file).loaded_bytes(),
        stored_value_bytes if precision == "stored" else 4,
    )
    return Description(
        config.model_type,
        config.parameters,
        storage,
        config.max_position_embeddings,
        kv_bytes(config, 1),
        licence,
        footprint,
    )


def _zoo(source: Source, raw: Json, tensors: Mapping[str, Stored]) -> Description:
    """A model that mlx-lm computes, whose cache is reckoned as that of a llama of its shape."""
    check_untrusted(raw)
    parameters, bits = _counted(raw, tensors)
    shape = _likened(text_part(raw)) if parameters else None
    wide = usual_precision() == "float32"
    context: object = text_part(raw).get("max_position_embeddings")
    return Description(
        str(raw.get("model_type")),
        parameters,
        _zoo_storage(raw, tensors, bits),
        context if isinstance(context, int) and context > 0 else None,
        None if shape is None else kv_bytes(shape, 1),
        _licence(source.path),
        None
        if shape is None
        else Footprint(shape, held_bytes(tensors, widen=wide), 4 if wide else 2, rotates=False),
    )


def _counted(raw: Json, tensors: Mapping[str, Stored]) -> tuple[int, int | None]:
    """The number of weights, and the bits of most of them where they are quantised."""
    settings = _mapping(raw.get("quantization") or raw.get("quantization_config"))
    bits = _positive(settings.get("bits"))
    count = 0
    for name, stored in tensors.items():
        module, _, kind = name.rpartition(".")
        if kind in ("scales", "biases") and f"{module}.weight" in tensors:
            continue
        is_packed = f"{module}.scales" in tensors and stored.dtype in ("U32", "I32")
        if is_packed and bits is not None:
            own: object = settings.get(module)
            own_bits = (
                _positive(cast("Json", own).get("bits")) if isinstance(own, Mapping) else None
            )
            count += stored.n_bytes * 8 // (own_bits or bits)
        else:
            count += math.prod(stored.shape)
    return count, bits


def _zoo_storage(raw: Json, tensors: Mapping[str, Stored], bits: int | None) -> str:
    """How most weights are held, in the words of `Quantization.name`."""
    settings = _mapping(raw.get("quantization") or raw.get("quantization_config"))
    mode: object = settings.get("mode") or settings.get("quant_method")
    if isinstance(mode, str) and mode in MODES and mode != "affine":
        return mode
    return _most_common(tensors) if bits is None else f"{bits}-bit"


def _likened(raw: Json) -> ModelConfig | None:
    """A llama with the layers and heads that a foreign config names; None where it names none."""
    numbers = {
        key: _positive(raw.get(key))
        for key in ("hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size")
    }
    if any(value is None for value in numbers.values()):
        return None
    found = cast("dict[str, Any]", numbers)
    heads = found["num_attention_heads"]
    head_dim = _positive(raw.get("head_dim")) or found["hidden_size"] // heads
    if head_dim < 1:
        return None
    return ModelConfig(
        model_type="llama",
        num_key_value_heads=_positive(raw.get("num_key_value_heads")) or heads,
        head_dim=head_dim,
        intermediate_size=_positive(raw.get("intermediate_size")) or 4 * found["hidden_size"],
        max_position_embeddings=_positive(raw.get("max_position_embeddings")) or 2048,
        **found,
    )


def _mapping(value: object) -> Json:
    return cast("Json", value) if isinstance(value, Mapping) else {}


def _positive(value: object) -> int | None:
    return value if type(value) is int and 0 < value < 1 << 32 else None


def _check_index(folder: Path, tensors: Mapping[str, Stored]) -> None:
    """Every tensor that the index names is in the file that it names."""
    index = folder / INDEX_NAME
    if not index.is_file():
        return
    named = cast("Mapping[str, str]", read_json(index)["weight_map"])
    for name, file in named.items():
        stored = tensors.get(name)
        if stored is None or stored.path.name != file:
            raise ModelFileError(
                "{folder} is incomplete: {file} does not hold {name}; fetch it again.",
                folder=folder.name,
                file=file,
                name=name[:64],
            )


def _value_bytes(tensors: Mapping[str, Stored]) -> int:
    """Of what the decoder computes in: the dtype of the embedding's vectors."""
    parts = ("model.embed_tokens.scales", "model.embed_tokens.weight")
    found = next((tensors[name] for name in parts if name in tensors), None)
    return 4 if found is not None and found.dtype in _WIDE else 2


def _most_common(tensors: Mapping[str, Stored]) -> str:
    sizes: Counter[str] = Counter()
    for stored in tensors.values():
        sizes[stored.dtype] += stored.n_bytes
    name = sizes.most_common(1)[0][0] if sizes else ""
    return _SHORT_NAMES.get(name, name)


def _licence(folder: Path) -> str:
    """The licence in the card's header, `license: apache-2.0` between two lines of dashes."""
    card = folder / "README.md"
    try:
        with card.open(encoding="utf-8", errors="replace") as file:
            head = file.read(1 << 16)
    except OSError:
        return ""
    lines = head.splitlines()
    if not lines or lines[0].strip() != "---":
        return ""
    named = ""
    for line in lines[1:]:
        if line.strip() == "---":
            break
        key, _, value = line.partition(":")
        if key in ("license", "license_name"):
            value = value.strip().strip("'\"")
            # The name says what `other` is.
            named = value if key == "license_name" or not named else named
    return named[:64]


def _architecture(source: Source) -> str:
    """What a damaged model calls its architecture, if that can still be read."""
    try:
        if source.kind == "gguf":
            return GGUFFile.open(source.path).text("general.architecture") or "unknown"
        return str(read_json(source.path / "config.json").get("model_type") or "unknown")[:64]
    except EngineError:
        return "unknown"
