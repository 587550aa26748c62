"""Exhibit 3: one token's way through a block, through all of them, and where parameters sit."""

from dataclasses import replace
from pathlib import Path

import pytest

import engine
from engine.exhibits.inside_a_block import EXHIBIT, InsideABlockInputs, InsideABlockResult
from tests.engine.checkpoints import TinyLlama, write_folder, write_quantized_folder
from tests.engine.exhibits.watched import all_seen, by_name, measured, stops
from tests.engine.opened import tiny_model
from tests.engine.variants import VARIANTS

CLAIMS = {"residual", "rms_norm", "rms_of_one", "lens_is_exact", "parameters", "parts"}


@pytest.fixture(scope="module")
def result(starter: engine.Model) -> InsideABlockResult:
    return measured(EXHIBIT, starter, InsideABlockInputs())


def test_every_claim_is_seen_on_the_starter(result: InsideABlockResult) -> None:
    claims = all_seen(EXHIBIT, result)
    assert set(claims) == CLAIMS | {"tied"}
    assert claims["parameters"].measured == 134_515_008
    assert claims["residual"].bound < 1e-4
    assert claims["rms_of_one"].bound < 1e-4
    assert claims["tied"].bound < 1e-2


def test_the_block_is_shown_step_by_step(result: InsideABlockResult) -> None:
    block = result.block
    assert block is not None
    assert [step.name for step in block.steps] == [
        "input", "input_layernorm", "q_proj", "k_proj", "v_proj", "rope_q", "rope_k", "heads",
        "o_proj", "attention_residual", "post_attention_layernorm", "gate_proj", "up_proj",
        "swiglu", "down_proj", "output",
    ]  # fmt: skip
    widths = {step.name: step.width for step in block.steps}
    assert (widths["input"], widths["k_proj"], widths["swiglu"]) == (576, 192, 1536)
    for step in block.steps:
        assert len(step.first) == 8
        assert step.norm == pytest.approx(step.rms * step.width**0.5)
        assert step.largest <= step.norm
    for norm in block.norms:
        # ε counts where vectors are small, as embeddings are.
        assert 0.9 < norm.expected_rms < 1
        assert norm.unweighted_rms == pytest.approx(norm.expected_rms, abs=1e-5)
    first, second = block.norms
    steps = {step.name: step for step in block.steps}
    assert first.input_rms == steps["input"].rms
    assert second.input_rms == steps["attention_residual"].rms
    # What comes out is of the weight's size, whatever went in.
    for norm in block.norms:
        assert 0.5 < norm.output_rms / norm.weight_rms < 2


def test_from_shallow_to_deep(result: InsideABlockResult) -> None:
    depths = result.depths
    assert depths is not None
    assert depths.answer == " Paris"
    assert [depth.block for depth in depths.each] == [None, *range(30)]
    leads = [depth.answer_leads for depth in depths.each]
    assert depths.first_leads is not None
    assert depths.leads_from is not None
    assert leads.index(True) == depths.first_leads + 1
    assert all(leads[depths.leads_from + 1 :])
    assert not leads[depths.leads_from]
    assert depths.each[-1].top == depths.model_top
    assert depths.each[0].attention is None
    assert all(depth.norm > 0 for depth in depths.each)


def test_where_the_parameters_sit(result: InsideABlockResult) -> None:
    found = result.parameters
    assert found is not None
    assert {part.name: part.loaded for part in found.parts} == {
        "embedding": 28_311_552,
        "attention": 26_542_080,
        "feed_forward": 79_626_240,
        "norms": 35_136,
        "lm_head": 0,
    }
    assert found.untied_total - found.formula == 28_311_552


@pytest.mark.parametrize("name", ["qwen2", "qwen3, biases", "yarn", "mistral, sliding"])
def test_other_families(tiny: engine.Model, name: str) -> None:
    model = tiny_model(tiny, VARIANTS[name])
    found = measured(EXHIBIT, model, InsideABlockInputs(layer=1, position=2))
    assert set(all_seen(EXHIBIT, found)) > CLAIMS
    noted = {note.name for note in found.notes}
    assert ("query_and_key_norms" in noted) == (name == "qwen3, biases")


def test_untied_weights(tiny: engine.Model) -> None:
    found = measured(EXHIBIT, tiny, InsideABlockInputs())
    assert set(all_seen(EXHIBIT, found)) == CLAIMS | {"untied"}


@pytest.mark.parametrize("kind", ["bfloat16", "4-bit"])
def test_weights_of_few_bits(tmp_path: Path, kind: str) -> None:
    llama = TinyLlama(head_dim=32)
    if kind == "4-bit":
        folder = write_quantized_folder(tmp_path / "few", llama, (32, 4))
    else:
        folder = write_folder(tmp_path / "few", llama, kind)
    found = measured(EXHIBIT, engine.load(folder, precision="stored"), InsideABlockInputs())
    assert set(all_seen(EXHIBIT, found)) == CLAIMS | {"tied"}
    assert ("quantised" in {note.name for note in found.notes}) == (kind == "4-bit")


def test_an_answer_that_leads_from_the_start(tmp_path: Path) -> None:
    """A tied model of little depth repeats its last token, which its embedding says already."""
    model = engine.load(write_folder(tmp_path / "shallow", TinyLlama(num_hidden_layers=1)))
    depths = EXHIBIT.measure(model, InsideABlockInputs()).depths
    assert depths is not None
    assert (depths.first_leads, depths.leads_from) == (None, None)


def test_claims_fail_where_it_is_otherwise(result: InsideABlockResult) -> None:
    assert result.block is not None
    assert result.depths is not None
    assert result.parameters is not None
    norm = replace(result.block.norms[0], differs=0.1, unweighted_rms=1.5)
    part = replace(result.parameters.parts[0], loaded=1)
    broken = replace(
        result,
        block=replace(result.block, residual_differs=0.1, norms=(norm, norm)),
        depths=replace(result.depths, differing=1),
        parameters=replace(result.parameters, loaded=1, parts=(part,), by_embedding=99.0),
    )
    claims = by_name(EXHIBIT, broken)
    assert set(claims) == CLAIMS | {"tied"}
    assert not any(claim.seen for claim in claims.values())
    as_untied = replace(result, parameters=replace(result.parameters, tied=False))
    assert not by_name(EXHIBIT, as_untied)["untied"].seen


def test_what_the_model_has_not(tiny: engine.Model) -> None:
    with pytest.raises(engine.SettingError):
        EXHIBIT.measure(tiny, InsideABlockInputs(layer=2))
    found = EXHIBIT.measure(tiny, InsideABlockInputs(text="Oh", position=4000))
    assert found.position == 1


def test_stopping(tiny: engine.Model) -> None:
    stops(EXHIBIT, tiny, InsideABlockInputs())
