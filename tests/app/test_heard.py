"""What the model hears: all of the chat, after a restart too, and when a reply is written again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

import engine
from app.chats.model import new_chat, new_message, new_reply
from app.chats.settings import ChatSettings
from app.chats.store import Store
from tests.app.test_versions import act, ask_and_stop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.app.driving import Driver


@pytest.mark.slow
def test_a_chat_that_is_read_again_is_heard_whole(
    drive: Callable[..., Driver], talker: Path, tmp_path: Path
) -> None:
    chat = new_chat("read again")
    question = new_message(chat.id, None, "user", "hello")
    reply = new_reply(chat.id, question.id, "talker")
    path = tmp_path / "data" / "chats.sqlite3"
    store = Store(path)
    store.create_chat(chat, ChatSettings(system_prompt="Be brief."))
    store.add_message(question)
    store.add_message(reply)
    store.save_reply(reply.id, "so it is", "complete")
    store.close()
    app = drive(talker)
    app.until_ready()
    app.choose("read again")
    app.until(lambda: app.words == ["hello", "so it is"])
    first = ask_and_stop(app, "and now?")
    act(app, 3, "regenerate")
    app.until(lambda: app.busy and len(app.reply) > 20 and app.reply != first)
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)
    app.close()
    said = [
        ("system", "Be brief."), ("user", "hello"), ("assistant", "so it is"), ("user", "and now?"),
    ]  # fmt: skip
    messages = [{"role": role, "content": text} for role, text in said]
    heard = len(engine.load(talker).prompt_tokens(messages))
    store = Store(path)
    archive = store.archive(chat.id)
    store.close()
    assert archive is not None
    asked = [each for each in archive.messages if each.role == "assistant" and each.id != reply.id]
    assert [each.figures and each.figures.prompt_tokens for each in asked] == [heard, heard]
