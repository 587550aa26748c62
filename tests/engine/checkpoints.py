"""Writes tiny random models of the llama family to disk, in every form that models come in.

The weights are drawn from a seed, so that the same model can be written in several forms and the
forms compared. The vocabulary is the 256 bytes, three control tokens and two merges.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gguf
import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Setting = tuple[int, int] | tuple[int, int, str]

LEFT_OUT = object()
"""In `TinyLlama.extra`: this entry is not in config.json."""
CONTROL_TOKENS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MERGES = (("t", "h"), ("th", "e"))
END_ID = 258
CHAT_TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' "
    "+ message['content'] + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
_DTYPES = {"float32": mx.float32, "float16": mx.float16, "bfloat16": mx.bfloat16}
_GGUF_MODULES = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


@dataclass(frozen=True)
class TinyLlama:
    """The shape of a tiny random llama; `extra` goes into config.json as it is.

    `model_type` decides which tensors there are, as transformers' modeling files do.
    """

    model_type: str = "llama"

    hidden_size: int = 64
    num_hidden_layers: int = 2
    num_attention_heads: int = 4
    num_key_value_heads: int = 2
    head_dim: int = 16
    intermediate_size: int = 128
    vocab_size: int = 288
    max_position_embeddings: int = 512
    tied: bool = True
    attention_bias: bool = False
    mlp_bias: bool = False
    seed: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def config(self) -> dict[str, Any]:
        """The content of its config.json."""
        config = {
            "architectures": [f"{self.model_type.capitalize()}ForCausalLM"],
            "model_type": self.model_type,
            "hidden_act": "silu",
            "hidden_size": self.hidden_size,
            "num_hidden_layers": self.num_hidden_layers,
            "num_attention_heads": self.num_attention_heads,
            "num_key_value_heads": self.num_key_value_heads,
            "head_dim": self.head_dim,
            "intermediate_size": self.intermediate_size,
            "vocab_size": self.vocab_size,
            "max_position_embeddings": self.max_position_embeddings,
            "rms_norm_eps": 1e-5,
            "rope_theta": 10_000.0,
            "tie_word_embeddings": self.tied,
            "attention_bias": self.attention_bias,
            "mlp_bias": self.mlp_bias,
            "bos_token_id": END_ID - 1,
            "eos_token_id": END_ID,
            **self.extra,
        }
        return {key: value for key, value in config.items() if value is not LEFT_OUT}

    def tensors(self) -> dict[str, Floats]:
        """Checkpoint name → weights; matrices about 1 / √in, norms about 1."""
        rng = np.random.default_rng(self.seed)
        tensors: dict[str, Floats] = {}
        for name, (rows, columns) in self._matrices().items():
            spread = 1.0 if name == "model.embed_tokens" else columns**-0.5
            tensors[f"{name}.weight"] = rng.normal(0, spread, (rows, columns)).astype(np.float32)
            if self._has_bias(name):
                tensors[f"{name}.bias"] = rng.normal(0, 0.1, rows).astype(np.float32)
        for name in self._norms():
            tensors[f"{name}.weight"] = rng.normal(1, 0.1, self.hidden_size).astype(np.float32)
        if self.model_type == "qwen3":
            for layer in range(self.num_hidden_layers):
                for part in ("q_norm", "k_norm"):
                    # Far from 1, so that leaving a norm out or exchanging two is seen.
                    tensors[f"model.layers.{layer}.self_attn.{part}.weight"] = rng.normal(
                        1.5, 0.5, self.head_dim
                    ).astype(np.float32)
        return tensors

    def _has_bias(self, name: str) -> bool:
        if ".mlp." in name:
            return self.mlp_bias
        if self.model_type == "qwen2":
            return name.endswith(("q_proj", "k_proj", "v_proj"))
        return self.attention_bias and ".self_attn." in name

    def _norms(self) -> list[str]:
        kinds = ("input_layernorm", "post_attention_layernorm")
        layers = range(self.num_hidden_layers)
        return [f"model.layers.{i}.{kind}" for i in layers for kind in kinds] + ["model.norm"]

    def _matrices(self) -> dict[str, tuple[int, int]]:
        """Module → (rows, columns)."""
        queries = self.num_attention_heads * self.head_dim
        values = self.num_key_value_heads * self.head_dim
        shapes = {"model.embed_tokens": (self.vocab_size, self.hidden_size)}
        for i in range(self.num_hidden_layers):
            shapes |= {
                f"model.layers.{i}.self_attn.q_proj": (queries, self.hidden_size),
                f"model.layers.{i}.self_attn.k_proj": (values, self.hidden_size),
                f"model.layers.{i}.self_attn.v_proj": (values, self.hidden_size),
                f"model.layers.{i}.self_attn.o_proj": (self.hidden_size, queries),
                f"model.layers.{i}.mlp.gate_proj": (self.intermediate_size, self.hidden_size),
                f"model.layers.{i}.mlp.up_proj": (self.intermediate_size, self.hidden_size),
                f"model.layers.{i}.mlp.down_proj": (self.hidden_size, self.intermediate_size),
            }
        if not self.tied:
            shapes["lm_head"] = (self.vocab_size, self.hidden_size)
        return shapes


def write_folder(folder: Path, model: TinyLlama, dtype: str = "float32", shards: int = 1) -> Path:
    """Write config.json, a tokenizer and unquantised safetensors (`dtype`), sharded if asked."""
    arrays = {name: mx.array(t).astype(_DTYPES[dtype]) for name, t in model.tensors().items()}
    return _write(folder, {**model.config(), "torch_dtype": dtype}, arrays, shards)


def write_quantized_folder(
    folder: Path,
    model: TinyLlama,
    setting: Setting = (64, 4),
    layers: Mapping[str, Setting | None] | None = None,
    dtype: str = "float16",
) -> Path:
    """Write the folder as `mlx_lm.convert -q` does.

    Args:
        folder: Where to.
        model: What.
        setting: Group size, bits and mode (affine if left out) of every matrix that is not named
            in `layers` and that the group size divides.
        layers: Module → its own setting, None to leave it unquantised.
        dtype: Of scales, biases and what is not quantised.
    """
    layers = layers or {}
    arrays: dict[str, mx.array] = {}
    for name, values in model.tensors().items():
        module = name.rpartition(".")[0]
        array = mx.array(values).astype(_DTYPES[dtype])
        own = layers.get(module, setting)
        if values.ndim == 1 or own is None or values.shape[1] % own[0]:
            arrays[name] = array
            continue
        parts = mx.quantize(array, **_setting(own))
        arrays |= dict(zip((name, f"{module}.scales", f"{module}.biases"), parts, strict=False))
    quantization: dict[str, Any] = _setting(setting)
    for module, own in layers.items():
        quantization[module] = _setting(own) if own is not None else False
    config = {**model.config(), "torch_dtype": dtype, "quantization": quantization}
    return _write(folder, config, arrays, 1)


def _setting(setting: Setting) -> dict[str, Any]:
    return dict(zip(("group_size", "bits", "mode"), setting, strict=False))


def write_gguf(
    path: Path,
    model: TinyLlama,
    kind: str = "F32",
    kinds: Mapping[str, str] | None = None,
    entries: Mapping[str, int | float | str] | None = None,
    extra_tensors: Mapping[str, Floats] | None = None,
    part_tensors: int = 0,
) -> Path:
    """Write the model as llama.cpp's converter does, q and k rows interleaved.

    Args:
        path: Where to.
        model: What.
        kind: ggml type of the matrices, such as `Q4_0`; vectors are F32.
        kinds: Name in the file → another ggml type for that matrix.
        entries: More metadata, over what follows from the model.
        extra_tensors: Name in the file → float32 values to add.
        part_tensors: Split into parts of so many tensors, the first with metadata only.

    Returns:
        The file, of several parts the first.
    """
    metadata = {**_gguf_entries(model), **(entries or {})}
    writer = gguf.GGUFWriter(
        None,
        str(metadata.pop("general.architecture")),
        split_max_tensors=part_tensors,
        small_first_shard=part_tensors > 0,
    )
    for key, value in metadata.items():
        add = {int: writer.add_uint32, float: writer.add_float32, str: writer.add_string}
        add[type(value)](key, value)  # pyright: ignore[reportArgumentType] - matched by type
    names = _vocabulary(model.vocab_size)
    writer.add_token_list(names)
    kinds_of_token = (gguf.TokenType.NORMAL, gguf.TokenType.CONTROL)
    writer.add_token_types([kinds_of_token[_is_control(name)] for name in names])
    writer.add_token_merges([" ".join(pair) for pair in MERGES])
    for name, values in model.tensors().items():
        in_file = gguf_tensor_name(name)
        wanted = "F32" if values.ndim == 1 else (kinds or {}).get(in_file, kind)
        ggml_type = gguf.GGMLQuantizationType[wanted]
        data = gguf.quants.quantize(_interleaved(name, values, model), ggml_type)
        writer.add_tensor(in_file, data, raw_dtype=ggml_type)
    for name, values in (extra_tensors or {}).items():
        writer.add_tensor(name, values)
    path.parent.mkdir(parents=True, exist_ok=True)
    writer.write_header_to_file(path)
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path if path.is_file() else next(path.parent.glob(f"{path.stem}-00001-of-*.gguf"))


def gguf_tensor_name(name: str) -> str:
    """The name in a GGUF file of a checkpoint's tensor."""
    module, _, kind = name.rpartition(".")
    if module.startswith("model.layers."):
        _, _, layer, part = module.split(".", 3)
        return f"blk.{layer}.{_GGUF_MODULES[part]}.{kind}"
    return f"{_GGUF_MODULES[module]}.{kind}"


def _gguf_entries(model: TinyLlama) -> dict[str, int | float | str]:
    name = "llama" if model.model_type == "mistral" else model.model_type
    shape: dict[str, int | float | str] = {
        "block_count": model.num_hidden_layers,
        "context_length": model.max_position_embeddings,
        "embedding_length": model.hidden_size,
        "feed_forward_length": model.intermediate_size,
        "attention.head_count": model.num_attention_heads,
        "attention.head_count_kv": model.num_key_value_heads,
        "attention.key_length": model.head_dim,
        "attention.value_length": model.head_dim,
        "attention.layer_norm_rms_epsilon": 1e-5,
        "rope.freq_base": 10_000.0,
        "rope.dimension_count": model.head_dim,
        "vocab_size": model.vocab_size,
    }
    return {
        "general.architecture": name,
        "general.name": "Tiny Random Llama",
        **{f"{name}.{key}": value for key, value in shape.items()},
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "smollm",
        "tokenizer.ggml.bos_token_id": END_ID - 1,
        "tokenizer.ggml.eos_token_id": END_ID,
        "tokenizer.chat_template": CHAT_TEMPLATE,
    }


def _interleaved(name: str, values: Floats, model: TinyLlama) -> Floats:
    """`LlamaModel.permute` of llama.cpp's convert_hf_to_gguf.py; other models have none."""
    if model.model_type not in ("llama", "mistral"):
        return values
    heads = {"q_proj": model.num_attention_heads, "k_proj": model.num_key_value_heads}
    count = heads.get(name.split(".")[-2])
    if count is None:
        return values
    halves = values.reshape(count, 2, values.shape[0] // count // 2, *values.shape[1:])
    return np.ascontiguousarray(halves.swapaxes(1, 2).reshape(values.shape))


def _write(folder: Path, config: dict[str, Any], arrays: dict[str, mx.array], shards: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    _write_tokenizer(folder, config["vocab_size"])
    if shards == 1:
        mx.save_safetensors(str(folder / "model.safetensors"), arrays, {"format": "mlx"})
        return folder
    weight_map: dict[str, str] = {}
    for shard in range(shards):
        file = f"model-{shard + 1:05}-of-{shards:05}.safetensors"
        part = dict(list(arrays.items())[shard::shards])
        mx.save_safetensors(str(folder / file), part, {"format": "mlx"})
        weight_map |= dict.fromkeys(part, file)
    index = {"metadata": {}, "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    return folder


def _vocabulary(size: int) -> list[str]:
    """The bytes as byte-level BPE writes them, control tokens, merges; reserved up to `size`."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    letters = {byte: chr(byte) for byte in printable}
    letters |= {byte: chr(256 + index) for index, byte in enumerate(others)}
    names = [letters[byte] for byte in range(256)] + list(CONTROL_TOKENS)
    names += ["".join(pair) for pair in MERGES]
    names += [f"<|reserved_{index}|>" for index in range(max(0, size - len(names)))]
    assert len(names) == size, "a vocabulary holds at least bytes, control tokens and merges"
    return names


def _is_control(name: str) -> bool:
    return name.startswith("<|") and name.endswith("|>")


def _write_tokenizer(folder: Path, size: int) -> None:
    names = _vocabulary(size)
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    tokenizer: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": index,
                "content": name,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for index, name in enumerate(names)
            if _is_control(name)
        ],
        "normalizer": None,
        "pre_tokenizer": {**byte_level, "use_regex": True},
        "post_processor": None,
        "decoder": {**byte_level, "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {name: index for index, name in enumerate(names)},
            "merges": [" ".join(pair) for pair in MERGES],
        },
    }
    settings = {"eos_token": CONTROL_TOKENS[2], "chat_template": CHAT_TEMPLATE}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
