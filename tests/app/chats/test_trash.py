"""Deleting with undo: messages, branches, chats, in any order, and emptying for good."""

import random

from app.chats.model import new_attachment
from app.chats.store import Store
from tests.app.chats.planting import Talk, planted


def test_a_chat_comes_back(store: Store, talk: Talk) -> None:
    other = planted(store, "Other")
    store.search.find("q1")
    numbers = store.trash.delete_chats([talk.chat.id, other.chat.id, "nowhere", talk.chat.id])
    assert len(numbers) == 2
    assert store.chats() == ()
    assert store.open_chat(talk.chat.id) is None
    assert store.search.find("q1") == ()
    assert store.search.find("talk") == ()
    assert [deleted.text for deleted in store.trash.items()] == ["Other", "Talk"]
    assert all(deleted.deleted_at > talk.chat.created_at for deleted in store.trash.items())
    store.trash.undo(*numbers)
    assert len(store.chats()) == 2
    assert talk.shown == "q1 r1 q2 r2"
    assert len(store.search.find("q1")) == 2
    assert store.trash.items() == ()


def test_a_branch_goes_and_what_was_before_is_shown(store: Store, talk: Talk) -> None:
    number = store.trash.delete_branch(talk.ids["q2"])
    assert number is not None
    assert talk.shown == "q1 r1"
    assert store.search.find("q2") == ()
    assert store.chats()[0].preview == "r1"
    store.trash.undo(number)
    assert talk.shown == "q1 r1 q2 r2"
    assert store.chats()[0].preview == "r2"


def test_a_deleted_version_shows_another(store: Store, talk: Talk) -> None:
    edited = store.branches.edit(talk.ids["q2"], "q2b")
    number = store.trash.delete_branch(edited.id)
    assert number is not None
    assert talk.shown == "q1 r1 q2 r2"
    assert talk.versions == {}
    store.trash.undo(number)
    assert talk.shown == "q1 r1 q2b"
    assert talk.versions == {"q2b": "2 of 2"}


def test_one_message_goes_and_those_below_stay(store: Store, talk: Talk) -> None:
    number = store.trash.delete_message(talk.ids["r1"])
    assert number is not None
    assert talk.shown == "q1 q2 r2"
    assert store.search.find("r1") == ()
    last = store.trash.delete_message(talk.ids["r2"])
    assert last is not None
    assert talk.shown == "q1 q2"
    talk.say("q3", "q2")
    assert talk.shown == "q1 q2 q3"
    store.trash.undo(number)
    store.trash.undo(last)
    assert talk.shown == "q1 r1 q2 r2"
    assert talk.versions == {"r2": "1 of 2"}


def test_versions_stay_reachable_when_one_is_taken_out(store: Store, talk: Talk) -> None:
    talk.ids["q2b"] = store.branches.edit(talk.ids["q2"], "q2b").id
    talk.say("r2b", "q2b")
    store.trash.delete_message(talk.ids["q2b"])
    assert talk.shown == "q1 r1 r2b"
    assert talk.versions == {"r2b": "2 of 2"}
    store.branches.show(talk.ids["q2"])
    assert talk.shown == "q1 r1 q2 r2"


def test_a_branch_within_a_deleted_branch_waits_for_it(store: Store, talk: Talk) -> None:
    inner = store.trash.delete_branch(talk.ids["r2"])
    outer = store.trash.delete_branch(talk.ids["r1"])
    assert inner is not None
    assert outer is not None
    store.trash.undo(inner)
    assert talk.shown == "q1"
    assert store.search.find("r2") == ()
    store.trash.undo(outer)
    assert talk.shown == "q1 r1 q2"
    store.branches.show(talk.ids["r2"])
    assert talk.shown == "q1 r1 q2 r2"


def test_emptying_is_for_good_and_spares_the_rest(store: Store, talk: Talk) -> None:
    talk.say("q3", "r2", new_attachment("notes.txt", "text/plain", "Notes", 5))
    talk.say("r3", "q3")
    other = planted(store, "Other")
    store.trash.delete_chats([other.chat.id])
    store.trash.delete_message(talk.ids["q3"])
    store.trash.delete_branch(talk.ids["r3"])
    assert store.trash.empty(before_s=0.0) == 0
    assert store.trash.empty() == 3
    assert store.trash.items() == ()
    assert talk.shown == "q1 r1 q2 r2"
    rows = store._database.execute("SELECT text FROM message ORDER BY number").fetchall()
    assert [row[0] for row in rows] == ["q1", "r1", "q2", "r2", ""]
    assert store._database.execute("SELECT count(*) FROM attachment").fetchone() == (0,)
    assert store.search.find("notes") == ()
    store.trash.delete_message(talk.ids["r2"])
    store.trash.empty()
    store.trash.undo(1, 2, 3, 99)
    assert talk.shown == "q1 r1 q2"


def test_nothing_to_delete_is_none(store: Store, talk: Talk) -> None:
    assert store.trash.delete_message("nowhere") is None
    assert store.trash.delete_branch("nowhere") is None
    store.trash.delete_message(talk.ids["r2"])
    assert store.trash.delete_message(talk.ids["r2"]) is None


def test_the_first_message_can_go(store: Store, talk: Talk) -> None:
    number = store.trash.delete_branch(talk.ids["q1"])
    assert number is not None
    assert talk.shown == ""
    assert store.chats()[0].preview == ""
    store.trash.undo(number)
    assert talk.shown == "q1 r1 q2 r2"


def test_any_order_of_deletions_can_be_undone(store: Store, talk: Talk) -> None:
    """A tree of messages, deleted from at random and undone at random, is what it was."""
    dice = random.Random(5)
    texts = list(talk.ids)
    for number in range(20):
        texts.append(f"{dice.choice('qr')}x{number}")
        talk.say(texts[-1], dice.choice(texts[:-1]))
    before = store.archive(talk.chat.id)
    for _ in range(10):
        numbers: list[int] = []
        for text in dice.sample(texts, 8):
            delete = dice.choice([store.trash.delete_message, store.trash.delete_branch])
            number = delete(talk.ids[text])
            numbers += [] if number is None else [number]
            opened = store.open_chat(talk.chat.id)
            assert opened is not None
            shown = [message.id for message in opened.messages]
            assert all(store.branches.version(one).ids for one in shown)
        dice.shuffle(numbers)
        for number in numbers:
            store.trash.undo(number)
        after = store.archive(talk.chat.id)
        assert before is not None
        assert after is not None
        assert {m.id: m for m in after.messages} == {m.id: m for m in before.messages}


def test_what_is_said_below_a_message_that_is_just_deleted_follows_what_is_left(
    store: Store, talk: Talk
) -> None:
    number = store.trash.delete_branch(talk.ids["q2"])
    assert number is not None
    talk.say("q3", "r2")  # on its way while the branch went
    talk.say("r3", "q3")
    assert talk.shown == "q1 r1 q3 r3"
    store.trash.undo(number)
    assert talk.shown == "q1 r1 q2 r2"
    assert talk.versions == {"q2": "1 of 2"}
    assert store.trash.delete_branch(talk.ids["q1"]) is not None
    talk.say("q4", "r2")
    assert talk.shown == "q4"


def test_a_chat_that_ends_in_what_is_deleted_can_be_opened(store: Store, talk: Talk) -> None:
    assert store.trash.delete_branch(talk.ids["q2"]) is not None
    store._database.execute("UPDATE chat SET leaf_id = ?", (talk.ids["r2"],))  # as it once could
    opened = store.open_chat(talk.chat.id)
    assert opened is not None
    assert [message.text for message in opened.messages] == ["q1", "r1"]
    assert talk.shown == "q1 r1"
    archive = store.archive(talk.chat.id)
    assert archive is not None
    assert archive.chat.leaf_id == talk.ids["r1"]
