"""Open WebUI's export: a list of chats, each with its tree under `chat.history`."""

from typing import Any, cast, get_args

from app.chats.assemble import RawChat, RawMessage
from app.chats.loose import as_key, as_list, as_mapping, as_seconds, as_text, size_of
from app.chats.model import Attachment, Role, new_id
from app.chats.settings import ChatSettings


def read_open_webui(data: object, name: str) -> list[RawChat]:
    """Read a list of chats, or one chat."""
    return [
        _open_webui_chat(as_mapping(entry), f"{name}/{index}")
        for index, entry in enumerate(as_list(data) or [data])
    ]


def _open_webui_chat(entry: dict[str, Any], name: str) -> RawChat:
    inner = as_mapping(entry.get("chat")) or entry
    history = as_mapping(inner.get("history"))
    prompt = as_text(as_mapping(inner.get("params")).get("system")) or as_text(inner.get("system"))
    chat = RawChat(
        key=as_key(entry.get("id")) or as_key(inner.get("id")) or name,
        title=as_text(entry.get("title")) or as_text(inner.get("title")) or "",
        created_at=as_seconds(entry.get("created_at")) or as_seconds(inner.get("timestamp")),
        updated_at=as_seconds(entry.get("updated_at")),
        leaf=as_key(history.get("currentId")),
        pinned=entry.get("pinned") is True,
        archived=entry.get("archived") is True,
        settings=ChatSettings(system_prompt=prompt or ""),
    )
    rank: dict[str | None, int] = {}
    for key, message in as_mapping(history.get("messages")).items():
        children = as_list(as_mapping(message).get("childrenIds"))
        rank.update({as_key(child): index for index, child in enumerate(children)})
        _add_open_webui(chat, key, as_mapping(message))
    chat.messages.sort(key=lambda message: rank.get(message.key, 0))
    return chat


def _add_open_webui(chat: RawChat, key: str, message: dict[str, Any]) -> None:
    role, content = message.get("role"), message.get("content")
    if role not in get_args(Role):
        chat.left_out["message without a speaker or words"] += 1
        return
    text = as_text(content)
    if text is None:
        parts = [as_text(as_mapping(part).get("text")) for part in as_list(content)]
        chat.left_out["picture or file"] += parts.count(None)
        text = "\n\n".join(part for part in parts if part is not None)
    attachments: list[Attachment] = []
    for one in map(as_mapping, as_list(message.get("files"))):
        attachment = _open_webui_file(one)
        if attachment is None:
            chat.left_out["picture or file"] += 1
        else:
            attachments.append(attachment)
    chat.messages.append(
        RawMessage(
            key=key,
            parent=as_key(message.get("parentId")),
            role=cast("Role", role),
            text=text,
            created_at=as_seconds(message.get("timestamp")),
            model=as_text(message.get("model")) if role == "assistant" else None,
            state="stopped" if message.get("done") is False else "complete",
            attachments=tuple(attachments),
        )
    )


def _open_webui_file(entry: dict[str, Any]) -> Attachment | None:
    file = as_mapping(entry.get("file"))
    text = as_text(as_mapping(file.get("data")).get("content"))
    if not text:
        return None
    meta = as_mapping(file.get("meta"))
    return Attachment(
        id=new_id(),
        name=as_text(entry.get("name")) or as_text(file.get("filename")) or "attachment",
        media_type=as_text(meta.get("content_type")) or "text/plain",
        size_bytes=size_of(meta.get("size"), text),
        text=text,
    )
