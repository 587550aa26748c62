"""Our own JSON, which app/chats/export.py writes: whole trees that come back without loss."""

from typing import Any, cast, get_args

from app.chats.assemble import RawChat, RawMessage
from app.chats.loose import as_key, as_list, as_mapping, as_number, as_text, size_of
from app.chats.model import Attachment, Role, State, TitledBy, new_id
from app.chats.rows import are_token_ids, figures_of
from app.chats.settings import settings_of

FORMAT = "cutaway-chats"
VERSION = 1


def read_own(data: object, name: str) -> list[RawChat]:
    """Read chats as this program exports them."""
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
                if (attachment := attachment_of(as_mapping(one))) is not None
            ),
            shown=int(shown) if shown is not None and abs(shown) < 1 << 31 else 0,
        )
    )


def attachment_of(entry: dict[str, Any]) -> Attachment | None:
    """Return an attachment as this program writes it, None where it holds no text."""
    text = as_text(entry.get("text"))
    if text is None:
        return None
    return Attachment(
        id=as_key(entry.get("id")) or new_id(),
        name=as_text(entry.get("name")) or "attachment",
        media_type=as_text(entry.get("media_type")) or "text/plain",
        size_bytes=size_of(entry.get("size_bytes"), text),
        text=text,
    )
