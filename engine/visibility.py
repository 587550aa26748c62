"""Which messages of a chat a model still sees."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.cache import CachePolicy
from engine.config import ModelConfig

Seen = Literal["pinned", "held", "partly", "evicted"]


@dataclass(frozen=True)
class Sight:
    """What the next token sees of one message.

    Attributes:
        seen: `pinned`: all of it, for ever; `held`: all of it, for now; `partly`; `evicted`: none.
        start: Its first token, and what the template writes before it.
        end: One past its last token.
        seen_tokens: How many of these are seen.
    """

    seen: Seen
    start: int
    end: int
    seen_tokens: int


def sights(
    config: ModelConfig, policy: CachePolicy, length: int, ends: Sequence[int | None]
) -> tuple[Sight, ...]:
    """Apply the one rule of visibility to messages.

    Args:
        config: The model's shape; where all its layers have a window, that counts too.
        policy: How the session holds keys and values.
        length: Tokens of the whole prompt; the next one stands at this position.
        ends: Where each message ends; None for one that is not in the prompt.
    """
    pinned = policy.pinned if policy.window is not None else 0
    window = seen_window(config, policy)
    oldest = 0 if window is None else max(length - window + 1, 0)
    found: list[Sight] = []
    start = 0
    for end in ends:
        if end is None:
            found.append(Sight("evicted", start, start, 0))
            continue
        hidden = range(max(start, pinned), min(end, oldest))
        found.append(_sight(range(start, end), len(hidden), pinned))
        start = max(start, end)
    return tuple(found)


def _sight(tokens: range, hidden: int, pinned: int) -> Sight:
    seen: Seen = "partly"
    if not hidden:
        seen = "pinned" if tokens.stop <= pinned else "held"
    elif hidden == len(tokens):
        seen = "evicted"
    return Sight(seen, tokens.start, tokens.stop, len(tokens) - hidden)


def seen_window(config: ModelConfig, policy: CachePolicy) -> int | None:
    """How far the layers that see most look back, in tokens; None where they see all."""
    layers = [policy.window if window is None else window for window in config.windows]
    bounded = [min(window, policy.window or window) for window in layers if window is not None]
    return max(bounded) if len(bounded) == len(layers) else None
