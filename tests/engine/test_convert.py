"""A converted model is the source with fewer bits: the same names, tokens and predictions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import mlx.core as mx
import numpy as np
import pytest

import engine
from engine.conditions import Watch
from engine.config import Quantization
from engine.convert import check, convert, estimate
from engine.convert_files import write_tokenizer
from engine.gguf_file import GGUFFile
from engine.guard import MemoryGuard
from engine.safetensors import read_headers, weight_files
from engine.source import read_config, resolve
from tests.engine.checkpoints import (
    Floats,
    TinyLlama,
    write_folder,
    write_gguf,
    write_quantized_folder,
)
from tests.engine.variants import VARIANTS

WIDE = TinyLlama(hidden_size=128, head_dim=32, intermediate_size=256, max_position_embeddings=2048)
IDS = list(range(40, 100))


def converted(source: Path, folder: Path, bits: int) -> engine.Model:
    folder.mkdir()
    convert(resolve(source), folder, bits)
    return engine.load(folder)


def error(one: engine.Model, other: engine.Model) -> float:
    """How far the logits are apart, as a share of their spread."""
    first, second = numbers(one.logits(IDS)), numbers(other.logits(IDS))
    return float(np.abs(first - second).mean() / first.std())


def numbers(array: mx.array) -> Floats:
    return cast("Floats", np.array(array.astype(mx.float32)))


@pytest.mark.parametrize(("bits", "most"), [(4, 0.4), (5, 0.2), (6, 0.1), (8, 0.03), (16, 0.02)])
def test_more_bits_are_nearer_to_the_source(tmp_path: Path, bits: int, most: float) -> None:
    source = write_folder(tmp_path / "source", WIDE)
    model = converted(source, tmp_path / "out", bits)
    assert most / 8 < error(engine.load(source), model) < most
    assert model.storage == ("bfloat16" if bits == 16 else f"{bits}-bit")
    size = sum(tensor.n_bytes for tensor in read_headers(weight_files(tmp_path / "out")).values())
    told = estimate(resolve(source), bits)
    assert told.size_bytes == size
    assert told.weights_bytes == model.weights_bytes
    assert told.working_bytes > 4 * 288 * 128


@pytest.mark.parametrize(("kind", "bits"), [("Q4_0", 4), ("Q4_1", 4), ("Q5_0", 5), ("Q8_0", 8)])
def test_a_file_that_has_the_bits_already_loses_nothing(
    tmp_path: Path, kind: str, bits: int
) -> None:
    source = write_gguf(tmp_path / "tiny.gguf", WIDE, kind)
    model = converted(source, tmp_path / "out", bits)
    assert model.config.quantization == Quantization(32, bits)
    assert error(engine.load(source), model) < 1e-3
    size = sum(tensor.n_bytes for tensor in read_headers(weight_files(tmp_path / "out")).values())
    assert estimate(resolve(source), bits).size_bytes == size


def test_a_quantised_folder_is_kept_where_it_has_the_bits(tmp_path: Path) -> None:
    source = write_quantized_folder(tmp_path / "source", WIDE, (32, 4), {"lm_head": None})
    kept = converted(source, tmp_path / "kept", 4)
    assert error(engine.load(source), kept) == 0
    other = converted(source, tmp_path / "other", 8)
    assert other.config.quantization == Quantization(64, 8)
    assert error(engine.load(source), other) < 0.03


@pytest.mark.parametrize(
    ("shape", "is_gguf"),
    [
        (TinyLlama(model_type="qwen2"), True),
        (TinyLlama(model_type="qwen3", head_dim=32), True),
        (TinyLlama(attention_bias=True, mlp_bias=True, tied=False), False),
        (TinyLlama(tied=False), True),
        (TinyLlama(model_type="mistral", extra={"sliding_window": 16}), False),
        (TinyLlama(model_type="qwen3", head_dim=32, tied=False), False),
        (TinyLlama(hidden_size=48, intermediate_size=96, head_dim=12), False),
    ],
    ids=str,
)
def test_every_family_comes_through(tmp_path: Path, shape: TinyLlama, is_gguf: bool) -> None:
    if is_gguf:
        source = write_gguf(tmp_path / "tiny.gguf", shape, "F16")
    else:
        source = write_folder(tmp_path / "source", shape, shards=3)
    model = converted(source, tmp_path / "out", 16)
    assert error(engine.load(source), model) < 0.03
    quantized = converted(source, tmp_path / "eight", 8)
    assert error(engine.load(source), quantized) < 0.06


@pytest.mark.parametrize(
    "rope",
    [
        {"rope_type": "linear", "factor": 4.0, "rope_theta": 5000.0},
        {
            "rope_type": "llama3",
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 256,
            "rope_theta": 500_000.0,
        },
        {"rope_type": "default", "rope_theta": 777.0},
    ],
    ids=str,
)
def test_the_newer_style_of_rope_is_written_in_the_older(
    tmp_path: Path, rope: Mapping[str, Any]
) -> None:
    """mlx-lm reads only that one for this family, and computes something else without a word."""
    shape = TinyLlama(extra={"rope_parameters": rope})
    source = write_folder(tmp_path / "source", shape)
    model = converted(source, tmp_path / "out", 8)
    entries = json.loads((tmp_path / "out" / "config.json").read_text(encoding="utf-8"))
    assert "rope_parameters" not in entries
    assert entries["rope_theta"] == rope["rope_theta"]
    assert model.config.rope == read_config(source / "config.json").rope


def test_the_tokenizer_of_a_file_is_the_same_in_a_folder(
    tmp_path: Path, starter: engine.Model
) -> None:
    write_tokenizer(tmp_path, starter.source, GGUFFile.open(starter.source.path))
    tokenizer = engine.tokenizer.Tokenizer.load(tmp_path)
    text = "def f(x):\n    return '1234 🙂 naïve' # <|im_end|> don't\n\n"
    assert tokenizer.encode(text) == starter.tokenizer.encode(text)
    assert tokenizer.encode(text, special=True) == starter.tokenizer.encode(text, special=True)
    assert tokenizer.chat_template == starter.tokenizer.chat_template
    assert tokenizer.eos_token_ids == starter.tokenizer.eos_token_ids
    assert tokenizer.control_ids == starter.tokenizer.control_ids


def test_a_sentencepiece_vocabulary_becomes_a_tokenizer_model(tmp_path: Path) -> None:
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    pieces += ["▁", "t", "h", "e", "▁t", "he", "▁the"]
    metadata = {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": pieces,
        "tokenizer.ggml.scores": [0.0] * 259 + [-float(i) for i in range(7)],
        "tokenizer.ggml.token_type": [2, 3, 3] + [6] * 256 + [1] * 7,
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
        "tokenizer.chat_template": "{{ messages[0]['content'] }}",
    }
    file = GGUFFile(tmp_path / "spm.gguf", metadata, {})
    write_tokenizer(tmp_path, resolve("starter"), file)
    tokenizer = engine.tokenizer.Tokenizer.load(tmp_path)
    wanted = engine.tokenizer.Tokenizer.from_gguf(metadata)
    assert tokenizer.encode("the thé </s>") == wanted.encode("the thé </s>")
    assert (tokenizer.add_bos, tokenizer.bos_token_id) == (True, 1)
    assert tokenizer.chat_template == "{{ messages[0]['content'] }}"


def test_what_is_lost_is_measured(tmp_path: Path) -> None:
    source = write_folder(tmp_path / "source", replace(WIDE, tied=False))
    converted(source, tmp_path / "four", 4)
    shares: list[float] = []
    found = check(resolve(source), tmp_path / "four", Watch(progress=shares.append))
    assert found.note == ""
    assert found.source_nll is not None
    assert found.result_nll is not None
    assert 4 < found.source_nll < 8
    assert 0 < abs(found.result_nll - found.source_nll) < 0.5
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_several_shards_have_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.convert_tensors.SHARD_BYTES", 50_000)
    source = write_folder(tmp_path / "source", WIDE)
    model = converted(source, tmp_path / "out", 8)
    files = weight_files(tmp_path / "out")
    assert len(files) > 2
    assert files[0].name == f"model-00001-of-{len(files):05}.safetensors"
    assert error(engine.load(source), model) < 0.03


def test_a_stop_and_damage_end_it(tmp_path: Path) -> None:
    source = write_folder(tmp_path / "source", WIDE)
    asked: list[bool] = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 4

    (tmp_path / "out").mkdir()
    with pytest.raises(engine.CancelledError):
        convert(resolve(source), tmp_path / "out", 4, Watch(cancelled=stop))
    shape = TinyLlama(hidden_size=128, head_dim=32, intermediate_size=256, num_hidden_layers=3)
    more = write_folder(tmp_path / "more", shape)
    (more / "config.json").write_bytes((source / "config.json").read_bytes())
    (tmp_path / "again").mkdir()
    with pytest.raises(engine.ModelFileError, match="no place for"):
        convert(resolve(more), tmp_path / "again", 4)


def test_too_little_memory_is_a_sentence_before_and_a_note_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_folder(tmp_path / "source", WIDE)
    converted(source, tmp_path / "out", 4)

    def little(_: MemoryGuard) -> int:
        return 1000

    monkeypatch.setattr(MemoryGuard, "room_bytes", little)
    found = check(resolve(source), tmp_path / "out")
    assert (found.source_nll, found.result_nll) == (None, None)
    assert found.note.startswith("Not compared with the source: ")
    (tmp_path / "again").mkdir()
    with pytest.raises(engine.MemoryLimitError, match="Converting source needs"):
        convert(resolve(source), tmp_path / "again", 4)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_keeps_its_shape(tmp_path: Path, name: str) -> None:
    source = write_folder(tmp_path / "source", VARIANTS[name])
    model = converted(source, tmp_path / "out", 16)
    assert model.config == replace(read_config(source / "config.json"), torch_dtype="bfloat16")
    assert error(engine.load(source), model) < 0.05


def test_biases_that_no_config_names_are_refused(tmp_path: Path) -> None:
    sizes = {"q": 64, "k": 32, "v": 32}
    biases = {
        f"blk.{i}.attn_{part}.bias": np.ones(n, np.float32)
        for part, n in sizes.items()
        for i in (0, 1)
    }
    source = write_gguf(tmp_path / "biased.gguf", TinyLlama(), extra_tensors=biases)
    (tmp_path / "out").mkdir()
    with pytest.raises(engine.UnsupportedError, match=r"has no config\.json that says so"):
        convert(resolve(source), tmp_path / "out", 8)


def test_several_templates_come_through(tmp_path: Path) -> None:
    entries = {"tokenizer.chat_template.tool_use": "{{ tools }}"}
    source = write_gguf(tmp_path / "tiny.gguf", TinyLlama(), entries=entries)
    model = converted(source, tmp_path / "out", 8)
    assert model.tokenizer.chat_template == engine.load(source).tokenizer.chat_template
    assert isinstance(model.tokenizer.chat_template, dict)
    folder = write_folder(tmp_path / "folder", TinyLlama())
    (folder / "additional_chat_templates").mkdir()
    (folder / "additional_chat_templates" / "rag.jinja").write_text("rag", encoding="utf-8")
    again = converted(folder, tmp_path / "again", 8)
    assert again.tokenizer.chat_template == engine.load(folder).tokenizer.chat_template


def test_what_cannot_be_converted_is_refused(tmp_path: Path) -> None:
    source = resolve(write_folder(tmp_path / "source", WIDE))
    with pytest.raises(engine.SettingError, match="4, 5, 6, 8 or 16 bits, not 3"):
        estimate(source, 3)
    foreign = TinyLlama(model_type="gemma", extra={"architectures": ["GemmaForCausalLM"]})
    with pytest.raises(engine.UnsupportedError, match="mlx-lm"):
        estimate(resolve(write_folder(tmp_path / "gemma", foreign)), 4)
    nowhere = tmp_path / "nowhere"
    with pytest.raises((engine.EngineError, OSError)):
        convert(source, nowhere, 4)


@pytest.mark.slow
@pytest.mark.parametrize("bits", [4, 16])
def test_mlx_lm_computes_the_same_from_it(tmp_path: Path, bits: int) -> None:
    load_model: Any = import_module("mlx_lm.utils").load_model  # takes seconds
    rope = {"rope_type": "linear", "factor": 4.0, "rope_theta": 5000.0}
    shape = TinyLlama(head_dim=32, tied=False, extra={"rope_parameters": rope})
    ours = converted(write_folder(tmp_path / "source", shape), tmp_path / "out", bits)
    theirs, _ = load_model(tmp_path / "out")
    logits = numbers(theirs(mx.array([IDS]))[0])
    assert np.abs(logits - numbers(ours.logits(IDS))).max() < 0.05 * np.abs(logits).max()
