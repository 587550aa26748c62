"""Models that run through mlx-lm: the same numbers as mlx-lm's, and the same protocol as ours."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import mlx.core as mx
import numpy as np
import pytest
from mlx import nn, utils

import engine
from engine.session import Session
from engine.twin import stream
from engine.zoo_config import ZooConfig, older_style
from tests.engine.running import Singles, ids_of, singles
from tests.engine.zoo_checkpoints import ZOO, build, write_zoo

GREEDY = engine.Sampling(temperature=0.0)
BOUNDED = ("mamba2", "falcon_h1")
SLIDING = ("gemma3_text", "gemma3", "gpt_oss")


def tokens(count: int, seed: int = 5) -> list[int]:
    return np.random.default_rng(seed).integers(0, 256, count).tolist()


def reply(session: Session, ids: Sequence[int], count: int = 6) -> list[int]:
    return ids_of(session.generate(ids, GREEDY, count))


def forward(model: Any, ids: Sequence[int]) -> Singles:
    """Logits (L, V) of a model of mlx-lm, by itself and without a cache."""
    return singles(model(mx.array([list(ids)]))[0])


def arrays_of(model: nn.Module) -> dict[str, mx.array]:
    return dict(cast("list[tuple[str, mx.array]]", utils.tree_flatten(model.parameters())))


class Pair:
    """A model as Cutaway loads it, and the one of mlx-lm that its files were written from."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.original: Any = build(older_style(ZOO[name]))
        self.folder = write_zoo(folder, ZOO[name], self.original, shards=2)
        self.model = engine.load(self.folder)

    def logits(self, ids: Sequence[int]) -> Singles:
        return forward(self.original, ids)


@pytest.fixture(scope="module", params=ZOO)
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return Pair(tmp_path_factory.mktemp("zoo") / request.param, request.param)


@pytest.fixture(scope="module")
def gemma(tmp_path_factory: pytest.TempPathFactory) -> engine.Model:
    return Pair(tmp_path_factory.mktemp("zoo") / "gemma2", "gemma2").model


def test_logits_are_those_of_mlx_lm(pair: Pair) -> None:
    ids = tokens(90)
    assert np.array_equal(singles(pair.model.logits(ids)), pair.logits(ids))


def test_a_cache_changes_nothing_but_roundings(pair: Pair) -> None:
    """Whatever the chunks; 90 tokens are beyond the windows of the sliding ones."""
    ids, network = tokens(90), pair.model.network
    expected = pair.logits(ids)
    for size in (1, 7, 64):
        cache = network.new_cache(engine.CachePolicy())
        rows = [
            singles(network.hidden(mx.array([ids[at : at + size]]), cache)[0])
            for at in range(0, len(ids), size)
        ]
        assert cache.length == len(ids)
        assert np.abs(np.concatenate(rows) - expected).max() < 1e-4


def test_a_greedy_reply_is_that_of_mlx_lm(pair: Pair) -> None:
    ids = tokens(70)
    said = reply(pair.model.session(), ids, 12)
    expected = list(stream(pair.original, ids, 12))
    ends = pair.model.tokenizer.eos_token_ids
    stop = next((i for i, token in enumerate(expected) if token in ends), len(expected))
    assert said == expected[: stop + 1]


def test_the_next_turn_reuses_all_that_is_held(pair: Pair) -> None:
    session = pair.model.session()
    reply(session, tokens(40))
    longer = session.tokens + tokens(12, seed=6)
    held = len(session.tokens)
    said = reply(session, longer)
    assert session.reuse.reused_tokens in (held, held - 1)
    assert said == reply(pair.model.session(), longer)


def test_an_edit_is_reused_where_it_can_be_and_else_computed_again(pair: Pair) -> None:
    session, ids = pair.model.session(), tokens(60)
    reply(session, ids)
    edited = ids[:50] + tokens(5, seed=7)
    said = reply(session, edited)
    reuse = session.reuse
    if pair.name in (*BOUNDED, *SLIDING):
        assert reuse.reused_tokens == 0
        assert "cannot be taken back" in reuse.reason
    else:
        assert reuse.reused_tokens == 50
        assert reuse.reason.startswith("Token 51 differs")
    assert said == reply(pair.model.session(), edited)
    assert session.tokens[: len(edited)] == edited


def test_a_window_that_is_not_full_yet_can_be_cut_back(pair: Pair) -> None:
    if pair.name not in SLIDING:
        return
    session, ids = pair.model.session(), tokens(10)
    reply(session, ids, 2)
    edited = [*ids[:6], 65, 66]
    said = reply(session, edited, 8)
    assert session.reuse.reused_tokens == 6
    assert said == reply(pair.model.session(), edited, 8)


def test_memory_is_what_the_layers_keep(pair: Pair) -> None:
    session = pair.model.session()
    assert session.memory() == engine.SessionMemory(0, 0, 0, 0, 0, 0)
    ids = tokens(6)
    reply(session, ids, 2)
    memory = session.memory()
    assert memory.used_bytes == memory.formula_bytes <= memory.allocated_bytes
    assert memory.formula_bytes == engine.kv_bytes(pair.model.config, 7, bits=32)
    session.reset()
    assert session.memory().allocated_bytes == 0


def test_the_config_is_measured_on_the_network(pair: Pair) -> None:
    config = pair.model.config
    assert isinstance(config, ZooConfig)
    assert config == engine.read_config(pair.folder / "config.json")
    assert config.vocab_size == 288
    assert config.num_hidden_layers == (3 if pair.name == "gemma3_text" else 2)
    assert config.parameters == sum(array.size for array in arrays_of(pair.original).values())
    plain = pair.name not in (*BOUNDED, *SLIDING)
    assert (config.num_key_value_heads, config.head_dim) == ((2, 16) if plain else (0, 0))
    assert [state.window for state in config.layer_states] == {
        "gemma3_text": [24, 24, None],
        "gemma3": [24, None],
        "gpt_oss": [16, None],
        "falcon_h1": [None] * 4,
    }.get(pair.name, [None, None])


def test_a_plan_follows_what_the_layers_keep(pair: Pair) -> None:
    plan = engine.plan(pair.model.config, context=400, users=2, bits=32, memory=10_000_000)
    assert plan.bytes_per_user == engine.kv_bytes(pair.model.config, 400, bits=32)
    assert plan.fits
    if pair.name == "mamba2":
        assert plan.context_that_fits is None
    else:
        fits = cast("int", plan.context_that_fits)
        room = (10_000_000 - plan.weights_bytes) // 2
        sizes = [engine.kv_bytes(pair.model.config, n, bits=32) for n in (fits, fits + 1)]
        assert sizes[0] <= room < sizes[1]
    with pytest.raises(engine.SettingError, match="quantised"):
        engine.plan(pair.model.config, bits=4)


def test_figures_stops_and_cancelling_are_as_ever(gemma: engine.Model) -> None:
    session, seen = gemma.session(), list[tuple[int, int]]()
    chunks = list(
        session.generate(
            tokens(100),
            GREEDY,
            5,
            logprobs=2,
            on_prefill=lambda done, total: seen.append((done, total)),
        )
    )
    assert seen[-1] == (100, 100)
    assert seen[-2] == (99, 100), "the last token goes alone, so that it alone is projected"
    assert session.figures.generated_tokens == len(ids_of(chunks)) == 5
    assert all(len(chunk.top) == 2 for chunk in chunks if chunk.token is not None)
    with pytest.raises(engine.PromptError, match="288"):
        session.generate([288])
    with pytest.raises(engine.PromptError, match="context holds 512"):
        session.generate([1] * 512)


@pytest.mark.parametrize("policy", [engine.CachePolicy(window=8), engine.CachePolicy(bits=8)])
def test_other_caches_are_refused(gemma: engine.Model, policy: engine.CachePolicy) -> None:
    with pytest.raises(engine.SettingError, match="gemma2 runs through mlx-lm"):
        gemma.session(policy)


def test_what_looks_inside_a_decoder_is_refused(gemma: engine.Model) -> None:
    with pytest.raises(engine.UnsupportedError, match="cannot look inside it"):
        _ = gemma.decoder


def test_a_fork_starts_from_a_copy(pair: Pair) -> None:
    session = pair.model.session()
    reply(session, tokens(40))
    held = session.tokens
    fork = session.copy(len(held))
    longer = held + tokens(9, seed=8)
    said = reply(fork, longer)
    assert fork.reuse.reused_tokens in (len(held), len(held) - 1)
    assert session.tokens == held
    assert said == reply(pair.model.session(), longer) == reply(session, longer)
    assert session.copy(0).tokens == []


def test_sessions_are_not_saved_and_chats_not_endless(gemma: engine.Model, tmp_path: Path) -> None:
    session = gemma.session()
    reply(session, tokens(80))
    with pytest.raises(engine.SessionFileError, match="cannot be saved"):
        session.save(tmp_path / "session")
    with pytest.raises(engine.SettingError, match="ends with its context"):
        gemma.default_window(4)
    pool = engine.SessionPool(gemma, 0, tmp_path / "sessions", 1 << 30)
    reply(pool.session("one"), tokens(80))
    pool.session("two")
    assert pool.held("one") is None, "it was dropped, as it could not be put away"
    assert pool.session("one").tokens == []


def test_what_does_not_fit_into_memory_is_refused_before_it_is_read(tmp_path: Path) -> None:
    folder = Pair(tmp_path / "olmo2", "olmo2").folder
    mx.clear_cache()
    with pytest.raises(engine.MemoryLimitError, match="needs"):
        engine.load(folder, memory_limit=mx.get_active_memory() + 100_000)
    model = engine.load(folder, memory_limit=mx.get_active_memory() + 5_000_000)
    crowd = mx.zeros(cast("int", model.common.guard.room_bytes()), mx.uint8)
    mx.eval(crowd)
    with pytest.raises(engine.MemoryLimitError, match="no window would fit"):
        model.session().generate(tokens(500), GREEDY, 10)


def test_loading_reports_and_can_be_stopped(tmp_path: Path) -> None:
    folder = Pair(tmp_path / "olmo2", "olmo2").folder
    shares: list[float] = []
    engine.load(folder, on_progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    with pytest.raises(engine.CancelledError):
        engine.load(folder, cancelled=lambda: len(shares) > 3)


def test_weights_as_they_are_stored(tmp_path: Path) -> None:
    original: Any = build(ZOO["phi3"])
    half = {name: a.astype(mx.bfloat16) for name, a in arrays_of(original).items()}
    original.load_weights(list(half.items()))
    folder = write_zoo(tmp_path, ZOO["phi3"], original)
    assert engine.load(folder, precision="stored").network.dtype == mx.bfloat16
    wide = engine.load(folder, precision="float32")
    assert wide.network.dtype == mx.float32
    assert wide.weights_bytes >= 4 * wide.config.parameters


def test_quantised_weights(tmp_path: Path) -> None:
    """With a setting of its own for one layer, and one layer left as it was."""
    original: Any = build(older_style(ZOO["olmo2"]))
    own = {"lm_head": {"group_size": 64, "bits": 8}, "model.layers.0.self_attn.q_proj": False}
    nn.quantize(
        original,
        group_size=32,
        bits=4,
        class_predicate=lambda path, module: (
            hasattr(module, "to_quantized") and own.get(path, True)
        ),
    )
    quantization = {"group_size": 32, "bits": 4, **own}
    folder = write_zoo(tmp_path, {**ZOO["olmo2"], "quantization": quantization}, original)
    model, ids = engine.load(folder), tokens(20)
    assert model.storage == "4-bit"
    expected = forward(original, ids)
    assert np.abs(singles(model.logits(ids)) - expected).max() < 1e-4
    dense = build(older_style(ZOO["olmo2"]))
    assert model.config.parameters == sum(array.size for array in arrays_of(dense).values())


def test_a_checkpoint_in_its_own_names(tmp_path: Path) -> None:
    """As Hugging Face has it: every expert's matrices apart."""
    original: Any = build(ZOO["qwen3_moe"])
    arrays: dict[str, mx.array] = {}
    for name, array in arrays_of(original).items():
        if ".switch_mlp." not in name:
            arrays[name] = array
            continue
        before, after = name.split("switch_mlp.")
        arrays |= {f"{before}experts.{i}.{after}": array[i] for i in range(array.shape[0])}
    folder = write_zoo(tmp_path, ZOO["qwen3_moe"], original)
    mx.save_safetensors(str(folder / "model.safetensors"), arrays, {"format": "pt"})
    ids = tokens(20)
    assert np.array_equal(singles(engine.load(folder).logits(ids)), forward(original, ids))
    arrays.pop("model.layers.1.mlp.experts.2.up_proj.weight")
    mx.save_safetensors(str(folder / "model.safetensors"), arrays)
    with pytest.raises(engine.ModelFileError, match=r"layers\.1\.mlp\.experts\.2\.up_proj"):
        engine.load(folder)


NORM = "model.norm.weight"


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        (NORM, None, f"has no {NORM}"),
        ("model.extra.weight", mx.zeros(3), "no place for: model.extra"),
        ("model.layers.999999999.weight", mx.zeros(3), "damaged: a tensor is called"),
        (NORM, mx.zeros(3), r"has the shape \(3,\); the config asks for"),
    ],
)
def test_weights_that_do_not_fit_are_named(
    tmp_path: Path, name: str, array: mx.array | None, message: str
) -> None:
    original = build(older_style(ZOO["olmo2"]))
    folder = write_zoo(tmp_path, ZOO["olmo2"], original)
    arrays: dict[str, mx.array | None] = {**arrays_of(original), name: array}
    kept = {name: array for name, array in arrays.items() if array is not None}
    mx.save_safetensors(str(folder / "model.safetensors"), kept)
    with pytest.raises(engine.ModelFileError, match=message):
        engine.load(folder)


def test_a_truncated_file_is_refused_before_mlx_reads_it(tmp_path: Path) -> None:
    folder = write_zoo(tmp_path, ZOO["gemma2"], build(ZOO["gemma2"]))
    os.truncate(folder / "model.safetensors", 5000)
    with pytest.raises(engine.ModelFileError):
        engine.load(folder)


def written(folder: Path, name: str, entries: Mapping[str, Any]) -> Path:
    """The weights of an architecture with another config."""
    return write_zoo(folder, {**ZOO[name], **entries}, build(older_style(ZOO[name])))


def test_code_in_a_models_folder_never_runs(tmp_path: Path) -> None:
    folder = written(tmp_path, "gemma2", {"model_file": "own.py", "auto_map": {"AutoModel": "own"}})
    proof = tmp_path / "it-ran"
    (folder / "own.py").write_text(f"open({str(proof)!r}, 'w')\n", encoding="utf-8")
    with pytest.raises(engine.UnsupportedError, match="never run"):
        engine.load(folder)
    assert not proof.exists()


@pytest.mark.parametrize(
    ("name", "entries", "message"),
    [
        ("qwen3_moe", {"rope_scaling": {"type": "yarn", "factor": 4.0}}, "'yarn'"),
        (
            "qwen3_moe",
            {"rope_theta": None, "rope_parameters": {"rope_type": "linear", "factor": 2.0}},
            "'linear'",
        ),
        ("phi3", {"rope_scaling": {"type": "yarn", "long_factor": [1.0]}}, "'yarn'"),
        ("gemma2", {"clip_qkv": 8.0}, "clip_qkv"),
        ("olmo2", {"logit_scale": 0.5}, "logit_scale"),
        (
            "gemma3_text",
            {"layer_types": ["full_attention"] + ["sliding_attention"] * 2},
            "layer_types",
        ),
        ("gemma2", {"model_type": "..cache"}, "architecture"),
        ("gemma2", {"model_type": "cache"}, "architecture"),
        ("olmo2", {"quantization_config": {"quant_method": "gptq"}}, "gptq"),
        ("olmo2", {"quantize_activations": True}, "activations"),
    ],
)
def test_what_mlx_lm_would_compute_otherwise_is_refused(
    tmp_path: Path, name: str, entries: dict[str, Any], message: str
) -> None:
    with pytest.raises(engine.UnsupportedError, match=message):
        engine.load(written(tmp_path, name, entries))


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"num_hidden_layers": 10**9}, "num_hidden_layers"),
        ({"head_dim": 10**30}, "head_dim"),
        ({"num_hidden_layers": "two"}, "cannot build"),
        ({"hidden_size": None}, "cannot build"),
        ({"rope_scaling": "yes"}, "RoPE"),
        ({"max_position_embeddings": -4}, "max_position_embeddings"),
    ],
)
def test_impossible_configs_are_refused(
    tmp_path: Path, entries: dict[str, Any], message: str
) -> None:
    with pytest.raises(engine.ModelFileError, match=message):
        engine.load(written(tmp_path, "gemma2", entries))


def test_a_window_that_mlx_lm_lacks_bounds_the_context(tmp_path: Path) -> None:
    model = engine.load(written(tmp_path, "gemma2", {"sliding_window": 128}))
    config = model.config
    assert isinstance(config, ZooConfig)
    assert config.max_position_embeddings == 128
    assert "without its sliding window" in config.notes[0]
    assert model.notes == config.notes


def test_longrope_is_held_to_the_lengths_of_its_short_factors(tmp_path: Path) -> None:
    scaling = {"type": "longrope", "short_factor": [1.0] * 8, "long_factor": [3.0] * 8}
    entries = {"rope_scaling": scaling, "original_max_position_embeddings": 200}
    model = engine.load(written(tmp_path, "phi3", entries))
    assert model.config.max_position_embeddings == 200
    rope = cast("Any", model.network).model.layers[0].self_attn.rope
    assert np.allclose(np.array(rope._freqs), 10_000.0 ** (np.arange(0, 16, 2) / 16))


def test_yarn_with_bounds_that_are_not_rounded(tmp_path: Path) -> None:
    """Against the formula of the paper; mlx-lm rounds the bounds whatever the config says."""
    scaling = {**ZOO["gpt_oss"]["rope_scaling"], "truncate": False, "attention_factor": 1.5}
    model = engine.load(written(tmp_path, "gpt_oss", {"rope_scaling": scaling}))
    rope = cast("Any", model.network).model.model.layers[0].self_attn.rope
    pairs = np.arange(8)
    bounds = [16 * np.log(128 / (r * 2 * np.pi)) / (2 * np.log(150_000)) for r in (32, 1)]
    assert bounds[0] < 0 < bounds[1]
    ramp = np.clip(pairs / bounds[1], 0, 1)
    speeds = 150_000.0 ** (-2 * pairs / 16)
    expected = speeds * (1 - ramp) + speeds / 4 * ramp
    assert np.allclose(1 / np.array(rope._freqs), expected, rtol=1e-5)
    assert rope.mscale == 1.5


def test_the_engine_starts_without_mlx_lm() -> None:
    code = "import engine, sys; sys.exit(any(name.startswith('mlx_lm') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_list_of_architectures_is_that_of_the_installed_mlx_lm() -> None:
    from importlib.util import find_spec

    from mlx_lm.utils import MODEL_REMAPPING

    from engine.zoo_names import ALIASES, MODULES

    spec = find_spec("mlx_lm.models")
    assert spec is not None
    folder = Path(next(iter(spec.submodule_search_locations or ())))
    texts = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
    models = {name for name, text in texts.items() if "class ModelArgs" in text}
    assert models - {"olmo"} == MODULES
    assert MODEL_REMAPPING == ALIASES


def test_a_config_alone_is_enough_to_plan(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(ZOO["gpt_oss"]), encoding="utf-8")
    config = engine.read_config(path)
    assert engine.plan(config, context=512, bits=16).bytes_per_user == 2 * 64 * (16 + 512)


def sized_gemma2(folder: Path, **window: int) -> engine.Model:
    config = {**ZOO["gemma2"], "max_position_embeddings": 8192, **window}
    original = build(older_style(config))
    return engine.load(write_zoo(folder, config, original))


def test_gemma2_is_held_to_its_window_also_where_the_config_leaves_it_out(tmp_path: Path) -> None:
    model = sized_gemma2(tmp_path / "usual")
    assert model.config.longest_sequence == model.config.max_position_embeddings == 4096
    model = sized_gemma2(tmp_path / "short", sliding_window=16)
    assert model.logits(tokens(16)).shape[0] == 16
    with pytest.raises(engine.PromptError, match="at most 16 tokens"):
        model.logits(tokens(17))
