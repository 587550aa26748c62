"""Every architecture and variant next to the plain reference, from a file, cached and uncached."""

from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from mlx_lm.models import llama as mlx_lm_llama
from mlx_lm.models import qwen2 as mlx_lm_qwen2
from mlx_lm.models import qwen3 as mlx_lm_qwen3

import engine
from engine.cache import CachePolicy
from tests.engine import reference
from tests.engine.checkpoints import TinyLlama, write_folder, write_gguf
from tests.engine.reference import Sight
from tests.engine.running import Singles, build, doubles, feed, new_cache, singles, uncached
from tests.engine.variants import ROPES, VARIANTS

LENGTH = 90
TOLERANCE = 1e-4


def tokens(count: int, seed: int = 7) -> list[int]:
    return np.random.default_rng(seed).integers(0, 288, count).tolist()


def expected(tiny: TinyLlama, ids: list[int], sight: Sight | None = None) -> reference.Doubles:
    return reference.logits(tiny.config(), doubles(tiny), ids, sight)


def assert_close(found: Singles, wanted: reference.Doubles | Singles) -> None:
    assert found.shape == wanted.shape
    assert np.abs(found - wanted).max() < TOLERANCE


@pytest.mark.parametrize("name", VARIANTS)
def test_a_folder_computes_what_the_papers_say(tmp_path: Path, name: str) -> None:
    tiny = VARIANTS[name]
    model = engine.load(write_folder(tmp_path / "model", tiny), precision="float32")
    ids = tokens(LENGTH)
    assert_close(singles(model.logits(ids)), expected(tiny, ids))
    count = sum(values.size for values in tiny.tensors().values())
    assert model.config.parameters == count


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("sizes", [[1], [64], [40, 3, 30, 1]])
def test_cached_equals_uncached(name: str, sizes: list[int]) -> None:
    config, decoder = build(VARIANTS[name])
    ids = tokens(LENGTH)
    cache = new_cache(config, decoder, CachePolicy())
    assert_close(feed(decoder, cache, ids, sizes), uncached(decoder, ids))


def test_the_reference_tells_variants_apart() -> None:
    """What is asked for changes the logits far more than the tolerance."""
    ids = tokens(LENGTH)
    for names in (
        (
            "llama",
            "llama, as saved by transformers 5",
            *(name for name in ROPES if name != "dynamic"),
        ),
        ("mistral", "mistral, sliding", "mistral, window 1"),
        ("qwen2, window off", "qwen2 with yarn"),
    ):
        logits = [expected(VARIANTS[name], ids) for name in names]
        for index, one in enumerate(logits):
            for other in logits[index + 1 :]:
                assert np.abs(one - other).max() > 100 * TOLERANCE


@pytest.mark.parametrize(
    ("name", "peer"),
    [
        ("llama", mlx_lm_llama),
        ("llama, alternating", mlx_lm_llama),
        ("linear", mlx_lm_llama),
        ("llama3", mlx_lm_llama),
        ("yarn, betas", mlx_lm_llama),
        ("mistral", mlx_lm_llama),
        ("qwen2, untied", mlx_lm_qwen2),
        ("qwen2 with yarn", mlx_lm_qwen2),
        ("qwen3", mlx_lm_qwen3),
    ],
)
def test_logits_equal_those_of_mlx_lm(name: str, peer: Any) -> None:
    tiny = VARIANTS[name]
    model = peer.Model(peer.ModelArgs.from_dict(tiny.config()))
    arrays = {key: mx.array(values) for key, values in tiny.tensors().items()}
    model.load_weights(list(arrays.items()), strict=True)
    ids = tokens(LENGTH)
    found = singles(model(mx.array([ids]))[0])
    _, decoder = build(tiny)
    assert_close(uncached(decoder, ids), found)


GGUF_VARIANTS: dict[str, tuple[TinyLlama, dict[str, int | float | str]]] = {
    "llama": (VARIANTS["llama"], {}),
    "llama with yarn": (
        VARIANTS["yarn, betas"],
        {
            "llama.rope.scaling.type": "yarn",
            "llama.rope.scaling.factor": 4.0,
            "llama.rope.scaling.original_context_length": 32,
            "llama.rope.scaling.yarn_beta_fast": 4.0,
            "llama.rope.scaling.yarn_beta_slow": 0.5,
        },
    ),
    "factor of no kind": (VARIANTS["linear"], {"llama.rope.scaling.factor": 2.0}),
    "mistral": (VARIANTS["mistral, sliding"], {"llama.attention.sliding_window": 7}),
    "qwen2": (VARIANTS["qwen2"], {}),
    "qwen2, untied": (VARIANTS["qwen2, untied"], {}),
    "qwen2 with yarn": (
        VARIANTS["qwen2 with yarn"],
        {
            "qwen2.rope.freq_base": 1e6,
            "qwen2.rope.scaling.type": "yarn",
            "qwen2.rope.scaling.factor": 4.0,
            "qwen2.rope.scaling.original_context_length": 32,
        },
    ),
    "qwen3": (VARIANTS["qwen3"], {}),
    "qwen3, biases": (VARIANTS["qwen3, biases"], {}),
}


@pytest.mark.parametrize("name", GGUF_VARIANTS)
def test_a_gguf_file_computes_the_same(tmp_path: Path, name: str) -> None:
    tiny, entries = GGUF_VARIANTS[name]
    model = engine.load(write_gguf(tmp_path / "m.gguf", tiny, entries=entries), precision="float32")
    ids = tokens(LENGTH)
    assert_close(singles(model.logits(ids)), expected(tiny, ids))


def test_a_replys_tokens_are_those_of_the_reference(tmp_path: Path) -> None:
    """Greedy decoding far beyond the window of some layers."""
    model = engine.load(
        write_folder(tmp_path / "model", VARIANTS["RoPE by layer type"]), precision="float32"
    )
    prompt = tokens(25)
    session = model.session()
    chunks = list(session.generate(prompt, engine.Sampling(temperature=0.0), max_tokens=30))
    found = [chunk.token for chunk in chunks if chunk.token is not None]
    ids = list(prompt)
    for token in found:
        row = expected(VARIANTS["RoPE by layer type"], ids)[-1][: model.tokenizer.vocab_size]
        assert token == int(row.argmax())
        ids.append(token)
