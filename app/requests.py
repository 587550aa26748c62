"""What the engine's thread is asked and what it answers: frozen values that cross threads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from app.chats.settings import SamplingSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from app.jobs.workbench import Workbench

FinishReason = Literal["stop", "length", "cancelled", "failed"]


@dataclass(frozen=True)
class LoadRequest:
    """Load a model in place of the one that is there."""

    source: str


@dataclass(frozen=True)
class UnloadRequest:
    """Free the model and all its sessions."""


@dataclass(frozen=True)
class ReplyRequest:
    """Answer the last of `messages`.

    Attributes:
        reply_id: Comes back with every piece of the reply.
        chat_id: Names the session that is reused.
        messages: Dictionaries with `role` and `content`, the whole branch.
        rotates: Whether the oldest tokens make room when the context is full; the system prompt
            stays. Otherwise the reply ends there.
        max_tokens: The most tokens to write; None is the rest of the context.
        continues: Whether the last of `messages` is the beginning of the reply, to be gone on with.
        written: The exact token ids of that beginning; where they are not known, or another
            model's, its text is encoded.
    """

    reply_id: str
    chat_id: str
    messages: Sequence[Mapping[str, str]]
    sampling: SamplingSettings = field(default_factory=SamplingSettings)
    max_tokens: int | None = None
    rotates: bool = True
    continues: bool = False
    written: tuple[int, ...] = ()


@dataclass(frozen=True)
class MeasureRequest:
    """Send the figures of a chat's session; of an empty one where the chat has none."""

    chat_id: str


@dataclass(frozen=True)
class CloseRequest:
    """End the thread."""


@dataclass(frozen=True)
class ForgetRequest:
    """Drop the session of a chat that was deleted, on disk too."""

    chat_id: str


@dataclass(frozen=True)
class JobRequest:
    """Run a function of `app.jobs` with the model that is loaded."""

    job_id: str
    job: Callable[[Workbench], object]


Request = (
    LoadRequest
    | UnloadRequest
    | ReplyRequest
    | MeasureRequest
    | ForgetRequest
    | JobRequest
    | CloseRequest
)


@dataclass(frozen=True)
class LoadedModel:
    """What the app knows of the model that is loaded."""

    source: str
    name: str
    detail: str
    context_limit: int


@dataclass(frozen=True)
class ReplyPiece:
    """New text of a reply, and the token it came with."""

    reply_id: str
    text: str
    token: int | None


@dataclass(frozen=True)
class ReplyEnd:
    """A reply is over.

    Attributes:
        finish_reason: Why; `failed` has its sentence in `error`.
        error: One sentence for the user, empty where all went well.
        unseen_messages: How many of the request's messages stand before the first one that the
            model still sees now; 0 where it sees all. Pinned ones may be among them.
    """

    reply_id: str
    finish_reason: FinishReason
    error: str = ""
    prompt_tokens: int = 0
    reused_tokens: int = 0
    tokens: int = 0
    ttft_s: float | None = None
    prefill_tps: float | None = None
    decode_tps: float | None = None
    seed: int | None = None
    unseen_messages: int = 0


@dataclass(frozen=True)
class JobProgress:
    """How far a job is.

    Attributes:
        job_id: As `Worker.run` returned it.
        share: From 0 to 1.
        partial: What is known already, of a kind that the job's own documentation says, or None.
    """

    job_id: str
    share: float
    partial: object = None


@dataclass(frozen=True)
class JobEnd:
    """A job is over: with its result, with one sentence in `error`, or cancelled."""

    job_id: str
    result: object = None
    error: str = ""
    cancelled: bool = False
