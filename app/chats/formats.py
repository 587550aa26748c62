"""What files of chats look like: our own, ChatGPT's, Open WebUI's and LM Studio's.

Nothing in a file is trusted: every value is looked at, and what is not understood is counted.
"""

from collections.abc import Callable
from typing import Any, cast, get_args

from app.chats.assemble import RawChat, RawMessage
from app.chats.loose import as_key, as_list, as_mapping, as_number, as_seconds, as_text
from app.chats.model import Attachment, Figures, Role, State, TitledBy, new_id
from app.chats.rows import are_token_ids, figures_of
from app.chats.settings import ChatSettings, settings_of

FORMAT = "cutaway-chats"
VERSION = 1
_SIZE_LIMIT = 1 << 62

Reader = Callable[[object, str], list[RawChat]]


def recognise(data: object) -> tuple[str | None, Reader] | None:
    """Return the name of the program that wrote parsed JSON (None: this one) and its reader."""
    first = as_list(data)[:1] or [data]
    chat = as_mapping(first[0])
    if as_mapping(data).get("format") == FORMAT:
        return None, read_own
    if isinstance(chat.get("mapping"), dict):
        return "ChatGPT", read_chatgpt
    if "history" in as_mapping(chat.get("chat")) or "history" in chat:
        return "Open WebUI", read_open_webui
    if any("versions" in as_mapping(one) for one in as_list(chat.get("messages"))):
        return "LM Studio", read_lm_studio
    return None


def read_own(data: object, name: str) -> list[RawChat]:
    """Read what app/chats/export.py writes."""
    chats: list[RawChat] = []
    for index, entry in enumerate(map(as_mapping, as_list(as_mapping(data).get("chats")))):
        by = entry.get("titled_by")
        chat = RawChat(
            key=as_key(entry.get("id")) or f"{name}/{index}",
            title=as_text(entry.get("title")) or "",
            created_at=as_number(entry.get("created_at")),
            updated_at=as_number(entry.get("updated_at")),
            leaf=as_key(entry.get("leaf_id")),
            pinned=entry.get("pinned") is True,
            archived=entry.get("archived") is True,
            titled_by=cast("TitledBy", by) if by in get_args(TitledBy) else "user",
            settings=settings_of(entry.get("settings")),
        )
        for number, message in enumerate(map(as_mapping, as_list(entry.get("messages")))):
            _add_own(chat, message, number)
        chats.append(chat)
    return chats


def _add_own(chat: RawChat, entry: dict[str, Any], number: int) -> None:
    role, text, state = entry.get("role"), as_text(entry.get("text")), entry.get("state")
    if role not in get_args(Role) or text is None:
        chat.left_out["message without a speaker or words"] += 1
        return
    shown = as_number(entry.get("shown"))
    settings, token_ids = entry.get("settings"), entry.get("token_ids")
    chat.messages.append(
        RawMessage(
            key=as_key(entry.get("id")) or f"#{number}",
            parent=as_key(entry.get("parent_id")),
            role=cast("Role", role),
            text=text,
            created_at=as_number(entry.get("created_at")),
            model=as_text(entry.get("model")),
            state=cast("State", state) if state in get_args(State) else "complete",
            token_ids=tuple(cast("list[int]", token_ids)) if are_token_ids(token_ids) else (),
            figures=figures_of(entry.get("figures")),
            settings=settings_of(cast("object", settings)) if isinstance(settings, dict) else None,
            attachments=tuple(
                attachment
                for one in as_list(entry.get("attachments"))
                if (attachment := _own_attachment(as_mapping(one))) is not None
            ),
            shown=int(shown) if shown is not None and abs(shown) < 1 << 31 else 0,
        )
    )


def _own_attachment(entry: dict[str, Any]) -> Attachment | None:
    text = as_text(entry.get("text"))
    if text is None:
        return None
    return Attachment(
        id=as_key(entry.get("id")) or new_id(),
        name=as_text(entry.get("name")) or "attachment",
        media_type=as_text(entry.get("media_type")) or "text/plain",
        size_bytes=_size(entry.get("size_bytes"), text),
        text=text,
    )


def _size(data: object, text: str) -> int:
    number = as_number(data)
    if number is None or not 0 <= number < _SIZE_LIMIT:
        return len(text.encode("utf-8", "replace"))
    return int(number)


def read_chatgpt(data: object, name: str) -> list[RawChat]:
    """Read conversations.json of ChatGPT's data export: trees of nodes, with tools and pictures."""
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


def read_open_webui(data: object, name: str) -> list[RawChat]:
    """Read Open WebUI's export: a list of chats, each with its tree under `chat.history`."""
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
        size_bytes=_size(meta.get("size"), text),
        text=text,
    )


def read_lm_studio(data: object, name: str) -> list[RawChat]:
    """Read LM Studio's *.conversation.json: a row of messages, each in one or more versions."""
    return [
        _lm_studio_chat(as_mapping(entry), f"{name}/{index}")
        for index, entry in enumerate(as_list(data) or [data])
    ]


def _lm_studio_chat(entry: dict[str, Any], name: str) -> RawChat:
    fields = as_list(as_mapping(entry.get("perChatPredictionConfig")).get("fields"))
    prompts = [
        as_text(one.get("value"))
        for one in map(as_mapping, fields)
        if one.get("key") == "llm.prediction.systemPrompt"
    ]
    prompt = as_text(entry.get("systemPrompt")) or next(iter(prompts), None)
    created = as_seconds(entry.get("createdAt"))
    chat = RawChat(
        # The file has no id: when it was made, and its name where even that is missing.
        key=name if created is None else str(created),
        title=as_text(entry.get("name")) or "",
        created_at=created,
        updated_at=as_seconds(entry.get("assistantLastMessagedAt")),
        pinned=entry.get("pinned") is True,
        settings=ChatSettings(system_prompt=prompt or ""),
    )
    above: str | None = None
    for number, message in enumerate(map(as_mapping, as_list(entry.get("messages")))):
        chosen = as_number(message.get("currentlySelected")) or 0
        added = [
            _add_lm_studio(chat, f"{number}.{index}", above, as_mapping(version))
            for index, version in enumerate(as_list(message.get("versions")))
        ]
        kept = [key for key in added if key is not None]
        shown = added[int(chosen)] if 0 <= chosen < len(added) else None
        above = shown or (kept[-1] if kept else above)
    chat.leaf = above
    return chat


def _add_lm_studio(
    chat: RawChat, key: str, above: str | None, version: dict[str, Any]
) -> str | None:
    role = version.get("role")
    steps = [as_mapping(step) for step in as_list(version.get("steps"))] or [version]
    texts: list[str] = []
    figures: Figures | None = None
    model: str | None = None
    for step in steps:
        if step.get("type") in ("contentBlock", "singleStep", None):
            texts.append(_lm_studio_text(chat, step))
        elif step.get("type") != "debugInfoBlock":
            chat.left_out["use of a tool"] += 1
        info = as_mapping(step.get("genInfo"))
        model = as_text(info.get("identifier")) or model
        figures = _lm_studio_figures(as_mapping(info.get("stats"))) or figures
    text = "\n\n".join(text for text in texts if text)
    if role not in get_args(Role) or not text:
        chat.left_out["message without a speaker or words"] += 1
        return None
    sender = as_text(as_mapping(version.get("senderInfo")).get("senderName"))
    said = RawMessage(key, above, cast("Role", role), text)
    if role == "assistant":
        said.model, said.figures = model or sender, figures
    chat.messages.append(said)
    return key


def _lm_studio_text(chat: RawChat, step: dict[str, Any]) -> str:
    content = step.get("content")
    if isinstance(content, str):
        return content
    texts: list[str] = []
    for part in map(as_mapping, as_list(content)):
        text = as_text(part.get("text"))
        if part.get("type") != "text" or text is None:
            chat.left_out["picture or file"] += 1
        elif part.get("isStructural") is not True:  # a tag around thoughts, put back below
            texts.append(text)
    joined = "\n".join(texts)
    if as_mapping(step.get("style")).get("type") == "thinking" and joined:
        return f"<think>\n{joined}\n</think>"
    return joined


def _lm_studio_figures(stats: dict[str, Any]) -> Figures | None:
    if not stats:
        return None
    return Figures(
        prompt_tokens=int(as_number(stats.get("promptTokensCount")) or 0),
        tokens=int(as_number(stats.get("predictedTokensCount")) or 0),
        ttft_s=as_number(stats.get("timeToFirstTokenSec")),
        decode_tps=as_number(stats.get("tokensPerSecond")),
    )
