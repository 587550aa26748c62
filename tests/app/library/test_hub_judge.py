"""What the engine says of a config before any weight is there."""

from __future__ import annotations

import engine.gguf
from app.library.hub_judge import judge
from tests.engine.checkpoints import TinyLlama


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
