"""The settings of sampling, with their bounds."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import cast

from engine.errors import SettingError
from engine.sentence import Sentence

_BOUNDS = {
    "temperature": (0.0, 100.0),
    "top_k": (0, 1 << 31),
    "top_p": (0.0, 1.0),
    "min_p": (0.0, 1.0),
    "repetition_penalty": (0.01, 100.0),
    "repetition_context": (0, 1 << 20),
    "frequency_penalty": (-2.0, 2.0),
    "presence_penalty": (-2.0, 2.0),
    "dry_multiplier": (0.0, 100.0),
    "dry_base": (1.0, 4.0),
    "dry_allowed_length": (1, 50),
    "dry_range": (1, 1 << 16),
    "xtc_probability": (0.0, 1.0),
    "xtc_threshold": (0.0, 0.5),
    "seed": (0, (1 << 64) - 1),
}
_MOST_BIAS = 100.0
_MOST_TEXTS = 1000
_LONGEST_TEXT = 1000
_SPOKEN = {
    "temperature": Sentence("temperature"),
    "top_k": Sentence("top k"),
    "top_p": Sentence("top p"),
    "min_p": Sentence("min p"),
    "repetition_penalty": Sentence("repetition penalty"),
    "repetition_context": Sentence("repetition context"),
    "frequency_penalty": Sentence("frequency penalty"),
    "presence_penalty": Sentence("presence penalty"),
    "dry_multiplier": Sentence("DRY multiplier"),
    "dry_base": Sentence("DRY base"),
    "dry_allowed_length": Sentence("DRY allowed length"),
    "dry_range": Sentence("DRY range"),
    "xtc_probability": Sentence("XTC probability"),
    "xtc_threshold": Sentence("XTC threshold"),
    "seed": Sentence("seed"),
}


@dataclass(frozen=True)
class Sampling:
    """How the next token is chosen.

    Attributes:
        temperature: Divides the logits; 0 takes the most likely token.
        top_k: Only the k most likely tokens; 0 is off.
        top_p: The fewest tokens whose probabilities reach p; 1 is off. 0 keeps the first alone.
        min_p: Only tokens at least min_p times as likely as the first; 0 is off.
        repetition_penalty: Divides positive and multiplies negative logits of recent tokens; 1 is
            off.
        repetition_context: How many recent tokens, prompt included, this and the next two look at.
        frequency_penalty: Lowers a recent token's logit by this for each time it came; 0 is off.
        presence_penalty: Lowers a recent token's logit by this once; 0 is off.
        dry_multiplier: Strength of DRY, which lowers tokens that would go on with a repetition of
            earlier text; 0 is off, 0.8 is usual.
        dry_base: How much the penalty grows with each repeated token.
        dry_allowed_length: Repetitions shorter than this many tokens are free.
        dry_range: How many recent tokens, prompt included, DRY looks at; its cost grows with them.
        dry_breakers: A token whose text contains one of these ends a repetition.
        xtc_probability: How often XTC acts, which removes all but the least likely of the tokens
            that reach the threshold; 0 is off, 0.5 is usual.
        xtc_threshold: The probability from which on a token is a top choice.
        logit_bias: Added to the logits of these token ids, up to 100; -inf bans a token.
        banned: Texts that never appear in the reply, spelled exactly so (see `engine.banned`).
        seed: The same seed gives the same text; None takes a new one each time.
    """

    temperature: float = 0.7
    top_k: int = 0
    top_p: float = 0.95
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    repetition_context: int = 64
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    dry_multiplier: float = 0.0
    dry_base: float = 1.75
    dry_allowed_length: int = 2
    dry_range: int = 1024
    dry_breakers: Sequence[str] = ("\n", ":", '"', "*")
    xtc_probability: float = 0.0
    xtc_threshold: float = 0.1
    logit_bias: Mapping[int, float] = field(default_factory=dict[int, float], hash=False)
    banned: Sequence[str] = ()
    seed: int | None = None

    def __post_init__(self) -> None:
        """Refuse what has no meaning, before it can turn into infinite or NaN weights."""
        for entry in fields(self):
            if entry.name in _BOUNDS:
                _check_number(entry.name, getattr(self, entry.name))
        # Copies, so that nobody changes them later.
        object.__setattr__(self, "logit_bias", _checked_bias(self.logit_bias))
        object.__setattr__(self, "banned", _checked_texts(Sentence("Banned texts"), self.banned))
        breakers = _checked_texts(Sentence("DRY's breakers"), self.dry_breakers)
        object.__setattr__(self, "dry_breakers", breakers)


def _check_number(name: str, value: object) -> None:
    low, high = _BOUNDS[name]
    if value is None and name == "seed":
        return
    whole = isinstance(low, int)
    fits = isinstance(value, int) if whole else isinstance(value, int | float)
    if isinstance(value, bool) or not fits or not low <= cast("float", value) <= high:
        if whole:
            raise SettingError(
                "The {name} must be a whole number from {low} to {high}, not {value}.",
                name=_SPOKEN[name],
                low=low,
                high=high,
                value=value,
            )
        raise SettingError(
            "The {name} must be a number from {low} to {high}, not {value}.",
            name=_SPOKEN[name],
            low=low,
            high=high,
            value=value,
        )


def _checked_bias(bias: object) -> dict[int, float]:
    if not isinstance(bias, Mapping):
        raise SettingError("The logit bias must give a number for each of some token ids.")
    pairs = cast("Mapping[object, object]", bias)
    checked: dict[int, float] = {}
    for token, value in pairs.items():
        if not isinstance(token, int) or isinstance(token, bool) or token < 0:
            raise SettingError(
                "The logit bias is for token ids from 0 on, not for {token!r}.", token=token
            )
        if not _is_bias(value):
            raise SettingError(
                "The bias of token {token} must be a number up to {most:g}, or -inf to ban "
                "the token, not {value}.",
                token=token,
                most=_MOST_BIAS,
                value=value,
            )
        checked[token] = float(cast("float", value))
    return checked


def _is_bias(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return value == -math.inf or -_MOST_BIAS <= value <= _MOST_BIAS


def _checked_texts(name: Sentence, texts: object) -> tuple[str, ...]:
    if isinstance(texts, str) or not isinstance(texts, Sequence):
        raise SettingError("{name} must be given as a list of texts.", name=name)
    found = tuple(cast("Sequence[object]", texts))
    if len(found) > _MOST_TEXTS:
        raise SettingError(
            "{name} can be up to {most:,}, not {count:,}.",
            name=name,
            most=_MOST_TEXTS,
            count=len(found),
        )
    for text in found:
        if not isinstance(text, str) or not 0 < len(text) <= _LONGEST_TEXT:
            raise SettingError(
                "{name} must each have 1 to {most:,} characters.",
                name=name,
                most=_LONGEST_TEXT,
            )
    return cast("tuple[str, ...]", found)
