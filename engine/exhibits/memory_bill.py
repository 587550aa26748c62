"""Exhibit 8: what the KV cache takes in memory, by formula and measured."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from typing_extensions import override

from engine.cache import CachePolicy
from engine.config import ModelConfig, parse_config
from engine.errors import EngineError, SettingError
from engine.exhibits.bill import Asked, Bill, machine_bytes, model_bill, shape_bill, shape_of
from engine.exhibits.common import (
    Claim,
    Exhibit,
    How,
    Inputs,
    Note,
    Watch,
    choice,
    how,
    text,
    whole,
)
from engine.exhibits.passages import long_ids
from engine.kv import kv_bytes
from engine.loading import model_config
from engine.memory import plan
from engine.model import Model
from engine.sampling import Sampling
from engine.session_memory import session_memory
from engine.source import read_config, runs_through_mlx_lm
from engine.zoo_config import ZooConfig

_CLASSROOM_TOKENS, _CLASSROOM_USERS = 8192, 10
_STEP_TOKENS = 64


@dataclass(frozen=True)
class MemoryBillInputs(Inputs):
    """What can be set; the first eight begin with the classroom example.

    Attributes:
        config_json: A config.json that was fetched, parsed; `config` is then its name alone.
    """

    layers: int = whole(32, 1, 4096, "layers")
    query_heads: int = whole(32, 1, 1024, "query heads")
    kv_heads: int = whole(8, 1, 1024, "KV heads")
    head_dim: int = whole(128, 2, 4096, "head dimension")
    tokens: int = whole(_CLASSROOM_TOKENS, 1, 1 << 24, "tokens of each conversation")
    batch: int = whole(_CLASSROOM_USERS, 1, 1 << 20, "conversations at once")
    bits: int = choice(16, (4, 8, 16, 32), "bits of each stored number")
    config: str = text("", "a config.json, a model's folder or file, or a hub id on disk", least=0)
    measured_tokens: int = whole(192, 1, 2048, "tokens that the loaded model really runs")
    config_json: Mapping[str, Any] | None = field(default=None, hash=False)

    @override
    def __post_init__(self) -> None:
        """Refuse what is outside its bounds, and KV heads that query heads cannot share.

        Raises:
            SettingError: A value is.
        """
        super().__post_init__()
        if self.query_heads % self.kv_heads:
            raise SettingError(
                "{query_heads} query heads cannot share {kv_heads} KV heads evenly.",
                query_heads=self.query_heads,
                kv_heads=self.kv_heads,
            )


@dataclass(frozen=True)
class MeasuredCache:
    """The loaded model's real cache.

    Attributes:
        tokens: It holds.
        bits: Of each number that it stores.
        used_bytes: Of what it holds, measured.
        allocated_bytes: Of its buffers, measured; they grow in steps.
        formula_bytes: What the formula says.
    """

    tokens: int
    bits: int
    used_bytes: int
    allocated_bytes: int
    formula_bytes: int


@dataclass(frozen=True)
class MemoryBillResult:
    """What was computed and measured.

    Attributes:
        inputs: What was set.
        sliders: The bill of the shape that was set.
        sharing: The same shape as MHA, GQA and MQA: as many KV heads as query heads, as many as
            were set, and one.
        classroom: The classroom example, whatever was set.
        loaded: The loaded model, for the tokens, conversations and bits that were set.
        other: The model of the config that was named; None where none was.
        refused: Why there is none although one was named; empty otherwise.
        measured: The loaded model's cache, with more and more tokens in it.
        memory_bytes: What this machine has for models; None where nobody knows.
        notes: Where care is needed.
        how: How the figures are computed.
    """

    inputs: MemoryBillInputs
    sliders: Bill
    sharing: tuple[Bill, ...]
    classroom: Bill
    loaded: Bill
    other: Bill | None
    refused: str
    measured: tuple[MeasuredCache, ...]
    memory_bytes: int | None
    notes: tuple[Note, ...]
    how: tuple[How, ...]


def measure(
    model: Model,
    inputs: MemoryBillInputs,
    watch: Watch,
) -> MemoryBillResult:
    """Compute the bills, then run the loaded model and measure its cache.

    Raises:
        CancelledError: It was stopped.
    """
    memory = machine_bytes()
    asked = Asked(inputs.tokens, inputs.batch, inputs.bits)
    other, refused = _other(inputs, asked, memory)
    shape = shape_of(inputs.layers, inputs.query_heads, inputs.kv_heads, inputs.head_dim)
    result = MemoryBillResult(
        inputs=inputs,
        sliders=shape_bill("sliders", shape, asked),
        sharing=tuple(
            shape_bill(
                name,
                replace(shape, num_key_value_heads=heads),
                asked,
            )
            for name, heads in (
                ("MHA", inputs.query_heads),
                ("GQA", inputs.kv_heads),
                ("MQA", 1),
            )
        ),
        classroom=shape_bill(
            "classroom", shape_of(32, 32, 8, 128), Asked(_CLASSROOM_TOKENS, _CLASSROOM_USERS, 16)
        ),
        loaded=model_bill(model.name, model.config, asked, memory, model.weights_bytes),
        other=other,
        refused=refused,
        measured=(),
        memory_bytes=memory,
        notes=_notes(model, inputs),
        how=_HOW,
    )
    watch.tell(0.0, result)
    for measured in _measured(model, inputs.measured_tokens):
        result = replace(result, measured=(*result.measured, measured))
        watch.tell(measured.tokens / inputs.measured_tokens, result)
    watch.tell(1.0, result)
    return result


def claims(result: MemoryBillResult) -> tuple[Claim, ...]:
    """What should be seen, as far as it is measured."""
    return (*_formula_claims(result), *_measured_claims(result))


def _formula_claims(result: MemoryBillResult) -> Iterator[Claim]:
    classroom = result.classroom
    yield Claim(
        "classroom_token",
        "32 layers with 8 KV heads of dimension 128 at 16 bits take 128 KiB for each token.",
        classroom.bytes_per_token, "=", 128 << 10, "bytes",
    )  # fmt: skip
    yield Claim(
        "classroom_conversation",
        "A conversation of 8,192 tokens takes 1 GiB.",
        classroom.bytes_per_conversation, "=", 1 << 30, "bytes",
    )  # fmt: skip
    yield Claim(
        "classroom_users",
        "Ten of them take 10 GiB.",
        classroom.total_bytes, "=", 10 << 30, "bytes",
    )  # fmt: skip
    full, shared, single = result.sharing
    yield Claim(
        "gqa",
        "Sharing KV heads among query heads divides the bill by how many share one.",
        shared.total_bytes * result.inputs.query_heads, "=",
        full.total_bytes * result.inputs.kv_heads, "bytes × heads",
    )  # fmt: skip
    yield Claim(
        "mqa",
        "With one KV head for all, the bill is divided by the number of query heads.",
        single.total_bytes * result.inputs.query_heads, "=", full.total_bytes, "bytes",
    )  # fmt: skip


def _measured_claims(result: MemoryBillResult) -> Iterator[Claim]:
    if not result.measured:
        return
    last = result.measured[-1]
    yield Claim(
        "measured",
        "The bytes of the loaded model's real cache are those of the formula.",
        last.used_bytes, "=", last.formula_bytes, "bytes",
    )  # fmt: skip
    yield Claim(
        "allocated",
        "The buffers are at least as large, as they grow in steps.",
        last.allocated_bytes, "≥", last.used_bytes, "bytes",
    )  # fmt: skip


def _other(inputs: MemoryBillInputs, asked: Asked, memory: int | None) -> tuple[Bill | None, str]:
    """The bill of the config that was named, or why there is none."""
    try:
        if inputs.config_json is not None:
            config = _parsed(dict(inputs.config_json))
            return model_bill(inputs.config or config.model_type, config, asked, memory), ""
        if not inputs.config:
            return None, ""
        path = Path(inputs.config).expanduser()
        is_config = path.suffix == ".json"
        config = read_config(path) if is_config else model_config(inputs.config)
        name = path.parent.name or config.model_type if is_config else path.name
        return model_bill(name, config, asked, memory), ""
    except (EngineError, RuntimeError) as error:  # the latter where there is no such home
        return None, error.sentence if isinstance(error, EngineError) else str(error)


def _parsed(raw: dict[str, Any]) -> ModelConfig:
    if not runs_through_mlx_lm(raw):
        return parse_config(raw)
    from engine.zoo import read_zoo_config  # Late: it imports mlx-lm.

    return read_zoo_config(raw)


def _measured(model: Model, tokens: int) -> Iterator[MeasuredCache]:
    """A real cache, measured after every few tokens of a text."""
    most = min(tokens, model.config.max_position_embeddings - 2)
    ids = long_ids(model, most)
    session = model.session(CachePolicy())
    for end in [*range(_STEP_TOKENS, len(ids), _STEP_TOKENS), len(ids)]:
        for _ in session.generate(ids[:end], Sampling(temperature=0.0), 1):
            pass
        found = session.memory()
        yield MeasuredCache(
            tokens=found.held_tokens,
            bits=model.network.dtype.size * 8,
            used_bytes=found.used_bytes,
            allocated_bytes=found.allocated_bytes,
            formula_bytes=found.formula_bytes,
        )


def _notes(model: Model, inputs: MemoryBillInputs) -> tuple[Note, ...]:
    notes = [
        Note(
            "query_heads",
            "The number of query heads is not in the formula: only keys and values are kept, and "
            "queries are used once.",
        ),
        Note(
            "fits",
            "How many conversations fit is counted with what the machine has for a model, its "
            "weights and full contexts. What other programs use, and what a prefill needs for a "
            "moment, comes on top.",
        ),
    ]
    if model.network.dtype.size == 4:
        notes.append(
            Note(
                "float32",
                "On this processor the model computes in 32-bit numbers, so its real cache takes "
                "twice what 16 bits would.",
            )
        )
    if inputs.bits < 16:
        notes.append(
            Note(
                "scales",
                "At 8 and 4 bits every 64 numbers share a 16-bit scale and a 16-bit bias, which is "
                "half a bit more for each number.",
            )
        )
    if any(window is not None for window in model.config.windows):
        notes.append(
            Note(
                "windows",
                "Some layers of the loaded model see only a window of recent tokens; beyond it "
                "their part of the cache stops growing, and the formula holds for the others.",
            )
        )
    if isinstance(model.config, ZooConfig):
        notes.append(
            Note(
                "runs_through_mlx_lm",
                "This model runs through mlx-lm; what its layers keep was measured on its network, "
                "and its cache is held with at least 16 bits.",
            )
        )
    return tuple(notes)


_HOW = (
    how(
        "sliders",
        kv_bytes,
        "2 × layers × KV heads × head dimension × tokens × batch × bits / 8; at 8 and 4 bits "
        "32 bits more for each 64 numbers",
    ),
    how("loaded", plan, "the same, layers with a window bounded by it"),
    how(
        "loaded.conversations_that_fit",
        machine_bytes,
        "(memory of the machine - weights) / bytes of one conversation, rounded down",
    ),
    how(
        "measured.used_bytes",
        session_memory,
        "bytes of the arrays × slots that hold a token / slots",
    ),
)

EXHIBIT = Exhibit(8, "memory_bill", "The memory bill", MemoryBillInputs, measure, claims)
