"""Speed is measured on the very same weights, and every loop gets its turns."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest

import engine
from engine import speed, twin
from tests.engine.checkpoints import TinyLlama, write_folder, write_quantized_folder
from tests.engine.running import build

IDS = [5, 80, 7, 200, 31]
_LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}
_YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64}


@pytest.mark.parametrize(
    ("tiny", "write"),
    [
        (TinyLlama(), write_folder),
        (TinyLlama(tied=False, attention_bias=True, mlp_bias=True), write_folder),
        (TinyLlama(extra={"rope_scaling": _LLAMA3}), write_folder),
        (TinyLlama(extra={"rope_scaling": {"rope_type": "linear", "factor": 2.0}}), write_folder),
        (TinyLlama(extra={"rope_scaling": _YARN}), write_folder),
        (TinyLlama(model_type="qwen2"), write_folder),
        (TinyLlama(model_type="qwen3", tied=False), write_folder),
        (TinyLlama(), write_quantized_folder),
        (TinyLlama(tied=False, attention_bias=True), write_quantized_folder),
    ],
)
def test_the_twin_says_what_the_engine_says(
    tmp_path: Path, tiny: TinyLlama, write: Callable[[Path, TinyLlama], Path]
) -> None:
    model = engine.load(write(tmp_path / "model", tiny), precision="stored")
    other: Any = twin.twin(model.config, model.decoder)

    theirs = other(mx.array([IDS]))[0].astype(mx.float32)

    assert mx.allclose(model.logits(IDS), theirs, rtol=2e-3, atol=2e-3).item()


def test_the_twin_writes_what_the_engine_writes(tmp_path: Path) -> None:
    model = engine.load(write_folder(tmp_path / "model", TinyLlama()), precision="float32")
    ours = [
        chunk.token for chunk in model.session().generate(IDS, engine.Sampling(temperature=0.0), 6)
    ]

    theirs = list(twin.stream(twin.twin(model.config, model.decoder), IDS, 6))

    assert ours == theirs


@pytest.mark.parametrize(
    ("tiny", "lacks"),
    [
        (TinyLlama(model_type="mistral", extra={"sliding_window": 8}), "sliding window"),
        (TinyLlama(extra={"partial_rotary_factor": 0.5}), "partial rotary"),
        (TinyLlama(extra={"rope_scaling": {**_YARN, "truncate": False}}), "such yarn"),
        (TinyLlama(extra={"rope_scaling": {**_YARN, "attention_factor": 2.0}}), "such yarn"),
        (TinyLlama(model_type="qwen3", attention_bias=True), "biases beside norms"),
        (TinyLlama(model_type="qwen2", head_dim=24), "head dimension"),
    ],
)
def test_where_mlx_lm_computes_something_else_there_is_no_twin(tiny: TinyLlama, lacks: str) -> None:
    with pytest.raises(engine.UnsupportedError, match=lacks):
        twin.twin(*build(tiny))


def test_a_part_the_twin_does_not_know_is_refused() -> None:
    with pytest.raises(TypeError, match="no part like"):
        twin._arrays(object())


def test_loops_take_turns_on_the_same_prompt() -> None:
    asked: list[tuple[str, int]] = []

    def loop(name: str) -> speed.Loop:
        def run(ids: Sequence[int], count: int) -> Iterator[object]:
            asked.append((name, len(ids)))
            return iter(range(count))

        return run

    speeds = speed.race({"a": loop("a"), "b": loop("b")}, IDS, prefills=2, turns=2)

    assert asked == [("a", 5), ("b", 5), ("a", 5), ("b", 5)]
    for got in speeds.values():
        assert got.prefill_tps > 0
        assert got.decode_tps is not None
        assert got.decode_tps > 0


def test_a_loop_that_ends_with_its_first_token_has_no_decode_speed() -> None:
    speeds = speed.race({"a": lambda _ids, _count: iter([1])}, IDS, prefills=1, turns=2)

    assert speeds["a"].decode_tps is None


def test_the_prompt_has_the_wanted_length_and_repeats_itself(starter: engine.Model) -> None:
    ids = speed.prompt(starter, 100)

    assert len(ids) == 100
    assert all(ids.count(token) > 1 for token in itertools.islice(ids, 20))
