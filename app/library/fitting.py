"""Whether a model of the library fits this machine with its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.library.facts import USUAL_TOKENS
from app.library.settings import LoadSettings
from engine.cache import CachePolicy
from engine.errors import EngineError
from engine.fit import Fit, can_quantize, fit, verdict_of

__all__ = ["Fit", "model_fit", "verdict_of"]

if TYPE_CHECKING:
    from app.library.facts import ModelFacts

_PINNED = 64


def model_fit(
    facts: ModelFacts,
    limit_bytes: int | None,
    settings: LoadSettings | None = None,
    *,
    tokens: int | None = None,
) -> Fit | None:
    """The parts of the peak, the verdict, and which window would fit.

    Args:
        facts: Of the model.
        limit_bytes: As `engine.fit.machine_limit` says.
        settings: How it is going to be loaded.
        tokens: How long a chat without a window gets; `USUAL_TOKENS` where left out, at most the
            context the model is trained for.

    Returns:
        None where the model's shape is not known before it is loaded.
    """
    footprint = facts.footprint
    if footprint is None:
        return None
    settings = settings or LoadSettings()
    window = settings.window if footprint.rotates else None
    bits = settings.bits if can_quantize(footprint.config) else None
    longest = footprint.config.max_position_embeddings
    held = window or min(tokens or USUAL_TOKENS, longest)
    try:
        policy = CachePolicy(window, _PINNED if window else 0, bits)
        return fit(
            footprint, tokens=held, policy=policy, chunk=settings.chunk, limit_bytes=limit_bytes
        )
    except EngineError:
        return None
