"""How an attachment stands in a prompt and in an exported chat: its name, then its text, fenced."""

import re
from functools import lru_cache

from app.chats.model import Attachment, Message


@lru_cache(maxsize=64)  # the prompt is made anew while a question to it is written
def fenced(attachment: Attachment) -> str:
    """Return the text of an attachment between fences that are longer than any within."""
    ticks = max((len(run) for run in re.findall("`+", attachment.text)), default=0)
    fence = "`" * max(3, ticks + 1)
    return f"{fence}\n{attachment.text.rstrip()}\n{fence}"


def spoken_text(message: Message) -> str:
    """Return what a message says to the model: its attachments first, then its words.

    A document that comes first is the same beginning for every question about it.
    """
    parts = [f"File: {_one_line(one.name)}\n{fenced(one)}" for one in message.attachments]
    return "\n\n".join([*parts, message.text] if message.text.strip() or not parts else parts)


def _one_line(name: str) -> str:
    return " ".join(name.split())
