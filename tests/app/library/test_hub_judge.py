"""What the engine says of a config before any weight is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engine.describe
import engine.gguf
from app.library.fitting import model_fit
from app.library.hub_judge import judge
from engine.describe import describe
from engine.source import resolve
from tests.engine.checkpoints import TinyLlama, write_folder, write_quantized_folder

SHAPE = TinyLlama(head_dim=32)


def test_a_llama_is_measured() -> None:
    config = TinyLlama(extra={"max_position_embeddings": 512}).config()
    judgement = judge(config)
    assert (judgement.runs, judgement.reason, judgement.context) == (True, "", 512)
    assert judgement.parameters is not None
    assert judgement.kv_bytes_per_token == 2 * 2 * 2 * 16 * 2


def test_other_architectures_run_through_mlx_lm_or_not_at_all() -> None:
    gemma = judge({"model_type": "gemma2", "max_position_embeddings": 8192})
    assert (gemma.runs, gemma.context, gemma.parameters) == (True, 8192, None)
    for config in ({}, {"model_type": "strange"}, {"model_type": "llama"}):
        refused = judge(config)
        assert not refused.runs
        assert refused.reason.endswith(".")


def test_gguf_architectures_are_those_that_the_engine_reads() -> None:
    assert all(judge({"gguf": name}).runs for name in engine.gguf.ARCHITECTURES)
    assert judge({"gguf": None}).runs
    assert judge({"gguf": "qwen3"}).runs
    assert "'mamba' is not supported" in judge({"gguf": "mamba"}).reason


@pytest.mark.parametrize("precision", ["float32", "stored"])
@pytest.mark.parametrize("form", ["float32", "bfloat16", "4-bit", "foreign", "foreign 4-bit"])
def test_a_model_fits_before_it_is_here_as_it_does_once_it_is(
    form: str, precision: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine.describe, "usual_precision", lambda: precision)
    folder = tmp_path / "model"
    if form.endswith("4-bit"):
        write_quantized_folder(folder, SHAPE, (32, 4))
    else:
        write_folder(folder, SHAPE, dtype="bfloat16" if form == "foreign" else form)
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config["torch_dtype"] = "float32" if form == "float32" else "bfloat16"
    if form.startswith("foreign"):
        config |= {"model_type": "gemma", "architectures": ["GemmaForCausalLM"]}
    path.write_text(json.dumps(config), encoding="utf-8")
    judged = judge(config, (folder / "model.safetensors").stat().st_size)
    described = describe(resolve(folder))
    assert judged.kv_bytes_per_token == described.token_bytes
    before = model_fit(judged.footprint, 1 << 30)
    after = model_fit(described.footprint, 1 << 30)
    assert before is not None
    assert after is not None
    assert before.cache_bytes == after.cache_bytes
    assert before.prefill_bytes == pytest.approx(after.prefill_bytes, rel=0.05)
    assert before.needed_bytes == pytest.approx(after.needed_bytes, rel=0.05)


def test_what_no_config_tells_has_no_footprint() -> None:
    assert judge({"model_type": "gemma2"}, 100).footprint is None
    assert judge({"gguf": "llama"}, 100).footprint is None
