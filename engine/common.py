"""What the sessions of one model have in common beside its weights."""

from dataclasses import dataclass, field

from engine.guard import MemoryGuard
from engine.prefill import ChunkSize


@dataclass(frozen=True)
class Common:
    """What the sessions of one model have in common.

    Attributes:
        chunk_size: What was learnt about how much is computed at once.
        guard: Refuses what memory does not suffice for.
        fingerprint: Of the model, written into saved sessions.
    """

    chunk_size: ChunkSize
    guard: MemoryGuard = field(default_factory=MemoryGuard)
    fingerprint: str = ""
