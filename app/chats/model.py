"""What a chat is: a tree of messages, its shown branch, a reply's figures, a title."""

import re
import time
import unicodedata
import uuid
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QCoreApplication
from typing_extensions import override

from app.chats.settings import ChatSettings

Role = Literal["system", "user", "assistant"]
State = Literal["complete", "streaming", "stopped", "interrupted", "failed"]
TitledBy = Literal["question", "model", "user"]

TITLE_LENGTH = 48
PREVIEW_LENGTH = 120

_MARKS = re.compile(
    r"^\s*(```.*|~~~.*|#{1,6} |> ?|[*+-] |\|?(?:[ :-]*--[ :-]*\|)+[ :-]*$)|\*\*|`", re.MULTILINE
)
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*])")
_BARS = re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.MULTILINE)
_JOINER = "\u200d"


@dataclass(frozen=True)
class Figures:
    """How a reply went: counts of tokens, seconds, tokens per second.

    `thought_open` tells that the prompt had opened a thought, so that the text begins in it;
    `thought_s` and `thought_tokens` are those of the first thought.
    """

    prompt_tokens: int = 0
    reused_tokens: int = 0
    tokens: int = 0
    ttft_s: float | None = None
    prefill_tps: float | None = None
    decode_tps: float | None = None
    finish_reason: str | None = None
    thought_open: bool = False
    thought_s: float | None = None
    thought_tokens: int | None = None


@dataclass(frozen=True)
class Chat:
    """A tree of messages; its branch is the path from the root to `leaf_id`.

    Times are seconds since the epoch. `leaf_id` is None while the chat is empty. `titled_by`
    tells where the title came from: one that the user gave is nobody else's to change.
    """

    id: str
    title: str
    created_at: float
    updated_at: float
    leaf_id: str | None = None
    pinned: bool = False
    archived: bool = False
    titled_by: TitledBy = "question"


@dataclass(frozen=True)
class Attachment:
    """A file that goes with a question: what was read out of it, and its size on disk."""

    id: str
    name: str
    media_type: str
    size_bytes: int
    text: str = field(repr=False)


@dataclass(frozen=True)
class Message:
    """One message of a chat, with the exact token ids, figures and settings of a reply.

    `created_at` is in seconds since the epoch; `parent_id` is None at the root. Among versions
    (messages with one parent) `position` is the order, and the highest `shown` was looked at
    last; the store gives both.
    """

    id: str
    chat_id: str
    parent_id: str | None
    role: Role
    text: str
    state: State
    created_at: float
    model: str | None = None
    token_ids: tuple[int, ...] = field(default=(), repr=False)
    figures: Figures | None = None
    settings: ChatSettings | None = None
    attachments: tuple[Attachment, ...] = ()
    position: int = 0
    shown: int = 0


@dataclass(frozen=True)
class Version:
    """Where a message stands among its versions: `index` from 0, `ids` in order."""

    index: int
    ids: tuple[str, ...]

    @override
    def __str__(self) -> str:
        return f"{self.index + 1} of {len(self.ids)}"


@dataclass(frozen=True)
class OpenChat:
    """A chat with its branch; `versions` holds those of its messages that have others."""

    chat: Chat
    settings: ChatSettings
    messages: tuple[Message, ...]
    versions: dict[str, Version]


@dataclass(frozen=True)
class Archive:
    """A chat whole, as it is exported and imported: parents come before their children."""

    chat: Chat
    settings: ChatSettings
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class ChatSummary:
    """A chat as the list shows it: with the beginning of its last message, in one line."""

    chat: Chat
    preview: str


def untitled() -> str:
    """The title of a chat in which nothing was said yet."""
    return QCoreApplication.translate("Chats", "New chat")


def new_chat(title: str = "") -> Chat:
    """Return an empty chat with an id of its own, made now."""
    now = time.time()
    return Chat(id=new_id(), title=title or untitled(), created_at=now, updated_at=now)


def new_message(
    chat_id: str, parent_id: str | None, role: Role, text: str, *, model: str | None = None
) -> Message:
    """Return a complete message with an id of its own, made now."""
    return Message(new_id(), chat_id, parent_id, role, text, "complete", time.time(), model)


def new_reply(
    chat_id: str, parent_id: str | None, model: str, settings: ChatSettings | None = None
) -> Message:
    """Return an empty reply that is about to be streamed."""
    return Message(
        id=new_id(),
        chat_id=chat_id,
        parent_id=parent_id,
        role="assistant",
        text="",
        state="streaming",
        created_at=time.time(),
        model=model,
        settings=settings,
    )


def new_attachment(name: str, media_type: str, text: str, size_bytes: int) -> Attachment:
    """Return an attachment with an id of its own."""
    return Attachment(new_id(), name, media_type, size_bytes, text)


def new_id() -> str:
    """Return an id that nothing else has."""
    return uuid.uuid4().hex


def title_from(question: str) -> str:
    """Return a chat's title made from its first question: one line, cut between words."""
    lines = (shortened(line.lstrip("#>*-` \t"), TITLE_LENGTH) for line in question.splitlines())
    return next((line for line in lines if line), untitled())


def preview_of(text: str) -> str:
    """Return the beginning of a message as one line, without the marks of Markdown."""
    words = _BARS.sub(lambda row: row[0].replace("|", " "), _MARKS.sub("", text))
    words = _EMPHASIS.sub(r"\1", words)
    return shortened(words, PREVIEW_LENGTH)


def shortened(text: str, length: int) -> str:
    """Return the text as one line of at most `length` characters, the last an ellipsis if cut."""
    line = " ".join("".join(c if c.isprintable() or c == _JOINER else " " for c in text).split())
    if len(line) <= length:
        return line
    cut = length - 1
    while cut > 0 and _belongs_to_previous(line, cut):
        cut -= 1
    space = line.rfind(" ", length // 2, cut + 1)
    return line[: space if space > 0 else cut].rstrip(" ,;:.–—-") + "…"


def _belongs_to_previous(line: str, index: int) -> bool:
    """Tell whether a cut before `index` would tear a written character apart."""
    character = line[index]
    return (
        unicodedata.category(character) in ("Mn", "Me", "Mc")
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # skin tones
        or character == _JOINER
        or line[index - 1] == _JOINER
    )
