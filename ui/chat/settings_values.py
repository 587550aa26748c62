"""What the settings of a chat are made of, as the window shows them and tells of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ui.fields import Value

ShelfAction = Literal["use", "save", "rename", "delete", "make_usual"]


@dataclass(frozen=True)
class ShelfItem:
    """Something on a shelf."""

    id: str
    name: str


@dataclass(frozen=True)
class ShelfChange:
    """What the user wants done.

    Attributes:
        action: "save" puts what is in use on the shelf under `name`, over one of that name;
            "make_usual" takes it for what begins from now on, the usual one where `id` is empty.
        id: Of which item; empty for a new one.
        name: The new name of an item that is saved or renamed.
    """

    action: ShelfAction
    id: str = ""
    name: str = ""


@dataclass(frozen=True)
class ChatSettingsView:
    """What the window shows.

    Attributes:
        title: The chat's.
        values: By the names of the fields.
        presets: The user's presets.
        preset: The id of the one whose values these are; empty for none.
        usual_preset: The id of the one that new chats begin with; empty for none.
        prompts: The user's system prompts.
        prompt: The id of the one that is in use; empty for none.
        for_reply: Whether the values are for one reply that is written again, not for the chat.
    """

    title: str = ""
    values: Mapping[str, Value] = field(default_factory=dict[str, "Value"])
    presets: tuple[ShelfItem, ...] = ()
    preset: str = ""
    usual_preset: str = ""
    prompts: tuple[ShelfItem, ...] = ()
    prompt: str = ""
    for_reply: bool = False
