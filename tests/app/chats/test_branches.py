"""Versions: edited, asked again, switched, forked, continued; nothing written is lost by it."""

import pytest

from app.chats.errors import StoreError
from app.chats.model import Figures, new_attachment
from app.chats.settings import ChatSettings, SamplingSettings
from app.chats.store import Store
from tests.app.chats.planting import Talk


def test_an_edited_question_is_a_version_and_the_old_one_stays(store: Store, talk: Talk) -> None:
    edited = store.branches.edit(talk.ids["q1"], "q1b")
    assert talk.shown == "q1b"
    assert talk.versions == {"q1b": "2 of 2"}
    assert (edited.role, edited.parent_id, edited.position) == ("user", None, 1)
    assert store.branches.show(talk.ids["q1"]) == talk.ids["r2"]
    assert talk.shown == "q1 r1 q2 r2"
    assert talk.versions == {"q1": "1 of 2"}


def test_moving_between_versions_is_remembered(store: Store, talk: Talk) -> None:
    store.branches.edit(talk.ids["q2"], "q2b")
    third = store.branches.edit(talk.ids["q2"], "q2c")
    store.branches.show(talk.ids["q2"])
    store.branches.edit(talk.ids["q1"], "other")
    store.branches.show(talk.ids["q1"])
    assert talk.shown == "q1 r1 q2 r2"
    assert str(store.branches.version(third.id)) == "3 of 3"
    store.branches.show(third.id)
    store.branches.show(talk.ids["q1"])
    assert talk.shown == "q1 r1 q2c"


def test_a_reply_below_another_version_is_what_is_shown_next_time(store: Store, talk: Talk) -> None:
    second = store.branches.regenerate(talk.ids["r1"], "starter")
    store.branches.show(talk.ids["r1"])
    edited = store.branches.edit(talk.ids["q1"], "other")
    store.branches.regenerate(second.id, "starter")  # in a branch that is not shown
    store.branches.show(edited.id)
    store.branches.show(talk.ids["q1"])
    assert talk.versions == {"q1": "1 of 2", "": "3 of 3"}


def test_a_reply_asked_again_has_settings_of_its_own(store: Store, talk: Talk) -> None:
    settings = ChatSettings("Be brief.", "other", SamplingSettings(temperature=0.0, seed=7))
    reply = store.branches.regenerate(talk.ids["r2"], "other", settings)
    assert (reply.state, reply.text) == ("streaming", "")
    store.save_reply(reply.id, "r2b", "complete", [1, 2])
    assert talk.shown == "q1 r1 q2 r2b"
    assert talk.versions == {"r2b": "2 of 2"}
    saved = store.branch(talk.chat.id)[-1]
    assert (saved.settings, saved.model, saved.token_ids) == (settings, "other", (1, 2))


def test_attachments_come_along_unless_others_are_given(store: Store, talk: Talk) -> None:
    notes = new_attachment("notes.txt", "text/plain", "Notes", 5)
    question = talk.say("q3", "r2", notes)
    assert store.branch(talk.chat.id)[-1].attachments == (notes,)
    kept = store.branches.edit(question.id, "q3b").attachments[0]
    assert (kept.name, kept.text, kept.size_bytes) == ("notes.txt", "Notes", 5)
    assert kept.id != notes.id
    assert store.branches.edit(question.id, "q3c", ()).attachments == ()
    assert store.branch(talk.chat.id)[-1].attachments == ()


def test_a_fork_is_a_chat_of_its_own(store: Store, talk: Talk) -> None:
    store.set_settings(talk.chat.id, ChatSettings(system_prompt="Be brief."))
    store.set_pinned([talk.chat.id], pinned=True)
    store.save_reply(talk.ids["r1"], "r1", "streaming", [5], Figures(tokens=1), "starter")
    chat = store.branches.fork(talk.ids["r1"], "Fork")
    opened = store.open_chat(chat.id)
    assert opened is not None
    assert opened.chat == chat
    assert (chat.title, chat.pinned, opened.settings.system_prompt) == ("Fork", False, "Be brief.")
    assert [message.text for message in opened.messages] == ["q1", "r1"]
    assert opened.messages[1].state == "stopped"
    assert (opened.messages[1].token_ids, opened.messages[1].figures) == ((5,), Figures(tokens=1))
    assert {message.id for message in opened.messages}.isdisjoint(talk.ids.values())
    store.delete_chat(talk.chat.id)
    assert len(store.branch(chat.id)) == 2
    assert [hit.chat_id for hit in store.search.find("r1")] == [chat.id]


def test_a_reply_that_was_cut_off_goes_on(store: Store, talk: Talk) -> None:
    store.save_reply(talk.ids["r2"], "half", "interrupted", [4, 2])
    reply = store.branches.continue_reply(talk.ids["r2"])
    assert (reply.id, reply.text, reply.token_ids) == (talk.ids["r2"], "half", (4, 2))
    assert store.branch(talk.chat.id)[-1].state == "streaming"
    store.save_reply(reply.id, "half and whole", "complete", [4, 2, 1])
    assert talk.shown == "q1 r1 q2 half and whole"
    assert [hit.snippet for hit in store.search.find("whole")] == ["half and whole"]


def test_a_reply_with_followers_goes_on_as_a_version(store: Store, talk: Talk) -> None:
    reply = store.branches.continue_reply(talk.ids["r1"])
    assert reply.id != talk.ids["r1"]
    assert (reply.text, reply.state) == ("r1", "streaming")
    assert talk.shown == "q1 r1"
    store.branches.show(talk.ids["r1"])
    assert talk.shown == "q1 r1 q2 r2"


def test_what_is_gone_is_a_sentence(store: Store, talk: Talk) -> None:
    store.trash.delete_branch(talk.ids["q2"])
    for message_id in ("nowhere", talk.ids["q2"], talk.ids["r2"]):
        with pytest.raises(StoreError, match="no longer exists"):
            store.branches.show(message_id)
        with pytest.raises(StoreError, match="no longer exists"):
            store.branches.edit(message_id, "x")
    assert talk.shown == "q1 r1"
