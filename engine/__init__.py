"""Cutaway's inference engine on MLX: the public names.

Use it on one thread: load, generate and free a model where it was loaded.
"""

from engine.blas import open_fast_blas

open_fast_blas()

from engine import tokenizer  # noqa: E402 - MLX must find the fast BLAS already there
from engine.cache import CachePolicy  # noqa: E402
from engine.chunk import Chunk, Figures, Reuse, TokenLogprob  # noqa: E402
from engine.config import ModelConfig  # noqa: E402
from engine.constraint import Schema  # noqa: E402
from engine.errors import (  # noqa: E402
    CancelledError,
    EngineError,
    MemoryLimitError,
    ModelFileError,
    ModelNotFoundError,
    PromptError,
    SessionFileError,
    SettingError,
    TemplateError,
    UnsupportedError,
)
from engine.exactness import ExactnessReport  # noqa: E402
from engine.loading import load, model_config  # noqa: E402
from engine.markers import Markers, Pair  # noqa: E402
from engine.memory import MemoryReading, Plan, kv_bytes, plan, read_memory  # noqa: E402
from engine.model import Model, free_memory, leave_thread  # noqa: E402
from engine.pool import SessionPool  # noqa: E402
from engine.sampling import Sampling, Stage  # noqa: E402
from engine.session import Session  # noqa: E402
from engine.session_folder import SessionFolder  # noqa: E402
from engine.session_memory import SessionMemory  # noqa: E402
from engine.source import Source, on_disk, read_config  # noqa: E402
from engine.verify import verify  # noqa: E402
from engine.visibility import Sight  # noqa: E402

__all__ = [
    "CachePolicy",
    "CancelledError",
    "Chunk",
    "EngineError",
    "ExactnessReport",
    "Figures",
    "Markers",
    "MemoryLimitError",
    "MemoryReading",
    "Model",
    "ModelConfig",
    "ModelFileError",
    "ModelNotFoundError",
    "Pair",
    "Plan",
    "PromptError",
    "Reuse",
    "Sampling",
    "Schema",
    "Session",
    "SessionFileError",
    "SessionFolder",
    "SessionMemory",
    "SessionPool",
    "SettingError",
    "Sight",
    "Source",
    "Stage",
    "TemplateError",
    "TokenLogprob",
    "UnsupportedError",
    "free_memory",
    "kv_bytes",
    "leave_thread",
    "load",
    "model_config",
    "on_disk",
    "plan",
    "read_config",
    "read_memory",
    "tokenizer",
    "verify",
]
