"""Writes the starter model as a folder of safetensors, so that loading one can be measured."""

import json
import sys
from pathlib import Path
from typing import Any, cast

import mlx.core as mx

import engine
from engine.gguf import GGUFFile, model_config
from engine.gguf_weights import GGUFTensors
from engine.layers import Packed
from engine.llama import Decoder
from engine.source import starter_path
from engine.weights import Weights

_CONTROL = 3


class _Recorder:
    """Hands tensors out and keeps them, in float16."""

    def __init__(self, tensors: GGUFTensors) -> None:
        self._tensors = tensors
        self.arrays: dict[str, mx.array] = {}

    def matrix(self, module: str, rows: int, columns: int) -> mx.array | Packed:
        """The matrix of a module."""
        matrix = self._tensors.matrix(module, rows, columns)
        assert isinstance(matrix, mx.array)
        return self._kept(f"{module}.weight", matrix)

    def vector(self, name: str, size: int) -> mx.array:
        """The vector `name`."""
        return self._kept(name, self._tensors.vector(name, size))

    def left_over(self) -> list[str]:
        """Tensors that were not asked for."""
        return self._tensors.left_over()

    def _kept(self, name: str, array: mx.array) -> mx.array:
        self.arrays[name] = array.astype(mx.float16)
        mx.eval(self.arrays[name])
        return self.arrays[name]


def write_starter_folder(folder: Path) -> Path:
    """Write the starter's weights as float16, its config.json and its tokenizer to `folder`."""
    file = GGUFFile.open(starter_path())
    config = model_config(file)
    recorder = _Recorder(GGUFTensors(file, config, "float32"))
    weights = Weights(recorder, file.path.name)
    Decoder(config, weights, lambda _: None)
    weights.finish()
    folder.mkdir(parents=True, exist_ok=True)
    mx.save_safetensors(str(folder / "model.safetensors"), recorder.arrays, {"format": "mlx"})
    raw = {
        "model_type": config.model_type,
        "hidden_size": config.hidden_size,
        "num_hidden_layers": config.num_hidden_layers,
        "num_attention_heads": config.num_attention_heads,
        "num_key_value_heads": config.num_key_value_heads,
        "head_dim": config.head_dim,
        "intermediate_size": config.intermediate_size,
        "vocab_size": config.vocab_size,
        "max_position_embeddings": config.max_position_embeddings,
        "rms_norm_eps": config.rms_norm_eps,
        "rope_theta": config.rope.theta,
        "tie_word_embeddings": config.tie_word_embeddings,
        "torch_dtype": "float16",
    }
    _write_json(folder / "config.json", raw)
    _write_json(folder / "tokenizer.json", _tokenizer(file))
    return folder


def _tokenizer(file: GGUFFile) -> dict[str, Any]:
    """The file's vocabulary and merges as a tokenizer.json, split as SmolLM's is."""
    names = cast("list[str]", file.metadata["tokenizer.ggml.tokens"])
    types = cast("list[int]", file.metadata["tokenizer.ggml.token_type"])
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    splitters = [{"type": "Digits", "individual_digits": True}, {**byte_level, "use_regex": True}]
    return {
        "version": "1.0",
        "added_tokens": [
            {"id": index, "content": names[index], "special": True, **flags}
            for index, kind in enumerate(types)
            if kind == _CONTROL
        ],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": splitters},
        "post_processor": None,
        "decoder": {**byte_level, "use_regex": True},
        "model": {
            "type": "BPE",
            "vocab": {name: index for index, name in enumerate(names)},
            "merges": file.metadata["tokenizer.ggml.merges"],
        },
    }


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")


if __name__ == "__main__":
    sys.stdout.write(json.dumps({"folder": str(write_starter_folder(Path(sys.argv[1])))}) + "\n")
    engine.leave_thread()
