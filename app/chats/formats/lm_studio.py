"""LM Studio's *.conversation.json: a row of messages, each in one or more versions."""

from typing import Any, cast, get_args

from app.chats.assemble import RawChat, RawMessage
from app.chats.loose import as_list, as_mapping, as_number, as_seconds, as_text
from app.chats.model import Figures, Role
from app.chats.settings import ChatSettings


def read_lm_studio(data: object, name: str) -> list[RawChat]:
    """Read one conversation, or a list of them."""
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
