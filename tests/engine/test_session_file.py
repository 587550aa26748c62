"""Saved sessions: what comes back equals what went, and nothing else is let in."""

import json
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.session import Session
from tests.engine.checkpoints import TinyLlama, write_folder, write_gguf
from tests.engine.conftest import TINY
from tests.engine.running import cache_of

GREEDY = engine.Sampling(temperature=0.0)
SHORT = TinyLlama(
    model_type="mistral",
    num_hidden_layers=3,
    num_key_value_heads=1,
    head_dim=32,
    max_position_embeddings=256,
    tied=False,
    extra={"sliding_window": 40},
)
POLICIES = [
    engine.CachePolicy(),
    engine.CachePolicy(bits=8),
    engine.CachePolicy(bits=4),
    engine.CachePolicy(window=24, pinned=6),
    engine.CachePolicy(window=24, pinned=6, bits=4),
    engine.CachePolicy(window=40),
    engine.CachePolicy(window=90, pinned=60),
]


def tokens(count: int, seed: int = 5) -> list[int]:
    return np.random.default_rng(seed).integers(0, 256, count).tolist()


def answer(session: Session, ids: Sequence[int]) -> list[float]:
    """The log-probabilities of a greedy reply's tokens and of those next to them."""
    chunks = session.generate(ids, GREEDY, 4, logprobs=4)
    return [entry.logprob for chunk in chunks for entry in chunk.top]


def same(one: list[float], other: list[float]) -> bool:
    """Whether two answers differ by no more than a BLAS does from run to run."""
    return np.allclose(one, other, atol=1e-4)


def content(session: Session) -> list[bytes]:
    """What the cache holds, bit for bit, with pinned keys as they were computed."""
    state = cache_of(session).state(cache_of(session).length)
    layers = [[*layer.keys, *layer.values] for layer in state.layers]
    return [
        *(positions.tobytes() for positions in state.positions),
        *(np.array(part).tobytes() for layer in layers for part in layer),
    ]


@pytest.fixture(scope="session")
def short_context(tmp_path_factory: pytest.TempPathFactory) -> engine.Model:
    """A model of 256 tokens, beyond which pinned keys move; its layers have windows of 40."""
    return engine.load(write_folder(tmp_path_factory.mktemp("models") / "short", SHORT))


@pytest.fixture
def saved(tiny: engine.Model, tmp_path: Path) -> Path:
    session, path = tiny.session(), tmp_path / "session.safetensors"
    answer(session, tokens(40))
    session.save(path)
    return path


@settings(max_examples=60, derandomize=True)
@given(st.sampled_from(POLICIES), st.booleans(), st.data())
def test_a_restored_session_is_the_warm_one_bit_for_bit(
    tiny: engine.Model,
    short_context: engine.Model,
    tmp_path_factory: pytest.TempPathFactory,
    policy: engine.CachePolicy,
    sliding: bool,
    data: st.DataObject,
) -> None:
    """Whatever was said, trimmed and continued before, and whatever is asked next."""
    model = short_context if sliding else tiny
    longest = 240 if policy.window is None else 700
    path = tmp_path_factory.mktemp("saved") / "session.safetensors"
    warm = model.session(policy)
    prompt = tokens(data.draw(st.integers(1, longest)))
    for seed in range(data.draw(st.integers(1, 2))):
        answer(warm, prompt)
        kept = data.draw(st.integers(0, len(warm.tokens)))
        prompt = (warm.tokens[:kept] + tokens(data.draw(st.integers(1, 40)), seed))[: longest + 9]
    warm.save(path)
    restored = model.restore(path)
    assert restored.tokens == warm.tokens
    assert restored.policy == policy
    assert restored.memory().used_bytes == warm.memory().used_bytes
    assert content(restored) == content(warm)
    assert same(answer(restored, prompt), answer(warm, prompt))
    assert restored.reuse == warm.reuse


@settings(max_examples=40, derandomize=True)
@given(st.sampled_from(POLICIES), st.booleans(), st.data())
def test_a_copy_answers_like_the_original_and_leaves_it_alone(
    tiny: engine.Model,
    short_context: engine.Model,
    policy: engine.CachePolicy,
    sliding: bool,
    data: st.DataObject,
) -> None:
    model = short_context if sliding else tiny
    session, prompt = model.session(policy), tokens(data.draw(st.integers(1, 230)))
    answer(session, prompt)
    held, before = session.tokens, content(session)
    common = data.draw(st.integers(0, len(held)))
    other_prompt = held[:common] + tokens(20, seed=8)
    shared = session.common_prefix(other_prompt)
    copy = session.copy(shared)
    assert copy.tokens == held[:shared]
    said = answer(copy, other_prompt)
    assert copy.reuse.reused_tokens == shared
    assert (session.tokens, content(session)) == (held, before)
    assert same(answer(session, other_prompt), said)


def test_a_window_of_one_token_is_copied_and_saved_too(tiny: engine.Model, tmp_path: Path) -> None:
    policy = engine.CachePolicy(window=1)
    session, prompt = tiny.session(policy), tokens(60)
    answer(session, prompt)
    cold = answer(tiny.session(policy), prompt[:30])
    assert same(answer(session.copy(30), prompt[:30]), cold)
    cut = session.copy(30)
    cut.save(tmp_path / "cut.safetensors")
    assert same(answer(tiny.restore(tmp_path / "cut.safetensors"), prompt[:30]), cold)


def test_a_session_in_half_precision_is_saved_as_it_is(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "model", TINY, dtype="bfloat16")
    model = engine.load(folder, precision="stored")
    for bits in (None, 8):
        session = model.session(engine.CachePolicy(bits=bits))
        answer(session, tokens(60))
        session.save(tmp_path / "session.safetensors")
        restored = model.restore(tmp_path / "session.safetensors")
        assert cache_of(restored).dtype == mx.bfloat16
        prompt = [*session.tokens, 1, 2]
        assert same(answer(restored, prompt), answer(session, prompt))


def test_an_empty_session_comes_back_empty(tiny: engine.Model, tmp_path: Path) -> None:
    path = tmp_path / "empty.safetensors"
    tiny.session(engine.CachePolicy(window=16, pinned=2)).save(path)
    restored = tiny.restore(path)
    assert restored.tokens == []
    assert restored.policy == engine.CachePolicy(window=16, pinned=2)
    assert same(answer(restored, [1, 2]), answer(tiny.session(restored.policy), [1, 2]))


def test_a_cancelled_session_can_be_saved(tiny: engine.Model, tmp_path: Path) -> None:
    session, path = tiny.session(), tmp_path / "session.safetensors"
    chunks = session.generate(tokens(30), GREEDY, 20)
    next(chunks)
    with pytest.raises(engine.EngineError, match="still writing"):
        session.save(path)
    with pytest.raises(engine.EngineError, match="still writing"):
        session.copy(3)
    chunks.close()
    session.save(path)
    prompt = [*session.tokens, 9]
    assert same(answer(tiny.restore(path), prompt), answer(session, prompt))


def test_saving_replaces_and_leaves_nothing_else(
    tiny: engine.Model, saved: Path, tmp_path: Path
) -> None:
    session = tiny.session()
    answer(session, tokens(9))
    session.save(str(saved))
    assert tiny.restore(str(saved)).tokens == session.tokens
    assert [path.name for path in tmp_path.iterdir()] == [saved.name]


def test_a_place_that_cannot_be_written_is_told(tiny: engine.Model, tmp_path: Path) -> None:
    with pytest.raises(engine.SessionFileError, match=r"cannot be saved as .+: No such file"):
        tiny.session().save(tmp_path / "missing" / "session.safetensors")
    (tmp_path / "folder").mkdir()
    with pytest.raises(engine.SessionFileError, match="cannot be saved"):
        tiny.session().save(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_missing_file_is_told(tiny: engine.Model, tmp_path: Path) -> None:
    with pytest.raises(engine.SessionFileError, match="There is no saved session"):
        tiny.restore(tmp_path / "nothing.safetensors")


@pytest.mark.parametrize(
    "other",
    [
        TinyLlama(tied=False, num_key_value_heads=1, head_dim=32, seed=1),
        TinyLlama(tied=False, num_key_value_heads=2, head_dim=32),
        TinyLlama(tied=False, num_key_value_heads=1, head_dim=32, extra={"rope_theta": 5e5}),
    ],
    ids=["weights", "shape", "rope"],
)
def test_a_session_of_another_model_is_refused(
    saved: Path, tmp_path: Path, other: TinyLlama
) -> None:
    model = engine.load(write_folder(tmp_path / "other", other))
    with pytest.raises(engine.SessionFileError, match="saved with another model"):
        model.restore(saved)


def test_a_fingerprint_knows_the_weights_and_not_their_place(tmp_path: Path) -> None:
    def of(path: Path, **options: Any) -> str:
        return engine.load(path, **options).common.fingerprint

    one = of(write_folder(tmp_path / "one", TINY))
    assert one == of(write_folder(tmp_path / "two", TINY, shards=2))
    assert one != of(tmp_path / "one", precision="stored")
    assert one != of(write_folder(tmp_path / "half", TINY, dtype="bfloat16"))
    packed = write_gguf(tmp_path / "model.gguf", TINY, "Q8_0")
    assert of(packed) == of(packed) != of(write_gguf(tmp_path / "other.gguf", TINY, "Q4_0"))


def test_one_changed_matrix_makes_another_model(tmp_path: Path) -> None:
    """As a fine-tuning of a single layer would."""
    folder = write_folder(tmp_path / "model", TINY)
    before = engine.load(folder).common.fingerprint
    weights = mx.load(str(folder / "model.safetensors"))
    assert isinstance(weights, dict)
    name = "model.layers.1.mlp.up_proj.weight"
    weights[name] = weights[name] + 1e-3 * mx.random.normal(weights[name].shape)
    mx.save_safetensors(str(folder / "model.safetensors"), weights)
    assert engine.load(folder).common.fingerprint != before


@settings(max_examples=60, derandomize=True)
@given(st.data())
def test_a_flipped_or_missing_byte_is_noticed(
    tiny: engine.Model, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "session.safetensors"
    session = tiny.session(engine.CachePolicy(bits=8))
    answer(session, tokens(9))
    session.save(path)
    content = bytearray(path.read_bytes())
    # Half of the places lie in the header, which is the harder half.
    at = data.draw(st.integers(0, 1500) | st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        del content[at:]
    else:
        content[at] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    with pytest.raises(engine.SessionFileError, match=r"^[^\n]+\.$"):
        tiny.restore(path)


def test_bytes_after_the_end_are_noticed(tiny: engine.Model, saved: Path) -> None:
    saved.write_bytes(saved.read_bytes() + b"\0")
    with pytest.raises(engine.SessionFileError, match="is damaged"):
        tiny.restore(saved)


Change = Callable[[dict[str, str], dict[str, mx.array]], None]


def rewritten(path: Path, change: Change) -> None:
    """Change a saved session as somebody would who knows the format, checksum included."""
    loaded: Any = mx.load(str(path), return_metadata=True)
    arrays: dict[str, mx.array] = loaded[0]
    metadata: dict[str, str] = loaded[1]
    del arrays["checksum"]
    change(metadata, arrays)
    header: dict[str, Any] = {"__metadata__": metadata}
    names = {mx.float32: "F32", mx.int32: "I32", mx.int64: "I64", mx.uint32: "U32"}
    data = b""
    for name, array in arrays.items():
        raw = np.array(array).tobytes()
        offsets = [len(data), len(data) + len(raw)]
        kind = names[array.dtype]
        header[name] = {"dtype": kind, "shape": array.shape, "data_offsets": offsets}
        data += raw
    header["checksum"] = {
        "dtype": "U32",
        "shape": [1],
        "data_offsets": [len(data), len(data) + 4],
    }
    text = json.dumps(header).encode()
    content = len(text).to_bytes(8, "little") + text + data
    path.write_bytes(content + zlib.crc32(content).to_bytes(4, "little"))


def metadata(**values: str) -> Change:
    return lambda found, _: found.update(values)


def array(name: str, make: Callable[[mx.array], mx.array]) -> Change:
    def change(_: dict[str, str], arrays: dict[str, mx.array]) -> None:
        arrays[name] = make(arrays[name])

    return change


def without(name: str) -> Change:
    def change(_: dict[str, str], arrays: dict[str, mx.array]) -> None:
        del arrays[name]

    return change


def nothing(*_: object) -> None:
    pass


def test_a_rewritten_file_that_is_unchanged_is_accepted(tiny: engine.Model, saved: Path) -> None:
    before = tiny.restore(saved).tokens
    rewritten(saved, nothing)
    assert tiny.restore(saved).tokens == before


REFUSED: list[tuple[Change, str]] = [
    (metadata(version="0"), "in version 0 of the format and this program reads version 1"),
    (metadata(version="2"), "in version 2 of the format"),
    (metadata(format="weights"), "not a saved session"),
    (metadata(fingerprint="0" * 64), "another model"),
    (metadata(policy="[]"), "damaged"),
    (metadata(policy="[null, 0, 3]"), "damaged"),
    (metadata(policy="[null, 0, 8]"), "damaged"),
    (metadata(policy="[-1, 0, null]"), "damaged"),
    (metadata(policy="[8, 2, null]"), "damaged"),
    (metadata(policy="[8, 2, null, 4]"), "damaged"),
    (metadata(policy="{}"), "damaged"),
    (metadata(policy="[" * 100_000), "damaged"),
    (metadata(length="999999999999999999"), "damaged"),
    (metadata(length="-1"), "damaged"),
    (metadata(length="12"), "damaged"),
    (metadata(length="0"), "damaged"),
    (metadata(length="many"), "damaged"),
    (metadata(dtype="U32"), "damaged"),
    (array("tokens", lambda x: x + 1000), "damaged"),
    (array("tokens", lambda x: x - 1000), "damaged"),
    (array("tokens", lambda x: x[:5]), "damaged"),
    (array("tokens", lambda x: x.astype(mx.float32)), "damaged"),
    (array("tokens", lambda x: x[None]), "damaged"),
    (array("positions.0", mx.zeros_like), "damaged"),
    (array("positions.0", lambda x: x + 1), "damaged"),
    (array("positions.0", lambda x: x[::-1]), "damaged"),
    (array("positions.0", lambda x: x - 2), "damaged"),
    (array("positions.0", lambda x: x[:-1]), "damaged"),
    (array("layers.0.keys.0", lambda x: x[:, :, :-1]), "damaged"),
    (array("layers.1.values.0", lambda x: x.astype(mx.int32)), "damaged"),
    (array("layers.1.values.0", lambda x: x.reshape(-1)), "damaged"),
    (without("layers.1.values.0"), "damaged"),
    (without("tokens"), "damaged"),
    (lambda _, arrays: arrays.update({"layers.2.keys.0": mx.zeros((1,))}), "damaged"),
]


@pytest.mark.parametrize(("change", "sentence"), REFUSED)
def test_what_makes_no_sense_is_refused_whoever_wrote_it(
    tiny: engine.Model, saved: Path, change: Change, sentence: str
) -> None:
    rewritten(saved, change)
    with pytest.raises(engine.SessionFileError, match=sentence):
        tiny.restore(saved)


OTHER_SLOTS: dict[str, Callable[[mx.array], mx.array]] = {
    "pinned missing": lambda x: mx.where(x == x[0], -1, x),
    "window missing": lambda x: mx.where(x == mx.max(x), -1, x),
    "too many": lambda x: mx.concatenate([x, mx.full((1000,), -1, mx.int64)]),
    "older than it was": lambda x: mx.where(x == mx.max(x), x - 40, x),
}


@pytest.mark.parametrize("change", OTHER_SLOTS.values(), ids=OTHER_SLOTS)
def test_slots_of_a_rotating_cache_are_checked(
    tiny: engine.Model, tmp_path: Path, change: Callable[[mx.array], mx.array]
) -> None:
    session, path = (
        tiny.session(engine.CachePolicy(window=20, pinned=4)),
        tmp_path / "s.safetensors",
    )
    answer(session, tokens(150))
    session.save(path)
    rewritten(path, array("positions.0", change))
    with pytest.raises(engine.SessionFileError, match="damaged"):
        tiny.restore(path)


def test_other_files_are_refused(tiny: engine.Model, tiny_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(engine.SessionFileError, match="not a saved session"):
        tiny.restore(tiny_folder / "model.safetensors")
    with pytest.raises(engine.SessionFileError, match="damaged"):
        tiny.restore(tiny_folder / "config.json")
    (tmp_path / "nothing").write_bytes(b"")
    with pytest.raises(engine.SessionFileError, match="damaged"):
        tiny.restore(tmp_path / "nothing")
    with pytest.raises(engine.SessionFileError, match="no saved session"):
        tiny.restore(tmp_path)


@pytest.mark.slow
def test_the_starter_answers_from_disk_without_a_prefill(
    starter: engine.Model, tmp_path: Path
) -> None:
    document = " ".join(f"Room {room} is painted in shade {room * 7 % 90}." for room in range(12))
    messages = [{"role": "user", "content": document}]
    session = starter.session()
    ids = starter.prompt_tokens(messages)
    answer(session, ids)
    path = tmp_path / "session.safetensors"
    session.save(path)
    restored = starter.restore(path)
    follow = [*session.tokens, *starter.tokenizer.encode(" Room 7 is painted in")]
    assert same(answer(restored, follow), answer(session, follow))
    assert restored.reuse.reused_tokens >= len(ids)
