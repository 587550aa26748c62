"""What files of chats look like: our own, ChatGPT's, Open WebUI's and LM Studio's.

Nothing in a file is trusted: every value is looked at, and what is not understood is counted.
"""

from collections.abc import Callable

from app.chats.assemble import RawChat
from app.chats.formats.chatgpt import read_chatgpt
from app.chats.formats.lm_studio import read_lm_studio
from app.chats.formats.open_webui import read_open_webui
from app.chats.formats.own import FORMAT, read_own
from app.chats.loose import as_list, as_mapping

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
