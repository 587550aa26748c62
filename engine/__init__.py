"""Cutaway's inference engine on MLX: the public names.

Use it on one thread: load, generate and free a model where it was loaded.
"""

from engine.blas import open_fast_blas

open_fast_blas()

from engine import tokenizer  # noqa: E402 - MLX must find the fast BLAS already there
from engine.attention import (  # noqa: E402
    attention,
    attention_bytes,
    mean_attention,
)
from engine.cache import CachePolicy  # noqa: E402
from engine.chunk import Chunk, Figures, Reuse, TokenLogprob  # noqa: E402
from engine.conditions import Conditions, Watch  # noqa: E402
from engine.config import ModelConfig  # noqa: E402
from engine.constraint import Schema  # noqa: E402
from engine.contributions import LogitContributions, logit_contributions  # noqa: E402
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
from engine.lens import LogitLens, lens_bytes, logit_lens, logits_at  # noqa: E402
from engine.loading import load, model_config  # noqa: E402
from engine.markers import Markers, Pair  # noqa: E402
from engine.memory import MemoryReading, Plan, kv_bytes, plan, read_memory  # noqa: E402
from engine.model import Model, free_memory, leave_thread  # noqa: E402
from engine.neighbours import (  # noqa: E402
    Neighbour,
    Neighbours,
    ParameterCounts,
    neighbours,
    parameter_counts,
)
from engine.pool import SessionPool  # noqa: E402
from engine.sampling import Sampling, Stage  # noqa: E402
from engine.score import Score, ScoredToken, score  # noqa: E402
from engine.session import Session  # noqa: E402
from engine.session_folder import SessionFolder  # noqa: E402
from engine.session_memory import SessionMemory  # noqa: E402
from engine.source import Source, read_config  # noqa: E402
from engine.trace import BlockTrace, Step, trace_block  # noqa: E402
from engine.verify import verify  # noqa: E402
from engine.visibility import Sight  # noqa: E402
from engine.walk import (  # noqa: E402
    AttentionWalk,
    scores_by_distance,
    walk_attention,
)

__all__ = [
    "AttentionWalk",
    "BlockTrace",
    "CachePolicy",
    "CancelledError",
    "Chunk",
    "Conditions",
    "EngineError",
    "ExactnessReport",
    "Figures",
    "LogitContributions",
    "LogitLens",
    "Markers",
    "MemoryLimitError",
    "MemoryReading",
    "Model",
    "ModelConfig",
    "ModelFileError",
    "ModelNotFoundError",
    "Neighbour",
    "Neighbours",
    "Pair",
    "ParameterCounts",
    "Plan",
    "PromptError",
    "Reuse",
    "Sampling",
    "Schema",
    "Score",
    "ScoredToken",
    "Session",
    "SessionFileError",
    "SessionFolder",
    "SessionMemory",
    "SessionPool",
    "SettingError",
    "Sight",
    "Source",
    "Stage",
    "Step",
    "TemplateError",
    "TokenLogprob",
    "UnsupportedError",
    "Watch",
    "attention",
    "attention_bytes",
    "free_memory",
    "kv_bytes",
    "leave_thread",
    "lens_bytes",
    "load",
    "logit_contributions",
    "logit_lens",
    "logits_at",
    "mean_attention",
    "model_config",
    "neighbours",
    "parameter_counts",
    "plan",
    "read_config",
    "read_memory",
    "score",
    "scores_by_distance",
    "tokenizer",
    "trace_block",
    "verify",
    "walk_attention",
]
