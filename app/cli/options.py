"""From parsed options to the engine's values."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import engine

ATTENTION_SINKS = 4
_ONLY_WHERE_GIVEN = (
    "repetition_penalty",
    "frequency_penalty",
    "presence_penalty",
    "dry_multiplier",
    "xtc_probability",
    "xtc_threshold",
)


def model(options: argparse.Namespace) -> engine.Model:
    """The model; what differs here from its own description goes to standard error."""
    found = engine.load(options.model)
    for note in found.notes:
        sys.stderr.write(f"{note}\n")
    return found


def sampling(options: argparse.Namespace) -> engine.Sampling:
    """How tokens are chosen."""
    sampling = engine.Sampling(
        temperature=options.temp,
        top_k=options.top_k,
        top_p=options.top_p,
        min_p=options.min_p,
        logit_bias=dict(options.bias),
        banned=options.ban,
        seed=options.seed,
    )
    more = {name: getattr(options, name) for name in _ONLY_WHERE_GIVEN}
    return replace(sampling, **{name: value for name, value in more.items() if value is not None})


def cache_policy(options: argparse.Namespace) -> engine.CachePolicy:
    """How keys and values are held; nothing is pinned yet."""
    return engine.CachePolicy(window=options.window, bits=options.kv_bits)


def pinned(
    policy: engine.CachePolicy, model: engine.Model, messages: Sequence[Mapping[str, Any]] | None
) -> engine.CachePolicy:
    """The policy with the system prompt pinned, where there is a window.

    Args:
        policy: What the options say.
        model: Whose chat template says what belongs to the system prompt.
        messages: What goes through it; None for raw text, of which the first tokens are pinned.
    """
    if policy.window is None:
        return policy
    count = ATTENTION_SINKS if messages is None else model.pinned_tokens(messages)
    return replace(policy, pinned=count)
