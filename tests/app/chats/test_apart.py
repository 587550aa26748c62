"""What is said while another program holds the chats: kept beside them, and joined in."""

from __future__ import annotations

import contextlib
import dataclasses
import sqlite3
from typing import TYPE_CHECKING

import pytest

from app.chats.apart import beside, join, join_from_before
from app.chats.errors import StoreError
from app.chats.library import new_preset, new_prompt
from app.chats.model import new_attachment, new_chat, new_message, new_reply
from app.chats.settings import ChatSettings
from app.chats.store import Store
from app.chats.thread import StoreThread
from tests.app.chats.planting import planted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def held(path: Path) -> Iterator[sqlite3.Connection]:
    """The file of chats with one chat in it, in the hands of another program."""
    with contextlib.closing(Store(path)) as store:
        planted(store)
        store.drafts.save("", "written before")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    yield other
    other.close()


def _titles(store: Store) -> set[str]:
    return {one.chat.title for one in store.chats()}


def test_a_reply_goes_on_in_the_chats_once_another_program_lets_go(
    path: Path, held: sqlite3.Connection
) -> None:
    with StoreThread(path, retry_s=0.02, busy_s=0) as thread:
        with pytest.raises(StoreError, match=r"in use.* kept beside them"):
            thread.opened.result(10)
        chat = new_chat("meanwhile")
        question = new_message(chat.id, None, "user", "Is it kept?")
        reply = new_reply(chat.id, question.id, "starter")
        thread.submit(lambda store: store.create_chat(chat)).result(10)
        thread.submit(lambda store: store.add_message(question)).result(10)
        thread.submit(lambda store: store.add_message(reply)).result(10)
        assert thread.save_reply(reply.id, "It", "streaming", (1,)).result(10)
        assert thread.submit(_titles).result(10) == {"meanwhile"}
        held.close()
        assert thread.reopened.result(10)
        assert thread.save_reply(reply.id, "It is.", "complete", (1, 2)).result(10)
        assert "meanwhile" in thread.submit(_titles).result(10)
    assert not beside(path).exists()
    with contextlib.closing(Store(path)) as store:
        assert len(store.chats()) == 2
        asked, answered = store.branch(chat.id)
        assert asked == question
        assert (answered.text, answered.state, answered.token_ids) == ("It is.", "complete", (1, 2))


def test_what_was_kept_apart_comes_in_at_the_next_start(
    path: Path, held: sqlite3.Connection
) -> None:
    chat, pinned = new_chat("meanwhile"), new_chat("pinned")
    said = dataclasses.replace(
        new_message(chat.id, None, "user", "Read this"),
        attachments=(new_attachment("a.txt", "text/plain", "words", 5),),
    )
    preset, prompt = new_preset("Mine", ChatSettings("Be brief.")), new_prompt("Brief", "Be brief.")
    with StoreThread(path, busy_s=0) as thread:

        def work(store: Store) -> None:
            for one in (chat, pinned):
                store.create_chat(one)
            store.add_message(said)
            store.add_message(new_reply(chat.id, said.id, "starter"))
            store.set_archived([chat.id], archived=True)
            store.set_pinned([pinned.id], pinned=True)
            store.library.save_preset(preset)
            store.library.save_prompt(prompt)
            store.drafts.save("", "written meanwhile")
            store.drafts.save(chat.id, "and here")

        thread.submit(work).result(10)
    held.close()
    assert beside(path).exists()
    for _ in range(2):
        with StoreThread(path) as thread:
            assert thread.joined.result(10) is None

            def look(store: Store) -> None:
                assert len(store.chats()) == 2
                assert [one.chat.pinned for one in store.chats() if one.chat.id == pinned.id] == [1]
                assert [one.chat.id for one in store.chats(archived=True)] == [chat.id]
                question, reply = store.branch(chat.id)
                assert question == said
                assert reply.state == "interrupted"
                assert store.library.presets() == (preset,)
                assert store.library.prompts() == (prompt,)
                assert store.drafts.read("").text == "written before\nwritten meanwhile"
                assert store.drafts.read(chat.id).text == "and here"

            thread.submit(look).result(10)
        assert not beside(path).exists()


def test_joining_twice_changes_nothing_and_more_words_come_in_beside(tmp_path: Path) -> None:
    with (
        contextlib.closing(Store(tmp_path / "chats.sqlite3")) as store,
        contextlib.closing(Store(tmp_path / "apart.sqlite3")) as apart,
    ):
        talk = planted(apart)
        apart.drafts.save("", "a draft")
        for _ in range(2):  # as after a kill before the file was removed
            join(store, apart)
        assert [one.chat.id for one in store.chats()] == [talk.chat.id]
        assert store.drafts.read("").text == "a draft"
        talk.say("q3", "r2")
        join(store, apart)
        assert len(store.chats()) == 2
        longest = max(store.chats(), key=lambda one: len(store.branch(one.chat.id)))
        assert store.branch(longest.chat.id)[-1].text == "q3"


def test_a_file_beside_that_cannot_be_read_is_said_and_left(path: Path) -> None:
    beside(path).write_bytes(b"no database " * 99)
    with StoreThread(path) as thread:
        with pytest.raises(StoreError, match=r"apart.* damaged"):
            thread.joined.result(10)
        assert thread.submit(Store.chats).result(10) == ()
    assert beside(path).exists()


def test_where_nothing_was_kept_nothing_is_made(path: Path, store: Store) -> None:
    join_from_before(store, path)
    assert not beside(path).exists()


def test_where_nothing_could_be_kept_that_is_not_told(path: Path) -> None:
    path.mkdir()
    beside(path).mkdir()
    with StoreThread(path, retry_s=0.02) as thread:
        with pytest.raises(StoreError, match=r"may write\.$"):
            thread.opened.result(10)
        path.rmdir()
        beside(path).rmdir()
        assert not thread.reopened.result(10)
        assert thread.submit(Store.chats).result(10) == ()
