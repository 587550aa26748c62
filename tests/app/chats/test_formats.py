"""Files of other programs become chats: trees, versions, attachments, what is left out."""

from collections import Counter

import pytest

from app.chats.assemble import assemble
from app.chats.export import shown_branch
from app.chats.formats import recognise
from app.chats.model import Archive, Figures
from tests.app.chats.samples import CHATGPT, LM_STUDIO, OPEN_WEBUI


def _read(data: object) -> tuple[str | None, list[Archive], Counter[str]]:
    recognised = recognise(data)
    assert recognised is not None
    source, reader = recognised
    raw = reader(data, "file")
    archives = [assemble(chat, source) for chat in raw]
    return source, archives, sum((chat.left_out for chat in raw), Counter[str]())


def _texts(archive: Archive) -> list[str]:
    return [message.text for message in shown_branch(archive)]


def test_chatgpt() -> None:
    source, (chat, empty), left_out = _read(CHATGPT)
    assert source == "ChatGPT"
    assert (chat.chat.title, chat.chat.created_at) == ("Colours", 1_700_000_000.0)
    assert _texts(chat) == ["Name a colour.", "Red.", "And this?"]
    versions = [message for message in chat.messages if message.role == "assistant"]
    assert [(message.text, message.position) for message in versions] == [("Red.", 0), ("Blue.", 1)]
    assert {message.model for message in versions} == {"gpt-4o"}
    assert left_out == {"use of a tool": 1, "reasoning": 1, "picture or file": 1}
    assert empty.messages == ()


def test_open_webui() -> None:
    source, (chat,), left_out = _read(OPEN_WEBUI)
    assert source == "Open WebUI"
    assert (chat.chat.pinned, chat.chat.archived) == (True, True)
    assert chat.settings.system_prompt == "Be green."
    assert _texts(chat) == ["Name a tree.", "Oak."]
    assert [m.text for m in sorted(chat.messages[1:], key=lambda m: m.position)] == ["Oak.", "Elm."]
    (attachment,) = chat.messages[0].attachments
    assert (attachment.name, attachment.text, attachment.size_bytes) == ("trees.txt", "oak", 3)
    assert {m.text: m.state for m in chat.messages}["Elm."] == "stopped"
    assert left_out == {"picture or file": 1}
    assert _read(OPEN_WEBUI[0]["chat"])[1][0].messages[0].text == "Name a tree."


def test_lm_studio() -> None:
    source, (chat,), left_out = _read(LM_STUDIO)
    assert source == "LM Studio"
    assert (chat.chat.title, chat.settings.system_prompt) == ("Stones", "Be hard.")
    assert _texts(chat) == ["Name a stone.", "<think>\nHmm.\n</think>\n\nChalk.", "?"]
    chalk = shown_branch(chat)[1]
    assert (chalk.model, chalk.position) == ("qwen3-4b", 1)
    assert chalk.figures == Figures(12, 0, 3, 0.25, None, 40.5)
    assert {message.text for message in chat.messages} >= {"Flint."}
    assert left_out == {"picture or file": 1, "use of a tool": 1}


def test_the_same_file_gives_the_same_ids() -> None:
    for data in (CHATGPT, OPEN_WEBUI, LM_STUDIO):
        assert _read(data)[1][0].chat == _read(data)[1][0].chat
        assert _read(data)[1][0].messages[-1].id == _read(data)[1][0].messages[-1].id


@pytest.mark.parametrize("data", [None, 1, "x", [], {}, [[]], {"chats": []}, {"messages": [1]}])
def test_other_json_is_not_recognised(data: object) -> None:
    assert recognise(data) is None
