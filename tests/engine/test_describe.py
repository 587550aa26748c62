"""Headers alone say what a model is, and no header, however damaged, does more than be refused."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.describe import Description, describe, model_files
from engine.fit import fit
from engine.source import Source
from tests.engine.checkpoints import TinyLlama, write_folder, write_gguf, write_quantized_folder
from tests.engine.fuzzing import damaged_bytes, damaged_json, judge

CASES = range(60)
TINY = TinyLlama(head_dim=32)


def told(path: Path) -> Description:
    return describe(Source(path.name, path, "gguf" if path.is_file() else "folder"))


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_a_folder_is_described_as_it_loads(tmp_path: Path, dtype: str) -> None:
    path = write_folder(tmp_path / "model", TINY, dtype=dtype)
    model, found = engine.load(path), told(path)
    assert found.footprint is not None
    assert found.footprint.config == model.config
    assert found.footprint.weights_bytes == model.weights_bytes
    assert found.footprint.value_bytes == model.network.dtype.size
    assert (found.storage, found.problem) == (dtype, "")
    assert (found.parameters, found.context) == (model.config.parameters, 512)
    assert found.token_bytes == engine.kv_bytes(model.config, 1)


def foreign(folder: Path, **config: Any) -> Path:
    path = folder / "config.json"
    entries = json.loads(path.read_text(encoding="utf-8"))
    entries |= {"model_type": "gemma", "architectures": ["GemmaForCausalLM"], **config}
    path.write_text(json.dumps(entries), encoding="utf-8")
    return folder


def test_what_mlx_lm_runs_is_reckoned_as_a_llama_of_its_shape(tmp_path: Path) -> None:
    found = told(foreign(write_folder(tmp_path / "plain", TINY, dtype="bfloat16")))
    assert (found.architecture, found.storage, found.problem) == ("gemma", "bfloat16", "")
    assert found.footprint is not None
    assert not found.footprint.rotates
    assert found.token_bytes == 2 * 2 * 2 * 32 * 2
    plain = found.parameters
    assert plain is not None
    assert found.footprint.weights_bytes in (2 * plain, 4 * plain)
    assert fit(found.footprint, tokens=100, limit_bytes=1 << 40).verdict == "comfortable"
    quantized = told(foreign(write_quantized_folder(tmp_path / "four", TINY, (32, 4))))
    assert (quantized.parameters, quantized.storage) == (plain, "4-bit")


@pytest.mark.parametrize("missing", ["hidden_size", "num_attention_heads", "vocab_size"])
def test_a_shape_that_is_not_said_gives_no_fit(tmp_path: Path, missing: str) -> None:
    found = told(foreign(write_folder(tmp_path / "model", TINY), **{missing: None}))
    assert (found.footprint, found.token_bytes) == (None, None)
    assert found.problem == ""
    assert found.parameters


def test_a_file_of_another_architecture_still_tells_its_size(tmp_path: Path) -> None:
    entries = {"general.architecture": "strange", "strange.context_length": 77}
    path = write_gguf(tmp_path / "strange.gguf", TINY, entries=entries)
    found = told(path)
    assert "strange" in found.problem
    assert (found.architecture, found.context) == ("strange", 77)
    assert found.parameters == sum(values.size for values in TINY.tensors().values())


def test_the_files_of_a_model_are_listed(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "model", TINY, shards=2)
    assert {path.name for path in model_files(Source("", folder, "folder"))} == {
        path.name for path in folder.iterdir()
    }
    with pytest.raises(engine.ModelFileError, match="cannot be read"):
        model_files(Source("", tmp_path / "nowhere", "folder"))
    first = write_gguf(tmp_path / "parts.gguf", TINY, part_tensors=8)
    assert len(model_files(Source("", first, "gguf"))) > 1


@pytest.mark.parametrize("name", ["config.json", "model.safetensors.index.json", "README.md"])
@pytest.mark.parametrize("kind", ["llama", "gemma", "4-bit"])
def test_damaged_json_is_described(tmp_path: Path, name: str, kind: str) -> None:
    folder = tmp_path / "model"
    if kind == "4-bit":
        write_quantized_folder(folder, TINY, (32, 4), {"model.embed_tokens": None})
        names = ["model.embed_tokens.weight", "model.norm.weight"]
        index = {"weight_map": dict.fromkeys(names, "model.safetensors")}
        (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    else:
        write_folder(folder, TINY, shards=2)
    if kind == "gemma":
        foreign(folder)
    (folder / "README.md").write_text("---\nlicense: mit\nlicense_name: x\n---\n", encoding="utf-8")
    path = folder / name
    whole = path.read_bytes()

    def attempt(rng: random.Random) -> None:
        if name.endswith(".json"):
            path.write_bytes(damaged_json(rng, json.loads(whole)))
        else:
            path.write_bytes(damaged_bytes(rng, whole, len(whole)))
        assert isinstance(told(folder), Description)

    judge(CASES, f"{name} {kind}", attempt)


@pytest.mark.parametrize("name", ["model.gguf", "model.safetensors"])
def test_damaged_headers_are_described(tmp_path: Path, name: str) -> None:
    if name.endswith("gguf"):
        path = subject = write_gguf(tmp_path / name, TINY, "Q8_0")
    else:
        subject = write_folder(tmp_path / "folder", TINY)
        path = subject / name
    whole = path.read_bytes()

    def attempt(rng: random.Random) -> None:
        path.write_bytes(damaged_bytes(rng, whole, 8000))
        assert isinstance(told(subject), Description)

    judge(CASES, name, attempt)
