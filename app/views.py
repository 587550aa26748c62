"""What is stored, as the window shows it and as a chat template takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.chats.attached import spoken_text
from ui import figures as written
from ui.counts import Counts
from ui.state import AttachmentView, MessageView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.chats.model import Attachment, Message, Version
    from ui.state import Queued

_CUT_OFF = ("stopped", "interrupted", "failed")


def message_view(
    message: Message, version: Version | None = None, queued: Queued = ""
) -> MessageView:
    """Return a message as the transcript shows it.

    Args:
        message: As it is now.
        version: Where it stands among its versions, where it has some.
        queued: What a reply waits for before the engine turns to it.
    """
    figures = message.figures
    return MessageView(
        id=message.id,
        role="assistant" if message.role == "assistant" else "user",
        text=message.text,
        state=message.state,
        caption=_caption(message),
        version=1 if version is None else version.index + 1,
        versions=1 if version is None else len(version.ids),
        can_continue=is_cut_off(message),
        thought_open=figures is not None and figures.thought_open,
        thought_s=None if figures is None else figures.thought_s,
        thought_tokens=None if figures is None else figures.thought_tokens,
        queued=queued,
        attachments=tuple(attachment_view(one) for one in message.attachments),
    )


def attachment_view(attachment: Attachment) -> AttachmentView:
    """Return a file that goes with a question as a chip shows it."""
    return AttachmentView(attachment.id, attachment.name, written.size(attachment.size_bytes))


def is_cut_off(message: Message) -> bool:
    """Tell whether a reply ended before the model had ended it."""
    if message.role != "assistant" or not message.text:
        return False
    figures = message.figures
    at_limit = figures is not None and figures.finish_reason == "length"
    return message.state in _CUT_OFF or (message.state == "complete" and at_limit)


def conversation(messages: Sequence[Message]) -> tuple[list[dict[str, str]], list[str]]:
    """Return messages as a chat template takes them, without empty replies.

    Questions that follow each other, because a reply was stopped before its first word, become
    one: many templates refuse them otherwise.

    Returns:
        Dictionaries with `role` and `content`, and the id of the first message in each.
    """
    spoken: list[dict[str, str]] = []
    ids: list[str] = []
    for message in messages:
        if not message.text and message.role == "assistant":
            continue
        text = spoken_text(message)
        if spoken and spoken[-1]["role"] == message.role:
            spoken[-1]["content"] += f"\n\n{text}"
        else:
            spoken.append({"role": message.role, "content": text})
            ids.append(message.id)
    return spoken, ids


def _caption(message: Message) -> str:
    figures = message.figures
    if message.role != "assistant" or figures is None or message.state == "streaming":
        return ""
    translate = QCoreApplication.translate
    parts = [message.model or ""]
    if figures.decode_tps is not None:
        speed = translate("Message", "{speed} tokens/s")
        parts.append(speed.format(speed=written.decimal(figures.decode_tps, 1)))
    if figures.ttft_s is not None:
        first = translate("Message", "{seconds} to first token")
        parts.append(first.format(seconds=written.seconds(figures.ttft_s)))
    if figures.tokens:
        parts.append(Counts().tokens(figures.tokens))
    if figures.reused_tokens:
        reused = translate("Message", "{reused} of {prompt} reused")
        parts.append(
            reused.format(
                reused=written.count(figures.reused_tokens),
                prompt=written.count(figures.prompt_tokens),
            )
        )
    return " · ".join(part for part in parts if part)
