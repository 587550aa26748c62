"""Whether a model of the library fits this machine with its settings."""

from __future__ import annotations

from app.library.facts import USUAL_TOKENS
from app.library.settings import LoadSettings
from engine.cache import CachePolicy
from engine.errors import EngineError
from engine.fit import Fit, Footprint, can_quantize, fit

__all__ = ["Fit", "Footprint", "model_fit"]

_PINNED = 64


def model_fit(
    footprint: Footprint | None,
    limit_bytes: int | None,
    settings: LoadSettings | None = None,
    *,
    tokens: int | None = None,
) -> Fit | None:
    """The parts of the peak, the verdict, and which window would fit.

    Args:
        footprint: Of the model; None where its shape is not known before it is loaded.
        limit_bytes: As `engine.fit.machine_limit` says.
        settings: How it is going to be loaded.
        tokens: How long a chat without a window gets; `USUAL_TOKENS` where left out, at most the
            context the model is trained for.

    Returns:
        None where the model's shape is not known.
    """
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
