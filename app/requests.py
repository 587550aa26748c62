"""What the engine's thread is asked and what it answers: frozen values that cross threads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from app.chats.settings import ContextSettings, ReplySettings, SamplingSettings
from app.library.settings import LoadSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from app.jobs.workbench import Workbench
    from ui.state import TokenView

TELL_EVERY_S = 0.1
"""How often figures and shares that change all the time leave the engine's thread, at most."""

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
        sampling: How tokens are chosen.
        limits: Where the reply ends, and what form it has.
        context: What the model keeps of the chat.
        continues: Whether the last of `messages` is the beginning of the reply, to be gone on with.
        written: The exact token ids of that beginning; where they are not known, or another
            model's, its text is encoded.
        private: Whether nothing of the chat may reach the disk.
        source: The model that has to answer; empty where any may that is loaded.
        logprobs: How many alternatives each piece carries; 0 computes none.
    """

    reply_id: str
    chat_id: str
    messages: Sequence[Mapping[str, str]]
    sampling: SamplingSettings = field(default_factory=SamplingSettings)
    limits: ReplySettings = field(default_factory=ReplySettings)
    context: ContextSettings = field(default_factory=ContextSettings)
    continues: bool = False
    written: tuple[int, ...] = ()
    private: bool = False
    source: str = ""
    logprobs: int = 0


@dataclass(frozen=True)
class CountRequest:
    """Count what a question would make of a chat's prompt, before it is asked.

    Attributes:
        count_id: Comes back with the answer.
        chat_id: Names the session that would be reused.
        messages: As for a reply; the last one is the question that is being written.
        context: What the model keeps of the chat.
        answered: How many of the messages were there before; the question is among the rest.
    """

    count_id: int
    chat_id: str
    messages: Sequence[Mapping[str, str]]
    context: ContextSettings
    answered: int


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
    | CountRequest
    | MeasureRequest
    | ForgetRequest
    | JobRequest
    | CloseRequest
)


@dataclass(frozen=True)
class LoadedModel:
    """What the app knows of the model that is loaded.

    Attributes:
        source: What it was loaded from.
        name: For people.
        detail: A few short facts, as in "4-bit · 8k".
        context_limit: Tokens it was trained for.
        settings: How it was loaded, and how its chats begin.
        notes: Sentences on what differs here from the model's own description.
    """

    source: str
    name: str
    detail: str
    context_limit: int
    settings: LoadSettings = field(default_factory=LoadSettings)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReplyBegin:
    """The engine has turned to a reply.

    Attributes:
        reply_id: Which.
        thought_open: Whether the chat template has opened a thought, so that it begins in one.
    """

    reply_id: str
    thought_open: bool = False


@dataclass(frozen=True)
class ReplyPiece:
    """New text of a reply, and the token it came with.

    Attributes:
        told: The token with how likely it and others were, where the request asked for them.
    """

    reply_id: str
    text: str
    token: int | None
    told: TokenView | None = None


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
class Count:
    """What a question would make of a chat's prompt. Counts are tokens unless they say otherwise.

    Attributes:
        count_id: As it was asked.
        tokens: Of the whole prompt.
        reused: Of these, what the session holds already.
        limit: What the model sees at once: its context, or the pinned tokens and the window.
        rotates: Whether the oldest make room; otherwise the chat ends at the limit.
        unseen_messages: How many of the answered messages stand before the first one that the
            model still sees as long as nothing more is asked; 0 where it sees all.
        leaving_messages: How many more it would not see any more with the question.
        problem: Why the question would be refused, in one sentence; empty where it would not.
    """

    count_id: int
    tokens: int = 0
    reused: int = 0
    limit: int = 0
    rotates: bool = True
    unseen_messages: int = 0
    leaving_messages: int = 0
    problem: str = ""


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
