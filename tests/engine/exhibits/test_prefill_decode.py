"""Exhibit 9: the fit, the counts and the bytes; what seconds say belongs to the benchmarks."""

from dataclasses import replace
from pathlib import Path

import mlx.core as mx
import pytest

import engine
from engine.exhibits.costs import Curve, Probe, fit, read_bytes, split_operations, spread
from engine.exhibits.prefill_decode import EXHIBIT, PrefillDecodeInputs, PrefillDecodeResult
from engine.operations import count_operations
from engine.zoo_config import older_style
from tests.engine.exhibits.watched import all_seen, by_name, measured, stops
from tests.engine.zoo_checkpoints import ZOO, build, write_zoo

TIMED = [
    "quiet", "fit", "quadratic", "four_times_ttft", "four_times_decode", "arithmetic", "bandwidth",
]  # fmt: skip


@pytest.fixture(scope="module")
def result(tiny: engine.Model) -> PrefillDecodeResult:
    return measured(EXHIBIT, tiny, PrefillDecodeInputs(longest=64, rounds=2, bursts=1))


def test_lengths_are_measured_in_turn(tiny: engine.Model) -> None:
    seen: list[tuple[int, ...]] = []
    decoded: list[tuple[int, ...]] = []

    def progress(_share: float, partial: PrefillDecodeResult | None) -> None:
        if partial is None:
            return
        rounds = tuple(len(point.ttft_s) for point in partial.prefill)
        if rounds not in seen:
            seen.append(rounds)
        if partial.decode and not decoded:
            decoded.append(rounds)

    EXHIBIT.measure(tiny, PrefillDecodeInputs(longest=64, rounds=2, bursts=1), progress)
    assert seen[:6] == [(1,), (1, 1), (1,) * 3, (1,) * 4, (1,) * 5, (2, 1, 1, 1, 1)]
    assert seen[-1] == (2,) * 5
    assert decoded == [(1,) * 5]  # what writing costs is told after the first round


def test_what_was_measured(result: PrefillDecodeResult) -> None:
    claims = all_seen(EXHIBIT, result, timed=TIMED)
    assert claims["four_times_cache"].measured == 4
    assert [point.tokens for point in result.prefill] == [8, 16, 32, 48, 64]
    assert all(point.best_s == min(point.ttft_s) for point in result.prefill)
    assert [point.context for point in result.decode] == [16, 64]
    for point in result.decode:
        read = point.weights_bytes + point.cache_bytes
        assert point.gb_per_s == pytest.approx(read * point.tokens_per_s / 1e9)
    assert result.four_times is not None
    assert result.four_times.operations is not None
    assert result.four_times.operations > 3.5
    assert result.four_times.prefill_tokens_per_s == pytest.approx(4 / result.four_times.ttft)


def test_the_fit_and_the_count_tell_of_the_longest_prompt(result: PrefillDecodeResult) -> None:
    found, last = result.fit, result.prefill[-1]
    assert found is not None
    curve = found.curve
    fixed_and_linear, square = curve.fixed_s + curve.per_token_s * 64, curve.per_pair_s * 64 * 64
    assert found.quadratic_share == pytest.approx(square / (fixed_and_linear + square))
    assert last.linear_operations is not None
    assert last.attention_operations is not None
    counted = last.attention_operations / (last.attention_operations + last.linear_operations)
    assert found.counted_share == pytest.approx(counted)


def test_a_fit_finds_what_it_is_made_of() -> None:
    tokens = [64, 128, 256, 384, 512]
    found = fit(tokens, [0.05 + 0.003 * n + 2e-6 * n * n for n in tokens])
    assert found.fixed_s == pytest.approx(0.05)
    assert found.per_token_s == pytest.approx(0.003)
    assert found.per_pair_s == pytest.approx(2e-6)
    assert found.residual == pytest.approx(0, abs=1e-9)
    no_start = fit(tokens, [0.003 * n + 2e-6 * n * n - 0.01 for n in tokens])
    assert no_start.fixed_s == 0
    assert no_start.residual > 0.001
    steep = fit(tokens, [0.05 + 2e-6 * n * n - 1e-6 * n for n in tokens])
    assert steep.per_token_s == 0
    assert steep.fixed_s == pytest.approx(0.05, rel=0.01)
    falling = fit(tokens, [0.003 * n - 2e-6 * n * n for n in tokens])
    assert falling.per_pair_s == pytest.approx(-2e-6)  # so that it can be said


def test_noise_is_told_by_the_two_best_rounds() -> None:
    assert spread([[1.0, 3.0, 1.1], [2.0, 2.0], [1.5, 1.0]]) == pytest.approx(0.26**0.5 / 3**0.5)
    assert spread([[1.0], [2.0]]) == 0


def test_a_fit_says_how_far_off_it_is() -> None:
    tokens = [64, 128, 256, 384, 512]
    seconds = [0.003 * n for n in tokens]
    seconds[2] *= 2
    assert fit(tokens, seconds).residual > 0.15


def test_operations_are_split_without_rest(starter: engine.Model) -> None:
    config = starter.config
    head = 2 * config.hidden_size * config.vocab_size
    for tokens in (1, 7, 500):
        linear, attention = split_operations(config, tokens)
        whole = count_operations(config, tokens).cached
        assert linear + attention == whole - (tokens - 1) * head
        assert attention == 4 * 9 * 64 * 30 * tokens * (tokens + 1) // 2


def test_a_token_reads_all_weights_but_a_separate_embedding(
    starter: engine.Model, tiny: engine.Model
) -> None:
    assert read_bytes(starter) == starter.weights_bytes
    config = tiny.config
    rows = config.vocab_size * config.hidden_size * tiny.network.dtype.size
    assert read_bytes(tiny) == tiny.weights_bytes - rows


def test_the_probe_reads_something() -> None:
    probe = Probe(mx.float32)
    assert probe.gb_per_s == 0
    probe.turn(0.0)
    assert probe.gb_per_s > 0


def test_claims_fail_where_it_is_otherwise(result: PrefillDecodeResult) -> None:
    assert result.fit is not None
    assert result.four_times is not None
    broken = replace(
        result,
        fit=replace(result.fit, curve=Curve(0.0, 1.0, -1e-9, 0.5), noise=0.0),
        four_times=replace(
            result.four_times, ttft=2.0, ttft_moving=2.0, cache_bytes=3.9, decode_tokens_per_s=0.25
        ),
        decode=tuple(replace(point, gb_per_s=0.1, operations_per_s=1e9) for point in result.decode),
        probe_gb_per_s=10.0,
        prefill_operations_per_s=1.5e9,
    )
    claims = by_name(EXHIBIT, broken)
    assert {name for name, claim in claims.items() if claim.seen} == {"quiet"}
    last = result.prefill[-1]
    bent = Curve(0.0, 1.0, -2 * last.best_s / last.tokens**2, 0.6)
    noisy = replace(broken, fit=replace(result.fit, curve=bent, noise=9.0))
    claims = by_name(EXHIBIT, noisy)  # no noise makes anything true
    assert not claims["quiet"].seen
    assert not claims["fit"].seen
    assert not claims["quadratic"].seen
    assert claims["four_times_ttft"].bound == 2


def test_a_prompt_that_does_not_fit(tiny: engine.Model) -> None:
    with pytest.raises(engine.PromptError, match="room for prompts of 494 tokens"):
        EXHIBIT.measure(tiny, PrefillDecodeInputs(longest=512))
    with pytest.raises(engine.PromptError, match="multiple of 8"):
        EXHIBIT.measure(tiny, PrefillDecodeInputs(longest=65))


def test_stopping(tiny: engine.Model) -> None:
    stops(EXHIBIT, tiny, PrefillDecodeInputs(longest=64))


@pytest.mark.slow
def test_a_model_of_mlx_lm_is_not_counted(tmp_path: Path) -> None:
    raw = ZOO["gemma2"]
    model = engine.load(write_zoo(tmp_path, raw, build(older_style(raw))))
    found = measured(EXHIBIT, model, PrefillDecodeInputs(longest=64, rounds=1, bursts=1))
    assert found.fit.counted_share is None
    assert found.four_times.operations is None
    assert "arithmetic" not in by_name(EXHIBIT, found)
    assert "runs_through_mlx_lm" in {note.name for note in found.notes}


@pytest.mark.slow
def test_the_exhibit_on_the_starter(starter: engine.Model) -> None:
    found = measured(EXHIBIT, starter, PrefillDecodeInputs(longest=256, rounds=1))
    all_seen(EXHIBIT, found, timed=set(TIMED) - {"quiet"})  # one round knows of no other
