"""Exhibit 8: the formula's figures, and the bytes of real caches next to it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import engine
from engine.exhibits.bill import machine_bytes
from engine.exhibits.memory_bill import EXHIBIT, MemoryBillInputs, MemoryBillResult
from tests.engine.checkpoints import TinyLlama, write_folder
from tests.engine.exhibits.watched import all_seen, by_name, measured, stops

FEW = MemoryBillInputs(measured_tokens=70)


@pytest.fixture(scope="module")
def result(tiny: engine.Model) -> MemoryBillResult:
    return measured(EXHIBIT, tiny, FEW)


def test_every_claim_is_seen_on_the_starter(starter: engine.Model) -> None:
    found = measured(EXHIBIT, starter, MemoryBillInputs(measured_tokens=32))
    claims = all_seen(EXHIBIT, found)
    assert claims["classroom_token"].measured == 128 * 1024
    assert claims["classroom_conversation"].measured == 1024**3
    assert claims["classroom_users"].measured == 10 * 1024**3
    assert claims["measured"].measured == 2 * 30 * 3 * 64 * 32 * 4
    assert (found.loaded.layers, found.loaded.kv_heads, found.loaded.head_dim) == (30, 3, 64)
    assert found.loaded.bytes_per_token == 2 * 30 * 3 * 64 * 2


def test_sharing_heads(result: MemoryBillResult) -> None:
    full, shared, single = result.sharing
    assert [bill.name for bill in result.sharing] == ["MHA", "GQA", "MQA"]
    assert [bill.kv_heads for bill in result.sharing] == [32, 8, 1]
    assert full.total_bytes == 4 * shared.total_bytes == 32 * single.total_bytes


def test_a_real_cache_is_measured_as_it_grows(result: MemoryBillResult) -> None:
    assert [each.tokens for each in result.measured] == [64, 70]
    for each in result.measured:
        assert each.used_bytes == each.formula_bytes
        assert each.allocated_bytes % each.tokens != each.used_bytes


def test_scales_of_quantised_numbers_are_part_of_the_bill(tiny: engine.Model) -> None:
    found = EXHIBIT.measure(tiny, replace(FEW, bits=8, measured_tokens=1))
    values = 2 * 32 * 8 * 128 * 8192 * 10
    assert found.sliders.total_bytes == values + values // 64 * 4
    assert found.sliders.scale_bytes == values // 64 * 4
    assert "scales" in {note.name for note in found.notes}


def test_how_many_fit(result: MemoryBillResult) -> None:
    assert result.memory_bytes == machine_bytes()
    assert result.memory_bytes is not None
    weights, fit = result.loaded.weights_bytes, result.loaded.conversations_that_fit
    assert weights is not None
    assert fit is not None
    taken = result.loaded.bytes_per_conversation
    assert weights + fit * taken <= result.memory_bytes < weights + (fit + 1) * taken


def test_a_config_on_disk_from_the_hub_and_of_a_folder(tiny: engine.Model, tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "small", TinyLlama())
    config = folder / "config.json"
    raw = json.loads(config.read_text())
    few = replace(FEW, measured_tokens=1)
    given = [
        replace(few, config=str(config)),
        replace(few, config=str(folder)),
        replace(few, config_json=raw),
    ]
    bills = [EXHIBIT.measure(tiny, inputs).other for inputs in given]
    assert [bill.name for bill in bills if bill] == ["small", "small", "llama"]
    expected = engine.plan(engine.read_config(config), context=8192, users=10).total_bytes
    assert [bill.total_bytes for bill in bills if bill] == [expected] * 3


@pytest.mark.parametrize("config", ["nowhere/config.json", "org/not-here"])
def test_a_config_that_cannot_be_read_is_said(tiny: engine.Model, config: str) -> None:
    found = EXHIBIT.measure(tiny, replace(FEW, config=config, measured_tokens=1))
    assert found.other is None
    assert found.refused.endswith(".")


def test_a_config_of_an_unknown_kind_is_said(tiny: engine.Model) -> None:
    found = EXHIBIT.measure(tiny, replace(FEW, config_json={"model_type": "?"}, measured_tokens=1))
    assert found.other is None
    assert "?" in found.refused


def test_heads_that_cannot_be_shared() -> None:
    with pytest.raises(engine.SettingError, match="32 query heads cannot share 7 KV heads evenly"):
        MemoryBillInputs(kv_heads=7)


def test_claims_fail_where_the_cache_is_larger(result: MemoryBillResult) -> None:
    last = result.measured[-1]
    larger = replace(last, used_bytes=last.formula_bytes + 1, allocated_bytes=last.formula_bytes)
    claims = by_name(EXHIBIT, replace(result, measured=(larger,)))
    unseen = {name for name, claim in claims.items() if not claim.seen}
    assert unseen == {"measured", "allocated"}


def test_stopping(tiny: engine.Model) -> None:
    stops(EXHIBIT, tiny, replace(FEW, measured_tokens=192))
