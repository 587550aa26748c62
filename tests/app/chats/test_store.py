"""The store on real SQLite files: trees of messages, text of every kind, limits of the disk."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chats.errors import StoreError
from app.chats.model import (
    PREVIEW_LENGTH,
    Chat,
    Figures,
    Message,
    new_chat,
    new_message,
    new_reply,
)
from app.chats.settings import ChatSettings
from app.chats.store import Store

_FIGURES = Figures(12, 8, 3, 0.25, 210.5, 31.0, "stop")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "folder" / "chats.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store(path)
    yield store
    store.close()


@pytest.fixture
def chat(store: Store) -> Chat:
    chat = new_chat()
    store.create_chat(chat)
    return chat


def _asked(store: Store, chat: Chat, text: str, parent: Message | None = None) -> Message:
    message = new_message(chat.id, parent.id if parent else None, "user", text)
    store.add_message(message)
    return message


def _replied(store: Store, question: Message) -> Message:
    reply = new_reply(question.chat_id, question.id, "starter")
    store.add_message(reply)
    return reply


def test_everything_comes_back_after_reopening(path: Path) -> None:
    store = Store(path)
    chat = new_chat("Caches")
    store.create_chat(chat)
    system = new_message(chat.id, None, "system", "Be brief.")
    store.add_message(system)
    question = _asked(store, chat, "Why?", system)
    reply = _replied(store, question)
    assert store.save_reply(reply.id, "Because.", "complete", [5, 0, 4_294_967_295], _FIGURES)
    store.close()

    reopened = Store(path)
    saved = dataclasses.replace(
        reply, text="Because.", state="complete", token_ids=(5, 0, 4_294_967_295), figures=_FIGURES
    )
    assert reopened.branch(chat.id) == (system, question, saved)
    (summary,) = reopened.chats()
    assert summary.chat == dataclasses.replace(chat, updated_at=reply.created_at, leaf_id=saved.id)
    assert summary.preview == "Because."
    reopened.close()


def test_closing_leaves_one_file(path: Path) -> None:
    store = Store(path)
    store.create_chat(new_chat())
    store.close()
    assert list(path.parent.iterdir()) == [path]


def test_a_second_answer_is_a_branch_and_the_first_stays(store: Store, chat: Chat) -> None:
    question = _asked(store, chat, "Name a colour.")
    first = _replied(store, question)
    store.save_reply(first.id, "Red.", "complete")
    second = _replied(store, question)
    assert [message.id for message in store.branch(chat.id)] == [question.id, second.id]
    after_first = _asked(store, chat, "Another?", first)
    branch = store.branch(chat.id)
    assert [message.text for message in branch] == ["Name a colour.", "Red.", "Another?"]
    assert branch[-1] == after_first


def test_chats_come_newest_first(store: Store) -> None:
    chats = [Chat(f"chat {n}", f"Chat {n}", n, n) for n in range(3)]
    for chat in chats:
        store.create_chat(chat)
    assert [summary.chat for summary in store.chats()] == chats[::-1]
    _asked(store, chats[0], "I am back.")
    store.set_title("chat 1", "Renamed")
    assert [summary.chat.title for summary in store.chats()] == ["Chat 0", "Chat 2", "Renamed"]


def test_preview_is_a_short_line(store: Store, chat: Chat) -> None:
    assert store.chats()[0].preview == ""
    _asked(store, chat, "one\n\n  two\tthree " + "and so on " * 100)
    preview = store.chats()[0].preview
    assert preview.startswith("one two three and so on")
    assert len(preview) <= PREVIEW_LENGTH
    assert preview.endswith("…")


def test_delete_takes_a_long_chat_and_no_other(store: Store, chat: Chat) -> None:
    kept = new_chat("Kept")
    store.create_chat(kept)
    _asked(store, kept, "Still here?")
    last = _asked(store, chat, "0")
    for number in range(1, 1200):  # deeper than SQLite cascades along a chain
        last = _asked(store, chat, str(number), last)
    assert [message.text for message in store.branch(chat.id)] == [str(n) for n in range(1200)]
    store.delete_chat(chat.id)
    assert store.branch(chat.id) == ()
    assert [summary.chat.id for summary in store.chats()] == [kept.id]
    assert len(store.branch(kept.id)) == 1


def test_a_reply_to_a_deleted_chat_is_dropped(store: Store, chat: Chat) -> None:
    reply = _replied(store, _asked(store, chat, "Still there?"))
    store.delete_chat(chat.id)
    assert not store.save_reply(reply.id, "Yes", "streaming")
    with pytest.raises(StoreError, match="no longer exists"):
        _asked(store, chat, "Hello?")
    assert store.chats() == ()


def test_a_message_cannot_hang_below_another_chat(store: Store, chat: Chat) -> None:
    other = new_chat()
    store.create_chat(other)
    foreign = _asked(store, other, "Over here")
    with pytest.raises(StoreError):
        _asked(store, chat, "Over there", foreign)
    assert store.branch(chat.id) == ()


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("日本語 👩‍💻 e\u0301 \u202e", "日本語 👩‍💻 e\u0301 \u202e"),
        ("before\x00after", "before\x00after"),
        ("lone \ud83d here", "lone � here"),
        ("pair \ud83d\ude00", "pair 😀"),
        ("\udcff\udcfe", "��"),
    ],
)
def test_text_of_every_kind(store: Store, text: str, stored: str) -> None:
    chat = new_chat(text)
    store.create_chat(chat)
    question = _asked(store, chat, text)
    reply = new_reply(chat.id, question.id, model=text)
    store.add_message(reply)
    store.save_reply(reply.id, text, "complete")
    assert [message.text for message in store.branch(chat.id)] == [stored, stored]
    assert store.branch(chat.id)[1].model == stored
    assert store.chats()[0].chat.title == stored
    store.set_title(chat.id, text + text)
    assert store.chats()[0].chat.title == stored + stored


@given(text=st.text(st.characters(codec=None, categories=None)))
def test_any_text_can_be_saved(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    store = Store(tmp_path_factory.getbasetemp() / "any-text.sqlite3")
    chat = new_chat()
    store.create_chat(chat)
    _asked(store, chat, text)
    (message,) = store.branch(chat.id)
    assert message.text == text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    store.close()


def test_a_later_version_may_add_figures(store: Store, chat: Chat) -> None:
    reply = _replied(store, _asked(store, chat, "How fast?"))
    store.save_reply(reply.id, "Fast.", "complete", figures=_FIGURES)
    store._database.execute("UPDATE message SET figures = json_set(figures, '$.new', 1)")
    assert store.branch(chat.id)[1].figures == _FIGURES


def test_a_full_disk_is_a_sentence_and_loses_nothing(store: Store, chat: Chat) -> None:
    question = _asked(store, chat, "Is there room?")
    pages = store._database.execute("PRAGMA page_count").fetchone()[0]
    store._database.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="full"):
        _asked(store, chat, "x" * 100_000, question)
    assert store.branch(chat.id) == (question,)
    store._database.execute(f"PRAGMA max_page_count = {pages + 100}")
    _asked(store, chat, "x" * 100_000, question)
    assert len(store.branch(chat.id)) == 2


def test_damage_found_while_reading_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "chats.sqlite3"
    store = Store(path)
    chat = new_chat()
    store.create_chat(chat)
    _asked(store, chat, "x" * 50_000)
    store._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store._database.execute("PRAGMA shrink_memory")
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * (path.stat().st_size - 8192))
    with pytest.raises(StoreError, match="damaged"):
        store.branch(chat.id)
    store.close()


def test_a_title_of_the_users_own_is_nobody_elses(store: Store, chat: Chat) -> None:
    assert store.set_title(chat.id, "By the model", "model")
    assert store.set_title(chat.id, "Mine")
    assert not store.set_title(chat.id, "By the model", "model")
    assert not store.set_title("nowhere", "Mine")
    (summary,) = store.chats()
    assert (summary.chat.title, summary.chat.titled_by) == ("Mine", "user")


def test_chats_are_pinned_and_archived_together(store: Store) -> None:
    chats = [Chat(f"chat {n}", f"Chat {n}", n, n) for n in range(3)]
    for chat in chats:
        store.create_chat(chat)
    store.set_pinned(["chat 0", "chat 1"], pinned=True)
    store.set_archived(["chat 1", "chat 2"], archived=True)
    assert [(one.chat.id, one.chat.pinned) for one in store.chats()] == [("chat 0", True)]
    archived = [(one.chat.id, one.chat.pinned) for one in store.chats(archived=True)]
    assert archived == [("chat 2", False), ("chat 1", True)]
    store.set_archived(["chat 1"], archived=False)
    assert [one.chat.id for one in store.chats()] == ["chat 1", "chat 0"]


def test_the_preview_follows_the_leaf(store: Store, chat: Chat) -> None:
    question = _asked(store, chat, "Why?")
    reply = _replied(store, question)
    assert store.chats()[0].preview == ""
    store.save_reply(reply.id, "**Because** it", "streaming")
    assert store.chats()[0].preview == "Because it"
    store.delete_message(reply.id)
    assert store.chats()[0].preview == "Why?"


def test_settings_belong_to_their_chat(store: Store, chat: Chat) -> None:
    settings = ChatSettings("Be \ud83d brief.", "starter")
    store.set_settings(chat.id, settings)
    opened = store.open_chat(chat.id)
    assert opened is not None
    assert opened.settings == dataclasses.replace(settings, system_prompt="Be � brief.")
    assert store.open_chat("nowhere") is None
    assert store.archive("nowhere") is None
