"""Which unknown entries of a config.json may be passed over, and which are refused by name.

A checkpoint's config is full of entries that change nothing: who saved it, how it was trained. But
an entry that speaks of the computation and that nobody here reads would make the result silently
wrong. So an unknown entry is passed over when none of the words in its name speak of the
computation, when its value says «off», or when it is known to change nothing; else it is refused.
"""

import re
from collections.abc import Collection, Mapping

from engine.config_values import Json, shown
from engine.errors import UnsupportedError
from engine.sentence import Sentence

_SPEAKS_OF_COMPUTATION = frozenset(
    {
        "act",
        "activation",
        "activations",
        "alibi",
        "attention",
        "attn",
        "bias",
        "bidirectional",
        "capping",
        "causal",
        "clamp",
        "expert",
        "experts",
        "gate",
        "gated",
        "layer",
        "layernorm",
        "logit",
        "logits",
        "lora",
        "moe",
        "mrope",
        "multiplier",
        "nope",
        "norm",
        "normalization",
        "normalize",
        "position",
        "qk",
        "qkv",
        "residual",
        "rmsnorm",
        "rope",
        "rotary",
        "router",
        "scalar",
        "scale",
        "scaling",
        "sink",
        "sinks",
        "sliding",
        "softcap",
        "softcapping",
        "sparse",
        "sparsity",
        "swiglu",
        "temperature",
        "window",
    }
)
_SPEAKS_OF_SCALE = frozenset({"factor", "multiplier", "scalar", "scale", "scaling"})
# A scale of attention scores takes the place of 1 / √D, so that 1 is not «off».
_SPEAKS_OF_SCORES = frozenset(
    {"attention", "attn", "kq", "qk", "query", "rope", "softmax", "temperature"}
)
_CHANGES_NOTHING = frozenset(
    {
        "attn_implementation",
        "attn_implementation_autoset",
        "attn_implementation_internal",
        "flash_attention",
        "flash_attn_2_enabled",
        "use_flash_attention",
        "use_flash_attention_2",
        "use_flash_attn",
        "use_memory_efficient_attention",
        "use_sdpa",
        "temperature",
        "output_attentions",
        "output_router_logits",
        "logits_to_keep",
        "num_logits_to_keep",
    }
)
_TRAINING_ONLY = frozenset({"drop", "dropout", "pdrop", "init", "initializer", "loss"})
# Entries of which some values say what is computed anyway, and «off» does not.
_SAME_AS_OURS: Mapping[str, tuple[object, ...]] = {
    "is_causal": (True,),
    "normalization_type": ("rmsnorm", "rms_norm"),
    "position_embedding_type": ("rope", "rotary"),
    "use_rms_norm": (True,),
    "use_rope": (True,),
    "use_swiglu": (True,),
}
_OFF: tuple[object, ...] = (None, False, 0, "", [], {})


def refuse_unknown(raw: Json, understood: Collection[str], where: str | Sentence) -> None:
    """Refuse an entry that may change the computation and is not in `understood`.

    Args:
        raw: The entries.
        understood: Those that somebody reads.
        where: What has them, as a sentence begins with it.

    Raises:
        UnsupportedError: There is one; it is named.
    """
    for key, value in raw.items():
        if key not in understood and _may_change_the_result(key, value):
            raise refused(where, key, value)


def refuse_keys(raw: Json, understood: Collection[str], where: str | Sentence) -> None:
    """Refuse every entry that is not in `understood` and not off, whatever it is called.

    Raises:
        UnsupportedError: There is one; it is named.
    """
    for key, value in raw.items():
        if key not in understood and not _is_off(key, value):
            raise refused(where, key, value)


def refused(where: str | Sentence, key: str, value: object) -> UnsupportedError:
    """What to raise where the entry `key` of `where` asks for what is not computed."""
    asked = f"{key[:64]} {shown(value)}"
    return UnsupportedError(
        "{where} asks for {asked}, which this version does not compute.", where=where, asked=asked
    )


def _may_change_the_result(key: str, value: object) -> bool:
    name = key.lower().strip("_")
    words = _words(name)
    if name in _SAME_AS_OURS:
        return value is not None and value not in _SAME_AS_OURS[name]
    if not words & _SPEAKS_OF_COMPUTATION or words & _TRAINING_ONLY or name in _CHANGES_NOTHING:
        return False
    return not _is_off(key, value)


def _is_off(key: str, value: object) -> bool:
    words = _words(key.lower())
    scales = bool(words & _SPEAKS_OF_SCALE) and not words & _SPEAKS_OF_SCORES
    return value in _OFF or (scales and type(value) in (int, float) and value == 1)


def _words(name: str) -> set[str]:
    return set(re.split(r"[\W_]+", name))
