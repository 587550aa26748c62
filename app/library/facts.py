"""One model on this machine, as the library shows it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from engine.fit import Footprint

Origin = Literal["starter", "own", "hub", "lm-studio", "added"]

USUAL_TOKENS = 8192
"""What a long chat holds: without a window the fit is for so many tokens, or the whole context."""


@dataclass(frozen=True)
class ModelFacts:
    """What its configs and headers say; no weight was read.

    Attributes:
        source: What loads it: `starter`, a hub id, or an absolute path.
        name: To show.
        origin: Which place it was found in.
        path: The folder or the .gguf file, of several parts the first.
        root: What holds it and nothing else of worth: the repository's folder in the hub cache,
            else `path`. For an added one, what was added.
        kind: Whether `path` is a folder or a .gguf file.
        size_bytes: On disk.
        family: As its config calls the architecture, such as `llama`.
        parameters: Number of weights; None where not known.
        quantization: How most of them are held: `Q4_1`, `4-bit`, `bfloat16`.
        context: Tokens it is trained for; None where not known.
        token_bytes: Keys and values of a token at 16 bits; None where layers differ.
        licence: As its files name it; empty where they do not.
        last_used: When it was last loaded, in seconds since 1970; None for never.
        is_ours: Whether it may be deleted without asking: nothing else uses its place.
        ready: Whether it can be loaded: whole, and of a kind that the engine computes.
        reason: Why it is not ready, one sentence.
        footprint: What the fit is worked out from; None where not known.
    """

    source: str
    name: str
    origin: Origin
    path: Path
    root: Path
    kind: Literal["folder", "gguf"]
    size_bytes: int
    family: str = "unknown"
    parameters: int | None = None
    quantization: str = ""
    context: int | None = None
    token_bytes: int | None = None
    licence: str = ""
    last_used: float | None = None
    is_ours: bool = False
    ready: bool = False
    reason: str = ""
    footprint: Footprint | None = None

    @property
    def key(self) -> str:
        """What settings and benchmarks are kept under: the same however it was reached."""
        return self.source
