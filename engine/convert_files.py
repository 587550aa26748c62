"""What stands beside a converted model's weights: its config, and its tokenizer's files."""

import copy
import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.config import ModelConfig, Quantization, parse_config, read_json
from engine.config_values import Json
from engine.errors import EngineError, ModelFileError, UnsupportedError
from engine.gguf import config_json
from engine.gguf_file import GGUFFile
from engine.source import Source
from engine.tokenizer import Tokenizer
from engine.tokenizer_gguf import written_pieces, written_tokenizer
from engine.zoo_config import spell_rope

_CLASSES = {"llama": "LlamaForCausalLM", "qwen2": "Qwen2ForCausalLM", "qwen3": "Qwen3ForCausalLM"}
_COPIED = (
    "tokenizer.json",
    "tokenizer.model",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
    "chat_template.jinja",
    "chat_template.json",
    "generation_config.json",
    "README.md",
    "LICENSE",
)
_PROBES = (
    "The quick brown fox jumps over 1,234 lazy dogs.\n\n\tdef f(x):\n        return x**2  # ok",
    " leading space, don't, naïve café, Größe, 中文文本, русский, 🙂 family 👩‍👩‍👧",
    "https://example.org/a_b?c=d&e=%20  \r\n   end",
)


def write_config(
    folder: Path,
    raw: Json,
    config: ModelConfig,
    dtype: str,
    quantized: Mapping[str, Quantization],
) -> None:
    """Write config.json.

    Args:
        folder: Where to.
        raw: The source's, as `raw_config` gives it.
        config: What that means.
        dtype: Of the weights that are not quantised.
        quantized: Module → how it is held; those that are not named are not quantised.

    Raises:
        UnsupportedError: A config.json cannot say what the source is.
    """
    entries: dict[str, Any] = {
        key: value
        for key, value in _older_style(raw).items()
        if key not in ("quantization", "quantization_config", "dtype")
    }
    entries["torch_dtype"] = dtype
    if quantized:
        settings = [quantized[module] for module in quantized]
        usual = max(set(settings), key=settings.count)
        entries["quantization"] = {
            **_setting(usual),
            **{module: _setting(own) for module, own in quantized.items() if own != usual},
        }
    plain: dict[str, Any] = {"torch_dtype": "", "quantization": None, "quantized_layers": {}}
    if replace(parse_config(entries), **plain) != replace(config, **plain):
        raise UnsupportedError(
            "{model_type} with these biases or windows has no config.json that says so; it can "
            "run as it is, but not be converted.",
            model_type=config.model_type,
        )
    _write_json(folder / "config.json", entries)


def raw_config(source: Source, file: GGUFFile | None, config: ModelConfig) -> Json:
    """A source's config.json, or what it would be for a GGUF file."""
    if file is None:
        return read_json(source.path / "config.json")
    biases: dict[str, Any] = {"mlp_bias": config.mlp_bias} if config.mlp_bias else {}
    if config.model_type != "qwen2" and (config.attention_bias or config.attention_output_bias):
        biases["attention_bias"] = True
    return {
        **config_json(file),
        **biases,
        "architectures": [_CLASSES[config.model_type]],
        "hidden_act": "silu",
    }


def write_tokenizer(folder: Path, source: Source, file: GGUFFile | None) -> None:
    """Write the tokenizer's files, and check that they mean what the source's do.

    Raises:
        ModelFileError: The written tokenizer would read text in another way.
    """
    if file is None:
        _copy(folder, source.path)
        return
    wanted = Tokenizer.from_gguf(file.metadata)
    text = written_tokenizer(file.metadata)
    if text is None:
        (folder / "tokenizer.model").write_bytes(written_pieces(file.metadata))
    else:
        (folder / "tokenizer.json").write_text(text, encoding="utf-8")
    entries: dict[str, Any] = {
        **wanted.special_tokens,
        "add_bos_token": wanted.add_bos,
        "add_eos_token": False,
        "clean_up_tokenization_spaces": False,
        "tokenizer_class": "LlamaTokenizer" if text is None else "PreTrainedTokenizerFast",
    }
    template = wanted.chat_template
    if isinstance(template, str):
        entries["chat_template"] = template
    elif template:
        named = [{"name": name, "template": each} for name, each in template.items()]
        entries["chat_template"] = named
    _write_json(folder / "tokenizer_config.json", entries)
    ends = sorted(wanted.eos_token_ids)
    _write_json(folder / "generation_config.json", {"eos_token_id": ends} if ends else {})
    _check(folder, wanted, file)


def _check(folder: Path, wanted: Tokenizer, file: GGUFFile) -> None:
    written = Tokenizer.load(folder)
    same = (
        written.vocab_size == wanted.vocab_size
        and written.eos_token_ids == wanted.eos_token_ids
        and (written.add_bos, written.bos_token_id) == (wanted.add_bos, wanted.bos_token_id)
        and written.chat_template == wanted.chat_template
        and all(written.encode(text) == wanted.encode(text) for text in _PROBES)
        and all(
            written.piece(id_) == wanted.piece(id_)
            for id_ in {*wanted.control_ids, *range(0, wanted.vocab_size, 97)}
        )
    )
    if not same:
        raise ModelFileError(
            "The tokenizer of {file} cannot be written for MLX without a change; convert a "
            "safetensors copy of this model instead.",
            file=file.path.name,
        )


def _copy(folder: Path, source: Path) -> None:
    try:
        for name in _COPIED:
            if (source / name).is_file():
                shutil.copyfile(source / name, folder / name)
        if (source / "additional_chat_templates").is_dir():
            target = folder / "additional_chat_templates"
            target.mkdir()
            for path in (source / "additional_chat_templates").glob("*.jinja"):
                shutil.copyfile(path, target / path.name)
    except OSError as error:
        raise EngineError(
            "{source} cannot be copied to {folder}: {reason}.",
            source=source,
            folder=folder,
            reason=error.strerror or str(error),
        ) from error


def _older_style(raw: Json) -> Json:
    """RoPE in the style that every program reads, where that says the same."""
    entries = copy.deepcopy(dict(raw))
    try:
        spell_rope(entries)
        entries.pop("rope_parameters", None)
        return entries if parse_config(entries) == parse_config(raw) else raw
    except EngineError:
        return raw


def _setting(how: Quantization) -> dict[str, Any]:
    return {"group_size": how.group_size, "bits": how.bits, "mode": how.mode}


def _write_json(path: Path, entries: Json) -> None:
    try:
        path.write_text(json.dumps(entries, ensure_ascii=False, indent=2), encoding="utf-8")
    except OSError as error:
        raise EngineError(
            "{path} cannot be written: {reason}.", path=path, reason=error.strerror or str(error)
        ) from error
