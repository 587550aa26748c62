"""Loading: every form of the same model computes the same; progress, cancellation, refusals."""

import json
import shutil
from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
import pytest

import engine
from engine.layers import QuantizedEmbedding, QuantizedLinear
from tests.engine import reference
from tests.engine.checkpoints import (
    TinyLlama,
    write_folder,
    write_gguf,
    write_quantized_folder,
)
from tests.engine.running import doubles, singles

TINY = TinyLlama(tied=False)
IDS = np.random.default_rng(3).integers(0, 288, 40).tolist()


def error_against_reference(model: engine.Model, tiny: TinyLlama = TINY) -> float:
    expected = reference.logits(tiny.config(), doubles(tiny), IDS)
    return float(np.abs(singles(model.logits(IDS)) - expected).max())


@pytest.mark.parametrize(
    ("dtype", "tolerance"), [("float32", 1e-4), ("float16", 0.01), ("bfloat16", 0.1)]
)
def test_folders_of_every_dtype(tmp_path: Path, dtype: str, tolerance: float) -> None:
    folder = write_folder(tmp_path / "tiny-llama", TINY, dtype=dtype, shards=2)
    wide = engine.load(folder, precision="float32")
    assert wide.decoder.dtype == mx.float32
    assert error_against_reference(wide) < tolerance
    stored = engine.load(folder, precision="stored")
    assert str(stored.decoder.dtype).endswith(dtype)
    assert stored.logits(IDS).dtype == mx.float32
    assert np.abs(singles(stored.logits(IDS)) - singles(wide.logits(IDS))).max() < 2 * tolerance
    assert stored.storage == wide.storage == dtype
    assert stored.name == "tiny llama"
    least = stored.config.parameters * (4 if dtype == "float32" else 2)
    # MLX rounds allocations up, which shows in a model as small as this.
    assert least <= stored.weights_bytes < 1.3 * least


@pytest.mark.parametrize("setting", [(64, 4), (64, 8), (32, 4), (32, 6), (64, 3)])
def test_quantised_folders_compute_the_same_packed_and_unpacked(
    tmp_path: Path, setting: tuple[int, int]
) -> None:
    folder = write_quantized_folder(tmp_path, TINY, setting, dtype="float32")
    packed = engine.load(folder, precision="stored")
    assert isinstance(packed.decoder.layers[0].self_attn.q_proj, QuantizedLinear)
    assert isinstance(packed.decoder.embed_tokens, QuantizedEmbedding)
    wide = engine.load(folder, precision="float32")
    assert np.abs(singles(packed.logits(IDS)) - singles(wide.logits(IDS))).max() < 1e-3
    assert packed.storage == f"{setting[1]}-bit"
    assert packed.weights_bytes < wide.weights_bytes / 2


def test_half_precision_scales_stay_near(tmp_path: Path) -> None:
    folder = write_quantized_folder(tmp_path, TINY, (64, 8), dtype="float16")
    packed, wide = (engine.load(folder, precision=how) for how in ("stored", "float32"))
    assert packed.decoder.dtype == mx.float16
    assert np.abs(singles(packed.logits(IDS)) - singles(wide.logits(IDS))).max() < 0.05
    assert error_against_reference(wide) < 0.1


def test_left_out_the_precision_is_what_is_fast_here(tmp_path: Path) -> None:
    model = engine.load(write_folder(tmp_path, TINY, dtype="float16"))
    assert model.decoder.dtype == (mx.float16 if mx.metal.is_available() else mx.float32)


@pytest.mark.parametrize("tiny", [TinyLlama(), TINY])
def test_a_gguf_file_equals_the_folder(tmp_path: Path, tiny: TinyLlama) -> None:
    folder = engine.load(write_folder(tmp_path / "folder", tiny), precision="float32")
    file = engine.load(write_gguf(tmp_path / "tiny.gguf", tiny), precision="float32")
    assert np.array_equal(singles(folder.logits(IDS)), singles(file.logits(IDS)))
    assert error_against_reference(file, tiny) < 1e-4
    assert file.storage == "F32"
    text = "the other 🙂"
    assert folder.tokenizer.encode(text) == file.tokenizer.encode(text)
    messages = [{"role": "user", "content": text}]
    assert folder.prompt_tokens(messages) == file.prompt_tokens(messages)


def test_progress_rises_from_nothing_to_all(tiny_folder: Path) -> None:
    shares: list[float] = []
    engine.load(tiny_folder, on_progress=shares.append)
    assert shares == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("after", [0, 1, 2])
def test_loading_can_be_stopped(tiny_folder: Path, after: int) -> None:
    shares: list[float] = []
    engine.free_memory()
    before = engine.read_memory().active_bytes
    with pytest.raises(engine.CancelledError, match="Loading was stopped"):
        engine.load(tiny_folder, on_progress=shares.append, cancelled=lambda: len(shares) == after)
    assert len(shares) == after
    engine.free_memory()
    assert engine.read_memory().active_bytes == before, "what was loaded so far is freed"


def test_a_model_that_is_dropped_is_freed(tiny_folder: Path) -> None:
    engine.free_memory()
    before = engine.read_memory().active_bytes
    model = engine.load(tiny_folder)
    list(model.session().generate([1, 2], engine.Sampling(temperature=0.0), 3))
    assert engine.read_memory().active_bytes - before >= model.weights_bytes > 0
    del model
    engine.free_memory()
    assert engine.read_memory().active_bytes == before


def test_a_tokenizer_of_another_model_is_refused(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "a", TinyLlama(vocab_size=270))
    other = write_folder(tmp_path / "b", TinyLlama(vocab_size=288))
    shutil.copy(other / "tokenizer.json", folder)
    with pytest.raises(engine.ModelFileError, match=r"288 tokens, the weights only 270"):
        engine.load(folder)


def test_weights_that_the_config_has_no_place_for_are_refused(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, TinyLlama(attention_bias=True))
    path = folder / "config.json"
    raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**raw, "attention_bias": False}), encoding="utf-8")
    with pytest.raises(engine.ModelFileError, match="has no place for"):
        engine.load(folder)


def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(engine.ModelNotFoundError):
        engine.load(tmp_path / "nothing")


def test_the_shape_is_known_without_loading(tiny_folder: Path, tiny: engine.Model) -> None:
    assert engine.model_config(tiny_folder) == tiny.config
    assert engine.model_config("starter").model_type == "llama"


@pytest.mark.parametrize("ids", [[], [288], [-1]])
def test_logits_of_foreign_tokens_are_refused(tiny: engine.Model, ids: list[int]) -> None:
    with pytest.raises(engine.PromptError, match=r"empty|not in this model"):
        tiny.logits(ids)


def test_logits_are_evaluated_and_of_float32(tiny: engine.Model) -> None:
    logits = tiny.logits([1, 2, 3])
    assert (logits.shape, logits.dtype) == ((3, 288), mx.float32)


def test_prompts_come_from_the_template(tiny: engine.Model) -> None:
    messages = [{"role": "user", "content": "hi <|im_end|>"}]
    text = tiny.prompt_text(messages, add_generation_prompt=True)
    assert text == "<|im_start|>user\nhi <|im_end|><|im_end|>\n<|im_start|>assistant\n"
    ids = tiny.prompt_tokens(messages)
    end = tiny.tokenizer.token_id("<|im_end|>")
    assert end is not None
    assert ids.count(end) == 1, "what was typed stays text"


def test_raw_prompts_begin_as_the_model_wants(tmp_path: Path, tiny: engine.Model) -> None:
    assert tiny.raw_tokens("ab") == tiny.tokenizer.encode("ab")
    folder = write_folder(tmp_path, TinyLlama())
    settings = folder / "tokenizer_config.json"
    raw: dict[str, Any] = json.loads(settings.read_text(encoding="utf-8"))
    raw |= {"add_bos_token": True, "bos_token": "<|im_start|>"}
    settings.write_text(json.dumps(raw), encoding="utf-8")
    model = engine.load(folder)
    assert model.tokenizer.add_bos
    assert model.raw_tokens("ab") == [model.tokenizer.bos_token_id, *tiny.raw_tokens("ab")]
