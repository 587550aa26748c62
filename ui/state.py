"""What the window shows: frozen values that the application hands over, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import datetime

MessageState = Literal["complete", "streaming", "stopped", "interrupted", "failed"]
ModelState = Literal["none", "loading", "ready", "failed"]
Phase = Literal["none", "loading", "prefill", "decode", "idle"]
MessageAction = Literal[
    "copy",
    "edit",
    "regenerate",
    "regenerate_with",
    "continue",
    "fork",
    "delete",
    "delete_below",
    "previous",
    "next",
    "tokens",
    "attention",
]
Queued = Literal["", "model", "reply"]
Deleted = Literal["message", "branch", "chat"]


@dataclass(frozen=True)
class ChatRow:
    """One line of the list of chats.

    Attributes:
        id: What `chat_selected` hands back.
        title: One line.
        preview: The beginning of the latest message, one line.
        day: The day of the latest message; chats are grouped by it.
        pinned: Whether it stands at the top whatever its day.
        archived: Whether it was put away.
    """

    id: str
    title: str
    preview: str
    day: datetime.date
    pinned: bool = False
    archived: bool = False


@dataclass(frozen=True)
class HitRow:
    """Where a search found something.

    Attributes:
        chat_id: In which chat.
        message_id: In which message; empty for a title.
        title: The chat's.
        snippet: The text around the hit in one line, or the title.
        marks: Beginning and end of each hit in the snippet, in code points.
    """

    chat_id: str
    message_id: str
    title: str
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class ImportRow:
    """A chat that could come in; `here` tells that it is here already."""

    id: str
    title: str
    messages: int
    day: datetime.date
    here: bool = False


@dataclass(frozen=True)
class ImportPreview:
    """What files with chats hold.

    Attributes:
        source: The program that wrote them.
        rows: The chats.
        left_out: What cannot come in: a title or a file's name, and why.
        lacking: What the chats lack here, such as pictures, and how many.
    """

    source: str
    rows: tuple[ImportRow, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    lacking: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class ImportDone:
    """How many chats and messages came in, and what did not and why."""

    chats: int
    messages: int
    left_out: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class AttachmentView:
    """A file that goes with a question.

    Attributes:
        id: What `attachment_removed` hands back.
        name: Its own.
        detail: A short fact, as in "12.4 KiB".
        reading: Whether it is still being read.
    """

    id: str
    name: str
    detail: str = ""
    reading: bool = False


@dataclass(frozen=True)
class BudgetView:
    """What the question that is being written makes of the chat's prompt. Counts are tokens.

    Attributes:
        tokens: Of the whole prompt.
        limit: What the model sees at once.
        reused: Of the prompt, what need not be computed again.
        leaving_messages: How many earlier messages the model will not see any more.
        problem: Why the question cannot be asked, in one sentence; empty where it can.
        can_forget: Whether it could be asked if the chat forgot its oldest messages.
        cache_is_other: Whether the cache holds another branch of the chat than the shown one.
    """

    tokens: int
    limit: int
    reused: int = 0
    leaving_messages: int = 0
    problem: str = ""
    can_forget: bool = False
    cache_is_other: bool = False


@dataclass(frozen=True)
class MessageView:
    """One message of the transcript.

    Attributes:
        id: Names the message in `append_text` and `update_message`.
        role: Who speaks.
        text: The whole text so far; replies are Markdown, the user's words are plain.
        state: How the message ended, or that it is still growing.
        caption: A line of figures under a reply, parts separated by " · ".
        thought_open: Whether the prompt has opened a thought, so that the reply begins in it.
        thought_s: How long the reply's first thought took; None where only the window knows.
        thought_tokens: How many tokens it has; None where that was not counted.
        version: Which of its versions this is, from 1.
        versions: How many there are.
        can_continue: Whether a reply was cut off and can go on.
        queued: What a reply waits for before its first word: the model, or another reply.
    """

    id: str
    role: Literal["user", "assistant"]
    text: str
    state: MessageState = "complete"
    caption: str = ""
    thought_open: bool = False
    thought_s: float | None = None
    thought_tokens: int | None = None
    version: int = 1
    versions: int = 1
    can_continue: bool = False
    attachments: tuple[AttachmentView, ...] = ()
    queued: Queued = ""


@dataclass(frozen=True)
class ModelView:
    """The model that is there, is coming, or could not be loaded.

    Attributes:
        name: For people, as in "SmolLM2 135M".
        detail: A few short facts, as in "4-bit · 8k".
        state: Whether it can answer.
        progress: How much of it is loaded, 0 to 1; None where that is unknown.
        message: Why it could not be loaded; of one that is ready, what differs from what it says.
    """

    name: str = ""
    detail: str = ""
    state: ModelState = "none"
    progress: float | None = None
    message: str = ""


@dataclass(frozen=True)
class ModelChoice:
    """A model that can be opened from the palette.

    Attributes:
        source: What `model_open_requested` carries.
        name: For people.
    """

    source: str
    name: str


@dataclass(frozen=True)
class ContextSpans:
    """Which tokens of a session the model sees; position 0 is the first of the prompt.

    Attributes:
        length: Tokens of the whole sequence.
        pinned: The first so many are never evicted.
        oldest: Those from `pinned` up to this position are evicted.
        turn_start: Those from here on were computed in this turn, not reused.
        window: How many recent tokens are seen; None where all are.
        kv_bits: Bits per cached value where the cache is quantised.
    """

    length: int = 0
    pinned: int = 0
    oldest: int = 0
    turn_start: int = 0
    window: int | None = None
    kv_bits: int | None = None


@dataclass(frozen=True)
class ReuseView:
    """What of the last prompt was reused, and where and why that stopped.

    Attributes:
        reason: One sentence.
        common_text: The end of what both have in common.
        held_text: How the cache went on, where it differs.
        prompt_text: How the prompt goes on.
    """

    reason: str = ""
    common_text: str = ""
    held_text: str = ""
    prompt_text: str = ""


@dataclass(frozen=True)
class Telemetry:
    """The figures of the inspector at one moment.

    Counts are tokens, `_tps` tokens per second, `_s` seconds, `_bytes` bytes. None stands for
    a figure that is not known (yet); zero is a measured zero.

    Attributes:
        read_weight_bytes: Weights that one decoded token reads.
        bandwidth: Bytes per second that the device's memory is sold with, least and most.
        process_bytes: Memory of the whole process, as the system counts it.
    """

    phase: Phase = "none"
    load_progress: float | None = None
    prefill_done: int = 0
    prefill_total: int = 0
    prefill_tps: float | None = None
    decode_tps: float | None = None
    ttft_s: float | None = None
    reused_tokens: int = 0
    prompt_tokens: int = 0
    context_tokens: int = 0
    context_limit: int = 0
    kv_used_bytes: int = 0
    kv_allocated_bytes: int = 0
    kv_formula_bytes: int = 0
    layers: int = 0
    kv_heads: int = 0
    head_dim: int = 0
    bytes_per_value: float = 0
    weights_bytes: int = 0
    active_bytes: int = 0
    peak_bytes: int = 0
    cached_bytes: int = 0
    memory_limit_bytes: int | None = None
    read_weight_bytes: int | None = None
    bandwidth: tuple[float, float] | None = None
    process_bytes: int = 0
    spans: ContextSpans = ContextSpans()
    reuse: ReuseView = ReuseView()


@dataclass(frozen=True)
class LayerView:
    """What one layer of the cache holds: tokens, and bytes used and allocated."""

    tokens: int
    used_bytes: int
    allocated_bytes: int


@dataclass(frozen=True)
class AlternativeView:
    """A token that could have come.

    Attributes:
        token: Its id.
        text: Shown alone.
        probability: As the model says, 0 to 1.
        drawn: After penalties, filters and temperature: 0 where the sampler removed it; None
            while that is not known.
    """

    token: int
    text: str
    probability: float
    drawn: float | None


@dataclass(frozen=True)
class TokenView:
    """One token of a reply.

    Attributes:
        token: Its id.
        text: Shown alone; "" where another token has the character that both are part of.
        control: Whether it is a control token.
        probability: As the model says, 0 to 1.
        entropy: How undecided the model was, in bits; None while that is not known.
        rank: 1 where it is the most likely one; None where it is behind all alternatives and its
            place is not known.
        alternatives: The most likely tokens, the likeliest first.
    """

    token: int
    text: str
    control: bool
    probability: float
    entropy: float | None
    rank: int | None
    alternatives: tuple[AlternativeView, ...]


@dataclass(frozen=True)
class TokensView:
    """A reply as tokens.

    Attributes:
        message_id: Of the reply.
        model: That it was looked at with; another one may have written it.
        tokens: In order.
        mean_nll: Of them, in nats per token.
        unseen: How many came before these, where the reply is long and still being written.
        live: Whether the reply is still being written.
    """

    message_id: str
    model: str
    tokens: tuple[TokenView, ...]
    mean_nll: float
    unseen: int = 0
    live: bool = False
