"""Chats as files: Markdown, plain text, HTML, and JSON that comes back without loss."""

import dataclasses
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from PySide6.QtCore import QCoreApplication

from app.chats.attached import fenced
from app.chats.errors import StoreError
from app.chats.formats.own import FORMAT, VERSION
from app.chats.html import html_pieces
from app.chats.model import Archive, Chat, Message, Role, shortened
from app.chats.settings import settings_data
from app.chats.tree import Node, Tree

Format = Literal["markdown", "text", "html", "json"]
ENDINGS: dict[Format, str] = {"markdown": ".md", "text": ".txt", "html": ".html", "json": ".json"}

translate = QCoreApplication.translate


class _EndedError(Exception):
    """The user does not want the file any more."""


def export_chats(
    path: Path,
    form: Format,
    chat_ids: Sequence[str],
    read: Callable[[str], Archive | None],
    go_on: Callable[[int], bool] = lambda _: True,
) -> int:
    """Write chats into one file, which is there whole or not at all.

    Args:
        path: The file; an older one is replaced once the new one is complete.
        form: JSON takes whole trees, the others the branch that is shown.
        chat_ids: Which chats; those that are gone are left out.
        read: Store.archive, or what asks the store's thread for it: this may run on any thread.
        go_on: Told after each chat how many are written; False ends the work without a file.

    Returns:
        How many chats were written, 0 where the work was ended.

    Raises:
        StoreError: The file cannot be written, or the chats cannot be read.
    """
    count = 0

    def found() -> Iterator[Archive]:
        nonlocal count
        for chat_id in chat_ids:
            archive = read(chat_id)
            if archive is not None:
                yield archive
                count += 1
                if not go_on(count):
                    raise _EndedError

    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(exported(found(), form))
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except _EndedError:
        part.unlink(missing_ok=True)
        return 0
    except OSError as error:
        part.unlink(missing_ok=True)
        sentence = translate("Export", "{path} cannot be written ({reason}): choose another place.")
        reason = error.strerror or error
        raise StoreError(sentence.format(path=path, reason=reason)) from error
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return count


def exported(archives: Iterable[Archive], form: Format) -> Iterator[str]:
    """Return the text of a file with these chats, piece by piece."""
    makers: dict[Format, Callable[[Iterable[Archive]], Iterator[str]]] = {
        "markdown": _markdown,
        "text": _text,
        "json": _json,
        "html": lambda chats: html_pieces((chat, shown_branch(chat)) for chat in chats),
    }
    return makers[form](archives)


def shown_branch(archive: Archive) -> tuple[Message, ...]:
    """Return the messages from the first one to the leaf."""
    messages = {message.id: message for message in archive.messages}
    tree = Tree(
        Node(message.id, message.parent_id, message.position, message.shown, number)
        for number, message in enumerate(archive.messages)
    )
    return tuple(messages[one] for one in tree.path(archive.chat.leaf_id))


def _speakers() -> dict[Role, str]:
    """Who speaks, in the language of the window."""
    return {
        "system": translate("Export", "System"),
        "user": translate("Export", "You"),
        "assistant": translate("Export", "Assistant"),
    }


def _markdown(archives: Iterable[Archive]) -> Iterator[str]:
    speakers = _speakers()
    for number, archive in enumerate(archives):
        yield "\n---\n\n" if number else ""
        yield f"# {shortened(archive.chat.title, 400)}\n\n*{_day(archive.chat)}*\n"
        if archive.settings.system_prompt:
            yield f"\n## {speakers['system']}\n\n{archive.settings.system_prompt.strip()}\n"
        for message in shown_branch(archive):
            model = f" ({message.model})" if message.model else ""
            yield f"\n## {speakers[message.role]}{model}\n"
            for attachment in message.attachments:
                yield f"\n**{attachment.name}**\n\n{fenced(attachment)}\n"
            yield f"\n{message.text.strip()}\n"


def _text(archives: Iterable[Archive]) -> Iterator[str]:
    speakers = _speakers()
    for number, archive in enumerate(archives):
        yield f"\n{'=' * 72}\n\n" if number else ""
        yield f"{shortened(archive.chat.title, 400)}\n{_day(archive.chat)}\n"
        if archive.settings.system_prompt:
            yield f"\n{speakers['system']}:\n{archive.settings.system_prompt.strip()}\n"
        for message in shown_branch(archive):
            yield f"\n{speakers[message.role]}:\n"
            for attachment in message.attachments:
                yield f"[{attachment.name}]\n{attachment.text.rstrip()}\n\n"
            yield f"{message.text.strip()}\n"


def _json(archives: Iterable[Archive]) -> Iterator[str]:
    yield f'{{"format": "{FORMAT}", "version": {VERSION}, "chats": ['
    for number, archive in enumerate(archives):
        yield ",\n" if number else "\n"
        yield json.dumps(_chat_data(archive), ensure_ascii=False)
    yield "\n]}\n"


def _chat_data(archive: Archive) -> dict[str, Any]:
    return {
        **dataclasses.asdict(archive.chat),
        "settings": settings_data(archive.settings),
        "messages": [_message_data(message) for message in archive.messages],
    }


def _message_data(message: Message) -> dict[str, Any]:
    data = dataclasses.asdict(message)
    del data["chat_id"]
    return data


def _day(chat: Chat) -> str:
    return datetime.fromtimestamp(chat.created_at).astimezone().strftime("%Y-%m-%d %H:%M")
