"""config.json of an architecture that runs through mlx-lm: checked, and put as mlx-lm reads it.

mlx-lm takes from a config the entries it knows and passes over all others without a word, so what
it would pass over although it changes the numbers is found here and refused. The newer style of
RoPE settings is written out in the older one, which all of mlx-lm's models read.
"""

import copy
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, cast

from typing_extensions import override

from engine.config import Json, ModelConfig
from engine.errors import ModelFileError, UnsupportedError
from engine.sentence import Sentence
from engine.zoo_names import module_of

_CONTEXT_KEYS = (
    "max_position_embeddings",
    "n_positions",
    "max_sequence_length",
    "max_seq_len",
    "seq_length",
    "n_ctx",
    "model_max_length",
)
_MOST = 1 << 40
_MOST_BY_NAME = (
    (re.compile(r"layers?$"), 4096),
    (re.compile(r"experts?$|blocks?$"), 4096),
    (re.compile(r"heads$|groups?$"), 65_536),
    (re.compile(r"dim$|rank$|size$"), 1 << 31),
)
_DEEPEST = 32
# Entries that change what is computed, and the values with which they do not.
_TELLING: Mapping[str, tuple[object, ...]] = {
    "alibi": (None, False),
    "attention_multiplier": (None,),
    "attn_logit_softcapping": (None,),
    "clip_qkv": (None,),
    "embedding_multiplier": (None, 1),
    "final_logit_softcapping": (None,),
    "logit_scale": (None, 1),
    "logits_scaling": (None, 1),
    "n_group": (None, 0, 1),
    "norm_topk_prob": (None, False),
    "partial_rotary_factor": (None, 1),
    "query_pre_attn_scalar": (None,),
    "residual_multiplier": (None, 1),
    "rope_local_base_freq": (None,),
    "routed_scaling_factor": (None, 1),
    "scale_depth": (None,),
    "scale_emb": (None, 1),
    "topk_group": (None, 0, 1),
    "use_parallel_residual": (None, False),
}
_SCALED = ("longrope", "su")


@dataclass(frozen=True)
class LayerState:
    """What one layer, or one half of it, keeps of a sequence, in numbers.

    Attributes:
        values_per_token: Of every token it holds, as keys and values or a compressed form.
        window: How many recent tokens it holds; None holds all.
        fixed_values: Of the whole sequence, whatever its length: a recurrent state.
    """

    values_per_token: int = 0
    window: int | None = None
    fixed_values: int = 0

    def values(self, tokens: int) -> int:
        """How many numbers are kept of a sequence of `tokens` tokens."""
        held = tokens if self.window is None else min(tokens, self.window)
        return self.values_per_token * held + (self.fixed_values if tokens else 0)


@dataclass(frozen=True)
class ZooConfig(ModelConfig):
    """The shape of a model that runs through mlx-lm, measured on the network that it builds.

    Of the numbers that a llama has, those this architecture has no single one of are 0: KV heads
    and head dimension where the layers differ, compress, or keep a recurrent state instead.

    Attributes:
        layer_states: What the layers keep, from which the cache's size follows; a layer with both
            attention and a recurrent state has two entries.
        counted_parameters: Number of weights.
        notes: Sentences on what differs here from the model's own description.
    """

    layer_states: tuple[LayerState, ...] = ()
    counted_parameters: int = 0
    notes: tuple[str, ...] = ()

    @property
    @override
    def parameters(self) -> int:
        """Number of weights, all experts included."""
        return self.counted_parameters

    @property
    @override
    def longest_sequence(self) -> int | None:
        """The context, where one of the notes says that it is held to that."""
        return self.max_position_embeddings if self.notes else None

    def cache_values(self, tokens: int) -> int:
        """How many numbers the layers keep of a sequence of `tokens` tokens."""
        return sum(state.values(tokens) for state in self.layer_states)


def text_part(raw: Json) -> Json:
    """The entries of the language model, which multimodal configs keep apart."""
    own: object = raw.get("text_config")
    return {**raw, **cast("Json", own)} if isinstance(own, Mapping) else raw


def check_untrusted(raw: Json) -> None:
    """Refuse what could run code, or ask for more than any model is.

    Raises:
        ModelFileError: A number is impossible.
        UnsupportedError: mlx-lm does not have the architecture, or the weights are in a form that
            is not read here.
    """
    if module_of(raw) is None:
        name = str(raw.get("model_type") or "missing")[:64]
        raise UnsupportedError(
            "The architecture {name!r} is not supported, nor by mlx-lm.", name=name
        )
    if raw.get("model_file") is not None:
        raise UnsupportedError(
            "The model brings Python code of its own (model_file), which is never run."
        )
    if raw.get("quantize_activations"):
        raise UnsupportedError("Quantised activations are not supported.")
    _check_numbers(raw, 0)


def context_of(raw: Json) -> int | None:
    """How many tokens the model was trained for, None where the config does not say.

    Raises:
        ModelFileError: The number is impossible.
    """
    text = text_part(raw)
    for key in _CONTEXT_KEYS:
        value: object = text.get(key)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ModelFileError(
                "The config has {value!r} for {key}.", value=str(value)[:64], key=key
            )
        return value
    return None


def older_style(raw: Json, *, reads_newer: bool = False) -> dict[str, Any]:
    """A copy with RoPE settings, and which layers slide, in the entries mlx-lm's models read.

    Args:
        raw: The content of a config.json.
        reads_newer: The model reads `rope_parameters` itself.

    Raises:
        ModelFileError: The settings are damaged.
        UnsupportedError: They have no equal in the older style.
    """
    config = copy.deepcopy(dict(raw))
    parts = [config]
    if isinstance(config.get("text_config"), dict):
        parts.append(cast("dict[str, Any]", config["text_config"]))
    for part in parts:
        if not (reads_newer and part.get("rope_parameters")):
            spell_rope(part)
        _spell_pattern(part)
        _complete_yarn(part)
    return config


def held_context(config: dict[str, Any], context: int | None) -> tuple[int | None, list[str]]:
    """How far sequences may go where mlx-lm uses one list of RoPE factors for all lengths.

    LongRoPE has a list for sequences within the original context and one for longer ones. mlx-lm
    takes the second always, so it is given the first in its place, and no longer sequences.

    Args:
        config: In the older style; changed where that is so.
        context: The trained one.

    Raises:
        ModelFileError: The lists are damaged.
    """
    scaling: object = config.get("rope_scaling")
    if not isinstance(scaling, dict):
        return context, []
    entries = cast("dict[str, Any]", scaling)
    short, long = entries.get("short_factor"), entries.get("long_factor")
    if entries.get("type") not in _SCALED or short == long:
        return context, []
    original: object = config.get(
        "original_max_position_embeddings", entries.get("original_max_position_embeddings")
    )
    if not isinstance(original, int) or original < 1 or not isinstance(short, list):
        raise ModelFileError("The config's longrope scaling lacks its lists or original context.")
    entries["long_factor"] = short
    if "short_mscale" in entries:
        entries["long_mscale"] = entries["short_mscale"]
    if context is None or original >= context:
        return context, []
    return original, [
        Sentence(
            "mlx-lm has one list of RoPE factors for all lengths, so the context is held to the "
            "{context:,} tokens that the model's short factors are for.",
            context=original,
        )
    ]


def refuse_ignored(raw: Json, accepted: Collection[str]) -> None:
    """Refuse entries that change the numbers and that mlx-lm's model does not read.

    Args:
        raw: The language model's entries, in the older style.
        accepted: The entries that mlx-lm's model reads.

    Raises:
        UnsupportedError: There is one; it is named.
    """
    for key, neutral in _TELLING.items():
        if key in raw and key not in accepted and raw[key] not in neutral:
            raise UnsupportedError(
                "The config asks for {key}, which mlx-lm passes over for {model_type}; the "
                "numbers would be wrong.",
                key=key,
                model_type=str(raw.get("model_type"))[:64],
            )


def _check_numbers(value: object, depth: int, name: str = "") -> None:
    if depth > _DEEPEST:
        raise ModelFileError("The config nests too deeply; fetch the model again.")
    if isinstance(value, Mapping):
        for key, entry in cast("Mapping[str, object]", value).items():
            _check_numbers(entry, depth + 1, str(key))
    elif isinstance(value, list):
        for entry in cast("list[object]", value):
            _check_numbers(entry, depth + 1, name)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        most = next((most for pattern, most in _MOST_BY_NAME if pattern.search(name)), _MOST)
        if not -_MOST <= value <= most:
            raise ModelFileError(
                "The config has {value} for {name}, which is impossible.",
                value=str(value)[:32],
                name=name[:64],
            )


def spell_rope(part: dict[str, Any]) -> None:
    """Write the newer style of RoPE settings out in the older one, in place.

    Raises:
        ModelFileError: They are no object.
        UnsupportedError: The older style cannot say what they say.
    """
    newer: object = part.get("rope_parameters")
    older: object = part.get("rope_scaling")
    for entry in (newer, older):
        if entry is not None and not isinstance(entry, dict):
            raise ModelFileError("The config's RoPE settings are not an object.")
    if newer:
        entries = cast("dict[str, Any]", newer)
        if any(isinstance(value, dict) for value in entries.values()):
            entries = _by_layer_type(part, cast("dict[str, dict[str, Any]]", entries))
        _take_rope(part, entries)
    elif older:
        part["rope_scaling"] = _scaling(cast("dict[str, Any]", older))


def _take_rope(part: dict[str, Any], entries: dict[str, Any]) -> None:
    for key in ("rope_theta", "partial_rotary_factor"):
        if entries.get(key) is not None:
            part[key] = entries[key]
    part["rope_scaling"] = _scaling(
        {k: v for k, v in entries.items() if k not in {"rope_theta", "partial_rotary_factor"}}
    )


def _by_layer_type(part: dict[str, Any], entries: dict[str, Any]) -> dict[str, Any]:
    """What full attention has; where sliding layers differ, that goes into its own entry."""
    full, sliding = entries.get("full_attention"), entries.get("sliding_attention")
    if not isinstance(full, dict) or not isinstance(sliding, dict) or len(entries) != 2:
        raise UnsupportedError("RoPE settings per layer type are not supported through mlx-lm.")
    local = cast("dict[str, Any]", sliding)
    if full != local:
        if _scaling(local) is not None:
            raise UnsupportedError("RoPE scaling in sliding layers is not supported by mlx-lm.")
        part["rope_local_base_freq"] = local.get("rope_theta", 10_000.0)
    return cast("dict[str, Any]", full)


def _scaling(entries: dict[str, Any]) -> dict[str, Any] | None:
    """A rope_scaling under both names of its type, None for the default."""
    kind = entries.get("rope_type") or entries.get("type") or "default"
    if kind == "default":
        return None
    return {**entries, "type": kind, "rope_type": kind}


def _complete_yarn(part: dict[str, Any]) -> None:
    """Without an original context, YaRN stretches the given one; mlx-lm would take 4,096."""
    scaling = cast("dict[str, Any]", part.get("rope_scaling") or {})
    if scaling.get("type") == "yarn" and "max_position_embeddings" in part:
        scaling.setdefault("original_max_position_embeddings", part["max_position_embeddings"])


def _spell_pattern(part: dict[str, Any]) -> None:
    """`sliding_window_pattern` from `layer_types`, where every nth layer has full attention."""
    types: object = part.get("layer_types")
    if not isinstance(types, list) or part.get("sliding_window_pattern") is not None:
        return
    names = cast("list[object]", types)
    for every in range(1, len(names) + 1):
        if all((n == "full_attention") == (i % every == 0) for i, n in enumerate(names, 1)):
            part["sliding_window_pattern"] = every
            return
