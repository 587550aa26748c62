"""ChatGPT's data export: conversations.json, trees of nodes with tools and pictures."""

from typing import Any, cast, get_args

from app.chats.assemble import RawChat, RawMessage
from app.chats.loose import as_key, as_list, as_mapping, as_seconds, as_text
from app.chats.model import Role


def read_chatgpt(data: object, name: str) -> list[RawChat]:
    """Read conversations, keeping what was said and counting the rest."""
    return [
        _chatgpt_chat(as_mapping(entry), f"{name}/{index}")
        for index, entry in enumerate(as_list(data) or [data])
    ]


def _chatgpt_chat(entry: dict[str, Any], name: str) -> RawChat:
    chat = RawChat(
        key=as_key(entry.get("conversation_id")) or as_key(entry.get("id")) or name,
        title=as_text(entry.get("title")) or "",
        created_at=as_seconds(entry.get("create_time")),
        updated_at=as_seconds(entry.get("update_time")),
        archived=entry.get("is_archived") is True,
        pinned=entry.get("is_starred") is True,
    )
    nodes = {key: as_mapping(node) for key, node in as_mapping(entry.get("mapping")).items()}
    parents = {key: as_key(node.get("parent")) for key, node in nodes.items()}
    kept: dict[str, RawMessage] = {}
    for key, node in nodes.items():
        message = _chatgpt_message(chat, key, as_mapping(node.get("message")))
        if message is not None:
            kept[key] = message
    for message in kept.values():
        message.parent = _nearest(parents.get(message.key), parents, kept)
    rank = {
        as_key(child): index
        for node in nodes.values()
        for index, child in enumerate(as_list(node.get("children")))
    }
    chat.messages = sorted(kept.values(), key=lambda message: rank.get(message.key, 0))
    chat.leaf = _nearest(as_key(entry.get("current_node")), parents, kept)
    return chat


def _nearest(
    key: str | None, parents: dict[str, str | None], kept: dict[str, RawMessage]
) -> str | None:
    """Return the key or the first one above it that is kept."""
    seen: set[str] = set()
    while key is not None and key not in kept and key not in seen:
        seen.add(key)
        key = parents.get(key)
    return key if key in kept else None


def _chatgpt_message(chat: RawChat, key: str, message: dict[str, Any]) -> RawMessage | None:
    role = as_mapping(message.get("author")).get("role")
    metadata = as_mapping(message.get("metadata"))
    if not message or metadata.get("is_visually_hidden_from_conversation") is True:
        return None
    if role not in get_args(Role) or message.get("recipient") not in (None, "all"):
        chat.left_out["use of a tool"] += 1
        return None
    text = _chatgpt_text(chat, as_mapping(message.get("content")))
    if not text.strip():
        return None
    return RawMessage(
        key=key,
        parent=None,
        role=cast("Role", role),
        text=text,
        created_at=as_seconds(message.get("create_time")),
        model=as_text(metadata.get("model_slug")) if role == "assistant" else None,
        state="stopped" if message.get("status") == "in_progress" else "complete",
    )


def _chatgpt_text(chat: RawChat, content: dict[str, Any]) -> str:
    kind = content.get("content_type")
    if kind in ("thoughts", "reasoning_recap"):
        chat.left_out["reasoning"] += 1
        return ""
    if kind in ("user_editable_context", "model_editable_context"):
        chat.left_out["custom instructions"] += 1
        return ""
    parts = as_list(content.get("parts")) or [content.get("text")]
    texts: list[str] = []
    for part in parts:
        text = as_text(part) if isinstance(part, str) else as_text(as_mapping(part).get("text"))
        if text is not None:
            texts.append(text)
        elif part is not None:
            chat.left_out["picture or file"] += 1
    return "\n\n".join(text for text in texts if text)
